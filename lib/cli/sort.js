'use strict'

// Documents in the order of --sort.

const { BSONError } = require('../errors')
const { Sorter } = require('../query')
const { QueryError, UsageError } = require('./options')
const { printable } = require('./printable')
const { keeper } = require('./sample')

/** @typedef {import('./sample').Kept & {keys: import('../query/sorter').SortKey[]}} Sorted */

/** The most bytes of documents to sort, which need about half as much again. */
const MAX_SIZE = 256 * 1024 * 1024

/** Bytes for what is kept of a document besides its own. */
const OVERHEAD = 500

/**
 * @param {string} text `name,price:-1`, or as in MongoDB's shell `{name: 1, price: -1}`
 * @returns {Sorter}
 * @throws {UsageError}
 */
function sorterOf(text) {
  try {
    return new Sorter(text.trim()[0] === '{' ? Object.entries(JSON.parse(require('./shell').fromShell(text))) : fieldsOf(text))
  } catch (error) {
    if (error instanceof BSONError) throw new UsageError(`--sort: ${printable(error.message)}`)
    throw error
  }
}

/** @param {string} text @returns {[string, number][]} */
function fieldsOf(text) {
  return text.split(',').map(field => {
    const [, path, direction = '1'] = /^(.*?)(?::([-+]?\w+))?$/.exec(field.trim())
    if (path === '') throw new UsageError(`--sort needs fields such as name,price:-1, not ${JSON.stringify(text)}`)
    return [path, Number(direction)]
  })
}

/**
 * Keeps the first documents in an order.
 *
 * @param {string} text of --sort
 * @param {number} most documents, which are all that is kept in memory
 * @returns {import('./sample').Keeper}
 * @throws {UsageError}
 */
function sorted(text, most) {
  const sorter = sorterOf(text)
  /** @type {Heap<Sorted>} */
  const heap = new Heap((a, b) => sorter.compare(a.keys, b.keys) || a.number - b.number)
  let size = 0
  const kept = keeper((make, number) => {
    if (most === 0) return
    const document = make(number)
    const keys = sorter.keysOf(document.bytes, 0, document.bytes.length - 1)
    size += document.size + OVERHEAD
    if (most === Infinity) heap.list.push({ ...document, keys })
    else heap.add({ ...document, keys })
    if (heap.list.length > most) size -= heap.takeLast().size + OVERHEAD
    if (size > MAX_SIZE) {
      throw new QueryError(`--sort keeps more than ${MAX_SIZE} bytes of documents: choose fewer with --limit or --match`)
    }
  }, () => heap.list.sort(heap.compare))
  const probe = (buf, start, end) => void sorter.keysOf(buf, start, end - 1)
  return { ...kept, add: (file, block, result) => kept.add(file, block, result), probe } // all bytes, for their keys
}

/** Gives its last item in an order quickly. @template T */
class Heap {
  /** @param {(a: T, b: T) => number} compare */
  constructor(compare) {
    this.compare = compare
    /** Each item comes after the two below it. @type {T[]} */
    this.list = []
  }

  /** @param {T} item */
  add(item) {
    const { list, compare } = this
    let at = list.length
    for (let above; at > 0 && compare(item, list[(above = (at - 1) >> 1)]) > 0; at = above) list[at] = list[above]
    list[at] = item
  }

  /** @returns {T} */
  takeLast() {
    const { list, compare } = this
    const [last] = list
    const item = list.pop()
    if (list.length === 0) return last
    let at = 0
    for (let below = 1; below < list.length; below = 2 * at + 1) {
      if (below + 1 < list.length && compare(list[below + 1], list[below]) > 0) below++
      if (compare(item, list[below]) >= 0) break
      list[at] = list[below]
      at = below
    }
    list[at] = item
    return last
  }
}

module.exports = { sorted }
