'use strict'

// What --set, --unset, --hash and --mask do to values, as edits of lib/raw/rewrite.js.

const fs = require('node:fs')
const { ELEMENT, SUBTYPE } = require('../spec')
const { getInt32, getInt64, getDouble } = require('../bytes')
const { getDecimal128 } = require('../decode')
const { encode } = require('../encode')
const { EACH, editTree, Rewriter } = require('../raw')
const { UsageError } = require('./options')
const { Hmac } = require('./hmac')
const { printable } = require('./printable')

/** @typedef {import('../raw/rewrite').RawValue} RawValue @typedef {import('../raw/rewrite').Edit} Edit */

/** Bytes of a hash that replaces a text or a number: enough to make collisions practically impossible. */
const HASH_SIZE = 16

/**
 * The edits with their key, in a form that can be sent to another thread.
 *
 * @param {Record<string, any>} options
 * @param {any} stderr gets a note when hashes cannot be reproduced
 * @returns {{set?: string[], unset?: string[], hash?: string[], mask?: string[], key?: Uint8Array} | undefined}
 * @throws {UsageError}
 */
function editsOf({ set, unset, hash, mask, 'key-file': file }, stderr) {
  if ((set ?? unset ?? hash ?? mask) === undefined) return undefined
  if (hash === undefined) return { set, unset, mask }
  if (file !== undefined) return { set, unset, hash, mask, key: readKey(file) }
  stderr.write('qbson: --hash uses a new random key, so another run produces other hashes (see --key-file)\n')
  return { set, unset, hash, mask, key: require('node:crypto').randomBytes(32) }
}

function readKey(file) {
  let key
  try {
    key = fs.readFileSync(file)
  } catch (error) {
    throw new UsageError(printable(`${file}: ${error.message}`))
  }
  if (key.length < 16) throw new UsageError(printable(`${file}: a key must have at least 16 bytes`))
  return new Uint8Array(key)
}

/** @param {ReturnType<typeof editsOf>} edits @returns {Rewriter} @throws {UsageError} */
function rewriterOf({ set = [], unset = [], hash = [], mask = [], key }) {
  const hashing = hash.length > 0 ? hashEdit(new Hmac(key)) : null
  const all = [
    ...set.map(setEdit), ...unset.map(path => ({ path, edit: { of: () => null } })),
    ...hash.map(path => ({ path, edit: hashing })), ...mask.map(path => ({ path, edit: MASK }))
  ]
  try {
    return new Rewriter(editTree(all))
  } catch (error) {
    throw new UsageError(printable(error.message))
  }
}

/** @param {string} text `path=json` */
function setEdit(text) {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`--set needs PATH=JSON, not ${JSON.stringify(text)}`)
  try {
    const bytes = require('../ejson').EJSON.toBSON(`{"":${text.slice(at + 1)}}`)
    const added = { type: bytes[4], buf: bytes, start: 6, end: bytes.length - 1 }
    return { path: text.slice(0, at), edit: { of: () => added, added } }
  } catch (error) {
    throw new UsageError(`--set ${printable(text)}: ${printable(error.message)} (text needs quotes: name='"x"')`)
  }
}

/** @param {Hmac} hmac @returns {Edit} */
function hashEdit(hmac) {
  return {
    of: value => {
      const { type, buf, start, end } = value
      switch (type) {
        case ELEMENT.NULL:
        case ELEMENT.UNDEFINED:
          return value
        case ELEMENT.ARRAY:
          return EACH
        case ELEMENT.STRING:
          return textOf(hmac.of(buf, start + 4, end - 1))
        case ELEMENT.OBJECT_ID:
          return { type, buf: Buffer.from(hmac.of(buf, start, end)), start: 0, end: 12 }
        case ELEMENT.INT32:
        case ELEMENT.INT64:
        case ELEMENT.DOUBLE:
        case ELEMENT.DECIMAL128:
          return textOf(hmac.of(Buffer.from(numberText(value))))
        case ELEMENT.BINARY:
          return hashOfBinary(hmac, value)
        default:
          return textOf(hmac.of(buf, start, end))
      }
    }
  }
}

/**
 * A UUID stays a UUID, other bytes become 16 bytes, and references to either still match. Subtypes with a format of
 * their own turn generic.
 */
function hashOfBinary(hmac, { type, buf, start, end }) {
  const subtype = buf[start + 4]
  const bytes = Buffer.alloc(5 + HASH_SIZE)
  bytes[0] = HASH_SIZE
  bytes[4] = subtype === SUBTYPE.BYTE_ARRAY || subtype === SUBTYPE.VECTOR ? SUBTYPE.GENERIC : subtype
  bytes.set(hmac.of(buf, start + 4, end).subarray(0, HASH_SIZE), 5)
  return { type, buf: bytes, start: 0, end: bytes.length }
}

const HEX = Buffer.from('0123456789abcdef')

/** A string of as many digits: its length, and a byte for each. */
const DIGITS = Buffer.from([2 * HASH_SIZE + 1, 0, 0, 0, ...Array(2 * HASH_SIZE + 1).fill(0)])
const DIGITS_VALUE = { type: ELEMENT.STRING, buf: DIGITS, start: 0, end: DIGITS.length }

/** @param {Uint8Array} hash @returns {RawValue} a string of its digits, overwritten by the next call */
function textOf(hash) {
  for (let i = 0; i < HASH_SIZE; i++) {
    DIGITS[4 + 2 * i] = HEX[hash[i] >> 4]
    DIGITS[5 + 2 * i] = HEX[hash[i] & 15]
  }
  return DIGITS_VALUE
}

/** The same text for 5 as an int, long, double or decimal. @param {RawValue} value */
function numberText({ type, buf, start }) {
  if (type === ELEMENT.INT32) return String(getInt32(buf, start))
  if (type === ELEMENT.INT64) return String(getInt64(buf, start))
  if (type === ELEMENT.DOUBLE) return String(getDouble(buf, start))
  const text = getDecimal128(buf, start).toString()
  return /^-?\d{1,15}(\.\d{1,9})?$/.test(text) ? String(Number(text)) : text
}

const MASKED_NULL = { type: ELEMENT.NULL, buf: new Uint8Array(0), start: 0, end: 0 }

/** @type {Edit} */
const MASK = {
  of: value => {
    const { type, buf, start, end } = value
    switch (type) {
      case ELEMENT.STRING:
        return masked(buf.subarray(start, end))
      case ELEMENT.INT32:
      case ELEMENT.INT64:
      case ELEMENT.DOUBLE:
        return { type, buf: new Uint8Array(end - start), start: 0, end: end - start }
      case ELEMENT.ARRAY:
      case ELEMENT.DOCUMENT:
        return EACH
      default:
        return MASKED_NULL
    }
  }
}

/** Letters become x or X, digits 0; spaces and punctuation stay. @param {Uint8Array} string with its length and 0x00 */
function masked(string) {
  const text = Buffer.from(string.buffer, string.byteOffset + 4, string.length - 5).toString()
  const shape = text.replace(/\p{Lu}/gu, 'X').replace(/[\p{L}\p{M}]/gu, char => (char === 'X' ? 'X' : 'x'))
  const bytes = encode({ '': shape.replace(/\p{N}/gu, '0') })
  return { type: ELEMENT.STRING, buf: bytes, start: 6, end: bytes.length - 1 }
}

module.exports = { editsOf, rewriterOf }
