'use strict'

// Many documents -> one text: an array, or one line per document.

const { atPlace } = require('../errors')
const { toBytes, isMemory } = require('../bytes')
const { isIterable, refusal } = require('../options')
const { scanRoot } = require('../elements')
const { DocumentSplitter } = require('../batch')
const { acquireWriter, releaseWriter } = require('./writer')
const { explain } = require('./output')
const { putLine, indentBytes } = require('./indent')
const { check, describe } = require('./documents')
const { LINE_FEED, COMMA, OPEN_ARRAY, CLOSE_ARRAY } = require('./ascii')
const { putMark } = require('./quote')

/** A stream returns text in pieces of at least this many bytes, which end with a document. */
const PIECE = 65536

/**
 * @typedef {object} ListPlan
 * @property {import('./write').TextPlan} plan
 * @property {Uint8Array} gap the indentation of one level; empty to keep each document on one line
 * @property {import('./documents').Where} where how documents are read
 * @property {boolean} isArray whether to write an array instead of lines
 * @property {boolean} [isShared] whether the returned memory may be overwritten by the next text
 */

class List {
  /** @param {ListPlan} plan */
  constructor({ plan, gap, where: { maxDepth, validation }, isArray, isShared = false }) {
    this.w = acquireWriter(plan)
    // no spread object, which Node 20 reads slowly: a line took 4 % more
    this.where = { index: 0, allowObjectSmallerThanBufferSize: false, maxDepth, validation }
    this.gap = gap
    this.isArray = isArray
    this.isShared = isShared
    this.pos = 0
    /** Documents written so far. */
    this.count = 0
  }

  /** @param {Uint8Array} buf one document @throws {BSONError} with an offset in it, when it is not one */
  put(buf) {
    this.w.read(buf, 0, buf.length)
    this.putAt(buf, this.where)
  }

  /** Writes all documents of a buffer. @param {Uint8Array} buf one after the other @throws {BSONError} */
  putAll(buf) {
    this.w.read(buf, 0, buf.length)
    const where = { ...this.where, allowObjectSmallerThanBufferSize: true }
    while (where.index < buf.length) where.index = this.putAt(buf, where)
  }

  /** Writes the document at `where.index`. @returns {number} the offset after it @throws {BSONError} */
  putAt(buf, where) {
    const { index, allowObjectSmallerThanBufferSize } = where
    try {
      const next = scanRoot(buf, index, allowObjectSmallerThanBufferSize)
      if (this.w.plan.isValidated) check(buf, where)
      this.putNext(index, next)
      return next
    } catch (error) {
      throw describe(error, buf, where)
    }
  }

  /** Writes the document from `start` to `next`; of a wrong one, nothing. */
  putNext(start, next) {
    const { w, gap, isArray } = this
    const from = isArray ? this.putBefore(this.count === 0 ? OPEN_ARRAY : COMMA) : this.pos
    const end = w.put(start, next, from)
    const pos = gap.length === 0 ? end : indentBytes(w.out, from, end, gap, isArray ? 1 : 0)
    this.pos = isArray ? pos : putMark(LINE_FEED, w.out, pos)
    this.count++
  }

  /** Writes the bracket or comma before a document of an array. @returns {number} the offset after it */
  putBefore(mark) {
    const { gap, w: { out } } = this
    const pos = putMark(mark, out, this.pos)
    return gap.length === 0 ? pos : putLine(out, gap, 1, out.reserve(pos, 1 + gap.length))
  }

  /** Completes the text. */
  close() {
    const { gap, count, w: { out } } = this
    if (!this.isArray) return
    if (count === 0) this.pos = putMark(OPEN_ARRAY, out, this.pos)
    else if (gap.length > 0) this.pos = putMark(LINE_FEED, out, this.pos)
    this.pos = putMark(CLOSE_ARRAY, out, this.pos)
  }

  /** @returns {Uint8Array} the text written since the last call */
  take() {
    const { pos, w: { out } } = this
    const bytes = this.isShared ? out.buf.subarray(0, pos) : out.bytes(pos)
    this.pos = 0
    return bytes
  }

  /** Call this when the list is no longer used. */
  release() {
    releaseWriter(this.w)
  }
}

/**
 * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | Iterable<Uint8Array>} documents in one buffer, one after the
 *   other, or each in a buffer of its own
 * @param {ListPlan} plan
 * @returns {Buffer}
 * @throws {BSONError} with `document`, its number from 1, and the offset in its buffer
 */
function listBytes(documents, plan) {
  const isOne = isMemory(documents)
  if (!isOne && !isIterable(documents)) throw refusal('the documents', documents, 'bytes, or an iterable of bytes')
  const list = new List(plan)
  try {
    if (isOne) list.putAll(toBytes(documents))
    else for (const document of documents) list.put(toBytes(document))
    list.close()
    return /** @type {any} */ (list.take())
  } catch (error) {
    throw atPlace(explain(error), { offset: 0, document: list.count + 1 })
  } finally {
    list.release()
  }
}

/** Turns chunks of documents into pieces of text. */
class ListReader {
  /** @param {ListPlan} plan @param {number} [maxDocumentSize] bytes @throws {BSONError} */
  constructor(plan, maxDocumentSize) {
    this.splitter = new DocumentSplitter({ maxDocumentSize })
    this.list = new List(plan)
  }

  /** @param {Uint8Array} chunk @throws {BSONError} on a wrong document, after the text of those before it */
  *read(chunk) {
    const { splitter, list } = this
    try {
      for (const document of splitter.push(chunk)) {
        this.put(document)
        if (list.pos >= PIECE) yield list.take()
      }
    } finally {
      if (list.pos > 0) yield list.take()
    }
  }

  put(document) {
    try {
      this.list.put(document)
    } catch (error) {
      throw this.splitter.place(error)
    }
  }

  /** @returns {Uint8Array[]} the rest of the text @throws {BSONError} when a document is cut short */
  end() {
    const { splitter, list } = this
    splitter.end()
    list.close()
    const rest = list.pos > 0 ? [list.take()] : []
    list.release()
    return rest
  }
}

module.exports = { listBytes, ListReader }
