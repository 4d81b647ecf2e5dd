'use strict'

const { BSONError } = require('../errors')
const { MAX_MESSAGE_SIZE, MAX_OBJECT_SIZE, MAX_WRITE_BATCH, OBJECT_SIZE_HEADROOM } = require('./opcodes')

/**
 * What a server says of itself in its answer to `hello`, under the same names.
 *
 * @typedef {object} Limits
 * @property {number} [maxMessageSizeBytes] bytes of a message, header included, compressed or not; default 48,000,000
 * @property {number} [maxBsonObjectSize] bytes of a document, to which, as in servers, 16 KiB are added for what stands
 *   around a stored document in commands and replies; default 16,777,216
 * @property {number} [maxWriteBatchSize] documents in one message of a batch; default 100,000
 */

/** @param {Limits} [limits] @returns {{message: number, document: number, batch: number}} @throws {BSONError} */
function checkLimits(limits) {
  const {
    maxMessageSizeBytes = MAX_MESSAGE_SIZE,
    maxBsonObjectSize = MAX_OBJECT_SIZE,
    maxWriteBatchSize = MAX_WRITE_BATCH
  } = limits ?? {}
  for (const [name, value] of Object.entries({ maxMessageSizeBytes, maxBsonObjectSize, maxWriteBatchSize })) {
    if (!(Number.isInteger(value) && value > 0)) throw new BSONError(`${name} must be a whole number above 0: ${value}`)
  }
  return {
    message: maxMessageSizeBytes,
    document: maxBsonObjectSize + OBJECT_SIZE_HEADROOM,
    batch: maxWriteBatchSize
  }
}

module.exports = { checkLimits }
