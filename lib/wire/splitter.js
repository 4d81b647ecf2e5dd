'use strict'

// A socket's chunks -> whole messages.

const { FrameQueue } = require('../bytes')
const { wireError } = require('./errors')
const { checkLimits } = require('./limits')
const { decodeHeader, checkLength } = require('./header')
const { HEADER_SIZE } = require('./opcodes')

/**
 * @typedef {object} SplitterOptions
 * @property {number} [maxMessageSizeBytes] a message that says it is longer is an error; default 48,000,000
 */

class MessageSplitter {
  /** @param {SplitterOptions} [options] @throws {import('../errors').BSONError} on a limit that is none */
  constructor(options) {
    this.maxMessageSizeBytes = checkLimits(options).message
    this.frames = new FrameQueue(HEADER_SIZE, (buf, offset) => {
      const header = decodeHeader(buf, offset)
      checkLength(header, this.maxMessageSizeBytes)
      return header.length
    })
  }

  /** @returns {number} bytes held: those of messages not read yet, and of one that is not complete */
  get pendingBytes() {
    return this.frames.size
  }

  /**
   * @param {Uint8Array} chunk not to be changed afterwards: messages that lie in it whole are views on it
   * @throws {import('../errors').BSONError} when it holds no bytes; also the WireError that `read` threw, if it did
   */
  write(chunk) {
    this.frames.write(chunk)
  }

  /**
   * @returns {Uint8Array | null} the next message, whole, header and all; null when more chunks are needed
   * @throws {import('./errors').WireError} on a length that cannot be: everything held is let go then, and nothing can
   *   be read any more, for where one length lies no later message can be found
   */
  read() {
    return this.frames.read()
  }

  /** Reads what can be read: `for (const message of splitter)`. One that is broken off loses nothing. */
  *[Symbol.iterator]() {
    for (let message = this.read(); message !== null; message = this.read()) yield message
  }

  /** The connection has ended. @throws {import('./errors').WireError} when that was in the middle of a message */
  end() {
    const bytes = this.pendingBytes
    this.release()
    if (bytes > 0) throw wireError(null, `the connection ended after ${bytes} bytes of a message`, bytes)
  }

  /** Lets go of everything held. */
  release() {
    this.frames.release()
  }
}

module.exports = { MessageSplitter }
