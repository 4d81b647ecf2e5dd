'use strict'

// Infers the types of documents in one pass.

const { BSONError } = require('../errors')
const { validate, locate } = require('../elements')
const { DocumentStats } = require('../schema')
const { Documents } = require('./documents')
const { tooManyColumns } = require('./type-of')
const { COLUMN_STATS } = require('./value-stats')

class Inference extends Documents {
  /**
   * @param {import('./fields').Selection | null} selection
   * @param {import('./fields').Selection | null} texts the fields that are one text each, whatever they hold
   * @param {boolean} validatesFirst whether documents may be left out: broken ones then do not count for types
   */
  constructor(selection, texts, validatesFirst) {
    super()
    this.validatesFirst = validatesFirst
    /** Gets errors, and may throw them. @type {((error: BSONError, bytes: Uint8Array) => void) | null} */
    this.onBroken = null
    this.stats = new DocumentStats(COLUMN_STATS)
    Object.assign(this.stats.root, { isTable: true, selection, texts })
  }

  get root() {
    return this.stats.root
  }

  enter(run) {
    const start = super.enter(run)
    this.stats.open(this.view, 0)
    return start
  }

  /** Ignores broken documents: they are reported when they are read, unless nobody will. */
  leaveOut(error, start, next) {
    if (!(error instanceof BSONError) || error.offset === undefined) throw error
    this.rejected++
    if (this.onBroken === null) return
    const bytes = this.buf.subarray(start, next)
    error.offset -= start
    this.onBroken(this.placed(locate(error, bytes, 0), start), bytes)
  }

  readDocument(start, end) {
    if (this.validatesFirst) validate(this.buf, { index: start, allowObjectSmallerThanBufferSize: true })
    this.stats.read(this.buf, start, end + 1)
    if (this.stats.isFull) throw tooManyColumns(this.root)
  }
}

/** One stays alive so that its compiled code does: see reader.js. */
const keptInference = new Inference(null, null, false)

module.exports = { Inference, keptInference }
