'use strict'

// The bytes of a stream that have arrived but have not been read yet, in one piece.

const { allocate } = require('../bytes')

/** Size of the memory that collects chunks, in bytes; blocks of documents are views on it. */
const WINDOW_SIZE = 1 << 18

/** Never writes again to bytes it has returned as a view. */
class Window {
  constructor() {
    this.buf = allocate(0)
    /** The first unread byte. */
    this.start = 0
    this.end = 0
    /** Bytes of the stream before `buf[0]`. */
    this.base = 0
  }

  /** Unread bytes. */
  get size() {
    return this.end - this.start
  }

  /** @returns {Uint8Array} the unread bytes, as a view */
  get bytes() {
    return this.buf.subarray(this.start, this.end)
  }

  /** @returns {number} the position of `start` in the stream */
  get offset() {
    return this.base + this.start
  }

  /** @param {Uint8Array} chunk copied */
  push(chunk) {
    if (this.end + chunk.length > this.buf.length) this.renew(chunk.length)
    this.buf.set(chunk, this.end)
    this.end += chunk.length
  }

  /**
   * Moves the unread bytes to new memory. It doubles each time, because they may start a long document.
   *
   * @param {number} more bytes
   */
  renew(more) {
    const { buf, start, end, size } = this
    const next = allocate(Math.max(WINDOW_SIZE, size + Math.max(size, more)))
    next.set(buf.subarray(start, end))
    this.base += start
    this.buf = next
    this.start = 0
    this.end = size
  }

  /** @param {number} length unread bytes to take @returns {Uint8Array} a view on them, now counted as read */
  take(length) {
    const { buf, start } = this
    this.start = start + length
    return buf.subarray(start, start + length)
  }
}

module.exports = { Window }
