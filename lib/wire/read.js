'use strict'

// Reads messages. Every size in a message is checked before it is used. Documents are views and are not copied.

const { MIN_DOCUMENT_SIZE } = require('../spec')
const { getInt32, getInt64, getUtf8, toBytes } = require('../bytes')
const { scanCString, scanDocument } = require('../elements')
const { RawDocument } = require('../raw')
const { decodeHeader, checkLength, documentName, wireError } = require('./header')
const { limitsOf, tooMany } = require('./limits')
const { getFields } = require('./fields')
const { compressorName, decompress } = require('./compression')
const { OPCODE, HEADER_SIZE } = require('./opcodes')

/**
 * @typedef {import('./header').MessageHeader} MessageHeader
 *
 * @typedef {object} RawSequence
 * @property {string} identifier
 * @property {RawDocument[]} documents
 */

/**
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
 * @throws {import('./header').WireError} with the message's name and the offset in it
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

/** Reads a message field by field. */
class MessageReader {
  /** Reads from `pos` to `end`; `shift`, added to an offset in `buf`, gives the offset in the message. */
  constructor(header, buf, pos, end, shift, limits) {
    this.header = header
    this.buf = buf
    this.pos = pos
    this.end = end
    this.shift = shift
    this.limits = limits
    this.counts = { documents: 0, sequences: 0 }
  }

  /** @param {string} what @param {number} [offset] in `buf` @param {unknown} [cause] */
  error(what, offset = this.pos, cause = undefined) {
    return wireError(this.header, what, offset + this.shift, cause)
  }

  /** Skips a field of fixed size. @param {number} size @param {string} name @returns {number} its offset */
  field(size, name) {
    const pos = this.pos
    if (size > this.end - pos) throw this.error(`${name} needs ${size} bytes, only ${this.end - pos} are left`)
    this.pos = pos + size
    return pos
  }

  byte(name) {
    return this.buf[this.field(1, name)]
  }

  int32(name) {
    return getInt32(this.buf, this.field(4, name))
  }

  int64(name) {
    return getInt64(this.buf, this.field(8, name))
  }

  /** @returns {Uint8Array} all that are left */
  bytes() {
    const start = this.pos
    this.pos = this.end
    return this.buf.subarray(start, this.end)
  }

  /** @param {string} name @param {number} end it must end before */
  cstring(name, end) {
    const start = this.pos
    try {
      this.pos = scanCString(this.buf, start, end) + 1
    } catch (cause) {
      throw this.error(`${name} is not terminated`, start, cause)
    }
    try {
      return getUtf8(this.buf, start, this.pos - 1)
    } catch (cause) {
      throw this.error(`${name} is not UTF-8`, start, cause)
    }
  }

  /** @param {string} name @param {number} end it must end before @param {number} [index] of several */
  document(name, end, index) {
    const start = this.pos
    try {
      this.pos = scanDocument(this.buf, start, end, '')
    } catch (cause) {
      throw this.documentError(documentName(name, index), end, cause)
    }
    if (this.pos - start > this.limits.document) {
      const size = `${this.pos - start} bytes, maxBsonObjectSize allows ${this.limits.document}`
      throw this.error(`${documentName(name, index)} is ${size}`, start)
    }
    return new RawDocument(this.buf, start)
  }

  documentError(name, end, cause) {
    const { buf, pos } = this
    const room = end - pos
    if (room < MIN_DOCUMENT_SIZE) return this.error(`${name} needs at least ${MIN_DOCUMENT_SIZE} bytes, only ${room} are left`, pos, cause)
    if (cause.offset !== pos) return this.error(`${name} does not end with a 0x00`, cause.offset, cause)
    return this.error(`${name} has the length ${getInt32(buf, pos)}, but ${room} bytes are left`, pos, cause)
  }

  /** @param {string} name @param {number} end @returns {RawDocument[]} all until there */
  documents(name, end) {
    const list = []
    while (this.pos < end) {
      this.countOne('documents')
      list.push(this.document(name, end, list.length))
    }
    return list
  }

  /** Seven bytes of a message can become objects of some hundred bytes. @param {'documents' | 'sequences'} what */
  countOne(what) {
    if (++this.counts[what] > this.limits.batch) throw this.error(tooMany(what, this.limits))
  }

  /** @throws when there are bytes left */
  checkEnd() {
    if (this.pos !== this.end) throw this.error(`${this.end - this.pos} bytes are left at its end`)
  }
}

module.exports = { decodeMessage, MessageReader }
