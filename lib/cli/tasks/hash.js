'use strict'

// What --hash does to values: HMAC-SHA-256, under which equal values stay equal, so that references still match.

const { createHmac } = require('node:crypto')
const { ELEMENT, SUBTYPE } = require('../../spec')
const { concat, utf8Bytes } = require('../../bytes')
const { numberKey } = require('../../query/numbers')
const { EACH } = require('../../raw')

/** @typedef {import('../../raw/rewrite').RawValue} RawValue @typedef {import('../../raw/rewrite').Edit} Edit */

/** Bytes of a hash that replaces a text or a number: enough to make collisions practically impossible. */
const HASH_SIZE = 16

/** So many values of up to so many bytes are remembered with their hashes: an HMAC takes 2 us. */
const SHORT = 64
const REMEMBERED = 1000

/** Precedes the type and the bytes of what is no text: no UTF-8 begins so, or 5 and "5" would have the same hash. */
const NO_TEXT = 0xff

/** @param {Uint8Array} key @returns {Edit} */
function hashEdit(key) {
  const hmac = hmacOf(key)
  return { of: value => (HASHED[value.type] ?? hashOfOther)(value, hmac) }
}

const unchanged = value => value

/** What the values of a type become. */
const HASHED = {
  [ELEMENT.NULL]: unchanged,
  [ELEMENT.UNDEFINED]: unchanged,
  [ELEMENT.ARRAY]: () => EACH,
  [ELEMENT.STRING]: ({ buf, start, end }, hmac) => textOf(hmac(buf, start + 4, end - 1)),
  [ELEMENT.OBJECT_ID]: ({ type, buf, start, end }, hmac) =>
    ({ type, buf: Buffer.from(hmac(buf, start, end), 'hex'), start: 0, end: 12 }),
  [ELEMENT.INT32]: hashOfNumber,
  [ELEMENT.INT64]: hashOfNumber,
  [ELEMENT.DOUBLE]: hashOfNumber,
  [ELEMENT.DECIMAL128]: hashOfNumber,
  [ELEMENT.BINARY]: hashOfBinary
}

/** Of an integer, all digits are hashed. @param {RawValue} value @param {Hmac} hmac */
function hashOfNumber({ type, buf, start }, hmac) {
  const key = numberKey(type, buf, start)
  const text = utf8Bytes(String(Number.isInteger(key) && !Number.isSafeInteger(key) ? BigInt(key) : key))
  return hashOfOther({ type: ELEMENT.DOUBLE, buf: text, start: 0, end: text.length }, hmac)
}

function hashOfOther({ type, buf, start, end }, hmac) {
  const bytes = concat([Uint8Array.of(NO_TEXT, type), buf.subarray(start, end)])
  return textOf(hmac(bytes, 0, bytes.length))
}

/** @typedef {(buf: Uint8Array, start: number, end: number) => string} Hmac 64 hexadecimal digits */

function hmacOf(key) {
  /** @type {Map<string, string>} */
  const known = new Map()
  const hashOf = bytes => createHmac('sha256', key).update(bytes).digest('hex')
  return (buf, start, end) => {
    const bytes = Buffer.from(buf.buffer, buf.byteOffset + start, end - start)
    if (bytes.length > SHORT) return hashOf(bytes)
    const name = bytes.toString('latin1')
    let hash = known.get(name)
    if (hash === undefined) {
      if (known.size === REMEMBERED) known.clear()
      known.set(name, (hash = hashOf(bytes)))
    }
    return hash
  }
}

/**
 * A UUID stays a UUID, other bytes become 16 bytes, and references to either still match. Subtypes with a format of
 * their own turn generic.
 */
function hashOfBinary({ type, buf, start, end }, hmac) {
  const subtype = buf[start + 4]
  const bytes = Buffer.alloc(5 + HASH_SIZE)
  bytes[0] = HASH_SIZE
  bytes[4] = subtype === SUBTYPE.BYTE_ARRAY || subtype === SUBTYPE.VECTOR ? SUBTYPE.GENERIC : subtype
  bytes.write(hmac(buf, start + 4, end), 5, HASH_SIZE, 'hex')
  return { type, buf: bytes, start: 0, end: bytes.length }
}

/** A string of as many digits: its length, and a byte for each. */
const DIGITS = Buffer.from([2 * HASH_SIZE + 1, 0, 0, 0, ...Array(2 * HASH_SIZE + 1).fill(0)])
const DIGITS_VALUE = { type: ELEMENT.STRING, buf: DIGITS, start: 0, end: DIGITS.length }

/** @param {string} hash @returns {RawValue} a string of its first digits, overwritten by the next call */
function textOf(hash) {
  DIGITS.write(hash, 4, 2 * HASH_SIZE, 'latin1')
  return DIGITS_VALUE
}

module.exports = { hashEdit }
