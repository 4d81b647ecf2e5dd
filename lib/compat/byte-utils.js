'use strict'

const bytes = require('../bytes')
const { hexByte, utf8Length, putUtf8, getUtf8, getUtf8Lossy } = require('../bytes')
const {
  toLocalBytes, fromNumberArray, allocateZeroed, allocateUnsafe, randomBytes, swapped
} = require('../types')

function checkedIndex(name, value, max) {
  if (value >= 0 && value <= max) return value
  const limit = max === Infinity ? '>= 0' : `>= 0 && <= ${max}`
  throw new RangeError(`The value of "${name}" is out of range. It must be ${limit}. Received ${value}`)
}

/** Work on bytes, under the names of the `bson` package. */
const ByteUtils = {
  /** Whether it is a Uint8Array, of another realm too. */
  isUint8Array: bytes.isUint8Array,

  /** The same memory, in a Buffer on Node. */
  toLocalBufferType: toLocalBytes,

  /** As many bytes, all zero. */
  allocate: allocateZeroed,

  /** As many bytes, not cleared where that is faster. */
  allocateUnsafe,

  /** Their order, byte by byte. @param {Uint8Array} a @param {Uint8Array} b @returns {-1 | 0 | 1} */
  compare(a, b) {
    const [one, other] = [toLocalBytes(a), toLocalBytes(b)]
    return /** @type {any} */ (Math.sign(bytes.compareBytes(one, 0, one.length, other, 0, other.length)))
  },

  /** One after the other, in new memory. */
  concat: bytes.concat,

  /**
   * Copies bytes, as Buffer.copy does.
   *
   * @param {Uint8Array} source
   * @param {Uint8Array} target
   * @param {number} [targetStart]
   * @param {number} [sourceStart]
   * @param {number} [sourceEnd]
   * @returns {number} the bytes copied, which may be limited by the room in the target
   * @throws {RangeError}
   */
  copy(source, target, targetStart, sourceStart, sourceEnd) {
    const to = checkedIndex('targetStart', targetStart ?? 0, Infinity)
    const from = checkedIndex('sourceStart', sourceStart ?? 0, source.length)
    const end = Math.min(checkedIndex('sourceEnd', sourceEnd ?? source.length, Infinity), source.length)
    const length = Math.max(0, Math.min(end - from, target.length - to))
    if (length > 0) target.set(source.subarray(from, from + length), to)
    return length
  },

  /** Whether they hold the same bytes. @param {Uint8Array} a @param {Uint8Array} b @returns {boolean} */
  equals: (a, b) => bytes.equals(toLocalBytes(a), toLocalBytes(b)),

  /** The lowest 8 bits of each number. */
  fromNumberArray,

  /** The bytes of a base64 string. */
  fromBase64: bytes.fromBase64,

  /** Text as UTF-8. @param {string} utf8 @returns {Uint8Array} */
  fromUTF8(utf8) {
    const buf = bytes.allocate(utf8Length(utf8))
    putUtf8(utf8, buf, 0)
    return buf
  },

  /** Base64, padded. @param {Uint8Array} buffer @returns {string} */
  toBase64: buffer => bytes.toBase64(toLocalBytes(buffer)),

  /** Text as Latin-1. @param {string} codePoints each is cut to a byte @returns {Uint8Array} */
  fromISO88591(codePoints) {
    const buf = bytes.allocate(codePoints.length)
    for (let i = 0; i < buf.length; i++) buf[i] = codePoints.charCodeAt(i)
    return buf
  },

  /** Latin-1 as text. @param {Uint8Array} buffer @returns {string} */
  toISO88591: buffer => bytes.getLatin1(toLocalBytes(buffer), 0, buffer.byteLength),

  /**
   * The bytes of hex digits. Stops at the first invalid pair, as Buffer.from does.
   *
   * @param {string} hex
   * @returns {Uint8Array}
   */
  fromHex(hex) {
    const numbers = []
    for (let i = 0; i + 1 < hex.length; i += 2) {
      const byte = hexByte(hex, i)
      if (byte < 0) break
      numbers.push(byte)
    }
    return fromNumberArray(numbers)
  },

  /** Hex digits. @param {Uint8Array} buffer @returns {string} lower case */
  toHex: buffer => bytes.toHex(toLocalBytes(buffer)),

  /**
   * UTF-8 as text.
   *
   * @param {Uint8Array} buffer
   * @param {number} start
   * @param {number} end may lie beyond the last byte
   * @param {boolean} fatal whether bytes that are not UTF-8 are an error
   * @returns {string}
   */
  toUTF8(buffer, start, end, fatal) {
    const from = start < 0 ? 0 : start
    const to = end > buffer.length ? buffer.length : end
    if (from >= to) return ''
    return fatal ? getUtf8(buffer, from, to) : getUtf8Lossy(buffer, from, to)
  },

  /** The bytes of a text in UTF-8. */
  utf8ByteLength: utf8Length,

  /**
   * Writes text as UTF-8.
   *
   * @param {Uint8Array} destination
   * @param {string} source
   * @param {number} byteOffset
   * @returns {number} the bytes written; only whole characters that fit
   */
  encodeUTF8Into(destination, source, byteOffset) {
    const room = destination.length - byteOffset
    if (utf8Length(source) <= room) return putUtf8(source, destination, byteOffset) - byteOffset
    return new TextEncoder().encodeInto(source, destination.subarray(byteOffset)).written
  },

  /** As many random bytes, from `crypto` where there is one. */
  randomBytes,

  /** Reverses each four bytes in place. @param {Uint8Array} buffer @returns {Uint8Array} @throws {RangeError} */
  swap32(buffer) {
    if (buffer.length % 4 !== 0) throw new RangeError('Buffer size must be a multiple of 32-bits')
    return toLocalBytes(swapped(buffer))
  }
}

/** @typedef {typeof ByteUtils} ByteUtils */

module.exports = { ByteUtils }
