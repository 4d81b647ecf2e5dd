'use strict'

// Strings from a document. Short ones are created without a native call, which takes 40 to 90 ns regardless of length:
// `String.fromCharCode` with its arguments written out takes 9 ns plus 0.8 ns per character, a loop of `+=` 6 per
// character. See benchmark/thresholds/text.js.

const { getUtf8 } = require('.')

/** Maximum length, in bytes, of strings that are read here. */
const SHORT = 12

const chars = String.fromCharCode

/** For a length of 0 to SHORT. @returns {string | undefined} undefined if there is anything but ASCII */
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

/**
 * The longest string, in bytes, that is read this way after the first WARM strings: 34 to 53 ns instead of 80 to 90. It
 * is slower until the engine has compiled it: used from the start, the first 3,000 documents took 1.1 times as long.
 */
const MIDDLE = 24

/** Like getAscii, for a length of SHORT + 1 to MIDDLE. @returns {string | undefined} */
function getMiddle(buf, p, length) {
  let bits = 0
  for (let i = p, end = p + length; i < end; i++) bits |= buf[i]
  if (bits > 0x7f) return undefined
  const a = buf[p], b = buf[p + 1], c = buf[p + 2], d = buf[p + 3], e = buf[p + 4], f = buf[p + 5]
  const g = buf[p + 6], h = buf[p + 7], i = buf[p + 8], j = buf[p + 9], k = buf[p + 10], l = buf[p + 11]
  const m = buf[p + 12]
  if (length === 13) return chars(a, b, c, d, e, f, g, h, i, j, k, l, m)
  const n = buf[p + 13]
  if (length === 14) return chars(a, b, c, d, e, f, g, h, i, j, k, l, m, n)
  const o = buf[p + 14]
  if (length === 15) return chars(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
  const q = buf[p + 15]
  if (length === 16) return chars(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, q)
  const r = buf[p + 16]
  if (length === 17) return chars(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, q, r)
  const s = buf[p + 17]
  if (length === 18) return chars(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, q, r, s)
  const t = buf[p + 18]
  if (length === 19) return chars(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, q, r, s, t)
  const u = buf[p + 19]
  if (length === 20) return chars(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, q, r, s, t, u)
  const v = buf[p + 20]
  if (length === 21) return chars(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, q, r, s, t, u, v)
  const w = buf[p + 21]
  if (length === 22) return chars(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, q, r, s, t, u, v, w)
  const x = buf[p + 22]
  if (length === 23) return chars(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, q, r, s, t, u, v, w, x)
  const y = buf[p + 23]
  return chars(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, q, r, s, t, u, v, w, x, y)
}

/** Number of strings of SHORT + 1 to MIDDLE bytes before getMiddle is used for them. */
const WARM = 10_000

let strings = 0

function isWarm() {
  return strings > WARM || strings++ === WARM
}

/** @throws {import('../../errors').BSONError} on bytes that are not UTF-8 */
function getText(buf, start, end) {
  const length = end - start
  if (length > MIDDLE) return getUtf8(buf, start, end)
  const isShort = length <= SHORT
  const ascii = isShort ? getAscii(buf, start, length) : isWarm() ? getMiddle(buf, start, length) : undefined
  return ascii ?? getUtf8(buf, start, end)
}

module.exports = { SHORT, MIDDLE, getAscii, getMiddle, getText }
