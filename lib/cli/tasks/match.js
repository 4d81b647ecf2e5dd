'use strict'

// The query of --match, as a function on the bytes of documents.

const { EJSON } = require('../../ejson')
const { QueryError, UsageError, asUsage, readTextFile } = require('../terminal/messages')

/** @param {string | undefined} match @returns {string | undefined} the query, which `@FILE` has in a file */
function textOfMatch(match) {
  if (match === '@') throw new UsageError('--match needs the name of a file after @')
  return match?.[0] === '@' ? readTextFile(match.slice(1), '--match: ', QueryError) : match
}

/** @param {string} text Extended JSON, or as in MongoDB's shell @returns {Uint8Array} BSON @throws {QueryError} */
function parseQuery(text) {
  return asUsage(() => EJSON.toBSON(extendedJSONOf(text)), '--match is not a query such as {"price": {"$gt": 5}}: ', QueryError)
}

/** @param {string} text JSON, or as in the shell: `ObjectId('...')` */
function extendedJSONOf(text) {
  try {
    JSON.parse(text)
    return text
  } catch {
    return require('./shell').fromShell(text)
  }
}

/**
 * @param {string} text as for `parseQuery`
 * @returns {(bytes: Uint8Array, start?: number, end?: number) => boolean} of a document in the bytes
 * @throws {QueryError} when it is not a query, or needs what is not supported
 */
function matcherOf(text) {
  const { matcher } = require('../../query')
  const query = parseQuery(text)
  return asUsage(() => matcher(query), '--match: ', QueryError)
}

module.exports = { extendedJSONOf, textOfMatch, parseQuery, matcherOf }
