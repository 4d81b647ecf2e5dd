'use strict'

// The query of --match as a function on the bytes of documents. match.js runs it, or for all of MongoDB's query
// language the library mingo, if installed.

const path = require('node:path')
const { createRequire } = require('node:module')
const { BSONRegExp } = require('../types')
const { EJSON } = require('../ejson')
const { decodeAt, planOf } = require('../decode')
const { UsageError } = require('./options')
const { compileMatch } = require('./match')
const { printable } = require('./printable')

/** @typedef {import('./match').Predicate} Predicate */

/**
 * @param {string} text Extended JSON
 * @returns {Predicate}
 * @throws {UsageError} when it is not a query, or needs mingo, which is not installed
 */
function queryOf(text) {
  let query
  try {
    query = EJSON.parse(text)
  } catch (error) {
    throw new UsageError(`--match is not Extended JSON: ${printable(error.message)}`)
  }
  if (typeof query !== 'object' || query === null || Array.isArray(query)) {
    throw new UsageError('--match needs an object such as {"price": {"$gt": 5}}')
  }
  return compileMatch(query) ?? byMingo(query)
}

/** @param {object} query @returns {Predicate} */
function byMingo(query) {
  const { Query } = loadMingo()
  let compiled
  try {
    compiled = new Query(withPatterns(query))
  } catch (error) {
    throw new UsageError(`--match: ${printable(error.message)}`)
  }
  const plan = planOf({})
  return (buf, start) => compiled.test(decodeAt(buf, start, true, plan))
}

/**
 * Converts `{"$regex": ...}`, which Extended JSON uses too, because mingo expects a RegExp.
 *
 * @param {any} value
 * @returns {any}
 */
function withPatterns(value) {
  if (value instanceof BSONRegExp) return new RegExp(value.pattern, value.options.replace(/[^imsu]/g, ''))
  if (Array.isArray(value)) return value.map(withPatterns)
  if (Object.getPrototypeOf(Object(value)) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withPatterns(each)]))
}

/** Loads it from next to qbson, or from the current folder. */
function loadMingo() {
  for (const from of [__filename, path.join(process.cwd(), 'index.js')]) {
    try {
      return createRequire(from)('mingo')
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  throw new UsageError('this query needs the library mingo: npm install mingo\n' +
    '(without it: $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $exists, $and, $or, $nor with strings, numbers, dates, ids, ' +
    'booleans and null)')
}

module.exports = { queryOf }
