'use strict'

// Documents -> the columns of a table.

const { MAX_DEPTH } = require('../../spec')
const { validateElements, ALL_UTF8 } = require('../../elements')
const { Builder } = require('../layout/builder')
const { Column } = require('../layout/column')
const { Beside } = require('./beside')
const { Documents } = require('./documents')
const { KIND } = require('../layout/kinds')
const { Memory } = require('../layout/memory')
const { readFields } = require('./read')
const { putOther } = require('./read-other')
const { mismatchesOf, allIn, countFarDates, countedIn } = require('./report')
const { Table } = require('../layout/table')
const { areUtf8 } = require('./text')
const { Unwinder } = require('./unwind')

/** Bytes of documents after which text is checked to be UTF-8, while it is still in the cache. */
const CHECKED = 1024 * 1024

/**
 * Bytes of documents in a table of a stream, and the memory of its columns; what exceeds them is the table's last. Each
 * table costs some time a column, so with many columns there are more bytes in one.
 */
const TABLE_SIZE = 4 * 1024 * 1024
const MOST_TABLE_SIZE = 8 * 1024 * 1024
const TABLE_COLUMNS = 100

/** The fewest bytes of documents for each column of a table or row group, if there are thousands. */
const COLUMN_SIZE = 3300
const TABLE_MEMORY = 64 * 1024 * 1024

class Reader extends Documents {
  /**
   * @param {import('../layout/kinds').Type} type of the documents
   * @param {import('../layout/memory').Memory} memory of a table
   * @param {((error: import('../../errors').BSONError, bytes: Uint8Array) => void) | null} reject gets broken
   *   documents; null: the first one is an error
   * @param {number} [maxDocumentSize] bytes
   */
  constructor(type, memory, reject, maxDocumentSize) {
    super(maxDocumentSize)
    this.reject = reject
    this.memory = memory
    this.root = new Builder('', type, memory, null)
    this.putOther = putOther
    /** Gives the rows, if they are items. @type {Unwinder | null} */
    this.unwinder = null
    /** The columns beside the items. @type {Beside | null} */
    this.beside = null
    /** A second result: the offset after a name. */
    this.pos = 0
    /** Rows of the table. */
    this.row = 0
    /** Documents to reject after all text has been checked. @type {{error: any, bytes: Uint8Array}[]} */
    this.waiting = []
    const all = allIn(this.root)
    this.columns = all.length
    const usual = Math.max(TABLE_SIZE, Math.min(MOST_TABLE_SIZE, (TABLE_SIZE * all.length) / TABLE_COLUMNS))
    this.tableSize = Math.max(usual, COLUMN_SIZE * all.length)
    /** The columns of text. */
    this.texts = all.filter(({ kind }) => kind === KIND.STRING)
    this.dates = all.filter(({ kind }) => kind === KIND.DATE)
  }

  /** Reads documents from `start` on until the table has `most` rows. @returns {number} where the next one starts */
  read(run, start, most = Infinity) {
    const first = this.enter(run)
    const end = first + run.end
    if (run.source !== undefined && start === run.start) this.memory.source = (this.memory.source ?? 0) + run.source
    let pos = first + start
    while (pos < end && this.row < most) pos = this.readPart(pos, end, most - this.row)
    return pos - first
  }

  /** Whether a table of a stream ends here. */
  get isFull() {
    return this.memory.read >= this.tableSize || this.memory.taken >= TABLE_MEMORY
  }

  /** Reads the documents that start in the next piece. */
  readPart(start, end, most) {
    const { row, count, rejected, memory } = this
    const stop = Math.min(end, start + CHECKED)
    memory.read += stop - start
    let { next, failure } = this.attempt(start, stop, end, most)
    memory.read += next - stop
    if (!this.areTextsUtf8()) {
      const before = { row, count, rejected }
      this.uncount(before, () => this.attempt(start, next, end, most))
      failure = this.attemptChecked(start, next, end, most).failure
    }
    for (const { error, bytes } of this.waiting.splice(0)) this.giveAway(error, bytes)
    if (failure !== undefined) throw failure
    return next
  }

  /** @returns {{next: number, failure: unknown}} the offset after the last document, and the error before `stop` */
  attempt(start, stop, end, most) {
    try {
      return { next: this.readAll(start, stop, end, most), failure: undefined }
    } catch (failure) {
      return { next: stop, failure }
    }
  }

  /** The same again, checking each text by itself to find the document at fault. */
  attemptChecked(start, stop, end, most) {
    for (const text of this.texts) text.kind = KIND.CHECKED
    const result = this.attempt(start, stop, end, most)
    for (const text of this.texts) text.kind = KIND.STRING
    this.memory.isOverwritten = false
    return result
  }

  /** Undoes the counts of documents by reading them again. */
  uncount(before, again) {
    Object.assign(this, before)
    this.truncate()
    this.memory.step = -this.memory.step
    again()
    this.memory.step = -this.memory.step
    Object.assign(this, before, { waiting: [] })
    this.truncate()
  }

  /** Checks a field without a column, in a document of that level. @throws {BSONError} with the offset */
  check(start, end, level) {
    validateElements(this.buf, start, end, ALL_UTF8, MAX_DEPTH, { depth: level })
  }

  readDocument(start, end) {
    this.memory.document = end - start
    readFields(this, this.root, start + 4, end, this.row, false)
    if (this.unwinder !== null) this.repeat(this.unwinder.originOf(this.count))
    this.row++
  }

  /** Makes a row of each item of a list. @param {string[]} path to it @returns {Unwinder} */
  unwind(path) {
    const { root } = this
    this.beside = new Beside(root, path)
    return (this.unwinder = new Unwinder(path, root.type))
  }

  /** Repeats the row before beside an item that is not the first. @param {import('./unwind').Origin} origin */
  repeat(origin) {
    const { memory } = this
    const further = this.count - origin.first
    if (further === 0) return
    const size = this.beside.repeat(this.row, origin, further)
    memory.read += memory.step * size // so that the table ends as if it had been read again
  }

  /** Leaves out a broken document, if that is allowed. */
  leaveOut(error, start, next) {
    const broken = this.broken(error, start, next)
    if (this.reject === null) throw broken.error
    const { row, count, rejected, waiting } = this
    this.uncount({ row, count, rejected }, () => {
      try {
        this.readOne(start, next) // up to its error
      } catch {}
    })
    this.rejected++
    waiting.push(broken)
    this.waiting = waiting
  }

  /** Drops what comes after the last row. */
  truncate() {
    for (const child of this.root.children) child.truncate(this.row)
  }

  /** Whether the text read since the last call is UTF-8; false if some was overwritten and so cannot be checked. */
  areTextsUtf8() {
    if (this.memory.isOverwritten) return false
    for (const text of this.texts) {
      if (text.checked < text.length && !areUtf8(text.bytes, text.offsets, text.checked, text.length)) return false
      text.checked = text.length
    }
    return true
  }

  /** @param {any} [failure] that ended the source; a document after which no other can be found may be left out */
  finish(failure) {
    if (failure === undefined) return
    if (this.reject === null || failure?.document === undefined) throw failure
    this.count++
    this.rejected++
    this.giveAway(failure, new Uint8Array(0))
  }

  /** Passes on what is left out. An error of who gets it ends all: nothing else is passed on. */
  giveAway(error, bytes) {
    const { reject } = this
    this.reject = null
    reject(error, bytes)
    this.reject = reject
  }

  /** The table of all rows read since the last table. */
  take() {
    const { root, row, memory, dates } = this
    countFarDates(dates)
    this.beside?.keep(row)
    const columns = root.children.map(child => new Column(child, row))
    this.row = 0
    memory.next()
    return new Table(row, columns, this.report)
  }

  /** @returns {import('./report').Report} on all documents of the tables taken */
  get report() {
    const { root, count, rejected, dates } = this
    const items = this.unwinder === null ? {} : { withoutItems: this.unwinder.empty }
    const mismatches = mismatchesOf(root)
    const counted = { replaced: countedIn(allIn(root), 'replaced'), farDates: countedIn(dates, 'far'), ...items }
    const report = { documents: count, rejected, mismatches, ...counted }
    return Object.defineProperty(report, 'misfits', { value: mismatches }) // the earlier name
  }
}

/**
 * The engine drops the code compiled for a class when its last object is collected, here between two tables. So one
 * reader stays alive, with an object of each class it uses: 270 ns a document instead of 340 to 390.
 */
const keptReader = new Reader({ kind: KIND.STRUCT, fields: new Map([['', { kind: KIND.STRING }]]) }, new Memory(0, 0), null)

module.exports = { Reader, keptReader, COLUMN_SIZE, TABLE_MEMORY }
