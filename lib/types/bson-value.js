'use strict'

const { BSON_MAJOR_VERSION, BSON_VERSION_SYMBOL, bsonType } = require('../spec')
const { defaultInspect } = require('./inspect')

/**
 * What all BSON types have in common: each answers its name as `_bsontype` and under `bsonType`, and the major version
 * of the `bson` package that it belongs with.
 */
class BSONValue {
  /** The name of the type. @returns {BSONTypeTag} the class's, where it says nothing else */
  get _bsontype() {
    return /** @type {any} */ (this.constructor.name)
  }

  /** @returns {this['_bsontype']} */
  get [bsonType]() {
    return this._bsontype
  }

  get [BSON_VERSION_SYMBOL]() {
    return BSON_MAJOR_VERSION
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    return this.inspect(depth, options, inspect)
  }

  /**
   * @param {number} [depth]
   * @param {unknown} [options] of util.inspect
   * @param {import('./inspect').InspectFn} [inspect] prints what is inside
   * @returns {string} JavaScript that makes the value
   */
  inspect(depth, options, inspect) {
    inspect ??= defaultInspect
    return `new ${this._bsontype}(${inspect({ ...this }, options)})`
  }
}

/**
 * The names of the types.
 *
 * @typedef {'BSONRegExp' | 'BSONSymbol' | 'ObjectId' | 'Binary' | 'Decimal128' | 'Double' | 'Int32' | 'Long' |
 *   'MaxKey' | 'MinKey' | 'Timestamp' | 'Code' | 'DBRef'} BSONTypeTag
 */

/**
 * A document: what an application stores.
 *
 * @typedef {{[key: string]: any}} Document
 */

/**
 * What the types need to know of Extended JSON's options.
 *
 * @typedef {{legacy?: boolean, relaxed?: boolean, useBigInt64?: boolean, ignoreUndefined?: boolean}} EJSONOptions
 */

module.exports = { BSONValue }
