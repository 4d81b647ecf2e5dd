'use strict'

// Builds OP_MSG: one message, or several for a batch of documents.

const { shownName } = require('../errors')
const { copyOf, putInt32 } = require('../bytes')
const { ownField, ownFields } = require('../properties')
const { int32 } = require('../options')
const { RawDocument } = require('../raw')
const { crc32c } = require('./crc32c')
const { build, checkIterable } = require('./message-writer')
const { OPCODE, MSG_FLAG, SECTION } = require('./opcodes')

/**
 * @typedef {import('./message-writer').BuildOptions} BuildOptions
 * @typedef {import('./message-writer').MessageIds} MessageIds
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
 */

/**
 * OP_MSG: int32 flags | sections | optional uint32 checksum
 *
 * @param {Msg & MessageIds} message
 * @param {BuildOptions} [options]
 * @returns {Uint8Array}
 * @throws {import('../errors').BSONError} on values that cannot be encoded, and beyond the limits
 */
function encodeMsg(message, options) {
  return build(OPCODE.MSG, message, options, writer => {
    const sequences = checkIterable('sequences', ownField(message, 'sequences') ?? [])
    beginMsg(writer, message, sequences)
    for (const sequence of sequences) putSequence(writer, sequence)
    endMsg(writer, message)
  })
}

/** @param {any} writer @param {DocumentSequence} sequence */
function putSequence(writer, { identifier, documents }) {
  const start = beginSequence(writer, identifier)
  let index = 0
  for (const doc of checkIterable('documents', documents)) {
    writer.document(doc, identifier, index++)
    writer.checkLength()
  }
  endSequence(writer, start)
}

/** int32 flags | 0x00 | body */
function beginMsg(writer, message, sequences) {
  const flags = int32(0)(ownField(message, 'flags'), 'flags')
  const body = ownField(message, 'body')
  const checksum = ownField(message, 'checksum')
  writer.int32(checksum ? flags | MSG_FLAG.CHECKSUM_PRESENT : flags & ~MSG_FLAG.CHECKSUM_PRESENT)
  writer.byte(SECTION.BODY)
  writer.document(body, 'body')
  checkSequences(writer, body, sequences)
}

/** A duplicate field would be an error on the server, or worse. */
function checkSequences(writer, body, sequences) {
  const seen = new Set()
  for (const { identifier } of sequences) {
    if (typeof identifier !== 'string') throw writer.error('identifier must be a string')
    if (seen.has(identifier) || hasField(body, identifier)) throw writer.error(`duplicate identifier ${shownName(identifier)}`)
    seen.add(identifier)
  }
}

/** @param {any} body @param {string} name */
function hasField(body, name) {
  if (body instanceof RawDocument) return body.has([name])
  return body instanceof Map ? body.has(name) : Object.hasOwn(body, name)
}

/** 0x01 | int32 size | identifier 0x00 | documents */
function beginSequence(writer, identifier) {
  writer.byte(SECTION.SEQUENCE)
  const start = writer.pos
  writer.int32(0)
  writer.cstring('identifier', identifier)
  return start
}

function endSequence(writer, start) {
  putInt32(writer.pos - start, writer.out.buf, start)
}

function endMsg(writer, message) {
  if (!ownField(message, 'checksum')) return
  writer.int32(0)
  const { out, start, pos } = writer
  putInt32(writer.length, out.buf, start)
  putInt32(crc32c(out.buf, start, pos - 4), out.buf, pos - 4)
}

/**
 * @typedef {object} Batch
 * @property {number} requestId
 * @property {number} first index of its first document
 * @property {number} count documents
 * @property {Uint8Array} message
 *
 * @typedef {object} BatchRequest
 * @property {() => number} nextId the requestId of each message
 * @property {number} [flags]
 * @property {object} body the command, the same in each message
 * @property {DocumentSequence} sequence
 * @property {boolean} [checksum]
 */

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
function* encodeBatches(request, options) {
  const { nextId, sequence, ...message } = ownFields(request)
  const source = new Source(checkIterable('documents', sequence?.documents))
  for (let first = 0; !source.isDone; ) {
    const requestId = nextId()
    let count = 0
    const bytes = build(OPCODE.MSG, { requestId }, options, writer => {
      beginMsg(writer, message, [sequence])
      const start = beginSequence(writer, sequence.identifier)
      count = putBatch(writer, source, sequence.identifier, first, message.checksum ? 4 : 0)
      endSequence(writer, start)
      endMsg(writer, message)
    })
    yield { requestId, first, count, message: bytes }
    first += count
  }
}

/** The documents to send, with one document of lookahead. */
class Source {
  /** @param {Iterable<object>} documents */
  constructor(documents) {
    this.iterator = documents[Symbol.iterator]()
    this.advance()
  }

  advance() {
    const { done, value } = this.iterator.next()
    this.isDone = done === true
    this.next = value
  }
}

/** @param {Source} source @param {number} trailer bytes that follow @returns {number} documents put: at least one */
function putBatch(writer, source, name, first, trailer) {
  let count = 0
  while (!source.isDone && count < writer.limits.batch) {
    const start = writer.pos
    writer.document(source.next, name, first + count)
    if (writer.length + trailer > writer.limits.message) {
      if (count === 0) writer.checkLength(trailer)
      source.next = new RawDocument(copyOf(writer.out.buf, start, writer.pos))
      writer.pos = start
      return count
    }
    source.advance()
    count++
  }
  return count
}

module.exports = { encodeMsg, encodeBatches }
