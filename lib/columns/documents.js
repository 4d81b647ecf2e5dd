'use strict'

// Walks over consecutive documents in memory, checks their lengths and ends, and handles errors.

const { MIN_DOCUMENT_SIZE, MAX_DOCUMENT_SIZE } = require('../spec')
const { BSONError, errorAtOffset, atPlace } = require('../errors')

/**
 * Walks over documents. The subclass has `readDocument(start, end)`, which reads one, and `leaveOut(error, start,
 * next)`, which throws or undoes what a broken one has added.
 */
class Documents {
  /** @param {number} [maxDocumentSize] bytes */
  constructor(maxDocumentSize = MAX_DOCUMENT_SIZE) {
    this.maxDocumentSize = maxDocumentSize
    /** @type {Uint8Array} */
    this.buf = new Uint8Array(0)
    /** @type {DataView} */
    this.view = new DataView(this.buf.buffer)
    /** Bytes of the stream before `buf`: negative if `buf` starts before the stream. */
    this.base = 0
    /** @type {import('./runs').Run['place']} */
    this.place = null
    /** Documents read, and those of them left out. */
    this.count = 0
    this.rejected = 0
  }

  /**
   * Sets the bytes to read. Reuses an existing view of the same memory, because making one takes as long as reading a
   * small document.
   *
   * @returns {number} the offset in `buf` of the first of its bytes
   */
  enter({ bytes, base, place }) {
    const { buffer, byteOffset } = bytes
    if (buffer !== this.buf.buffer || this.buf.length !== buffer.byteLength) {
      this.buf = new Uint8Array(buffer)
      this.view = new DataView(buffer)
    }
    this.base = base - byteOffset
    this.place = place
    return byteOffset
  }

  /**
   * Reads the documents that start before `stop`.
   *
   * @param {number} start
   * @param {number} stop
   * @param {number} end of the documents
   * @param {number} most documents
   * @returns {number} the offset after the last
   * @throws {BSONError} with offset, path and the number of the document
   */
  readAll(start, stop, end, most) {
    const { view } = this
    let pos = start
    for (let left = most; pos < stop && left > 0; left--) {
      const size = end - pos < MIN_DOCUMENT_SIZE ? 0 : view.getInt32(pos, true)
      if (size < MIN_DOCUMENT_SIZE || size > end - pos || size > this.maxDocumentSize) throw this.noFrame(pos, end)
      const next = pos + size
      this.count++
      try {
        this.readOne(pos, next)
      } catch (error) {
        // @ts-ignore: a method of the subclass
        this.leaveOut(error, pos, next)
      }
      pos = next
    }
    return pos
  }

  readOne(start, next) {
    if (this.buf[next - 1] !== 0) throw errorAtOffset("a document's last byte must be 0x00", next - 1)
    // @ts-ignore: a method of the subclass
    this.readDocument(start, next - 1)
  }

  noFrame(pos, end) {
    const error = new BSONError(this.errorOf(end - pos < 4 ? undefined : this.view.getInt32(pos, true), end - pos))
    error.offset = 0
    return this.placed(error, pos, this.count + 1)
  }

  /** @param {number | undefined} size stated by a document @param {number} left bytes available */
  errorOf(size, left) {
    if (size === undefined) return 'BSON document is cut short: its length is missing'
    if (size < MIN_DOCUMENT_SIZE) return `BSON size must be >= ${MIN_DOCUMENT_SIZE}, is ${size}`
    if (size > this.maxDocumentSize) return `BSON size ${size} is more than maxDocumentSize ${this.maxDocumentSize}`
    return `BSON document is cut short: ${size - left} of its ${size} bytes are missing`
  }

  /** @param {number} at offset in `buf` @param {number} [document] its number */
  placeOf(at, document = this.count) {
    const offset = this.base + at
    return this.place === null ? { document, offset } : this.place(document, offset)
  }

  /**
   * @param {BSONError} error about an offset in a document
   * @param {number} start where the document is in `buf`
   * @param {number} [number] of the document
   */
  placed(error, start, number) {
    return atPlace(error, this.placeOf(start, number))
  }
}

module.exports = { Documents }
