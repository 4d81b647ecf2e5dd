'use strict'

// What the columns of a table share: above all the count of their memory. A column has a place for every row, so a few
// documents with many fields among many empty ones would take thousands of times their own size.

const { BSONError } = require('../../errors')

/** The most memory of columns, in relation to the bytes of their documents, and a fixed amount on top. */
const MAX_RATIO = 64
const BASE_ALLOWANCE = 256 * 1024 * 1024

/**
 * From this many bytes of documents on, the rest is estimated from them, with a margin, and memory grows at least by
 * MIN_GROWTH. Doubling would take up to twice the memory, and touching new memory takes time.
 */
const ESTIMATE_FROM = 8 * 1024 * 1024
const MARGIN = 1.1
const MIN_GROWTH = 1.25

/** Smaller pieces of memory, in bytes, are always new. */
const SPARED = 4096

/** Between two powers of two, memory to be used again has one of 2 ** STEPS sizes. */
const STEPS = 3

/** The largest offset of a list or of text. */
const MAX_OFFSET = 0x7fffffff

class Memory {
  /**
   * @param {number} rows the expected number, or 0 when unknown
   * @param {number} size expected bytes of the documents, or 0 when unknown
   * @param {Spare | null} [spare] memory to be used again
   */
  constructor(rows, size, spare = null) {
    this.rows = rows
    this.size = size
    this.taken = 0
    /** Bytes of the documents read so far, and of the last of them, which `read` may not count yet. */
    this.read = 0
    this.document = 0
    /** Bytes of documents whose items are rows; null where each document is one. @type {number | null} */
    this.source = null
    /** What a value adds to counts in the report: -1 while they are undone. */
    this.step = 1
    /** Whether a value was overwritten by another of the same name since the last check. */
    this.isOverwritten = false
    this.spare = spare
  }

  /** @param {number} count @returns {Int32Array} zeros */
  words(count) {
    const size = 4 * count
    if (!this.isReused(size)) return new Int32Array(count)
    return new Int32Array(this.spare.buffer(size), 0, count).fill(0)
  }

  /** @param {number} size bytes @returns {ArrayBuffer} of at least this size; its content may be anything */
  buffer(size) {
    return this.isReused(size) ? this.spare.buffer(size) : new ArrayBuffer(size)
  }

  isReused(size) {
    return this.spare !== null && size >= SPARED
  }

  /** Ends a table; the next one is expected to be as large. */
  next() {
    this.size = Math.max(this.size, this.done)
    this.taken = 0
    this.read = 0
    if (this.source !== null) this.source = 0
  }

  /** Bytes of documents read so far, each once. */
  get done() {
    return this.source ?? this.read
  }

  /** @param {number} size bytes @throws {BSONError} when the columns take too much */
  take(size) {
    this.taken += size
    if (this.taken > mostMemory(Math.max(this.done + this.document, this.size))) throw tooMuch()
  }

  /** @param {number} size bytes @param {number} needed @returns {number} the new size */
  grown(size, needed) {
    if (needed > MAX_OFFSET) throw new BSONError('a column of a table can hold at most 2 GB: read fewer rows at a time')
    const { done } = this
    const isKnown = done >= ESTIMATE_FROM && done < this.size
    const more = isKnown ? Math.max(MIN_GROWTH * size, Math.ceil((MARGIN * needed * this.size) / done)) : 2 * size
    return Math.min(Math.max(needed, Math.ceil(more), 64), MAX_OFFSET)
  }
}

/**
 * Memory of tables, which the next tables get when nobody reads these any more: V8 collects garbage for each few MB
 * that are allocated, which takes 7 % of the time of 1 GB to Arrow.
 */
class Spare {
  constructor() {
    /** By size. @type {Map<number, ArrayBuffer[]>} */
    this.free = new Map()
    /** @type {ArrayBuffer[]} */
    this.given = []
  }

  /** @param {number} size bytes */
  buffer(size) {
    const rounded = roundedUp(size)
    let buffer
    for (let near = rounded; buffer === undefined && near <= 2 * rounded; near = roundedUp(near + 1)) {
      buffer = this.free.get(near)?.pop()
    }
    buffer ??= new ArrayBuffer(rounded)
    this.given.push(buffer)
    return buffer
  }

  /** Nobody reads the tables so far any more. */
  reclaim() {
    this.free.clear()
    for (const buffer of this.given) {
      const alike = this.free.get(buffer.byteLength)
      if (alike === undefined) this.free.set(buffer.byteLength, [buffer])
      else alike.push(buffer)
    }
    this.given = []
  }
}

/** @param {number} size at least 8 @returns {number} at most an eighth more */
function roundedUp(size) {
  const step = 2 ** (Math.floor(Math.log2(size)) - STEPS)
  return Math.ceil(size / step) * step
}

/** @param {number} size bytes of documents @returns {number} the most bytes of their columns */
function mostMemory(size) {
  return BASE_ALLOWANCE + MAX_RATIO * size
}

function tooMuch() {
  return new BSONError(`the columns take ${MAX_RATIO} times the memory of their documents: choose some of the fields, ` +
    'or read fewer rows at a time')
}

module.exports = { Memory, Spare, mostMemory, tooMuch }
