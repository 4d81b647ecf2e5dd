'use strict'

// What only OP_MSG has: flags, sections, a checksum, and the queue that spreads documents over several of its
// messages.

const { shownName } = require('../errors')
const { allocate, copyOf, getUint32, putInt32 } = require('../bytes')
const { ownField } = require('../properties')
const { int32 } = require('../options')
const { RawDocument } = require('../raw')
const { crc32c } = require('./crc32c')
const { putHeader } = require('./header')
const { checkIterable } = require('./message-writer')
const { MSG_FLAG, SECTION, HEADER_SIZE } = require('./opcodes')

/**
 * @typedef {import('./read').MessageReader} MessageReader
 * @typedef {import('./message-writer').MessageWriter} MessageWriter
 */

const checkFlags = int32(0)

const CHECKSUM_SIZE = 4

/** The specification allows ignoring an unknown bit in the upper half, but not in the lower half. */
function refuseUnknown(flags, errorOf) {
  const unknown = flags & 0xffff & ~(MSG_FLAG.CHECKSUM_PRESENT | MSG_FLAG.MORE_TO_COME)
  if (unknown !== 0) throw errorOf(`flag 0x${unknown.toString(16)} is unknown`)
}

/** uint32 flags | sections | uint32 checksum, if the flags say so. */
const MSG = {
  names: ['flags', 'body', 'sequences', 'checksum'],
  /** @param {MessageReader} reader @param {any} message */
  getAll(reader, message) {
    const start = reader.pos
    const flags = reader.int32('flags')
    refuseUnknown(flags, what => reader.error(what, start))
    if (flags & MSG_FLAG.CHECKSUM_PRESENT) verifyChecksum(reader, start)
    message.flags = flags
    getSections(reader, message)
  },
  /** @param {MessageWriter} writer @param {undefined} _ @param {object} message */
  put(writer, _, message) {
    const flags = checkFlags(ownField(message, 'flags'), 'flags')
    refuseUnknown(flags, what => writer.error(what))
    const hasChecksum = ownField(message, 'checksum')
    writer.trailer = hasChecksum ? CHECKSUM_SIZE : 0
    writer.int32(hasChecksum ? flags | MSG_FLAG.CHECKSUM_PRESENT : flags & ~MSG_FLAG.CHECKSUM_PRESENT)
    putSections(writer, message)
    if (hasChecksum) putChecksum(writer)
  }
}

/** The last four bytes are the CRC-32C of all before them, header included. @param {MessageReader} reader */
function verifyChecksum(reader, start) {
  const { buf, end, header } = reader
  if (end - reader.pos < CHECKSUM_SIZE) throw reader.error('checksum is cut off')
  reader.end = end - CHECKSUM_SIZE
  const said = getUint32(buf, reader.end)
  const headerBytes = allocate(HEADER_SIZE) // as before compression
  putHeader(header, headerBytes, 0)
  const is = crc32c(buf, start, reader.end, crc32c(headerBytes))
  if (said !== is) throw reader.error(`checksum is ${hex(said)}, but that of its bytes is ${hex(is)}`, reader.end)
}

function hex(value) {
  return `0x${value.toString(16).padStart(8, '0')}`
}

/** @param {MessageWriter} writer with all else written */
function putChecksum(writer) {
  writer.trailer = 0
  writer.int32(0)
  const { out, start, pos } = writer
  putInt32(writer.length, out.buf, start)
  putInt32(crc32c(out.buf, start, pos - CHECKSUM_SIZE), out.buf, pos - CHECKSUM_SIZE)
}

/** One body and any number of sequences, in any order. @param {MessageReader} reader */
function getSections(reader, message) {
  let body = null
  const sequences = []
  const identifiers = new Set()
  while (reader.pos < reader.end) {
    const at = reader.pos
    const kind = reader.byte('section kind')
    if (kind === SECTION.BODY) {
      if (body !== null) throw reader.error('has two bodies', at)
      body = reader.document('body', reader.end)
    } else if (kind === SECTION.SEQUENCE) sequences.push(getSequence(reader, identifiers))
    else throw reader.error(`section kind ${kind} is unknown`, at)
  }
  if (body === null) throw reader.error('has no body')
  Object.assign(message, { body, sequences })
}

/** The body is written first. @param {MessageWriter} writer */
function putSections(writer, message) {
  writer.byte(SECTION.BODY)
  const start = writer.pos
  writer.document(ownField(message, 'body'), 'body')
  const iterable = ownField(message, 'sequences')
  if (iterable === undefined || iterable === null) return
  const sequences = [...checkIterable('sequences', iterable)]
  checkSequences(writer, new RawDocument(writer.out.buf, start), sequences)
  for (const sequence of sequences) putSequence(writer, sequence)
}

/** int32 size | identifier 0x00 | documents. @param {MessageReader} reader @param {Set<string>} earlier identifiers */
function getSequence(reader, earlier) {
  reader.countOne('sequences')
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

/** A duplicate field would be an error on the server, or worse. `body` is as written: `toBSON` may have added some. */
function checkSequences(writer, body, sequences) {
  const seen = new Set()
  for (const sequence of sequences) {
    const identifier = sequence?.identifier
    if (typeof identifier !== 'string') throw writer.error('identifier must be a string')
    if (seen.has(identifier) || body.has([identifier])) throw writer.error(`duplicate identifier ${shownName(identifier)}`)
    seen.add(identifier)
  }
}

/** 0x01 | int32 size | identifier 0x00 | documents. @param {MessageWriter} writer */
function putSequence(writer, { identifier, documents }) {
  writer.countOne('sequences')
  writer.byte(SECTION.SEQUENCE)
  const start = writer.pos
  writer.int32(0)
  writer.cstring('identifier', identifier)
  if (documents instanceof DocumentQueue) documents.putBatch(writer, identifier)
  else putDocuments(writer, identifier, checkIterable('documents', documents))
  putInt32(writer.pos - start, writer.out.buf, start)
}

function putDocuments(writer, name, documents) {
  let index = 0
  for (const doc of documents) {
    writer.countOne('documents')
    writer.document(doc, name, index++)
    writer.checkLength()
  }
}

/** Documents for as many messages as they need, with one document of lookahead. */
class DocumentQueue {
  /** @param {Iterable<object>} documents @throws {import('../errors').BSONError} when they are not iterable */
  constructor(documents) {
    this.iterator = checkIterable('documents', documents)[Symbol.iterator]()
    /** How many have been written. */
    this.index = 0
    this.isDone = false
  }

  /** Reads the next document; to be called before the first batch. */
  advance() {
    this.isDone = true // if this throws
    const { done, value } = this.iterator.next()
    this.isDone = done === true
    this.next = value
  }

  /** Ends an iterator that has more, or has not begun. */
  close() {
    if (this.isDone) return
    this.isDone = true
    this.iterator.return?.()
  }

  /**
   * Writes as many documents as fit into a message, at least one. The bytes of the first that does not are kept for the
   * next message: every document is encoded once.
   */
  putBatch(writer, name) {
    const first = this.index
    while (!this.isDone && this.index - first < writer.limits.batch) {
      const start = writer.pos
      writer.document(this.next, name, this.index)
      if (!writer.fits()) {
        if (this.index === first) writer.checkLength()
        this.next = new RawDocument(copyOf(writer.out.buf, start, writer.pos))
        writer.pos = start
        return
      }
      this.advance()
      this.index++
    }
  }
}

module.exports = { MSG, DocumentQueue }
