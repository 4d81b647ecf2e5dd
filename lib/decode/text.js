'use strict'

// Strings out of a document: short ones without a native call, for that costs 60 to 90 ns whatever its length.

const { getUtf8 } = require('../utf8')
const { SHORT, getAscii } = require('./short-text')

/**
 * @param {Uint8Array} buf a Buffer on Node
 * @param {number} start
 * @param {number} end
 * @returns {string}
 * @throws {import('../errors').BSONError} on bytes that are not UTF-8
 */
function getText(buf, start, end) {
  const length = end - start
  return (length <= SHORT ? getAscii(buf, start, length) : undefined) ?? getUtf8(buf, start, end)
}

module.exports = { getText }
