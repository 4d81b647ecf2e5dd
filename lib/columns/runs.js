'use strict'

// Chunks of a stream -> runs of whole documents: as much of a chunk as lies in it whole is one, without a copy.

const { BSONError } = require('../errors')
const { getInt32, toBytes, isAnyArrayBuffer } = require('../bytes')
const { chunksOf, DocumentSplitter } = require('../stream')

/** A document's length, in front of it. */
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
 * @property {((document: number, offset: number) => Where) | null} place where what has that number and that offset in
 *   the stream is said to be; null: there
 */

class RunSplitter extends DocumentSplitter {
  /**
   * @param {Uint8Array | ArrayBufferLike | ArrayBufferView} chunk not to be changed afterwards
   * @returns {Generator<Run, void, void>}
   * @throws {import('../errors').BSONError} on a length that no document can have
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
      const size = this.checkedSize(getInt32(bytes, pos))
      if (size > length - pos) break
      pos += size
      this.next += size
      this.count++
    }
    if (pos > start) yield this.run(bytes, start, pos, this.count - before)
    if (pos < length) this.push(bytes.subarray(pos)).next() // none is whole yet
  }

  /** @returns {Run} */
  run(bytes, start, end, count) {
    return { bytes, start, end, base: this.next - end, count, place: null }
  }
}

/** The bytes where they are all there. @returns {Uint8Array[] | null} null when they arrive in pieces */
function piecesOf(source) {
  if (ArrayBuffer.isView(source) || isAnyArrayBuffer(source)) return [toBytes(source)]
  if (Array.isArray(source)) return source.map(bytesOf)
  return typeof source?.raw === 'function' ? source.raw().map(bytesOf) : null
}

/** @returns {Uint8Array} */
function bytesOf(piece) {
  if (ArrayBuffer.isView(piece) || isAnyArrayBuffer(piece)) return toBytes(piece)
  throw new BSONError('the source must be bytes, a batch of a cursor, or a stream or an iterable of these')
}

/** Bytes of documents that wait until their types are inferred, at most; the chunk that goes beyond is the last one. */
const SAMPLE_SIZE = 64 * 1024 * 1024

/** The runs of a stream. */
class Runs {
  /**
   * @param {any} source
   * @param {{maxDocumentSize?: number}} options
   * @throws {BSONError} when it is no stream
   */
  constructor(source, options) {
    const chunks = chunksOf(source)
    this.chunks = chunks[Symbol.asyncIterator]?.() ?? chunks[Symbol.iterator]()
    this.splitter = new RunSplitter(options)
    /** Those that were read, of which so many have been given. @type {Run[]} */
    this.waiting = []
    this.given = 0
    /** Whether the stream has come to its end, and the error that it ended with. */
    this.isOver = false
    this.failure = undefined
  }

  /** The runs of the first documents, which come again. @param {number} count @returns {Promise<Run[]>} */
  async sample(count) {
    while (!this.isOver && this.splitter.count < count && this.splitter.next < SAMPLE_SIZE) await this.read()
    return [...this.waiting]
  }

  /** @returns {Promise<Run | null>} null at the end */
  async next() {
    while (this.given === this.waiting.length && !this.isOver) {
      this.waiting = []
      this.given = 0
      await this.read()
    }
    return this.waiting[this.given++] ?? null
  }

  /** Takes the next chunk. What goes wrong is kept until what came before it has been given. */
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

  /** @param {any} chunk one of whole documents may have a `placeOf(index, offset)`, of what is in it */
  split(chunk) {
    const { splitter, waiting } = this
    const { count, next } = splitter
    const place = typeof chunk?.placeOf === 'function' ? (number, offset) => chunk.placeOf(number - count - 1, offset - next) : null
    for (const piece of piecesIn(chunk)) for (const run of splitter.runs(piece)) waiting.push({ ...run, place })
  }

  async close() {
    await this.chunks.return?.()
  }
}

/** @returns {Uint8Array[]} */
function piecesIn(chunk) {
  return piecesOf(chunk) ?? [bytesOf(chunk)]
}

module.exports = { RunSplitter, Runs, piecesOf }
