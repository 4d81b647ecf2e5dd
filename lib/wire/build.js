'use strict'

// Builds messages: one, or several for a batch of documents.

const { toBytes } = require('../bytes')
const { acquireOutput, planOf, releaseOutput } = require('../encode')
const { closingNow } = require('../iterators')
const { ownFields } = require('../properties')
const { ENCODE_OPTIONS, onlyOptions, refusal } = require('../options')
const { compress } = require('./compression')
const { fieldNames, putFields } = require('./fields')
const { wireError, decodeHeader } = require('./header')
const { limitsOf } = require('./limits')
const { MessageWriter, checkIterable } = require('./message-writer')
const { COMPRESSOR, HEADER_SIZE, OPCODE } = require('./opcodes')
const { DocumentQueue } = require('./sections')

/**
 * @typedef {import('./message-writer').BuildOptions} BuildOptions
 * @typedef {import('./message-writer').MessageIds} MessageIds
 * @typedef {import('./message-writer').CursorId} CursorId
 *
 * @typedef {object} DocumentSequence
 * @property {string} identifier the field of the command that the documents belong to: `documents` of `insert`
 * @property {Iterable<object>} documents RawDocuments are copied as they are
 *
 * @typedef {object} Msg
 * @property {number} [flags] of MSG_FLAG; the bit of the checksum is set by `checksum`
 * @property {object} body the command, or the reply
 * @property {DocumentSequence[]} [sequences]
 * @property {boolean} [checksum] whether it ends with a CRC-32C; default false
 *
 * @typedef {object} Query
 * @property {number} [flags] of QUERY_FLAG
 * @property {string} fullCollectionName `db.collection`; `db.$cmd` for a command
 * @property {number} [numberToSkip]
 * @property {number} [numberToReturn] documents in the first reply; if negative, the cursor is closed after it; -1 for
 *   a command
 * @property {object} query
 * @property {object} [returnFieldsSelector]
 *
 * @typedef {object} GetMore
 * @property {string} fullCollectionName
 * @property {number} [numberToReturn]
 * @property {CursorId} cursorId
 *
 * @typedef {object} Reply
 * @property {number} [flags] of REPLY_FLAG
 * @property {CursorId} [cursorId] default 0, which means no more documents
 * @property {number} [startingFrom]
 * @property {object[]} documents
 *
 * @typedef {object} Batch
 * @property {number} requestId
 * @property {number} first index of its first document
 * @property {number} count documents
 * @property {Buffer} message
 *
 * @typedef {object} BatchRequest
 * @property {() => number} nextId the requestId of each message
 * @property {number} [flags]
 * @property {object} body the command, the same in each message
 * @property {DocumentSequence} sequence
 * @property {boolean} [checksum]
 */

/** Writes the fields of `message` that its kind has. @returns {Buffer} */
function build(opCode, message, limits, plan) {
  const out = acquireOutput()
  try {
    const writer = new MessageWriter(out, opCode, message, limits, plan)
    putFields(writer, message)
    return writer.finish()
  } finally {
    releaseOutput(out)
  }
}

/** Fields of every message, and those that only `decodeMessage` gives: what it gives can be passed on. */
const COMMON = ['requestId', 'responseTo']
const READ = ['length', 'opCode', 'compressor']

/**
 * Builds a message of one kind; refuses other fields and options.
 *
 * @template T
 * @typedef {(message: T & MessageIds, options?: BuildOptions | null) => Buffer} Builder
 */

/** @param {string} owner the name of the function @param {number} opCode @returns {Builder<any>} */
function builder(owner, opCode) {
  const onlyFields = onlyOptions(owner, [...COMMON, ...fieldNames(opCode)], READ, 'field')
  const checkLimits = limitsOf(owner, ENCODE_OPTIONS)
  const named = {
    [owner](message, options) {
      if (typeof message !== 'object' || message === null) throw refusal('a message', message, 'an object')
      const limits = checkLimits(options)
      return build(opCode, onlyFields(message), limits, planOf(options))
    }
  }
  return named[owner]
}

const onlyBatchFields = onlyOptions('encodeBatches', ['nextId', 'flags', 'body', 'sequence', 'checksum'], [], 'field')
const checkBatchLimits = limitsOf('encodeBatches', ENCODE_OPTIONS)

/**
 * OP_MSG: int32 flags | sections | optional uint32 checksum
 *
 * @type {Builder<Msg>} throws a BSONError on values that cannot be encoded, and beyond the limits, as do those below
 */
const encodeMsg = builder('encodeMsg', OPCODE.MSG)

/**
 * OP_QUERY: int32 flags | fullCollectionName 0x00 | int32 numberToSkip | int32 numberToReturn | query | fields
 *
 * @type {Builder<Query>}
 */
const encodeQuery = builder('encodeQuery', OPCODE.QUERY)

/**
 * OP_GET_MORE: int32 0 | fullCollectionName 0x00 | int32 numberToReturn | int64 cursorId
 *
 * @type {Builder<GetMore>}
 */
const encodeGetMore = builder('encodeGetMore', OPCODE.GET_MORE)

/**
 * OP_KILL_CURSORS: int32 0 | int32 numberOfCursorIDs | int64 each; there is no reply
 *
 * @type {Builder<{cursorIds: CursorId[]}>}
 */
const encodeKillCursors = builder('encodeKillCursors', OPCODE.KILL_CURSORS)

/**
 * OP_REPLY: int32 flags | int64 cursorId | int32 startingFrom | int32 numberReturned | documents
 *
 * @type {Builder<Reply>}
 */
const encodeReply = builder('encodeReply', OPCODE.REPLY)

/**
 * Splits many documents into several OP_MSG; each holds as many documents as fit. Every document is encoded once: the
 * bytes of the one that did not fit are moved to the next message.
 *
 * @param {BatchRequest} request
 * @param {BuildOptions} [options]
 * @returns {Generator<Batch, void>} encodes each batch when it is requested
 * @throws {import('../errors').BSONError} on a document that cannot be encoded or is too large, after the batches
 *   before it
 */
function encodeBatches(request, options) {
  if (typeof request !== 'object' || request === null) throw refusal('a request', request, 'an object')
  const { nextId, sequence, body } = ownFields(onlyBatchFields(request))
  if (typeof nextId !== 'function') throw refusal('nextId', nextId, 'a function')
  if (typeof body !== 'object' || body === null) throw refusal('body', body, 'a document')
  checkIterable('documents', sequence?.documents)
  const [limits, plan] = [checkBatchLimits(options), planOf(options)]
  const documents = new DocumentQueue(sequence.documents)
  const sequences = [{ identifier: sequence.identifier, documents }]
  const batches = batchesOf(/** @type {any} */ ({ ...ownFields(request), documents, sequences }), limits, plan)
  return closingNow(batches, () => documents.close())
}

function* batchesOf({ nextId, documents, sequences, flags, body, checksum }, limits, plan) {
  try {
    documents.advance()
    while (!documents.isDone) {
      const requestId = nextId()
      const first = documents.index
      const fields = /** @type {any} */ ({ requestId, flags, body, sequences, checksum })
      const message = build(OPCODE.MSG, fields, limits, plan)
      yield { requestId, first, count: documents.index - first, message }
    }
  } finally {
    documents.close()
  }
}

/**
 * Wraps a message in OP_COMPRESSED: int32 originalOpcode | int32 uncompressedSize | uint8 compressorId | the message
 * after its header. `hello` and authentication commands must not be compressed.
 *
 * @param {Uint8Array} message complete
 * @param {import('./compression').Compressor} compressor one of `compressors()` that the server's `hello` lists too
 * @param {number} [level] of zlib, -1 to 9, or of zstd, 1 to 22; default: the library's own
 * @returns {Buffer}
 * @throws {import('../errors').BSONError} on a compressor that is not available here
 */
function compressMessage(message, compressor, level) {
  const bytes = toBytes(message)
  const header = decodeHeader(bytes)
  if (header.opCode === OPCODE.COMPRESSED) throw wireError(header, 'is already compressed', HEADER_SIZE - 4)
  const { requestId, responseTo, opCode: originalOpcode } = header
  const compressedMessage = compress(bytes.subarray(HEADER_SIZE), compressor, level)
  const uncompressedSize = bytes.length - HEADER_SIZE
  const compressorId = COMPRESSOR[compressor]
  const fields = { requestId, responseTo, originalOpcode, uncompressedSize, compressorId, compressedMessage }
  return build(OPCODE.COMPRESSED, fields, { message: Infinity }, planOf(null))
}

module.exports = {
  encodeMsg, encodeBatches, compressMessage, encodeQuery, encodeGetMore, encodeKillCursors, encodeReply
}
