'use strict'

// Documents that follow one another without anything between them: dump files (mongodump's .bson), oplog archives,
// sockets and pipes. Each document begins with its own length, so they can be split without being decoded.

const { MIN_DOCUMENT_SIZE, MAX_DOCUMENT_SIZE } = require('./spec')
const { BSONError, placeInStream, shownValue } = require('./errors')
const { getInt32 } = require('./bytes')
const { FrameQueue } = require('./frames')
const { ownFields } = require('./own')
const { planOf, decodeAt } = require('./decode')
const { encode } = require('./encode')

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
  for await (const chunk of chunksOf(source)) {
    for (const document of reader.read(chunk)) yield document // `yield*` takes 1.4 times as long: 0.7 us a document
  }
  reader.end()
}

/** Web streams are not async iterable everywhere. */
function chunksOf(source) {
  if (typeof source === 'object' && source !== null) {
    if (source[Symbol.asyncIterator] !== undefined || source[Symbol.iterator] !== undefined) return source
    if (typeof source.getReader === 'function') return readAll(source.getReader())
  }
  throw new BSONError('the source must be a stream, or an iterable, of chunks of bytes')
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
 * A Node Transform: bytes in, documents out. No document is decoded before there is room for it: as many wait as the
 * readable side's highWaterMark says, 16.
 *
 * @param {DocumentsOptions} [options]
 * @returns {import('node:stream').Transform} its readable side is in object mode
 */
function createDecodeStream(options) {
  const reader = new DocumentReader(options)
  /** @type {Pump | null} of the chunk that is being read */
  let pump = null
  return createTransform({
    readableObjectMode: true,
    transform(chunk, encoding, done) {
      pump = new Pump(this, reader.read(chunk), done)
      pump.run()
    },
    read(size) {
      pump?.run()
      if (pump === null || pump.isDone) Object.getPrototypeOf(this)._read.call(this, size) // on to the next chunk
    },
    flush: done => settle(done, () => reader.end())
  })
}

/** Pushes documents into a stream until it says that it is full; goes on when `run` is called again. */
class Pump {
  /**
   * @param {import('node:stream').Transform} stream
   * @param {Iterator<any>} documents
   * @param {(error?: Error) => void} done
   */
  constructor(stream, documents, done) {
    this.stream = stream
    this.documents = documents
    this.done = done
    this.isDone = false
    /** A listener may ask for more while it is given one. */
    this.isRunning = false
  }

  run() {
    if (this.isRunning) return
    this.isRunning = true
    while (!this.isDone && this.pushNext()) continue
    this.isRunning = false
  }

  /** @returns {boolean} whether the stream takes more */
  pushNext() {
    let next
    try {
      next = this.documents.next()
    } catch (error) {
      return this.finish(error)
    }
    return next.done || this.stream.destroyed ? this.finish() : this.stream.push(next.value)
  }

  /** @param {Error} [error] */
  finish(error) {
    this.isDone = true
    this.done(error)
    return false
  }
}

/**
 * A Node Transform: documents in, bytes out.
 *
 * @param {import('./encode-plan').EncodeOptions} [options]
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

/** Cuts chunks of bytes into documents; looks at nothing but their lengths. */
class DocumentSplitter {
  /** @param {{maxDocumentSize?: number}} [options] bytes */
  constructor({ maxDocumentSize = MAX_DOCUMENT_SIZE } = {}) {
    if (typeof maxDocumentSize !== 'number' || !(maxDocumentSize >= 0)) {
      throw new BSONError(`maxDocumentSize must be a number of bytes: ${shownValue(maxDocumentSize)}`)
    }
    this.maxDocumentSize = maxDocumentSize
    this.frames = new FrameQueue(HEADER_SIZE, (buf, offset) => this.checkedSize(getInt32(buf, offset)))
    /** Bytes before the document that was given last. */
    this.offset = 0
    /** Documents given. */
    this.count = 0
    /** Where the next document begins. */
    this.next = 0
  }

  /**
   * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} chunk
   * @returns {Generator<Uint8Array, void, void>} the documents that are complete now: views of the chunk where they
   *   lie in it whole, else copies
   * @throws {BSONError} on a length that no document can have
   */
  *push(chunk) {
    this.frames.write(chunk)
    for (let document = this.frames.read(); document !== null; document = this.frames.read()) {
      this.offset = this.next
      this.next += document.length
      this.count += 1
      yield document
    }
  }

  /** The chunks are over. @returns {[]} no document that is left @throws {BSONError} when one is cut short */
  end() {
    const { size, needed } = this.frames
    if (size === 0) return []
    const missing = needed > 0 ? `${needed - size} of its ${needed} bytes` : 'its length'
    throw this.errorHere(`BSON document is cut short: ${missing} missing`)
  }

  /** Completes an error about the document that was given last. @template E @param {E} error @returns {E} */
  place(error) {
    return placeInStream(error, this.offset, this.count)
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
  /** @param {DocumentsOptions} [options] @throws {BSONError} on an option that makes no sense */
  constructor(options) {
    const { bytes = false, maxDocumentSize, ...decodeOptions } = ownFields(options)
    this.splitter = new DocumentSplitter({ maxDocumentSize })
    this.bytes = bytes
    this.plan = planOf(decodeOptions)
  }

  *read(chunk) {
    for (const document of this.splitter.push(chunk)) yield this.bytes ? document : this.decode(document)
  }

  decode(document) {
    try {
      return decodeAt(document, 0, false, this.plan)
    } catch (error) {
      throw this.splitter.place(error)
    }
  }

  end() {
    this.splitter.end()
  }
}

module.exports = { documents, documentStream, createDecodeStream, createEncodeStream, DocumentSplitter }
