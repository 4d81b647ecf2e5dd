'use strict'

// Strings from a document. Short ones are created without a native call, which takes 40 to 90 ns regardless of length:
// `String.fromCharCode` with its arguments written out takes 9 ns plus 0.8 ns per character, a loop of `+=` 6 per
// character. See benchmark/thresholds/text.js.

const { getUtf8 } = require('.')

/** Maximum length, in bytes, of strings that are read here. */
const SHORT = 12

const chars = String.fromCharCode

/**
 * One function too long for V8 to inline (460 bytes of bytecode), so that it is compiled once, and not in each function
 * that reads names and values.
 *
 * @param {Uint8Array} buf
 * @param {number} start
 * @param {number} end
 * @param {typeof getOther} [other] reads text that is longer than SHORT or not ASCII; default getOther
 * @returns {string}
 * @throws {import('../../errors').BSONError} on bytes that are not UTF-8
 */
function getText(buf, start, end, other) {
  const length = end - start
  if (length === 0) return ''
  short: if (length <= SHORT) {
    const a = buf[start]
    let bits = a
    if (length === 1) if (bits > 0x7f) break short; else return chars(a)
    const b = buf[start + 1]
    bits |= b
    if (length === 2) if (bits > 0x7f) break short; else return chars(a, b)
    const c = buf[start + 2]
    bits |= c
    if (length === 3) if (bits > 0x7f) break short; else return chars(a, b, c)
    const d = buf[start + 3]
    bits |= d
    if (length === 4) if (bits > 0x7f) break short; else return chars(a, b, c, d)
    const e = buf[start + 4]
    bits |= e
    if (length === 5) if (bits > 0x7f) break short; else return chars(a, b, c, d, e)
    const f = buf[start + 5]
    bits |= f
    if (length === 6) if (bits > 0x7f) break short; else return chars(a, b, c, d, e, f)
    const g = buf[start + 6]
    bits |= g
    if (length === 7) if (bits > 0x7f) break short; else return chars(a, b, c, d, e, f, g)
    const h = buf[start + 7]
    bits |= h
    if (length === 8) if (bits > 0x7f) break short; else return chars(a, b, c, d, e, f, g, h)
    const i = buf[start + 8]
    bits |= i
    if (length === 9) if (bits > 0x7f) break short; else return chars(a, b, c, d, e, f, g, h, i)
    const j = buf[start + 9]
    bits |= j
    if (length === 10) if (bits > 0x7f) break short; else return chars(a, b, c, d, e, f, g, h, i, j)
    const k = buf[start + 10]
    bits |= k
    if (length === 11) if (bits > 0x7f) break short; else return chars(a, b, c, d, e, f, g, h, i, j, k)
    const l = buf[start + 11]
    bits |= l
    if (bits <= 0x7f) return chars(a, b, c, d, e, f, g, h, i, j, k, l)
  }
  return getRest(buf, start, end, other)
}

function getRest(buf, start, end, other) {
  return other === undefined ? getOther(buf, start, end) : other(buf, start, end)
}

/**
 * The longest string, in bytes, that is read this way after the first WARM strings: 34 to 53 ns instead of 80 to 90. It
 * is slower until the engine has compiled it: used from the start, the first 3,000 documents took 1.1 times as long.
 */
const MIDDLE = 24

/** For a length of SHORT + 1 to MIDDLE. @returns {string | undefined} undefined if there is anything but ASCII */
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

/** Before that, one string in this many. V8 would otherwise drop optimized code that calls it for the first time. */
const SOMETIMES = 64

let strings = 0

function isWarm() {
  return strings > WARM || ++strings % SOMETIMES === 0
}

/** @throws {import('../../errors').BSONError} on bytes that are not UTF-8 */
function getOther(buf, start, end) {
  const length = end - start
  const ascii = length > SHORT && length <= MIDDLE && isWarm() ? getMiddle(buf, start, length) : undefined
  return ascii ?? getUtf8(buf, start, end)
}

module.exports = { SHORT, MIDDLE, getMiddle, getText }
