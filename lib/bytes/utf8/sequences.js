'use strict'

// UTF-8 byte by byte: for checking it, and for reading it where the engine cannot.

/**
 * RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
 *
 * @returns {number} the offset of the first invalid byte, or -1
 */
function findInvalidUtf8(buf, start, end) {
  for (let i = start; i < end; ) {
    const size = sequenceLength(buf, i, end)
    if (size === 0) return i
    i += size
  }
  return -1
}

/** The length of the well-formed sequence at `i`, or 0 if it is not well-formed. */
function sequenceLength(buf, i, end) {
  const lead = buf[i]
  if (lead < 0x80) return 1
  if (lead < 0xc2 || lead > 0xf4) return 0
  const size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  if (i + size > end) return 0
  if (!isSecond(lead, buf[i + 1])) return 0
  for (let k = 2; k < size; k++) if ((buf[i + k] & 0xc0) !== 0x80) return 0
  return size
}

function isSecond(lead, byte) {
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  return byte >= low && byte <= high
}

/** The number of bytes that the engine's decoder replaces by one U+FFFD: the longest possible start of a sequence. */
function wrongLength(buf, i, end) {
  let size = 1
  while (size < 3 && i + size < end && mayFollow(buf, i, size)) size++
  return size
}

/** Whether bytes from `i` could continue with the one at `i + k`. */
function mayFollow(buf, i, k) {
  const lead = buf[i]
  if (lead < 0xe0 || lead > 0xf4) return false
  const byte = buf[i + k]
  return k === 1 ? isSecond(lead, byte) : lead >= 0xf0 && (byte & 0xc0) === 0x80
}

/** @returns {string | undefined} undefined if there is anything but ASCII */
function getAscii(buf, start, end) {
  let string = ''
  for (let i = start; i < end; i++) {
    const byte = buf[i]
    if (byte >= 0x80) return undefined
    string += String.fromCharCode(byte)
  }
  return string
}

/** Like TextDecoder, with U+FFFD for invalid UTF-8: https://encoding.spec.whatwg.org/#utf-8-decoder */
function getLossy(buf, start, end) {
  let string = ''
  for (let i = start; i < end; ) {
    const size = sequenceLength(buf, i, end)
    string += size === 0 ? '\ufffd' : String.fromCodePoint(pointAt(buf, i, size))
    i += size || wrongLength(buf, i, end)
  }
  return string
}

/** @param {Uint8Array} buf @param {number} i @param {number} size of the sequence there, in bytes */
function pointAt(buf, i, size) {
  if (size === 1) return buf[i]
  let point = buf[i] & (0xff >> (size + 1))
  for (let k = 1; k < size; k++) point = (point << 6) | (buf[i + k] & 0x3f)
  return point
}

module.exports = { findInvalidUtf8, sequenceLength, wrongLength, getAscii, getLossy }
