'use strict'

const { BSON_MAJOR_VERSION, BSON_VERSION_SYMBOL, bsonType } = require('../spec')

/** @typedef {(value: unknown, options?: unknown) => string} InspectFn */

/** Replaces Node's util.inspect on other runtimes. @type {InspectFn} */
function defaultInspect(value) {
  return JSON.stringify(value, (_key, item) => {
    if (typeof item === 'bigint') return { $numberLong: `${item}` }
    return item?.[Symbol.toStringTag] === 'Map' ? Object.fromEntries(item) : item // also a Map from another realm
  })
}

/**
 * @param {any} options the options of util.inspect
 * @returns {(text: string, style: string) => string} adds colours if the options ask for them
 */
function stylizer(options) {
  return typeof options?.stylize === 'function' ? options.stylize : text => text
}

/**
 * The base class of all BSON types. Each returns its name as `_bsontype` and under `bsonType`, and the major version of
 * the matching `bson` package.
 */
class BSONValue {
  /** The name of the type. @returns {BSONTypeTag} the class name by default */
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
   * @param {unknown} [options] the options of util.inspect
   * @param {InspectFn} [inspect] prints the contents
   * @returns {string} JavaScript that creates the value
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
 * The Extended JSON options that the types use.
 *
 * @typedef {{legacy?: boolean, relaxed?: boolean, useBigInt64?: boolean, ignoreUndefined?: boolean}} EJSONOptions
 */

module.exports = { BSONValue, defaultInspect, stylizer }
