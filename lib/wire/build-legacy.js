'use strict'

// Builds the messages that preceded OP_MSG: https://www.mongodb.com/docs/manual/legacy-opcodes/

const { ownField } = require('../properties')
const { build, checkInt32, checkIterable } = require('./message-writer')
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
  return build(OPCODE.QUERY, message, options, writer => {
    const returnFieldsSelector = ownField(message, 'returnFieldsSelector')
    putInt32Field(writer, message, 'flags')
    writer.cstring('fullCollectionName', ownField(message, 'fullCollectionName'))
    putInt32Field(writer, message, 'numberToSkip')
    putInt32Field(writer, message, 'numberToReturn')
    writer.document(ownField(message, 'query'), 'query')
    if (returnFieldsSelector !== undefined) writer.document(returnFieldsSelector, 'returnFieldsSelector')
  })
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
  return build(OPCODE.GET_MORE, message, options, writer => {
    writer.int32(0)
    writer.cstring('fullCollectionName', ownField(message, 'fullCollectionName'))
    putInt32Field(writer, message, 'numberToReturn')
    writer.int64(ownField(message, 'cursorId'))
  })
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
  return build(OPCODE.KILL_CURSORS, message, options, writer => {
    const ids = [...checkIterable('cursorIds', ownField(message, 'cursorIds'))]
    writer.int32(0)
    writer.int32(ids.length)
    for (const id of ids) writer.int64(id)
  })
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
  return build(OPCODE.REPLY, message, options, writer => {
    const documents = [...checkIterable('documents', ownField(message, 'documents'))]
    putInt32Field(writer, message, 'flags')
    writer.int64(ownField(message, 'cursorId', 0n))
    putInt32Field(writer, message, 'startingFrom')
    writer.int32(documents.length)
    documents.forEach((doc, i) => writer.document(doc, 'documents', i))
  })
}

/** Writes an int32, by default 0. @param {any} writer @param {object} message @param {string} name of the field */
function putInt32Field(writer, message, name) {
  writer.int32(checkInt32(name, ownField(message, name, 0)))
}

module.exports = { encodeQuery, encodeGetMore, encodeKillCursors, encodeReply }
