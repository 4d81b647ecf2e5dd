'use strict'

// A bit for each row, the lowest first, as in Apache Arrow.

/** @param {Uint8Array | null} bits null: all are set @param {number} row */
function isSet(bits, row) {
  return bits === null || (bits[row >> 3] & (1 << (row & 7))) !== 0
}

function clearBits(bits, from, to) {
  for (let i = from; i < to; i++) bits[i >> 3] &= ~(1 << (i & 7))
}

/** @param {Uint8Array | null} bits null: all are set @param {number} length @returns {number} how many are not */
function countClear(bits, length) {
  let count = length
  if (bits === null) return 0
  for (let i = 0; i < bits.length; i++) for (let byte = bits[i]; byte !== 0; byte &= byte - 1) count--
  return count
}

module.exports = { isSet, clearBits, countClear }
