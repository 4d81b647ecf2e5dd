'use strict'

// Encodes values that hold no other values, one function per element type, with the layout on each. The caller has
// reserved room for types of fixed length; the others reserve their own.

const { SUBTYPE, MAX_TIME } = require('../spec')
const { BSONError, shownName } = require('../errors')
const {
  putInt32, putInt64, fromHex, getterOf, isUint8Array, isMemory, memoryBytes, utf8Length, putUtf8
} = require('../bytes')
const { checkInt64, Binary, binaryOverhead, checkedOptions, validateVector } = require('../types')
const { isRegExp } = require('./value-type')

/** Strings of up to this many UTF-16 units get room for three bytes per unit; longer ones are measured. */
const MEASURED_STRING = 4096

/** Strings of up to this many UTF-16 units are written by a loop: see lib/bytes/utf8. */
const SHORT_STRING = 24

/** Bytes to reserve for a string, including its length and its 0x00. @param {string} string */
function roomOf(string) {
  return (string.length > MEASURED_STRING ? utf8Length(string) : 3 * string.length) + 5
}

/** DBRefs and the driver's commands need these names, so they are allowed regardless of `checkKeys`. */
const ALLOWED_NAMES = new Set(['$db', '$ref', '$id', '$clusterTime'])

const DOLLAR = 0x24

function checkName(key) {
  if (key.charCodeAt(0) === DOLLAR) {
    if (!ALLOWED_NAMES.has(key)) throw new BSONError(`key ${shownName(key)} must not start with '$'`)
  } else if (key.includes('.')) throw new BSONError(`key ${shownName(key)} must not contain '.'`)
}

/** int32 length, including the 0x00 | bytes | 0x00 */
function putString(out, string, pos) {
  const { length } = string
  const buf = pos + 3 * length + 5 > out.buf.length ? out.reserve(pos, roomOf(string)) : out.buf
  let end = pos + 4
  if (length > SHORT_STRING) end = putUtf8(string, buf, end)
  else {
    for (let i = 0; i < length; i++) {
      const unit = string.charCodeAt(i)
      if (unit > 0x7f) {
        end = putUtf8(string, buf, pos + 4)
        break
      }
      buf[end++] = unit
    }
  }
  out.view.setInt32(pos, end - pos - 3, true)
  buf[end] = 0
  return end + 1
}

/** text 0x00. The text does not contain a 0x00 itself. */
function putCString(out, string, pos) {
  const buf = out.reserve(pos, roomOf(string))
  const end = putUtf8(string, buf, pos)
  buf[end] = 0
  return end + 1
}

/**
 * 12 bytes. Reads the four integers of this package and of bson 7.3; reads other copies through `toHexString` or `id`.
 */
function putObjectId(out, id, pos) {
  const { i0, i1, i2, i3 } = id
  if (typeof i0 !== 'number') return putBytes(foreignIdBytes(id), 12, out.buf, pos)
  const { view } = out
  view.setInt32(pos, (i0 << 8) | (i1 >>> 16))
  view.setInt32(pos + 4, (i1 << 16) | (i2 >>> 8))
  view.setInt32(pos + 8, (i2 << 24) | i3)
  return pos + 12
}

function foreignIdBytes(id) {
  const hex = typeof id.toHexString === 'function' ? id.toHexString() : undefined
  const bytes = typeof hex === 'string' ? fromHex(hex) : id.id
  if (!isUint8Array(bytes) || bytes.length !== 12) throw new BSONError('ObjectId must have 12 bytes')
  return bytes
}

function putBytes(bytes, size, buf, pos) {
  if (size > 16) buf.set(bytes, pos)
  else for (let i = 0; i < size; i++) buf[pos + i] = bytes[i]
  return pos + size
}

const TWO_POW_32 = 4294967296

/**
 * @param {any} date
 * @returns {number} ms since 1970, or NaN
 * @throws {BSONError} on an object that only claims to be a Date
 */
function timeOf(date) {
  const time = askTime(date)
  if ((Number.isInteger(time) && Math.abs(time) <= MAX_TIME) || Number.isNaN(time)) return time
  throw new BSONError('Date cannot be read')
}

function askTime(date) {
  try {
    return date.getTime()
  } catch (cause) {
    throw new BSONError('Date cannot be read', { cause })
  }
}

/** int64 ms since 1970 */
function putDate(out, date, pos) {
  const time = timeOf(date)
  // NaN: an invalid Date must not become 1970.
  if (time !== time) throw new BSONError('Invalid Date cannot be serialized')
  const { view } = out
  view.setInt32(pos, time | 0, true)
  view.setInt32(pos + 4, Math.floor(time / TWO_POW_32), true)
  return pos + 8
}

/** For a number, an Int32 or a Double. Calling the object's `valueOf` takes 40 ns more. */
function numberOf(value) {
  const number = typeof value === 'number' ? value : value.value
  return typeof number === 'number' ? number : toNumber(value)
}

function toNumber(value) {
  try {
    return +value
  } catch (cause) {
    throw new BSONError('Int32 and Double must hold a number', { cause })
  }
}

function int32Of(value) {
  const number = numberOf(value)
  if ((number | 0) !== number) throw new BSONError('Int32 must hold a 32-bit integer')
  return number
}

function putBigInt(value, buf, pos) {
  return putInt64(checkInt64(value), buf, pos)
}

/** low, high: of a Long or a Timestamp */
function putLong(out, value, pos) {
  const { view } = out
  view.setInt32(pos, lowOf(value), true)
  view.setInt32(pos + 4, highOf(value), true)
  return pos + 8
}

/** Reads `low_` in objects of bson 1.x. */
function lowOf(value) {
  return checkedHalf(value.low ?? value.low_)
}

function highOf(value) {
  return checkedHalf(value.high ?? value.high_)
}

/** 32 bits, signed or unsigned. */
function checkedHalf(half) {
  if (typeof half !== 'number' || ((half | 0) !== half && half >>> 0 !== half)) throw new BSONError('Long must have a low and a high part')
  return half
}

function putDecimal128(value, buf, pos) {
  return putBytes(decimalBytes(value), 16, buf, pos)
}

function decimalBytes({ bytes }) {
  if (!isUint8Array(bytes) || bytes.length !== 16) throw new BSONError('Decimal128 must have 16 bytes')
  return bytes
}

/** int32 length | subtype | bytes; subtype 2: int32 length + 4 | 0x02 | int32 length | bytes */
function putBinary(out, value, pos) {
  return putBinaryParts(out, partsOf(value), pos)
}

/** The number of bytes that putBinary writes. */
function sizeOfBinary(value) {
  const { subtype, size } = partsOf(value)
  return binaryOverhead(subtype) + size
}

/** As `readBinary`, but a Uint8Array is not copied: its bytes are the array itself. */
function partsOf(value) {
  const size = ArrayBuffer.isView(value) && value instanceof Uint8Array ? lengthOf(value) : 0
  return size > 0 ? { subtype: SUBTYPE.GENERIC, bytes: value, size } : readBinary(value)
}

/** The parts of a Binary; a vector is not checked. */
function putBinaryParts(out, { subtype, bytes, size }, pos) {
  const overhead = binaryOverhead(subtype)
  const buf = out.reserve(pos, overhead + size)
  if (subtype === SUBTYPE.BYTE_ARRAY) putInt32(size, buf, pos + 5)
  putInt32(overhead - 5 + size, buf, pos)
  buf[pos + 4] = subtype
  return putBytes(bytes, size, buf, pos + overhead)
}

/**
 * Reads the contents of memory or of a Binary, of this package or another. Each field is read once, and a subclass of
 * Uint8Array cannot lie about its size: all the bytes must exist.
 *
 * @returns {{subtype: number, bytes: Uint8Array, size: number}}
 * @throws {BSONError} when it claims more bytes than it has, when its memory is detached, and on an invalid vector
 */
function readBinary(binary) {
  if (!(binary instanceof Binary)) { // of which reading the tag would take 40 ns
    if (isMemory(binary)) {
      const bytes = memoryBytes(binary)
      return { subtype: SUBTYPE.GENERIC, bytes, size: bytes.length }
    }
    if (binary instanceof Uint8Array) throw new BSONError('a Proxy of a Uint8Array cannot be read')
  }
  const { buffer, position, sub_type: subtype } = binary
  const length = isUint8Array(buffer) ? lengthOf(buffer) : -1
  if (!(Number.isInteger(position) && position >= 0 && position <= length)) {
    throw new BSONError('Binary must have a buffer and a position inside it')
  }
  if (typeof subtype !== 'number' || (subtype & 0xff) !== subtype) throw new BSONError('Binary must have a subtype from 0 to 255')
  const bytes = position === length ? buffer : new Uint8Array(memoryOf(buffer), offsetOf(buffer), position)
  if (subtype === SUBTYPE.VECTOR) validateVector({ sub_type: subtype, buffer, position })
  return { subtype, bytes, size: position }
}

/** The real length and memory of a typed array, even if a subclass overrides them. */
const lengthOf = getterOf('length')
const memoryOf = getterOf('buffer')
const offsetOf = getterOf('byteOffset')

/** pattern 0x00 | options 0x00, the options in alphabetical order */
function putRegex(out, value, pos) {
  const { pattern, options } = regexTexts(value)
  return putCString(out, options, putCString(out, pattern, pos))
}

/**
 * The one rule for regular expressions that are written, as bytes and as text.
 *
 * @param {any} value a RegExp or a BSONRegExp, of this package or another
 * @returns {{pattern: string, options: string}}
 * @throws {BSONError} on what BSON cannot hold
 */
function regexTexts(value) {
  const isNative = isRegExp(value)
  const { pattern, options } = isNative ? readRegExp(value) : value
  if (typeof pattern !== 'string' || typeof options !== 'string') {
    throw new BSONError('a regular expression must have a pattern and options that are strings')
  }
  if (pattern.includes('\0')) {
    throw new BSONError(`${isNative ? 'value' : 'pattern'} ${shownName(pattern)} must not contain null bytes`)
  }
  const isChecked = isNative && options !== 'v' // readRegExp returns no others
  return { pattern, options: isChecked ? options : checkedOptions(options) }
}

/**
 * BSON has the JavaScript flags i, m, s and u. The flags g, y and d control how to search, not what to match; v changes
 * what the pattern means.
 */
function readRegExp(regexp) {
  try {
    const { source, ignoreCase, multiline, dotAll, unicode, unicodeSets } = regexp
    if (unicodeSets) return { pattern: source, options: 'v' } // refused, as any other option that BSON does not have
    const options = (ignoreCase ? 'i' : '') + (multiline ? 'm' : '') + (dotAll ? 's' : '') + (unicode ? 'u' : '')
    return { pattern: source, options }
  } catch (cause) {
    throw new BSONError('RegExp cannot be read', { cause })
  }
}

/** The text of a function or a Code. The `code` of a Code may itself be a function. */
function codeText(value) {
  const code = typeof value === 'function' ? value : value.code
  const text = typeof code === 'function' && typeof code.toString === 'function' ? code.toString() : code
  if (typeof text !== 'string') throw new BSONError('the code of a Code must be a string')
  return text
}

function symbolText({ value }) {
  if (typeof value !== 'string') throw new BSONError('the value of a BSONSymbol must be a string')
  return value
}

module.exports = {
  SHORT_STRING, checkName, roomOf, numberOf, int32Of, timeOf, lowOf, highOf, decimalBytes, foreignIdBytes, putString,
  putObjectId, putDate, putBigInt, putLong, putDecimal128, putBinary, putBinaryParts, sizeOfBinary, readBinary,
  putRegex, regexTexts, codeText, symbolText
}
