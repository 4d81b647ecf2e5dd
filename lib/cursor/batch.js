'use strict'

const { atPlace } = require('../errors')
const { DECODE_OPTIONS, JSON_OPTIONS, onlyOptions } = require('../options')
const { planOf, decodeAt } = require('../decode')
const { RawDocument } = require('../raw')
const { array, lines } = require('../json')

/**
 * @typedef {import('../decode/decode').DecodeOptions} DecodeOptions
 * @typedef {import('../json/options').ListOptions} ListOptions
 */

const only = {
  documents: onlyOptions('documents of a batch', DECODE_OPTIONS),
  json: onlyOptions('json of a batch', JSON_OPTIONS),
  lines: onlyOptions('lines of a batch', JSON_OPTIONS)
}

/**
 * The documents of one server reply, as bytes: decoded only on request.
 *
 * The bytes are views of the reply, which has up to 48 MB: a view you keep holds on to all of it. `Buffer.from(view)`
 * makes an independent copy. The results of `documents`, `json` and `lines` contain no views.
 */
class Batch {
  /** @param {Uint8Array[]} views @param {number} first documents of the cursor before this batch */
  constructor(views, first) {
    /** @private */
    this.views = views
    /** Documents of the cursor before this batch. @readonly */
    this.first = first
  }

  /** @returns {number} documents */
  get length() {
    return this.views.length
  }

  /** @returns {Uint8Array[]} the bytes of each document, unchecked: views, which must not be written to */
  raw() {
    return this.views
  }

  /**
   * @param {number} index from 0; a negative one counts from the end
   * @returns {RawDocument | undefined} the document, or undefined if the index is out of range
   * @throws {BSONError} when its length or its end is wrong
   */
  at(index) {
    const i = index < 0 ? index + this.length : index
    return i in this.views ? this.placed(() => new RawDocument(this.views[i]), i) : undefined
  }

  /**
   * @param {DecodeOptions} [options]
   * @returns {any[]} the decoded documents
   * @throws {BSONError} with `document`, its number in the cursor from 1, and `offset` in that document
   */
  documents(options) {
    const plan = planOf(only.documents(options))
    return this.views.map((view, i) => this.placed(() => decodeAt(view, 0, false, plan), i))
  }

  /**
   * @param {ListOptions} [options]
   * @returns {Buffer} a JSON array, in UTF-8
   * @throws {BSONError} as `documents`
   */
  json(options) {
    return this.placed(() => array(this.views, only.json(options)))
  }

  /**
   * @param {ListOptions} [options]
   * @returns {Buffer} the JSON of each document with a line feed, in UTF-8
   * @throws {BSONError} as `documents`
   */
  lines(options) {
    return this.placed(() => lines(this.views, only.lines(options)))
  }

  /**
   * @param {number} [start] from 0; a negative one counts from the end, as in slice of an array
   * @param {number} [end]
   * @returns {Batch} a batch of the documents in this range
   */
  slice(start, end) {
    const from = Math.trunc(start ?? 0) || 0
    const before = from < 0 ? Math.max(from + this.length, 0) : Math.min(from, this.length)
    return new Batch(this.views.slice(before, end), this.first + before)
  }

  /**
   * Does work, and lets errors number documents from the start of the cursor.
   *
   * @private
   * @param {() => any} work
   * @param {number} [index] of its document; without it, the error itself may have a number in this batch
   */
  placed(work, index) {
    try {
      return work()
    } catch (error) {
      const number = index === undefined ? error.document : index + 1
      throw number === undefined ? error : atPlace(error, { offset: 0, document: this.first + number })
    }
  }
}

module.exports = { Batch }
