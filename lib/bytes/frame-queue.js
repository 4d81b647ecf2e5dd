'use strict'

// Splits a stream of chunks into frames that begin with their own length: documents, or messages of the wire protocol.
// A frame inside one chunk is a view of it. A frame that spans several chunks is assembled once its last chunk has
// arrived, so that memory use depends on the bytes received, not on a claimed length.

const { BSONError } = require('../errors')
const { BufferView, allocate, toBytes } = require('./memory')

/**
 * Chunks smaller than this, in bytes, are copied together while others wait: a view of one byte would take 100 bytes.
 */
const SMALL_CHUNK = 512

/** Small chunks are copied into a block as large as the waiting bytes, within these bounds. */
const MIN_BLOCK = 1024
const MAX_BLOCK = 65536

/**
 * Waiting bytes: one chunk, or several small ones.
 *
 * @typedef {object} Block
 * @property {Uint8Array} bytes
 * @property {number} end offset after the last byte received; small chunks are appended while there is room
 * @property {Block | null} next
 */

class FrameQueue {
  /**
   * @param {number} headerSize size of the length and everything needed to check it
   * @param {(buf: Uint8Array, offset: number) => number} lengthOf reads the length of a frame, in bytes, including its
   *   header; throws if no frame can have it. Every later call then throws the same error, because no frame can be
   *   found after a wrong length
   */
  constructor(headerSize, lengthOf) {
    this.headerSize = headerSize
    this.lengthOf = lengthOf
    /** @type {unknown} */
    this.failure = undefined
    this.release()
  }

  /** Drops all bytes. */
  release() {
    /** @type {Block | null} */
    this.head = null
    /** @type {Block | null} */
    this.tail = null
    /** Offset in the first block. */
    this.position = 0
    /** Number of waiting bytes. */
    this.size = 0
    /** Length of the next frame, in bytes; 0 until its header has arrived. */
    this.needed = 0
  }

  /**
   * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} chunk must not be modified afterwards
   * @throws {import('../errors').BSONError} when it is not made of bytes; also what `lengthOf` threw
   */
  write(chunk) {
    if (this.failure !== undefined) throw this.failure
    const bytes = toBytes(chunk)
    if (bytes.length === 0) return
    if (this.tail === null || bytes.length >= SMALL_CHUNK) this.append({ bytes, end: bytes.length, next: null })
    else this.gather(bytes, this.tail)
    this.size += bytes.length
  }

  /** @param {Block} block */
  append(block) {
    if (this.tail === null) this.head = block
    else this.tail.next = block
    this.tail = block
  }

  /** @param {Uint8Array} bytes few @param {Block} tail */
  gather(bytes, tail) {
    if (tail.bytes.length - tail.end < bytes.length) {
      tail = { bytes: allocate(Math.min(Math.max(this.size, MIN_BLOCK), MAX_BLOCK)), end: 0, next: null }
      this.append(tail)
    }
    tail.bytes.set(bytes, tail.end)
    tail.end += bytes.length
  }

  /**
   * @returns {Uint8Array | null} the next complete frame, a Buffer on Node; null if more chunks are needed
   * @throws what `lengthOf` threw; all bytes are dropped then
   */
  read() {
    if (this.failure !== undefined) throw this.failure
    if (this.needed === 0) {
      if (this.size < this.headerSize) return null
      this.needed = this.readLength(/** @type {Block} */ (this.head))
    }
    if (this.size < this.needed) return null
    const frame = this.take(this.needed)
    this.needed = 0
    return frame
  }

  readLength(head) {
    const isWhole = head.end - this.position >= this.headerSize
    try {
      return isWhole ? this.lengthOf(bytesOf(head), this.position) : this.lengthOf(this.copy(this.headerSize), 0)
    } catch (error) {
      this.release()
      this.failure = error
      throw error
    }
  }

  /** @param {number} length */
  take(length) {
    const head = /** @type {Block} */ (this.head)
    const { end } = head
    const bytes = bytesOf(head)
    const start = this.position
    let frame = bytes
    if (end - start < length) frame = this.copy(length)
    else if (length < bytes.length) frame = new BufferView(bytes.buffer, bytes.byteOffset + start, length)
    this.skip(length)
    return frame
  }

  /** Copies bytes that span blocks. @param {number} length */
  copy(length) {
    const copy = allocate(length)
    let filled = 0
    let start = this.position
    for (let block = this.head; filled < length; block = block.next, start = 0) {
      const part = bytesOf(block).subarray(start, Math.min(block.end, start + length - filled))
      copy.set(part, filled)
      filled += part.length
    }
    return copy
  }

  /** @param {number} length */
  skip(length) {
    this.size -= length
    this.position += length
    while (this.head !== null && this.position >= this.head.end) {
      this.position -= this.head.end
      this.head = this.head.next
    }
    if (this.head === null) this.tail = null
  }
}

/** @param {Block} block @returns {Uint8Array} @throws {BSONError} when they are no longer there */
function bytesOf({ bytes, end }) {
  if (bytes.length < end) throw new BSONError('the ArrayBuffer of a chunk is detached or has shrunk')
  return bytes
}

module.exports = { FrameQueue }
