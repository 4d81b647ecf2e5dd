'use strict'

// The functions of lib/stream/index.js, which loads them when one of them is called first.

const { BSONError } = require('../errors')
const { ownFields } = require('../properties')
const { planOf, decodeAt } = require('../decode/decode')
const { encode } = require('../encode/encode')
const { DocumentSplitter } = require('./splitter')

/** @typedef {import('.').DocumentsOptions} DocumentsOptions */

/** @type {typeof import('.').documents} */
function* documents(bytes, options) {
  const reader = new DocumentReader(options)
  yield* reader.read(bytes)
  reader.end()
}

/** @type {typeof import('.').documentStream} */
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

/** @type {typeof import('.').createDecodeStream} */
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

/** @type {typeof import('.').createEncodeStream} */
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

module.exports = { chunksOf, documents, documentStream, createDecodeStream, createEncodeStream }
