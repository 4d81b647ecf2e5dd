'use strict'

// The order of documents by some of their fields, as `sort` of the server.

const { ELEMENT } = require('../spec')
const { BSONError, shownValue } = require('../errors')
const { checkRange } = require('../bytes')
const { isIterable, refusal } = require('../options')
const { ElementCursor } = require('../elements')
const { parsePath } = require('../raw')
const { nearestDouble } = require('./numbers')
const { GROUP, NUMBER, compareElements } = require('./order')
const { PathFinder } = require('./path')

/**
 * @typedef {import('./order').Element} Element
 * @typedef {Element & {number: number}} SortKey with the nearest double of a number, otherwise NaN
 */

const NONE = new Uint8Array(0)

/** @type {Element} */
const NULL = Object.freeze({ type: ELEMENT.NULL, buf: NONE, value: 0, end: 0 })

/** An empty array comes before null. @type {Element} */
const UNDEFINED = Object.freeze({ type: ELEMENT.UNDEFINED, buf: NONE, value: 0, end: 0 })

/**
 * Visits the values of a field, the items of arrays instead of arrays: `visit` gets the type 0 for a missing field, and
 * UNDEFINED for an empty array.
 */
function visitorOf(path, visit) {
  const items = new ElementCursor()
  const finder = new PathFinder(parsePath(path), (type, buf, value, end) => {
    if (type !== ELEMENT.ARRAY) visit(type, buf, value, end)
    else {
      items.open(buf, value, end - 1)
      if (!items.next()) visit(ELEMENT.UNDEFINED, NONE, 0, 0)
      else do visit(items.type, buf, items.value, items.end); while (items.next())
      items.close()
    }
    return false
  }, true, true)
  return (buf, start, end) => {
    checkRange('a document', buf, start, end)
    finder.find(buf, start, end)
  }
}

const NUMBER_CLASSES = new Set(['Int32', 'Double', 'Long', 'Decimal128'])

/** @param {any} direction a number, a bigint, or an object of a class of numbers @returns {number} NaN for others */
function numberOf(direction) {
  const isNumber = typeof direction === 'number' || typeof direction === 'bigint' || NUMBER_CLASSES.has(direction?._bsontype)
  try {
    return isNumber ? Number(direction) : NaN
  } catch {
    return NaN
  }
}

/** Orders documents by the values of some fields. */
class Sorter {
  /**
   * @param {Iterable<[import('../raw/path').Path, unknown]>} fields paths, with 1 to sort up or -1 to sort down
   * @throws {BSONError}
   */
  constructor(fields) {
    if (!isIterable(fields)) throw refusal('fields', fields, 'an array of paths with 1 or -1')
    this.fields = Array.from(fields, field => {
      if (!Array.isArray(field)) throw refusal('a field', field, 'an array of a path and 1 or -1')
      const [path, direction] = field
      const sign = numberOf(direction)
      if (sign !== 1 && sign !== -1) throw new BSONError(`the order of ${shownValue(path)} must be 1 or -1, not ${shownValue(direction)}`)
      return this.fieldOf(path, sign)
    })
    if (this.fields.length === 0) throw new BSONError('an order needs at least one field')
    /** The value found by the visitor that runs. @private @type {Element | null} */
    this.found = null
  }

  /** @private @param {import('../raw/path').Path} path @param {number} sign */
  fieldOf(path, sign) {
    const visit = visitorOf(path, (type, buf, value, end) => {
      const element = type === 0 ? NULL : type === ELEMENT.UNDEFINED ? UNDEFINED : { type, buf, value, end }
      if (this.found === null || compareElements(element, this.found) * sign < 0) this.found = element
    })
    return { visit, sign }
  }

  /**
   * @param {Uint8Array} buf
   * @param {number} start of a document
   * @param {number} end the offset of its closing 0x00
   * @returns {SortKey[]} the value of each field: of several the least, or the greatest to sort down
   * @throws {BSONError} on bytes that are not BSON
   */
  keysOf(buf, start, end) {
    return this.fields.map(({ visit }) => {
      this.found = null
      visit(buf, start, end)
      const { type, buf: bytes, value, end: last } = this.found ?? NULL
      const number = GROUP[type] === NUMBER ? nearestDouble(type, bytes, value) : NaN
      return { type, buf: bytes, value, end: last, number }
    })
  }

  /** @param {SortKey[]} a @param {SortKey[]} b @returns {number} as for `Array.prototype.sort` */
  compare(a, b) {
    for (let i = 0; i < this.fields.length; i++) {
      const { number } = a[i]
      const { number: other } = b[i]
      const order = number < other ? -1 : number > other ? 1 : compareElements(a[i], b[i])
      if (order !== 0) return order * this.fields[i].sign
    }
    return 0
  }
}

module.exports = { visitorOf, Sorter }
