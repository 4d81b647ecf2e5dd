'use strict'

// What --mask does to values: a text keeps its shape, a number its type.

const { ELEMENT } = require('../../spec')
const { GrowingBytes, putInt32, sequenceLength } = require('../../bytes')
const { EACH } = require('../../raw')

/** @typedef {import('../../raw/rewrite').RawValue} RawValue @typedef {import('../../raw/rewrite').Edit} Edit */

const MASKED_NULL = { type: ELEMENT.NULL, buf: new Uint8Array(0), start: 0, end: 0 }

/** 0E0, the decimal zero: its exponent is stored with a bias of 6176 = 0x1820, shifted by one bit. */
const ZERO_DECIMAL = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x30)

/** What the values of a type become; those of all others null. */
const MASKED = {
  [ELEMENT.STRING]: ({ buf, start, end }) => maskedText(buf, start + 4, end - 1),
  [ELEMENT.INT32]: zero,
  [ELEMENT.INT64]: zero,
  [ELEMENT.DOUBLE]: zero,
  [ELEMENT.DECIMAL128]: ({ type }) => ({ type, buf: ZERO_DECIMAL, start: 0, end: 16 }),
  [ELEMENT.ARRAY]: () => EACH,
  [ELEMENT.DOCUMENT]: () => EACH
}

/** @type {Edit} */
const MASK = { of: value => MASKED[value.type]?.(value) ?? MASKED_NULL }

function zero({ type, start, end }) {
  return { type, buf: new Uint8Array(end - start), start: 0, end: end - start }
}

/** What each code unit becomes, filled on demand: itself is 1, not known yet 0. */
const SHAPES = new Uint8Array(0x10000)

const SAME = 1
const LOWER = 0x78 // x
const UPPER = 0x58 // X
const DIGIT = 0x30 // 0

function shapeOf(code) {
  if (code >= 0x10000) return classify(code)
  const known = SHAPES[code]
  return known === 0 ? (SHAPES[code] = classify(code)) : known
}

function classify(code) {
  const char = String.fromCodePoint(code)
  if (/\p{Lu}/u.test(char)) return UPPER
  if (/[\p{L}\p{M}]/u.test(char)) return LOWER
  return /\p{N}/u.test(char) ? DIGIT : SAME
}

/** The masked text, reused by the next one. */
const memory = new GrowingBytes(256)

/**
 * Letters become x or X, digits 0; spaces and punctuation stay. Bytes that are not UTF-8 become x. The next call
 * overwrites the result.
 */
function maskedText(buf, start, end) {
  memory.reserve(end - start + 5)
  const { out } = memory
  let pos = 4
  for (let p = start; p < end; ) {
    const byte = buf[p]
    const size = byte < 0x80 ? 1 : sequenceLength(buf, p, end)
    const shape = size === 0 ? LOWER : shapeOf(size === 1 ? byte : codeAt(buf, p, size))
    const next = p + Math.max(size, 1)
    if (shape === SAME) while (p < next) out[pos++] = buf[p++]
    else out[pos++] = shape
    p = next
  }
  out[pos++] = 0
  putInt32(pos - 4, out, 0)
  return { type: ELEMENT.STRING, buf: out, start: 0, end: pos }
}

/** The code point of a sequence of `size` bytes, 2 to 4. */
function codeAt(buf, p, size) {
  let code = buf[p] & (0x7f >> size)
  for (let i = 1; i < size; i++) code = (code << 6) | (buf[p + i] & 0x3f)
  return code
}

module.exports = { MASK }
