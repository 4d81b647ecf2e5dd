'use strict'

// Reads the most common wrappers, such as `{"$oid": "..."}`, straight from their bytes. Anything unusual is left to
// wrappers.js, which reads every form and reports errors.

const { ELEMENT } = require('../spec')
const { NIBBLE, getText } = require('../bytes')
const { ascii, isoTime } = require('../text')
const { asciiOf, skipSpace, endOfPlain, numberOf } = require('./tokens')

/** @typedef {import('../encode/output').Output} Output */

/** Returned instead of an offset: it is not a quick form. */
const NONE = -1

const { QUOTE, MINUS, ZERO, COLON, OPEN_DOCUMENT, CLOSE_DOCUMENT } = ascii

const TWO_POW_32 = 4294967296

/** An integer with at most this many digits is exact as a double. */
const SAFE_DIGITS = 15

/**
 * A wrapper whose value is a quoted text. `put` writes the value, or returns NONE if it looks unusual.
 *
 * @typedef {object} QuickForm
 * @property {Uint8Array} key
 * @property {number} type of the element
 * @property {(buf: Uint8Array, start: number, end: number, out: Output, pos: number) => number} put
 */

/** @type {(key: string, type: number, put: QuickForm['put']) => QuickForm} */
const form = (key, type, put) => ({ key: asciiOf(key), type, put })

const LONG = form('$numberLong', ELEMENT.INT64, (buf, start, end, out, pos) => {
  return putInteger(integerOf(buf, start, end), out, pos)
})
const DATE = form('$date', ELEMENT.DATETIME, (buf, start, end, out, pos) => {
  return putInteger(isoTime(getText(buf, start, end)), out, pos)
})
const OBJECT_ID = form('$oid', ELEMENT.OBJECT_ID, putObjectId)
const INT = form('$numberInt', ELEMENT.INT32, putInt)
const DOUBLE = form('$numberDouble', ELEMENT.DOUBLE, putDouble)

/** By the length of their keys. @type {(QuickForm | undefined)[]} */
const FORMS = Array.from({ length: DOUBLE.key.length + 1 }, (_, length) => {
  return [LONG, DATE, OBJECT_ID, INT, DOUBLE].find(({ key }) => key.length === length)
})

/**
 * Writes the value of the wrapper whose key's quote is at `key`, or returns NONE. There is room for it. Moves the
 * reader past the wrapper, and sets its `type`.
 */
function putQuickForm(reader, key, pos) {
  const { buf } = reader
  const end = endOfPlain(buf, key + 1)
  const found = FORMS[end - key - 1]
  if (found === undefined || !isKey(buf, key + 1, found.key)) return NONE
  const value = valueAfter(buf, end)
  if (found === DATE && buf[value] === OPEN_DOCUMENT) return putLongDate(reader, value, pos)
  const after = putInQuotes(reader, found, end, value, pos)
  reader.type = found.type
  return after
}

/** {"$date": {"$numberLong": "..."}} */
function putLongDate(reader, inner, pos) {
  const { buf } = reader
  const key = skipSpace(buf, inner + 1)
  const end = endOfPlain(buf, key + 1)
  if (buf[key] !== QUOTE || end - key - 1 !== LONG.key.length || !isKey(buf, key + 1, LONG.key)) return NONE
  const after = putInQuotes(reader, LONG, end, valueAfter(buf, end), pos)
  if (after === NONE) return NONE
  const close = skipSpace(buf, reader.at)
  if (buf[close] !== CLOSE_DOCUMENT) return NONE
  reader.at = close + 1
  reader.type = ELEMENT.DATETIME
  return after
}

/** @param {QuickForm} found @param {number} keyEnd @param {number} value offset of the opening quote, if it is there */
function putInQuotes(reader, found, keyEnd, value, pos) {
  const { buf, out } = reader
  if (value === keyEnd || buf[value] !== QUOTE) return NONE
  const end = endOfPlain(buf, value + 1)
  const close = skipSpace(buf, end + 1)
  if (buf[end] !== QUOTE || buf[close] !== CLOSE_DOCUMENT) return NONE
  const after = found.put(buf, value + 1, end, out, pos)
  if (after !== NONE) reader.at = close + 1
  return after
}

/** @returns {boolean} whether `key` and a closing quote stand at `at` */
function isKey(buf, at, key) {
  for (let i = 0; i < key.length; i++) if (buf[at + i] !== key[i]) return false
  return buf[at + key.length] === QUOTE
}

/** @param {number} end of a key @returns {number} where its value begins, or the key's end if there is no colon */
function valueAfter(buf, end) {
  const colon = skipSpace(buf, end + 1)
  return buf[colon] === COLON ? skipSpace(buf, colon + 1) : end
}

function putObjectId(buf, start, end, out, pos) {
  if (end - start !== 24) return NONE
  const to = out.buf
  let bits = 0
  for (let i = 0; i < 12; i++) {
    const high = NIBBLE[buf[start + 2 * i]]
    const low = NIBBLE[buf[start + 2 * i + 1]]
    bits |= high | low
    to[pos + i] = (high << 4) | low
  }
  return bits < 0 ? NONE : pos + 12
}

/** @returns {number} NaN when it is not an integer, has too many digits, or has a leading zero or is -0 */
function integerOf(buf, start, end) {
  const first = buf[start] === MINUS ? start + 1 : start
  if (end === first || end - first > SAFE_DIGITS || (buf[first] === ZERO && end - start > 1)) return NaN
  let value = 0
  for (let i = first; i < end; i++) {
    const digit = buf[i] - ZERO
    if (!(digit >= 0 && digit <= 9)) return NaN
    value = 10 * value + digit
  }
  return first === start ? value : -value
}

function putInt(buf, start, end, out, pos) {
  const value = integerOf(buf, start, end)
  if ((value | 0) !== value) return NONE
  out.view.setInt32(pos, value, true)
  return pos + 4
}

/** Returns NONE for NaN. @param {number} value a safe integer, or NaN @param {Output} out @param {number} pos */
function putInteger(value, { view }, pos) {
  if (value !== value) return NONE
  view.setInt32(pos, value | 0, true)
  view.setInt32(pos + 4, Math.floor(value / TWO_POW_32), true)
  return pos + 8
}

function putDouble(buf, start, end, out, pos) {
  const value = numberOf(buf, start, end)
  if (value !== value) return NONE
  out.view.setFloat64(pos, value, true)
  return pos + 8
}

module.exports = { NONE, putQuickForm, putInteger }
