'use strict'

// The input of compiled readers: the bytes, a DataView of the same bytes, which reads a word as fast as a byte, and the
// text of a window of them. Creating a DataView takes 55 ns; copying a small document to memory that has one takes 10
// to 25. A native call that creates a string takes 60 to 90 ns regardless of its length; slicing it from another string
// takes 8.

const { NodeBuffer, allocate, getUtf8, SHORT, MIDDLE, getMiddle, getText: getShort } = require('../bytes')
const { COPIED, getView, viewOf } = require('../decode')

const scratch = allocate(COPIED)
const scratchView = viewOf(scratch)

/** Size of a window. A string keeps its window alive, so the window must stay small. */
const WINDOW = 512

/** Strings longer than this, in bytes, do not open a window. */
const LONG = 64

/** Strings longer than this are not sliced from an open window either. */
const LONGEST = 256

/** The highest bit of each of four bytes. */
const NOT_ASCII = 0x80808080 | 0

const hasWindow = typeof (/** @type {any} */ (NodeBuffer?.prototype)?.latin1Slice) === 'function'

let text = ''
let textStart = 0
let textEnd = 0
let limit = 0

/**
 * Checks eight words at a time, which makes it too long for V8 to inline at every call: the reader of a document of six
 * strings takes ten times as long to compile with it inlined, and is no faster.
 */
function getText(buf, view, start, end) {
  const length = end - start
  if (length <= SHORT) return getShort(buf, start, end, getAccented)
  const isInside = start >= textStart && end <= textEnd
  if (!isInside && length <= MIDDLE) return getMiddle(buf, start, length) ?? getUtf8(buf, start, end)
  if (length > (isInside ? LONGEST : LONG) || !hasWindow) return getUtf8(buf, start, end)
  let i = start
  let bits = view.getInt32(end - 4, true)
  for (; i + 32 < end; i += 32) {
    bits |= view.getInt32(i, true) | view.getInt32(i + 4, true)
    bits |= view.getInt32(i + 8, true) | view.getInt32(i + 12, true)
    bits |= view.getInt32(i + 16, true) | view.getInt32(i + 20, true)
    bits |= view.getInt32(i + 24, true) | view.getInt32(i + 28, true)
  }
  for (; i + 8 < end; i += 8) bits |= view.getInt32(i, true) | view.getInt32(i + 4, true)
  if (i + 4 < end) bits |= view.getInt32(i, true)
  if ((bits & NOT_ASCII) !== 0) return getUtf8(buf, start, end)
  if (!isInside) openWindow(buf, start)
  return text.slice(start - textStart, end - textStart)
}

/**
 * A short text that is not ASCII. With one two-byte character, as names often have, it takes 55 ns instead of the 95 of
 * a native call.
 */
function getAccented(buf, start, end) {
  let i = start
  while (buf[i] < 0x80) i++
  const isTwo = buf[i] >= 0xc2 && buf[i] <= 0xdf && i + 1 < end && (buf[i + 1] & 0xc0) === 0x80
  let bits = isTwo ? 0 : 0x80
  for (let k = i + 2; k < end; k++) bits |= buf[k]
  if (bits > 0x7f) return getUtf8(buf, start, end)
  const letter = String.fromCharCode((buf[i] & 0x1f) << 6 | buf[i + 1] & 0x3f)
  return getShort(buf, start, i) + letter + getShort(buf, i + 2, end)
}

function openWindow(buf, start) {
  textStart = start
  textEnd = Math.min(limit, start + WINDOW)
  text = buf.latin1Slice(textStart, textEnd)
}

/** Reads a document. */
function readFrom(read, buf, index, end) {
  textEnd = 0 // the same offsets now refer to different bytes
  limit = end
  if (index !== 0 || end !== buf.length || end > COPIED) {
    return read(buf, getView(buf), index + 4, end - 1, 1)
  }
  scratch.set(buf)
  return read(scratch, scratchView, 4, end - 1, 1)
}

/** Like `readFrom`, for readers that need no view. */
function readSmall(read, buf, index, end) {
  return read(buf, null, index + 4, end - 1, 1)
}

module.exports = { getText, readFrom, readSmall }
