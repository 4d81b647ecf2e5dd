'use strict'

// BSON values -> Extended JSON, for the types that hold no other values. The values may come from this copy of the
// library or from another.

const { ELEMENT } = require('../spec')
const { BSONError } = require('../errors')
const { errorInside } = require('../elements')
const {
  ELEMENT_BY_NAME, ELEMENT_BY_PROTOTYPE, typeOf, bsonTypeName, entriesOf, rawBytes, withoutId, encode, timeOf,
  int32Of, numberOf, symbolText, codeText, foreignIdBytes, highOf, lowOf, decimalBytes, regexTexts, readBinary
} = require('../encode')
const types = require('../types')
const { forms } = require('../text')
const { fromBSON } = require('./from-bson')

/** @typedef {import('./stringify').Writer} Writer */

/** The value holds other values, so nothing was written. */
const NO_LEAF = -1

/** What writes a value, by element type. @type {Record<number, (value: any, writer: Writer, pos: number) => number>} */
const FORMS = {
  [ELEMENT.OBJECT_ID]: putObjectId,
  [ELEMENT.DATETIME]: (value, writer, pos) => forms.putDate(timeOf(value), writer, writer.out, pos),
  [ELEMENT.INT32]: (value, writer, pos) => forms.putInt32(int32Of(value), writer, writer.out, pos),
  [ELEMENT.INT64]: putLong,
  [ELEMENT.DOUBLE]: (value, writer, pos) => forms.putDouble(numberOf(value), writer, writer.out, pos),
  [ELEMENT.DECIMAL128]: putDecimal,
  [ELEMENT.TIMESTAMP]: putTimestamp,
  [ELEMENT.BINARY]: putBinary,
  [ELEMENT.REGEX]: putRegex,
  [ELEMENT.SYMBOL]: (value, { out }, pos) => forms.putSymbol(symbolText(value), out, pos),
  [ELEMENT.CODE]: (value, { out }, pos) => forms.putCode(codeText(value), out, pos),
  [ELEMENT.MIN_KEY]: (value, { out }, pos) => forms.putForm(forms.MIN_KEY, out, pos),
  [ELEMENT.MAX_KEY]: (value, { out }, pos) => forms.putForm(forms.MAX_KEY, out, pos)
}

/** Writes an object, neither plain nor an array, or returns `NO_LEAF`. @throws {BSONError} on an unknown BSON type */
function putLeaf(value, writer, pos) {
  const known = ELEMENT_BY_PROTOTYPE.get(Object.getPrototypeOf(value))
  if (known === undefined && hasOwnForm(value)) {
    return writer.out.append(pos, JSON.stringify(value.toExtendedJSON(writer.options)) ?? 'null')
  }
  const form = FORMS[known ?? typeOf(value, false)]
  if (form === undefined && rawBytes(value) !== undefined) return putRaw(value, writer, pos)
  return form === undefined ? NO_LEAF : form(value, writer, pos)
}

/** A raw document or array: the text of its bytes, which keeps what values would lose. */
function putRaw(raw, writer, pos) {
  const { relaxed, legacy, maxDepth, depth, out } = writer
  try {
    const text = fromBSON(encode({ '': raw }), { relaxed, legacy, maxDepth: maxDepth - depth + 1 })
    return out.append(pos, text.slice('{"":'.length, -1))
  } catch (error) {
    throw errorInside(rawBytes(raw), 0, raw.isArray, writer) ?? error
  }
}

/** Whether to call the value's own `toExtendedJSON`: a subclass overrides it, or BSON doesn't have the type. */
function hasOwnForm(value) {
  const name = bsonTypeName(value)
  if (name === undefined || typeof value.toExtendedJSON !== 'function') return false
  const Class = types[name]
  if (Class === undefined) return !ELEMENT_BY_NAME.has(name)
  return value instanceof Class && value.toExtendedJSON !== Class.prototype.toExtendedJSON
}

function putObjectId(value, { out }, pos) {
  const { i0, i1, i2, i3 } = typeof value.i0 === 'number' ? value : new types.ObjectId(foreignIdBytes(value))
  return forms.putObjectId(i0, i1, i2, i3, out, pos)
}

function putLong(value, writer, pos) {
  const high = highOf(value)
  const signed = forms.int64Of(lowOf(value), high)
  const isUnsigned = high < 0 && (value.unsigned ?? value.unsigned_) === true
  return forms.putInt64(isUnsigned ? BigInt.asUintN(64, BigInt(signed)) : signed, writer, writer.out, pos)
}

function putTimestamp(value, { out }, pos) {
  return forms.putTimestamp(highOf(value) >>> 0, lowOf(value) >>> 0, out, pos)
}

function putDecimal(value, { out }, pos) {
  return forms.putDecimal(new types.Decimal128(decimalBytes(value)).toString(), out, pos)
}

function putRegex(value, writer, pos) {
  const { pattern, options } = regexTexts(value)
  return forms.putRegex(pattern, options, writer, writer.out, pos)
}

/** Writes only the used part of the buffer. @throws {BSONError} as encode, on an invalid Binary */
function putBinary(value, writer, pos) {
  const { subtype, bytes, size } = readBinary(value)
  return forms.putBinary(bytes, 0, size, subtype, writer, pos)
}

/** The document that stands for any value but an array or a Map. @param {any} value @param {Writer} writer */
function asDocument(value, writer) {
  const name = bsonTypeName(value)
  if (name === 'DBRef') return withoutId(types.dbRefDocument(value, writer.legacy))
  if (name === 'Code') return { $code: codeText(value), $scope: value.scope }
  return value
}

function mapDocument(map) {
  const doc = Object.create(null)
  for (const [key, value] of entriesOf(map)) doc[checkMapKey(key)] = value
  return doc
}

function checkMapKey(key) {
  if (typeof key === 'string') return key
  throw new BSONError('Can only serialize maps with string keys')
}

module.exports = { NO_LEAF, putLeaf, asDocument, mapDocument, checkMapKey }
