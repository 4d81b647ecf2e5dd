'use strict'

const { DIGIT, getInt24 } = require('../bytes')

/** The two digits of a byte as a little-endian 16-bit word. */
const HEX = Uint16Array.from({ length: 256 }, (_, byte) => DIGIT[byte >> 4] | (DIGIT[byte & 15] << 8))

/** Six digits. @param {number} bits 24 @param {DataView} view @param {number} pos */
function putHex24(bits, view, pos) {
  view.setInt32(pos, HEX[(bits >>> 16) & 255] | (HEX[(bits >>> 8) & 255] << 16), true)
  view.setUint16(pos + 4, HEX[bits & 255], true)
}

/** The 24 digits of an ObjectId. @param {Uint8Array} buf @param {number} p @param {DataView} view */
function putIdDigits(buf, p, view, pos) {
  putHex24(getInt24(buf, p), view, pos)
  putHex24(getInt24(buf, p + 3), view, pos + 6)
  putHex24(getInt24(buf, p + 6), view, pos + 12)
  putHex24(getInt24(buf, p + 9), view, pos + 18)
  return pos + 24
}

module.exports = { HEX, putHex24, putIdDigits }
