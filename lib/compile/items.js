'use strict'

// The names of an array's items, which are their indexes in decimal.

const { scanName } = require('../scan')

/** The digits of the numbers below 1000, the first in the lowest byte; 0 until they are needed. */
const DIGITS = new Int32Array(1000)

function digitsOf(i) {
  const digits = String(i)
  for (let k = digits.length - 1; k >= 0; k--) DIGITS[i] = (DIGITS[i] << 8) | digits.charCodeAt(k)
  return DIGITS[i]
}

/**
 * type | digits | 0x00, four bytes at a time.
 *
 * @param {number} type
 * @param {number} i
 * @param {DataView} view with room for 13 bytes and the value, and a 0x00 to come: a store may reach one byte further
 * @param {number} pos
 * @returns {number} the offset of the value
 */
function putIndexName(type, i, view, pos) {
  if (i >= 1000) return putLongName(type, String(i), view, pos)
  view.setInt32(pos, type | ((DIGITS[i] || digitsOf(i)) << 8), true)
  if (i < 10) return pos + 3
  if (i < 100) return pos + 4
  view.setUint8(pos + 4, 0)
  return pos + 5
}

function putLongName(type, digits, view, pos) {
  view.setUint8(pos++, type)
  for (let i = 0; i < digits.length; i++) view.setUint8(pos++, digits.charCodeAt(i))
  view.setUint8(pos, 0)
  return pos + 1
}

/**
 * @param {Uint8Array} buf
 * @param {number} pos of an item
 * @param {number} i its index, whose digits the name should be; any name will do
 * @param {number} end
 * @returns {number} the offset of its value
 * @throws {import('../errors').BSONError} when the name has no end
 */
function itemAt(buf, pos, i, end) {
  if (buf[pos + 1] === 0) return pos + 2
  if (i < 10) {
    if (buf[pos + 2] === 0) return pos + 3
  } else if (i < 100) {
    if (buf[pos + 3] === 0 && buf[pos + 2] !== 0) return pos + 4
  } else if (i < 1000 && buf[pos + 4] === 0 && buf[pos + 3] !== 0 && buf[pos + 2] !== 0) return pos + 5
  return scanName(buf, pos + 1, end) + 1
}

module.exports = { putIndexName, itemAt }
