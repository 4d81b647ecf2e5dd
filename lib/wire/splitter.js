'use strict'

const { FrameQueue } = require('../bytes')
const { limitsOf } = require('./limits')
const { wireError, decodeHeader, checkLength } = require('./header')
const { HEADER_SIZE } = require('./opcodes')

/**
 * @typedef {object} SplitterOptions
 * @property {number} [maxMessageSizeBytes] longer messages are an error; default 48,000,000
 */

const checkLimits = limitsOf('MessageSplitter')

/** Divides the chunks of a socket into whole messages. */
class MessageSplitter {
  /** @param {SplitterOptions} [options] @throws {import('../errors').BSONError} on an invalid limit */
  constructor(options) {
    this.maxMessageSizeBytes = checkLimits(options).message
    this.frames = new FrameQueue(HEADER_SIZE, (buf, offset) => {
      const header = decodeHeader(buf, offset)
      checkLength(header, this.maxMessageSizeBytes)
      return header.length
    })
  }

  /** @returns {number} bytes held, of messages not read yet and of an incomplete one */
  get pendingBytes() {
    return this.frames.size
  }

  /**
   * @param {Uint8Array} chunk must not be changed afterwards: messages that lie entirely in it are views of it
   * @throws {import('../errors').BSONError} when it is not bytes; also the WireError that `read` threw before, if any
   */
  write(chunk) {
    this.frames.write(chunk)
  }

  /**
   * @returns {Uint8Array | null} the next complete message with its header; null when more chunks are needed
   * @throws {import('./header').WireError} on an impossible length. All bytes held are then dropped and nothing more
   *   can be read, because after a wrong length no later message can be found
   */
  read() {
    return this.frames.read()
  }

  /** Reads all complete messages: `for (const message of splitter)`. Leaving the loop early loses nothing. */
  *[Symbol.iterator]() {
    for (let message = this.read(); message !== null; message = this.read()) yield message
  }

  /** The connection has ended. @throws {import('./header').WireError} if it was in the middle of a message */
  end() {
    const bytes = this.pendingBytes
    this.release()
    if (bytes > 0) throw wireError(null, `the connection ended after ${bytes} bytes of a message`, bytes)
  }

  /** Drops all bytes held. */
  release() {
    this.frames.release()
  }
}

module.exports = { MessageSplitter }
