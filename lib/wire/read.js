'use strict'

// Reads messages. Every size in a message is checked before it is used. Documents are views and are not copied.

const { toBytes } = require('../bytes')
const { wireError } = require('./errors')
const { decodeHeader, checkLength } = require('./header')
const { limitsOf } = require('./limits')
const { getFields } = require('./fields')
const { MessageReader } = require('./message-reader')
const { compressorName, decompress } = require('./compression')
const { OPCODE, HEADER_SIZE } = require('./opcodes')

/**
 * @typedef {import('./errors').MessageHeader} MessageHeader
 * @typedef {import('../raw').RawDocument} RawDocument
 *
 * @typedef {object} RawSequence
 * @property {string} identifier
 * @property {RawDocument[]} documents
 *
 * The result of `decodeMessage`: the header's four numbers, `compressor` if the message was compressed, and the fields
 * of that kind of message.
 *
 * @typedef {object} MessageFields
 * @property {string | null} compressor
 * @property {number} [flags] of OP_MSG, OP_QUERY, OP_REPLY
 * @property {RawDocument} [body] of OP_MSG
 * @property {RawSequence[]} [sequences] of OP_MSG
 * @property {bigint} [cursorId] of OP_REPLY, OP_GET_MORE; signed
 * @property {number} [startingFrom] of OP_REPLY
 * @property {RawDocument[]} [documents] of OP_REPLY
 * @property {string} [fullCollectionName] of OP_QUERY, OP_GET_MORE
 * @property {number} [numberToSkip] of OP_QUERY
 * @property {number} [numberToReturn] of OP_QUERY, OP_GET_MORE
 * @property {RawDocument} [query] of OP_QUERY
 * @property {RawDocument | null} [returnFieldsSelector] of OP_QUERY
 * @property {bigint[]} [cursorIds] of OP_KILL_CURSORS
 *
 * @typedef {MessageHeader & MessageFields} Message
 */

const checkLimits = limitsOf('decodeMessage')

/**
 * Reads a message.
 *
 * @param {Uint8Array} bytes not copied: the message's documents are views on it
 * @param {number} [offset] where the message begins; other messages may follow it
 * @param {import('./limits').Limits} [options]
 * @returns {Message}
 * @throws {import('./errors').WireError} with the message's name and the offset in it
 */
function decodeMessage(bytes, offset = 0, options) {
  const buf = toBytes(bytes)
  const limits = checkLimits(options)
  const header = decodeHeader(buf, offset)
  const { length } = header
  checkLength(header, limits.message)
  if (offset + length > buf.length) throw wireError(header, `is cut off: ${buf.length - offset} of ${length} bytes`, 0)
  const reader = new MessageReader(header, buf, offset + HEADER_SIZE, offset + length, -offset, limits)
  return header.opCode === OPCODE.COMPRESSED ? readCompressed(reader) : readBody(reader, null)
}

function readCompressed(reader) {
  const { header, limits, pos: start } = reader
  const { originalOpcode: opCode, uncompressedSize: size, compressorId, compressedMessage } = getFields(reader, {})
  if (opCode === OPCODE.COMPRESSED) throw reader.error('is compressed twice', start)
  const most = limits.message - HEADER_SIZE
  if (size < 0 || size > most) throw reader.error(`uncompressedSize ${size} is not between 0 and ${most}`, start + 4)
  const inner = { ...header, opCode, length: HEADER_SIZE + size }
  const buf = decompressed(reader, compressedMessage, compressorId, size)
  return readBody(new MessageReader(inner, buf, 0, size, HEADER_SIZE, limits), compressorName(compressorId))
}

function decompressed(reader, bytes, compressorId, size) {
  try {
    return toBytes(decompress(bytes, compressorId, size))
  } catch (cause) {
    throw reader.error(cause.message, reader.end - bytes.length, cause)
  }
}

function readBody(reader, compressor) {
  const { length, requestId, responseTo, opCode } = reader.header
  return getFields(reader, { length, requestId, responseTo, opCode, compressor })
}

module.exports = { decodeMessage }
