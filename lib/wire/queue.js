'use strict'

const { copyOf } = require('../bytes')
const { RawDocument } = require('../raw')
const { checkIterable } = require('./message-writer')

/** Documents for as many messages as they need, with one document of lookahead. */
class DocumentQueue {
  /** @param {Iterable<object>} documents @throws {import('../errors').BSONError} when they are not iterable */
  constructor(documents) {
    this.iterator = checkIterable('documents', documents)[Symbol.iterator]()
    /** How many have been written. */
    this.index = 0
    this.isDone = false
  }

  /** Reads the next document; to be called before the first batch. */
  advance() {
    this.isDone = true // if this throws
    const { done, value } = this.iterator.next()
    this.isDone = done === true
    this.next = value
  }

  /** Ends an iterator that has more, or has not begun. */
  close() {
    if (this.isDone) return
    this.isDone = true
    this.iterator.return?.()
  }

  /**
   * Writes as many documents as fit into a message, at least one. The bytes of the first that does not are kept for the
   * next message: every document is encoded once.
   */
  putBatch(writer, name) {
    const first = this.index
    while (!this.isDone && this.index - first < writer.limits.batch) {
      const start = writer.pos
      writer.document(this.next, name, this.index)
      if (!writer.fits()) {
        if (this.index === first) writer.checkLength()
        this.next = new RawDocument(copyOf(writer.out.buf, start, writer.pos))
        writer.pos = start
        return
      }
      this.advance()
      this.index++
    }
  }
}

module.exports = { DocumentQueue }
