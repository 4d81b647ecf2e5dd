'use strict'

// Doubles -> decimal digits, in ASCII: those of `String(value)`. Functions take the offset of a double instead of its
// value: V8 allocates an object for a double argument, which takes as long as writing several digits.

const { POWERS_OF_TEN } = require('../bytes')
const { putInt, putUint31, putTriple, putNine, putAscii } = require('./digits')
const { MINUS, POINT } = require('./ascii')

/** Little-endian. */
const NULL = 0x6c6c756e

const TWO_POW_32 = 4294967296

/** As `String(value)`: up to 24 bytes, -2.2250738585072014e-308. @param {number} value @param {DataView} view */
function putNumber(value, view, pos) {
  const int = value | 0
  if (int === value) return putInt(int, view, pos)
  view.setFloat64(pos, value, true)
  return putDigitsAt(view, pos, view, pos)
}

/**
 * Writes the double at `p` of `from` as JSON: `null` where it is not finite.
 *
 * @param {DataView} from
 * @param {number} p
 * @param {DataView} view with room for 32 bytes
 * @param {number} pos
 */
function putDoubleAt(from, p, view, pos) {
  const value = from.getFloat64(p, true)
  const int = value | 0
  if (int === value) return putInt(int, view, pos)
  if (value - value === 0) return putDigitsAt(from, p, view, pos)
  view.setInt32(pos, NULL, true)
  return pos + 4
}

/** Writes all digits of the int64 at `p` of `from`. @param {DataView} from @param {DataView} view */
function putInt64At(from, p, view, pos) {
  const low = from.getInt32(p, true)
  const high = from.getInt32(p + 4, true)
  if (high === low >> 31) return putInt(low, view, pos)
  const value = high * TWO_POW_32 + (low >>> 0)
  if (Number.isSafeInteger(value)) return putNumber(value, view, pos)
  return putAscii(String(from.getBigInt64(p, true)), view, pos)
}

/** The range of `putShortest`: of 17 digits, enough must remain after the point. */
const LEAST = 0.001
const MOST = 1048576

/** Writes a decimal. @param {number} p offset of the double; may be `pos` */
function putDigitsAt(from, p, view, pos) {
  const size = Math.abs(from.getFloat64(p, true))
  const end = size >= LEAST && size < MOST && Math.floor(size) !== size ? putShortest(from, p, view, pos) : UNKNOWN
  return end === UNKNOWN ? putOther(from, p, view, pos) : end
}

/** Returned instead of an offset: the digits could not be determined and are left to String(), which is slower. */
const UNKNOWN = -1

/** A decimal of up to 15 digits survives conversion to a double and back, so no shorter one gives the same double. */
const MAX_THOUSANDTHS = 1e15

function putOther(from, p, view, pos) {
  const value = from.getFloat64(p, true)
  const size = Math.abs(value)
  if (Number.isInteger(value)) {
    if (size > Number.MAX_SAFE_INTEGER) return putAscii(String(value), view, pos)
    return putInteger(size, view, putSign(value, view, pos))
  }
  const thousandths = Math.round(size * 1000)
  if (!(thousandths < MAX_THOUSANDTHS && thousandths / 1000 === size)) return putAscii(String(value), view, pos)
  const whole = Math.floor(thousandths / 1000)
  pos = putInteger(whole, view, putSign(value, view, pos))
  view.setUint8(pos, POINT)
  return putDecimals((thousandths - whole * 1000) * 1000000, view, pos + 1)
}

function putSign(value, view, pos) {
  view.setUint8(pos, MINUS)
  return value < 0 ? pos + 1 : pos
}

/** Writes an integer from 0 to 2^53: at most 16 digits. */
function putInteger(value, view, pos) {
  const upper = Math.floor(value / 1e9)
  const lower = value - upper * 1e9
  return upper === 0 ? putUint31(lower, view, pos) : putNine(lower, view, putUint31(upper, view, pos))
}

/** Writes no trailing zeros. @param {number} value nine decimals, not all of them zeros */
function putDecimals(value, view, pos) {
  let last = (value / 1000000) | 0
  pos = putTriple(last, view, pos)
  let rest = value - last * 1000000
  if (rest > 0) {
    last = (rest / 1000) | 0
    pos = putTriple(last, view, pos)
    rest -= last * 1000
    if (rest > 0) pos = putTriple(last = rest, view, pos)
  }
  return last % 10 > 0 ? pos : last % 100 > 0 ? pos - 1 : pos - 2
}

const INVERSES = POWERS_OF_TEN.map(power => 1 / power)

/** The lowest exponent in the tables below: 0.001 is more than 2^-10. */
const LEAST_EXPONENT = -10

/** By exponent: half the distance from a double to the next one, in units of 10^-18. */
const HALF_GAPS = Float64Array.from({ length: 31 }, (_, i) => 2 ** (i + LEAST_EXPONENT - 53) * 1e18)

/** By exponent: how many of 18 decimals can always be dropped, because the gap is that wide. */
const SPARE = Uint8Array.from(HALF_GAPS, half => Math.max(0, Math.floor(Math.log10(2 * half))))

/** An upper bound of the rounding errors below, in units of 10^-18. */
const ERROR = 1e-5

/**
 * Writes the shortest decimal that reads back as the double, and of several the nearest to it, as ECMAScript's
 * Number::toString does, in 30 ns where String() takes 80. The fraction is split into 18 decimals: nine exact ones in
 * `upper`, and nine in `lower` with an error of less than `ERROR`. Then as many are dropped as the gap to the next
 * double allows. Returns `UNKNOWN` where the error could matter, or 18 decimals are too few.
 *
 * @param {number} p offset of the double, which is between `LEAST` and `MOST` and not an integer
 */
function putShortest(from, p, view, pos) {
  const size = Math.abs(from.getFloat64(p, true))
  const word = from.getInt32(p + 4, true)
  const whole = size | 0
  const fraction = size - whole
  // Split in two, so that each product is exact: the whole product has more bits than a double.
  const head = Math.fround(fraction)
  const headScaled = head * 1e9
  const tailScaled = (fraction - head) * 1e9
  let upper = (headScaled + tailScaled) | 0
  let remainder = headScaled - upper + tailScaled
  if (remainder < 0) {
    upper -= 1
    remainder += 1
  }
  const lower = remainder * 1e9
  const exponent = ((word >>> 20) & 0x7ff) - (1023 + LEAST_EXPONENT)
  const half = HALF_GAPS[exponent]

  const toUpper = 5e8 - Math.abs(lower - 5e8)
  if (toUpper <= half + ERROR) {
    if (lower >= 5e8) upper++
    if (toUpper >= half - ERROR || upper === 1e9) return UNKNOWN
    return putDecimals(upper, view, putWhole(word, whole, view, pos))
  }

  const spare = SPARE[exponent]
  let spared = spare
  let digits = 0
  let off = 0
  for (; spared < 10; spared++) { // 9 are too many: `upper` alone is too far off
    const fewer = ((lower * INVERSES[spared] + 0.5) | 0) * POWERS_OF_TEN[spared]
    const fewerOff = Math.abs(fewer - lower)
    if (fewerOff > half + ERROR) break
    if (fewerOff > half - ERROR) return UNKNOWN
    digits = fewer
    off = fewerOff
  }
  const isTie = Math.abs(2 * off - POWERS_OF_TEN[spared - 1]) < 2 * ERROR
  if (spared === spare || isTie) return UNKNOWN
  pos = putNine(upper, view, putWhole(word, whole, view, pos))
  return putNine(digits | 0, view, pos) - spared + 1
}

/** Writes the sign, the digits before the point, and the point. @param {number} word the upper half of the double */
function putWhole(word, whole, view, pos) {
  view.setUint8(pos, MINUS)
  pos = putUint31(whole, view, pos + (word >>> 31))
  view.setUint8(pos, POINT)
  return pos + 1
}

module.exports = { putNumber, putInteger, putDoubleAt, putInt64At }
