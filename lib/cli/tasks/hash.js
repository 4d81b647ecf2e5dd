'use strict'

// What --hash does to values: HMAC-SHA-256, under which equal values stay equal, so that references still match.

const { createHmac } = require('node:crypto')
const { ELEMENT, SUBTYPE } = require('../../spec')
const { getInt32, getInt64, getDouble } = require('../../bytes')
const { getDecimal128 } = require('../../decode')
const { EACH } = require('../../raw')

/** @typedef {import('../../raw/rewrite').RawValue} RawValue @typedef {import('../../raw/rewrite').Edit} Edit */

/** Bytes of a hash that replaces a text or a number: enough to make collisions practically impossible. */
const HASH_SIZE = 16

/** So many values of up to so many bytes are remembered with their hashes: an HMAC takes 2 us. */
const SHORT = 64
const REMEMBERED = 1000

/** @param {Uint8Array} key @returns {Edit} */
function hashEdit(key) {
  const hmac = hmacOf(key)
  return { of: value => HASHED[value.type]?.(value, hmac) ?? textOf(hmac(value.buf, value.start, value.end)) }
}

const unchanged = value => value

/** What the values of a type become; those of all others the hash of their bytes. */
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

/** @param {RawValue} value @param {Hmac} hmac */
function hashOfNumber(value, hmac) {
  const text = Buffer.from(numberText(value))
  return textOf(hmac(text, 0, text.length))
}

/** @typedef {(buf: Uint8Array, start: number, end: number) => string} Hmac 64 hexadecimal digits */

/** @param {Uint8Array} key @returns {Hmac} */
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
 *
 * @param {RawValue} value
 * @param {Hmac} hmac
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

/** @param {RawValue} value a number @returns {string} the same for equal numbers of any type */
function numberText({ type, buf, start }) {
  if (type === ELEMENT.INT32) return String(getInt32(buf, start))
  if (type === ELEMENT.INT64) return String(getInt64(buf, start))
  if (type === ELEMENT.DOUBLE) return doubleText(getDouble(buf, start))
  return decimalText(getDecimal128(buf, start).toString())
}

/** All digits of an integer, the shortest ones of other doubles. @param {number} value */
function doubleText(value) {
  return Number.isInteger(value) ? String(BigInt(value)) : String(value)
}

/** Digits that survive conversion to a double and back. */
const SAFE_DIGITS = 15

/** Digits of the largest double. */
const MOST_DIGITS = 309

/** @param {string} text of a decimal @returns {string} that of the double or the integer that equals it, if any */
function decimalText(text) {
  const [, sign, whole, fraction = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]\d+))?$/.exec(text) ?? []
  if (whole === undefined) return text // NaN, or infinite
  const digits = (whole + fraction).replace(/^0+/, '').replace(/0+$/, '')
  if (digits === '') return '0'
  const exponent = Number(power) + whole.length - (whole + fraction).search(/[1-9]/) - digits.length
  if (exponent >= 0 && digits.length + exponent <= MOST_DIGITS) return sign + digits + '0'.repeat(exponent)
  const double = Number(text)
  if (exponent >= 0 || double === 0) return `${sign}${digits}e${exponent}`
  const isDouble = digits.length <= SAFE_DIGITS || isExactly(double, BigInt(digits), -exponent)
  return isDouble ? doubleText(double) : `${sign}${digits}e${exponent}`
}

/** @param {number} double not an integer @returns {boolean} whether its size is `digits` / 10^`places` */
function isExactly(double, digits, places) {
  let twos = 0
  for (double = Math.abs(double); !Number.isInteger(double); twos++) double *= 2
  return BigInt(double) * 10n ** BigInt(places) === digits * 2n ** BigInt(twos)
}

module.exports = { hashEdit }
