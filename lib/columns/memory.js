'use strict'

// The memory of one table, counted. A column has a place for every row, so few documents with many fields beside many
// empty ones would take thousands of times their own size.

const { BSONError } = require('../errors')

/** Columns may take so many times the bytes of their documents, and some more. */
const MAX_RATIO = 64
const FREE = 256 * 1024 * 1024

/**
 * From so many bytes of documents on they say how much the others will take: so much more than their share, and at
 * least so many times what there is. To double takes twice the memory, and new memory takes time to touch.
 */
const TELLING = 8 * 1024 * 1024
const MORE = 1.1
const LEAST = 1.25

/** What an offset of a list or of text can say. */
const MAX_OFFSET = 0x7fffffff

class Memory {
  /**
   * @param {number} rows how many there will be, or 0 when that is not known
   * @param {number} size bytes of the documents there will be, or 0 when that is not known
   */
  constructor(rows, size) {
    this.rows = rows
    this.size = size
    this.taken = 0
    /** Bytes of the documents that were read. */
    this.read = 0
    /** Whether a value was overwritten, by another of the same name, since this was last asked. */
    this.isOverwritten = false
  }

  /** A table is done; of the next one as much is expected. */
  next() {
    this.size = Math.max(this.size, this.read)
    this.taken = 0
    this.read = 0
  }

  /** @param {number} size bytes @throws {BSONError} when the columns take too much */
  take(size) {
    this.taken += size
    if (this.taken <= FREE + MAX_RATIO * Math.max(this.read, this.size)) return
    throw new BSONError(`the columns take ${MAX_RATIO} times the memory of their documents: choose some of the fields, ` +
      'or read fewer rows at a time')
  }

  /** @param {number} size bytes @param {number} needed @returns {number} how many to have instead */
  grown(size, needed) {
    if (needed > MAX_OFFSET) throw new BSONError('a column of a table can hold at most 2 GB: read fewer rows at a time')
    const isKnown = this.read >= TELLING && this.read < this.size
    const more = isKnown ? Math.max(LEAST * size, Math.ceil((MORE * needed * this.size) / this.read)) : 2 * size
    return Math.min(Math.max(needed, Math.ceil(more), 64), MAX_OFFSET)
  }
}

module.exports = { Memory }
