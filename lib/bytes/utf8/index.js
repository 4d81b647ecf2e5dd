'use strict'

// UTF-8, in JavaScript for short strings and natively for long ones: a native call has a fixed cost of 25 to 70 ns,
// JavaScript takes about 1 ns per character, four at a time. See benchmark/thresholds/.

const { NodeBuffer } = require('../memory')
const { errorAtOffset } = require('../../errors')
const { findInvalidUtf8, getAscii, getLossy } = require('./sequences')
const { isWide, getWide } = require('./utf16')

/** Strings of up to this many UTF-16 units are written by the loop below. */
const SHORT_WRITE = 24

/** The same for runtimes with TextEncoder instead of Buffer, measured in Chromium and Firefox. */
const SHORT_WRITE_ELSEWHERE = 200

const shortWrite = NodeBuffer === undefined ? SHORT_WRITE_ELSEWHERE : SHORT_WRITE

const REPLACEMENT = '\ufffd'

/** @param {string} string lone surrogates count as U+FFFD, three bytes @returns {number} bytes */
function utf8Length(string) {
  const length = string.length
  if (length > SHORT_WRITE && NodeBuffer !== undefined) return NodeBuffer.byteLength(string, 'utf8')
  let bytes = length
  for (let i = 0; i < length; i++) {
    const unit = string.charCodeAt(i)
    if (unit < 0x80) continue
    if (unit < 0x800) bytes += 1
    else if (isPair(string, unit, i)) (bytes += 2), i++
    else bytes += 2
  }
  return bytes
}

/** Whether the high surrogate `unit` at `i` is followed by a low one. Together they take four bytes. */
function isPair(string, unit, i) {
  return unit >= 0xd800 && unit < 0xdc00 && (string.charCodeAt(i + 1) & 0xfc00) === 0xdc00
}

/**
 * @param {string} string lone surrogates are written as U+FFFD, as TextEncoder does
 * @param {Uint8Array} buf with room for three bytes per unit
 * @param {number} offset
 * @returns {number} offset after the bytes; no 0x00 is added
 */
function putUtf8(string, buf, offset) {
  const length = string.length
  if (length > shortWrite) return offset + writeNative(string, buf, offset)
  let i = 0
  for (; i + 3 < length; i += 4) {
    const a = string.charCodeAt(i)
    const b = string.charCodeAt(i + 1)
    const c = string.charCodeAt(i + 2)
    const d = string.charCodeAt(i + 3)
    if ((a | b | c | d) >= 0x80) return putUnits(string, i, buf, offset + i)
    buf[offset + i] = a
    buf[offset + i + 1] = b
    buf[offset + i + 2] = c
    buf[offset + i + 3] = d
  }
  for (; i < length; i++) {
    const unit = string.charCodeAt(i)
    if (unit >= 0x80) return putUnits(string, i, buf, offset + i)
    buf[offset + i] = unit
  }
  return offset + length
}

/** Writes the rest of a string, from its first unit beyond ASCII. */
function putUnits(string, i, buf, offset) {
  for (; i < string.length; i++) {
    let unit = string.charCodeAt(i)
    if (unit < 0x80) {
      buf[offset++] = unit
    } else if (unit < 0x800) {
      buf[offset++] = 0xc0 | (unit >> 6)
      buf[offset++] = 0x80 | (unit & 0x3f)
    } else if (isPair(string, unit, i)) {
      const point = 0x10000 + ((unit & 0x3ff) << 10) + (string.charCodeAt(++i) & 0x3ff)
      buf[offset++] = 0xf0 | (point >> 18)
      buf[offset++] = 0x80 | ((point >> 12) & 0x3f)
      buf[offset++] = 0x80 | ((point >> 6) & 0x3f)
      buf[offset++] = 0x80 | (point & 0x3f)
    } else {
      if ((unit & 0xf800) === 0xd800) unit = 0xfffd
      buf[offset++] = 0xe0 | (unit >> 12)
      buf[offset++] = 0x80 | ((unit >> 6) & 0x3f)
      buf[offset++] = 0x80 | (unit & 0x3f)
    }
  }
  return offset
}

/** @type {(string: string, buf: Uint8Array, offset: number) => number} returns the number of bytes */
const writeNative = nativeWriter()

function nativeWriter() {
  // the Node method behind `buf.write`, without its argument checks
  const utf8Write = NodeBuffer && /** @type {any} */ (NodeBuffer.prototype).utf8Write
  if (typeof utf8Write === 'function') return (string, buf, offset) => utf8Write.call(buf, string, offset, buf.length - offset)
  return typeof TextEncoder === 'function' && 'encodeInto' in TextEncoder.prototype ? writerOf(new TextEncoder()) : plainWriter
}

/** The engine's encoder refuses memory that is shared or resizable. */
function writerOf(encoder) {
  return (string, buf, offset) => {
    try {
      return encoder.encodeInto(string, buf.subarray(offset)).written
    } catch {
      return plainWriter(string, buf, offset)
    }
  }
}

function plainWriter(string, buf, offset) {
  return putUnits(string, 0, buf, offset) - offset
}

/** @throws {import('../../errors').BSONError} on bytes that are not UTF-8 */
function getUtf8(buf, start, end) {
  const wide = isWide(buf, start, end) ? getWide(buf, start, end) : undefined
  if (wide !== undefined) return wide
  const string = getUtf8Lossy(buf, start, end)
  // The native reader replaces invalid bytes, so only a string that contains U+FFFD can have been invalid.
  if (string.includes(REPLACEMENT)) checkUtf8(buf, start, end)
  return string
}

/** Text of up to this many bytes fits into a string in every engine. V8 on 32 bits has the lowest limit. */
const ALWAYS_FITS = 2 ** 28 - 16

/** The error for text that an engine could not turn into a string, if it was too long. */
function unreadable(cause, start, end) {
  const size = end - start
  return size <= ALWAYS_FITS ? cause : errorAtOffset(`text of ${size} bytes exceeds the maximum string length`, start, cause)
}

/** @type {(buf: Uint8Array, start: number, end: number) => string} invalid UTF-8 becomes U+FFFD */
const getUtf8Lossy = nativeReader()

function nativeReader() {
  const utf8Slice = NodeBuffer && /** @type {any} */ (NodeBuffer.prototype).utf8Slice
  if (typeof utf8Slice === 'function') return readerBy(utf8Slice)
  return typeof TextDecoder === 'function' ? readerOf(new TextDecoder('utf-8', { ignoreBOM: true })) : getLossy
}

/** Calls the Node method directly: through another function, long strings took 1.1 times as long. */
function readerBy(read) {
  return function readByNode(buf, start, end) {
    try {
      return read.call(buf, start, end)
    } catch (cause) {
      throw unreadable(cause, start, end)
    }
  }
}

/** Up to this many bytes of ASCII are read without TextDecoder, measured in Chromium and Firefox. */
const SHORT_READ_ELSEWHERE = 64

/** The engine's decoder refuses memory that is shared or resizable. */
function readerOf(decoder) {
  return (buf, start, end) => {
    const ascii = end - start <= SHORT_READ_ELSEWHERE ? getAscii(buf, start, end) : undefined
    if (ascii !== undefined) return ascii
    try {
      return decoder.decode(buf.subarray(start, end))
    } catch (error) {
      if (end - start > ALWAYS_FITS) throw unreadable(error, start, end)
      return getLossy(buf, start, end)
    }
  }
}

/** @param {string} string @returns {Uint8Array} its UTF-8; as `putUtf8` writes it */
function utf8Bytes(string) {
  const bytes = new Uint8Array(utf8Length(string))
  putUtf8(string, bytes, 0)
  return bytes
}

/** @throws {import('../../errors').BSONError} on bytes that are not UTF-8 */
function checkUtf8(buf, start, end) {
  const bad = findInvalidUtf8(buf, start, end)
  if (bad !== -1) throw errorAtOffset('Invalid UTF-8 string in BSON document', bad)
}

module.exports = {
  SHORT_WRITE, utf8Length, putUtf8, utf8Bytes, getUtf8, getUtf8Lossy, checkUtf8, findInvalidUtf8
}
