'use strict'

// Messages in: everything a message says of itself is checked before it is used. Documents stay where they lie.

const { getInt32, getInt64, getUint32, toBytes, allocate, putInt32 } = require('../bytes')
const { MIN_DOCUMENT_SIZE } = require('../spec')
const { getUtf8 } = require('../utf8')
const { RawDocument } = require('../raw')
const { crc32c } = require('./crc32c')
const { wireError } = require('./errors')
const { checkLimits } = require('./limits')
const { compressorName, unsqueeze } = require('./compression')
const { OPCODE, MSG_FLAG, SECTION, HEADER_SIZE } = require('./opcodes')

/**
 * @typedef {import('./errors').MessageHeader} MessageHeader
 *
 * @typedef {object} RawSequence
 * @property {string} identifier
 * @property {RawDocument[]} documents
 *
 * What `decodeMessage` answers: the header's four numbers, `compressor` when it came compressed, and what that kind of
 * message holds.
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
 * @param {Uint8Array} buf
 * @param {number} [offset] where the message begins
 * @returns {MessageHeader} nothing of it is checked
 * @throws {import('./errors').WireError} when there are not 16 bytes
 */
function decodeHeader(buf, offset = 0) {
  if (!(buf.length - offset >= HEADER_SIZE)) {
    throw wireError(null, `a message header has ${HEADER_SIZE} bytes, there are ${buf.length - offset}`, 0)
  }
  return {
    length: getInt32(buf, offset),
    requestId: getInt32(buf, offset + 4),
    responseTo: getInt32(buf, offset + 8),
    opCode: getInt32(buf, offset + 12)
  }
}

/**
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
  if (length < HEADER_SIZE || length > limits.message) {
    throw wireError(header, `length ${length} is not between ${HEADER_SIZE} and ${limits.message}`, 0)
  }
  if (offset + length > buf.length) throw wireError(header, `is cut off: ${buf.length - offset} of ${length} bytes`, 0)
  const reader = new MessageReader(header, buf, offset + HEADER_SIZE, offset + length, -offset, limits)
  return header.opCode === OPCODE.COMPRESSED ? readCompressed(reader) : readBody(reader, null)
}

/** What of a message has not been read yet. */
class MessageReader {
  /**
   * @param {MessageHeader} header
   * @param {Uint8Array} buf
   * @param {number} pos
   * @param {number} end
   * @param {number} shift what to add to an offset in `buf` to have it in the message
   * @param {{message: number, document: number}} limits
   */
  constructor(header, buf, pos, end, shift, limits) {
    this.header = header
    this.buf = buf
    this.pos = pos
    this.end = end
    this.shift = shift
    this.limits = limits
  }

  /** @param {string} what @param {number} [offset] in `buf` @param {unknown} [cause] */
  error(what, offset = this.pos, cause = undefined) {
    return wireError(this.header, what, offset + this.shift, cause)
  }

  /** Steps over a field of fixed size. @param {number} size @param {string} name @returns {number} where it is */
  field(size, name) {
    const pos = this.pos
    if (size > this.end - pos) throw this.error(`${name} takes ${size} bytes, ${this.end - pos} are left`)
    this.pos = pos + size
    return pos
  }

  /** @param {string} name */
  byte(name) {
    return this.buf[this.field(1, name)]
  }

  /** @param {string} name */
  int32(name) {
    return getInt32(this.buf, this.field(4, name))
  }

  /** @param {string} name */
  int64(name) {
    return getInt64(this.buf, this.field(8, name))
  }

  /** @param {string} name @param {number} end it must end before */
  cstring(name, end) {
    const start = this.pos
    const zero = this.buf.indexOf(0, start)
    if (zero === -1 || zero >= end) throw this.error(`${name} has no end`)
    this.pos = zero + 1
    try {
      return getUtf8(this.buf, start, zero)
    } catch (cause) {
      throw this.error(`${name} is not UTF-8`, start, cause)
    }
  }

  /** @param {string} name @param {number} end it must end before @returns {RawDocument} */
  document(name, end) {
    const start = this.pos
    const room = end - start
    if (room < MIN_DOCUMENT_SIZE) throw this.error(`${name} is a document, of which only ${room} bytes are here`)
    const size = getInt32(this.buf, start)
    if (size < MIN_DOCUMENT_SIZE || size > room) throw this.error(`${name} says it has ${size} bytes, there are ${room}`)
    if (size > this.limits.document) {
      throw this.error(`${name} is ${size} bytes, maxBsonObjectSize allows ${this.limits.document}`)
    }
    if (this.buf[start + size - 1] !== 0) throw this.error(`${name} does not end with a 0x00`, start + size - 1)
    this.pos = start + size
    return new RawDocument(this.buf, start)
  }

  /** @param {string} name @param {number} end @returns {RawDocument[]} all until there */
  documents(name, end) {
    const list = []
    while (this.pos < end) list.push(this.document(`${name}[${list.length}]`, end))
    return list
  }

  /** Nothing may be left. */
  checkEnd() {
    if (this.pos !== this.end) throw this.error(`${this.end - this.pos} bytes are left at its end`)
  }
}

/** int32 originalOpcode | int32 uncompressedSize | uint8 compressorId | the rest of that message, compressed */
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
  const buf = unsqueezeFrom(reader, compressorId, size)
  return readBody(new MessageReader(inner, buf, 0, size, HEADER_SIZE, limits), compressorName(compressorId))
}

function unsqueezeFrom(reader, compressorId, size) {
  try {
    return toBytes(unsqueeze(reader.buf.subarray(reader.pos, reader.end), compressorId, size))
  } catch (cause) {
    throw reader.error(cause.message, reader.pos, cause)
  }
}

/** @param {MessageReader} reader @param {string | null} compressor @returns {Message} */
function readBody(reader, compressor) {
  const read = READERS.get(reader.header.opCode)
  if (read === undefined) throw reader.error('is no message that is known here', HEADER_SIZE - 4 - reader.shift)
  const fields = read(reader)
  reader.checkEnd()
  return { ...reader.header, compressor, ...fields }
}

/** uint32 flags | sections | uint32 checksum, if the flags say so */
function readMsg(reader) {
  const start = reader.pos
  const flags = reader.int32('flags')
  // An unknown bit of the upper half may be ignored, one of the lower half may not.
  const unknown = flags & 0xffff & ~(MSG_FLAG.CHECKSUM_PRESENT | MSG_FLAG.MORE_TO_COME)
  if (unknown !== 0) throw reader.error(`flag 0x${unknown.toString(16)} is unknown`, start)
  if (flags & MSG_FLAG.CHECKSUM_PRESENT) checkChecksum(reader, start)
  let body = null
  const sequences = []
  while (reader.pos < reader.end) {
    const at = reader.pos
    const kind = reader.byte('section kind')
    if (kind === SECTION.BODY) {
      if (body !== null) throw reader.error('has two bodies', at)
      body = reader.document('body', reader.end)
    } else if (kind === SECTION.SEQUENCE) sequences.push(readSequence(reader, sequences))
    else throw reader.error(`section kind ${kind} is unknown`, at)
  }
  if (body === null) throw reader.error('has no body')
  return { flags, body, sequences }
}

/** int32 size | identifier 0x00 | documents */
function readSequence(reader, earlier) {
  const start = reader.pos
  const size = reader.int32('section size')
  // itself and the 0x00 of an identifier that is empty
  if (size < 5 || size > reader.end - start) {
    throw reader.error(`section says it has ${size} bytes, there are ${reader.end - start}`, start)
  }
  const identifier = reader.cstring('section identifier', start + size)
  if (earlier.some(sequence => sequence.identifier === identifier)) {
    throw reader.error(`${identifier} is there twice`, start)
  }
  return { identifier, documents: reader.documents(identifier, start + size) }
}

/** The last four bytes are the CRC-32C of all before them, header included. */
function checkChecksum(reader, start) {
  const { buf, end, header } = reader
  if (end - reader.pos < 4) throw reader.error('checksum is cut off')
  reader.end = end - 4
  const said = getUint32(buf, end - 4)
  const is = crc32c(buf, start, end - 4, crc32c(headerBytes(header)))
  if (said !== is) throw reader.error(`checksum is ${hex(is)}, not ${hex(said)} as it says`, end - 4)
}

/** The header as it was before compression. */
function headerBytes({ length, requestId, responseTo, opCode }) {
  const bytes = allocate(HEADER_SIZE)
  const values = [length, requestId, responseTo, opCode]
  values.forEach((value, i) => putInt32(value, bytes, 4 * i))
  return bytes
}

function hex(value) {
  return `0x${value.toString(16).padStart(8, '0')}`
}

/** int32 flags | int64 cursorId | int32 startingFrom | int32 numberReturned | documents */
function readReply(reader) {
  const flags = reader.int32('flags')
  const cursorId = reader.int64('cursorId')
  const startingFrom = reader.int32('startingFrom')
  const at = reader.pos
  const count = reader.int32('numberReturned')
  const documents = reader.documents('documents', reader.end)
  if (documents.length !== count) throw reader.error(`numberReturned is ${count}, there are ${documents.length}`, at)
  return { flags, cursorId, startingFrom, documents }
}

/** int32 flags | fullCollectionName 0x00 | int32 numberToSkip | int32 numberToReturn | query | fields, if there are */
function readQuery(reader) {
  const flags = reader.int32('flags')
  const fullCollectionName = reader.cstring('fullCollectionName', reader.end)
  const numberToSkip = reader.int32('numberToSkip')
  const numberToReturn = reader.int32('numberToReturn')
  const query = reader.document('query', reader.end)
  const returnFieldsSelector = reader.pos < reader.end ? reader.document('returnFieldsSelector', reader.end) : null
  return { flags, fullCollectionName, numberToSkip, numberToReturn, query, returnFieldsSelector }
}

/** int32 0 | fullCollectionName 0x00 | int32 numberToReturn | int64 cursorId */
function readGetMore(reader) {
  reader.int32('reserved')
  const fullCollectionName = reader.cstring('fullCollectionName', reader.end)
  return { fullCollectionName, numberToReturn: reader.int32('numberToReturn'), cursorId: reader.int64('cursorId') }
}

/** int32 0 | int32 numberOfCursorIDs | int64 each */
function readKillCursors(reader) {
  reader.int32('reserved')
  const at = reader.pos
  const count = reader.int32('numberOfCursorIDs')
  const room = reader.end - reader.pos
  if (count * 8 !== room) throw reader.error(`numberOfCursorIDs is ${count}, there are ${room / 8}`, at)
  return { cursorIds: Array.from({ length: count }, () => reader.int64('cursorId')) }
}

/** @type {Map<number, (reader: MessageReader) => Omit<MessageFields, 'compressor'>>} */
const READERS = new Map()
READERS.set(OPCODE.MSG, readMsg)
READERS.set(OPCODE.REPLY, readReply)
READERS.set(OPCODE.QUERY, readQuery)
READERS.set(OPCODE.GET_MORE, readGetMore)
READERS.set(OPCODE.KILL_CURSORS, readKillCursors)

module.exports = { decodeHeader, decodeMessage }
