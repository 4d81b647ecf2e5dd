'use strict'

// Vectors in binary subtype 9: a byte of data type, a byte of padding (unused bits of the last byte), and the numbers.
// https://github.com/mongodb/specifications, bson-binary-vector.

const { BSONError } = require('../errors')
const { SUBTYPE, VECTOR } = require('../spec')
const { allocateZeroed } = require('./local-bytes')

const NAMES = { [VECTOR.INT8]: 'Int8', [VECTOR.FLOAT32]: 'Float32', [VECTOR.PACKED_BIT]: 'packed bit' }
const IS_BIG_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 0

/** @typedef {{sub_type: number, buffer: Uint8Array, position: number}} BinaryLike */

/** Checks the vector in a Binary. Other Binaries are ignored. @param {BinaryLike} binary @throws {BSONError} */
function validateVector({ sub_type, buffer, position }) {
  if (sub_type !== SUBTYPE.VECTOR) return
  if (position < 2) throw new BSONError('Invalid Vector: it must begin with two bytes, of its type and its padding')
  const [type, padding] = buffer
  if (type === VECTOR.PACKED_BIT) return checkPadding(padding, position)
  if (type !== VECTOR.INT8 && type !== VECTOR.FLOAT32) return
  if (padding !== 0) throw new BSONError('Invalid Vector: padding must be zero for int8 and float32 vectors')
  if (type === VECTOR.FLOAT32 && position % 4 !== 2) {
    throw new BSONError('Invalid Vector: Float32 vector must contain a multiple of 4 bytes')
  }
}

/** @param {number} padding bits @param {number} size bytes of the whole vector */
function checkPadding(padding, size) {
  if (padding !== 0 && size === 2) {
    throw new BSONError('Invalid Vector: padding must be zero for packed bit vectors that are empty')
  }
  if (padding > 7) throw new BSONError(`Invalid Vector: padding must be a value between 0 and 7. found: ${padding}`)
}

/** @param {number} type @param {number} padding bits @param {Uint8Array} numbers as bytes */
function packVector(type, padding, numbers) {
  const bytes = allocateZeroed(numbers.length + 2)
  bytes[0] = type
  bytes[1] = padding
  bytes.set(numbers, 2)
  return bytes
}

/**
 * @param {number} type the required type
 * @returns {ArrayBufferLike} a copy of the numbers
 * @throws {BSONError} when it is not a vector of that type, or invalid
 */
function unpackVector(binary, type) {
  if (binary.sub_type !== SUBTYPE.VECTOR) throw new BSONError('Binary sub_type is not Vector')
  if (binary.buffer[0] !== type) throw new BSONError(`Binary datatype field is not ${NAMES[type]}`)
  validateVector(binary)
  // limited to the bytes, whatever the position claims: the memory after them may belong to others
  return Uint8Array.from(binary.buffer.subarray(2, binary.position)).buffer
}

/** Returns little-endian bytes: a copy if they are not little endian. @param {Uint8Array} bytes of a Float32Array */
function floatsToBytes(bytes, mustSwap = IS_BIG_ENDIAN) {
  return mustSwap ? swapped(Uint8Array.from(bytes)) : bytes
}

/** @param {ArrayBufferLike} memory little endian @param {boolean} [mustSwap] */
function bytesToFloats(memory, mustSwap = IS_BIG_ENDIAN) {
  return new Float32Array(mustSwap ? swapped(new Uint8Array(memory)).buffer : memory)
}

/** @param {Uint8Array} bytes reversed in place in groups of four @returns {Uint8Array} the same array */
function swapped(bytes) {
  for (let i = 0; i < bytes.length; i += 4) bytes.subarray(i, i + 4).reverse()
  return bytes
}

/**
 * Packs bits, the first into the highest bit.
 *
 * @param {ArrayLike<number>} bits zeros and ones
 * @throws {BSONError} on other numbers
 */
function packBits(bits) {
  const bytes = new Uint8Array((bits.length + 7) >>> 3)
  for (let i = 0; i < bits.length; i++) {
    const bit = bits[i]
    if (bit !== 0 && bit !== 1) throw new BSONError(`Invalid bit value at ${i}: must be 0 or 1, found ${bit}`)
    bytes[i >>> 3] |= bit << (7 - (i & 7))
  }
  return bytes
}

/** @param {Uint8Array} bytes @param {number} count bits @returns {Int8Array} zeros and ones */
function unpackBits(bytes, count) {
  return new Int8Array(count).map((_, i) => (bytes[i >>> 3] >> (7 - (i & 7))) & 1)
}

module.exports = {
  IS_BIG_ENDIAN, validateVector, packVector, unpackVector, floatsToBytes, bytesToFloats, swapped, packBits, unpackBits
}
