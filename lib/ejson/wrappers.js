'use strict'

// The documents of one or two `$` keys that stand for BSON values -> what they say, checked: exactly the keys of their
// type and values of the right kind, as the Extended JSON specification asks. What is made of it is the caller's.

const { ELEMENT, SUBTYPE, INT32_MIN, INT32_MAX } = require('../spec')
const { BSONError, BSONRuntimeError } = require('../errors')
const { fromBase64 } = require('../bytes')
const { UUID } = require('../types')
const { MAX_TIME } = require('./forms')
const { isoTime } = require('./iso-time')

/**
 * @typedef {object} Wrapped
 * @property {number} type the element type
 * @property {any} value what its kind needs: see each reader
 */

/** @typedef {{legacy: boolean}} Rules */

/** @typedef {(doc: any, size: number, rules: Rules) => Wrapped} WrapperReader */

/** @type {[string, WrapperReader][]} */
const WRAPPERS = [
  ['$oid', readObjectId],
  ['$date', readDate],
  ['$numberInt', readInt32],
  ['$numberLong', readInt64],
  ['$numberDouble', readDouble],
  ['$numberDecimal', readDecimal],
  ['$binary', readBinary],
  ['$uuid', readUuid],
  ['$timestamp', readTimestamp],
  ['$regularExpression', readRegularExpression],
  ['$symbol', readSymbol],
  ['$code', readCode],
  ['$dbPointer', readDBPointer],
  ['$undefined', readUndefined],
  ['$minKey', readMinKey],
  ['$maxKey', readMaxKey]
]

const READERS = new Map(WRAPPERS)

/**
 * @param {any} doc parsed JSON with a `$` key
 * @param {string[]} names its keys
 * @param {Rules} rules
 * @returns {Wrapped | undefined} nothing when it is a document like any other
 * @throws {BSONError} when it has a key of a BSON type and is none
 */
function readWrapper(doc, names, rules) {
  for (let i = 0; i < names.length; i++) {
    const read = READERS.get(names[i])
    if (read !== undefined) return read(doc, names.length, rules)
  }
  return Object.hasOwn(doc, '$regex') ? readRegex(doc, names) : undefined
}

/** @param {string} type @param {any} doc @returns {BSONError} */
function unexpected(type, doc) {
  const json = JSON.stringify(doc)
  return new BSONError(`Unexpected ${type} Extended JSON format ${json.length > 200 ? json.slice(0, 200) + '\u2026' : json}`)
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @param {any} doc @param {string[]} names exactly the keys it must have */
function hasExactly(doc, ...names) {
  return isObject(doc) && Object.keys(doc).length === names.length && names.every(name => Object.hasOwn(doc, name))
}

/** value: 24 hex digits */
function readObjectId(doc, size) {
  if (size !== 1) throw unexpected('ObjectId', doc)
  if (typeof doc.$oid !== 'string') throw new BSONError('Argument passed in does not match the accepted types')
  return { type: ELEMENT.OBJECT_ID, value: doc.$oid }
}

const INTEGER = /^[-+]?\d+$/

/** value: the number */
function readInt32(doc, size) {
  const digits = doc.$numberInt
  if (size !== 1 || typeof digits !== 'string') throw unexpected('Int32', doc)
  const value = Number(digits)
  if (!INTEGER.test(digits) || value < INT32_MIN || value > INT32_MAX) {
    throw new BSONError(`$numberInt string ${JSON.stringify(digits)} is no int32`)
  }
  return { type: ELEMENT.INT32, value: value + 0 }
}

/** value: the number where it is exact, else a bigint */
function readInt64(doc, size) {
  if (size !== 1 || typeof doc.$numberLong !== 'string') throw unexpected('Long', doc)
  return { type: ELEMENT.INT64, value: int64(doc.$numberLong) }
}

/** An int64 has at most 19 digits and a sign. */
const MAX_INT64_LENGTH = 20

const INT64_FORMAT = /^(\+?0|[-+]?[1-9]\d*)$/

/** @param {string} digits @returns {number | bigint} a number where that is exact */
function int64(digits) {
  if (digits.length > MAX_INT64_LENGTH) throw new BSONError('$numberLong string is too long')
  if (!INT64_FORMAT.test(digits)) throw new BSONError(`$numberLong string "${digits}" is in an invalid format`)
  const number = Number(digits)
  if (Number.isSafeInteger(number)) return number
  const exact = BigInt(digits)
  if (BigInt.asIntN(64, exact) !== exact) throw new BSONError(`$numberLong string "${digits}" is outside the range of an int64`)
  return exact
}

const DOUBLE_FORMAT = /^([-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?|NaN|-?Infinity)$/i

/** value: the number */
function readDouble(doc, size) {
  const digits = doc.$numberDouble
  if (size !== 1 || typeof digits !== 'string') throw unexpected('Double', doc)
  if (!DOUBLE_FORMAT.test(digits)) throw new BSONError(`$numberDouble string ${JSON.stringify(digits)} is no double`)
  return { type: ELEMENT.DOUBLE, value: Number(digits) }
}

/** value: the string */
function readDecimal(doc, size) {
  if (size !== 1 || typeof doc.$numberDecimal !== 'string') throw unexpected('Decimal128', doc)
  return { type: ELEMENT.DECIMAL128, value: doc.$numberDecimal }
}

/** value: {bytes, subtype} */
function readBinary(doc, size, rules) {
  const { $binary, $type } = doc
  if (rules.legacy && size === 2 && typeof $binary === 'string' && typeof $type === 'string') {
    return binary(doc, $binary, $type)
  }
  if (size !== 1 || !hasExactly($binary, 'base64', 'subType')) throw unexpected('Binary', doc)
  return binary(doc, $binary.base64, $binary.subType)
}

function binary(doc, base64, subType) {
  if (typeof base64 !== 'string' || typeof subType !== 'string' || !/^[\da-f]{1,2}$/i.test(subType)) {
    throw unexpected('Binary', doc)
  }
  const bytes = fromBase64(base64)
  // Buffer's decoder skips what is no base64: then there are fewer bytes than the characters say.
  const characters = base64.length - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0)
  if (bytes.length !== Math.floor((characters * 3) / 4) || characters % 4 === 1) throw unexpected('Binary', doc)
  return { type: ELEMENT.BINARY, value: { bytes, subtype: parseInt(subType, 16) } }
}

/** value: {bytes, subtype} */
function readUuid(doc, size) {
  if (size !== 1) throw unexpected('UUID', doc)
  return { type: ELEMENT.BINARY, value: { bytes: UUID.bytesFromString(doc.$uuid), subtype: SUBTYPE.UUID } }
}

/** value: ms since 1970, as readInt64's */
function readDate(doc, size, rules) {
  if (size !== 1) throw unexpected('Date', doc)
  return { type: ELEMENT.DATETIME, value: time(doc.$date, rules) }
}

function time(date, rules) {
  if (typeof date === 'string') return isoTime(date)
  if (isObject(date) && '$numberLong' in date) return readInt64(date, Object.keys(date).length).value
  if (typeof date === 'number' && rules.legacy) return date
  throw new BSONRuntimeError(`Unrecognized type for EJSON date: ${typeof date}`)
}

/** @param {number | bigint} ms since 1970 @returns {number} @throws {BSONError} when no Date can hold it */
function dateRange(ms) {
  if (ms >= -MAX_TIME && ms <= MAX_TIME) return Number(ms)
  throw new BSONError(`$date of ${ms} ms is beyond what a Date can hold`)
}

const UINT32_MAX = 0xffffffff

/** value: {t, i} */
function readTimestamp(doc, size) {
  const { $timestamp } = doc
  if (size !== 1 || !hasOnly($timestamp, 't', 'i')) throw unexpected('Timestamp', doc)
  const t = uint32($timestamp.t, 't')
  return { type: ELEMENT.TIMESTAMP, value: { t, i: uint32($timestamp.i, 'i') } }
}

/** @param {any} doc @param {string[]} names the keys it may have */
function hasOnly(doc, ...names) {
  return !isObject(doc) || Object.keys(doc).every(name => names.includes(name))
}

/** @param {any} number @param {string} name */
function uint32(number, name) {
  const rule = 'Timestamp constructed from { t, i } must provide'
  if (typeof number !== 'number' || !Number.isInteger(number)) throw new BSONError(`${rule} ${name} as a number`)
  if (number < 0) throw new BSONError(`${rule} a positive ${name}`)
  if (number > UINT32_MAX) throw new BSONError(`${rule} ${name} equal or less than uint32 max`)
  return number
}

/** value: {pattern, options} */
function readRegularExpression(doc, size) {
  const { $regularExpression: regex } = doc
  if (size !== 1 || !hasExactly(regex, 'pattern', 'options')) throw unexpected('BSONRegExp', doc)
  if (typeof regex.pattern !== 'string' || typeof regex.options !== 'string') throw unexpected('BSONRegExp', doc)
  return { type: ELEMENT.REGEX, value: regex }
}

/** The form of version 1; or a query operator, which stays a document. value: {pattern, options} */
function readRegex(doc, names) {
  const { $regex, $options } = doc
  if (isRegexQuery(doc, names)) return undefined
  if (typeof $regex !== 'string') throw new BSONError(`Unexpected BSONRegExp EJSON object form: ${JSON.stringify(doc)}`)
  if ($options !== undefined && typeof $options !== 'string') throw unexpected('BSONRegExp', doc)
  return { type: ELEMENT.REGEX, value: { pattern: $regex, options: $options ?? '' } }
}

/** `{$regex: {$regularExpression: ...}}`, nothing, or other operators beside it: making a regex would lose them. */
function isRegexQuery({ $regex }, names) {
  if ($regex === null || (isObject($regex) && ('$regularExpression' in $regex || '$regex' in $regex))) return true
  return names.some(name => name !== '$regex' && name !== '$options')
}

/** value: the string */
function readSymbol(doc, size) {
  if (size !== 1 || typeof doc.$symbol !== 'string') throw unexpected('BSONSymbol', doc)
  return { type: ELEMENT.SYMBOL, value: doc.$symbol }
}

/** value: {code, scope}, the scope as it was parsed; without scope: {code} */
function readCode(doc, size) {
  const { $code: code, $scope: scope } = doc
  if (typeof code !== 'string') throw unexpected('Code', doc)
  if (size === 1) return { type: ELEMENT.CODE, value: { code } }
  if (size !== 2 || !isObject(scope)) throw unexpected('Code', doc)
  return { type: ELEMENT.CODE_WITH_SCOPE, value: { code, scope } }
}

/** value: {$ref, $id}, the id 24 hex digits */
function readDBPointer(doc, size) {
  const { $dbPointer: pointer } = doc
  if (size !== 1 || !hasExactly(pointer, '$ref', '$id') || typeof pointer.$ref !== 'string') throw unexpected('DBPointer', doc)
  if (!hasExactly(pointer.$id, '$oid')) throw unexpected('DBPointer', doc)
  return { type: ELEMENT.DB_POINTER, value: { $ref: pointer.$ref, $id: readObjectId(pointer.$id, 1).value } }
}

function readUndefined(doc, size) {
  if (size !== 1 || doc.$undefined !== true) throw unexpected('undefined', doc)
  return { type: ELEMENT.UNDEFINED, value: undefined }
}

function readMinKey(doc, size) {
  if (size !== 1 || doc.$minKey !== 1) throw unexpected('MinKey', doc)
  return { type: ELEMENT.MIN_KEY, value: undefined }
}

function readMaxKey(doc, size) {
  if (size !== 1 || doc.$maxKey !== 1) throw unexpected('MaxKey', doc)
  return { type: ELEMENT.MAX_KEY, value: undefined }
}

/**
 * A document that is a DBRef by convention.
 *
 * @param {any} doc
 * @param {string[]} names its keys
 */
function isDBRef({ $ref, $id, $db }, names) {
  if (typeof $ref !== 'string' || $id === undefined || $id === null || $id.$undefined === true) return false
  if (names.includes('$db') && typeof $db !== 'string') return false
  return names.every(name => name[0] !== '$' || name === '$ref' || name === '$id' || name === '$db')
}

module.exports = { readWrapper, isDBRef, dateRange }
