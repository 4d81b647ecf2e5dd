'use strict'

// Implements `as`, which `decode` does not have: it sets the result type of a single field. Everything else is read by
// the loop of `decode`.

const { setOwn } = require('../properties')
const { errorAtOffset } = require('../errors')
const { getUtf8, getUtf8Lossy } = require('../bytes')
const { isDBRefKey, toDBRef } = require('../types')
const { scanName, scanElement, tooDeep } = require('../elements')
const { decodeElementBy } = require('../decode')

/** @typedef {import('../schema/schema').Node} Node */

class Reader {
  /** @param {import('./plan').Plan} plan */
  constructor(plan) {
    this.plan = plan
    this.pos = 0
  }

  /**
   * Reads the rest of a document.
   *
   * @param {import('../schema/schema').Shape} shape
   * @param {Record<string, any>} doc the part already read: own fields without `$`
   * @param {Uint8Array} buf
   * @param {number} pos of the next element
   * @param {number} end offset of the closing 0x00
   * @param {number} depth the root's is 1
   * @returns {any} the document, or a DBRef
   * @throws {import('../errors').BSONError} with the offset
   */
  readDocument(shape, doc, buf, pos, end, depth) {
    if (depth > this.plan.maxDepth) throw errorAtOffset(tooDeep(this.plan.maxDepth), pos - 4)
    while (pos < end) {
      const nameEnd = scanName(buf, pos + 1, end)
      const name = this.plan.utf8 ? getUtf8(buf, pos + 1, nameEnd) : getUtf8Lossy(buf, pos + 1, nameEnd)
      const node = shape.byName.get(name)?.node ?? shape.additional
      setOwn(doc, name, this.readElement(node, buf, pos, nameEnd, end, depth))
      pos = this.pos
    }
    const names = Object.keys(doc).filter(name => name[0] === '$')
    return names.length > 0 && names.every(isDBRefKey) ? toDBRef(doc) : doc
  }

  /** Reads the items of an array from index `items.length` on. @param {import('../schema/schema').List} list */
  readItems(list, items, buf, pos, end, depth) {
    if (depth > this.plan.maxDepth) throw errorAtOffset(tooDeep(this.plan.maxDepth), pos - 4)
    while (pos < end) {
      const node = list.prefix[items.length] ?? list.items
      items.push(this.readElement(node, buf, pos, scanName(buf, pos + 1, end), end, depth))
      pos = this.pos
    }
    return items
  }

  /** Reads the value of the element at `pos`. Sets `this.pos` to the offset after it. @param {Node | boolean} node */
  readElement(node, buf, pos, nameEnd, end, depth) {
    const next = scanElement(buf[pos], buf, pos, nameEnd, end)
    const { shape = null, list = null, as = null } = (typeof node === 'object' && node.typeRules.get(buf[pos])) || {}
    const value = shape !== null
      ? this.readDocument(shape, {}, buf, nameEnd + 5, next - 1, depth + 1)
      : list !== null
        ? this.readItems(list, [], buf, nameEnd + 5, next - 1, depth + 1)
        : decodeElementBy(this.plan.plansAs.get(as), buf, pos, next, depth)
    this.pos = next
    return value
  }
}

module.exports = { Reader }
