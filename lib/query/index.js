'use strict'

// MongoDB's query language and its order of values, on the bytes of documents: qbson/query.

const { ELEMENT } = require('../spec')
const { BSONError, shownKind, describePlace } = require('../errors')
const { isMemory, toBytes } = require('../bytes')
const { innerDocument, scanRoot, locate, validate, errorInside } = require('../elements')
const { isMap, isPlain, encodeWhole, encodeValue } = require('../encode')
const { RawDocument } = require('../raw')
const { compileQuery } = require('./compile')
const { compareElements } = require('./order')
const { Sorter } = require('./sorter')
const { Tally } = require('./tally')

/**
 * @typedef {import('../raw/raw-document').Bytes} Bytes
 *
 * @typedef {{(document: Bytes | RawDocument): boolean, (bytes: Bytes, start: number, end: number): boolean}} Matcher
 *   whether a document matches, or the one from `start` to `end` of the bytes
 */

/**
 * Compiles a query once, for many documents.
 *
 *     const isWanted = matcher({ price: { $gt: 5 }, tags: { $in: ['a', 'b'] } })
 *     isWanted(bytes)
 *
 * @param {Record<string, any> | Map<string, any> | RawDocument | Uint8Array} query an object, or its BSON
 * @returns {Matcher} only the bytes it has to look at are checked, and a BSONError gives the offset and the path of
 *   what is wrong in them; it can be the argument of `filter`: an index alone, or what a stream passes, has no effect
 * @throws {BSONError} on what is not a query, and on operators that are not supported, with their path in the query
 */
function matcher(query) {
  const bytes = bytesOfQuery(query)
  const matches = compiled(bytes)
  return (document, start = 0, end = undefined) => {
    const buf = document instanceof RawDocument ? document.bytes : toBytes(document)
    if (end === undefined || typeof end === 'object') [start, end] = [0, undefined] // as `filter` calls it
    try {
      const next = scanRoot(buf, start, end !== undefined)
      if (end !== undefined && next !== end) throw new BSONError(`the document ends at ${next}, not at ${end}`)
      return matches(buf, start, next - 1)
    } catch (error) {
      throw locate(error, buf, start)
    }
  }
}

function compiled(bytes) {
  try {
    return compileQuery(bytes, 0, bytes.length - 1)
  } catch (error) {
    throw describePlace(error)
  }
}

/** @param {any} query @returns {Uint8Array} BSON */
function bytesOfQuery(query) {
  const isRaw = query instanceof RawDocument
  const isArray = isRaw ? query.isArray : Array.isArray(query)
  if (!isArray && (isRaw || isMemory(query))) {
    const bytes = isRaw ? query.bytes : toBytes(query)
    validate(bytes)
    return bytes
  }
  if (typeof query !== 'object' || query === null || isArray) {
    const given = isArray ? 'an array' : shownKind(query)
    throw new BSONError(`a query must be an object, such as { price: { $gt: 5 } }, not ${given}`)
  }
  return encodeWhole(query, refuseLoss)
}

/** A condition that got lost would match more, and so would a Set or a promise, which is written as {}. */
function refuseLoss(value) {
  if (value === undefined) throw new BSONError('a query cannot ask for undefined: use null or $exists')
  if (typeof value !== 'object') throw new BSONError(`a query cannot hold a ${typeof value}`)
  if (isMap(value) || isPlain(Object.getPrototypeOf(value))) return
  throw new BSONError(`a query cannot hold ${shownKind(value)}, which has no fields of its own`)
}

/**
 * Compares two values in MongoDB's order, in which it sorts: numbers of all types by what they are worth, strings by
 * their UTF-8, and values of different kinds by kind: MinKey, undefined, null, numbers, strings and symbols, documents,
 * arrays, binary values, ObjectIds, booleans, dates, timestamps, regular expressions, code, MaxKey.
 *
 * @param {unknown} a anything that `encode` takes as a value, RawDocuments too; undefined stands for a missing field
 * @param {unknown} b
 * @returns {number} negative if `a` comes first, positive if `b` does, 0 if they are equal
 * @throws {BSONError} on a value that cannot be encoded, and on broken bytes
 */
function compare(a, b) {
  const left = elementOf(a)
  const right = elementOf(b)
  try {
    return compareElements(left, right)
  } catch (error) {
    throw errorIn(left) ?? errorIn(right) ?? error
  }
}

/** What is wrong in the bytes of a value, with its place in it. @param {Value} value */
function errorIn({ type, buf, value, isRaw }) {
  const start = innerDocument(type, buf, value)
  const error = start === -1 ? undefined : errorInside(buf, start, type === ELEMENT.ARRAY)
  if (error instanceof BSONError && !isRaw) error.offset = undefined // the caller does not have these bytes
  return describePlace(error)
}

/**
 * A function that compares documents by some of their fields, for `sort` of arrays: of several values in arrays, the
 * least counts, or the greatest to sort down; a missing field counts as null.
 *
 *     documents.sort(sorter({ price: -1, name: 1 }))
 *
 * @param {Record<string, 1 | -1> | Map<string, 1 | -1>} order paths, with 1 to sort up or -1 to sort down
 * @returns {(a: Bytes | RawDocument, b: Bytes | RawDocument) => number}
 * @throws {BSONError} on an order that is none; the function throws one on broken bytes
 */
function sorter(order) {
  if (typeof order !== 'object' || order === null || Array.isArray(order)) {
    throw new BSONError(`an order must be an object, such as { price: -1 }, not ${shownKind(order)}`)
  }
  const by = new Sorter(order instanceof Map ? order : Object.entries(order))
  const keysOf = document => {
    const buf = document instanceof RawDocument ? document.bytes : toBytes(document)
    try {
      return by.keysOf(buf, 0, scanRoot(buf, 0, false) - 1)
    } catch (error) {
      throw locate(error, buf, 0)
    }
  }
  return (a, b) => by.compare(keysOf(a), keysOf(b))
}

/** @typedef {import('./order').Element & {isRaw: boolean}} Value */

function elementOf(value) {
  if (value instanceof RawDocument) {
    const { bytes, isArray } = value
    return { type: isArray ? ELEMENT.ARRAY : ELEMENT.DOCUMENT, buf: bytes, value: 0, end: bytes.length, isRaw: true }
  }
  const buf = encodeValue(value)
  if (value !== undefined && buf.length === 0) throw new BSONError(`a ${typeof value} cannot be compared`)
  return { type: buf[0] ?? 0, buf, value: 2, end: buf.length, isRaw: false }
}

module.exports = { matcher, compare, sorter, Sorter, Tally }
