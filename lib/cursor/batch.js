'use strict'

const { placeInStream } = require('../errors')
const { planOf, decodeAt } = require('../decode')
const { RawDocument } = require('../raw')
const { array, lines } = require('../json')

/**
 * @typedef {import('../decode/decode').DecodeOptions} DecodeOptions
 * @typedef {import('../json/options').ListOptions} ListOptions
 */

/**
 * The documents of one reply of the server, as bytes: nothing is decoded before it is asked for.
 *
 * The bytes are views of the reply, up to 48 MB: one that is kept keeps all of it. `Buffer.from(view)` is a copy that
 * does not; what `documents`, `json` and `lines` return holds no view.
 */
class Batch {
  /** @param {Uint8Array[]} views @param {number} first documents of the cursor before these */
  constructor(views, first) {
    /** @private */
    this.views = views
    /** Documents of the cursor before these. @readonly */
    this.first = first
  }

  /** @returns {number} documents */
  get length() {
    return this.views.length
  }

  /** @returns {Uint8Array[]} each document's bytes: views, not to be written to, and not checked */
  raw() {
    return this.views
  }

  /**
   * @param {number} index from 0; of a negative one, from the end
   * @returns {RawDocument | undefined} that document; undefined when there is none
   * @throws {BSONError} when its frame is wrong
   */
  at(index) {
    const i = index < 0 ? index + this.length : index
    return i in this.views ? this.placed(i, () => new RawDocument(this.views[i])) : undefined
  }

  /**
   * @param {DecodeOptions} [options]
   * @returns {any[]} the documents, decoded now
   * @throws {BSONError} with `document`, its number in the cursor from 1, and `offset` in that document
   */
  documents(options) {
    const plan = planOf(options)
    return this.views.map((view, i) => this.placed(i, () => decodeAt(view, 0, false, plan)))
  }

  /**
   * @param {ListOptions} [options]
   * @returns {Uint8Array} a JSON array, in UTF-8
   * @throws {BSONError} as `documents`
   */
  json(options) {
    return this.renumbered(() => array(this.views, options))
  }

  /**
   * @param {ListOptions} [options]
   * @returns {Uint8Array} each document's JSON and a line feed, in UTF-8
   * @throws {BSONError} as `documents`
   */
  lines(options) {
    return this.renumbered(() => lines(this.views, options))
  }

  /** @param {number} start @param {number} [end] @returns {Batch} of the documents between */
  slice(start, end) {
    return new Batch(this.views.slice(start, end), this.first + start)
  }

  /** Work on one document. @template T @param {number} index @param {() => T} work @returns {T} */
  placed(index, work) {
    try {
      return work()
    } catch (error) {
      throw placeInStream(error, 0, this.first + index + 1)
    }
  }

  /** Work on all, whose errors count from the first of these. @template T @param {() => T} work @returns {T} */
  renumbered(work) {
    try {
      return work()
    } catch (error) {
      throw error.document === undefined ? error : placeInStream(error, 0, this.first + error.document)
    }
  }
}

module.exports = { Batch }
