'use strict'

// Splits consecutive documents by their lengths.

const { MIN_DOCUMENT_SIZE, MAX_DOCUMENT_SIZE } = require('../spec')
const { BSONError, atPlace } = require('../errors')
const { limit } = require('../options')
const { getInt32, FrameQueue } = require('../bytes')
const { adviceFor } = require('../elements')

/** The size of the length at the start of a document: int32. */
const HEADER_SIZE = 4

/** The first bytes of a source, which show when it is not BSON. */
const HEAD_SIZE = 100

/** Splits chunks of bytes into documents; reads only their lengths. */
class DocumentSplitter {
  /** @param {{maxDocumentSize?: number}} [options] bytes */
  constructor({ maxDocumentSize } = {}) {
    this.maxDocumentSize = limit(MAX_DOCUMENT_SIZE)(maxDocumentSize, 'maxDocumentSize')
    this.frames = new FrameQueue(HEADER_SIZE, (buf, offset) => this.checkedSize(buf, offset))
    /** Bytes before the last document returned. */
    this.offset = 0
    /** Documents returned. */
    this.count = 0
    /** Where the next document starts. */
    this.next = 0
  }

  /**
   * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} chunk
   * @returns {Generator<Uint8Array, void, void>} the documents that are complete now: views of the chunk if it contains
   *   them whole, otherwise copies
   * @throws {BSONError} on an impossible document length
   */
  *push(chunk) {
    this.frames.write(chunk)
    for (let document = this.frames.read(); document !== null; document = this.frames.read()) {
      this.offset = this.next
      this.next += document.length
      this.count += 1
      yield document
    }
  }

  /** Ends the chunks. @returns {[]} no documents @throws {BSONError} when one is cut short */
  end() {
    const { size, needed } = this.frames
    if (size === 0) return []
    const advice = size < HEADER_SIZE ? '' : this.adviceFor(this.frames.copy(Math.min(size, HEAD_SIZE)), 0)
    throw this.errorHere(cutShort(size, needed) + advice)
  }

  /** Adds the place to an error about the last document returned. @template E @param {E} error @returns {E} */
  place(error) {
    return atPlace(error, { offset: this.offset, document: this.count })
  }

  checkedSize(buf, offset) {
    const size = getInt32(buf, offset)
    if (size >= MIN_DOCUMENT_SIZE && size <= this.maxDocumentSize) return size
    throw this.errorHere(wrongSize(size, this.maxDocumentSize) + this.adviceFor(buf, offset))
  }

  /** What a source that begins with no valid document seems to be. */
  adviceFor(buf, offset) {
    return this.count > 0 ? '' : adviceFor(buf, offset, false)
  }

  errorHere(message) {
    const error = new BSONError(message)
    error.offset = 0
    return atPlace(error, { offset: this.next, document: this.count + 1 })
  }
}

/** @param {number} size an impossible one @param {number} maxDocumentSize @returns {string} the error */
function wrongSize(size, maxDocumentSize) {
  if (size < MIN_DOCUMENT_SIZE) return `BSON size must be >= ${MIN_DOCUMENT_SIZE}, is ${size}`
  return `BSON size ${size} is more than maxDocumentSize ${maxDocumentSize}`
}

/** @param {number} size bytes available @param {number} needed bytes of the document; 0 when unknown */
function cutShort(size, needed) {
  const missing = needed > 0 ? `${needed - size} of its ${needed} bytes are` : 'its length is'
  return `BSON document is cut short: ${missing} missing`
}

module.exports = { DocumentSplitter, wrongSize, cutShort }
