'use strict'

// Cursors of the official MongoDB driver without objects: with `raw: true` it hands on the bytes of its replies.

const { BSONError } = require('../errors')
const { CursorReader } = require('./reader')
const { ChunkReader } = require('./chunks')

/**
 * @typedef {import('./reader').Cursor} Cursor
 * @typedef {import('./reader').BatchesOptions} BatchesOptions
 * @typedef {import('./batch').Batch} Batch
 * @typedef {BatchesOptions & import('../json/options').ListOptions} StreamOptions `batchSize`: default 200
 */

/**
 * The batches of a cursor, each when it is asked for.
 *
 * When the loop is left, or throws, the cursor is closed. Nobody else may read it meanwhile.
 *
 * @param {Cursor} cursor of the driver, 6 or later, made with `raw: true`
 * @param {BatchesOptions} [options]
 * @returns {AsyncGenerator<Batch, void, void>}
 * @throws {BSONError} when it is no cursor, gives objects, or was read or closed elsewhere
 * @throws {Error} the driver's errors as they are; the signal's reason
 */
function batches(cursor, options) {
  return iterate(new CursorReader(cursor, options))
}

/** @param {CursorReader} reader */
async function* iterate(reader) {
  try {
    for (let batch = await reader.next(); batch !== null; batch = await reader.next()) yield batch
  } finally {
    await reader.close()
  }
}

/**
 * A cursor's documents as one JSON array, in UTF-8: the body of a `Response`. The query is sent when the stream is
 * read first, and the next batch is asked for when the one before has been read. On an error, the server's or that of a
 * broken document, the stream fails, without the closing bracket. When its reader goes away the cursor is closed.
 *
 * @param {Cursor} cursor of the driver, 6 or later, made with `raw: true`
 * @param {StreamOptions} [options]
 * @returns {ReadableStream<Uint8Array>}
 * @throws {BSONError} when it is no cursor
 */
function jsonArray(cursor, options) {
  return webStream(new ChunkReader(cursor, options, true))
}

/**
 * As `jsonArray`, each document on a line of its own.
 *
 * @param {Cursor} cursor
 * @param {StreamOptions} [options]
 * @returns {ReadableStream<Uint8Array>}
 */
function jsonLines(cursor, options) {
  return webStream(new ChunkReader(cursor, options, false))
}

/**
 * As `jsonArray`, a stream of Node, for `pipeline(stream, response)`.
 *
 * @param {Cursor} cursor
 * @param {StreamOptions} [options]
 * @returns {import('node:stream').Readable}
 */
function jsonArrayReadable(cursor, options) {
  return nodeStream(new ChunkReader(cursor, options, true))
}

/**
 * As `jsonLines`, a stream of Node.
 *
 * @param {Cursor} cursor
 * @param {StreamOptions} [options]
 * @returns {import('node:stream').Readable}
 */
function jsonLinesReadable(cursor, options) {
  return nodeStream(new ChunkReader(cursor, options, false))
}

/** @param {ChunkReader} chunks @returns {ReadableStream<Uint8Array>} */
function webStream(chunks) {
  return new ReadableStream({
    async pull(controller) {
      const chunk = await chunks.read()
      if (chunk === null) controller.close()
      else controller.enqueue(chunk)
    },
    cancel: () => chunks.close()
  }, { highWaterMark: 0 }) // nothing is asked of the server before somebody reads
}

/** @param {ChunkReader} chunks @returns {import('node:stream').Readable} @throws {BSONError} where there is none */
function nodeStream(chunks) {
  const builtin = typeof process === 'object' && process.getBuiltinModule
  if (!builtin) throw new BSONError('Readable streams need Node.js 20.16 or later: use Readable.fromWeb(jsonArray(cursor))')
  const { Readable } = builtin('node:stream')
  return new Readable({
    read() {
      chunks.read().then(chunk => this.push(chunk), error => this.destroy(error))
    },
    destroy(error, callback) {
      chunks.close().then(() => callback(error))
    }
  })
}

module.exports = { batches, jsonArray, jsonLines, jsonArrayReadable, jsonLinesReadable }
