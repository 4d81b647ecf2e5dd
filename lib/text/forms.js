'use strict'

// The Extended JSON of each BSON type that holds no other values. The functions take the parts of a value, so that both
// values and bytes can use them. https://github.com/mongodb/specifications, extended-json; the legacy forms are those
// of version 1. The classes' toExtendedJSON give the same result (test/ejson/test-stringify.js compares them), but
// calling them takes 900 ns for an ObjectId or a Long, and this 140.

const { ELEMENT, MAX_TIME } = require('../spec')
const { BSONError } = require('../errors')
const { isExactInt64, toBase64 } = require('../bytes')
const { isInt32 } = require('../encode')
const { putString, Words, putWords } = require('./quote')
const { putAscii, putBase64, HEX, putHex24 } = require('./digits')
const { writeAscii } = require('./output')
const { putNumber } = require('./doubles')
const { YEAR_10000, putIsoTime } = require('./iso-time')

/**
 * The resolved options.
 *
 * @typedef {object} Mode
 * @property {boolean} relaxed numbers as JSON numbers and dates in ISO 8601, where that is unambiguous
 * @property {boolean} legacy the forms of Extended JSON version 1
 */

const TWO_POW_32 = 4294967296
const TWO_POW_53 = 2 ** 53
const TWO_POW_63 = 2 ** 63

/** No form written in one piece takes more bytes. */
const MAX_FORM = 64

/** The end of a form as a little-endian word: `"}`. */
const QUOTE_BRACE = 0x7d22

const NULL = new Words('null')
const TRUE = new Words('true')
const FALSE = new Words('false')
const MIN_KEY = new Words('{"$minKey":1}')
const MAX_KEY = new Words('{"$maxKey":1}')
const UNDEFINED = new Words('{"$undefined":true}')
const NUMBER_INT = new Words('{"$numberInt":"')
const NUMBER_LONG = new Words('{"$numberLong":"')
const NUMBER_DOUBLE = new Words('{"$numberDouble":"')
const OBJECT_ID = new Words('{"$oid":"')
const DATE = new Words('{"$date":')
const ISO_DATE = new Words('{"$date":"')
const LONG_DATE = new Words('{"$date":{"$numberLong":"')
const TIMESTAMP = new Words('{"$timestamp":{"t":')
const INCREMENT = new Words(',"i":')
const NUMBER_DECIMAL = new Words('{"$numberDecimal":"')
const BINARY = new Words('{"$binary":{"base64":"')
const SUBTYPE = new Words('","subType":"')
const REGEX = new Words('{"$regularExpression":{"pattern":')
const OPTIONS = new Words(',"options":')
const LEGACY_BINARY = new Words('{"$binary":"')
const LEGACY_SUBTYPE = new Words('","$type":"')
const LEGACY_REGEX = new Words('{"$regex":')
const LEGACY_OPTIONS = new Words(',"$options":')
const SYMBOL = new Words('{"$symbol":')
const CODE = new Words('{"$code":')

/** The base64 of more bytes than this is written separately. */
const SHORT_BINARY = 256

/** Longer ones are converted so many bytes at a time: as one string, base64 would take their memory twice. */
const BASE64_PIECE = 3 << 17

function putForm(words, out, pos) {
  pos = out.reserve(pos, MAX_FORM)
  return putWords(words, out.view, pos)
}

function putBoolean(value, out, pos) {
  return putForm(value ? TRUE : FALSE, out, pos)
}

/** @param {number} value an int32 @param {Mode} mode @param {TextOutput} out @param {number} pos */
function putInt32(value, mode, out, pos) {
  if (mode.relaxed || mode.legacy) return putInteger(value, out, pos)
  pos = putForm(NUMBER_INT, out, pos)
  return putEnd(out.view, putNumber(value, out.view, pos))
}

/** `"}` @param {DataView} view @param {number} pos */
function putEnd(view, pos) {
  view.setUint16(pos, QUOTE_BRACE, true)
  return pos + 2
}

/** Writes any number. @param {number} value @param {Mode} mode @param {TextOutput} out @param {number} pos */
function putAnyNumber(value, mode, out, pos) {
  if (mode.relaxed && value - value === 0) return putFinite(value, out, pos)
  return putTyped(value, mode, out, pos)
}

/** Integers that would be read as an int64 end in `.0`. @param {number} value finite @param {TextOutput} out */
function putFinite(value, out, pos) {
  pos = out.reserve(pos, MAX_FORM)
  const end = putDigits(value, out.view, pos)
  return isLongDouble(value) ? putAscii('.0', out.view, end) : end
}

/** Whether its digits alone would be read as an int64 beyond 2^53. @param {number} value */
function isLongDouble(value) {
  return (value > TWO_POW_53 || value < -TWO_POW_53) && value <= TWO_POW_63 && value >= -TWO_POW_63
}

function putDigits(value, view, pos) {
  return value === 0 && 1 / value < 0 ? putAscii('-0.0', view, pos) : putNumber(value, view, pos)
}

/** @param {number} value @returns {number} the smallest element type that holds it exactly: INT32, INT64 or DOUBLE */
function typeOfNumber(value) {
  if (isInt32(value)) return ELEMENT.INT32
  const isExact = Number.isInteger(value) && value !== 0 && value >= -TWO_POW_63 && value < TWO_POW_63
  return isExact ? ELEMENT.INT64 : ELEMENT.DOUBLE
}

/** Writes a number as that type. */
function putTyped(value, mode, out, pos) {
  const type = typeOfNumber(value)
  if (type === ELEMENT.INT32) return putInt32(value, CANONICAL, out, pos)
  return type === ELEMENT.INT64 ? putInt64(BigInt(value), CANONICAL, out, pos) : putAnyDouble(value, out, pos)
}

const CANONICAL = { relaxed: false, legacy: false }

function putAnyDouble(value, out, pos) {
  pos = putForm(NUMBER_DOUBLE, out, pos)
  return putEnd(out.view, putDigits(value, out.view, pos))
}

/** @param {number} value of a Double, or of bytes @param {Mode} mode @param {TextOutput} out @param {number} pos */
function putDouble(value, mode, out, pos) {
  if ((mode.relaxed || mode.legacy) && value - value === 0) return putFinite(value, out, pos)
  const size = Math.abs(value)
  if (!Number.isInteger(value) || size >= 1e21 || Object.is(value, -0)) return putAnyDouble(value, out, pos)
  // Beyond 2^53 not every digit is significant: 1.2345678921232E+18, as in the specification's corpus.
  const digits = size <= Number.MAX_SAFE_INTEGER ? value.toFixed(1) : value.toExponential().toUpperCase()
  pos = putForm(NUMBER_DOUBLE, out, pos)
  return putEnd(out.view, putAscii(digits, out.view, pos))
}

function putInt64(value, mode, out, pos) {
  if (mode.relaxed) return putInteger(value, out, pos)
  pos = putInteger(value, out, putForm(NUMBER_LONG, out, pos))
  return putEnd(out.view, pos)
}

function putInteger(value, out, pos) {
  pos = out.reserve(pos, MAX_FORM)
  return typeof value === 'number' ? putNumber(value, out.view, pos) : putAscii(String(value), out.view, pos)
}

/** Joins two int32 to an int64: a number where exact, else a bigint. @param {number} low @param {number} high */
function int64Of(low, high) {
  return isExactInt64(low, high) ? high * TWO_POW_32 + (low >>> 0) : (BigInt(high) << 32n) | BigInt(low >>> 0)
}

/** Takes the id as four 24-bit integers. @param {TextOutput} out @param {number} pos */
function putObjectId(a, b, c, d, out, pos) {
  pos = putForm(OBJECT_ID, out, pos)
  const { view } = out
  putHex24(a, view, pos)
  putHex24(b, view, pos + 6)
  putHex24(c, view, pos + 12)
  putHex24(d, view, pos + 18)
  return putEnd(view, pos + 24)
}

/** @param {number} time ms since 1970 @param {Mode} mode @throws {BSONError} on NaN, as encode */
function putDate(time, mode, out, pos) {
  if (time !== time) throw new BSONError('Invalid Date cannot be serialized')
  if (time >= 0 && time < YEAR_10000) {
    if (mode.legacy !== mode.relaxed) return putIsoDate(time, out, pos)
    return mode.legacy ? putLegacyDate(time, out, pos) : putLongDate(time, out, pos)
  }
  if (!mode.legacy || Math.abs(time) > MAX_TIME) return putLongDate(time, out, pos)
  return out.append(pos, '{"$date":"' + new Date(time).toISOString().replace('.000Z', 'Z') + '"}')
}

function putIsoDate(time, out, pos) {
  pos = putForm(ISO_DATE, out, pos)
  return putEnd(out.view, putIsoTime(time, out.view, pos))
}

function putLegacyDate(time, out, pos) {
  pos = putForm(DATE, out, pos)
  return putText('}', out, putNumber(time, out.view, pos))
}

/** @param {number | bigint} time ms since 1970 @param {TextOutput} out @param {number} pos */
function putLongDate(time, out, pos) {
  pos = putForm(DATE, out, pos)
  return putText('}', out, putInt64(time, CANONICAL, out, pos))
}

/** Writes short ASCII text. */
function putText(ascii, out, pos) {
  pos = out.reserve(pos, ascii.length)
  return putAscii(ascii, out.view, pos)
}

function putTimestamp(seconds, increment, out, pos) {
  pos = putForm(TIMESTAMP, out, pos)
  const { view } = out
  pos = putWords(INCREMENT, view, putNumber(seconds, view, pos))
  return putAscii('}}', view, putNumber(increment, view, pos))
}

/** @param {Uint8Array} buf @param {number} start of the bytes in it @param {number} end @param {number} subtype */
function putBinary(buf, start, end, subtype, { legacy, out }, pos) {
  pos = putForm(legacy ? LEGACY_BINARY : BINARY, out, pos)
  pos = putForm(legacy ? LEGACY_SUBTYPE : SUBTYPE, out, putAnyBase64(buf, start, end, out, pos))
  out.view.setUint16(pos, HEX[subtype], true)
  return putText(legacy ? '"}' : '"}}', out, pos + 2)
}

function putAnyBase64(buf, start, end, out, pos) {
  const count = end - start
  if (count <= SHORT_BINARY) {
    out.reserve(pos, 2 * count + 4) // first: it may replace the view
    return putBase64(buf, start, end, out.view, pos)
  }
  out.reserve(pos, 4 * Math.ceil(count / 3) + SHORT_BINARY) // and for what follows: to grow would copy all
  for (let from = start; from < end; from += BASE64_PIECE) {
    const piece = toBase64(buf.subarray(from, Math.min(from + BASE64_PIECE, end)))
    writeAscii(piece, out.buf, pos)
    pos += piece.length
  }
  return pos
}

function putDecimal(digits, out, pos) {
  return putText('"}', out, putText(digits, out, putForm(NUMBER_DECIMAL, out, pos)))
}

function putRegex(pattern, options, mode, out, pos) {
  pos = putString(pattern, out, putForm(mode.legacy ? LEGACY_REGEX : REGEX, out, pos))
  pos = putString(options, out, putForm(mode.legacy ? LEGACY_OPTIONS : OPTIONS, out, pos))
  return putText(mode.legacy ? '}' : '}}', out, pos)
}

function putSymbol(string, out, pos) {
  return putText('}', out, putString(string, out, putForm(SYMBOL, out, pos)))
}

function putCode(code, out, pos) {
  return putText('}', out, putString(code, out, putForm(CODE, out, pos)))
}

/** @typedef {import('./output').TextOutput} TextOutput */

module.exports = {
  SHORT_BINARY, OBJECT_ID, NUMBER_INT, NUMBER_LONG, NUMBER_DOUBLE, NUMBER_DECIMAL, ISO_DATE, LONG_DATE, NULL, MIN_KEY,
  MAX_KEY, UNDEFINED, typeOfNumber, isLongDouble, putForm, putBoolean, putInteger, putInt32, putAnyNumber, putDouble,
  putInt64, int64Of, putObjectId, putDate, putLongDate, putTimestamp, putBinary, putAnyBase64, putDecimal, putRegex,
  putSymbol, putCode, putEnd, putText
}
