'use strict'

// Decodes values that hold no other values, one function per element type, with the layout on each. scan.js has already
// checked every offset.

const { SUBTYPE, REGEX_OPTIONS } = require('../spec')
const { BufferView, getInt32, isExactInt64, copyOf, getUtf8Lossy, getText: getStrict } = require('../bytes')
const { scanCString, checkRegexOptions } = require('../elements')
const { binaryOverhead, Binary, BSONRegExp, DBRef, Decimal128, Long, ObjectId, Timestamp, UUID } = require('../types')

const TWO_POW_32 = 4294967296

const NO_OPTION = new RegExp(`[^${REGEX_OPTIONS}]`, 'g')

/** @param {boolean} utf8 whether invalid UTF-8 is an error; otherwise it becomes U+FFFD */
function getText(buf, start, end, utf8) {
  return utf8 ? getStrict(buf, start, end) : getUtf8Lossy(buf, start, end)
}

/** int32 length, including the 0x00 | bytes | 0x00 */
function getString(buf, pos, next, utf8) {
  return getText(buf, pos + 4, next - 1, utf8)
}

/** A number if it is exact, otherwise a Long. @param {number} low signed 32 bits @param {number} high signed 32 bits */
function promoted(low, high) {
  return isExactInt64(low, high) ? high * TWO_POW_32 + (low >>> 0) : new Long(low, high)
}

function longOf(low, high) {
  return new Long(low, high)
}

/** increment, seconds */
function getTimestamp(buf, pos) {
  return new Timestamp(getInt32(buf, pos), getInt32(buf, pos + 4)) // 5 ns; 14 from an object of two numbers
}

function getDecimal128(buf, pos) {
  return new Decimal128(copy16(buf, pos))
}

/** Copies the 16 bytes of a Decimal128 or a UUID: 25 ns faster than `copyOf`. */
function copy16(buf, p) {
  // @ts-ignore: the class takes a length, as Uint8Array does
  const copy = new BufferView(16)
  for (let i = 0; i < 16; i++) copy[i] = buf[p + i]
  return copy
}

/** int32 length | subtype | bytes. The bytes are copied so that the value does not keep the input buffer alive. */
function getBinary(buf, pos, next, asBuffer) {
  const subtype = buf[pos + 4]
  const start = pos + binaryOverhead(subtype)
  const bytes = next - start === 16 ? copy16(buf, start) : copyOf(buf, start, next)
  if (asBuffer) return bytes
  return subtype === SUBTYPE.UUID && bytes.length === 16 ? new UUID(bytes) : new Binary(bytes, subtype)
}

/** pattern 0x00 | options 0x00. A lenient plan drops unknown options, as bson does. */
function getRegex(buf, pos, next, { utf8Names, bsonRegExp, isLenient }) {
  const patternEnd = scanCString(buf, pos, next)
  const pattern = getText(buf, pos, patternEnd, utf8Names)
  let options = getText(buf, patternEnd + 1, next - 1, utf8Names)
  if (isLenient && !bsonRegExp) options = options.replace(NO_OPTION, '')
  else checkRegexOptions(buf, patternEnd + 1, next - 1)
  return (bsonRegExp ? undefined : toRegExp(pattern, options)) ?? new BSONRegExp(pattern, options)
}

/**
 * A longer pattern, in UTF-16 units, stays a BSONRegExp. V8 rereads the rest of a pattern for each group that it may
 * refer back to: 48,000 units of `\9(` take a second, 1,000 take 0.2 ms.
 */
const MAX_PATTERN = 1024

/**
 * @returns {RegExp | undefined} undefined if JavaScript cannot express the same, or takes far longer than for other
 *   values: V8 builds the set of a property, `\p{L}` with the option u, anew each time, in 30 us
 */
function toRegExp(pattern, options) {
  if (pattern.length > MAX_PATTERN || (options.includes('u') && /\\p/i.test(pattern))) return undefined
  try {
    const regex = new RegExp(pattern, options)
    return regex.source.length > MAX_PATTERN ? undefined : regex // with slashes escaped, as it will be written
  } catch { // of what only PCRE has: V8 takes 5 to 18 us to refuse a pattern, and 0.25 to accept one
    return undefined
  }
}

/** string | 12 bytes */
function getDBPointer(buf, pos, next, utf8) {
  return new DBRef(getText(buf, pos + 4, next - 13, utf8), new ObjectId(buf, next - 12))
}

module.exports = {
  getText, getString, promoted, longOf, getTimestamp, getDecimal128, getBinary, getRegex, getDBPointer
}
