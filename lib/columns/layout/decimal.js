'use strict'

// Decimals of BSON as integers of 128 bits with a fixed number of digits after the point, as Arrow and Parquet have
// them.

const { POWERS_OF_TEN, getInt32, getUint32, copyOf } = require('../../bytes')
const { Decimal128 } = require('../../types')

/** The most digits of such a decimal. */
const MAX_PRECISION = 38

/** Decimals of at most this many digits fit 64 bits; files hold them as such. */
const SHORT_PRECISION = 18

/** Integers below this are exact in a double. */
const SAFE = 2 ** 53

/** What the decimals of a field need: the digits before the point, and after it. */
class DecimalStats {
  constructor() {
    this.isFinite = true
    this.whole = 0
    /** As written, and without zeros at the end. */
    this.scale = 0
    this.leastScale = 0
  }

  /** Takes a decimal into account. */
  note(buf, pos) {
    if (!isFinite(buf, pos)) {
      this.isFinite = false
      return
    }
    const exponent = exponentAt(buf, pos)
    const short = shortAt(buf, pos)
    const isUsual = -exponent === this.scale && this.scale === this.leastScale
    if (isUsual && short < POWERS_OF_TEN[this.whole + this.scale]) return
    this.noteDigits(digitsAt(buf, pos, short), exponent)
  }

  noteDigits(digits, exponent) {
    const significant = digits.replace(/0+$/, '')
    this.scale = Math.max(this.scale, -exponent)
    if (significant === '') return
    this.whole = Math.max(this.whole, digits.length + exponent)
    this.leastScale = Math.max(this.leastScale, significant.length - digits.length - exponent)
  }

  /** Adds what others need. @param {DecimalStats} other */
  merge(other) {
    this.isFinite &&= other.isFinite
    this.whole = Math.max(this.whole, other.whole)
    this.scale = Math.max(this.scale, other.scale)
    this.leastScale = Math.max(this.leastScale, other.leastScale)
  }

  /** @returns {{precision: number, scale: number} | null} null when the decimals do not fit */
  get fit() {
    const scale = this.whole + this.scale <= MAX_PRECISION ? this.scale : this.leastScale
    const digits = this.whole + scale
    if (!this.isFinite || digits > MAX_PRECISION) return null
    return { precision: digits <= SHORT_PRECISION ? SHORT_PRECISION : MAX_PRECISION, scale }
  }
}

/** @returns {boolean} whether it is no NaN and no infinity */
function isFinite(buf, pos) {
  return (buf[pos + 15] & 0x78) !== 0x78
}

/** The exponent of ten of a finite decimal; one whose digits are not canonical is 0. */
function exponentAt(buf, pos) {
  const top = getInt32(buf, pos + 12)
  return ((top & 0x60000000) === 0x60000000 ? 0 : (top >> 17) & 0x3fff) - 6176
}

/** The digits as a number, if that is exact and certain; otherwise NaN. */
function shortAt(buf, pos) {
  const top = getInt32(buf, pos + 12)
  const isShort = getInt32(buf, pos + 8) === 0 && (top & 0x1ffff) === 0 && (top & 0x60000000) !== 0x60000000
  const digits = isShort ? getUint32(buf, pos + 4) * 4294967296 + getUint32(buf, pos) : NaN
  return digits < SAFE ? digits : NaN
}

/** The digits of a finite decimal; none for zero. @param {number} short what `shortAt` says */
function digitsAt(buf, pos, short) {
  if (!Number.isNaN(short)) return short === 0 ? '' : String(short)
  const [, digits] = /^-?([\d.]+)/.exec(decimalText(buf, pos))
  return digits.replace('.', '').replace(/^0+/, '')
}

/**
 * Writes a decimal as an integer of 128 bits, four `words`, lowest first, from `at` on; null to only check. Returns
 * whether it fits exactly.
 */
function putScaled(buf, pos, { precision, scale }, words, at) {
  const short = shortAt(buf, pos)
  const shift = exponentAt(buf, pos) + scale
  const number = short === 0 ? 0 : shift < 0 ? divided(short, -shift) : short * (POWERS_OF_TEN[shift] ?? NaN)
  if (!(number < SAFE)) return putLong(buf, pos, { precision, scale }, words, at)
  if (precision < 16 && number >= POWERS_OF_TEN[precision]) return false
  if (words !== null) putInteger(words, at, number, buf[pos + 15] > 127 && number !== 0)
  return true
}

/** NaN when it is no integer. */
function divided(number, shift) {
  const power = POWERS_OF_TEN[shift]
  return power !== undefined && number % power === 0 ? number / power : NaN
}

/** @param {number} number below 2^53 */
function putInteger(words, at, number, isNegative) {
  const low = number | 0
  const high = Math.floor(number / 4294967296)
  const sign = isNegative ? -1 : 0
  words[at] = isNegative ? -low : low
  words[at + 1] = isNegative ? (low === 0 ? -high : ~high) : high
  words[at + 2] = sign
  words[at + 3] = sign
}

/** As `putScaled`, for any number of digits. */
function putLong(buf, pos, { precision, scale }, words, at) {
  if (!isFinite(buf, pos)) return false
  const digits = digitsAt(buf, pos, NaN)
  const exponent = exponentAt(buf, pos) + scale
  const kept = exponent < 0 ? digits.slice(0, exponent) : digits
  const isExact = exponent >= 0 || /^0*$/.test(digits.slice(exponent))
  if (!isExact || (kept !== '' && kept.length + Math.max(exponent, 0) > precision)) return false
  if (words === null) return true
  const integer = kept === '' ? 0n : BigInt(kept) * 10n ** BigInt(Math.max(exponent, 0))
  const value = buf[pos + 15] > 127 ? -integer : integer
  for (let i = 0; i < 4; i++) words[at + i] = Number(BigInt.asIntN(32, value >> BigInt(32 * i)))
  return true
}

function decimalText(buf, pos) {
  return String(new Decimal128(copyOf(buf, pos, pos + 16)))
}

module.exports = { DecimalStats, putScaled, decimalText, MAX_PRECISION }
