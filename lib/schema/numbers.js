'use strict'

// Exact comparison of numbers of BSON's four types. A decimal may have an exponent of 6111, so it is compared by its
// digits and never written out.

const { ELEMENT } = require('../spec')
const { POWERS_OF_TEN, getInt32, getUint32, getInt64, isExactInt64, getDouble } = require('../bytes')
const { getDecimal128 } = require('../decode')
const { Decimal128 } = require('../types')

/** @type {number[]} */
const NUMBERS = [ELEMENT.INT32, ELEMENT.DOUBLE, ELEMENT.INT64, ELEMENT.DECIMAL128]

/**
 * @param {number} type
 * @param {Uint8Array} buf
 * @param {number} pos
 * @returns {number | bigint | string} a decimal as its text
 */
function numberAt(type, buf, pos) {
  if (type === ELEMENT.INT32) return getInt32(buf, pos)
  if (type === ELEMENT.DOUBLE) return getDouble(buf, pos)
  return type === ELEMENT.INT64 ? getInt64(buf, pos) : getDecimal128(buf, pos).toString()
}

/** From here on a double need not be the only one for an integer; int64 ends at the other. */
const SAFE = 2 ** 53
const INT64_END = 2 ** 63

/**
 * The decimal text of a number. A double stands for the shortest decimal that rounds to it, but a whole one for itself
 * as far as int64 goes, so that both are equal there.
 *
 * @param {number | bigint | string} number
 */
function textOf(number) {
  const isLong = typeof number === 'number' && Math.abs(number) > SAFE && Math.abs(number) <= INT64_END
  return String(isLong ? BigInt(number) : number)
}

/** The decimal that stands for a number. @param {number | bigint | string} number */
function decimalOf(number) {
  return Decimal128.fromString(Object.is(number, -0) ? '-0' : textOf(number))
}

/**
 * @typedef {object} Parts a finite number, 0.DIGITS * 10 ^ scale
 * @property {number} sign -1, 0, 1
 * @property {string} digits without zeros at either end
 * @property {number} scale
 */

/** @param {number | bigint | string} number @returns {Parts | null} null for NaN and the infinities */
function partsOf(number) {
  const match = /^([+-]?)0*(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(textOf(number))
  if (match === null) return null
  const [, sign, whole, fraction, exponent = '0'] = match
  const all = whole + fraction
  const digits = all.replace(/^0+/, '').replace(/0+$/, '')
  if (digits === '') return { sign: 0, digits, scale: 0 }
  const zeros = all.length - all.replace(/^0+/, '').length
  return { sign: sign === '-' ? -1 : 1, digits, scale: whole.length - zeros + Number(exponent) }
}

/**
 * @param {number | bigint | string} number
 * @param {number | bigint | string} bound finite
 * @returns {number} -1, 0 or 1; NaN if there is no order
 */
function compareNumbers(number, bound) {
  const isExact = typeof number !== 'string' && typeof bound !== 'string'
  const [one, other] = isExact ? [number, bound] : [Number(number), Number(bound)]
  if (one < other) return -1
  if (one > other) return 1
  if (isExact || one !== other) return one == other ? 0 : NaN // eslint-disable-line eqeqeq -- 1n == 1
  return Math.sign(compareTexts(textOf(number), textOf(bound))) // rounding never crosses a double, but may reach it
}

/**
 * Compares decimal texts of numbers with the same nearest double: of two infinities, one may be a large decimal.
 *
 * @param {string} a
 * @param {string} b
 * @returns {number} negative, 0 or positive
 */
function compareTexts(a, b) {
  const x = partsOf(a)
  const y = partsOf(b)
  if (x === null || y === null) return x === y ? 0 : (x === null) === (a[0] !== '-' && b[0] !== '-') ? 1 : -1
  if (x.sign !== y.sign) return x.sign - y.sign
  const [one, other] = x.sign < 0 ? [y, x] : [x, y]
  return one.scale - other.scale || (one.digits < other.digits ? -1 : Number(one.digits > other.digits))
}

/**
 * The double nearest to a decimal of up to 15 digits. Each such decimal has its own double, and here doubles stand for
 * the shortest decimal that rounds to them. Powers of ten up to 22 are exact, so the result is rounded only once. NaN
 * for other decimals, and for those beyond 2^53, where whole doubles stand for themselves. The bytes come as int32s.
 */
function doubleOfDecimal(low, high, middle, top) {
  const exponent = ((top >> 17) & 0x3fff) - 6176
  const digits = (high >>> 0) * 4294967296 + (low >>> 0)
  const isShort = middle === 0 && (top & 0x1ffff) === 0 && ((top >> 26) & 0x1f) < 24
  if (!isShort || digits >= 1e15 || Math.abs(exponent) > 22) return NaN
  const double = exponent < 0 ? digits / POWERS_OF_TEN[-exponent] : digits * POWERS_OF_TEN[exponent]
  return double <= SAFE ? Math.sign(top | 1) * double : NaN
}

/** A double that compares like the number in the bytes; NaN if no double does, or if it is not known. */
function doubleAt(type, buf, pos) {
  if (type === ELEMENT.DECIMAL128) {
    return doubleOfDecimal(getInt32(buf, pos), getInt32(buf, pos + 4), getInt32(buf, pos + 8), getInt32(buf, pos + 12))
  }
  if (type !== ELEMENT.INT64) return type === ELEMENT.INT32 ? getInt32(buf, pos) : getDouble(buf, pos)
  const high = getInt32(buf, pos + 4)
  return isExactInt64(getInt32(buf, pos), high) ? high * 4294967296 + getUint32(buf, pos) : NaN
}

/** Like `compareNumbers`, for the number in the bytes at `pos`; usually takes a tenth of the time. */
function compareAt(type, buf, pos, bound) {
  const double = typeof bound === 'string' ? NaN : doubleAt(type, buf, pos)
  if (double === double) return double < bound ? -1 : double > bound ? 1 : 0
  return compareNumbers(numberAt(type, buf, pos), bound)
}

function decimalIn(view, pos) {
  const middle = view.getInt32(pos + 8, true)
  return doubleOfDecimal(view.getInt32(pos, true), view.getInt32(pos + 4, true), middle, view.getInt32(pos + 12, true))
}

/**
 * Whether the number at `pos` is between two bounds, inclusive.
 *
 * @param {{buf: Uint8Array, view: DataView}} out with a view of its bytes, which takes half of the time for a decimal
 */
function isBetween(type, out, pos, least, most) {
  const double = type === ELEMENT.DECIMAL128 ? decimalIn(out.view, pos) : doubleAt(type, out.buf, pos)
  if (double === double) return double >= least && double <= most
  const number = numberAt(type, out.buf, pos)
  return compareNumbers(number, least) >= 0 && compareNumbers(number, most) <= 0
}

/** The key that equal numbers of any type share. */
function numberKey(number) {
  const parts = partsOf(number)
  return parts === null ? String(number) : `${parts.sign}:${parts.digits}:${parts.scale}`
}

/** @param {number | bigint | string} number @param {Parts} factor of a positive number */
function isMultiple(number, factor) {
  const parts = partsOf(number)
  if (parts === null) return false
  if (parts.sign === 0) return true
  // Both are integers times a power of ten. One with fewer trailing zeros is not a multiple of one with more.
  const zeros = parts.scale - parts.digits.length - (factor.scale - factor.digits.length)
  if (zeros < 0) return false
  const divisor = BigInt(factor.digits)
  return BigInt(parts.digits) % divisor * powerOfTen(zeros, divisor) % divisor === 0n
}

/** 10 ^ exponent modulo a number, by repeated squaring. */
function powerOfTen(exponent, modulus) {
  let result = 1n
  for (let base = 10n % modulus; exponent > 0; exponent = Math.floor(exponent / 2), base = base * base % modulus) {
    if (exponent % 2 === 1) result = result * base % modulus
  }
  return result
}

module.exports = {
  NUMBERS, doubleAt, numberAt, textOf, decimalOf, partsOf, compareTexts, compareNumbers, compareAt, isBetween,
  numberKey, isMultiple
}
