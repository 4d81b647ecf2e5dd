'use strict'

// Chunks of a stream -> runs of whole documents, without a copy of those that are complete in a chunk.

const { refusal } = require('../../options')
const { MIN_DOCUMENT_SIZE } = require('../../spec')
const { getInt32, toBytes, isMemory } = require('../../bytes')
const { chunksOf, DocumentSplitter } = require('../../batch')
const { whereOf } = require('./documents')

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
 * @property {(document: number, offset: number) => Where} place converts a number and an offset in the stream to the
 *   place for messages
 * @property {number} [source] bytes of the documents whose items these are
 */

class RunSplitter extends DocumentSplitter {
  /**
   * @param {Uint8Array | ArrayBufferLike | ArrayBufferView} chunk not to be changed afterwards
   * @returns {Generator<Run, void, void>}
   * @throws {import('../../errors').BSONError} on an impossible document length, after the documents before it
   */
  *runs(chunk) {
    const bytes = toBytes(chunk)
    const { length } = bytes
    let pos = 0
    while (this.frames.size > 0 && pos < length) {
      const missing = (this.frames.needed || HEADER_SIZE) - this.frames.size
      const completed = this.push(bytes.subarray(pos, pos + missing))
      for (const document of completed) yield this.run(document, 0, document.length)
      pos += Math.min(missing, length - pos)
    }
    const end = this.endOfRun(bytes, pos)
    if (end > pos) yield this.run(bytes, pos, end)
    if (end < length) this.push(bytes.subarray(end)).next() // no document, or an error
  }

  /** @returns {number} the offset after the documents that are complete, before any with an impossible length */
  endOfRun(bytes, start) {
    const { length } = bytes
    let pos = start
    while (length - pos >= HEADER_SIZE) {
      const size = getInt32(bytes, pos)
      if (size < MIN_DOCUMENT_SIZE || size > this.maxDocumentSize || size > length - pos) break
      pos += size
      this.next += size
      this.count++
    }
    return pos
  }

  run(bytes, start, end) {
    return { bytes, start, end, base: this.next - end, place: whereOf }
  }
}

/** The bytes, if they are all in memory. @returns {Uint8Array[] | null} null when they arrive in pieces */
function piecesOf(source) {
  if (isMemory(source)) return [toBytes(source)]
  if (Array.isArray(source)) return source.map(bytesOf)
  return typeof source?.raw === 'function' ? source.raw().map(bytesOf) : null
}

/** @returns {Uint8Array} */
function bytesOf(piece) {
  if (isMemory(piece)) return toBytes(piece)
  throw refusal('the source', piece, 'bytes as encode returns them, a batch of a cursor, or a stream or an iterable of these')
}

/** The most bytes of documents to hold until their types are inferred; the chunk that exceeds them is the last one. */
const SAMPLE_SIZE = 64 * 1024 * 1024

/** The runs of a stream. */
class Runs {
  /** @throws {BSONError} when it is not a stream */
  constructor(source, options) {
    this.chunks = chunksOf(source)
    this.splitter = new RunSplitter(options)
    /** Those of the last chunk, or of the sample, that `next` has not returned. @type {Iterator<Run, void>} */
    this.waiting = [].values()
    /** Whether the stream has ended, and the error that ended it, if any. */
    this.isOver = false
    this.failure = undefined
  }

  /** The runs of the first documents, which `next` returns again. */
  async sample(count) {
    const runs = []
    while (!this.isOver && this.splitter.count < count && this.splitter.next < SAMPLE_SIZE) {
      await this.read()
      for (let run = this.take(); run !== null; run = this.take()) runs.push(run)
    }
    this.waiting = runs.values()
    return runs
  }

  /** @returns {Promise<Run | null>} null at the end, and once they are closed */
  async next() {
    let run = this.take()
    while (run === null && !this.isOver) {
      await this.read()
      run = this.take()
    }
    return this.chunks.isClosed ? null : run
  }

  /** @returns {Run | null} the next one that needs no further chunk */
  take() {
    try {
      return this.waiting.next().value || null
    } catch (error) {
      return this.fail(error)
    }
  }

  /** Reads the next chunk. */
  async read() {
    try {
      const { done, value } = await this.chunks.next()
      this.isOver = Boolean(done)
      if (done) this.splitter.end()
      else this.waiting = this.split(value)
    } catch (error) {
      this.fail(error)
    }
  }

  *split(chunk) {
    for (const piece of piecesOf(chunk) ?? [bytesOf(chunk)]) yield* this.splitter.runs(piece)
  }

  fail(error) {
    this.isOver = true
    this.failure = error
    return null
  }

  async close() {
    await this.chunks.return()
  }
}

module.exports = { RunSplitter, Runs, piecesOf }
