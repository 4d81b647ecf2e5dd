'use strict'

// Numbers -> decimal digits, in ASCII. A double takes 45 ns; to make its string natively and copy it takes 120.

/** The two digits of 0 to 99, as they lie in memory: a little-endian word. */
const PAIRS = Uint16Array.from({ length: 100 }, (_, n) => (0x30 + Math.trunc(n / 10)) | ((0x30 + (n % 10)) << 8))

const MINUS = 0x2d
const POINT = 0x2e

/** What `String(value)` is: up to 24 bytes, -2.2250738585072014e-308. @param {number} value @param {DataView} view */
function putNumber(value, view, pos) {
  const int = value | 0
  if (int === value) return putInt(int, view, pos)
  if (value < 0) {
    view.setUint8(pos++, MINUS)
    value = -value
  }
  const end = Number.isInteger(value) ? putInteger(value, view, pos) : putFraction(value, view, pos)
  return end === UNKNOWN ? putAscii(String(value), view, pos) : end
}

/**
 * The double at `p` of what is read, as JSON has it. Not from a number: a call that is given one makes an object of it
 * first, which takes as long as many of its digits.
 *
 * @param {DataView} from
 * @param {number} p
 * @param {DataView} view
 * @param {number} pos
 */
function putDoubleAt(from, p, view, pos) {
  const value = from.getFloat64(p, true)
  if (value - value === 0) return putNumber(value, view, pos)
  view.setInt32(pos, NULL, true)
  return pos + 4
}

/** The int64 at `p` of what is read: all its digits. @param {DataView} from @param {DataView} view */
function putInt64At(from, p, view, pos) {
  const low = from.getInt32(p, true)
  const high = from.getInt32(p + 4, true)
  if (high === low >> 31) return putInt(low, view, pos)
  const value = high * TWO_POW_32 + (low >>> 0)
  if (Number.isSafeInteger(value)) return putNumber(value, view, pos)
  return putAscii(String(from.getBigInt64(p, true)), view, pos)
}

const TWO_POW_32 = 4294967296

/** Little-endian. */
const NULL = 0x6c6c756e

/** @param {number} value an int32 @param {DataView} view @param {number} pos */
function putInt(value, view, pos) {
  if (value >= 0) return putUint31(value, view, pos)
  view.setUint8(pos, MINUS)
  return putUint31(-value, view, pos + 1)
}

/** @param {string} ascii @param {DataView} view with room for it @param {number} pos */
function putAscii(ascii, view, pos) {
  for (let i = 0; i < ascii.length; i++) view.setUint8(pos + i, ascii.charCodeAt(i))
  return pos + ascii.length
}

/** @param {number} value an integer from 0 @param {DataView} view @param {number} pos */
function putUint31(value, view, pos) {
  return putPadded(value, countDigits(value), view, pos)
}

function countDigits(value) {
  if (value < 100000) return value < 10 ? 1 : value < 100 ? 2 : value < 1000 ? 3 : value < 10000 ? 4 : 5
  return value < 1000000 ? 6 : value < 10000000 ? 7 : value < 100000000 ? 8 : value < 1000000000 ? 9 : 10
}

/** With zeros in front. @param {number} value from 0 @param {number} count of digits @param {DataView} view */
function putPadded(value, count, view, pos) {
  let at = pos + count
  while (at - pos >= 2) {
    const rest = (value / 100) | 0
    at -= 2
    view.setUint16(at, PAIRS[value - rest * 100], true)
    value = rest
  }
  if (at > pos) view.setUint8(pos, 0x30 + value)
  return pos + count
}

/** Eight digits. @param {number} value an integer from 0 @param {DataView} view @param {number} pos */
function putEight(value, view, pos) {
  const upper = (value / 10000) | 0
  putFour(upper, view, pos)
  putFour(value - upper * 10000, view, pos + 4)
  return pos + 8
}

function putFour(value, view, pos) {
  const upper = (value / 100) | 0
  view.setInt32(pos, PAIRS[upper] | (PAIRS[value - upper * 100] << 16), true)
}

// What the shortest digits are is not found out here: String() knows, at its price.
const UNKNOWN = -1

/** From 2^31. Up to 2^53 there are 16 digits at most. */
function putInteger(value, view, pos) {
  if (value > Number.MAX_SAFE_INTEGER) return UNKNOWN
  const upper = Math.floor(value / 1e8)
  const lower = value - upper * 1e8
  return putEight(lower, view, putUint31(upper, view, pos))
}

/** Decimals of up to 15 digits in all read back as themselves: no shorter one can mean the same double. */
const MAX_THOUSANDTHS = 1e15

/** What `putShortest` can do: as many digits before the point as leave it enough of its 17 after it. */
const LEAST = 0.001
const MOST = 1048576

function putFraction(value, view, pos) {
  const thousandths = Math.round(value * 1000)
  if (thousandths < MAX_THOUSANDTHS && thousandths / 1000 === value) return putThousandths(thousandths, view, pos)
  if (!(value >= LEAST && value < MOST)) return UNKNOWN
  view.setFloat64(pos, value, true)
  return putShortest(view, pos)
}

function putThousandths(thousandths, view, pos) {
  const whole = Math.floor(thousandths / 1000)
  const rest = thousandths - whole * 1000
  pos = putNumber(whole, view, pos)
  view.setUint8(pos, POINT)
  return putDecimals(rest, 3, view, pos + 1)
}

/** Without the zeros at their end. @param {number} value not 0 @param {number} count of digits */
function putDecimals(value, count, view, pos) {
  while (value % 10 === 0) {
    value /= 10
    count--
  }
  return putPadded(value, count, view, pos)
}

const POWERS = Float64Array.from({ length: 10 }, (_, k) => 10 ** k)
const INVERSES = POWERS.map(power => 1 / power)

/** The exponent of the least double that is looked up in the tables below: 0.001 is more than 2^-10. */
const LEAST_EXPONENT = -10

/** By exponent: half the distance from a double to the next one, in units of 10^-17. */
const HALF_GAPS = Float64Array.from({ length: 31 }, (_, i) => 2 ** (i + LEAST_EXPONENT - 53) * 1e17)

/** By exponent: how many of 17 decimals can be spared in any case, for the gap is that wide. */
const SPARE = Uint8Array.from(HALF_GAPS, half => Math.max(0, Math.floor(Math.log10(2 * half))))

/** More than the rounding below can add up to, in units of 10^-17. */
const ERROR = 1e-5

/**
 * The shortest decimal that is nearer to the double than to any other, and of those the nearest to it, as ECMAScript's
 * Number::toString has it. The fraction is taken as 17 decimals: eight of them exact, the rest with an error of less
 * than `ERROR`, and then as many as the gap to the next double allows are taken off. The answer is `UNKNOWN` where the
 * error could decide, or 17 decimals are too few, or the last nine could round up to the eight before: for 3 % of the
 * random doubles below 1, and less than 0.5 % of those above.
 *
 * @param {DataView} view
 * @param {number} pos where the double lies: from `LEAST` to `MOST`, not an integer. Given as a number, an object would
 *   be made of it first
 */
function putShortest(view, pos) {
  const value = view.getFloat64(pos, true)
  const whole = Math.floor(value)
  const fraction = value - whole
  // In two parts, of which each product is exact: together they have more bits than a double.
  const head = Math.fround(fraction)
  const headScaled = head * 1e8
  const tailScaled = (fraction - head) * 1e8
  let upper = Math.floor(headScaled + tailScaled)
  let remainder = headScaled - upper + tailScaled
  if (remainder < 0) {
    upper -= 1
    remainder += 1
  }
  const lower = remainder * 1e9
  const exponent = whole > 0 ? 31 - Math.clz32(whole) : -1 - Math.clz32((fraction * 4294967296) >>> 0)
  const half = HALF_GAPS[exponent - LEAST_EXPONENT]
  if (lower + half >= 1e9) return UNKNOWN

  let spared = SPARE[exponent - LEAST_EXPONENT]
  let digits = nearest(lower, spared)
  if (distance(lower, digits, spared) > half - ERROR) return UNKNOWN
  while (spared < 9) {
    const fewer = nearest(lower, spared + 1)
    const off = distance(lower, fewer, spared + 1)
    if (off > half + ERROR) break
    if (off > half - ERROR) return UNKNOWN
    digits = fewer
    spared++
  }
  const isTie = Math.abs(distance(lower, digits, spared) - POWERS[spared] / 2) < ERROR
  if (isTie) return UNKNOWN

  pos = putUint31(whole, view, pos)
  view.setUint8(pos++, POINT)
  if (spared === 9) return putDecimals(upper, 8, view, pos)
  return putPadded(digits, 9 - spared, view, putEight(upper, view, pos))
}

/** Of nine decimals, all but the last `spared`, rounded. */
function nearest(lower, spared) {
  return Math.floor(lower * INVERSES[spared] + 0.5)
}

function distance(lower, digits, spared) {
  return Math.abs(digits * POWERS[spared] - lower)
}

module.exports = { PAIRS, putNumber, putDoubleAt, putInt64At, putInt, putAscii, putPadded }
