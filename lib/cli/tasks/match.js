'use strict'

const { QueryError, asUsage } = require('../terminal/messages')

/**
 * @param {Uint8Array} query of --match
 * @returns {(bytes: Uint8Array, start?: number, end?: number) => boolean} of a document in the bytes
 * @throws {QueryError} when it needs what is not supported
 */
function matcherOf(query) {
  const { matcher } = require('../../query')
  return asUsage(() => matcher(query), '--match: ', QueryError)
}

module.exports = { matcherOf }
