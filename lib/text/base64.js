'use strict'

// Bytes -> base64, in ASCII (RFC 4648, section 4, padded). For short binaries this is faster than the native encoder,
// whose result has to be copied: 20 ns instead of 100 for 20 bytes.

const { BASE64 } = require('../bytes')

const DIGITS = Uint8Array.from(BASE64, char => char.charCodeAt(0))

const PADDING = 0x3d

/** The caller has reserved room. @param {Uint8Array} buf @param {number} start of the bytes @param {number} end */
function putBase64(buf, start, end, view, pos) {
  const odd = (end - start) % 3
  for (let i = start; i < end - odd; i += 3) pos = putTriple((buf[i] << 16) | (buf[i + 1] << 8) | buf[i + 2], view, pos)
  if (odd === 0) return pos
  pos = putTriple((buf[end - odd] << 16) | (odd === 2 ? buf[end - 1] << 8 : 0), view, pos)
  view.setUint8(pos - 1, PADDING)
  if (odd === 1) view.setUint8(pos - 2, PADDING)
  return pos
}

/** Four digits. @param {number} bits 24 @param {DataView} view @param {number} pos */
function putTriple(bits, view, pos) {
  const first = DIGITS[bits >>> 18] | (DIGITS[(bits >>> 12) & 63] << 8)
  view.setInt32(pos, first | (DIGITS[(bits >>> 6) & 63] << 16) | (DIGITS[bits & 63] << 24), true)
  return pos + 4
}

module.exports = { putBase64 }
