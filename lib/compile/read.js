'use strict'

// Implements `as`, which `decode` does not have: it sets the result type of a single field. Everything else is read by
// the loop of `decode`.

const { setOwn } = require('../properties')
const { getUtf8, getUtf8Lossy } = require('../bytes')
const { isDBRefKey, toDBRef } = require('../types')
const { ElementCursor } = require('../elements')
const { decodeElementBy } = require('../decode')

/** @typedef {import('../schema/schema').Node} Node */

class Reader {
  /** @param {import('./plan').Plan} plan */
  constructor(plan) {
    this.plan = plan
  }

  /** @returns {ElementCursor} before the elements from `pos` on */
  cursorAt(buf, pos, end, depth) {
    return new ElementCursor().open(buf, pos - 4, end, this.plan.maxDepth, depth - 1)
  }

  /**
   * Reads the rest of a document.
   *
   * @param {import('../schema/schema').Shape} shape
   * @param {Record<string, any>} doc
   * @returns {any} the document, or a DBRef
   */
  readDocument(shape, doc, buf, pos, end, depth) {
    const cursor = this.cursorAt(buf, pos, end, depth)
    const read = this.plan.utf8 ? getUtf8 : getUtf8Lossy
    while (cursor.next()) {
      const name = read(buf, cursor.pos + 1, cursor.nameEnd)
      setOwn(doc, name, this.readElement(shape.byName.get(name)?.node ?? shape.additional, cursor, depth))
    }
    const names = Object.keys(doc).filter(name => name[0] === '$')
    return names.length > 0 && names.every(isDBRefKey) ? toDBRef(doc) : doc
  }

  /** Reads the items of an array from index `items.length` on. @param {import('../schema/schema').List} list */
  readItems(list, items, buf, pos, end, depth) {
    const cursor = this.cursorAt(buf, pos, end, depth)
    while (cursor.next()) items.push(this.readElement(list.prefix[items.length] ?? list.items, cursor, depth))
    return items
  }

  /** Reads the value of the cursor's element. @param {Node | boolean} node @param {ElementCursor} cursor */
  readElement(node, { buf, type, pos, value, end }, depth) {
    const { shape = null, list = null, as = null } = (typeof node === 'object' && node.typeRules.get(type)) || {}
    if (shape !== null) return this.readDocument(shape, {}, buf, value + 4, end - 1, depth + 1)
    if (list !== null) return this.readItems(list, [], buf, value + 4, end - 1, depth + 1)
    return decodeElementBy(this.plan.plansAs.get(as), buf, pos, end, depth)
  }
}

module.exports = { Reader }
