'use strict'

// Walks over consecutive documents in memory, checks their lengths and ends, and handles errors.

const { MIN_DOCUMENT_SIZE, MAX_DOCUMENT_SIZE } = require('../../spec')
const { BSONError, errorAtOffset, atPlace } = require('../../errors')
const { locate, quickValidate, validate, adviceFor } = require('../../elements')
const { wrongSize, cutShort } = require('../../batch')

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
    this.place = whereOf
    /** Documents read, and those of them left out. */
    this.count = 0
    this.rejected = 0
  }

  /**
   * Sets the bytes to read, and returns the offset of the first in `buf`. Reuses an existing view of the same memory,
   * because making one takes as long as reading a small document.
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

  /** Reads at most `most` documents that start before `stop`. @returns {number} the offset after the last */
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
    const left = end - pos
    const size = left < 4 ? 0 : this.view.getInt32(pos, true)
    const isWrong = left >= 4 && (size < MIN_DOCUMENT_SIZE || size > this.maxDocumentSize)
    const advice = left < 4 || this.count > 0 ? '' : adviceFor(this.buf, pos, false)
    const error = new BSONError((isWrong ? wrongSize(size, this.maxDocumentSize) : cutShort(left, size)) + advice)
    error.offset = 0
    return this.placed(error, pos, this.count + 1)
  }

  /** @returns {{error: BSONError, bytes: Uint8Array}} the error of a broken document, with its place @throws others */
  broken(error, start, next) {
    if (!(error instanceof BSONError) || error.offset === undefined) throw error
    const bytes = this.buf.subarray(start, next)
    error.offset -= start
    return { error: this.placed(locate(error, bytes, 0), start), bytes }
  }

  /** @param {number} at offset in `buf` @param {number} [document] its number */
  placeOf(at, document = this.count) {
    return this.place(document, this.base + at)
  }

  /** @param {BSONError} error in a document @param {number} start of it in `buf` @param {number} [number] of it */
  placed(error, start, number) {
    return atPlace(error, this.placeOf(start, number))
  }
}

/** @returns {import('./runs').Where} */
function whereOf(document, offset) {
  return { document, offset }
}

/** @throws {BSONError} unless the bytes from `start` to `next` are a valid document */
function checkDocument(buf, start, next) {
  if (!quickValidate(buf, start, next)) validate(buf, { index: start, allowObjectSmallerThanBufferSize: true })
}

module.exports = { Documents, checkDocument, whereOf }
