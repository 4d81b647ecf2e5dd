'use strict'

// Short strings without a native call: `String.fromCharCode` with its arguments written out takes 9 ns and 0.8 ns a
// character, where a native call takes 40 and a loop of `+=` 6 a character. See benchmark/thresholds/text.js.

const { checkUtf8 } = require('../utf8')

/** The longest string, in bytes, that is read here. */
const SHORT = 12

const chars = String.fromCharCode

/** The UTF-16 units of the string that is being read. */
const units = new Uint16Array(SHORT)

/**
 * @param {Uint8Array} buf
 * @param {number} start
 * @param {number} length 0 to SHORT, in bytes
 * @returns {string}
 * @throws {import('../errors').BSONError} on bytes that are not UTF-8
 */
function getShortText(buf, start, length) {
  return getAscii(buf, start, length) ?? stringOf(getUnits(buf, start, start + length))
}

/** @returns {string | undefined} nothing when there is more in it than ASCII */
function getAscii(buf, p, length) {
  if (length === 0) return ''
  const a = buf[p]
  if (length === 1) return a < 0x80 ? chars(a) : undefined
  const b = buf[p + 1]
  if (length === 2) return (a | b) < 0x80 ? chars(a, b) : undefined
  const c = buf[p + 2]
  if (length === 3) return (a | b | c) < 0x80 ? chars(a, b, c) : undefined
  const d = buf[p + 3]
  if (length === 4) return (a | b | c | d) < 0x80 ? chars(a, b, c, d) : undefined
  const e = buf[p + 4]
  if (length === 5) return (a | b | c | d | e) < 0x80 ? chars(a, b, c, d, e) : undefined
  const f = buf[p + 5]
  if (length === 6) return (a | b | c | d | e | f) < 0x80 ? chars(a, b, c, d, e, f) : undefined
  const g = buf[p + 6]
  if (length === 7) return (a | b | c | d | e | f | g) < 0x80 ? chars(a, b, c, d, e, f, g) : undefined
  const h = buf[p + 7]
  if (length === 8) return (a | b | c | d | e | f | g | h) < 0x80 ? chars(a, b, c, d, e, f, g, h) : undefined
  const i = buf[p + 8]
  if (length === 9) return (a | b | c | d | e | f | g | h | i) < 0x80 ? chars(a, b, c, d, e, f, g, h, i) : undefined
  const j = buf[p + 9]
  if (length === 10) {
    return (a | b | c | d | e | f | g | h | i | j) < 0x80 ? chars(a, b, c, d, e, f, g, h, i, j) : undefined
  }
  const k = buf[p + 10]
  if (length === 11) {
    return (a | b | c | d | e | f | g | h | i | j | k) < 0x80 ? chars(a, b, c, d, e, f, g, h, i, j, k) : undefined
  }
  const l = buf[p + 11]
  return (a | b | c | d | e | f | g | h | i | j | k | l) < 0x80 ? chars(a, b, c, d, e, f, g, h, i, j, k, l) : undefined
}

/** UTF-8 -> `units`. @returns {number} how many */
function getUnits(buf, start, end) {
  checkUtf8(buf, start, end)
  let n = 0
  for (let i = start; i < end; ) {
    const byte = buf[i]
    if (byte < 0x80) {
      units[n++] = byte
      i += 1
    } else if (byte < 0xe0) {
      units[n++] = ((byte & 0x1f) << 6) | (buf[i + 1] & 0x3f)
      i += 2
    } else if (byte < 0xf0) {
      units[n++] = ((byte & 0x0f) << 12) | ((buf[i + 1] & 0x3f) << 6) | (buf[i + 2] & 0x3f)
      i += 3
    } else {
      const high = ((byte & 0x07) << 18) | ((buf[i + 1] & 0x3f) << 12)
      const point = high | ((buf[i + 2] & 0x3f) << 6) | (buf[i + 3] & 0x3f)
      units[n++] = 0xd7c0 + (point >> 10)
      units[n++] = 0xdc00 | (point & 0x3ff)
      i += 4
    }
  }
  return n
}

/** The string of the first `length` units: 1 to SHORT - 1, for one of them at least has more than one byte. */
function stringOf(length) {
  const u = units
  switch (length) {
    case 1: return chars(u[0])
    case 2: return chars(u[0], u[1])
    case 3: return chars(u[0], u[1], u[2])
    case 4: return chars(u[0], u[1], u[2], u[3])
    case 5: return chars(u[0], u[1], u[2], u[3], u[4])
    case 6: return chars(u[0], u[1], u[2], u[3], u[4], u[5])
    case 7: return chars(u[0], u[1], u[2], u[3], u[4], u[5], u[6])
    case 8: return chars(u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7])
    case 9: return chars(u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8])
    case 10: return chars(u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9])
    default: return chars(u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10])
  }
}

module.exports = { SHORT, getShortText }
