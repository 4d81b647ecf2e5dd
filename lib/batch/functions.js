'use strict'

// The functions of documents.js, which loads them on the first call.

const { BSONError, atPlace } = require('../errors')
const { isAnyArrayBuffer, toBytes } = require('../bytes')
const { closing, itemsOf } = require('../iterators')
const { DECODE_OPTIONS, ENCODE_OPTIONS, isIterable, kept, onlyOptions } = require('../options')
const { planOf, decodeAt } = require('../decode')
const { encode, planOf: encodePlanOf } = require('../encode')
const { DocumentSplitter } = require('./splitter')
const { createTransform, createReadingTransform, settle, failureOf } = require('./transform')

/** @typedef {import('./documents').DocumentsOptions} DocumentsOptions */

const READING = [...DECODE_OPTIONS, 'bytes', 'maxDocumentSize']
const only = {
  documents: onlyOptions('documents', READING),
  documentStream: onlyOptions('documentStream', READING),
  createDecodeStream: onlyOptions('createDecodeStream', READING),
  createEncodeStream: onlyOptions('createEncodeStream', ENCODE_OPTIONS)
}

/** @type {typeof import('./documents').documents} */
function documents(bytes, options) {
  return allOf(toBytes(bytes), new DocumentReader(only.documents(options)))
}

/** @param {Uint8Array} bytes @param {DocumentReader} reader */
function* allOf(bytes, reader) {
  yield* reader.read(bytes)
  reader.end()
}

/** @type {typeof import('./documents').documentStream} */
function documentStream(source, options) {
  const reader = new DocumentReader(only.documentStream(options))
  const chunks = chunksOf(source)
  return closing(eachOf(chunks, reader), () => chunks.return())
}

/** @param {import('../iterators').ClosableIterator} chunks @param {DocumentReader} reader */
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
  if (isBytes(source)) return itemsOf([source]) // one chunk
  if (comesOnce(source)) begun.add(source)
  return itemsOf(source)
}

/**
 * @param {any} source as for `chunksOf`, which comes later
 * @param {string} [allowed] in words
 * @throws {BSONError} on any other, and on one that has been read
 */
function checkSource(source, allowed = 'bytes, an array or other iterable of chunks of bytes, or a stream of them') {
  if (isBytes(source)) return
  const isSource = typeof source === 'object' && source !== null && (isIterable(source, true) || typeof source.getReader === 'function')
  if (!isSource) throw new BSONError(`the source must be ${allowed}`)
  if (!comesOnce(source)) return
  const isRead = begun.has(source) || source.readableEnded === true
  if (isRead) throw new BSONError('the source has been read before: open it again')
}

/** @param {any} source */
function isBytes(source) {
  return ArrayBuffer.isView(source) || isAnyArrayBuffer(source)
}

/** Streams and iterators that have been read. */
const begun = new WeakSet()

/**
 * Whether a source gives its bytes once: read again it seems to be empty. A cursor of the driver can be rewound.
 *
 * @param {any} source
 */
function comesOnce({ next, pipe, getReader, rewind }) {
  return typeof rewind !== 'function' && [next, pipe, getReader].some(member => typeof member === 'function')
}

/** @type {typeof import('./documents').createDecodeStream} */
function createDecodeStream(options) {
  return createReadingTransform({ readableObjectMode: true }, new DocumentReader(only.createDecodeStream(options)))
}

/** @type {typeof import('./documents').createEncodeStream} */
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
