'use strict'

// Consecutive documents with nothing between them: dump files (mongodump's .bson), oplog archives, sockets and pipes.
// Each document starts with its own length, so they can be split without decoding.
//
// Most programs have none, so the code of these functions is loaded on the first call.

/**
 * @typedef {object} SplitOptions
 * @property {boolean} [bytes] return the bytes of each document, unchecked, instead of decoding it; default false
 * @property {number} [maxDocumentSize] the most bytes of a document; default 2,147,483,647, the limit of the format
 */

/** @typedef {Omit<import('../decode/options').DecodeOptions, 'index'> & SplitOptions} DocumentsOptions */

/** @typedef {typeof import('./functions')} Functions */

/** @type {Functions | undefined} */
let loaded

/** @returns {Functions} */
function load() {
  return (loaded ??= require('./functions'))
}

/**
 * Iterates over the documents of a buffer.
 *
 * @template [T=any] what each document is taken to be; it is not checked
 * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} bytes
 * @param {DocumentsOptions} [options]
 * @returns {Generator<T, void, void>} decodes each document on request
 * @throws {BSONError} with `offset` in `bytes` and `document`, its number from 1; also for a document cut short
 */
function documents(bytes, options) {
  return load().documents(bytes, options)
}

/**
 * Every document of a stream: a Node or web stream, or any (async) iterable of chunks of bytes. Chunks may end
 * anywhere. A document that spans chunks is copied once. All others are decoded in place, so a chunk's memory must not
 * be written to again.
 *
 * @template [T=any] what each document is taken to be; it is not checked
 * @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array> | ReadableStream<Uint8Array>} source
 * @param {DocumentsOptions} [options]
 * @returns {AsyncGenerator<T, void, void>}
 * @throws {BSONError} with `offset` from the start of the stream and `document`, its number from 1; also when the
 *   stream ends inside a document
 */
function documentStream(source, options) {
  return load().documentStream(source, options)
}

/**
 * A Node Transform: bytes in, documents out. No document is decoded before there is room for it: at most 16 wait, the
 * highWaterMark of the readable side.
 *
 * @param {DocumentsOptions} [options]
 * @returns {import('node:stream').Transform} its readable side is in object mode
 */
function createDecodeStream(options) {
  return load().createDecodeStream(options)
}

/**
 * A Node Transform: documents in, bytes out.
 *
 * @param {import('../encode/options').EncodeOptions} [options]
 * @returns {import('node:stream').Transform} its writable side is in object mode
 */
function createEncodeStream(options) {
  return load().createEncodeStream(options)
}

module.exports = { documents, documentStream, createDecodeStream, createEncodeStream }
