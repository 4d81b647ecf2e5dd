'use strict'

const { BSONError, shownName, shownValue } = require('../errors')
const { REGEX_OPTIONS } = require('../spec')
const { BSONValue, defaultInspect, stylizer } = require('./bson-value')

/** A BSON regular expression: a PCRE pattern, and options that JavaScript may not support. */
class BSONRegExp extends BSONValue {
  /** @returns {'BSONRegExp'} */ get _bsontype() { return 'BSONRegExp' }

  /**
   * @param {string} pattern
   * @param {string} [options] any of i, l, m, s, u, x; kept in alphabetical order
   * @throws {BSONError} on other options, and on a NUL in either argument
   */
  constructor(pattern, options) {
    super()
    this.pattern = pattern
    this.options = checkedOptions(options ?? '')
    checkNul(this.pattern, 'patterns')
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
    if (options?.legacy) return { $regex: this.pattern, $options: this.options }
    return { $regularExpression: { pattern: this.pattern, options: this.options } }
  }

  /**
   * @param {any} doc
   * @returns {BSONRegExp} or `doc` itself if its $regex is a BSONRegExp: it is then a query
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
    throw new BSONError(`Unexpected BSONRegExp EJSON object form: ${shownName(`${JSON.stringify(doc)}`, 200)}`)
  }

  /** @param {number} [depth] @param {unknown} [options] @param {import('./bson-value').InspectFn} [inspect] */
  inspect(depth, options, inspect) {
    inspect ??= defaultInspect
    const stylize = stylizer(options)
    return `new BSONRegExp(${stylize(inspect(this.pattern), 'regexp')}, ${stylize(inspect(this.options), 'regexp')})`
  }
}

function alphabetize(options) {
  if (typeof options !== 'string') throw new BSONError('the options of a regular expression must be a string')
  return options.length < 2 ? options : options.split('').sort().join('')
}

/** Sorts options alphabetically, as in BSON. @param {string} options @throws {BSONError} on unknown options */
function checkedOptions(options) {
  const sorted = alphabetize(options)
  checkNul(sorted, 'options')
  for (let i = 0; i < sorted.length; i++) {
    if (!REGEX_OPTIONS.includes(sorted[i])) throw new BSONError(`The regular expression option [${sorted[i]}] is not supported`)
  }
  return sorted
}

function checkNul(text, what) {
  if (text.indexOf('\0') === -1) return
  throw new BSONError(`BSON Regex ${what} cannot contain null bytes, found: ${shownValue(text)}`)
}

/** @typedef {{$regularExpression: {pattern: string, options: string}}} BSONRegExpExtended */
/** @typedef {{$regex: string | BSONRegExp, $options: string}} BSONRegExpExtendedLegacy */

module.exports = { BSONRegExp, checkedOptions }
