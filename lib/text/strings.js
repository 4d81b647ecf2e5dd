'use strict'

// Text in BSON -> JSON strings. Both are UTF-8, so most of it is copied, four bytes at a time.

const { DIGIT, sequenceLength, wrongLength } = require('../bytes')
const { QUOTE, BACKSLASH } = require('./ascii')

/** Thrown when the bytes are wrong; `validate` then finds out what is. */
const BROKEN = new Error('broken BSON')

/** By byte: 1 for ASCII that JSON does not escape. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => {
  return +(byte >= 0x20 && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH)
})

/** By byte: the letter that escapes it, or 0. */
const ESCAPES = escapes({ '"': '"', '\\': '\\', '\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r' })

function escapes(letters) {
  const table = new Uint8Array(128)
  for (const char of Object.keys(letters)) table[char.charCodeAt(0)] = letters[char].charCodeAt(0)
  return table
}

/** One byte becomes fewer bytes than this, even as \u001f or U+FFFD. */
const ROOM = 8

/** Writes the bytes from `p` to `end` with quotes around them. The caller has reserved room, but none for escapes. */
function putText(w, p, end, pos) {
  const { buf, view, out } = w
  const { buf: text, view: textView } = out
  text[pos++] = QUOTE
  const last = end - 4
  while (p < last) {
    const word = view.getInt32(p, true)
    if (needsEscapeMask(word) !== 0) return putQuote(w, putRest(w, p, end, pos))
    textView.setInt32(pos, word, true)
    p += 4
    pos += 4
  }
  while (p < end && PLAIN[buf[p]] === 1) text[pos++] = buf[p++]
  if (p < end) return putQuote(w, putRest(w, p, end, pos))
  text[pos] = QUOTE
  return pos + 1
}

/**
 * Returns the highest bit of each of four bytes that cannot be copied: those that have it set, those below 0x20, quotes
 * and backslashes. The bits above the lowest one found may be wrong.
 */
function needsEscapeMask(word) {
  const odd = word | (word - 0x20202020) | ((word ^ 0x22222222) - 0x01010101) | ((word ^ 0x5c5c5c5c) - 0x01010101)
  return odd & 0x80808080
}

/** Reads four bytes near the end; bytes after the end are 0x00. */
function wordAt(buf, p, next) {
  let word = 0
  for (let i = 0; i < 4 && p + i < next; i++) word |= buf[p + i] << (8 * i)
  return word
}

function putQuote({ out }, pos) {
  out.buf[pos] = QUOTE
  return pos + 1
}

/** Writes text that has to be escaped or checked. @throws {Error} `BROKEN` */
function putRest(w, p, end, pos) {
  const { buf, view, out } = w
  while (p < end) {
    const byte = buf[p]
    if (PLAIN[byte] === 1) {
      out.buf[pos++] = byte
      p++
      for (; p < end - 4; p += 4, pos += 4) {
        const word = view.getInt32(p, true)
        if (needsEscapeMask(word) !== 0) break
        out.view.setInt32(pos, word, true)
      }
      continue
    }
    if (pos + (end - p) + ROOM > out.size) out.grow(pos, 2 * (end - p) + ROOM)
    if (byte < 0x80) {
      pos = putEscape(byte, out.buf, pos)
      p++
      continue
    }
    out.isAscii = false
    const size = sequenceLength(buf, p, end)
    if (size === 0 && w.plan.utf8) throw BROKEN
    if (size === 0) {
      pos = putReplacement(out.buf, pos)
      p += wrongLength(buf, p, end)
    } else {
      const text = out.buf
      text[pos] = byte
      text[pos + 1] = buf[p + 1]
      text[pos + 2] = buf[p + 2]
      text[pos + 3] = buf[p + 3]
      p += size
      pos += size
    }
  }
  return pos
}

function putEscape(byte, text, pos) {
  if (ESCAPES[byte] === 0) return putControl(byte, text, pos)
  text[pos] = BACKSLASH
  text[pos + 1] = ESCAPES[byte]
  return pos + 2
}

/** `\u001b` @param {number} code below 0x100 @param {Uint8Array} text */
function putControl(code, text, pos) {
  text[pos] = BACKSLASH
  text[pos + 1] = 0x75 // u
  text[pos + 2] = text[pos + 3] = 0x30
  text[pos + 4] = DIGIT[code >> 4]
  text[pos + 5] = DIGIT[code & 15]
  return pos + 6
}

/** U+FFFD */
function putReplacement(text, pos) {
  text[pos] = 0xef
  text[pos + 1] = 0xbf
  text[pos + 2] = 0xbd
  return pos + 3
}

/** Writes the rest of a name from a byte that is not plain. Sets `w.pos` to the offset of its 0x00, and `w.hash`. */
function putName(w, p, end, pos, hash) {
  const { buf } = w
  let i = p
  for (; i < end && buf[i] !== 0; i++) hash = Math.imul(hash ^ buf[i], 0x9e3779b1)
  if (i >= end) throw BROKEN
  w.pos = i
  w.hash = hash
  return putRest(w, p, i, pos)
}

module.exports = { BROKEN, PLAIN, needsEscapeMask, wordAt, putText, putControl, putName }
