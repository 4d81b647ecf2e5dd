'use strict'

// The documents with one or two `$` keys that stand for BSON values. Other keys beside those would be lost, so in exact
// mode they are an error, as are values that the type cannot hold. Otherwise see loose.js.

const { ELEMENT, INT32_MIN, INT32_MAX } = require('../spec')
const { BSONError, BSONRuntimeError } = require('../errors')
const { ownField } = require('../properties')
const types = require('../types')
const { checkedTime } = require('../text')
const { unexpected, isDocument, hasOnly } = require('./unexpected')

/** @typedef {import('./parse').Reader} Rules how values are read: as `EJSON.parse` says */

/**
 * @typedef {object} Wrapper a type's row
 * @property {number} type the element type
 * @property {string} name of the type, for errors
 * @property {(value: any) => boolean} isForm whether the value of its key has the specification's form
 * @property {(value: any) => boolean} accepts whether the type can hold it, in that form or another
 * @property {(doc: any, rules: Rules) => any} read the value: of a date ms since 1970, of a DBPointer its document
 * @property {string[]} keys that its document may have
 */

const isText = value => typeof value === 'string'
const isTrimmed = value => isText(value) && value.trim() === value
const isOne = value => value === 1
const isTrue = value => value === true
const isAny = () => true
const isPlain = value => typeof value !== 'object'
const isNumber = value => typeof value === 'number'
const isTextOrNothing = value => !value || isText(value)

const isLongForm = formOf({ $numberLong: isText })
const isBinaryForm = formOf({ base64: isText, subType: isText })
const isTimestampForm = formOf({ t: isNumber, i: isNumber })
const isTimestamp = formOf({ t: isAny, i: isAny })
const isRegexForm = formOf({ pattern: isText, options: isText })
const isRegex = formOf({ pattern: isText, options: isTextOrNothing })
const isPointerForm = formOf({ $ref: isText, $id: formOf({ $oid: isText }) })
const isDateForm = value => isText(value) || isLongForm(value)
const isTime = value => ['string', 'number', 'bigint'].includes(typeof plainNumber(value))
const isBinary = value =>
  isText(value) || (isDocument(value) && Object.keys(value).every(name => name[0] !== '$' && isPlain(value[name])))
const isPointer = value => isDocument(value) && isDBRef(value, Object.keys(value))

/** Text that parseInt and parseFloat read to its end. */
const INTEGER = /^\s*[-+]?\d+(\.0*)?\s*$/
const DOUBLE = /^\s*[-+]?((\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?|NaN|Infinity)\s*$/
const isInt32 = value => isPlain(value) && INTEGER.test(value) && value >= INT32_MIN && value <= INT32_MAX
const isDouble = value => isPlain(value) && DOUBLE.test(value)

/** @type {Map<string, Wrapper>} */
const WRAPPERS = new Map([
  wrapper('$oid', ELEMENT.OBJECT_ID, 'ObjectId', isText, isText, types.ObjectId.fromExtendedJSON),
  wrapper('$date', ELEMENT.DATETIME, 'Date', isDateForm, isTime, readTime),
  wrapper('$numberInt', ELEMENT.INT32, 'Int32', isTrimmed, isInt32, types.Int32.fromExtendedJSON),
  wrapper('$numberLong', ELEMENT.INT64, 'Long', isText, isText, types.Long.fromExtendedJSON),
  wrapper('$numberDouble', ELEMENT.DOUBLE, 'Double', isTrimmed, isDouble, types.Double.fromExtendedJSON),
  wrapper('$numberDecimal', ELEMENT.DECIMAL128, 'Decimal128', isText, isText, types.Decimal128.fromExtendedJSON),
  wrapper('$binary', ELEMENT.BINARY, 'Binary', isBinaryForm, isBinary, readBinary, '$type'),
  wrapper('$uuid', ELEMENT.BINARY, 'UUID', isText, isText, types.Binary.fromExtendedJSON),
  wrapper('$timestamp', ELEMENT.TIMESTAMP, 'Timestamp', isTimestampForm, isTimestamp, readTimestamp),
  wrapper('$regularExpression', ELEMENT.REGEX, 'BSONRegExp', isRegexForm, isRegex, types.BSONRegExp.fromExtendedJSON),
  wrapper('$regex', ELEMENT.REGEX, 'BSONRegExp', isText, isText, types.BSONRegExp.fromExtendedJSON, '$options'),
  wrapper('$symbol', ELEMENT.SYMBOL, 'BSONSymbol', isText, isText, types.BSONSymbol.fromExtendedJSON),
  wrapper('$code', ELEMENT.CODE, 'Code', isText, isText, types.Code.fromExtendedJSON, '$scope'),
  wrapper('$dbPointer', ELEMENT.DB_POINTER, 'DBPointer', isPointerForm, isPointer, doc => doc.$dbPointer),
  wrapper('$undefined', ELEMENT.UNDEFINED, 'undefined', isTrue, isPlain, () => null),
  wrapper('$minKey', ELEMENT.MIN_KEY, 'MinKey', isOne, isPlain, types.MinKey.fromExtendedJSON),
  wrapper('$maxKey', ELEMENT.MAX_KEY, 'MaxKey', isOne, isPlain, types.MaxKey.fromExtendedJSON)
])

/** @returns {[string, Wrapper]} */
function wrapper(key, type, name, isForm, accepts, read, ...others) { // the columns of a table
  return [key, { type, name, isForm, accepts, read, keys: [key, ...others] }]
}

/** A document with the key of a type but not its form. @type {Wrapper} */
const OTHER_FORM = { type: -1, name: '', isForm: isAny, accepts: isAny, read: isAny, keys: [] }

/** @returns {(value: any) => boolean} whether a value is a document with only these fields, each of them valid */
function formOf(fields) {
  const names = Object.keys(fields)
  return value => hasOnly(value, names) && names.every(name => fields[name](value[name]))
}

/**
 * Which wrapper a parsed document with a `$` key is, if any. One that has the key of a BSON type but not its form is
 * `OTHER_FORM`, or a BSONError where the rules are exact.
 */
function wrapperOf(doc, names, rules) {
  for (let i = 0; i < names.length; i++) {
    const found = WRAPPERS.get(names[i])
    if (found === undefined) continue
    const value = doc[names[i]]
    if (!rules.isExact && isIgnored(value, found, rules)) continue
    if (names[i] === '$regex' && isRegexQuery(value, names)) continue
    if (isComplete(doc, names, found) && isRight(value, doc, found, rules)) return found
    if (!rules.isExact) return OTHER_FORM
    throw unexpected(found.name, doc)
  }
  return undefined
}

/** bson checks whether the value is truthy; where numbers become objects, 0 is. */
function isIgnored(value, { type }, { plainNumbers }) {
  if (value === null) return true
  const isFalse = !value && (plainNumbers || typeof value !== 'number')
  return isFalse && (type === ELEMENT.UNDEFINED || type === ELEMENT.DB_POINTER)
}

/** The value is null or itself a regex, or there are other operators beside it, which a regex would lose. */
function isRegexQuery(value, names) {
  const isValue = isDocument(value) && ['$regularExpression', '$regex'].some(name => Object.hasOwn(value, name))
  return value === null || isValue || names.some(name => name !== '$regex' && name !== '$options')
}

/** Whether there are no other keys, which would be lost. */
function isComplete({ $options, $scope }, names, { keys }) {
  if (names.length === 1) return true
  if (!names.every(name => keys.includes(name))) return false
  return keys[1] === '$scope' ? $scope === null || isDocument($scope) : keys[1] === '$type' || !$options || isText($options)
}

function isRight(value, doc, { type, isForm, accepts }, { isExact, legacy }) {
  if (!isExact) return accepts(value)
  if (type === ELEMENT.BINARY && Object.hasOwn(doc, '$type')) return legacy && isText(value) && isText(doc.$type)
  return (isForm(value) && accepts(value)) || (legacy && type === ELEMENT.DATETIME && typeof value === 'number')
}

/** @returns {number | bigint} ms since 1970 */
function readTime({ $date }, rules) {
  return typeof $date === 'string' ? checkedTime($date) : exactTime(plainNumber($date), rules)
}

function exactTime(time, { isExact }) {
  if (typeof time !== 'number' && typeof time !== 'bigint') {
    throw new BSONRuntimeError(`Unrecognized type for EJSON date: ${typeof time}`)
  }
  if (isExact && typeof time === 'number' && !Number.isSafeInteger(time)) {
    throw new BSONError(`$date of ${time} ms is outside the range of an int64`)
  }
  return time
}

function readTimestamp({ $timestamp: { t, i } }, { isExact }) {
  return types.Timestamp.fromExtendedJSON({ $timestamp: { t: ordinal(t, isExact), i: ordinal(i, isExact) } })
}

/** @returns {any} a number, or a value that the class refuses */
function ordinal(value, isExact) {
  const number = plainNumber(value)
  if (typeof number === 'bigint') return Number(number)
  return isExact && !Number.isInteger(number) ? undefined : number
}

function readBinary(doc, rules) {
  const { $binary: value, $type } = doc
  const base64 = isDocument(value) ? value.base64 : value
  const subType = isDocument(value) ? value.subType : $type
  const isSubtype = !subType || (isPlain(subType) && /^(0x)?[\da-f]{1,2}$/i.test(subType))
  if (!isText(base64) || !isSubtype) throw unexpected('Binary', doc)
  if (!rules.isExact) return types.Binary.fromExtendedJSON(doc, rules)
  return types.Binary.createFromBase64(base64, parseInt(subType, 16))
}

/** @param {any} value a number, a number's wrapper, or something else @returns {any} the number, or a bigint */
function plainNumber(value) {
  if (!isDocument(value)) return value
  if (value instanceof types.Long) return value.toBigInt()
  const names = Object.keys(value)
  const options = names.length === 1 ? NUMBERS[names[0]] : undefined
  if (options === undefined) return value
  const { accepts, read } = WRAPPERS.get(names[0])
  return accepts(value[names[0]]) ? read(value, options) : value
}

/** The wrappers of numbers, with the rules that make plain numbers of them. */
const NUMBERS = {
  __proto__: null,
  $numberInt: { relaxed: true },
  $numberLong: { useBigInt64: true },
  $numberDouble: { relaxed: true }
}

/** By convention a DBRef has no other `$` keys. @param {any} doc parsed JSON @param {string[]} names */
function isDBRef(doc, names) {
  if (!types.isDBRefLike(doc) || (isDocument(doc.$id) && ownField(/** @type {any} */ (doc.$id), '$undefined'))) return false
  return names.every(name => name[0] !== '$' || types.isDBRefKey(name))
}

module.exports = { WRAPPERS, OTHER_FORM, isIgnored, isTime, wrapperOf, isDBRef }
