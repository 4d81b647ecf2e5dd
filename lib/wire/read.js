'use strict'

// Reads messages. Every size in a message is checked before it is used. Documents are views and are not copied.

const { getUint32, toBytes, allocate } = require('../bytes')
const { shownName } = require('../errors')
const { crc32c } = require('./crc32c')
const { wireError } = require('./errors')
const { decodeHeader, checkLength, putHeader } = require('./header')
const { checkLimits } = require('./limits')
const { getFields } = require('./fields')
const { MessageReader } = require('./message-reader')
const { compressorName, decompress } = require('./compression')
const { OPCODE, MSG_FLAG, SECTION, HEADER_SIZE } = require('./opcodes')

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

/** int32 originalOpcode | int32 uncompressedSize | uint8 compressorId | the original message after its header */
function readCompressed(reader) {
  const { header, limits, shift } = reader
  const opCode = reader.int32('originalOpcode')
  const size = reader.int32('uncompressedSize')
  const compressorId = reader.byte('compressorId')
  if (opCode === OPCODE.COMPRESSED) throw reader.error('is compressed twice', -shift + HEADER_SIZE)
  if (size < 0 || size > limits.message - HEADER_SIZE) {
    const most = limits.message - HEADER_SIZE
    throw reader.error(`uncompressedSize ${size} is not between 0 and ${most}`, -shift + HEADER_SIZE + 4)
  }
  const inner = { ...header, opCode, length: HEADER_SIZE + size }
  const buf = decompressFrom(reader, compressorId, size)
  return readBody(new MessageReader(inner, buf, 0, size, HEADER_SIZE, limits), compressorName(compressorId))
}

function decompressFrom(reader, compressorId, size) {
  try {
    return toBytes(decompress(reader.buf.subarray(reader.pos, reader.end), compressorId, size))
  } catch (cause) {
    throw reader.error(cause.message, reader.pos, cause)
  }
}

/** @param {MessageReader} reader @param {string | null} compressor @returns {Message} */
function readBody(reader, compressor) {
  const fields = reader.header.opCode === OPCODE.MSG ? getMsg(reader) : getFields(reader)
  if (fields === undefined) throw reader.error('unknown opCode', HEADER_SIZE - 4 - reader.shift)
  reader.checkEnd()
  const { length, requestId, responseTo, opCode } = reader.header
  return { length, requestId, responseTo, opCode, compressor, ...fields } // `...header` takes 5 us instead of 0.2
}

/** uint32 flags | sections | uint32 checksum, if the flags say so */
function getMsg(reader) {
  const start = reader.pos
  const flags = reader.int32('flags')
  // The specification allows ignoring an unknown bit in the upper half, but not in the lower half.
  const unknown = flags & 0xffff & ~(MSG_FLAG.CHECKSUM_PRESENT | MSG_FLAG.MORE_TO_COME)
  if (unknown !== 0) throw reader.error(`flag 0x${unknown.toString(16)} is unknown`, start)
  if (flags & MSG_FLAG.CHECKSUM_PRESENT) checkChecksum(reader, start)
  let body = null
  const sequences = []
  const identifiers = new Set()
  while (reader.pos < reader.end) {
    const at = reader.pos
    const kind = reader.byte('section kind')
    if (kind === SECTION.BODY) {
      if (body !== null) throw reader.error('has two bodies', at)
      body = reader.document('body', reader.end)
    } else if (kind === SECTION.SEQUENCE) sequences.push(readSequence(reader, identifiers))
    else throw reader.error(`section kind ${kind} is unknown`, at)
  }
  if (body === null) throw reader.error('has no body')
  return { flags, body, sequences }
}

/** int32 size | identifier 0x00 | documents. @param {MessageReader} reader @param {Set<string>} earlier identifiers */
function readSequence(reader, earlier) {
  reader.countOne()
  const start = reader.pos
  const size = reader.int32('section size')
  // at least the size itself and the 0x00 of an empty identifier
  if (size < 5 || size > reader.end - start) {
    throw reader.error(`section has the length ${size}, but ${reader.end - start} bytes are left`, start)
  }
  const identifier = reader.cstring('section identifier', start + size)
  if (earlier.has(identifier)) throw reader.error(`duplicate identifier ${shownName(identifier)}`)
  earlier.add(identifier)
  return { identifier, documents: reader.documents(identifier, start + size) }
}

/** The last four bytes are the CRC-32C of all before them, header included. */
function checkChecksum(reader, start) {
  const { buf, end, header } = reader
  if (end - reader.pos < 4) throw reader.error('checksum is cut off')
  reader.end = end - 4
  const said = getUint32(buf, end - 4)
  const headerBytes = allocate(HEADER_SIZE) // as before compression
  putHeader(header, headerBytes, 0)
  const is = crc32c(buf, start, end - 4, crc32c(headerBytes))
  if (said !== is) throw reader.error(`checksum is ${hex(said)}, but that of its bytes is ${hex(is)}`, end - 4)
}

function hex(value) {
  return `0x${value.toString(16).padStart(8, '0')}`
}

module.exports = { decodeMessage }
