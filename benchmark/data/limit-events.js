'use strict'

/* eslint no-new-func: off -- 64 shapes are too many to be written by hand */

// The limit for events: they are read by a literal for each of the 64 shapes, put together of the pieces that orders and
// posts are read with; and written by a loop, for which straight lines of 64 shapes would be too much code.

const { decode, ObjectId } = require('../..')
const { pieces } = require('./limit-documents')

/** The names of fields, with a place for the type in front; a name belongs to few types. */
const heads = new Map()

function headOf(key, type) {
  let found = heads.get(key)
  if (found === undefined) heads.set(key, found = pieces.head(type, key))
  found[0] = type
  return found
}

function putField(key, value) {
  switch (typeof value) {
    case 'string': return pieces.putString(headOf(key, 2), value)
    case 'number': return pieces.putNumber(headOf(key, 1), value)
    case 'boolean': return pieces.putBoolean(headOf(key, 8), value)
  }
  if (value === null) return pieces.putHead(headOf(key, 10))
  if (value.constructor === ObjectId) return pieces.putId(headOf(key, 7), value)
  if (value.constructor === Date) return pieces.putDate(headOf(key, 9), value)
  if (value.constructor === Array) return pieces.putList(headOf(key, 4), value, pieces.putText)
  pieces.putHead(headOf(key, 3))
  const start = pieces.open()
  for (const inner in value) putField(inner, value[inner])
  return pieces.close(start)
}

function encode(doc) {
  const start = pieces.begin()
  for (const key in doc) putField(key, doc[key])
  return pieces.finish(start)
}

/** How a field is read, by what stands in it. */
function pieceOf(value) {
  if (typeof value === 'string') return { get: 'string' }
  if (typeof value === 'number') return { get: 'number' }
  if (typeof value === 'boolean') return { get: 'bool' }
  if (value instanceof ObjectId) return { get: 'id' }
  if (value instanceof Date) return { get: 'date' }
  if (value === null) return {}
  return Array.isArray(value) ? { list: true } : { fields: Object.entries(value) }
}

function readerOf(entries) {
  const fields = entries.map(([key, value]) => {
    const { get, list = false, fields: inner } = pieceOf(value)
    const skip = key.length + 2
    const read = list ? `p.list(${skip}, p.string)` : get ? `p.${get}(${skip})` : `(p.skip(${skip}), null)`
    return `${JSON.stringify(key)}: ${inner ? `p.first((p.skip(${skip + 4}), ${readerOf(inner)}), p.skip(1))` : read}`
  })
  return `({ ${fields.join(', ')} })`
}

const known = { ...pieces, first: value => value }
const readers = []

/** `event.` ends here: behind it stands the number of the shape. */
const DIGITS = 37

function decodeEvent(bytes) {
  const shape = bytes[DIGITS + 1] === 0 ? bytes[DIGITS] : bytes[DIGITS] + 256 * bytes[DIGITS + 1]
  const read = readers[shape] ??= new Function('p', `return () => ${readerOf(Object.entries(decode(bytes)))}`)(known)
  pieces.beginReading(bytes)
  return read()
}

module.exports = { limit: { encode, decode: decodeEvent } }
