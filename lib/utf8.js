'use strict'

// UTF-8, in JavaScript while the string is short and natively when it is long: a native call costs a flat fee of
// 25 to 70 ns, a character in JavaScript about 1 ns, by fours. See benchmark/thresholds/.

const { NodeBuffer } = require('./bytes')
const { errorAtOffset } = require('./errors')

/** Strings of up to so many UTF-16 units are written by the loop below. */
const SHORT_WRITE = 24

/** Strings of up to so many bytes are read by the loop below. */
const SHORT_READ = 10

const REPLACEMENT = '\ufffd'

/**
 * @param {string} string lone surrogates count as U+FFFD, three bytes
 * @returns {number} bytes
 */
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

/** Whether a high surrogate `unit` at `i` is followed by a low one: together four bytes. */
function isPair(string, unit, i) {
  return unit >= 0xd800 && unit < 0xdc00 && (string.charCodeAt(i + 1) & 0xfc00) === 0xdc00
}

/**
 * @param {string} string lone surrogates are written as U+FFFD, as TextEncoder does
 * @param {Uint8Array} buf with room for three bytes per unit
 * @param {number} offset
 * @returns {number} offset after the bytes; nothing closes them
 */
function putUtf8(string, buf, offset) {
  const length = string.length
  if (length > SHORT_WRITE) return offset + writeNative(string, buf, offset)
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

/** The rest of a string from its first unit beyond ASCII. */
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
  // Node's own method underneath `buf.write`, without its argument checks
  const write = NodeBuffer && /** @type {any} */ (NodeBuffer.prototype).utf8Write
  if (typeof write === 'function') return (string, buf, offset) => write.call(buf, string, offset, buf.length - offset)
  if (typeof TextEncoder === 'function') {
    const encoder = new TextEncoder()
    return (string, buf, offset) => encoder.encodeInto(string, buf.subarray(offset)).written
  }
  return (string, buf, offset) => putUnits(string, 0, buf, offset) - offset
}

/**
 * @param {Uint8Array} buf
 * @param {number} start
 * @param {number} end
 * @returns {string}
 * @throws {import('./errors').BSONError} on bytes that are not UTF-8
 */
function getUtf8(buf, start, end) {
  if (end - start <= SHORT_READ) return getShort(buf, start, end)
  const string = readNative(buf, start, end)
  // The native reader replaces what is wrong; only a string with U+FFFD in it can have been wrong.
  if (string.includes(REPLACEMENT)) checkUtf8(buf, start, end)
  return string
}

/** Reads without validation: what is not UTF-8 becomes U+FFFD. */
function getUtf8Lossy(buf, start, end) {
  return readNative(buf, start, end)
}

function getShort(buf, start, end) {
  let string = ''
  for (let i = start; i < end; i++) {
    const byte = buf[i]
    if (byte >= 0x80) return getPoints(buf, start, end)
    string += String.fromCharCode(byte)
  }
  return string
}

function getPoints(buf, start, end) {
  checkUtf8(buf, start, end)
  let string = ''
  for (let i = start; i < end; ) {
    const byte = buf[i]
    if (byte < 0x80) {
      string += String.fromCharCode(byte)
      i += 1
    } else if (byte < 0xe0) {
      string += String.fromCharCode(((byte & 0x1f) << 6) | (buf[i + 1] & 0x3f))
      i += 2
    } else if (byte < 0xf0) {
      string += String.fromCharCode(((byte & 0x0f) << 12) | ((buf[i + 1] & 0x3f) << 6) | (buf[i + 2] & 0x3f))
      i += 3
    } else {
      string += String.fromCodePoint(
        ((byte & 0x07) << 18) | ((buf[i + 1] & 0x3f) << 12) | ((buf[i + 2] & 0x3f) << 6) | (buf[i + 3] & 0x3f)
      )
      i += 4
    }
  }
  return string
}

/** @type {(buf: Uint8Array, start: number, end: number) => string} */
const readNative = nativeReader()

function nativeReader() {
  const read = NodeBuffer && /** @type {any} */ (NodeBuffer.prototype).utf8Slice
  if (typeof read === 'function') return (buf, start, end) => read.call(buf, start, end)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return (buf, start, end) => decoder.decode(buf.subarray(start, end))
}

/** @throws {import('./errors').BSONError} on bytes that are not UTF-8 */
function checkUtf8(buf, start, end) {
  const bad = findInvalidUtf8(buf, start, end)
  if (bad !== -1) throw errorAtOffset('Invalid UTF-8 string in BSON document', bad)
}

/**
 * RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
 *
 * @param {Uint8Array} buf
 * @param {number} start
 * @param {number} end
 * @returns {number} the offset of the first sequence that is not UTF-8, or -1
 */
function findInvalidUtf8(buf, start, end) {
  for (let i = start; i < end; ) {
    const size = sequenceLength(buf, i, end)
    if (size === 0) return i
    i += size
  }
  return -1
}

/** The length of the well-formed sequence at `i`, or 0 when it is not one. */
function sequenceLength(buf, i, end) {
  const lead = buf[i]
  if (lead < 0x80) return 1
  if (lead < 0xc2 || lead > 0xf4) return 0
  const size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  if (i + size > end) return 0
  const second = buf[i + 1]
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  if (second < low || second > high) return 0
  for (let k = 2; k < size; k++) if ((buf[i + k] & 0xc0) !== 0x80) return 0
  return size
}

module.exports = { SHORT_WRITE, SHORT_READ, utf8Length, putUtf8, getUtf8, getUtf8Lossy, checkUtf8, findInvalidUtf8 }
