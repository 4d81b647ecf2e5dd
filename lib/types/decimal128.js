'use strict'

// IEEE 754-2008 decimal128 in the binary integer encoding: sign, a biased exponent of 14 bits, a coefficient of up to
// 113 bits. https://github.com/mongodb/specifications, bson-decimal128.

const { BSONError, shownName } = require('../errors')
const { allocateCopy, isUint8Array, getInt32, getUint32, putInt64 } = require('../bytes')
const { BSONValue, defaultInspect } = require('./bson-value')

const EXPONENT_MAX = 6111
const EXPONENT_MIN = -6176
const EXPONENT_BIAS = 6176
const MAX_DIGITS = 34
const MAX_COEFFICIENT = 10n ** 34n - 1n

/** Longer strings are refused unread, because no number needs this many characters. */
const MAX_STRING_LENGTH = 7000

const NUMBER = /^([-+])?(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:e([-+]?\d+))?$/i
const ALMOST_NUMBER = /^[-+]?(\d+(?:\.\d*)?|\.\d+)?(?:(e)[-+]?(\d+)?|(?!^)[-+]\d*)$/i
const INFINITY = /^([-+])?inf(?:inity)?$/i
const NAN = /^[-+]?nan$/i

/** The upper 64 bits of the values that are not numbers. */
const NAN_BITS = 0x7c00000000000000n
const INFINITY_BITS = 0x7800000000000000n
const SIGN_BIT = 0x8000000000000000n

/** A decimal number of up to 34 digits. */
class Decimal128 extends BSONValue {
  /** @returns {'Decimal128'} */ get _bsontype() { return 'Decimal128' }

  /**
   * @param {Uint8Array | string} bytes 16 bytes, little endian, kept, not copied; or a number as text
   * @throws {BSONError} when it is neither
   */
  constructor(bytes) {
    super()
    if (typeof bytes === 'string') bytes = parse(bytes, false)
    else if (!isUint8Array(bytes)) throw new BSONError('Decimal128 must take a Buffer or string')
    else if (bytes.byteLength !== 16) throw new BSONError('Decimal128 must take a Buffer of 16 bytes')
    /** @readonly @type {Uint8Array} */
    this.bytes = bytes
  }

  /**
   * @param {string} representation
   * @returns {Decimal128}
   * @throws {BSONError} when it is not a number, or does not fit exactly into 34 digits
   */
  static fromString(representation) {
    return new Decimal128(parse(representation, false))
  }

  /**
   * @param {string} representation digits beyond 34 are rounded, half to even
   * @returns {Decimal128}
   * @throws {BSONError} when it is not a number, or too large
   */
  static fromStringWithRounding(representation) {
    return new Decimal128(parse(representation, true))
  }

  /** @param {string} representation @param {{allowRounding: boolean}} options @returns {Decimal128} @private */
  static _fromString(representation, options) {
    return new Decimal128(parse(representation, options.allowRounding))
  }

  /** @returns {string} */
  toString() {
    const top = getInt32(this.bytes, 12)
    const sign = top < 0 ? '-' : ''
    const combination = (top >> 26) & 0x1f
    if (combination === 31) return 'NaN'
    if (combination === 30) return `${sign}Infinity`
    // A combination that starts with 11 means that the coefficient starts with 100. That is more than 34 digits, so
    // zero.
    if (combination >= 24) return sign + format('0', ((top >> 15) & 0x3fff) - EXPONENT_BIAS)
    return sign + format(coefficientOf(this.bytes).toString(), ((top >> 17) & 0x3fff) - EXPONENT_BIAS)
  }

  /** What `JSON.stringify` writes. @returns {Decimal128Extended} */
  toJSON() {
    return { $numberDecimal: this.toString() }
  }

  /** @returns {Decimal128Extended} @internal */
  toExtendedJSON() {
    return { $numberDecimal: this.toString() }
  }

  /** @param {Decimal128Extended} doc @returns {Decimal128} @throws {BSONError} @internal */
  static fromExtendedJSON(doc) {
    return Decimal128.fromString(doc.$numberDecimal)
  }

  /** @param {number} [depth] @param {unknown} [options] @param {import('./bson-value').InspectFn} [inspect] */
  inspect(depth, options, inspect) {
    inspect ??= defaultInspect
    return `new Decimal128(${inspect(this.toString(), options)})`
  }
}

/** @param {Uint8Array} bytes @returns {number | bigint} non-canonical coefficients count as 0 */
function coefficientOf(bytes) {
  const upper = getUint32(bytes, 8) + (getInt32(bytes, 12) & 0x1ffff) * 2 ** 32
  const middle = getUint32(bytes, 4)
  // for up to 15 digits, two thirds of the time of the general case
  if (upper === 0 && middle < 0x200000) return middle * 2 ** 32 + getUint32(bytes, 0)
  const coefficient = (BigInt(upper) << 64n) | (BigInt(middle) << 32n) | BigInt(getUint32(bytes, 0))
  return coefficient > MAX_COEFFICIENT ? 0n : coefficient
}

/** Formats a number as in the General Decimal Arithmetic specification. @param {string} digits without leading zeros */
function format(digits, exponent) {
  const scientific = digits.length - 1 + exponent
  if (exponent > 0 || scientific < -6) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ''
    return `${digits[0]}${fraction}E${scientific > 0 ? '+' : ''}${scientific}`
  }
  if (exponent === 0) return digits
  const point = digits.length + exponent
  return point > 0 ? `${digits.slice(0, point)}.${digits.slice(point)}` : `0.${'0'.repeat(-point)}${digits}`
}

/** @param {string} text @param {boolean} rounding @returns {Uint8Array} 16 bytes */
function parse(text, rounding) {
  if (typeof text !== 'string') throw new BSONError('Decimal128 must be created from a string')
  const match = text.length < MAX_STRING_LENGTH ? NUMBER.exec(text) : null
  if (match === null) return parseSpecial(text)
  const [, sign, whole = '', decimals, onlyDecimals, power = '0'] = match
  const fraction = decimals ?? onlyDecimals ?? ''
  const digits = (whole + fraction).replace(/^0+/, '')
  const exponent = Number(power) - fraction.length
  const signBit = sign === '-' ? SIGN_BIT : 0n
  if (digits === '') return pack(signBit, 0n, Math.min(Math.max(exponent, EXPONENT_MIN), EXPONENT_MAX))
  if (exponent > EXPONENT_MAX) return padded(text, signBit, digits, exponent)
  const excess = Math.max(digits.length - MAX_DIGITS, EXPONENT_MIN - exponent)
  if (excess <= 0) return pack(signBit, BigInt(digits), exponent)
  return (rounding ? rounded : shortened)(text, signBit, digits, exponent, excess)
}

function parseSpecial(text) {
  const infinity = INFINITY.exec(text)
  if (infinity !== null) return packBits(INFINITY_BITS | (infinity[1] === '-' ? SIGN_BIT : 0n), 0n)
  if (NAN.test(text)) return packBits(NAN_BITS, 0n)
  const almost = ALMOST_NUMBER.exec(text)
  if (almost === null) throw new BSONError(`${shownName(text)} not a valid Decimal128 string`)
  const [, base, e, power] = almost
  if (e === undefined) throw invalid(text, 'missing e before exponent')
  throw invalid(text, base === undefined && power !== undefined ? 'missing exponent base' : 'missing exponent power')
}

/** Reduces an exponent that is too large by appending zeros to the digits, while there is room. */
function padded(text, signBit, digits, exponent) {
  const zeros = exponent - EXPONENT_MAX
  if (digits.length + zeros > MAX_DIGITS) throw invalid(text, 'overflow')
  return pack(signBit, BigInt(digits + '0'.repeat(zeros)), EXPONENT_MAX)
}

/** Removes `excess` digits, which must be zeros. */
function shortened(text, signBit, digits, exponent, excess) {
  let significant = digits.length
  while (digits[significant - 1] === '0') significant--
  const kept = digits.length - excess
  if (kept < significant) throw invalid(text, kept < 1 && significant === 1 ? 'exponent underflow' : 'inexact rounding')
  return packInRange(text, signBit, BigInt(digits.slice(0, kept)), exponent + excess)
}

/** Removes `excess` digits and rounds, half to even. */
function rounded(text, signBit, digits, exponent, excess) {
  if (excess > digits.length) return pack(signBit, 0n, EXPONENT_MIN)
  const kept = BigInt(digits.slice(0, digits.length - excess))
  const lost = digits.slice(digits.length - excess)
  const tie = /^50*$/.test(lost)
  const up = tie ? kept % 2n === 1n : lost[0] >= '5'
  const coefficient = up ? kept + 1n : kept
  if (coefficient <= MAX_COEFFICIENT) return packInRange(text, signBit, coefficient, exponent + excess)
  return packInRange(text, signBit, coefficient / 10n, exponent + excess + 1)
}

function packInRange(text, signBit, coefficient, exponent) {
  if (exponent > EXPONENT_MAX) throw invalid(text, 'overflow')
  return pack(signBit, coefficient, exponent)
}

/** @param {bigint} signBit @param {bigint} coefficient of 34 digits at most @param {number} exponent in range */
function pack(signBit, coefficient, exponent) {
  const biased = BigInt(exponent + EXPONENT_BIAS)
  return packBits(signBit | (biased << 49n) | (coefficient >> 64n), coefficient)
}

/** @param {bigint} upper 64 bits @param {bigint} lower 64 bits */
function packBits(upper, lower) {
  const bytes = allocateCopy(16)
  putInt64(upper, bytes, putInt64(lower, bytes, 0))
  return bytes
}

function invalid(text, why) {
  return new BSONError(`"${shownName(text)}" is not a valid Decimal128 string - ${why}`)
}

/** @typedef {{$numberDecimal: string}} Decimal128Extended */

module.exports = { Decimal128 }
