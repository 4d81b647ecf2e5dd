'use strict'

// The values at a path such as `a.b`, as the server finds them: through arrays of documents, by the index of an item,
// and the items of an array at the end of the path.

const { ELEMENT } = require('../spec')
const { ElementCursor } = require('../elements')

/**
 * @typedef {(type: number, buf: Uint8Array, value: number, end: number) => boolean} Test of one value, from `value` to
 *   `end`; type 0 if the field is missing
 * @typedef {(buf: Uint8Array, start: number, end: number) => boolean} Predicate of a document; `end`: the offset of
 *   its closing 0x00
 */

/** With more indexes in a path, one place may be reached in many ways, and the ways that failed are remembered. */
const FEW_INDEXES = 3

/** Factor that keeps the places of 31-bit offsets separate for each key. */
const OFFSETS = 2 ** 31

/** Finds the values at a path that pass a test. */
class PathFinder {
  /**
   * `test` must not use this finder. `isWhole`: an array at the end counts only as itself, not its items; `seesGaps`:
   * items without fields, in an array before the end, count as a missing field.
   */
  constructor(keys, test, isWhole, seesGaps) {
    this.keys = keys
    this.test = test
    this.last = keys.length - 1
    this.isWhole = isWhole
    this.seesGaps = seesGaps
    /** For a document and an array at each level. */
    this.documents = keys.map(() => new ElementCursor())
    this.arrays = keys.map(() => new ElementCursor())
    /** @type {Set<number> | null} */
    this.failed = keys.filter(({ index }) => index !== -1).length > FEW_INDEXES ? new Set() : null
  }

  /** @returns {boolean} whether there is one; no other is looked for then */
  find(buf, start, end) {
    if (this.failed !== null) this.failed.clear()
    const isFound = this.inDocument(buf, start, end, 0)
    for (let i = 0; i <= this.last; i++) {
      this.documents[i].close()
      this.arrays[i].close()
    }
    return isFound
  }

  /** If a name repeats, its last element counts, as for `decode`. @param {number} i of the key to look for */
  inDocument(buf, start, end, i) {
    const element = this.documents[i].open(buf, start, end)
    return element.toLastNamed(this.keys[i].cstring) ? this.atElement(element, i) : this.test(0, buf, 0, 0)
  }

  /** `isItem`: found by its index in an array. Then an array at the end counts only as itself, a scalar before not. */
  atElement({ type, buf, value, end }, i, isItem = false) {
    if (i === this.last) {
      return type === ELEMENT.ARRAY && !isItem ? this.atArray(buf, value, end) : this.test(type, buf, value, end)
    }
    if (type === ELEMENT.DOCUMENT) return this.inDocument(buf, value, end - 1, i + 1)
    return type === ELEMENT.ARRAY ? this.inArray(buf, value, end - 1, i + 1) : !isItem && this.test(0, buf, 0, 0)
  }

  /** An array at the end of the path: its items, and itself. */
  atArray(buf, value, next) {
    if (!this.isWhole) {
      const items = this.arrays[this.last].open(buf, value, next - 1)
      while (items.next()) if (this.test(items.type, buf, items.value, items.end)) return true
    }
    return this.test(ELEMENT.ARRAY, buf, value, next)
  }

  /** An array before the end: its documents, and the item that the key is the index of. */
  inArray(buf, start, end, i) {
    const place = i * OFFSETS + start
    if (this.failed !== null && this.failed.has(place)) return false
    const item = this.arrays[i - 1].open(buf, start, end)
    const wanted = this.keys[i].index
    if (this.seesGaps && wanted !== -1) { // to sort, an item with the index is the only one
      for (let index = 0; item.next(); index++) if (index === wanted) return this.atElement(item, i, true)
      item.open(buf, start, end)
    }
    for (let index = 0; item.next(); index++) {
      const isDocument = item.type === ELEMENT.DOCUMENT
      if (isDocument && this.inDocument(buf, item.value, item.end - 1, i)) return true
      if (index === wanted && this.atElement(item, i, true)) return true
      if (this.seesGaps && index !== wanted && !isDocument && this.test(0, buf, 0, 0)) return true
    }
    if (this.failed !== null) this.failed.add(place)
    return false
  }
}

/** Whether some value at a path passes a test. `isWhole`: an array counts only as itself. @returns {Predicate} */
function anyAt(keys, test, isWhole) {
  const finder = new PathFinder(keys, test, isWhole, false)
  return (buf, start, end) => finder.find(buf, start, end)
}

module.exports = { PathFinder, anyAt }
