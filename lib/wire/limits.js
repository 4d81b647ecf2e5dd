'use strict'

const { BSONError, shownValue } = require('../errors')
const { ownFields } = require('../properties')
const { MAX_MESSAGE_SIZE, MAX_OBJECT_SIZE, MAX_WRITE_BATCH, OBJECT_SIZE_HEADROOM } = require('./opcodes')

/**
 * The limits that a server reports in its reply to `hello`, under the same names.
 *
 * @typedef {object} Limits
 * @property {number} [maxMessageSizeBytes] bytes of a message, header included, compressed or not; default 48,000,000
 * @property {number} [maxBsonObjectSize] bytes of a stored document; as in servers, commands and replies may take
 *   16 KiB more; default 16,777,216
 * @property {number} [maxWriteBatchSize] when building, documents in one message of a batch; when reading, documents
 *   and sequences in one message, each of which takes some hundred bytes of memory; default 100,000
 */

/** @typedef {{message: number, document: number, batch: number}} CheckedLimits */

/** @param {Limits | null} [limits] @returns {CheckedLimits} @throws {BSONError} if one is not a positive integer */
function checkLimits(limits) {
  const own = ownFields(limits)
  return {
    message: limitOf(own, 'maxMessageSizeBytes', MAX_MESSAGE_SIZE),
    document: limitOf(own, 'maxBsonObjectSize', MAX_OBJECT_SIZE) + OBJECT_SIZE_HEADROOM,
    batch: limitOf(own, 'maxWriteBatchSize', MAX_WRITE_BATCH)
  }
}

function limitOf(limits, name, otherwise) {
  const value = limits[name]
  if (value === undefined) return otherwise
  if (Number.isInteger(value) && value > 0) return value
  throw new BSONError(`${name} must be a positive integer: ${shownValue(value)}`)
}

module.exports = { checkLimits }
