'use strict'

const { getInt32, getInt64, putInt32, putInt64, getDouble, putDouble } = require('../bytes')
const { IS_BIG_ENDIAN } = require('../types')

/** NaN when a byte is missing. @param {number} lowest @returns {number} unsigned, 32 bits */
function uint32(lowest, second, third, highest) {
  return lowest + second * 0x100 + third * 0x10000 + highest * 0x1000000
}

/** Reads and writes numbers in bytes, under the names of the `bson` package. */
const NumberUtils = {
  /** Whether this machine stores the highest byte of a number first. */
  isBigEndian: IS_BIG_ENDIAN,

  /**
   * Reads a size: a signed 32-bit integer, lowest byte first.
   *
   * @param {Uint8Array} source
   * @param {number} offset
   * @returns {number}
   * @throws {RangeError} when it is negative
   */
  getNonnegativeInt32LE(source, offset) {
    const value = getInt32(source, offset)
    if (value < 0) throw new RangeError(`Size cannot be negative at offset: ${offset}`)
    return value
  },

  /** Reads a signed 32-bit integer, lowest byte first. */
  getInt32LE: getInt32,

  /** Reads an unsigned 32-bit integer, lowest byte first. @param {Uint8Array} source @param {number} offset */
  getUint32LE(source, offset) {
    return uint32(source[offset], source[offset + 1], source[offset + 2], source[offset + 3])
  },

  /** Reads an unsigned 32-bit integer, highest byte first. @param {Uint8Array} source @param {number} offset */
  getUint32BE(source, offset) {
    return uint32(source[offset + 3], source[offset + 2], source[offset + 1], source[offset])
  },

  /**
   * Reads a signed 64-bit integer, lowest byte first.
   *
   * @param {Uint8Array} source
   * @param {number} offset
   * @returns {bigint}
   * @throws {RangeError} when a byte other than the last is missing
   */
  getBigInt64LE(source, offset) {
    const isThere = source[offset] !== undefined && source[offset + 6] !== undefined // as in bson
    return isThere ? getInt64(source, offset) : BigInt(NaN)
  },

  /** Reads a double, lowest byte first. */
  getFloat64LE: getDouble,

  /**
   * Writes a 32-bit integer, highest byte first.
   *
   * @param {Uint8Array} destination
   * @param {number} offset
   * @param {number} value
   * @returns {4} the bytes written
   */
  setInt32BE(destination, offset, value) {
    destination[offset] = value >>> 24
    destination[offset + 1] = value >>> 16
    destination[offset + 2] = value >>> 8
    destination[offset + 3] = value
    return 4
  },

  /**
   * Writes a 32-bit integer, lowest byte first.
   *
   * @param {Uint8Array} destination
   * @param {number} offset
   * @param {number} value
   * @returns {4} the bytes written
   */
  setInt32LE(destination, offset, value) {
    putInt32(value, destination, offset)
    return 4
  },

  /**
   * Writes the lowest 64 bits of an integer, lowest byte first.
   *
   * @param {Uint8Array} destination
   * @param {number} offset
   * @param {bigint} value
   * @returns {8} the bytes written
   */
  setBigInt64LE(destination, offset, value) {
    putInt64(value, destination, offset)
    return 8
  },

  /**
   * Writes a double, lowest byte first.
   *
   * @param {Uint8Array} destination
   * @param {number} offset
   * @param {number} value
   * @returns {8} the bytes written
   */
  setFloat64LE(destination, offset, value) {
    putDouble(value, destination, offset)
    return 8
  }
}

/** @typedef {typeof NumberUtils} NumberUtils */

module.exports = { NumberUtils }
