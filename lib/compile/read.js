'use strict'

// What `decode` does not know: documents that are written as arrays of their values, and `as`, which says how one field
// is given back. Everything else is read by `decode`'s own loop.

const { ELEMENT } = require('../spec')
const { setOwn } = require('../properties')
const { errorAtOffset, prependKey } = require('../errors')
const { getInt32, getUtf8, getUtf8Lossy } = require('../bytes')
const { scanName, scanElement, tooDeep, decodeElementBy } = require('../decode')
const { isDBRefKey, toDBRef } = require('../types')

/** @typedef {import('../schema/schema').Node} Node */
/** @typedef {import('../schema/schema').Shape} Shape */

class Reader {
  /**
   * @param {import('./plan').Plan} plan
   * @param {boolean} isPositional whether there are documents without names
   */
  constructor(plan, isPositional) {
    this.plan = plan
    this.isPositional = isPositional
    this.pos = 0
  }

  /**
   * The rest of a document.
   *
   * @param {Shape} shape
   * @param {Record<string, any>} doc what has been read of it, own fields without `$`
   * @param {number} index values that have been read of a positional document; -1 of one with names
   * @param {Uint8Array} buf
   * @param {number} pos of the next element
   * @param {number} end offset of the closing 0x00
   * @param {number} depth the root's being 1
   * @returns {any} the document, or the DBRef that it is
   * @throws {import('../errors').BSONError} with the offset
   */
  readDocument(shape, doc, index, buf, pos, end, depth) {
    if (depth > this.plan.maxDepth) throw errorAtOffset(tooDeep(this.plan.maxDepth), pos - 4)
    if (index === -1) this.readFields(shape, doc, buf, pos, end, depth)
    else this.readValues(shape, doc, index, buf, pos, end, depth)
    const names = Object.keys(doc).filter(name => name[0] === '$')
    return names.length > 0 && names.every(isDBRefKey) ? toDBRef(doc) : doc
  }

  readFields(shape, doc, buf, pos, end, depth) {
    while (pos < end) {
      const nameEnd = scanName(buf, pos + 1, end)
      const name = this.plan.utf8 ? getUtf8(buf, pos + 1, nameEnd) : getUtf8Lossy(buf, pos + 1, nameEnd)
      const node = shape.byName.get(name)?.node ?? shape.additional
      setOwn(doc, name, this.readElement(node, name, buf, pos, end, depth))
      pos = this.pos
    }
  }

  readValues(shape, doc, index, buf, pos, end, depth) {
    const { fields } = shape
    const start = pos
    for (; pos < end; index++) {
      if (index < fields.length) {
        const { name, node } = fields[index]
        if (buf[pos] !== ELEMENT.UNDEFINED) setOwn(doc, name, this.readElement(node, name, buf, pos, end, depth))
        else this.pos = scanName(buf, pos + 1, end) + 1
        pos = this.pos
        continue
      }
      const nameEnd = scanName(buf, pos + 1, end)
      const next = scanElement(buf[pos], buf, pos, nameEnd, end)
      if (buf[pos] !== ELEMENT.DOCUMENT || next !== end) {
        throw errorAtOffset(`more than the ${fields.length} values of the schema`, pos)
      }
      this.readFields(shape, doc, buf, nameEnd + 5, next - 1, depth)
      pos = next
    }
    if (index < fields.length) throw errorAtOffset(`there are ${index} values, the schema has ${fields.length}`, start)
  }

  /** The items of an array from number `items.length` on. @param {import('../schema/schema').List} list */
  readItems(list, items, buf, pos, end, depth) {
    if (depth > this.plan.maxDepth) throw errorAtOffset(tooDeep(this.plan.maxDepth), pos - 4)
    while (pos < end) {
      const node = list.prefix[items.length] ?? list.items
      items.push(this.readElement(node, items.length, buf, pos, end, depth))
      pos = this.pos
    }
    return items
  }

  /**
   * The value of the element at `pos`; the offset after it is in `this.pos`. In positional documents the bytes have no
   * names: what is wrong has the path of the schema.
   */
  readElement(node, key, buf, pos, end, depth) {
    try {
      const nameEnd = scanName(buf, pos + 1, end)
      const next = scanElement(buf[pos], buf, pos, nameEnd, end)
      const value = this.readValue(node, buf, pos, nameEnd + 1, next, depth)
      this.pos = next
      return value
    } catch (error) {
      throw this.isPositional ? prependKey(error, key) : error
    }
  }

  /** @param {Node | boolean} node */
  readValue(node, buf, pos, value, next, depth) {
    const type = buf[pos]
    const isPositional = typeof node === 'object' && node.isPositional && type === ELEMENT.ARRAY
    const form = typeof node === 'object' ? node.forms.get(isPositional ? ELEMENT.DOCUMENT : type) : undefined
    const { shape = null, list = null, as = null } = form ?? {}
    if (shape !== null) return this.readDocument(shape, {}, isPositional ? 0 : -1, buf, value + 4, next - 1, depth + 1)
    if (list !== null) return this.readItems(list, [], buf, value + 4, next - 1, depth + 1)
    return decodeElementBy(this.plan.plansAs.get(as), buf, pos, next, depth)
  }
}

/** Whether the bytes at `pos` are an int64 named "0", as positional documents begin. */
function hasFingerprint(buf, pos, end) {
  return pos + 11 < end && (getInt32(buf, pos) & 0xffffff) === (ELEMENT.INT64 | 0x3000)
}

module.exports = { Reader, hasFingerprint }
