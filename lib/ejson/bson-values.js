'use strict'

// BSON values, of this copy of the library or another -> Extended JSON text; those that hold no other values.

const { SUBTYPE } = require('../spec')
const { BSONError } = require('../errors')
const { toBytes, isAnyArrayBuffer } = require('../bytes')
const types = require('../types')
const { bsonTypeName, hasScope, isDate, isRegExp, isMap } = require('../type-of')
const forms = require('./forms')

/** @typedef {import('./stringify').Writer} Writer */

/**
 * What to write a value with, by its name. Names of earlier major versions are there too.
 *
 * @type {Map<string, (value: any, writer: Writer) => string>}
 */
const FORMS = new Map([
  ['ObjectId', objectIdText],
  ['ObjectID', objectIdText],
  ['Long', longText],
  ['Timestamp', timestampText],
  ['Int32', (value, writer) => forms.int32Text(Number(value.value), writer)],
  ['Double', (value, writer) => forms.doubleText(Number(value.value), writer)],
  ['Decimal128', decimalText],
  ['Binary', binaryText],
  ['UUID', binaryText],
  ['BSONRegExp', (value, writer) => forms.regexText(value.pattern, value.options, writer)],
  ['BSONSymbol', value => forms.symbolText(value.value)],
  ['Symbol', value => forms.symbolText(value.value)],
  ['Code', value => forms.codeText(String(value.code))],
  ['MinKey', () => forms.MIN_KEY],
  ['MaxKey', () => forms.MAX_KEY]
])

/**
 * @param {any} value an object, neither plain nor an array
 * @param {Writer} writer
 * @returns {string} '' for what holds other values
 * @throws {BSONError} on an object that claims a BSON type that does not exist
 */
function leafText(value, writer) {
  const name = bsonTypeName(value)
  if (name === undefined) return builtInText(value, writer)
  if (hasOwnForm(value, name)) return JSON.stringify(value.toExtendedJSON(writer.options)) ?? 'null'
  if (name === 'DBRef' || (name === 'Code' && hasScope(value))) return ''
  const form = FORMS.get(name)
  if (form === undefined) throw new BSONError(`Unrecognized or invalid _bsontype: ${name}`)
  return form(value, writer)
}

/** Whether the value's own `toExtendedJSON` is to be asked: that of a subclass, or of a type that is not BSON's. */
function hasOwnForm(value, name) {
  if (typeof value.toExtendedJSON !== 'function') return false
  const Class = types[name]
  if (Class === undefined) return !FORMS.has(name)
  return value instanceof Class && value.toExtendedJSON !== Class.prototype.toExtendedJSON
}

/** Objects of the language, of this realm or another. */
function builtInText(value, writer) {
  if (isDate(value)) return forms.dateText(value.getTime(), writer)
  if (isRegExp(value)) return regExpText(value, writer)
  const isBytes = ArrayBuffer.isView(value) || isAnyArrayBuffer(value)
  return isBytes ? forms.binaryText(toBytes(value), SUBTYPE.GENERIC, writer) : ''
}

/** @throws {BSONError} on a flag that BSON does not have: g, y, d, v */
function regExpText(value, writer) {
  const { pattern, options } = new types.BSONRegExp(value.source, value.flags)
  return forms.regexText(pattern, options, writer)
}

function objectIdText(value) {
  const { i0, i1, i2, i3 } = typeof value.i0 === 'number' ? value : new types.ObjectId(value)
  return forms.objectIdText(i0, i1, i2, i3)
}

function longText(value, writer) {
  const high = value.high ?? value.high_
  const signed = forms.int64Of(value.low ?? value.low_, high)
  const isUnsigned = high < 0 && (value.unsigned ?? value.unsigned_) === true
  return forms.int64Text(isUnsigned ? BigInt.asUintN(64, BigInt(signed)) : signed, writer)
}

function timestampText(value) {
  return forms.timestampText((value.high ?? value.high_) >>> 0, (value.low ?? value.low_) >>> 0)
}

function decimalText(value) {
  const decimal = value instanceof types.Decimal128 ? value : new types.Decimal128(value.bytes)
  return forms.decimalText(decimal.toString())
}

/** The bytes in use, of a buffer that may be larger. */
function binaryText(value, writer) {
  if (value.sub_type === SUBTYPE.VECTOR) types.validateVector(value)
  const { buffer, position } = value
  const bytes = position < buffer.length ? buffer.subarray(0, position) : buffer
  return forms.binaryText(bytes, value.sub_type, writer)
}

/**
 * A value that holds others, as the document or array it is written as.
 *
 * @param {any} value what `leafText` has no text for
 * @param {Writer} writer
 * @returns {any}
 */
function asDocument(value, writer) {
  const name = bsonTypeName(value)
  if (name === 'DBRef') return dbRefDocument(value, writer.legacy)
  if (name === 'Code') return { $code: String(value.code), $scope: value.scope }
  return isMap(value) ? mapDocument(value) : value
}

/** Version 1 knows a reference's collection and id only. */
function dbRefDocument({ collection, namespace, oid, db, fields }, legacy) {
  const doc = { $ref: collection ?? namespace }
  if (oid !== undefined) doc.$id = oid
  if (legacy) return doc
  if (db) doc.$db = db
  return { ...doc, ...fields }
}

/** @param {Map<unknown, unknown>} map */
function mapDocument(map) {
  const doc = Object.create(null)
  for (const [key, value] of map) {
    if (typeof key !== 'string') throw new BSONError('Can only serialize maps with string keys')
    doc[key] = value
  }
  return doc
}

module.exports = { leafText, asDocument }
