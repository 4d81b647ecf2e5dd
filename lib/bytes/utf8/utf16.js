'use strict'

// Reads UTF-8 of non-Latin scripts, for V8 before version 12, whose own decoder takes 10 ns per byte of non-ASCII text.
// This one takes 4 and checks the bytes.

const { NodeBuffer } = require('../memory')

/** Maximum size of the text that is read here, in bytes. */
const LONGEST = 4096

const isSlow = NodeBuffer !== undefined && typeof process === 'object' && parseInt(process.versions?.v8) < 12
const units = new Uint16Array(isSlow ? LONGEST : 0)
/** @type {any} */
const bytes = isSlow ? NodeBuffer.from(units.buffer) : undefined

/** Whether text is better read here: it begins beyond Latin-1, and its middle is not ASCII either. */
function isWide(buf, start, end) {
  return isSlow && buf[start] > 0xc3 && buf[(start + end) >> 1] > 0x7f && end - start <= LONGEST
}

/** @returns {string | undefined} undefined if it is not valid UTF-8 */
function getWide(buf, start, end) {
  let pos = start
  let n = 0
  while (pos < end) {
    const a = buf[pos++]
    if (a < 0x80) {
      units[n++] = a
      continue
    }
    const b = buf[pos++] ^ 0x80 // 0 to 0x3f if it is a continuation byte
    if (a < 0xe0) {
      if (a < 0xc2 || b > 0x3f) return undefined
      units[n++] = ((a & 0x1f) << 6) | b
      continue
    }
    const c = buf[pos++] ^ 0x80
    if ((b | c) > 0x3f) return undefined
    if (a < 0xf0) {
      const unit = ((a & 0xf) << 12) | (b << 6) | c
      if (unit < 0x800 || (unit & 0xf800) === 0xd800) return undefined
      units[n++] = unit
      continue
    }
    const d = buf[pos++] ^ 0x80
    const point = ((a & 0xf) << 18) | (b << 12) | (c << 6) | d
    if (d > 0x3f || point < 0x10000 || point > 0x10ffff) return undefined
    units[n++] = 0xd7c0 + (point >> 10)
    units[n++] = 0xdc00 | (point & 0x3ff)
  }
  return pos === end ? bytes.ucs2Slice(0, 2 * n) : undefined
}

module.exports = { isSlow, isWide, getWide }
