'use strict'

// Options: what each may be, and one wording for all that are refused.

const { INT32_MAX, INT32_MIN, MAX_DEPTH } = require('./spec')
const { BSONError, shownKind, shownName, tagOf } = require('./errors')
const { hasOwn, ownFields } = require('./properties')
const { nearest } = require('./nearest')

/**
 * Returns the value of an option, its default for undefined.
 *
 * @template T
 * @typedef {(value: any, name: string) => T} OptionReader throws a BSONError on a value that is not allowed
 */

/** The options of `encode`, and of functions that write a document by its rules. */
const ENCODE_OPTIONS = ['checkKeys', 'serializeFunctions', 'ignoreUndefined', 'maxDepth', 'maxSize']

/** Those of `decode`, and of functions that read a document by its rules. */
const DECODE_OPTIONS = [
  'promoteValues', 'promoteLongs', 'useBigInt64', 'promoteBuffers', 'bsonRegExp', 'raw', 'fieldsAsRaw', 'validation', 'index',
  'allowObjectSmallerThanBufferSize', 'maxDepth'
]

/** Those of functions that write documents as JSON. */
const JSON_OPTIONS = [
  'int64', 'objectId', 'date', 'decimal', 'binary', 'indent', 'validation', 'maxDepth', 'index', 'allowObjectSmallerThanBufferSize'
]

/**
 * @template {Record<string, OptionReader<any>>} T
 * @param {T} table the reader of each option
 * @param {Record<string, string>} [earlier] names that options had earlier: today's by the earlier one
 * @returns {(options: object | null | undefined) => {[K in keyof T]: ReturnType<T[K]>}} reads the options of a call:
 *   an object's own ones, as a polluted Object.prototype must not set any
 */
function optionsOf(table, earlier = {}) {
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
    }
    return values
  }
}

/**
 * The options of a function that only qbson has: it refuses others, which may be misspelt. A function that bson has too
 * passes over them, because the official driver gives it options of its own.
 *
 * @template {Record<string, OptionReader<any>>} T
 * @param {string} owner the function
 * @param {T} table the reader of each option
 * @param {object} [more]
 * @param {Record<string, string>} [more.earlier] as for `optionsOf`
 * @param {string[]} [more.passed] names of options that it hands on
 * @param {string[]} [more.others] that it takes, too, but does not offer
 * @returns {(options: object | null | undefined) => {[K in keyof T]: ReturnType<T[K]>}}
 */
function ownOptionsOf(owner, table, { earlier = {}, passed = [], others = [] } = {}) {
  const only = onlyOptions(owner, [...Object.keys(table), ...passed], [...Object.keys(earlier), ...others])
  const read = optionsOf(table, earlier)
  return options => read(only(options))
}

/**
 * The same for a function that hands all of its options on.
 *
 * @param {string} owner the function
 * @param {string[]} names of its options
 * @param {string[]} [others] that it takes, too, but does not offer
 * @param {string} [what] they are
 * @returns {<O>(options: O) => O} the same options; throws a BSONError when there are others
 */
function onlyOptions(owner, names, others = [], what = 'option') {
  const known = new Set([...names, ...others])
  const refuse = refuserOf(owner, what, names, known)
  /** Options that were found good last: with them, `get` of a RawDocument takes a fifth less time. @type {any} */
  let last
  return options => {
    if (options === undefined || options === null || options === last) return options
    const isOdd = typeof options !== 'object' || (options.constructor !== Object && isOther(options))
    if (isOdd) throw noOptions(what, owner, names[0], options)
    for (const name in options) if (!known.has(name)) refuse(options, name)
    if (what === 'option') last = options
    return options
  }
}

/**
 * Copies options for an object that outlives the call: the caller may change them later.
 *
 * @template O
 * @param {O} options
 * @returns {O} its own fields, with copies of the plain objects and arrays in them
 */
function kept(options) {
  const own = /** @type {any} */ (ownFields(options))
  for (const name of Object.keys(own)) own[name] = copyOf(own[name], 2)
  return own
}

/** @param {any} value @param {number} levels */
function copyOf(value, levels) {
  if (Array.isArray(value)) return value.slice()
  const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  if (!isPlain || levels === 0) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copyOf(each, levels - 1)]))
}

/** @param {string} owner @param {string} what @param {string[]} names that it offers @param {Set<string>} known */
function refuserOf(owner, what, names, known) {
  return (options, name) => {
    if (known.has(name) || !hasOwn.call(options, name) || options[name] === undefined) return
    throw new BSONError(`${owner} has no ${what} ${shownName(name)}${meant(name, names)}. Its ${what}s are ${names.join(', ')}`)
  }
}

/** @param {string} name @param {string[]} names @returns {string} the nearest of them, to be added to a message */
function meant(name, names) {
  const word = nearest(name, names)
  return word === undefined ? '' : ` (did you mean ${word}?)`
}

/** Whether an object without fields cannot be meant as options: a promise, a Map, an array. @param {object} object */
function isOther(object) {
  const prototype = Object.getPrototypeOf(object)
  return prototype !== Object.prototype && prototype !== null && tagOf(object) !== 'Object'
}

/** @param {string} what @param {string} owner @param {string} example @param {any} given @returns {BSONError} */
function noOptions(what, owner, example, given) {
  return new BSONError(`the ${what}s of ${owner} must be an object, such as { ${example}: ... }, not ${shownKind(given)}`)
}

/** @param {string} name @param {any} value @param {string} allowed in words @returns {BSONError} */
function refusal(name, value, allowed) {
  return new BSONError(`${name} must be ${allowed}, not ${shownKind(value)}`)
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
  return value === Infinity ? value : wholeNumber(value, name)
}

/** Such as where something begins, in bytes: by default 0. @type {OptionReader<number>} */
function wholeNumber(value, name) {
  if (value === undefined) return 0
  if (Number.isInteger(value) && value >= 0) return value
  throw refusal(name, value, 'a non-negative integer')
}

/** Of a function that knows where documents begin. @param {number | null} [index] @throws {BSONError} but for 0 */
function noIndex(index) {
  if (index) throw new BSONError('this function knows where each document begins, so index must be left out (or pass a part of the bytes)')
}

/** @param {number} [otherwise] the default; without one it must be given @returns {OptionReader<number>} */
function int32(otherwise) {
  return (value = otherwise, name) => {
    if (Number.isInteger(value) && value >= INT32_MIN && value <= INT32_MAX) return value
    throw refusal(name, value, 'an int32')
  }
}

/** That must be given. @type {OptionReader<string>} */
function text(value, name) {
  if (typeof value === 'string') return value
  throw refusal(name, value, 'a string')
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

/** Iterates over bytes, Maps and Sets: to call it has no effect but an error for a Proxy or detached memory. */
const NATIVE = [Uint8Array, Map, Set].map(({ prototype }) => prototype[Symbol.iterator])

/**
 * @param {any} value
 * @param {boolean} [canWait] whether its items may arrive later
 * @returns {boolean} a string has no items
 */
function isIterable(value, canWait = false) {
  if (typeof value !== 'object' || value === null) return false
  if (canWait && typeof value[Symbol.asyncIterator] === 'function') return true
  const iterate = value[Symbol.iterator]
  if (typeof iterate !== 'function' || !NATIVE.includes(iterate)) return typeof iterate === 'function'
  try {
    iterate.call(value)
    return true
  } catch {
    return false
  }
}

/**
 * A function that says yes or no at once: a promise would always mean yes.
 *
 * @type {OptionReader<(...args: any[]) => boolean>}
 */
function predicate(value, name) {
  if (typeof value !== 'function' || tagOf(value) !== 'Function') throw refusal(name, value, 'a function that returns true or false')
  return (...args) => {
    const answer = value(...args)
    if (typeof answer !== 'object' || answer === null) return Boolean(answer)
    throw new BSONError(`${name} must return true or false, not ${shownKind(answer)}`)
  }
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
    throw refusal(name, value, alternatives(choices.map(choice => `'${choice}'`)))
  }
}

/** @param {string[]} words @returns {string} `a, b or c` */
function alternatives(words) {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words[words.length - 1]}`
}

module.exports = {
  ENCODE_OPTIONS, DECODE_OPTIONS, JSON_OPTIONS, optionsOf, ownOptionsOf, onlyOptions, kept, refusal, meant, flag,
  truthy, anything, positive, limit, levels, wholeNumber, noIndex, int32, text, string, isIterable, isOther, callback,
  predicate, oneOf, alternatives
}
