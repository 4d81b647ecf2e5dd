'use strict'

// Strings out of a document. Short ones without a native call, which takes 40 to 90 ns whatever the length:
// `String.fromCharCode` with its arguments written out takes 9 ns and 0.8 ns a character, a loop of `+=` 6 a character.
// See benchmark/thresholds/text.js.

const { getUtf8 } = require('../utf8')

/** The longest string, in bytes, that is read here. */
const SHORT = 12

const chars = String.fromCharCode

/** Of a length of 0 to SHORT. @returns {string | undefined} nothing when there is more in it than ASCII */
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

/** @throws {import('../errors').BSONError} on bytes that are not UTF-8 */
function getText(buf, start, end) {
  const length = end - start
  return (length <= SHORT ? getAscii(buf, start, length) : undefined) ?? getUtf8(buf, start, end)
}

module.exports = { SHORT, getAscii, getText }
