'use strict'

// Integers -> decimal digits, in ASCII.

const { MINUS } = require('./ascii')

/** The two digits of 0 to 99 as a little-endian 16-bit word. */
const PAIRS = Uint16Array.from({ length: 100 }, (_, n) => (0x30 + Math.trunc(n / 10)) | ((0x30 + (n % 10)) << 8))

/** The three digits of 0 to 999 in the same way; the fourth byte is the number of leading zeros. */
const TRIPLES = Int32Array.from({ length: 1000 }, (_, n) => {
  const zeros = n < 10 ? 2 : n < 100 ? 1 : 0
  return (0x30 + Math.trunc(n / 100)) | (PAIRS[n % 100] << 8) | (zeros << 24)
})

/** @param {number} value an int32 @param {DataView} view with room for 16 bytes @param {number} pos */
function putInt(value, view, pos) {
  const sign = value >> 31 // without a branch, which would be unpredictable
  view.setUint8(pos, MINUS)
  return putUint31((value ^ sign) - sign, view, pos - sign)
}

/** @param {number} value an integer from 0 to 2^31 @param {DataView} view with room for 16 bytes @param {number} pos */
function putUint31(value, view, pos) {
  if (value < 1000) return putFirst(value, view, pos)
  const thousands = (value / 1000) | 0
  const end = thousands < 1000 ? putFirst(thousands, view, pos) : putUint31(thousands, view, pos)
  return putTriple(value - thousands * 1000, view, end)
}

/** Writes no leading zeros. */
function putFirst(value, view, pos) {
  const word = TRIPLES[value]
  const zeros = word >>> 24
  view.setInt32(pos, word >>> (8 * zeros), true)
  return pos + 3 - zeros
}

/** Three digits. @param {number} value @param {DataView} view with room for four bytes @param {number} pos */
function putTriple(value, view, pos) {
  view.setInt32(pos, TRIPLES[value], true)
  return pos + 3
}

/** Nine digits. @param {number} value from 0 @param {DataView} view with room for ten bytes @param {number} pos */
function putNine(value, view, pos) {
  const millions = (value / 1000000) | 0
  const rest = value - millions * 1000000
  const thousands = (rest / 1000) | 0
  pos = putTriple(thousands, view, putTriple(millions, view, pos))
  return putTriple(rest - thousands * 1000, view, pos)
}

/** @param {string} ascii @param {DataView} view with room for it @param {number} pos */
function putAscii(ascii, view, pos) {
  for (let i = 0; i < ascii.length; i++) view.setUint8(pos + i, ascii.charCodeAt(i))
  return pos + ascii.length
}

module.exports = { PAIRS, putInt, putUint31, putTriple, putNine, putAscii }
