'use strict'

const { BSON_MAJOR_VERSION, BSON_VERSION_SYMBOL, bsonType } = require('../spec')

/**
 * What all BSON types have in common: each answers its name as `_bsontype` and under `bsonType`, and the major version
 * of the `bson` package that it belongs with.
 *
 * @abstract
 */
class BSONValue {
  get [bsonType]() {
    return /** @type {any} */ (this)._bsontype
  }

  get [BSON_VERSION_SYMBOL]() {
    return BSON_MAJOR_VERSION
  }

  /**
   * @param {number} [depth]
   * @param {unknown} [options]
   * @param {import('./inspect').InspectFn} [inspect]
   * @returns {string}
   */
  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    return /** @type {any} */ (this).inspect(depth, options, inspect)
  }
}

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
