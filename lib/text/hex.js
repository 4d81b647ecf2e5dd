'use strict'

const { DIGIT } = require('../bytes')

/** The two digits of a byte as a little-endian 16-bit word. */
const HEX = Uint16Array.from({ length: 256 }, (_, byte) => DIGIT[byte >> 4] | (DIGIT[byte & 15] << 8))

/** Six digits. @param {number} bits 24 @param {DataView} view @param {number} pos */
function putHex24(bits, view, pos) {
  view.setInt32(pos, HEX[(bits >>> 16) & 255] | (HEX[(bits >>> 8) & 255] << 16), true)
  view.setUint16(pos + 4, HEX[bits & 255], true)
}

module.exports = { HEX, putHex24 }
