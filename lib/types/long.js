'use strict'

const { BSONError, invalidInput, shownName } = require('../errors')
const { getInt32 } = require('../bytes')
const { BSONValue, defaultInspect } = require('./bson-value')
const { DIGITS, signAndRadix, parseDigits, bigOf, isInt64 } = require('./int64')

const TWO_32 = 2 ** 32
const TWO_53 = 2 ** 53
const TWO_63 = 2 ** 63
const TWO_64 = 2 ** 64

/** An int64 has at most 19 digits and a sign. */
const MAX_INT64_STRING_LENGTH = 20
const INT64_FORMAT = /^(\+?0|[-+]?[1-9][0-9]*)$/

/** Long.fromInt returns the same object for the same small number, as users of bson may expect. */
const signedInts = new Map()
const unsignedInts = new Map()

/**
 * The types that arithmetic methods accept besides a Long.
 *
 * @typedef {string | number | Long | {low: number, high: number, unsigned?: any}} LongLike
 */

/**
 * A 64-bit integer stored as two 32-bit ones, signed by default. Results of arithmetic are truncated to 64 bits and
 * have the signedness of `this`.
 */
class Long extends BSONValue {
  /** @returns {'Long'} */ get _bsontype() { return 'Long' }

  /** Identifies a Long from any library. @returns {boolean} */
  get __isLong__() {
    return true
  }

  /**
   * @param {number | bigint | string} [low] the lower 32 bits; or all 64, as a bigint or as decimal digits
   * @param {number | boolean} [high] the upper 32 bits; or whether it is unsigned
   * @param {boolean} [unsigned]
   */
  constructor(low = 0, high, unsigned) {
    super()
    let flag = typeof high === 'boolean' ? high : Boolean(unsigned)
    if (typeof low === 'string' || typeof low === 'bigint') {
      const whole = typeof low === 'string' ? Long.fromString(low, flag) : Long.fromBigInt(low, flag)
      low = whole.low
      high = whole.high
      flag = whole.unsigned
    }
    /** @type {number} the upper 32 bits as a signed integer */
    this.high = typeof high === 'number' ? high | 0 : 0
    /** @type {number} the lower 32 bits as a signed integer */
    this.low = low | 0
    this.unsigned = flag
  }

  /** @param {number} lowBits the lower 32 bits @param {number} highBits @param {boolean} [unsigned] @returns {Long} */
  static fromBits(lowBits, highBits, unsigned) {
    return new Long(lowBits, highBits, unsigned)
  }

  /** @param {number} value 32 bits, sign-extended @param {boolean} [unsigned] @returns {Long} */
  static fromInt(value, unsigned) {
    value = unsigned ? value >>> 0 : value | 0
    const cache = unsigned ? unsignedInts : signedInts
    const cached = cache.get(value)
    if (cached !== undefined) return cached
    const long = new Long(value, (value | 0) < 0 ? -1 : 0, unsigned)
    if (value >= -128 && value < (unsigned ? 256 : 128)) cache.set(value, long)
    return long
  }

  /**
   * @param {number} value truncated to an integer; values beyond 64 bits become the nearest Long, NaN becomes 0
   * @param {boolean} [unsigned]
   * @returns {Long}
   */
  static fromNumber(value, unsigned) {
    if (isNaN(value) || (unsigned && value < 0)) return unsigned ? Long.UZERO : Long.ZERO
    if (value >= (unsigned ? TWO_64 : TWO_63)) return unsigned ? Long.MAX_UNSIGNED_VALUE : Long.MAX_VALUE
    if (value <= -TWO_63) return Long.MIN_VALUE
    return fromInteger(Math.trunc(value), unsigned)
  }

  /** @param {bigint} value its lowest 64 bits are used @param {boolean} [unsigned] @returns {Long} */
  static fromBigInt(value, unsigned) {
    return new Long(Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)), unsigned)
  }

  /** @param {string} str @param {boolean} unsigned @param {number} radix @returns {Long} @internal */
  static _fromString(str, unsigned, radix) {
    const digits = str.replace(/^-+/, '')
    if (str.length > 0 && !(radix >= 2 && radix <= 36)) throw new BSONError('radix')
    if (digits.length === 0) throw new BSONError('empty string')
    if (digits.includes('-')) throw new BSONError('interior hyphen')
    const long = Long.fromBigInt(parseDigits(digits, radix), unsigned)
    return (str.length - digits.length) % 2 === 0 ? long : long.neg()
  }

  /**
   * @param {string} str
   * @param {boolean | number} [unsignedOrRadix]
   * @param {number | boolean} [radix] 2 to 36
   * @returns {Long}
   * @throws {BSONError} when `str` is not exactly a 64-bit integer of that radix
   */
  static fromStringStrict(str, unsignedOrRadix, radix) {
    const { unsigned, base } = signAndRadix(unsignedOrRadix, radix)
    if (str.trim() !== str) throw invalidInput(str, 'contains leading and/or trailing whitespace')
    if (!new RegExp(`^[-+${DIGITS.slice(0, base)}]+$`, 'i').test(str)) {
      throw invalidInput(str, `contains invalid characters for radix: ${base}`)
    }
    const plain = str.replace(/^\+/, '').replace(/^(-?)0+(?=.)/, '$1')
    const long = Long._fromString(plain, unsigned, base)
    if (long.toString(base) !== plain.toLowerCase()) {
      const kind = unsigned ? 'an unsigned' : 'a signed'
      throw new BSONError(`Input: ${shownName(str)} is not representable as ${kind} 64-bit Long with radix: ${base}`)
    }
    return long
  }

  /**
   * Lenient: values that do not fit are truncated to 64 bits, and a character that is not a digit ends its group of
   * eight. See fromStringStrict.
   *
   * @param {string} str
   * @param {boolean | number} [unsignedOrRadix]
   * @param {number} [radix] 2 to 36
   * @returns {Long}
   * @throws {BSONError} on an empty string, a hyphen inside, or an invalid radix
   */
  static fromString(str, unsignedOrRadix, radix) {
    const { unsigned, base } = signAndRadix(unsignedOrRadix, radix)
    if (str === 'NaN' && base < 24) return Long.ZERO
    if (/^[-+]?Infinity$/.test(str) && base < 35) return Long.ZERO
    return Long._fromString(str, unsigned, base)
  }

  /** @param {number[]} bytes @param {boolean} [unsigned] @param {boolean} [le] little endian @returns {Long} */
  static fromBytes(bytes, unsigned, le) {
    return le ? Long.fromBytesLE(bytes, unsigned) : Long.fromBytesBE(bytes, unsigned)
  }

  /** @param {number[]} bytes 8, the lowest first @param {boolean} [unsigned] @returns {Long} */
  static fromBytesLE(bytes, unsigned) {
    return new Long(getInt32(/** @type {any} */ (bytes), 0), getInt32(/** @type {any} */ (bytes), 4), unsigned)
  }

  /** @param {number[]} bytes 8, the highest first @param {boolean} [unsigned] @returns {Long} */
  static fromBytesBE(bytes, unsigned) {
    return Long.fromBytesLE(Array.from({ length: 8 }, (_, i) => bytes[7 - i]), unsigned)
  }

  /** @param {any} value @returns {value is Long} from this library or another */
  static isLong(value) {
    return value !== null && typeof value === 'object' && value.__isLong__ === true
  }

  /** A Long of any of these values. @param {LongLike} val @param {boolean} [unsigned] @returns {Long} */
  static fromValue(val, unsigned) {
    if (typeof val === 'number') return Long.fromNumber(val, unsigned)
    if (typeof val === 'string') return Long.fromString(val, unsigned)
    return new Long(val.low, val.high, typeof unsigned === 'boolean' ? unsigned : val.unsigned)
  }

  /** The sum, truncated to 64 bits. @param {LongLike} addend @returns {Long} */
  add(addend) {
    const other = toLong(addend)
    const low = (this.low >>> 0) + (other.low >>> 0)
    return new Long(low | 0, this.high + other.high + (low >= TWO_32 ? 1 : 0), this.unsigned)
  }

  /** The bits that both have. @param {LongLike} other @returns {Long} */
  and(other) {
    const { low, high } = toLong(other)
    return new Long(this.low & low, this.high & high, this.unsigned)
  }

  /** The order of the values. @param {LongLike} other @returns {0 | 1 | -1} 1 if this one is greater */
  compare(other) {
    const that = toLong(other)
    const negative = this.isNegative()
    if (negative !== isNegative(that)) return negative ? -1 : 1
    const difference = (this.high >>> 0) - (that.high >>> 0) || (this.low >>> 0) - (that.low >>> 0)
    return difference === 0 ? 0 : difference < 0 ? -1 : 1
  }

  /** @param {LongLike} divisor @returns {Long} truncated toward zero @throws {BSONError} when it is 0 */
  divide(divisor) {
    return Long.fromBigInt(bigOf(this, this.unsigned) / divisorOf(divisor, this.unsigned), this.unsigned)
  }

  /** Whether they have the same value. @param {LongLike} other @returns {boolean} */
  equals(other) {
    const that = toLong(other)
    if (this.high !== that.high || this.low !== that.low) return false
    return this.high >= 0 || this.unsigned === that.unsigned
  }

  /** @returns {number} the number of bits of the absolute value */
  getNumBitsAbs() {
    return this.toBigInt().toString(2).replace('-', '').length
  }

  /** @param {LongLike} divisor @returns {Long} with the sign of `this` @throws {BSONError} when it is 0 */
  modulo(divisor) {
    return Long.fromBigInt(bigOf(this, this.unsigned) % divisorOf(divisor, this.unsigned), this.unsigned)
  }

  /** The product, truncated to 64 bits. @param {LongLike} multiplier @returns {Long} */
  multiply(multiplier) {
    if (this.isZero()) return Long.ZERO
    const other = toLong(multiplier)
    // 8 ns, bigints take 75
    const product = this.toNumber() * other.toNumber()
    if (Number.isSafeInteger(product)) return fromInteger(product, this.unsigned)
    return Long.fromBigInt(bigOf(this) * bigOf(other), this.unsigned)
  }

  /** @returns {Long} with the other sign, truncated to 64 bits */ negate() { return this.not().add(Long.ONE) }

  /** @returns {Long} all bits inverted */ not() { return new Long(~this.low, ~this.high, this.unsigned) }

  /** The bits that one of them has. @param {LongLike} other @returns {Long} */
  or(other) {
    const { low, high } = toLong(other)
    return new Long(this.low | low, this.high | high, this.unsigned)
  }

  /** @param {number | Long} numBits modulo 64 @returns {Long} */
  shiftLeft(numBits) {
    const bits = shiftOf(numBits)
    return bits === 0n ? this : Long.fromBigInt(bigOf(this) << bits, this.unsigned)
  }

  /** @param {number | Long} numBits modulo 64 @returns {Long} filled with copies of the highest bit */
  shiftRight(numBits) {
    const bits = shiftOf(numBits)
    return bits === 0n ? this : Long.fromBigInt(bigOf(this) >> bits, this.unsigned)
  }

  /** @param {number | Long} numBits modulo 64 @returns {Long} filled with zeros */
  shiftRightUnsigned(numBits) {
    const bits = shiftOf(numBits)
    return bits === 0n ? this : Long.fromBigInt(bigOf(this, true) >> bits, this.unsigned)
  }

  /** The difference, truncated to 64 bits. @param {LongLike} subtrahend @returns {Long} */
  subtract(subtrahend) {
    const other = toLong(subtrahend)
    const low = (this.low >>> 0) - (other.low >>> 0)
    return new Long(low | 0, this.high - other.high - (low < 0 ? 1 : 0), this.unsigned)
  }

  /** @returns {number} the lower 32 bits */ toInt() { return this.unsigned ? this.low >>> 0 : this.low }

  /** @returns {number} the nearest double */
  toNumber() {
    return (this.unsigned ? this.high >>> 0 : this.high) * TWO_32 + (this.low >>> 0)
  }

  /** @returns {bigint} the exact value */ toBigInt() { return bigOf(this, this.unsigned) }

  /** @param {boolean} [le] little endian @returns {number[]} */
  toBytes(le) {
    return le ? this.toBytesLE() : this.toBytesBE()
  }

  /** @returns {number[]} 8 bytes, the lowest first */
  toBytesLE() {
    const { low, high } = this
    return [low, low >> 8, low >> 16, low >> 24, high, high >> 8, high >> 16, high >> 24].map(byte => byte & 0xff)
  }

  /** @returns {number[]} 8 bytes, the highest first */ toBytesBE() { return this.toBytesLE().reverse() }

  /** @returns {Long} the same bits, signed */
  toSigned() {
    return this.unsigned ? new Long(this.low, this.high, false) : this
  }

  /** @param {number} [radix] 2 to 36 @returns {string} @throws {BSONError} when `radix` is invalid */
  toString(radix) {
    radix = radix || 10
    if (radix < 2 || radix > 36) throw new BSONError('radix')
    const number = this.toNumber()
    return (Number.isSafeInteger(number) ? number : this.toBigInt()).toString(radix)
  }

  /** @returns {Long} the same bits, unsigned */
  toUnsigned() {
    return this.unsigned ? this : new Long(this.low, this.high, true)
  }

  /** The bits that only one of them has. @param {LongLike} other @returns {Long} */
  xor(other) {
    const { low, high } = toLong(other)
    return new Long(this.low ^ low, this.high ^ high, this.unsigned)
  }

  // Comparisons and tests, based on `compare` and the bits.

  /** @param {LongLike} other @returns {boolean} */ greaterThan(other) { return this.compare(other) > 0 }
  /** @param {LongLike} other @returns {boolean} */ greaterThanOrEqual(other) { return this.compare(other) >= 0 }
  /** @returns {boolean} */ isEven() { return (this.low & 1) === 0 }
  /** @returns {boolean} */ isNegative() { return isNegative(this) }
  /** @returns {boolean} */ isOdd() { return (this.low & 1) === 1 }
  /** @returns {boolean} not negative */ isPositive() { return !isNegative(this) }
  /** @returns {boolean} */ isZero() { return this.high === 0 && this.low === 0 }
  /** @param {LongLike} other @returns {boolean} */ lessThan(other) { return this.compare(other) < 0 }
  /** @param {LongLike} other @returns {boolean} */ lessThanOrEqual(other) { return this.compare(other) <= 0 }
  /** @param {LongLike} other @returns {boolean} */ notEquals(other) { return !this.equals(other) }

  // Aliases.

  /** The upper 32 bits as a signed integer. */ getHighBits() { return this.high }
  /** The upper 32 bits as an unsigned integer. */ getHighBitsUnsigned() { return this.high >>> 0 }
  /** The lower 32 bits as a signed integer. */ getLowBits() { return this.low }
  /** The lower 32 bits as an unsigned integer. */ getLowBitsUnsigned() { return this.low >>> 0 }
  /** As `compare`. @param {LongLike} other */ comp(other) { return this.compare(other) }
  /** As `divide`. @param {LongLike} divisor */ div(divisor) { return this.divide(divisor) }
  /** As `equals`. @param {LongLike} other */ eq(other) { return this.equals(other) }
  /** As `greaterThan`. @param {LongLike} other */ gt(other) { return this.greaterThan(other) }
  /** As `greaterThanOrEqual`. @param {LongLike} other */ gte(other) { return this.greaterThanOrEqual(other) }
  /** As `greaterThanOrEqual`. @param {LongLike} other */ ge(other) { return this.greaterThanOrEqual(other) }
  /** As `lessThan`. @param {LongLike} other */ lt(other) { return this.lessThan(other) }
  /** As `lessThanOrEqual`. @param {LongLike} other */ lte(other) { return this.lessThanOrEqual(other) }
  /** As `lessThanOrEqual`. @param {LongLike} other */ le(other) { return this.lessThanOrEqual(other) }
  /** As `modulo`. @param {LongLike} divisor */ mod(divisor) { return this.modulo(divisor) }
  /** As `modulo`. @param {LongLike} divisor */ rem(divisor) { return this.modulo(divisor) }
  /** As `multiply`. @param {LongLike} multiplier */ mul(multiplier) { return this.multiply(multiplier) }
  /** As `negate`. */ neg() { return this.negate() }
  /** As `notEquals`. @param {LongLike} other */ neq(other) { return this.notEquals(other) }
  /** As `notEquals`. @param {LongLike} other */ ne(other) { return this.notEquals(other) }
  /** As `shiftLeft`. @param {number | Long} numBits */ shl(numBits) { return this.shiftLeft(numBits) }
  /** As `shiftRight`. @param {number | Long} numBits */ shr(numBits) { return this.shiftRight(numBits) }
  /** As `shiftRightUnsigned`. @param {number | Long} numBits */
  shr_u(numBits) { return this.shiftRightUnsigned(numBits) }
  /** As `shiftRightUnsigned`. @param {number | Long} numBits */
  shru(numBits) { return this.shiftRightUnsigned(numBits) }
  /** As `subtract`. @param {LongLike} subtrahend */ sub(subtrahend) { return this.subtract(subtrahend) }
  /** As `isZero`. */ eqz() { return this.isZero() }

  /** @param {import('./bson-value').EJSONOptions} [options] @returns {number | LongExtended} @internal */
  toExtendedJSON(options) {
    if (options?.relaxed) return this.toNumber()
    return { $numberLong: this.toString() }
  }

  /**
   * @param {{$numberLong: string}} doc
   * @param {import('./bson-value').EJSONOptions} [options]
   * @returns {number | Long | bigint} in relaxed mode also a Long, if a number would not be exact
   * @throws {BSONError} when it is not an int64
   * @internal
   */
  static fromExtendedJSON(doc, options) {
    const { useBigInt64 = false, relaxed = true } = { ...options }
    const text = doc.$numberLong
    if (text.length > MAX_INT64_STRING_LENGTH) throw new BSONError('$numberLong string is too long')
    if (!INT64_FORMAT.test(text)) throw new BSONError(`$numberLong string "${text}" is in an invalid format`)
    const number = Number(text) + 0 // no -0
    if (Number.isSafeInteger(number)) return useBigInt64 ? BigInt(number) : relaxed ? number : Long.fromNumber(number)
    const value = BigInt(text)
    // as decode does
    if (relaxed && !useBigInt64 && Math.abs(number) === TWO_53 && value === BigInt(number)) return number
    if (!isInt64(value)) throw new BSONError(`$numberLong string "${text}" is outside the range of an int64`)
    return useBigInt64 ? value : Long.fromBigInt(value)
  }

  /** @param {number} [depth] @param {unknown} [options] @param {import('./bson-value').InspectFn} [inspect] */
  inspect(depth, options, inspect) {
    inspect ??= defaultInspect
    const unsigned = this.unsigned ? `, ${inspect(this.unsigned, options)}` : ''
    return `new Long(${inspect(this.toString(), options)}${unsigned})`
  }

  static TWO_PWR_24 = Long.fromInt(1 << 24)
  static MAX_UNSIGNED_VALUE = new Long(-1, -1, true)
  static ZERO = Long.fromInt(0)
  static UZERO = Long.fromInt(0, true)
  static ONE = Long.fromInt(1)
  static UONE = Long.fromInt(1, true)
  static NEG_ONE = Long.fromInt(-1)
  static MAX_VALUE = new Long(-1, 0x7fffffff, false)
  static MIN_VALUE = new Long(0, -0x80000000, false)
}

/** @param {number} value an integer of up to 64 bits @param {boolean} unsigned @returns {Long} */
function fromInteger(value, unsigned) {
  return new Long(value | 0, Math.floor(value / TWO_32), unsigned)
}

function toLong(value) {
  return Long.isLong(value) ? value : Long.fromValue(value)
}

function isNegative(long) {
  return !long.unsigned && long.high < 0
}

function divisorOf(divisor, unsigned) {
  const value = bigOf(toLong(divisor), unsigned)
  if (value === 0n) throw new BSONError('division by zero')
  return value
}

function shiftOf(numBits) {
  return BigInt((Long.isLong(numBits) ? numBits.toInt() : numBits) & 63)
}

/** @typedef {{$numberLong: string}} LongExtended */

module.exports = { Long }
