'use strict'

// Builds the messages that preceded OP_MSG: https://www.mongodb.com/docs/manual/legacy-opcodes/

const { build } = require('./message-writer')
const { putFields } = require('./fields')
const { OPCODE } = require('./opcodes')

/**
 * @typedef {import('./message-writer').BuildOptions} BuildOptions
 * @typedef {import('./message-writer').MessageIds} MessageIds
 * @typedef {import('./message-writer').CursorId} CursorId
 */

/**
 * OP_QUERY: int32 flags | fullCollectionName 0x00 | int32 numberToSkip | int32 numberToReturn | query | fields
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
 * @param {Query & MessageIds} message
 * @param {BuildOptions} [options]
 * @returns {Uint8Array}
 * @throws {import('../errors').BSONError}
 */
function encodeQuery(message, options) {
  return build(OPCODE.QUERY, message, options, writer => putFields(writer, message))
}

/**
 * OP_GET_MORE: int32 0 | fullCollectionName 0x00 | int32 numberToReturn | int64 cursorId
 *
 * @typedef {object} GetMore
 * @property {string} fullCollectionName
 * @property {number} [numberToReturn]
 * @property {CursorId} cursorId
 *
 * @param {GetMore & MessageIds} message
 * @param {BuildOptions} [options]
 * @returns {Uint8Array}
 * @throws {import('../errors').BSONError}
 */
function encodeGetMore(message, options) {
  return build(OPCODE.GET_MORE, message, options, writer => putFields(writer, message))
}

/**
 * OP_KILL_CURSORS: int32 0 | int32 numberOfCursorIDs | int64 each; there is no reply
 *
 * @param {{cursorIds: CursorId[]} & MessageIds} message
 * @param {BuildOptions} [options]
 * @returns {Uint8Array}
 * @throws {import('../errors').BSONError}
 */
function encodeKillCursors(message, options) {
  return build(OPCODE.KILL_CURSORS, message, options, writer => putFields(writer, message))
}

/**
 * OP_REPLY: int32 flags | int64 cursorId | int32 startingFrom | int32 numberReturned | documents
 *
 * @typedef {object} Reply
 * @property {number} [flags] of REPLY_FLAG
 * @property {CursorId} [cursorId] default 0, which means no more documents
 * @property {number} [startingFrom]
 * @property {object[]} documents
 *
 * @param {Reply & MessageIds} message
 * @param {BuildOptions} [options]
 * @returns {Uint8Array}
 * @throws {import('../errors').BSONError}
 */
function encodeReply(message, options) {
  return build(OPCODE.REPLY, message, options, writer => putFields(writer, message))
}

module.exports = { encodeQuery, encodeGetMore, encodeKillCursors, encodeReply }
