'use strict'

// Chunks of a stream -> runs of whole documents: all complete documents in a chunk form a run, without a copy.

const { refusal } = require('../../options')
const { toBytes, isAnyArrayBuffer } = require('../../bytes')
const { chunksOf, DocumentSplitter } = require('../../batch')

/** The size of the length at the start of a document. */
const HEADER_SIZE = 4

/**
 * @typedef {{document: number, offset: number, file?: string}} Where `document`: its number, from 1
 *
 * @typedef {object} Run
 * @property {Uint8Array} bytes
 * @property {number} start
 * @property {number} end
 * @property {number} base bytes of the stream before `bytes`
 * @property {number} count documents in it
 * @property {((document: number, offset: number) => Where) | null} place converts a number and an offset in the stream
 *   to the place for messages; null: no conversion
 * @property {number} [source] bytes of the documents whose items these are
 */

class RunSplitter extends DocumentSplitter {
  /**
   * @param {Uint8Array | ArrayBufferLike | ArrayBufferView} chunk not to be changed afterwards
   * @throws {import('../../errors').BSONError} on an impossible document length
   */
  *runs(chunk) {
    const bytes = toBytes(chunk)
    const { length } = bytes
    let pos = 0
    while (this.frames.size > 0 && pos < length) {
      const missing = (this.frames.needed || HEADER_SIZE) - this.frames.size
      const completed = this.push(bytes.subarray(pos, pos + missing))
      for (const document of completed) yield this.run(document, 0, document.length, 1)
      pos += Math.min(missing, length - pos)
    }
    const start = pos
    const before = this.count
    while (length - pos >= HEADER_SIZE) {
      const size = this.checkedSize(bytes, pos)
      if (size > length - pos) break
      pos += size
      this.next += size
      this.count++
    }
    if (pos > start) yield this.run(bytes, start, pos, this.count - before)
    if (pos < length) this.push(bytes.subarray(pos)).next() // no document is complete yet
  }

  run(bytes, start, end, count) {
    return { bytes, start, end, base: this.next - end, count, place: null }
  }
}

/** The bytes, if they are all in memory. @returns {Uint8Array[] | null} null when they arrive in pieces */
function piecesOf(source) {
  if (ArrayBuffer.isView(source) || isAnyArrayBuffer(source)) return [toBytes(source)]
  if (Array.isArray(source)) return source.map(bytesOf)
  return typeof source?.raw === 'function' ? source.raw().map(bytesOf) : null
}

/** @returns {Uint8Array} */
function bytesOf(piece) {
  if (ArrayBuffer.isView(piece) || isAnyArrayBuffer(piece)) return toBytes(piece)
  throw refusal('the source', piece, 'bytes, a batch of a cursor, or a stream or an iterable of these')
}

/** The most bytes of documents to hold until their types are inferred; the chunk that exceeds them is the last one. */
const SAMPLE_SIZE = 64 * 1024 * 1024

/** The runs of a stream. */
class Runs {
  /** @throws {BSONError} when it is not a stream */
  constructor(source, options) {
    this.chunks = chunksOf(source)
    this.splitter = new RunSplitter(options)
    /** The runs read so far, and how many of them have been returned. @type {Run[]} */
    this.waiting = []
    this.given = 0
    /** Whether the stream has ended, and the error that ended it, if any. */
    this.isOver = false
    this.failure = undefined
  }

  /** The runs of the first documents, which `next` returns again. */
  async sample(count) {
    while (!this.isOver && this.splitter.count < count && this.splitter.next < SAMPLE_SIZE) await this.read()
    return [...this.waiting]
  }

  /** @returns {Promise<Run | null>} null at the end, and once they are closed */
  async next() {
    while (this.given === this.waiting.length && !this.isOver) {
      this.waiting = []
      this.given = 0
      await this.read()
    }
    return this.chunks.isClosed ? null : this.waiting[this.given++] ?? null
  }

  /** Reads the next chunk. An error is kept until all runs before it have been returned. */
  async read() {
    try {
      const { done, value } = await this.chunks.next()
      this.isOver = Boolean(done)
      if (done) this.splitter.end()
      else this.split(value)
    } catch (error) {
      this.isOver = true
      this.failure = error
    }
  }

  split(chunk) {
    for (const piece of piecesOf(chunk) ?? [bytesOf(chunk)]) this.waiting.push(...this.splitter.runs(piece))
  }

  async close() {
    await this.chunks.return()
  }
}

module.exports = { RunSplitter, Runs, piecesOf }
