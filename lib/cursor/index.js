'use strict'

// Reads cursors of the official MongoDB driver without making objects: with `raw: true`, the driver returns the bytes
// of its replies.

const { BSONError } = require('../errors')
const { closing, failureOf } = require('../iterators')
const { CursorReader } = require('./reader')
const { ChunkReader } = require('./chunks')

/**
 * @typedef {import('./reader').Cursor} Cursor
 * @typedef {import('./reader').BatchesOptions} BatchesOptions
 * @typedef {import('./batch').Batch} Batch
 *
 * @typedef {object} StreamBatchOption
 * @property {number} [batchSize] documents to request from the server at once; default 200
 *
 * @typedef {import('../json/options').ListOptions} ListOptions
 * @typedef {Omit<BatchesOptions, 'batchSize'> & StreamBatchOption & ListOptions} StreamOptions
 */

/**
 * The batches of a cursor, each fetched on request.
 *
 * Leaving the loop, or throwing in it, closes the cursor. Nothing else may read the cursor meanwhile.
 *
 * @param {Cursor} cursor of the driver, 6 or later, made with `raw: true`
 * @param {BatchesOptions} [options]
 * @returns {AsyncGenerator<Batch, void, void>}
 * @throws {BSONError} when it is not a cursor, returns objects, or was read or closed elsewhere
 * @throws {Error} the driver's errors, unchanged; the signal's reason
 */
function batches(cursor, options) {
  const reader = new CursorReader(cursor, options)
  return closing(iterate(reader), () => reader.close())
}

async function* iterate(reader) {
  for (let batch = await reader.next(); batch !== null; batch = await reader.next()) yield batch
}

/**
 * A cursor's documents as one JSON array, in UTF-8: the body of a `Response`. The first read of the stream sends the
 * query, and the next batch is requested when the last one has been read. On an error of the server or in a document,
 * the stream fails without the closing bracket. If the reader cancels, the cursor is closed.
 *
 * @param {Cursor} cursor of the driver, 6 or later, made with `raw: true`
 * @param {StreamOptions} [options]
 * @returns {ReadableStream<Uint8Array>}
 * @throws {BSONError} when it is not a cursor
 */
function jsonArray(cursor, options) {
  return webStream(new ChunkReader(cursor, options, 'jsonArray'))
}

/**
 * Like `jsonArray`, but each document on its own line; with `indent` on several.
 *
 * @param {Cursor} cursor
 * @param {StreamOptions} [options]
 * @returns {ReadableStream<Uint8Array>}
 */
function jsonLines(cursor, options) {
  return webStream(new ChunkReader(cursor, options, 'jsonLines'))
}

/**
 * Like `jsonArray`, but a Node stream, for `pipeline(stream, response)`.
 *
 * @param {Cursor} cursor
 * @param {StreamOptions} [options]
 * @returns {import('node:stream').Readable}
 */
function jsonArrayReadable(cursor, options) {
  return nodeStream(new ChunkReader(cursor, options, 'jsonArrayReadable'))
}

/**
 * Like `jsonLines`, but a Node stream.
 *
 * @param {Cursor} cursor
 * @param {StreamOptions} [options]
 * @returns {import('node:stream').Readable}
 */
function jsonLinesReadable(cursor, options) {
  return nodeStream(new ChunkReader(cursor, options, 'jsonLinesReadable'))
}

function webStream(chunks) {
  return new ReadableStream({
    start(controller) {
      chunks.fail = reason => controller.error(reason)
    },
    async pull(controller) {
      const chunk = await chunks.read()
      if (chunk !== null) return controller.enqueue(chunk)
      chunks.close()
      controller.close()
    },
    cancel: () => chunks.close()
  }, { highWaterMark: 0 }) // sends no request before the first read
}

/** @param {ChunkReader} chunks @returns {import('node:stream').Readable} @throws {BSONError} without Node streams */
function nodeStream(chunks) {
  const builtin = typeof process === 'object' && process.getBuiltinModule
  if (!builtin) throw new BSONError('Readable streams need Node.js 20.16 or later: use Readable.fromWeb(jsonArray(cursor))')
  const { Readable } = builtin('node:stream')
  return new Readable({
    read() {
      const fail = error => this.destroy(failureOf(error))
      chunks.fail = fail // from now on: before, nobody may be listening for errors
      chunks.read().then(chunk => this.push(chunk), fail)
    },
    destroy(error, callback) {
      chunks.close().then(() => callback(error))
    }
  })
}

module.exports = { batches, jsonArray, jsonLines, jsonArrayReadable, jsonLinesReadable }
