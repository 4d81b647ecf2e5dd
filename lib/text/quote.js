'use strict'

// Strings and names -> JSON.

const { writeAscii } = require('./output')
const { PLAIN } = require('./strings')
const { QUOTE, COLON } = require('./ascii')

/** Characters that JSON escapes; of surrogates it escapes only some, which is left to JSON.stringify. */
const NEEDS_ESCAPE = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

/** Characters other than ASCII that needs no escape. */
const NOT_PLAIN = /[^ !#-[\]-~]/

/** Strings of up to this many UTF-16 units are written character by character, longer ones natively. */
const SHORT = 96

/** Strings longer than this are written natively wherever there is room for their largest possible size. */
const MIDDLE = 256

/** Writes a string with quotes around it. @param {string} string @param {TextOutput} out @param {number} pos */
function putString(string, out, pos) {
  const { length } = string
  if (length > MIDDLE) return putLong(string, out, pos)
  pos = out.reserve(pos, length + 2)
  const isPut = length <= SHORT ? putPlain(string, out.view, pos + 1) : putCopy(string, out, pos + 1)
  if (!isPut) return putLong(string, out, pos)
  out.view.setUint8(pos, QUOTE)
  out.view.setUint8(pos + length + 1, QUOTE)
  return pos + length + 2
}

/** Stops at a character that is not plain. @param {string} string @param {DataView} view @returns {boolean} if none */
function putPlain(string, view, pos) {
  const { length } = string
  let i = 0
  for (; i + 3 < length; i += 4) {
    const a = string.charCodeAt(i)
    const b = string.charCodeAt(i + 1)
    const c = string.charCodeAt(i + 2)
    const d = string.charCodeAt(i + 3)
    if ((a | b | c | d) >= 0x80 || (PLAIN[a] & PLAIN[b] & PLAIN[c] & PLAIN[d]) === 0) return false
    view.setInt32(pos + i, a | (b << 8) | (c << 16) | (d << 24), true)
  }
  for (; i < length; i++) {
    const code = string.charCodeAt(i)
    if (code >= 0x80 || PLAIN[code] === 0) return false
    view.setUint8(pos + i, code)
  }
  return true
}

/** As `putPlain`, natively. */
function putCopy(string, out, pos) {
  if (NOT_PLAIN.test(string)) return false
  writeAscii(string, out.buf, pos)
  return true
}

function putLong(string, out, pos) {
  if (NEEDS_ESCAPE.test(string)) return out.append(pos, JSON.stringify(string))
  return putMark(QUOTE, out, out.append(putMark(QUOTE, out, pos), string))
}

/** @param {number} mark a character code @param {TextOutput} out @param {number} pos */
function putMark(mark, out, pos) {
  pos = out.reserve(pos, 1)
  out.view.setUint8(pos, mark)
  return pos + 1
}

/** `{"name":` or `,"name":`. @param {string} name @param {number} before brace or comma @param {TextOutput} out */
function putName(name, before, out, pos) {
  return putMark(COLON, out, putString(name, out, putMark(before, out, pos)))
}

/** ASCII that is written four bytes at a time. */
class Words {
  constructor(ascii) {
    const bytes = Uint8Array.from(ascii.padEnd((ascii.length + 3) & ~3), char => char.charCodeAt(0))
    this.length = ascii.length
    this.words = new Int32Array(bytes.length / 4)
    const view = new DataView(bytes.buffer)
    for (let i = 0; i < this.words.length; i++) this.words[i] = view.getInt32(4 * i, true)
  }
}

/** @param {Words} piece @param {DataView} view with room for three bytes more @param {number} pos */
function putWords({ words, length }, view, pos) {
  for (let i = 0; i < words.length; i++) view.setInt32(pos + 4 * i, words[i], true)
  return pos + length
}

/** @typedef {import('./output').TextOutput} TextOutput */

module.exports = { SHORT, MIDDLE, putString, putMark, putName, Words, putWords }
