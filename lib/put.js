'use strict'

// Values that hold no other values -> bytes, one function an element type, the layout on each. The caller has reserved
// 24 bytes at `pos` for what has a fixed length; what has none reserves for itself and leaves 24 bytes behind it.

const { SUBTYPE } = require('./spec')
const { BSONError } = require('./errors')
const { putInt32, putInt64, fromHex, isUint8Array, isAnyArrayBuffer } = require('./bytes')
const { putUtf8 } = require('./utf8')
const { validateVector } = require('./types/vector')
const { isRegExp } = require('./type-of')

/** int32 length, the 0x00 counted | bytes | 0x00 */
function putString(out, string, pos) {
  const buf = out.makeRoom(pos, string, 24)
  const end = putUtf8(string, buf, pos + 4)
  buf[end] = 0
  putInt32(end - pos - 3, buf, pos)
  return end + 1
}

/** name 0x00: text that must not hold a 0x00 itself */
function putCString(out, string, pos, what) {
  if (string.includes('\0')) throw new BSONError(`${what} ${string} must not contain null bytes`)
  const buf = out.makeRoom(pos, string, 24)
  const end = putUtf8(string, buf, pos)
  buf[end] = 0
  return end + 1
}

/** 12 bytes. The four integers are those of this package and of bson 7.3; other copies are asked for their bytes. */
function putObjectId(id, buf, pos) {
  if (typeof id.i0 !== 'number') return putForeignObjectId(id, buf, pos)
  putInt24(id.i0, buf, pos)
  putInt24(id.i1, buf, pos + 3)
  putInt24(id.i2, buf, pos + 6)
  return putInt24(id.i3, buf, pos + 9)
}

/** big-endian */
function putInt24(value, buf, pos) {
  buf[pos] = value >> 16
  buf[pos + 1] = value >> 8
  buf[pos + 2] = value
  return pos + 3
}

function putForeignObjectId(id, buf, pos) {
  const hex = typeof id.toHexString === 'function' ? id.toHexString() : undefined
  const bytes = typeof hex === 'string' ? fromHex(hex) : id.id
  if (!isUint8Array(bytes) || bytes.length !== 12) throw new BSONError('ObjectId must have 12 bytes')
  return putBytes(bytes, 12, buf, pos)
}

function putBytes(bytes, size, buf, pos) {
  if (size > 16) buf.set(bytes.length === size ? bytes : bytes.subarray(0, size), pos)
  else for (let i = 0; i < size; i++) buf[pos + i] = bytes[i]
  return pos + size
}

const TWO_POW_32 = 4294967296

/** What JavaScript's dates can say, in ms before or after 1970. */
const MAX_TIME = 8.64e15

function timeOf(date) {
  try {
    return date.getTime()
  } catch (cause) {
    throw new BSONError('Date cannot be read', { cause })
  }
}

/** int64 ms since 1970 */
function putDate(date, buf, pos) {
  const time = timeOf(date)
  // NaN: an invalid Date must not become 1970
  if (!(typeof time === 'number' && Math.abs(time) <= MAX_TIME)) throw new BSONError('Invalid Date cannot be serialized')
  putInt32(time | 0, buf, pos)
  return putInt32(Math.floor(time / TWO_POW_32), buf, pos + 4)
}

function putBigInt(value, buf, pos) {
  if (BigInt.asIntN(64, value) !== value) throw new BSONError(`bigint ${value} is outside the range of an int64`)
  return putInt64(value, buf, pos)
}

/** low, high: Long and Timestamp; `low_` and `high_` in the first major version of bson */
function putLong(value, buf, pos) {
  const low = value.low ?? value.low_
  const high = value.high ?? value.high_
  if (typeof low !== 'number' || typeof high !== 'number') throw new BSONError('Long must have a low and a high part')
  putInt32(low, buf, pos)
  return putInt32(high, buf, pos + 4)
}

function putDecimal128(value, buf, pos) {
  if (!isUint8Array(value.bytes) || value.bytes.length !== 16) throw new BSONError('Decimal128 must have 16 bytes')
  return putBytes(value.bytes, 16, buf, pos)
}

/** int32 length | subtype | bytes; subtype 2: int32 length + 4 | 0x02 | int32 length | bytes */
function putBinary(out, value, pos) {
  if (ArrayBuffer.isView(value)) return putView(out, value.buffer, value.byteOffset, value.byteLength, pos)
  if (isAnyArrayBuffer(value)) return putView(out, value, 0, value.byteLength, pos)
  const size = checkBinary(value)
  if (value.sub_type === SUBTYPE.VECTOR) validateVector(value)
  const isOld = value.sub_type === SUBTYPE.BYTE_ARRAY
  const buf = out.reserve(pos, size + 24)
  pos = putInt32(isOld ? size + 4 : size, buf, pos)
  buf[pos++] = value.sub_type
  if (isOld) pos = putInt32(size, buf, pos)
  return putBytes(value.buffer, size, buf, pos)
}

/** @returns {number} the bytes of a Binary's data */
function checkBinary({ buffer, position, sub_type: subtype }) {
  if (!isUint8Array(buffer) || !(position >= 0 && position <= buffer.length && Number.isInteger(position))) {
    throw new BSONError('Binary must have a buffer and a position inside it')
  }
  if ((subtype & 0xff) !== subtype) throw new BSONError('Binary must have a subtype from 0 to 255')
  return position
}

function putView(out, memory, offset, size, pos) {
  const buf = out.reserve(pos, size + 24)
  pos = putInt32(size, buf, pos)
  buf[pos++] = SUBTYPE.GENERIC
  // Memory that was handed over has no bytes and lets nobody look.
  if (size > 0) buf.set(new Uint8Array(memory, offset, size), pos)
  return pos + size
}

/** pattern 0x00 | options 0x00, the options in alphabetical order */
function putRegex(out, value, pos) {
  const { pattern, options } = regexTexts(value)
  pos = putCString(out, pattern, pos, isRegExp(value) ? 'value' : 'pattern')
  return putCString(out, options, pos, 'options')
}

function regexTexts(value) {
  const texts = isRegExp(value) ? readRegExp(value) : value
  if (typeof texts.pattern !== 'string' || typeof texts.options !== 'string') {
    throw new BSONError('a regular expression must have a pattern and options that are strings')
  }
  return { pattern: texts.pattern, options: [...texts.options].sort().join('') }
}

function readRegExp(regexp) {
  try {
    return { pattern: regexp.source, options: regexOptions(regexp) }
  } catch (cause) {
    throw new BSONError('RegExp cannot be read', { cause })
  }
}

/** Of JavaScript's flags BSON knows i, m, s and u; g, y, d say how to search, not what. @param {RegExp} regexp */
function regexOptions({ ignoreCase, multiline, dotAll, unicode }) {
  return (ignoreCase ? 'i' : '') + (multiline ? 'm' : '') + (dotAll ? 's' : '') + (unicode ? 'u' : '')
}

/** Of a function or a Code, whose text may be a function too. */
function codeText(value) {
  const code = typeof value === 'function' ? value : value.code
  if (typeof code !== 'string' && typeof code !== 'function') throw new BSONError('Code must have a text')
  return code.toString()
}

function symbolText({ value }) {
  if (typeof value !== 'string') throw new BSONError('BSONSymbol must have a text')
  return value
}

module.exports = {
  putString,
  putObjectId,
  putDate,
  putBigInt,
  putLong,
  putDecimal128,
  putBinary,
  putRegex,
  checkBinary,
  regexTexts,
  regexOptions,
  codeText,
  symbolText
}
