'use strict'

// Documents one after the other in memory: their frames, and what is wrong with one of them.

const { MIN_DOCUMENT_SIZE, MAX_DOCUMENT_SIZE } = require('../spec')
const { BSONError, errorAtOffset, placeInStream } = require('../errors')
const { locate } = require('../decode')

/** Goes through documents; what is made of each is the subclass's. */
class Documents {
  /**
   * @param {((error: BSONError, bytes: Uint8Array) => void) | null} reject gets documents that are broken
   * @param {number} [maxDocumentSize] bytes
   */
  constructor(reject, maxDocumentSize = MAX_DOCUMENT_SIZE) {
    this.reject = reject
    this.maxDocumentSize = maxDocumentSize
    /** @type {Uint8Array} */
    this.buf = new Uint8Array(0)
    /** @type {DataView} */
    this.view = new DataView(this.buf.buffer)
    /** Bytes of the stream before `buf`: negative where that begins before the stream does. */
    this.base = 0
    /** Documents that were read, and of these left out. */
    this.count = 0
    this.rejected = 0
  }

  /**
   * Bytes to be read, in memory of which a view may be there already: to make one takes as long as to read a small
   * document.
   *
   * @param {Uint8Array} bytes
   * @param {number} base bytes of the stream before them
   * @returns {number} the offset in `buf` of the first of them
   */
  enter(bytes, base) {
    const { buffer, byteOffset } = bytes
    if (buffer !== this.buf.buffer || this.buf.length !== buffer.byteLength) {
      this.buf = new Uint8Array(buffer)
      this.view = new DataView(buffer)
    }
    this.base = base - byteOffset
    return byteOffset
  }

  /**
   * Reads the documents that begin before `stop`.
   *
   * @param {number} start
   * @param {number} stop
   * @param {number} end of the documents
   * @param {number} most documents
   * @returns {number} the offset after the last
   * @throws {BSONError} with offset, path and the number of the document
   */
  readAll(start, stop, end, most) {
    const { buf, view } = this
    let pos = start
    for (let left = most; pos < stop && left > 0; left--) {
      const size = end - pos < MIN_DOCUMENT_SIZE ? 0 : view.getInt32(pos, true)
      if (size < MIN_DOCUMENT_SIZE || size > end - pos || size > this.maxDocumentSize) throw this.noFrame(pos, end)
      const next = pos + size
      this.count++
      try {
        if (buf[next - 1] !== 0) throw errorAtOffset("a document's last byte must be 0x00", next - 1)
        this.readDocument(pos, next - 1)
      } catch (error) {
        this.leaveOut(error, pos, next)
      }
      pos = next
    }
    return pos
  }

  /** @param {number} start @param {number} end offset of the closing 0x00 @abstract */
  readDocument(start, end) {
    void [start, end]
  }

  /**
   * Takes back what was read of a document that is broken.
   *
   * @param {BSONError} error
   * @param {Uint8Array} bytes
   * @abstract
   */
  undo(error, bytes) {
    void [error, bytes]
  }

  /** What is broken is left out, if it may be. */
  leaveOut(error, start, end) {
    if (!(error instanceof BSONError) || error.offset === undefined) throw error
    const bytes = this.buf.subarray(start, end)
    error.offset -= start
    const placed = placeInStream(locate(error, bytes, 0), this.base + start, this.count)
    if (this.reject === null) throw placed
    this.rejected++
    this.undo(placed, bytes)
  }

  noFrame(pos, end) {
    const error = new BSONError(this.faultOf(end - pos < 4 ? undefined : this.view.getInt32(pos, true), end - pos))
    error.offset = 0
    return placeInStream(error, this.base + pos, this.count + 1)
  }

  /** @param {number | undefined} size that a document says it has @param {number} left bytes there are */
  faultOf(size, left) {
    if (size === undefined) return 'BSON document is cut short: its length is missing'
    if (size < MIN_DOCUMENT_SIZE) return `BSON size must be >= ${MIN_DOCUMENT_SIZE}, is ${size}`
    if (size > this.maxDocumentSize) return `BSON size ${size} is more than maxDocumentSize ${this.maxDocumentSize}`
    return `BSON document is cut short: ${size - left} of its ${size} bytes are missing`
  }

  /** Where the byte at `at` is. @returns {{document: number, offset: number}} */
  placeOf(at) {
    return { document: this.count, offset: this.base + at }
  }
}

module.exports = { Documents }
