'use strict'

// The bytes of a stream that have arrived and have not been read yet, in one piece.

const { allocate } = require('../bytes')

/** Bytes of the memory that chunks are gathered in; blocks of documents are views on it. */
const WINDOW_SIZE = 1 << 18

/** What has been handed out as a view is never written to again. */
class Window {
  constructor() {
    this.buf = allocate(0)
    /** The first byte that has not been read. */
    this.start = 0
    this.end = 0
    /** Bytes of the stream before `buf[0]`. */
    this.base = 0
  }

  /** Bytes that wait. */
  get size() {
    return this.end - this.start
  }

  /** @returns {Uint8Array} those that wait, as a view */
  get bytes() {
    return this.buf.subarray(this.start, this.end)
  }

  /** @returns {number} where in the stream `start` is */
  get offset() {
    return this.base + this.start
  }

  /** @param {Uint8Array} chunk is copied */
  push(chunk) {
    if (this.end + chunk.length > this.buf.length) this.renew(chunk.length)
    this.buf.set(chunk, this.end)
    this.end += chunk.length
  }

  /** What waits may be a document of which there will be much more: memory doubles then. @param {number} more bytes */
  renew(more) {
    const { buf, start, end, size } = this
    const next = allocate(Math.max(WINDOW_SIZE, size + Math.max(size, more)))
    next.set(buf.subarray(start, end))
    this.base += start
    this.buf = next
    this.start = 0
    this.end = size
  }

  /** @param {number} length bytes, of those that wait @returns {Uint8Array} a view on them, which are read now */
  take(length) {
    const { buf, start } = this
    this.start = start + length
    return buf.subarray(start, start + length)
  }
}

module.exports = { Window, WINDOW_SIZE }
