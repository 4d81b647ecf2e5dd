'use strict'

// IEEE-754 doubles <-> bytes, without a DataView for each new buffer (making one takes 60 ns).

const scratch = new Uint8Array(8)
const view = new DataView(scratch.buffer)

/**
 * The power of two that the mantissa of a double is multiplied by, by its sign and exponent (the upper 12 bits). The
 * product is exact. It takes half the time of storing the bytes in a scratch and loading them as a double, which waits
 * for the stores: 4 ns against 10. See benchmark/thresholds/. A power is found when it is first needed, for all of them
 * take 0.5 ms; those of zeros, subnormals, infinities and NaN stay 0.
 */
const SCALE = new Float64Array(4096)

/** @param {Uint8Array} buf @param {number} offset @returns {number} the little-endian double at `offset` */
function getDouble(buf, offset) {
  const low = buf[offset] | (buf[offset + 1] << 8) | (buf[offset + 2] << 16) | (buf[offset + 3] << 24)
  const high = buf[offset + 4] | (buf[offset + 5] << 8) | (buf[offset + 6] << 16) | (buf[offset + 7] << 24)
  const scale = SCALE[high >>> 20]
  if (scale === 0) return getSpecial(low, high)
  return (((high & 0xfffff) | 0x100000) * 4294967296 + (low >>> 0)) * scale
}

function getSpecial(low, high) {
  const exponent = (high >>> 20) & 0x7ff
  if (exponent !== 0 && exponent !== 0x7ff) SCALE[high >>> 20] = powerOf(high & 0xfff00000)
  view.setInt32(0, low, true)
  view.setInt32(4, high, true)
  return view.getFloat64(0, true)
}

/** @param {number} high the upper half of a double without a mantissa: 2^52 times the power, which may be subnormal */
function powerOf(high) {
  view.setInt32(0, 0, true)
  view.setInt32(4, high, true)
  return view.getFloat64(0, true) * 2 ** -52
}

/**
 * `view.setFloat64` of what is written into a document. Every NaN gets the same eight bytes, those of the BSON corpus,
 * 00 00 00 00 00 00 f8 7f: whether V8 keeps the sign and the payload of a NaN that was read, or makes a quiet one of a
 * signalling one, depends on the array that held it and on what has been optimised. To choose the value, instead of the
 * call, made objects of doubles: 1.7 times the time for an array of them.
 *
 * @param {DataView} view
 * @param {number} offset
 * @param {number} value
 */
function setDouble(view, offset, value) {
  if (value === value) view.setFloat64(offset, value, true)
  else view.setFloat64(offset, NaN, true)
}

/** @param {number} value @param {Uint8Array} buf @param {number} offset @returns {number} offset after the 8 bytes */
function putDouble(value, buf, offset) {
  setDouble(view, 0, value)
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

module.exports = { getDouble, setDouble, putDouble }
