'use strict'

// Strings out of a document. A native call to make one costs 60 to 90 ns whatever its length; a slice of a string that
// is there already costs 8. So a window of the document is read once, one byte a character, and what is ASCII is cut
// out of it.

const { getUtf8 } = require('../utf8')
const { SHORT, getShortAscii } = require('./short-text')
const { NodeBuffer } = require('../bytes')

/** Bytes of a window. A slice keeps its window alive: it must stay small. */
const WINDOW = 1024

/** Strings longer than this, in bytes, are read by a call of their own. */
const LONG = 64

const hasWindow = NodeBuffer !== undefined && typeof (/** @type {any} */ (NodeBuffer.prototype).latin1Slice) === 'function'

let text = ''
let textStart = 0
let textEnd = 0

let limit = 0

/**
 * Begins a document: forgets the window, for the same offsets may now mean another buffer.
 *
 * @param {number} end offset after the document: no window reaches beyond
 */
function beginText(end) {
  textEnd = 0
  limit = end
}

/**
 * @param {Uint8Array} buf a Buffer on Node
 * @param {number} start
 * @param {number} end
 * @returns {string}
 * @throws {import('../errors').BSONError} on bytes that are not UTF-8
 */
function getText(buf, start, end) {
  const length = end - start
  if (length <= SHORT) return getShortAscii(buf, start, length) ?? getUtf8(buf, start, end)
  if (length > LONG || !hasWindow) return getUtf8(buf, start, end)
  let bits = 0
  for (let i = start; i < end; i++) bits |= buf[i]
  if (bits >= 0x80) return getUtf8(buf, start, end)
  if (start < textStart || end > textEnd) openWindow(buf, start)
  return text.slice(start - textStart, end - textStart)
}

function openWindow(buf, start) {
  textStart = start
  textEnd = Math.min(limit, start + WINDOW)
  text = buf.latin1Slice(textStart, textEnd)
}

module.exports = { WINDOW, LONG, beginText, getText }
