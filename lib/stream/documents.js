'use strict'

// Documents that follow one another without anything between them: dump files (mongodump's .bson), oplog archives,
// sockets and pipes. Each document begins with its own length, so they can be split without being decoded.
//
// Most programs have none, so what is behind these functions is loaded when one of them is called first.

/**
 * Options of `decode`, and:
 *
 * @typedef {import('../decode/decode').DecodeOptions & {
 *   bytes?: boolean,
 *   maxDocumentSize?: number
 * }} DocumentsOptions `bytes`: give each document's bytes, unchecked, instead of decoding it (default false);
 *   `maxDocumentSize`: bytes a document may have (default 2 147 483 647, what the format can say)
 */

/** @typedef {typeof import('./functions')} Functions */

/** @type {Functions | undefined} */
let loaded

/** @returns {Functions} */
function late() {
  return (loaded ??= require('./functions'))
}

/**
 * Every document of a buffer, one after the other.
 *
 * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} bytes
 * @param {DocumentsOptions} [options]
 * @returns {Generator<any, void, void>} decodes each document when it is asked for
 * @throws {BSONError} with `offset` in `bytes` and `document`, its number from 1; also for a document cut short
 */
function documents(bytes, options) {
  return late().documents(bytes, options)
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
function documentStream(source, options) {
  return late().documentStream(source, options)
}

/**
 * A Node Transform: bytes in, documents out. No document is decoded before there is room for it: as many wait as the
 * readable side's highWaterMark says, 16.
 *
 * @param {DocumentsOptions} [options]
 * @returns {import('node:stream').Transform} its readable side is in object mode
 */
function createDecodeStream(options) {
  return late().createDecodeStream(options)
}

/**
 * A Node Transform: documents in, bytes out.
 *
 * @param {import('../encode/options').EncodeOptions} [options]
 * @returns {import('node:stream').Transform} its writable side is in object mode
 */
function createEncodeStream(options) {
  return late().createEncodeStream(options)
}

module.exports = { documents, documentStream, createDecodeStream, createEncodeStream }
