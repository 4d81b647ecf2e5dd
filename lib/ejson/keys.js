'use strict'

// The keys of documents in JSON's text, found before the documents are read.

const { getText } = require('../bytes')
const { ascii } = require('../text')
const { NONE } = require('./quick-forms')
const { NotJson, skipSpace, endOfPlain, endOfString, endOfJson, textOf } = require('./tokens')

const { QUOTE, COMMA, COLON, OPEN_ARRAY, CLOSE_ARRAY, OPEN_DOCUMENT, CLOSE_DOCUMENT } = ascii

/** Levels of nesting in the value of a wrapper, at most: {"$dbPointer": {"$id": {"$oid": ...}}}. */
const FORM_LEVELS = 2

/** @param {Uint8Array} buf @param {number} at of a key's quote @returns {string} */
function keyAt(buf, at) {
  const end = endOfPlain(buf, at + 1)
  return buf[end] === QUOTE ? getText(buf, at + 1, end) : textOf(buf, at + 1, endOfString(buf, at + 1))
}

/** @param {Uint8Array} buf @param {number} end of a key @returns {number} where its value begins */
function valueOf(buf, end) {
  const at = skipSpace(buf, end + 1)
  if (buf[at] !== COLON) throw new NotJson()
  return skipSpace(buf, at + 1)
}

/** @param {Uint8Array} buf @param {number} end of a value @returns {number} the quote of a key after it, or NONE */
function keyAfter(buf, end) {
  const comma = skipSpace(buf, end)
  const key = skipSpace(buf, comma + 1)
  return buf[comma] === COMMA && buf[key] === QUOTE ? key : NONE
}

/**
 * Finds the keys `$code` that follow a document, in the document at `at` and right after it.
 *
 * @param {Uint8Array} buf
 * @param {number} at
 * @param {Map<number, number>} codes gets their quotes, by where the document before begins
 * @returns {number} the end of the document at `at`
 */
function findCodes(buf, at, codes) {
  const open = []
  do {
    const byte = buf[at]
    if (byte === undefined) throw new NotJson()
    if (byte === QUOTE) at = endOfString(buf, at + 1)
    else if (byte === OPEN_DOCUMENT || byte === OPEN_ARRAY) open.push(at)
    else if (byte === CLOSE_DOCUMENT || byte === CLOSE_ARRAY) {
      const from = open.pop()
      const key = keyAfter(buf, at + 1)
      if (key !== NONE && keyAt(buf, key) === '$code') codes.set(from, key)
    }
    at++
  } while (open.length > 0)
  return at
}

/**
 * Where the form ends, or NONE if the document has other keys, or more levels than any wrapper: it looks only a few
 * levels deep, so that nested documents are not read again and again.
 */
function endOfForm(buf, from, keys) {
  let at = skipSpace(buf, from + 1)
  for (;;) {
    if (buf[at] !== QUOTE) throw new NotJson()
    if (!keys.includes(keyAt(buf, at))) return NONE
    const end = endOfJson(buf, valueOf(buf, endOfString(buf, at + 1)), FORM_LEVELS)
    if (end === -1) return NONE
    at = skipSpace(buf, end)
    if (buf[at] === CLOSE_DOCUMENT) return at + 1
    if (buf[at] !== COMMA) throw new NotJson()
    at = skipSpace(buf, at + 1)
  }
}

module.exports = { keyAt, valueOf, keyAfter, findCodes, endOfForm }
