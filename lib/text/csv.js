'use strict'

// Cells of CSV (RFC 4180) as UTF-8 bytes: text is quoted where it could be misread.

const { HEX } = require('./digits')
const { putControl } = require('./strings')
const { QUOTE, APOSTROPHE, MINUS } = require('./ascii')

/** What a byte of text asks for, besides quotes around the text, which are 1. */
const ESCAPE = 2
const LEAD = 3

/** By byte, where control characters are kept, and where they are escaped: all but tabs and line ends. */
const EXACT = Uint8Array.from({ length: 256 }, (_, byte) => +[QUOTE, 0x2c, 0x0a, 0x0d].includes(byte))
const ESCAPING = EXACT.map((asks, byte) => {
  if (byte === 0xc2) return LEAD // U+0080 to U+00BF, of which half are control characters
  return byte === 0x7f || (byte < 0x20 && byte !== 0x09 && asks === 0) ? ESCAPE : asks
})

/** The first characters of what spreadsheets take for a formula. */
const FORMULA = Uint8Array.from({ length: 128 }, (_, byte) => +'=+-@\t\r'.includes(String.fromCharCode(byte)))

/** The most bytes that one byte becomes: `\u001b`, and room for the closing quote. */
const ROOM = 16

/**
 * @typedef {object} CellStyle
 * @property {boolean} escapeControls whether control characters are written like \u001b
 * @property {boolean} escapeFormulae whether an apostrophe comes before text that looks like a formula
 */

/**
 * @param {Uint8Array} buf
 * @param {number} start of the text, which is valid UTF-8
 * @param {number} end
 * @param {CellStyle} style
 * @param {import('./output').TextOutput} out
 * @param {number} pos
 * @returns {number} the offset after it
 */
function putTextCell(buf, start, end, style, out, pos) {
  out.reserve(pos, end - start + ROOM)
  const text = out.buf
  if (start === end || isFormula(buf, start, style) || isSpaceAtEnds(buf, start, end)) {
    return putQuoted(buf, start, end, style, out, pos)
  }
  const asks = style.escapeControls ? ESCAPING : EXACT
  let p = start
  for (let at = pos; p < end && asks[buf[p]] === 0;) text[at++] = buf[p++]
  return p === end ? pos + end - start : putQuoted(buf, start, end, style, out, pos)
}

/** Whether an apostrophe has to come before the text. */
function isFormula(buf, start, { escapeFormulae }) {
  return escapeFormulae && FORMULA[buf[start]] === 1
}

/** @type {typeof putTextCell} */
function putQuoted(buf, start, end, style, out, pos) {
  const asks = style.escapeControls ? ESCAPING : EXACT
  out.reserve(pos, 2 * (end - start) + ROOM)
  let text = out.buf
  text[pos++] = QUOTE
  if (start < end && isFormula(buf, start, style)) text[pos++] = APOSTROPHE
  for (let p = start; p < end; p++) {
    const byte = buf[p]
    const asked = asks[byte]
    if (asked > 1 && (asked === ESCAPE || buf[p + 1] < 0xa0)) {
      out.reserve(pos, 2 * (end - p) + ROOM)
      text = out.buf
      pos = putControl(asked === LEAD ? buf[++p] : byte, text, pos)
    } else {
      if (byte === QUOTE) text[pos++] = QUOTE
      text[pos++] = byte
    }
  }
  text[pos] = QUOTE
  return pos + 1
}

/** Whether readers that trim would lose something: white space as of `\s`. */
function isSpaceAtEnds(buf, start, end) {
  const last = buf[end - 1]
  if (isBlank(buf[start]) || isBlank(last)) return true
  if (buf[start] >= 0xc2 && isSpace(buf, start)) return true
  return last >= 0x80 && (isSpace(buf, end - 2) || isSpace(buf, end - 3))
}

/** Whether the byte is white space of ASCII. */
function isBlank(byte) {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}

/** Whether there is a space beyond ASCII: U+00A0, U+1680, U+2000 to U+200A and so on. */
function isSpace(buf, p) {
  const [a, b, c] = [buf[p], buf[p + 1], buf[p + 2]]
  if (a === 0xc2) return b === 0xa0
  if (a === 0xe2 && b === 0x80) return (c >= 0x80 && c <= 0x8a) || c === 0xa8 || c === 0xa9 || c === 0xaf
  return (a === 0xe2 && b === 0x81 && c === 0x9f) || (a === 0xe1 && b === 0x9a && c === 0x80) ||
    (a === 0xe3 && b === 0x80 && c === 0x80) || (a === 0xef && b === 0xbb && c === 0xbf)
}

/** The text of a UUID. @param {Uint8Array} buf @param {number} p @param {DataView} view with room for 36 bytes */
function putUuidCell(buf, p, view, pos) {
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) view.setUint8(pos++, MINUS)
    view.setUint16(pos, HEX[buf[p + i]], true)
    pos += 2
  }
  return pos
}

module.exports = { putTextCell, putUuidCell }
