'use strict'

// How often each value of a field occurs.

const { copyOf } = require('../bytes')
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
  /** @param {string} path */
  constructor(path) {
    /** Bytes of memory for the values, about. */
    this.size = 0
    /** By group of types. @private @type {(Map<number | string, Counted> | undefined)[]} */
    this.groups = []
    this.visit = visitorOf(path, (type, buf, value, end) => {
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
    counts.set(key, { type, buf: copyOf(buf, value, end), value: 0, end: end - value, count: 1 })
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

module.exports = { Tally }
