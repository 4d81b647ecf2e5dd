'use strict'

// Consecutive documents with nothing between them: dump files (mongodump's .bson), oplog archives, sockets and pipes.
// Each document starts with its own length, so they can be split without decoding.

const { BSONError, atPlace } = require('../errors')
const { isMemory, toBytes } = require('../bytes')
const { closing, failureOf, itemsOf } = require('../iterators')
const { DECODE_OPTIONS, ENCODE_OPTIONS, isIterable, kept, onlyOptions, refusal } = require('../options')
const { planOf, decodeAt } = require('../decode')
const { encode, planOf: encodePlanOf } = require('../encode')
const { DocumentSplitter } = require('./splitter')
const { createTransform, createReadingTransform, settle } = require('./transform')

/**
 * @typedef {object} SplitOptions
 * @property {boolean} [bytes] return the bytes of each document, unchecked, instead of decoding it; default false
 * @property {number} [maxDocumentSize] the most bytes of a document; default 2,147,483,647, the limit of the format
 */

/** @typedef {Omit<import('../decode/options').DecodeOptions, 'index'> & SplitOptions} DocumentsOptions */

const READING = [...DECODE_OPTIONS.filter(name => name !== 'index'), 'bytes', 'maxDocumentSize']
const reading = owner => onlyOptions(owner, READING, ['index']) // the reader refuses any index but 0
const only = {
  documents: reading('documents'),
  documentStream: reading('documentStream'),
  createDecodeStream: reading('createDecodeStream'),
  createEncodeStream: onlyOptions('createEncodeStream', ENCODE_OPTIONS)
}

/**
 * Iterates over the documents of a buffer.
 *
 * @template [T=any] what each document is taken to be; it is not checked
 * @template {boolean} [B=boolean] whether they stay bytes
 * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} bytes
 * @param {DocumentsOptions & {bytes?: B}} [options]
 * @returns {Generator<[B] extends [true] ? Uint8Array : T, void, void>} decodes each document on request
 * @throws {BSONError} with `offset` in `bytes` and `document`, its number from 1; also for a document cut short
 */
function documents(bytes, options) {
  return allOf(toBytes(bytes), new DocumentReader(only.documents(options)))
}

function* allOf(bytes, reader) {
  yield* reader.read(bytes)
  reader.end()
}

/**
 * Every document of a stream: a Node or web stream, or any (async) iterable of chunks of bytes. Chunks may end
 * anywhere. A document that spans chunks is copied once. All others are decoded in place, so a chunk's memory must not
 * be written to again.
 *
 * @template [T=any] what each document is taken to be; it is not checked
 * @template {boolean} [B=boolean] whether they stay bytes
 * @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array> | ReadableStream<Uint8Array>} source
 * @param {DocumentsOptions & {bytes?: B}} [options]
 * @returns {AsyncGenerator<[B] extends [true] ? Uint8Array : T, void, void>}
 * @throws {BSONError} with `offset` from the start of the stream and `document`, its number from 1; also when the
 *   stream ends inside a document
 */
function documentStream(source, options) {
  const reader = new DocumentReader(only.documentStream(options))
  const chunks = chunksOf(source)
  return closing(eachOf(chunks, reader), () => chunks.return())
}

async function* eachOf(chunks, reader) {
  for await (const chunk of chunks) {
    for (const document of reader.read(chunk)) yield document // `yield*` takes 1.4 times as long: 0.7 us a document
  }
  if (!chunks.isClosed) reader.end()
}

/**
 * @param {any} source
 * @param {string} [allowed] in words
 * @returns {import('../iterators').ClosableIterator}
 * @throws {BSONError} on any other source
 */
function chunksOf(source, allowed) {
  checkSource(source, allowed)
  if (isMemory(source)) return itemsOf([source]) // one chunk
  if (comesOnce(source)) begun.add(source)
  return itemsOf(source)
}

/**
 * @param {any} source as for `chunksOf`, which comes later
 * @param {string} [allowed] in words
 * @throws {BSONError} on any other, and on one that has been read
 */
function checkSource(source, allowed = CHUNKS) {
  if (isMemory(source)) return
  const isSource = typeof source === 'object' && source !== null && (isIterable(source, true) || typeof source.getReader === 'function')
  if (typeof source === 'string') throw refusal('the source', source, `${allowed}, such as fs.createReadStream(file)`)
  if (!isSource) throw refusal('the source', source, allowed)
  if (!comesOnce(source)) return
  const isRead = begun.has(source) || source.readableEnded === true
  if (isRead) throw new BSONError('the source has been read before: open it again')
}

const CHUNKS = 'bytes, an array or other iterable of chunks of bytes, or a stream of them'

/** Streams and iterators that have been read. */
const begun = new WeakSet()

/** Whether a source gives its bytes once: read again it seems to be empty. A cursor of the driver can be rewound. */
function comesOnce({ next, pipe, getReader, rewind }) {
  return typeof rewind !== 'function' && [next, pipe, getReader].some(member => typeof member === 'function')
}

/**
 * A Node Transform: bytes in, documents out. No document is decoded before there is room for it: at most 16 wait, the
 * highWaterMark of the readable side.
 *
 * @param {DocumentsOptions} [options]
 * @returns {import('node:stream').Transform} its readable side is in object mode
 */
function createDecodeStream(options) {
  return createReadingTransform({ readableObjectMode: true }, new DocumentReader(only.createDecodeStream(options)))
}

/**
 * A Node Transform: documents in, bytes out.
 *
 * @param {import('../encode/options').EncodeOptions} [options]
 * @returns {import('node:stream').Transform} its writable side is in object mode
 */
function createEncodeStream(options) {
  const own = kept(only.createEncodeStream(options))
  encodePlanOf(own) // refuses a wrong one at once
  let count = 0
  return createTransform({
    writableObjectMode: true,
    transform(document, encoding, done) {
      count++
      settle(done, () => {
        this.push(encodeNumbered(document, own, count))
      })
    }
  })
}

/** @param {number} number of the document, for errors */
function encodeNumbered(document, options, number) {
  try {
    return encode(document, options)
  } catch (error) {
    throw atPlace(failureOf(error), { offset: 0, document: number })
  }
}

/** Reads documents from chunks, as set by the options. */
class DocumentReader {
  /** @param {DocumentsOptions} [options] @throws {BSONError} on an option that makes no sense */
  constructor(options) {
    const { bytes = false, maxDocumentSize, ...decodeOptions } = kept(/** @type {any} */ (options))
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
    return this.splitter.end()
  }
}

module.exports = { checkSource, chunksOf, documents, documentStream, createDecodeStream, createEncodeStream }
