'use strict'

// Strings out of a document. A native call to make one costs 60 to 90 ns whatever its length; a slice of a string that
// is there already costs 8. So a window of the document is read once, one byte a character, and what is ASCII is cut
// out of it.

const { getUtf8 } = require('../utf8')
const { SHORT, getShortText } = require('./short-text')
const { NodeBuffer } = require('../bytes')

/** Bytes of a window. A slice keeps its window alive: it must stay small. */
const WINDOW = 1024

/** No window is opened for strings longer than this, in bytes. */
const LONG = 64

/** And strings longer than this are not cut out of one that is open either: they are read by a call of their own. */
const LONGEST = 256

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

/** The highest bits of four bytes. */
const NOT_ASCII = 0x80808080 | 0

/**
 * @param {Uint8Array} buf a Buffer on Node
 * @param {DataView} view of the same bytes
 * @param {number} start
 * @param {number} end
 * @returns {string}
 * @throws {import('../errors').BSONError} on bytes that are not UTF-8
 */
function getText(buf, view, start, end) {
  const length = end - start
  if (length <= SHORT) return getShortText(buf, start, length)
  const isInside = start >= textStart && end <= textEnd
  if (length > (isInside ? LONGEST : LONG) || !hasWindow) return getUtf8(buf, start, end)
  let bits = 0
  let i = start
  for (; i + 4 <= end; i += 4) bits |= view.getInt32(i, true)
  for (; i < end; i++) bits |= buf[i]
  if ((bits & NOT_ASCII) !== 0) return getUtf8(buf, start, end)
  if (!isInside) openWindow(buf, start)
  return text.slice(start - textStart, end - textStart)
}

function openWindow(buf, start) {
  textStart = start
  textEnd = Math.min(limit, start + WINDOW)
  text = buf.latin1Slice(textStart, textEnd)
}

module.exports = { WINDOW, LONG, LONGEST, beginText, getText }
