'use strict'

// UUIDs as text and as bytes: RFC 9562.

const { BSONError } = require('../errors')
const { hexByte, toHex } = require('../bytes')
const { allocateZeroed } = require('./local-bytes')
const { pooledBytes } = require('./random-bytes')

/** Size in bytes. */
const SIZE = 16

/** 32 hex digits, with all dashes or none. */
const TEXT = /^[\da-f]{8}(-?)([\da-f]{4}\1){3}[\da-f]{12}$/i

/** @returns {Uint8Array} the bytes of a random UUID, version 4 */
function generate() {
  const bytes = pooledBytes(SIZE)
  bytes[6] = (bytes[6] & 0x0f) | 0x40
  bytes[8] = (bytes[8] & 0x3f) | 0x80
  return bytes
}

/** @param {string} text @returns {boolean} whether it is 32 hex digits, or 36 characters with dashes */
function isText(text) {
  return TEXT.test(text)
}

/** @param {string} text 32 or 36 characters @returns {Uint8Array} @throws {BSONError} */
function parse(text) {
  if (typeof text !== 'string' || !isText(text)) {
    throw new BSONError('UUID string representation must be 32 hex digits or canonical hyphenated representation')
  }
  const bytes = allocateZeroed(SIZE)
  for (let i = 0, at = 0; i < SIZE; i++, at += 2) {
    if (text[at] === '-') at++
    bytes[i] = hexByte(text, at)
  }
  return bytes
}

/** @param {Uint8Array} bytes @returns {string} 36 characters */
function toText(bytes) {
  const hex = toHex(bytes)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

module.exports = { SIZE, generate, isText, parse, toText }
