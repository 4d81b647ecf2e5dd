'use strict'

// Work on bytes under the names of the bson package.

const bytes = require('../bytes')
const { utf8Length, putUtf8, getUtf8, getUtf8Lossy } = require('../utf8')
const { hexByte } = require('../types/hex')
const { toLocalBytes, fromNumberArray, allocateZeroed, allocateUnsafe } = require('../types/local-bytes')
const { randomBytes } = require('../types/random-bytes')
const { swapped } = require('../types/vector')

/** @param {Uint8Array} a @param {Uint8Array} b @returns {-1 | 0 | 1} */
function compare(a, b) {
  return bytes.compare(toLocalBytes(a), toLocalBytes(b))
}

/** @param {Uint8Array} a @param {Uint8Array} b @returns {boolean} */
function equals(a, b) {
  return bytes.equals(toLocalBytes(a), toLocalBytes(b))
}

/** @param {Uint8Array} buffer @returns {string} */
function toBase64(buffer) {
  return bytes.toBase64(toLocalBytes(buffer))
}

/** @param {Uint8Array} buffer @returns {string} lower case */
function toHex(buffer) {
  return bytes.toHex(toLocalBytes(buffer))
}

/**
 * As Buffer.copy does.
 *
 * @param {Uint8Array} source
 * @param {Uint8Array} target
 * @param {number} [targetStart]
 * @param {number} [sourceStart]
 * @param {number} [sourceEnd]
 * @returns {number} how many bytes were copied: as many as there is room for
 * @throws {RangeError}
 */
function copy(source, target, targetStart, sourceStart, sourceEnd) {
  const to = index('targetStart', targetStart ?? 0, Infinity)
  const from = index('sourceStart', sourceStart ?? 0, source.length)
  const end = Math.min(index('sourceEnd', sourceEnd ?? source.length, Infinity), source.length)
  const length = Math.max(0, Math.min(end - from, target.length - to))
  if (length > 0) target.set(source.subarray(from, from + length), to)
  return length
}

function index(name, value, max) {
  if (value >= 0 && value <= max) return value
  const limit = max === Infinity ? '>= 0' : `>= 0 && <= ${max}`
  throw new RangeError(`The value of "${name}" is out of range. It must be ${limit}. Received ${value}`)
}

/** @param {string} utf8 @returns {Uint8Array} */
function fromUTF8(utf8) {
  const buf = bytes.allocate(utf8Length(utf8))
  putUtf8(utf8, buf, 0)
  return buf
}

/** @param {string} codePoints each is cut to a byte @returns {Uint8Array} */
function fromISO88591(codePoints) {
  const buf = bytes.allocate(codePoints.length)
  for (let i = 0; i < buf.length; i++) buf[i] = codePoints.charCodeAt(i)
  return buf
}

/** @param {Uint8Array} buffer @returns {string} */
function toISO88591(buffer) {
  let string = ''
  for (const byte of toLocalBytes(buffer)) string += String.fromCharCode(byte)
  return string
}

/** @param {string} hex @returns {Uint8Array} up to the first pair that is none, as Buffer.from does */
function fromHex(hex) {
  const numbers = []
  for (let i = 0; i + 1 < hex.length; i += 2) {
    const byte = hexByte(hex, i)
    if (byte < 0) break
    numbers.push(byte)
  }
  return fromNumberArray(numbers)
}

/**
 * @param {Uint8Array} buffer
 * @param {number} start
 * @param {number} end
 * @param {boolean} fatal whether bytes that are not UTF-8 are an error
 * @returns {string}
 */
function toUTF8(buffer, start, end, fatal) {
  return fatal ? getUtf8(buffer, start, end) : getUtf8Lossy(buffer, start, end)
}

/**
 * @param {Uint8Array} destination
 * @param {string} source
 * @param {number} byteOffset
 * @returns {number} the bytes written: whole characters, as many as there is room for
 */
function encodeUTF8Into(destination, source, byteOffset) {
  const room = destination.length - byteOffset
  if (utf8Length(source) <= room) return putUtf8(source, destination, byteOffset) - byteOffset
  return new TextEncoder().encodeInto(source, destination.subarray(byteOffset)).written
}

/** @param {Uint8Array} buffer each four bytes are reversed in place @returns {Uint8Array} @throws {RangeError} */
function swap32(buffer) {
  if (buffer.length % 4 !== 0) throw new RangeError('Buffer size must be a multiple of 32-bits')
  return toLocalBytes(swapped(buffer))
}

const ByteUtils = {
  isUint8Array: bytes.isUint8Array,
  toLocalBufferType: toLocalBytes,
  allocate: allocateZeroed,
  allocateUnsafe,
  compare,
  concat: bytes.concat,
  copy,
  equals,
  fromNumberArray,
  fromBase64: bytes.fromBase64,
  fromUTF8,
  toBase64,
  fromISO88591,
  toISO88591,
  fromHex,
  toHex,
  toUTF8,
  utf8ByteLength: utf8Length,
  encodeUTF8Into,
  randomBytes,
  swap32
}

/** @typedef {typeof ByteUtils} ByteUtils */

module.exports = { ByteUtils }
