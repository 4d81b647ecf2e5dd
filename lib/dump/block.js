'use strict'

const { placeInStream } = require('../errors')
const { BufferView, getInt32 } = require('../bytes')

/** Some complete documents of a collection, one after another. */
class Block {
  /**
   * @param {import('./namespace').Namespace} namespace
   * @param {Uint8Array} bytes
   * @param {number} offset bytes before it in the uncompressed file
   * @param {number} document documents of the namespace before it
   * @param {number} count documents in this block
   */
  constructor(namespace, bytes, offset, document, count) {
    this.namespace = namespace
    this.bytes = bytes
    this.offset = offset
    this.document = document
    this.count = count
  }

  /** @returns {Generator<Uint8Array, void>} each document, as a view */
  *[Symbol.iterator]() {
    const { bytes } = this
    for (let pos = 0; pos < bytes.length; ) {
      const size = getInt32(bytes, pos)
      yield new BufferView(bytes.buffer, bytes.byteOffset + pos, size)
      pos += size
    }
  }

  /**
   * Adds the place to an error about one of the documents.
   *
   * @template E
   * @param {E} error
   * @param {number} pos where the document starts in `bytes`
   * @param {number} index documents of the block before it
   * @returns {E}
   */
  place(error, pos, index) {
    return placeInStream(error, this.offset + pos, this.document + index + 1)
  }
}

module.exports = { Block }
