'use strict'

// Messages out: each is written into one buffer, its documents one after the other, and no document is copied.

const { BSONError } = require('../errors')
const { copyOf, putInt32, putInt64 } = require('../bytes')
const { putUtf8 } = require('../utf8')
const { acquireOutput, releaseOutput } = require('../output')
const { planOf } = require('../walk')
const { appendDocument } = require('../shapes')
const { RawDocument } = require('../raw')
const { crc32c } = require('./crc32c')
const { wireError } = require('./errors')
const { checkLimits } = require('./limits')
const { OPCODE, MSG_FLAG, SECTION } = require('./opcodes')

/**
 * @typedef {import('../walk').EncodeOptions & import('./limits').Limits} BuildOptions
 * @typedef {import('../output').Output} Output
 *
 * @typedef {bigint | number | {toString(): string}} CursorId an int64: a Long too
 *
 * @typedef {object} MessageIds
 * @property {number} requestId
 * @property {number} [responseTo] the requestId that a reply answers; default 0
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

/** One message being written. */
class MessageWriter {
  /**
   * @param {Output} out
   * @param {number} opCode
   * @param {MessageIds} ids
   * @param {BuildOptions} [options]
   */
  constructor(out, opCode, { requestId, responseTo = 0 }, options) {
    checkInt32s({ requestId, responseTo })
    this.out = out
    this.header = { length: 0, requestId, responseTo, opCode }
    this.limits = checkLimits(options)
    this.plan = planOf(options)
    this.start = out.begin()
    this.pos = this.start
    for (const value of [0, requestId, responseTo, opCode]) this.int32(value)
  }

  /** @param {number} value */
  int32(value) {
    const buf = this.out.reserve(this.pos, 4)
    this.pos = putInt32(value, buf, this.pos)
  }

  /** @param {CursorId} value */
  int64(value) {
    const buf = this.out.reserve(this.pos, 8)
    this.pos = putInt64(toInt64(value), buf, this.pos)
  }

  /** @param {number} value */
  byte(value) {
    this.out.reserve(this.pos, 1)[this.pos++] = value
  }

  /** @param {string} name of the field, for the error @param {string} text */
  cstring(name, text) {
    if (typeof text !== 'string' || text.includes('\0')) throw this.error(`${name} must be a string without a 0x00`)
    const buf = this.out.reserve(this.pos, 3 * text.length + 1)
    this.pos = putUtf8(text, buf, this.pos)
    this.byte(0)
  }

  /** @param {object} doc @param {string} name what it is, for the error */
  document(doc, name) {
    if (typeof doc !== 'object' || doc === null) throw this.error(`${name} must be a document`)
    const start = this.pos
    try {
      this.pos = appendDocument(this.out, doc, start, this.plan)
    } catch (error) {
      throw this.wrap(error, name)
    }
    const size = this.pos - start
    if (size > this.limits.document) {
      throw this.error(`${name} is ${size} bytes, maxBsonObjectSize allows ${this.limits.document}`)
    }
  }

  /** @returns {number} bytes written so far */
  get length() {
    return this.pos - this.start
  }

  /** @param {number} [trailer] bytes that have to follow */
  checkLength(trailer = 0) {
    if (this.length + trailer > this.limits.message) {
      throw this.error(`is longer than maxMessageSizeBytes, ${this.limits.message} bytes`)
    }
  }

  /** @returns {Uint8Array} the message, a Buffer on Node */
  finish() {
    this.checkLength()
    putInt32(this.length, this.out.buf, this.start)
    return this.out.finish(this.pos)
  }

  /** @param {string} what */
  error(what) {
    return wireError(this.header, what)
  }

  /** Names the message in an error of the encoder; what `toBSON` threw is left as it is. */
  wrap(error, name) {
    if (!(error instanceof BSONError)) return error
    const wrapped = wireError(this.header, `${name}: ${error.message}`, undefined, error)
    wrapped.path = error.path
    return wrapped
  }
}

/** @param {Record<string, number>} values by name */
function checkInt32s(values) {
  for (const [name, value] of Object.entries(values)) {
    if ((value | 0) !== value) throw new BSONError(`${name} must be an int32: ${value}`)
  }
}

function toInt64(value) {
  let int
  try {
    int = BigInt(String(value))
  } catch (cause) {
    throw new BSONError(`a cursorId must be an int64: ${value}`, { cause })
  }
  if (BigInt.asIntN(64, int) !== int) throw new BSONError(`a cursorId must be an int64: ${value}`)
  return int
}

/**
 * @param {number} opCode
 * @param {MessageIds} ids
 * @param {BuildOptions | undefined} options
 * @param {(writer: MessageWriter) => void} write
 */
function build(opCode, ids, options, write) {
  const out = acquireOutput()
  try {
    const writer = new MessageWriter(out, opCode, ids, options)
    write(writer)
    return writer.finish()
  } finally {
    releaseOutput(out)
  }
}

/**
 * OP_MSG: int32 flags | sections | uint32 checksum, if there is one
 *
 * @param {Msg & MessageIds} message
 * @param {BuildOptions} [options]
 * @returns {Uint8Array}
 * @throws {BSONError} on what cannot be encoded and on what is beyond the limits
 */
function encodeMsg(message, options) {
  return build(OPCODE.MSG, message, options, writer => {
    beginMsg(writer, message)
    for (const { identifier, documents } of message.sequences ?? []) {
      const start = beginSequence(writer, identifier)
      let index = 0
      for (const doc of documents) {
        writer.document(doc, `${identifier}[${index++}]`)
        writer.checkLength()
      }
      endSequence(writer, start)
    }
    endMsg(writer, message)
  })
}

/** int32 flags | 0x00 | body */
function beginMsg(writer, { flags = 0, body, checksum = false, sequences = [] }) {
  checkInt32s({ flags })
  writer.int32(checksum ? flags | MSG_FLAG.CHECKSUM_PRESENT : flags & ~MSG_FLAG.CHECKSUM_PRESENT)
  writer.byte(SECTION.BODY)
  writer.document(body, 'body')
  checkSequences(writer, body, sequences)
}

/** A field that is there twice would be an error of the server, or worse. */
function checkSequences(writer, body, sequences) {
  const seen = new Set()
  for (const { identifier } of sequences) {
    if (seen.has(identifier) || hasField(body, identifier)) throw writer.error(`${identifier} is there twice`)
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

function endMsg(writer, { checksum = false }) {
  if (!checksum) return
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
 * As many OP_MSG as it takes to send many documents: each holds as many as fit. Every document is encoded once: the one
 * that did not fit is taken out again as bytes, to be the first of the next message.
 *
 * @param {BatchRequest} request
 * @param {BuildOptions} [options]
 * @returns {Generator<Batch, void>} nothing is encoded before it is asked for
 * @throws {BSONError} on a document that cannot be encoded or is too large; the batches before it have been given out
 */
function* encodeBatches({ nextId, flags, body, sequence, checksum }, options) {
  const source = new Source(sequence.documents)
  for (let first = 0; !source.isDone; ) {
    const requestId = nextId()
    let count = 0
    const message = build(OPCODE.MSG, { requestId }, options, writer => {
      beginMsg(writer, { flags, body, checksum, sequences: [sequence] })
      const start = beginSequence(writer, sequence.identifier)
      count = putBatch(writer, source, `${sequence.identifier}[${first}\u2026]`, checksum ? 4 : 0)
      endSequence(writer, start)
      endMsg(writer, { checksum })
    })
    yield { requestId, first, count, message }
    first += count
  }
}

/** Documents to send, the next of them known. */
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

/** @returns {number} documents put: at least one */
function putBatch(writer, source, name, trailer) {
  let count = 0
  while (!source.isDone && count < writer.limits.batch) {
    const start = writer.pos
    writer.document(source.next, name)
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

/**
 * OP_QUERY: int32 flags | fullCollectionName 0x00 | int32 numberToSkip | int32 numberToReturn | query | fields
 *
 * @typedef {object} Query
 * @property {number} [flags] of QUERY_FLAG
 * @property {string} fullCollectionName `db.collection`; `db.$cmd` for a command
 * @property {number} [numberToSkip]
 * @property {number} [numberToReturn] documents in the first reply; below 0 they are all; -1 for a command
 * @property {object} query
 * @property {object} [returnFieldsSelector]
 *
 * @param {Query & MessageIds} message
 * @param {BuildOptions} [options]
 * @returns {Uint8Array}
 * @throws {BSONError}
 */
function encodeQuery(message, options) {
  const { flags = 0, fullCollectionName, numberToSkip = 0, numberToReturn = 0, query, returnFieldsSelector } = message
  checkInt32s({ flags, numberToSkip, numberToReturn })
  return build(OPCODE.QUERY, message, options, writer => {
    writer.int32(flags)
    writer.cstring('fullCollectionName', fullCollectionName)
    writer.int32(numberToSkip)
    writer.int32(numberToReturn)
    writer.document(query, 'query')
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
 * @throws {BSONError}
 */
function encodeGetMore(message, options) {
  const { fullCollectionName, numberToReturn = 0, cursorId } = message
  checkInt32s({ numberToReturn })
  return build(OPCODE.GET_MORE, message, options, writer => {
    writer.int32(0)
    writer.cstring('fullCollectionName', fullCollectionName)
    writer.int32(numberToReturn)
    writer.int64(cursorId)
  })
}

/**
 * OP_KILL_CURSORS: int32 0 | int32 numberOfCursorIDs | int64 each; there is no reply
 *
 * @param {{cursorIds: CursorId[]} & MessageIds} message
 * @param {BuildOptions} [options]
 * @returns {Uint8Array}
 * @throws {BSONError}
 */
function encodeKillCursors(message, options) {
  return build(OPCODE.KILL_CURSORS, message, options, writer => {
    writer.int32(0)
    writer.int32(message.cursorIds.length)
    for (const id of message.cursorIds) writer.int64(id)
  })
}

/**
 * OP_REPLY: int32 flags | int64 cursorId | int32 startingFrom | int32 numberReturned | documents
 *
 * @typedef {object} Reply
 * @property {number} [flags] of REPLY_FLAG
 * @property {CursorId} [cursorId] default 0: no more documents
 * @property {number} [startingFrom]
 * @property {object[]} documents
 *
 * @param {Reply & MessageIds} message
 * @param {BuildOptions} [options]
 * @returns {Uint8Array}
 * @throws {BSONError}
 */
function encodeReply(message, options) {
  const { flags = 0, cursorId = 0n, startingFrom = 0, documents } = message
  checkInt32s({ flags, startingFrom })
  return build(OPCODE.REPLY, message, options, writer => {
    writer.int32(flags)
    writer.int64(cursorId)
    writer.int32(startingFrom)
    writer.int32(documents.length)
    documents.forEach((doc, i) => writer.document(doc, `documents[${i}]`))
  })
}

module.exports = { encodeMsg, encodeBatches, encodeQuery, encodeGetMore, encodeKillCursors, encodeReply }
