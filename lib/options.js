'use strict'

// Options: what each may be, and one wording for all that are refused.

const { INT32_MAX, INT32_MIN, MAX_DEPTH } = require('./spec')
const { BSONError, shownName, shownValue } = require('./errors')
const { hasOwn } = require('./properties')

/**
 * Returns the value of an option, its default for undefined.
 *
 * @template T
 * @typedef {(value: any, name: string) => T} OptionReader throws a BSONError on a value that is not allowed
 */

/**
 * @template {Record<string, OptionReader<any>>} T
 * @param {T} table the reader of each option
 * @param {string} [owner] the function of which these are all options: it refuses any other, which may be misspelt
 * @param {Record<string, string>} [earlier] names that options had earlier: today's by the earlier one
 * @returns {(options: object | null | undefined) => {[K in keyof T]: ReturnType<T[K]>}} reads the options of a call:
 *   an object's own ones, as a polluted Object.prototype must not set any
 */
function optionsOf(table, owner, earlier = {}) {
  const template = Object.fromEntries(Object.entries(table).map(([name, read]) => [name, read(undefined, name)]))
  const defaults = Object.freeze({ ...template })
  return options => {
    if (options === undefined || options === null) return /** @type {any} */ (defaults)
    const values = /** @type {any} */ ({ ...template })
    // most of few: a loop over the table takes three times as long
    for (const given in options) {
      if (!hasOwn.call(options, given)) continue
      const name = hasOwn.call(table, given) ? given : earlier[given]
      if (name !== undefined && hasOwn.call(table, name)) values[name] = table[name](options[given], given)
      else if (owner !== undefined && options[given] !== undefined) throw unknownOption(owner, given)
    }
    return values
  }
}

/** @param {string} owner a function @param {string} name @returns {BSONError} */
function unknownOption(owner, name) {
  return new BSONError(`${owner} has no option ${shownName(name)}`)
}

/** @param {string} name @param {any} value @param {string} allowed in words @returns {BSONError} */
function refusal(name, value, allowed) {
  return new BSONError(`${name} must be ${allowed}: ${shownValue(value)}`)
}

/** On or off; anything but the other boolean means the default. @param {boolean} otherwise the default */
function flag(otherwise) {
  return value => otherwise ? value !== false : value === true
}

/** Like `flag`, but anything is on or off. @param {boolean} otherwise the default, for null too */
function truthy(otherwise) {
  return value => Boolean(value ?? otherwise)
}

/** @type {OptionReader<any>} */
function anything(value) {
  return value
}

/** @param {number} [otherwise] the default; without one it must be given @returns {OptionReader<number>} positive */
function positive(otherwise) {
  return (value = otherwise, name) => {
    if (Number.isInteger(value) && value > 0) return value
    throw refusal(name, value, 'a positive integer')
  }
}

/**
 * @param {number} most the largest that has an effect
 * @param {number} [otherwise] the default, for null too
 * @returns {OptionReader<number>} of a limit: a positive integer or Infinity
 */
function limit(most, otherwise = most) {
  return (value, name) => {
    if (value === undefined || value === null) return otherwise
    if (typeof value === 'number' && value > 0 && (Number.isInteger(value) || value === Infinity)) return Math.min(value, most)
    throw refusal(name, value, 'a positive integer')
  }
}

/** The maxDepth of many functions. @type {OptionReader<number>} null is the default too; rounding would be a guess */
function levels(value, name) {
  if (value === undefined || value === null) return MAX_DEPTH
  if (typeof value === 'number' && value >= 0 && (Number.isInteger(value) || value === Infinity)) return value
  throw refusal(name, value, 'a non-negative integer')
}

/** Such as where something begins, in bytes: by default 0. @type {OptionReader<number>} */
function wholeNumber(value, name) {
  if (value === undefined) return 0
  if (Number.isInteger(value) && value >= 0) return value
  throw refusal(name, value, 'a non-negative integer')
}

/** Of a function that reads many documents. @param {number | null} [index] @throws {BSONError} but for 0 */
function noIndex(index) {
  if (index) throw new BSONError('documents are read from the first byte on, without index: pass a part of the bytes')
}

/** @param {number} [otherwise] the default; without one it must be given @returns {OptionReader<number>} */
function int32(otherwise) {
  return (value = otherwise, name) => {
    if (Number.isInteger(value) && value >= INT32_MIN && value <= INT32_MAX) return value
    throw refusal(name, value, 'an int32')
  }
}

/** @type {OptionReader<string | undefined>} */
function string(value, name) {
  if (value === undefined || typeof value === 'string') return value
  throw refusal(name, value, 'a string')
}

/** Null is none too. @type {OptionReader<((...args: any[]) => any) | undefined>} */
function callback(value, name) {
  if (value === undefined || value === null || typeof value === 'function') return value ?? undefined
  throw refusal(name, value, 'a function')
}

/**
 * @template {string} T
 * @param {readonly T[]} choices
 * @param {T} [otherwise] the default
 * @returns {OptionReader<T>}
 */
function oneOf(choices, otherwise = choices[0]) {
  return (value = otherwise, name) => {
    if (choices.includes(value)) return value
    const quoted = choices.map(choice => `'${choice}'`)
    throw refusal(name, value, `${quoted.slice(0, -1).join(', ')} or ${quoted[quoted.length - 1]}`)
  }
}

module.exports = {
  optionsOf, refusal, flag, truthy, anything, positive, limit, levels, wholeNumber, noIndex, int32, string, callback,
  oneOf
}
