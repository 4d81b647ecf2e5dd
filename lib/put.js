'use strict'

// Values that hold no other values -> bytes, one function an element type, the layout on each. The caller has reserved
// 24 bytes at `pos` for what has a fixed length; what has none reserves for itself and leaves 24 bytes behind it.

const { SUBTYPE } = require('./spec')
const { BSONError } = require('./errors')
const { putInt32, putInt64, fromHex, isUint8Array } = require('./bytes')
const { utf8Length, putUtf8 } = require('./utf8')
const { validateVector } = require('./types/vector')
const { isRegExp } = require('./type-of')

/** Strings up to so many UTF-16 units reserve three bytes each; longer ones are measured. */
const MEASURED_STRING = 4096

/** int32 length, the 0x00 counted | bytes | 0x00 */
function putString(out, string, pos) {
  if (typeof string !== 'string') throw new BSONError(`must be a string, not ${typeof string}`)
  const room = string.length > MEASURED_STRING ? utf8Length(string) : 3 * string.length
  const buf = out.reserve(pos, room + 24)
  const end = putUtf8(string, buf, pos + 4)
  buf[end] = 0
  putInt32(end - pos - 3, buf, pos)
  return end + 1
}

/** name 0x00: text that must not hold a 0x00 itself */
function putCString(out, string, pos, what) {
  if (string.includes('\0')) throw new BSONError(`${what} ${string} must not contain null bytes`)
  const room = string.length > MEASURED_STRING ? utf8Length(string) : 3 * string.length
  const buf = out.reserve(pos, room + 24)
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
  const bytes = typeof id.toHexString === 'function' ? fromHex(id.toHexString()) : id.id
  if (!isUint8Array(bytes) || bytes.length !== 12) throw new BSONError('ObjectId must have 12 bytes')
  return putBytes(bytes, 12, buf, pos)
}

function putBytes(bytes, size, buf, pos) {
  if (size > 16) buf.set(bytes.length === size ? bytes : bytes.subarray(0, size), pos)
  else for (let i = 0; i < size; i++) buf[pos + i] = bytes[i]
  return pos + size
}

const TWO_POW_32 = 4294967296

/** int64 ms since 1970 */
function putDate(date, buf, pos) {
  const time = date.getTime()
  // NaN: an invalid Date must not become 1970
  if (!(typeof time === 'number' && time === time)) throw new BSONError('Invalid Date cannot be serialized')
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
  if (typeof value.sub_type !== 'number') return putView(out, value, 0, value.byteLength, pos)
  const size = value.position
  if (!isUint8Array(value.buffer) || !(size >= 0 && size <= value.buffer.length)) {
    throw new BSONError('Binary must have a buffer and a position inside it')
  }
  if (value.sub_type === SUBTYPE.VECTOR) validateVector(value)
  const isOld = value.sub_type === SUBTYPE.BYTE_ARRAY
  const buf = out.reserve(pos, size + 24)
  pos = putInt32(isOld ? size + 4 : size, buf, pos)
  buf[pos++] = value.sub_type
  if (isOld) pos = putInt32(size, buf, pos)
  return putBytes(value.buffer, size, buf, pos)
}

function putView(out, memory, offset, size, pos) {
  const buf = out.reserve(pos, size + 24)
  pos = putInt32(size, buf, pos)
  buf[pos++] = SUBTYPE.GENERIC
  buf.set(new Uint8Array(memory, offset, size), pos)
  return pos + size
}

/** pattern 0x00 | options 0x00, the options in alphabetical order */
function putRegex(out, value, pos) {
  if (isRegExp(value)) {
    pos = putCString(out, value.source, pos, 'value')
    return putCString(out, regexOptions(value), pos, 'options')
  }
  pos = putCString(out, value.pattern, pos, 'pattern')
  return putCString(out, [...value.options].sort().join(''), pos, 'options')
}

/** Of JavaScript's flags BSON knows i, m, s and u; g, y, d say how to search, not what. @param {RegExp} regexp */
function regexOptions({ ignoreCase, multiline, dotAll, unicode }) {
  return (ignoreCase ? 'i' : '') + (multiline ? 'm' : '') + (dotAll ? 's' : '') + (unicode ? 'u' : '')
}

function codeText(value) {
  return typeof value === 'function' ? value.toString() : String(value.code)
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
  regexOptions,
  codeText
}
