'use strict'

const { BSONValue, defaultInspect } = require('./bson-value')

/** A string stored as a BSON symbol, which is a deprecated type. */
class BSONSymbol extends BSONValue {
  /** @returns {'BSONSymbol'} */ get _bsontype() { return 'BSONSymbol' }

  /** @param {string} value */
  constructor(value) {
    super()
    this.value = value
  }

  /** @returns {string} */
  valueOf() {
    return this.value
  }

  /** @returns {string} */
  toString() {
    return this.value
  }

  /** What `JSON.stringify` writes. @returns {string} */
  toJSON() {
    return this.value
  }

  /** @returns {BSONSymbolExtended} @internal */
  toExtendedJSON() {
    return { $symbol: this.value }
  }

  /** @param {BSONSymbolExtended} doc @returns {BSONSymbol} @internal */
  static fromExtendedJSON(doc) {
    return new BSONSymbol(doc.$symbol)
  }

  /** @param {number} [depth] @param {unknown} [options] @param {import('./bson-value').InspectFn} [inspect] */
  inspect(depth, options, inspect) {
    inspect ??= defaultInspect
    return `new BSONSymbol(${inspect(this.value, options)})`
  }
}

/** @typedef {{$symbol: string}} BSONSymbolExtended */

module.exports = { BSONSymbol }
