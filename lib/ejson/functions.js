'use strict'

// The functions of EJSON.

const { BSONError } = require('../errors')
const { ownFields } = require('../properties')
const { parse, readJson } = require('./parse')
const { OWN_TO_JSON, jsonText } = require('./stringify')
const { fromBSON, extendedJSONBytes, extendedJSONLines, extendedJSONValues } = require('./from-bson')
const { toBSON } = require('./to-bson')
const { treeOf, stringifyJson, exactJson } = require('./tree')

/** @typedef {import('.').Replacer} Replacer */
/** @typedef {import('.').EJSONSerializeOptions} EJSONSerializeOptions */
/** @typedef {import('.').EJSONParseOptions} EJSONParseOptions */

/**
 * A value as a text of Extended JSON, which a replacer may change.
 *
 * @overload
 * @param {any} value
 * @param {Replacer | EJSONSerializeOptions} [replacer] sees the Extended JSON, not the values
 * @param {string | number | EJSONSerializeOptions} [space] as JSON.stringify's
 * @param {EJSONSerializeOptions} [options]
 * @returns {string}
 * @throws {import('../errors').BSONError} on a value that Extended JSON has no form for, with the path to it
 */
/**
 * A value as a text of Extended JSON.
 *
 * @overload
 * @param {any} value
 * @param {EJSONSerializeOptions} [options]
 * @param {string | number} [space] as JSON.stringify's
 * @returns {string}
 */
/**
 * @param {any} value
 * @param {Replacer | EJSONSerializeOptions} [replacer]
 * @param {string | number | EJSONSerializeOptions} [space]
 * @param {EJSONSerializeOptions} [options]
 * @returns {string}
 */
function stringify(value, replacer, space, options) { // Parameters<> takes the last overload, which is that of bson
  if (typeof space === 'object' && space !== null) {
    options = space
    space = undefined
  }
  if (typeof replacer === 'object' && replacer !== null && !Array.isArray(replacer)) {
    options = replacer
    replacer = undefined
  }
  const resolved = ownFields({ relaxed: true, legacy: false, ...options })
  const isReplaced = typeof replacer === 'function' || Array.isArray(replacer)
  const text = isReplaced ? OWN_TO_JSON : jsonText(value, resolved, space)
  if (typeof text === 'symbol') return stringifyJson(treeOf(value, resolved), replacer, space)
  return /** @type {string} */ (text)
}

/**
 * A value as Extended JSON in plain objects.
 *
 * @param {any} value
 * @param {EJSONSerializeOptions} [options]
 * @returns {any} its Extended JSON as plain objects; an int64 beyond 2^53 keeps its type
 * @throws {import('../errors').BSONError} as `stringify`
 */
function serialize(value, options) {
  return exactJson(textOf(stringify(value, options || {}), value))
}

/**
 * The value that Extended JSON in plain objects stands for.
 *
 * @param {any} ejson Extended JSON as plain objects; its numbers are taken as they are
 * @param {EJSONParseOptions} [options]
 * @returns {any}
 * @throws {import('../errors').BSONError} as `parse`
 */
function deserialize(ejson, options) {
  return readJson(JSON.parse(textOf(stringifyJson(ejson, asItIs), ejson)), options || {})
}

/** @param {string | undefined} text @param {unknown} value that it stands for @throws {BSONError} when there is none */
function textOf(text, value) {
  if (text === undefined) throw new BSONError(`Extended JSON has no ${typeof value}`)
  return text
}

/** The numbers that JSON does not have get their type. */
function asItIs(key, value) {
  if (typeof value === 'bigint') throw new BSONError('Extended JSON has no bigint: use $numberLong')
  const isOdd = typeof value === 'number' && (value - value !== 0 || Object.is(value, -0))
  return isOdd ? { $numberDouble: Object.is(value, -0) ? '-0.0' : String(value) } : value
}

module.exports = {
  parse, stringify, serialize, deserialize, fromBSON, toBSON, extendedJSONBytes, extendedJSONLines, extendedJSONValues
}
