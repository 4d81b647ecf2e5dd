'use strict'

// JSON on one line -> the same on many lines, laid out exactly as by JSON.stringify's `space`. It works on the text,
// because JavaScript numbers would lose int64 digits and -0.0.

const { BSONError } = require('../errors')
const { copyOf, utf8Bytes } = require('../bytes')
const { LINE_FEED, SPACE, QUOTE, COMMA, COLON, OPEN_ARRAY, BACKSLASH, CLOSE_ARRAY, OPEN_DOCUMENT, CLOSE_DOCUMENT } = require('./ascii')

/** The longest string that V8 makes, in UTF-16 units. */
const MAX_SIZE = 2 ** 29 - 24

const NO_GAP = new Uint8Array(0)

/** By byte: 1 for a bracket that opens a level, -1 for one that closes it. */
const STEPS = Int8Array.from({ length: 256 }, (_, byte) => {
  return Number(byte === OPEN_DOCUMENT || byte === OPEN_ARRAY) - Number(byte === CLOSE_DOCUMENT || byte === CLOSE_ARRAY)
})

/** The indentation as in JSON.stringify: up to 10 spaces, or 10 units of a string. @param {unknown} space */
function gapOf(space) {
  const gap = typeof space === 'number' ? ' '.repeat(Math.max(0, Math.min(10, space))) : space
  if (typeof gap !== 'string' || gap === '') return NO_GAP
  return utf8Bytes(gap.slice(0, 10))
}

/**
 * Replaces the text by the indented text.
 *
 * @param {import('./output').TextOutput} out with JSON without white space
 * @param {number} start of it
 * @param {number} end
 * @param {Uint8Array} gap
 * @param {number} [level] of nesting around the text
 * @returns {number} the end of the new text
 * @throws {BSONError} when it becomes longer than a string can be: deep documents are indented far
 */
function indentBytes(out, start, end, gap, level = 0) {
  const from = copyOf(out.buf, start, end)
  const size = indentedSize(from, gap, level)
  if (size > MAX_SIZE) throw new BSONError('JSON text exceeds the maximum string length')
  if (gap.some(byte => byte >= 0x80)) out.isAscii = false
  let pos = out.reserve(start, size)
  const { buf } = out
  for (let i = 0; i < from.length;) {
    const byte = from[i]
    const step = STEPS[byte]
    if (byte === QUOTE) {
      const end = endOfString(from, i + 1)
      while (i < end) buf[pos++] = from[i++]
      continue
    }
    i++
    if (step < 0) pos = putLine(out, gap, --level, pos)
    buf[pos++] = byte
    if (step > 0 && STEPS[from[i]] < 0) buf[pos++] = from[i++] // empty
    else if (step > 0) pos = putLine(out, gap, ++level, pos)
    else if (byte === COMMA) pos = putLine(out, gap, level, pos)
    else if (byte === COLON) buf[pos++] = SPACE
  }
  return pos
}

/** The size of the indented text in bytes, or somewhat more. @param {Uint8Array} json @param {Uint8Array} gap */
function indentedSize(json, gap, level) {
  let size = json.length
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]
    level += STEPS[byte]
    if (byte === QUOTE) i = endOfString(json, i + 1) - 1
    else if (byte === COLON) size++
    else if (byte === COMMA || STEPS[byte] !== 0) size += 1 + level * gap.length
  }
  return size
}

/** Up to this level indentation is written byte by byte; beyond, it is copied, twice as much each time. */
const NARROW = 8

/** The caller has reserved room. */
function putLine({ buf }, gap, level, pos) {
  buf[pos++] = LINE_FEED
  const start = pos
  for (let i = 0; i < level && i < NARROW; i++) for (let k = 0; k < gap.length; k++) buf[pos++] = gap[k]
  const end = start + level * gap.length
  while (pos < end) {
    buf.copyWithin(pos, start, Math.min(pos, start + end - pos))
    pos = Math.min(2 * pos - start, end)
  }
  return pos
}

/** @param {Uint8Array} json @param {number} i after its opening quote @returns {number} after its closing quote */
function endOfString(json, i) {
  while (json[i] !== QUOTE) i += json[i] === BACKSLASH ? 2 : 1
  return i + 1
}

module.exports = { gapOf, putLine, indentBytes }
