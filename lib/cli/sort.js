'use strict'

// Documents in the order of --sort.

const { BSONError } = require('../errors')
const { EJSON } = require('../ejson')
const { Sorter } = require('../query')
const { RawDocument } = require('../raw')
const { QueryError, UsageError } = require('./options')
const { printable } = require('./printable')
const { Heap } = require('./heap')
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
    return new Sorter(text.trim()[0] === '{' ? fieldsOfShell(text) : fieldsOf(text))
  } catch (error) {
    if (error instanceof BSONError) throw new UsageError(`--sort: ${printable(error.message)}`)
    throw error
  }
}

/** @param {string} text a document, of which each field counts at its place @returns {[string, number][]} */
function fieldsOfShell(text) {
  const fields = new RawDocument(EJSON.toBSON(require('./shell').fromShell(text)))
  return Array.from(fields, ({ name, value }) => [name, Number(value)])
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

module.exports = { sorted }
