'use strict'

const { JSON_OPTIONS, kept, onlyOptions } = require('../options')
const { array } = require('../json')
const { CursorReader } = require('./reader')

/**
 * Bytes of documents in one chunk. This limits the memory for text independently of the batch, and lets other requests
 * run between two chunks.
 */
const CHUNK_SIZE = 256 * 1024

/**
 * The default number of documents per reply. By default, the server sends up to 16 MB, from which the driver makes ten
 * times as much garbage. While the driver waits for the next reply, it holds six times the size of the last one; V8
 * sees that as alive and doubles its young generation. On Node 24, a million documents of 235 bytes take 74 MB, with
 * 500 a reply 138 to 160 MB, and with 50 a reply 40 MB (Node 20: always 43 MB). But 50 a reply take two to three times
 * the CPU time.
 */
const BATCH_SIZE = 200

const COMMA = 0x2c
const LINE_FEED = 0x0a

/** @type {Record<string, ReturnType<typeof onlyOptions>>} */
const only = Object.fromEntries(['jsonArray', 'jsonLines', 'jsonArrayReadable', 'jsonLinesReadable'].map(owner => {
  return [owner, onlyOptions(owner, [...JSON_OPTIONS, 'batchSize', 'signal'])]
}))

/** The text of a cursor's documents, chunk by chunk. */
class ChunkReader {
  /** `owner`: the function that was called. Those for arrays write one JSON array, the others a line per document. */
  constructor(cursor, options, owner) {
    const { batchSize, signal, ...jsonOptions } = kept(only[owner](options))
    array([], jsonOptions) // refuses wrong ones at once
    this.reader = new CursorReader(cursor, { batchSize, signal })
    if (batchSize === undefined) limitBatches(cursor)
    this.options = jsonOptions
    this.isArray = owner.startsWith('jsonArray')
    /** @type {import('./batch').Batch | null} */
    this.batch = null
    /** Converted documents of the batch. */
    this.next = 0
    /** The text left to write after the last document. */
    this.closing = this.isArray ? '[]' : ''
    /** Whether all has been read: what happens to the cursor later is no error of the text. */
    this.isOver = false
    /** Fails the stream when the signal aborts, also while nobody reads. @type {(reason: any) => void} */
    this.fail = () => {}
    this.signal = signal
    this.onAbort = () => this.fail(signal.reason)
    signal?.addEventListener('abort', this.onAbort)
  }

  /** @returns {Promise<Uint8Array | null>} null at the end @throws {Error} after closing the cursor */
  async read() {
    if (this.isOver) return null
    try {
      this.batch ??= await this.reader.next()
      return this.batch === null ? this.end() : this.convert(this.take(this.batch))
    } catch (error) {
      this.close()
      throw error
    }
  }

  end() {
    const { closing } = this
    this.closing = ''
    this.isOver = true
    return closing === '' ? null : Uint8Array.from(closing, character => character.charCodeAt(0))
  }

  /**
   * Converts the next documents of the batch, and releases the batch after the last, because it holds the server's
   * reply.
   */
  take(batch) {
    const views = batch.raw()
    const start = this.next
    let end = start
    for (let size = 0; end < views.length && size < CHUNK_SIZE; end++) size += views[end].length
    this.next = end === views.length ? 0 : end
    if (end === views.length) this.batch = null
    return batch.slice(start, end)
  }

  convert(batch) {
    if (!this.isArray) return batch.lines(this.options)
    const chunk = batch.json(this.options)
    if (this.closing !== '[]') chunk[0] = COMMA
    this.closing = chunk[chunk.length - 2] === LINE_FEED ? '\n]' : ']' // `indent` adds a line feed
    return chunk.subarray(0, -this.closing.length)
  }

  /** @returns {Promise<void>} never rejects */
  close() {
    this.signal?.removeEventListener('abort', this.onAbort)
    return this.reader.close()
  }
}

/** Sets the batch size, unless the cursor has started or its kind does not support one. */
function limitBatches(cursor) {
  try {
    cursor.batchSize(BATCH_SIZE)
  } catch {}
}

module.exports = { ChunkReader }
