'use strict'

// Hex digits of ids of a fixed size: those of other lengths are in bytes.js.

/** The character codes of the hex digits. */
const DIGIT = Uint8Array.from('0123456789abcdef', digit => digit.charCodeAt(0))

/** The value of a hex digit by its character code, -1 where it is none. */
const NIBBLE = Int8Array.from({ length: 128 }, (_, code) => {
  return '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase())
})

/** The byte that two digits say; negative when they are none. @param {string} hex @param {number} at the first */
function hexByte(hex, at) {
  const high = hex.charCodeAt(at)
  const low = hex.charCodeAt(at + 1)
  return (high | low) < 128 ? (NIBBLE[high] << 4) | NIBBLE[low] : -1
}

/** The 24 bits that six digits say; negative when they are none. @param {string} hex @param {number} at the first */
function hexInt24(hex, at) {
  return (hexByte(hex, at) << 16) | (hexByte(hex, at + 2) << 8) | hexByte(hex, at + 4)
}

module.exports = { DIGIT, hexByte, hexInt24 }
