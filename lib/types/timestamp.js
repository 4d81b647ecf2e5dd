'use strict'

const { BSONError } = require('../errors')
const { bsonType } = require('../spec')
const { defaultInspect } = require('./bson-value')
const { Long } = require('./long')

const UINT32_MAX = 0xffffffff

/**
 * The members of Long that Timestamp overrides.
 *
 * @typedef {'_bsontype' | 'toExtendedJSON' | 'fromExtendedJSON' | 'inspect' | typeof bsonType} TimestampOverrides
 */

/**
 * @typedef {new (low: unknown, high?: number | boolean, unsigned?: boolean) =>
 *   Pick<Long, Exclude<keyof Long, TimestampOverrides>> & BSONValue} LongWithoutOverrides
 */

/** Long, without the members that Timestamp overrides. */
const LongWithoutOverridesClass = /** @type {LongWithoutOverrides} */ (/** @type {unknown} */ (Long))

/** For internal use by MongoDB: seconds `t` since 1970 and an ordinal `i` within the second. Not a date. */
class Timestamp extends LongWithoutOverridesClass {
  /** @returns {'Timestamp'} */ get _bsontype() { return 'Timestamp' }

  /** @returns {'Timestamp'} */
  get [bsonType]() {
    return 'Timestamp'
  }

  /** @deprecated use `Long.MAX_UNSIGNED_VALUE` @type {Long} */
  static MAX_VALUE = Long.MAX_UNSIGNED_VALUE

  /** @returns {number} the ordinal, unsigned 32 bits */
  get i() {
    return this.low >>> 0
  }

  /** @returns {number} seconds since 1970, unsigned 32 bits */
  get t() {
    return this.high >>> 0
  }

  /**
   * @overload
   * @param {number} low the lower 32 bits
   * @param {number} high the upper 32 bits
   */
  /**
   * @overload
   * @param {bigint | Long | {t: number | Int32, i: number | Int32}} [value] all 64 bits
   */
  /**
   * @param {any} [low]
   * @param {number} [high]
   * @throws {BSONError} on any other argument, or a number that is out of range
   */
  constructor(low, high = undefined) {
    if (typeof high === 'number' && typeof low === 'number') {
      super(low, high, true)
    } else if (typeof low === 'bigint' || low === undefined || low === null) {
      super(low ?? 0, true)
    } else if (Long.isLong(low)) {
      super(low.low, low.high, true)
    } else if (typeof low === 'object' && 't' in low && 'i' in low) {
      const t = uint32(low.t, 't')
      super(uint32(low.i, 'i'), t, true)
    } else {
      throw new BSONError('A Timestamp can only be constructed with: bigint, Long, or { t: number; i: number }')
    }
  }

  /** @returns {{$timestamp: string}} */
  toJSON() {
    return { $timestamp: this.toString() }
  }

  /** @param {number} value becomes `i` @returns {Timestamp} @deprecated use `new Timestamp({ t, i })` */
  static fromInt(value) {
    return new Timestamp(Long.fromInt(value, true))
  }

  /** @param {number} value all 64 bits @returns {Timestamp} @deprecated use `new Timestamp({ t, i })` */
  static fromNumber(value) {
    return new Timestamp(Long.fromNumber(value, true))
  }

  /** @param {number} lowBits `i` @param {number} highBits `t` @returns {Timestamp} */
  static fromBits(lowBits, highBits) {
    return new Timestamp({ i: lowBits, t: highBits })
  }

  /** @param {string} str all 64 bits @param {number} optRadix @returns {Timestamp} */
  static fromString(str, optRadix) {
    return new Timestamp(Long.fromString(str, true, optRadix))
  }

  /** @returns {TimestampExtended} @internal */
  toExtendedJSON() {
    return { $timestamp: { t: this.t, i: this.i } }
  }

  /** @param {any} doc @returns {Timestamp} @throws {BSONError} @internal */
  static fromExtendedJSON(doc) {
    const { t, i } = doc.$timestamp
    return new Timestamp({
      t: Long.isLong(t) ? t.getLowBitsUnsigned() : t,
      i: Long.isLong(i) ? i.getLowBitsUnsigned() : i
    })
  }

  /** @param {number} [depth] @param {unknown} [options] @param {import('./bson-value').InspectFn} [inspect] */
  inspect(depth, options, inspect) {
    inspect ??= defaultInspect
    return `new Timestamp({ t: ${inspect(this.t, options)}, i: ${inspect(this.i, options)} })`
  }
}

/** @param {any} value a number or Int32 @param {'t' | 'i'} name @returns {number} */
function uint32(value, name) {
  const rule = `Timestamp constructed from { t, i } must provide`
  if (typeof value !== 'number' && value?._bsontype !== 'Int32') throw new BSONError(`${rule} ${name} as a number`)
  const number = Number(value)
  if (!(number >= 0)) throw new BSONError(`${rule} a positive ${name}`)
  if (number > UINT32_MAX) throw new BSONError(`${rule} ${name} equal or less than uint32 max`)
  return number
}

/** @typedef {{$timestamp: {t: number, i: number}}} TimestampExtended */
/** @typedef {import('./int32').Int32} Int32 */
/** @typedef {import('./bson-value').BSONValue} BSONValue */

module.exports = { Timestamp }
