'use strict'

// IEEE-754 doubles <-> bytes, through one shared scratch: no DataView has to be made for each new buffer (about 60 ns).

const scratch = new Uint8Array(8)
const view = new DataView(scratch.buffer)

/**
 * @param {Uint8Array} buf
 * @param {number} offset
 * @returns {number} the little-endian double at `offset`
 */
function getDouble(buf, offset) {
  view.setInt32(0, buf[offset] | (buf[offset + 1] << 8) | (buf[offset + 2] << 16) | (buf[offset + 3] << 24), true)
  view.setInt32(4, buf[offset + 4] | (buf[offset + 5] << 8) | (buf[offset + 6] << 16) | (buf[offset + 7] << 24), true)
  return view.getFloat64(0, true)
}

/**
 * @param {number} value
 * @param {Uint8Array} buf
 * @param {number} offset
 * @returns {number} offset after the 8 bytes
 */
function putDouble(value, buf, offset) {
  view.setFloat64(0, value, true)
  buf[offset] = scratch[0]
  buf[offset + 1] = scratch[1]
  buf[offset + 2] = scratch[2]
  buf[offset + 3] = scratch[3]
  buf[offset + 4] = scratch[4]
  buf[offset + 5] = scratch[5]
  buf[offset + 6] = scratch[6]
  buf[offset + 7] = scratch[7]
  return offset + 8
}

module.exports = { getDouble, putDouble }
