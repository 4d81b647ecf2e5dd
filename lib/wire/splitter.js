'use strict'

// A socket's chunks -> whole messages. A message that lies in one chunk is a view on it; one that spans several is
// put together in memory of its own, made once, when its length is known: no byte is copied twice, but those of a
// header that is itself cut in two.

const { getInt32, allocate } = require('../bytes')
const { wireError } = require('./errors')
const { HEADER_SIZE, MAX_MESSAGE_SIZE } = require('./opcodes')

/**
 * @typedef {object} SplitterOptions
 * @property {number} [maxMessageSizeBytes] a message that says it is longer is an error; default 48,000,000
 */

class MessageSplitter {
  /** @param {SplitterOptions} [options] */
  constructor({ maxMessageSizeBytes = MAX_MESSAGE_SIZE } = {}) {
    this.maxMessageSizeBytes = maxMessageSizeBytes
    /** @type {Uint8Array[]} chunks with bytes not yet given out; the first of them from `position` on */
    this.chunks = []
    this.position = 0
    /** @type {Uint8Array | null} a message, or a header, that is being put together; `filled` bytes of it are there */
    this.target = null
    this.filled = 0
    /** @type {Error | null} why nothing can be read any more: where one length lies, no later message can be found */
    this.failure = null
  }

  /** @returns {number} bytes held: those of messages not read yet, and of one that is not complete */
  get pendingBytes() {
    let bytes = this.filled - this.position
    for (const chunk of this.chunks) bytes += chunk.length
    return bytes
  }

  /**
   * @param {Uint8Array} chunk not copied and not to be changed afterwards
   * @throws {import('./errors').WireError} the one that `read` threw, if it did
   */
  write(chunk) {
    if (this.failure !== null) throw this.failure
    if (chunk.length > 0) this.chunks.push(chunk)
  }

  /**
   * @returns {Uint8Array | null} the next message, whole, header and all; null when more chunks are needed
   * @throws {import('./errors').WireError} on a length that cannot be; everything held is let go then
   */
  read() {
    if (this.failure !== null) throw this.failure
    while (this.chunks.length > 0) {
      const message = this.target === null ? this.take() : this.fill(this.target)
      if (message !== null) return message
    }
    return null
  }

  /** Reads what can be read: `for (const message of splitter)`. One that is broken off loses nothing. */
  *[Symbol.iterator]() {
    for (let message = this.read(); message !== null; message = this.read()) yield message
  }

  /**
   * The connection has ended.
   *
   * @throws {import('./errors').WireError} when that was in the middle of a message
   */
  end() {
    const bytes = this.pendingBytes
    this.release()
    if (bytes > 0) throw wireError(null, `the connection ended after ${bytes} bytes of a message`, bytes)
  }

  /** Lets go of everything held. */
  release() {
    this.chunks = []
    this.position = 0
    this.target = null
    this.filled = 0
  }

  /** At the start of a message: a view, if the first chunk holds all of it; else begins to put it together. */
  take() {
    const chunk = this.chunks[0]
    const start = this.position
    const available = chunk.length - start
    if (available < HEADER_SIZE) return this.gather(HEADER_SIZE)
    const length = this.checkLength(chunk, start)
    if (available < length) return this.gather(length)
    this.advance(length)
    return available === length && start === 0 ? chunk : chunk.subarray(start, start + length)
  }

  gather(size) {
    this.target = allocate(size)
    this.filled = 0
    return null
  }

  /** Moves bytes into `target`; a header that is full is replaced by the message it begins. */
  fill(target) {
    const chunk = this.chunks[0]
    const count = Math.min(target.length - this.filled, chunk.length - this.position)
    target.set(chunk.subarray(this.position, this.position + count), this.filled)
    this.filled += count
    this.advance(count)
    if (this.filled < target.length) return null
    if (target.length > HEADER_SIZE) return this.complete(target)
    return this.fillBody(target, this.checkLength(target, 0))
  }

  fillBody(header, length) {
    if (length === HEADER_SIZE) return this.complete(header)
    this.gather(length)
    this.target.set(header)
    this.filled = HEADER_SIZE
    return null
  }

  complete(message) {
    this.target = null
    this.filled = 0
    return message
  }

  advance(count) {
    this.position += count
    if (this.position < this.chunks[0].length) return
    this.chunks.shift()
    this.position = 0
  }

  checkLength(buf, offset) {
    const length = getInt32(buf, offset)
    if (length >= HEADER_SIZE && length <= this.maxMessageSizeBytes) return length
    const header = {
      length,
      requestId: getInt32(buf, offset + 4),
      responseTo: getInt32(buf, offset + 8),
      opCode: getInt32(buf, offset + 12)
    }
    this.release()
    this.failure = wireError(header, `length ${length} is not between 16 and ${this.maxMessageSizeBytes}`, 0)
    throw this.failure
  }
}

module.exports = { MessageSplitter }
