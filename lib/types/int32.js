'use strict'

const { invalidInput } = require('../errors')
const { INT32_MAX, INT32_MIN } = require('../spec')
const { BSONValue, defaultInspect } = require('./bson-value')

/** A number stored as a BSON int32, whatever type its value would normally get. */
class Int32 extends BSONValue {
  /** @returns {'Int32'} */ get _bsontype() { return 'Int32' }

  /** @param {number | string} value wrapped to 32 bits, like `value | 0` */
  constructor(value) {
    super()
    this.value = +value | 0
  }

  /**
   * @param {string} value decimal digits with an optional sign
   * @returns {Int32}
   * @throws {BSONError} when it is not exactly an int32
   */
  static fromString(value) {
    const number = Number(value)
    if (number > INT32_MAX) throw invalidInput(value, 'is larger than the maximum value for Int32')
    if (number < INT32_MIN) throw invalidInput(value, 'is smaller than the minimum value for Int32')
    if (!Number.isSafeInteger(number)) throw invalidInput(value, 'is not a safe integer')
    if (typeof value !== 'string' || !/^(\+?[0-9]+|-0*[1-9][0-9]*)$/.test(value)) {
      throw invalidInput(value, 'is not a valid Int32 string')
    }
    return new Int32(number)
  }

  /** @returns {number} */
  valueOf() {
    return this.value
  }

  /** @param {number} [radix] 2 to 36 @returns {string} */
  toString(radix) {
    return this.value.toString(radix)
  }

  /** What `JSON.stringify` writes. @returns {number} */
  toJSON() {
    return this.value
  }

  /** @param {import('./bson-value').EJSONOptions} [options] @returns {number | Int32Extended} @internal */
  toExtendedJSON(options) {
    if (options?.relaxed || options?.legacy) return this.value
    return { $numberInt: this.value.toString() }
  }

  /**
   * @param {Int32Extended} doc
   * @param {import('./bson-value').EJSONOptions} [options]
   * @returns {number | Int32}
   * @internal
   */
  static fromExtendedJSON(doc, options) {
    const int32 = new Int32(doc.$numberInt)
    return options?.relaxed ? int32.value : int32
  }

  /** @param {number} [depth] @param {unknown} [options] @param {import('./bson-value').InspectFn} [inspect] */
  inspect(depth, options, inspect) {
    inspect ??= defaultInspect
    return `new Int32(${inspect(this.value, options)})`
  }
}

/** @typedef {{$numberInt: string}} Int32Extended */

module.exports = { Int32 }
