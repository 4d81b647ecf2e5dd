'use strict'

// Infers the types of documents in one pass.

const { DocumentStats } = require('../../schema')
const { Documents, checkDocument } = require('../read/documents')
const { tooManyColumns } = require('./type-of')
const { Unwinder } = require('../read/unwind')
const { COLUMN_STATS } = require('./value-stats')

class Inference extends Documents {
  /**
   * @param {import('../plan').Plan} plan
   * @param {boolean} [isRead] whether the documents will be read, too, and broken ones are reported then
   */
  constructor({ selection, forms: { json, geo }, reject, unwind }, isRead = false) {
    super()
    this.isRead = isRead
    this.reject = reject
    this.stats = new DocumentStats(COLUMN_STATS)
    const texts = json === null ? geo : new Map([...json, ...(geo ?? [])])
    Object.assign(this.stats.root, { isTable: true, selection, texts })
    this.unwinder = unwind === null ? null : new Unwinder(unwind, null)
  }

  /** @throws {import('../../errors').BSONError} on broken documents, unless they are read later; on too many columns */
  add(run) {
    for (const part of this.unwinder?.runs(run) ?? [run]) this.addPart(part)
  }

  addPart(run) {
    const first = this.enter(run)
    try {
      this.readAll(first + run.start, first + run.end, first + run.end, Infinity)
    } catch (error) {
      if (error?.document === undefined || !this.isRead) throw error
    }
  }

  enter(run) {
    const start = super.enter(run)
    this.stats.open(this.view, 0)
    return start
  }

  leaveOut(error, start, next) {
    const broken = this.broken(error, start, next)
    this.rejected++
    if (this.isRead) return
    if (this.reject === null) throw broken.error
    this.reject(broken.error, broken.bytes)
  }

  /** Broken documents that may be left out do not count for types. */
  readDocument(start, end) {
    if (this.reject !== null || !this.isRead) checkDocument(this.buf, start, end + 1)
    this.stats.read(this.buf, start, end + 1)
    if (this.stats.isFull) throw tooManyColumns(this.stats.root)
  }
}

module.exports = { Inference }
