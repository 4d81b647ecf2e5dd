'use strict'

const { BSONError } = require('../errors')
const { BSONValue } = require('./bson-value')
const { defaultInspect, stylizer } = require('./inspect')

/** A regular expression as BSON has it: a PCRE pattern, and options that JavaScript may not know. */
class BSONRegExp extends BSONValue {
  /** @returns {'BSONRegExp'} */
  get _bsontype() {
    return 'BSONRegExp'
  }

  /**
   * @param {string} pattern
   * @param {string} [options] of i, l, m, s, u, x; kept in alphabetical order
   * @throws {BSONError} on other options, and on a NUL in either
   */
  constructor(pattern, options) {
    super()
    /** @type {string} */
    this.pattern = pattern
    /** @type {string} */
    this.options = alphabetize(options ?? '')
    check(this.pattern, this.options)
  }

  /** @param {string} [options] @returns {string} in alphabetical order */
  static parseOptions(options) {
    return options ? alphabetize(options) : ''
  }

  /**
   * @param {import('./bson-value').EJSONOptions} [options]
   * @returns {BSONRegExpExtended | BSONRegExpExtendedLegacy}
   * @internal
   */
  toExtendedJSON(options) {
    if (options && options.legacy) return { $regex: this.pattern, $options: this.options }
    return { $regularExpression: { pattern: this.pattern, options: this.options } }
  }

  /**
   * @param {any} doc
   * @returns {BSONRegExp} or `doc` itself when its $regex is a BSONRegExp: that is a query
   * @throws {BSONError}
   * @internal
   */
  static fromExtendedJSON(doc) {
    if ('$regex' in doc) {
      if (typeof doc.$regex === 'string') return new BSONRegExp(doc.$regex, BSONRegExp.parseOptions(doc.$options))
      if (doc.$regex._bsontype === 'BSONRegExp') return doc
    }
    if ('$regularExpression' in doc) {
      const { pattern, options } = doc.$regularExpression
      return new BSONRegExp(pattern, BSONRegExp.parseOptions(options))
    }
    throw new BSONError(`Unexpected BSONRegExp EJSON object form: ${JSON.stringify(doc)}`)
  }

  /**
   * @param {number} [depth]
   * @param {unknown} [options]
   * @param {import('./inspect').InspectFn} [inspect]
   * @returns {string}
   */
  inspect(depth, options, inspect) {
    inspect ??= defaultInspect
    const stylize = stylizer(options)
    return `new BSONRegExp(${stylize(inspect(this.pattern), 'regexp')}, ${stylize(inspect(this.options), 'regexp')})`
  }
}

/** @param {string} options */
function alphabetize(options) {
  if (typeof options !== 'string') throw new BSONError('the options of a regular expression must be a string')
  for (let i = 1; i < options.length; i++) {
    if (options[i] < options[i - 1]) return options.split('').sort().join('')
  }
  return options
}

/** @param {string} pattern @param {string} options */
function check(pattern, options) {
  if (pattern.indexOf('\0') !== -1) {
    throw new BSONError(`BSON Regex patterns cannot contain null bytes, found: ${JSON.stringify(pattern)}`)
  }
  if (options.indexOf('\0') !== -1) {
    throw new BSONError(`BSON Regex options cannot contain null bytes, found: ${JSON.stringify(options)}`)
  }
  for (let i = 0; i < options.length; i++) {
    if (!'ilmsux'.includes(options[i])) {
      throw new BSONError(`The regular expression option [${options[i]}] is not supported`)
    }
  }
}

/** @typedef {{$regularExpression: {pattern: string, options: string}}} BSONRegExpExtended */
/** @typedef {{$regex: string | BSONRegExp, $options: string}} BSONRegExpExtendedLegacy */

module.exports = { BSONRegExp }
