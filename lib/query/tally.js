'use strict'

// How often each value of a field occurs.

const { copyOf } = require('../bytes')
const { validateElements, ALL_UTF8 } = require('../elements')
const { MAX_DEPTH } = require('../spec')
const { keyOf } = require('./keys')
const { GROUP, compareElements } = require('./order')
const { visitorOf } = require('./sorter')

/**
 * A value, which is equal to all that are counted with it.
 *
 * @typedef {import('./order').Element & {count: number}} Counted
 */

/** Bytes of memory for a value besides itself and its key. */
const OVERHEAD = 200

/** Counts the values of a field, the items of arrays one by one; equal numbers of all types are one value. */
class Tally {
  /** @param {import('../raw/path').Path} path */
  constructor(path) {
    /** Bytes of memory for the values, about. */
    this.size = 0
    /** Whether a document had the field, be it with an empty array, which has no values. */
    this.isFound = false
    /** By group of types. @private @type {(Map<number | string, Counted> | undefined)[]} */
    this.groups = []
    this.visit = visitorOf(path, (type, buf, value, end) => {
      this.isFound ||= type !== 0
      if (type !== 0 && value !== 0) this.count(type, buf, value, end)
    })
  }

  /**
   * Counts the values of a document.
   *
   * @param {Uint8Array} buf
   * @param {number} start
   * @param {number} end the offset of its closing 0x00
   * @throws {import('../errors').BSONError} on bytes that are not BSON
   */
  add(buf, start, end) {
    this.visit(buf, start, end)
  }

  /** @private */
  count(type, buf, value, end) {
    const counts = (this.groups[GROUP[type]] ??= new Map())
    const key = keyOf(type, buf, value, end)
    const known = counts.get(key)
    if (known !== undefined) {
      known.count++
      return
    }
    this.size += OVERHEAD + 2 * (end - value)
    const element = elementOf(type, buf, value, end)
    counts.set(key, { type, buf: element, value: 2, end: element.length, count: 1 })
  }

  /** @returns {Counted[]} in MongoDB's order */
  inOrder() {
    return this.groups.flatMap(counts => [...counts.values()].sort(compareElements))
  }

  /** @returns {Counted[]} the most frequent first, and those that are as frequent in their order */
  byCount() {
    return this.inOrder().sort((a, b) => b.count - a.count)
  }
}

/** A copy of a value behind its type and the 0x00 of its name. @throws when it is broken, with the offset in `buf` */
function elementOf(type, buf, value, end) {
  const element = copyOf(buf, value - 2, end)
  element[0] = type
  try {
    validateElements(element, 0, element.length, ALL_UTF8, MAX_DEPTH)
  } catch (error) {
    error.offset += value - 2
    throw error
  }
  return element
}

module.exports = { Tally }
