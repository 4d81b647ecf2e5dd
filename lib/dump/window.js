'use strict'

const { allocate } = require('../bytes')

/**
 * The size of the pieces files are read in, in bytes. 1 << 18 takes 0.1 ms longer per megabyte; 1 << 20 no longer fits
 * into a core's cache together with the text made from it.
 */
const READ_SIZE = 1 << 19

/** Size of memory that is reused: room for the start of a document and another piece. */
const REUSED_SIZE = 2 * READ_SIZE

/** A document gets memory for all of it when one part in so many has arrived: a length that is wrong may say 2 GB. */
const BELIEVED = 16

/** Memory for long documents, in relation to the one that needs it: the next may be somewhat longer. */
const MARGIN = 1.25

/** The bytes of a stream that have arrived but have not been read yet, in one piece. */
class Window {
  /** @param {boolean} [reuse] whether bytes that it has returned as a view may be overwritten by later ones */
  constructor(reuse = false) {
    this.reuse = reuse
    this.buf = allocate(0)
    /** Memory for long documents, if it is reused. */
    this.large = this.buf
    /** The first unread byte. */
    this.start = 0
    this.end = 0
    /** The length of the document that begins there, as far as known. */
    this.expected = 0
    /** Bytes of the stream before `buf[0]`. */
    this.base = 0
  }

  /** Drops all bytes, for another stream. @returns {Window} this one, if its memory may be reused */
  forStream() {
    if (!this.reuse) return new Window()
    this.start = this.end = this.base = this.expected = 0
    return this
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

  /** @param {number} length @returns {Uint8Array} memory after the last byte, to be filled and passed to `push` */
  room(length) {
    if (this.end + length > this.buf.length) this.renew(length)
    return this.buf.subarray(this.end, this.end + length)
  }

  /** @param {Uint8Array} chunk copied, unless it begins where `room` does */
  push(chunk) {
    const { buf, end } = this
    const isHere = chunk.buffer === buf.buffer && chunk.byteOffset === buf.byteOffset + end
    if (!isHere) this.room(chunk.length).set(chunk)
    this.end += chunk.length
  }

  /** Moves the unread bytes to the start of the memory, or of other memory. @param {number} more bytes */
  renew(more) {
    const { buf, start, end, size, expected } = this
    const isLong = expected > READ_SIZE && expected <= BELIEVED * size
    const next = this.memoryFor(size, Math.max(more, isLong ? Math.ceil(MARGIN * expected) - size + more : 0))
    next.set(buf.subarray(start, end))
    this.base += start
    this.buf = next
    this.start = 0
    this.end = size
  }

  /** It doubles each time, because the unread bytes may start a long document. @returns {Uint8Array} */
  memoryFor(size, more) {
    if (!this.reuse) return allocate(Math.max(READ_SIZE, size + Math.max(size, more)))
    if (size + more <= REUSED_SIZE) return this.buf.length === REUSED_SIZE ? this.buf : allocate(REUSED_SIZE)
    if (size + more > this.large.length) this.large = allocate(size + Math.max(size, more))
    return this.large
  }

  /** @param {number} length unread bytes to take @returns {Uint8Array} a view on them, now counted as read */
  take(length) {
    const { buf, start } = this
    this.start = start + length
    return buf.subarray(start, start + length)
  }
}

/** The bytes of a file or a stream, in a window that moves over them. */
class ByteSource {
  /**
   * @param {AsyncIterableIterator<Uint8Array> | IterableIterator<Uint8Array>} chunks
   * @param {Window} window
   */
  constructor(chunks, window) {
    this.chunks = chunks
    this.window = window
    this.isOver = false
    /** The error that ended it, once all bytes before it have arrived. @type {any} */
    this.failure = undefined
    /** Bytes that were checked in vain: those of invalid documents, and of what might have been one. */
    this.vain = 0
  }

  /** Reads another chunk. @returns {Promise<boolean>} whether there was one */
  async more() {
    if (this.isOver) return false
    try {
      const { done, value } = await this.chunks.next()
      this.isOver = Boolean(done)
      if (done) return false
      this.window.push(value)
      return true
    } catch (error) {
      this.isOver = true
      this.failure = error
      return false
    }
  }

  /** @param {number} size @returns {Promise<boolean>} whether the window has so many unread bytes */
  async need(size) {
    while (this.window.size < size) if (!(await this.more())) return false
    return true
  }
}

module.exports = { Window, ByteSource, READ_SIZE }
