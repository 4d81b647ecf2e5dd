'use strict'

// Hex digits of ids of a fixed size. Other lengths are handled in lib/bytes/memory.js.

/** The character codes of the hex digits. */
const DIGIT = Uint8Array.from('0123456789abcdef', digit => digit.charCodeAt(0))

/** The value of a hex digit by its character code, or -1 if it is not a hex digit. */
const NIBBLE = Int8Array.from({ length: 128 }, (_, code) => {
  return '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase())
})

/**
 * The byte that two digits represent; negative if they are not hex digits.
 *
 * @param {string} hex
 * @param {number} at offset of the first
 */
function hexByte(hex, at) {
  const high = hex.charCodeAt(at)
  const low = hex.charCodeAt(at + 1)
  return (high | low) < 128 ? (NIBBLE[high] << 4) | NIBBLE[low] : -1
}

/**
 * The 24 bits that six digits represent; negative if they are not hex digits.
 *
 * @param {string} hex
 * @param {number} at offset of the first
 */
function hexInt24(hex, at) {
  return (hexByte(hex, at) << 16) | (hexByte(hex, at + 2) << 8) | hexByte(hex, at + 4)
}

module.exports = { DIGIT, hexByte, hexInt24 }
