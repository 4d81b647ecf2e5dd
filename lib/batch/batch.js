'use strict'

const { atPlace } = require('../errors')
const { BufferView, getInt32, isUint8Array } = require('../bytes')
const { ownFields } = require('../properties')
const { refusal, wholeNumber } = require('../options')

/**
 * What a Namespace of a dump says.
 *
 * @typedef {Record<'db' | 'collection' | 'name', string> & {fault: Error | undefined} &
 *   Record<'type' | 'metadata' | 'metadataFault' | 'file', string | undefined>} Collection
 */

/**
 * Complete documents of a collection, one after another, or bytes between such documents that hold none.
 *
 * The only place that adds the number of a document, its offset, its collection and its file to an error.
 */
class Batch {
  /**
   * @param {Uint8Array} bytes
   * @param {object} origin
   * @param {Collection | null} [origin.namespace] null in text
   * @param {string} [origin.from] names the file and the collection in messages: empty where the input has only one
   * @param {number} [origin.offset] bytes before it in the uncompressed file
   * @param {number} [origin.document] documents of the namespace before it
   * @param {number} [origin.count] documents in it
   * @param {import('../errors').BSONError} [origin.error] why the bytes hold no document
   * @param {number[]} [origin.places] the number and the offset of each document, where they
   *   are not neighbours in the file
   */
  constructor(bytes, origin) {
    const { namespace = null, from = '', offset = 0, document = 0, count = 0, error, places } = ownFields(origin)
    if (!isUint8Array(bytes)) throw refusal('bytes', bytes, 'a Uint8Array')
    this.bytes = bytes
    this.namespace = namespace
    this.from = from
    this.offset = wholeNumber(offset, 'offset')
    this.document = wholeNumber(document, 'document')
    this.count = wholeNumber(count, 'count')
    this.error = error
    this.places = places
  }

  /** @returns {Generator<Uint8Array, void>} each document, as a view */
  *[Symbol.iterator]() {
    const { bytes } = this
    for (let pos = 0, left = this.count; left > 0 && pos < bytes.length; left--) {
      const size = getInt32(bytes, pos)
      yield new BufferView(bytes.buffer, bytes.byteOffset + pos, size)
      pos += size
    }
  }

  /** @param {number} index of a document @returns {number} its number in the file */
  numberOf(index) {
    return this.places === undefined ? this.document + index + 1 : this.places[2 * index]
  }

  /** @param {number} pos of a document in `bytes` @param {number} index @returns {number} its offset in the file */
  offsetOf(pos, index) {
    return this.places === undefined ? this.offset + pos : this.places[2 * index + 1]
  }

  /**
   * Adds the place to an error about one of the documents.
   *
   * @template E
   * @param {E} error its offset, if any, is relative to the document
   * @param {number} pos where the document starts in `bytes`
   * @param {number} index documents of the batch before it
   * @returns {E}
   */
  place(error, pos, index) {
    return atPlace(error, { offset: this.offsetOf(pos, index), document: this.numberOf(index), file: this.from })
  }
}

module.exports = { Batch }
