'use strict'

// Documents that follow one another without anything between them: dump files (mongodump's .bson), oplog archives,
// sockets and pipes. Each document begins with its own length, so they can be split without being decoded.

const { MIN_DOCUMENT_SIZE, MAX_DOCUMENT_SIZE } = require('./spec')
const { BSONError } = require('./errors')
const { getInt32, toBytes, concat } = require('./bytes')
const { planOf } = require('./decode')
const { encode, decodeAt } = require('./shapes')

/** A document's length, in front of it: int32. */
const HEADER_SIZE = 4

/**
 * Options of `decode`, and:
 *
 * @typedef {import('./decode').DecodeOptions & {
 *   bytes?: boolean,
 *   maxDocumentSize?: number
 * }} DocumentsOptions `bytes`: give each document's bytes, unchecked, instead of decoding it (default false);
 *   `maxDocumentSize`: bytes a document may have (default 2 147 483 647, what the format can say)
 */

/**
 * Every document of a buffer, one after the other.
 *
 * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} bytes
 * @param {DocumentsOptions} [options]
 * @returns {Generator<any, void, void>} decodes each document when it is asked for
 * @throws {BSONError} with `offset` in `bytes` and `document`, its number from 1; also for a document cut short
 */
function* documents(bytes, options) {
  const reader = new DocumentReader(options)
  yield* reader.read(bytes)
  reader.end()
}

/**
 * Every document of a stream: a Node or web stream, or any (async) iterable of chunks of bytes. Chunks may end
 * anywhere. What lies between two chunks is copied once, everything else is decoded where it is, so a chunk's memory
 * must not be written to again.
 *
 * @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array> | ReadableStream<Uint8Array>} source
 * @param {DocumentsOptions} [options]
 * @returns {AsyncGenerator<any, void, void>}
 * @throws {BSONError} with `offset` from the start of the stream and `document`, its number from 1; also when the
 *   stream ends inside a document
 */
async function* documentStream(source, options) {
  const reader = new DocumentReader(options)
  for await (const chunk of chunksOf(source)) yield* reader.read(chunk)
  reader.end()
}

/** Web streams are not async iterable everywhere. */
function chunksOf(source) {
  const isIterable = source[Symbol.asyncIterator] !== undefined || source[Symbol.iterator] !== undefined
  return isIterable || typeof source.getReader !== 'function' ? source : readAll(source.getReader())
}

/** @param {ReadableStreamDefaultReader<Uint8Array>} reader */
async function* readAll(reader) {
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel()
  }
}

/**
 * A Node Transform: bytes in, documents out.
 *
 * @param {DocumentsOptions} [options]
 * @returns {import('node:stream').Transform} its readable side is in object mode
 */
function createDecodeStream(options) {
  const reader = new DocumentReader(options)
  return createTransform({
    readableObjectMode: true,
    transform(chunk, encoding, done) {
      settle(done, () => {
        for (const document of reader.read(chunk)) this.push(document)
      })
    },
    flush: done => settle(done, () => reader.end())
  })
}

/**
 * A Node Transform: documents in, bytes out.
 *
 * @param {import('./walk').EncodeOptions} [options]
 * @returns {import('node:stream').Transform} its writable side is in object mode
 */
function createEncodeStream(options) {
  return createTransform({
    writableObjectMode: true,
    transform(document, encoding, done) {
      settle(done, () => {
        this.push(encode(document, options))
      })
    }
  })
}

/** Runs `work`, and hands what it throws to a stream's callback. */
function settle(done, work) {
  try {
    work()
  } catch (error) {
    return done(error)
  }
  done()
}

function createTransform(options) {
  // Asked for only here and not by `require`: browsers have no node:stream, and their bundlers would look for it.
  const builtin = typeof process === 'object' && process.getBuiltinModule
  if (!builtin) throw new BSONError('Transform streams need Node.js 20.16 or later: use documentStream(source)')
  const { Transform } = builtin('node:stream')
  return new Transform(options)
}

/**
 * @template E
 * @param {E} error about one document: its offset is from the document's start
 * @param {number} start bytes before the document
 * @param {number} number of the document, from 1
 * @returns {E} the same error, with its offset from the start of the stream
 */
function placeInStream(error, start, number) {
  if (!(error instanceof BSONError)) return error
  const relative = error.offset
  if (relative !== undefined) error.offset = start + relative
  error.document = number
  const place = / \(at offset \d+(.*)\)$/.exec(error.message)
  const where = relative === undefined ? '' : `at offset ${error.offset}${place ? place[1] : ''} `
  error.message = `${error.message.replace(/ \(at offset \d+.*\)$/, '')} (${where}of document ${number})`
  return error
}

/** Cuts chunks of bytes into documents; looks at nothing but their lengths. */
class DocumentSplitter {
  /** @param {{maxDocumentSize?: number}} [options] bytes */
  constructor({ maxDocumentSize = MAX_DOCUMENT_SIZE } = {}) {
    this.maxDocumentSize = maxDocumentSize
    /** Bytes before the document that was given last. */
    this.offset = 0
    /** Documents given. */
    this.count = 0
    /** Where the next document begins. */
    this.next = 0
    /** @type {Uint8Array[]} the parts of a document that began in an earlier chunk */
    this.parts = []
    this.held = 0
    this.needed = HEADER_SIZE
  }

  /**
   * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} chunk
   * @returns {Generator<Uint8Array, void, void>} the documents that are complete now: views of the chunk where they
   *   lie in it whole, else copies
   * @throws {BSONError} on a length that no document can have
   */
  *push(chunk) {
    const bytes = toBytes(chunk)
    let at = 0
    if (this.held > 0) {
      at = this.complete(bytes)
      if (this.held < this.needed) return
      yield this.give(concat(this.parts))
    }
    while (at < bytes.length) {
      const left = bytes.length - at
      const size = left < HEADER_SIZE ? HEADER_SIZE : this.checkedSize(getInt32(bytes, at))
      if (left < HEADER_SIZE || left < size) return this.hold(bytes.subarray(at), size)
      yield this.give(bytes.subarray(at, at + size))
      at += size
    }
  }

  /** The chunks are over: an error when a document is not. */
  end() {
    if (this.held === 0) return
    const missing = this.needed > HEADER_SIZE ? `${this.needed - this.held} of its ${this.needed} bytes` : 'its length'
    throw this.errorHere(`BSON document is cut short: ${missing} missing`)
  }

  /** Takes from the chunk what the document that began before it needs; returns the offset after that. */
  complete(bytes) {
    let at = 0
    while (this.held < this.needed && at < bytes.length) {
      const part = bytes.subarray(at, at + this.needed - this.held)
      at += part.length
      this.hold(part, this.needed)
      if (this.held === HEADER_SIZE) this.needed = this.checkedSize(getInt32(concat(this.parts), 0))
    }
    return at
  }

  hold(part, needed) {
    this.parts.push(part)
    this.held += part.length
    this.needed = needed
  }

  give(document) {
    this.offset = this.next
    this.next += document.length
    this.count += 1
    this.parts = []
    this.held = 0
    this.needed = HEADER_SIZE
    return document
  }

  checkedSize(size) {
    if (size < MIN_DOCUMENT_SIZE) throw this.errorHere(`BSON size must be >= ${MIN_DOCUMENT_SIZE}, is ${size}`)
    if (size <= this.maxDocumentSize) return size
    throw this.errorHere(`BSON size ${size} is more than maxDocumentSize ${this.maxDocumentSize}`)
  }

  errorHere(message) {
    const error = new BSONError(message)
    error.offset = 0
    return placeInStream(error, this.next, this.count + 1)
  }
}

/** Documents out of chunks, as the options say. */
class DocumentReader {
  /** @param {DocumentsOptions} [options] */
  constructor({ bytes = false, maxDocumentSize, ...options } = {}) {
    this.splitter = new DocumentSplitter({ maxDocumentSize })
    this.bytes = bytes
    this.plan = planOf(Object.keys(options).length > 0 ? options : undefined)
  }

  *read(chunk) {
    for (const document of this.splitter.push(chunk)) yield this.bytes ? document : this.decode(document)
  }

  decode(document) {
    try {
      return decodeAt(document, 0, false, this.plan)
    } catch (error) {
      throw placeInStream(error, this.splitter.offset, this.splitter.count)
    }
  }

  end() {
    this.splitter.end()
  }
}

module.exports = { documents, documentStream, createDecodeStream, createEncodeStream, DocumentSplitter, placeInStream }
