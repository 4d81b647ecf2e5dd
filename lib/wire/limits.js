'use strict'

const { ownOptionsOf, positive } = require('../options')

/**
 * The limits that a server reports in its reply to `hello`, under the same names.
 *
 * @typedef {object} Limits
 * @property {number} [maxMessageSizeBytes] bytes of a message, header included, compressed or not; default 48,000,000
 * @property {number} [maxBsonObjectSize] bytes of a stored document; as in servers, commands and replies may take
 *   16 KiB more; default 16,777,216
 * @property {number} [maxWriteBatchSize] documents in one message, and sequences in one; each of them takes some
 *   hundred bytes of memory when it is read; default 100,000
 */

/** @typedef {{message: number, document: number, batch: number}} CheckedLimits */

// What servers report.

/** Bytes of a message, with its header. */
const MAX_MESSAGE_SIZE = 48_000_000

/** Bytes of a stored document. */
const MAX_OBJECT_SIZE = 16_777_216

/** Documents in a command. */
const MAX_WRITE_BATCH = 100_000

/** Bytes that commands and replies may take beyond a stored document. */
const OBJECT_SIZE_HEADROOM = 16_384

const LIMITS = {
  maxMessageSizeBytes: positive(MAX_MESSAGE_SIZE),
  maxBsonObjectSize: positive(MAX_OBJECT_SIZE),
  maxWriteBatchSize: positive(MAX_WRITE_BATCH)
}

/** `passed`: the other options of the function `owner`. @returns {(limits?: Limits | null) => CheckedLimits} */
function limitsOf(owner, passed) {
  const readLimits = ownOptionsOf(owner, LIMITS, { passed })
  return limits => {
    const { maxMessageSizeBytes: message, maxBsonObjectSize, maxWriteBatchSize: batch } = readLimits(limits)
    return { message, document: maxBsonObjectSize + OBJECT_SIZE_HEADROOM, batch }
  }
}

function tooMany(what, { batch }) {
  return `has more than ${batch} ${what}, the limit of maxWriteBatchSize`
}

module.exports = { limitsOf, tooMany }
