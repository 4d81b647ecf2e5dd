'use strict'

const { putUtf8 } = require('../utf8')

/**
 * int32 length, the 0x00 counted | bytes | 0x00. There is room for three bytes a unit.
 *
 * @param {string} string
 * @param {Uint8Array} buf
 * @param {number} pos
 * @returns {number} the offset after it
 */
function putText(string, buf, pos) {
  const end = putUtf8(string, buf, pos + 4)
  const size = end - pos - 3
  buf[pos] = size
  buf[pos + 1] = size >> 8
  buf[pos + 2] = size >> 16
  buf[pos + 3] = size >> 24
  buf[end] = 0
  return end + 1
}

module.exports = { putText }
