'use strict'

// Reads a value of a column as `decode` returns it.

const { toDBRef, isDBRefKey, Binary, BSONRegExp, Decimal128, ObjectId, Timestamp, UUID } = require('../../types')
const { setOwn, isInherited } = require('../../properties')
const { SUBTYPE } = require('../../spec')
const { copyOf, getText } = require('../../bytes')
const { promoted, decodeElement } = require('../../decode')
const { encode } = require('../../encode')
const { isSet } = require('./bits')
const { byKind } = require('./kinds')

/** Getters by kind. @type {((column: any, row: number) => any)[]} */
const GET = byKind({
  null: (column, row) => (isNull(column, row) ? null : undefined),
  bool: ({ memory }, row) => isSet(memory, row),
  int32: ({ memory }, row) => memory[row],
  int64: ({ memory }, row) => promoted(Number(BigInt.asIntN(32, memory[row])), Number(memory[row] >> 32n)),
  double: ({ memory }, row) => memory[row],
  date: ({ memory }, row) => new Date(Number(memory[row])),
  timestamp: getTimestamp,
  objectId: ({ memory }, row) => new ObjectId(memory, 12 * row),
  decimal128: ({ memory }, row) => new Decimal128(copyOf(memory, 16 * row, 16 * row + 16)),
  uuid: ({ memory }, row) => new UUID(copyOf(memory, 16 * row, 16 * row + 16)),
  string: ({ memory, starts }, row) => getText(memory, starts[row], starts[row + 1]),
  // a document of one field: int32 length | type | empty name | value
  json: ({ memory, starts }, row) => decodeElement(memory, starts[row] + 4, starts[row + 1] - 1),
  binary: getBinary,
  regex: getRegex,
  struct: getStruct,
  list: getList,
  map: getMap
})

/** @returns {boolean} whether the document has a null */
function isNull({ nulls }, row) {
  return nulls !== null && isSet(nulls, row)
}

function getTimestamp({ memory }, row) {
  const value = memory[row]
  return new Timestamp(Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)))
}

function getBinary({ memory, starts, subtype, subtypes }, row) {
  const own = subtypes === null ? subtype : subtypes[row]
  const bytes = copyOf(memory, starts[row], starts[row + 1])
  return own === SUBTYPE.UUID && bytes.length === 16 ? new UUID(bytes) : new Binary(bytes, own)
}

/** A RegExp if JavaScript has an equivalent, which the decoder decides. */
function getRegex({ inner: [pattern, options] }, row) {
  const bytes = encode({ '': new BSONRegExp(pattern.get(row), options.get(row)) })
  return decodeElement(bytes, 4, bytes.length - 1)
}

function getStruct({ inner }, row) {
  const doc = {}
  for (const column of inner) {
    const value = column.get(row)
    if (value === undefined) continue
    const { name } = column
    if (isInherited(name)) setOwn(doc, name, value)
    else doc[name] = value
  }
  return asReference(doc)
}

/** A DBRef, if the document is one: no key except those of a reference starts with `$`. */
function asReference(doc) {
  const isReference = Object.hasOwn(doc, '$id') && Object.keys(doc).every(key => key[0] !== '$' || isDBRefKey(key))
  return isReference ? toDBRef(doc) : doc
}

function getList({ inner: [items], starts }, row) {
  const list = []
  for (let i = starts[row]; i < starts[row + 1]; i++) list.push(items.get(i))
  return list
}

function getMap({ inner: [keys, values], starts }, row) {
  const doc = {}
  for (let i = starts[row]; i < starts[row + 1]; i++) setOwn(doc, keys.get(i), values.get(i))
  return asReference(doc)
}

module.exports = { GET, isNull, getStruct }
