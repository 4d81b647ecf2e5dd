'use strict'

// The names of an array's items, which are their indexes in decimal: type | digits | 0x00, four bytes at a time.

const { wordAt } = require('../codegen')

/** The digits of the numbers up to 1000, the first in the lowest byte. */
const DIGITS = Int32Array.from({ length: 1000 }, (_, i) => wordAt([...String(i)].map(digit => digit.charCodeAt(0)), 0))

/**
 * @param {number} type
 * @param {number} i
 * @param {DataView} view with room for 13 bytes and whatever the value has, at least one: a store may reach beyond the
 *   name
 * @param {number} pos
 * @returns {number} the offset of the value
 */
function putIndexName(type, i, view, pos) {
  if (i >= 1000) return putLongName(type, String(i), view, pos)
  view.setInt32(pos, type | (DIGITS[i] << 8), true)
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

module.exports = { putIndexName }
