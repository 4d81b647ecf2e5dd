'use strict'

const { ownFields } = require('../properties')
const { CursorReader } = require('./reader')

/**
 * So many bytes of documents become one chunk: the memory that text takes is bounded by it, not by the batch, and other
 * requests have their turn between two chunks.
 */
const CHUNK_SIZE = 256 * 1024

/**
 * Documents a reply, where nothing else is asked for: the server's own choice is up to 16 MB, of which the driver makes
 * ten times as much garbage. While it waits for the next reply it keeps six times the one before; V8 finds that alive,
 * and doubles its young generation. A million documents of 235 bytes took 74 MB on Node 24, with 500 a reply 138 to 160
 * MB, with 50 40 MB (Node 20: always 43); but with 50 twice to three times the processor time.
 */
const BATCH_SIZE = 200

const COMMA = 0x2c
const LINE_FEED = 0x0a

/** The text of a cursor's documents, chunk by chunk. */
class ChunkReader {
  /**
   * @param {any} cursor
   * @param {import('.').StreamOptions | undefined} options
   * @param {boolean} isArray whether it is one JSON array, or a line for each document
   */
  constructor(cursor, options, isArray) {
    const { batchSize, signal, ...jsonOptions } = ownFields(options)
    this.reader = new CursorReader(cursor, { batchSize, signal })
    if (batchSize === undefined) limitBatches(cursor)
    this.options = jsonOptions
    this.isArray = isArray
    /** @type {import('./batch').Batch | null} */
    this.batch = null
    /** How many documents of the batch have been converted. */
    this.next = 0
    /** The text that is still to come when there are no more documents. */
    this.closing = isArray ? '[]' : ''
  }

  /** @returns {Promise<Uint8Array | null>} null at the end @throws {Error} then the cursor is closed */
  async read() {
    this.batch ??= await this.reader.next()
    if (this.batch === null) return this.end()
    try {
      return this.convert(this.take(this.batch))
    } catch (error) {
      this.close()
      throw error
    }
  }

  end() {
    const { closing } = this
    this.closing = ''
    return closing === '' ? null : Uint8Array.from(closing, character => character.charCodeAt(0))
  }

  /** The next documents of the batch, which is given up with the last of them: it keeps the server's reply. */
  take(batch) {
    const views = batch.raw()
    const start = this.next
    let end = start
    for (let size = 0; end < views.length && size < CHUNK_SIZE; end++) size += views[end].length
    this.next = end === views.length ? 0 : end
    if (end === views.length) this.batch = null
    return batch.slice(start, end)
  }

  /** @param {import('./batch').Batch} batch */
  convert(batch) {
    if (!this.isArray) return batch.lines(this.options)
    const chunk = batch.json(this.options)
    if (this.closing !== '[]') chunk[0] = COMMA
    this.closing = chunk[chunk.length - 2] === LINE_FEED ? '\n]' : ']' // with `indent` there is a line feed
    return chunk.subarray(0, -this.closing.length)
  }

  /** @returns {Promise<void>} never rejected */
  close() {
    return this.reader.close()
  }
}

/** One that was begun, or is of a kind that takes no size, stays as it is. */
function limitBatches(cursor) {
  try {
    cursor.batchSize(BATCH_SIZE)
  } catch {}
}

module.exports = { ChunkReader }
