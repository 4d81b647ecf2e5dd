'use strict'

const { BSONError, invalidInput, shownName } = require('../errors')
const { BSONValue, defaultInspect } = require('./bson-value')

/** A number stored as a BSON double, even if it is integral. */
class Double extends BSONValue {
  /** @returns {'Double'} */ get _bsontype() { return 'Double' }

  /** @param {number} value */
  constructor(value) {
    super()
    this.value = +value
  }

  /**
   * @param {string} value decimal or exponential notation, 'NaN', 'Infinity' or '-Infinity'
   * @returns {Double}
   * @throws {BSONError} when it is anything else
   */
  static fromString(value) {
    const number = Number(value)
    if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return new Double(number)
    if (!Number.isFinite(number)) throw new BSONError(`Input: ${shownName(`${value}`)} is not representable as a Double`)
    if (value.trim() !== value) throw invalidInput(value, 'contains whitespace')
    if (value === '') throw new BSONError('Input is an empty string')
    if (/[^-0-9.+eE]/.test(value)) {
      throw invalidInput(value, 'is not in decimal or exponential notation')
    }
    return new Double(number)
  }

  /** @returns {number} */
  valueOf() {
    return this.value
  }

  /** What `JSON.stringify` writes. @returns {number} */
  toJSON() {
    return this.value
  }

  /** @param {number} [radix] 2 to 36 @returns {string} */
  toString(radix) {
    return this.value.toString(radix)
  }

  /** @param {import('./bson-value').EJSONOptions} [options] @returns {number | DoubleExtended} @internal */
  toExtendedJSON(options) {
    const value = this.value
    if (options?.legacy || (options?.relaxed && isFinite(value))) return value
    if (Object.is(value, -0)) return { $numberDouble: '-0.0' }
    return { $numberDouble: Number.isInteger(value) ? value.toFixed(1) : value.toString() }
  }

  /**
   * @param {DoubleExtended} doc
   * @param {import('./bson-value').EJSONOptions} [options]
   * @returns {number | Double}
   * @internal
   */
  static fromExtendedJSON(doc, options) {
    const value = parseFloat(doc.$numberDouble)
    return options?.relaxed ? value : new Double(value)
  }

  /** @param {number} [depth] @param {unknown} [options] @param {import('./bson-value').InspectFn} [inspect] */
  inspect(depth, options, inspect) {
    inspect ??= defaultInspect
    return `new Double(${inspect(this.value, options)})`
  }
}

/** @typedef {{$numberDouble: string}} DoubleExtended */

module.exports = { Double }
