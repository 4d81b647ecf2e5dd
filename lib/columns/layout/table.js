'use strict'

const { BSONError, pathOf, shownKind } = require('../../errors')
const { ClosableIterator, itemsOf } = require('../../iterators')
const { isIterable, refusal, wholeNumber } = require('../../options')
const { Column, byName } = require('./column')
const { getStruct } = require('./get')

/** Columns of documents, without objects. */
class Table {
  /**
   * @param {number} rows
   * @param {import('./column').Column[]} columns in order
   * @param {import('../read/report').Report} report
   */
  constructor(rows, columns, report) {
    this.rows = wholeNumber(rows, 'rows')
    const isColumn = each => each instanceof Column && each.length === rows
    if (!Array.isArray(columns) || !Array.from(columns).every(isColumn)) throw refusal('columns', columns, `an array of Columns of ${rows} rows`)
    /** By name. */
    this.columns = byName(columns)
    this.report = report
    /** @internal */
    this.inner = columns
  }

  /**
   * @param {number} row
   * @returns {Record<string, any>} the document, with only the fields that have columns; undefined for no row
   */
  get(row) {
    return Number.isInteger(row) && row >= 0 && row < this.rows ? getStruct(this, row) : undefined
  }

  /** @returns {Record<string, any>[]} the documents */
  toArray() {
    return Array.from(this)
  }

  *[Symbol.iterator]() {
    for (let row = 0; row < this.rows; row++) yield this.get(row)
  }
}

/** @param {string} what needs them @param {boolean} [canWait] whether they may arrive later @throws {BSONError} */
function tablesIn(source, what, canWait = true) {
  if (source instanceof Table) return [source]
  const isNone = Array.isArray(source) && source.length === 0
  if (!isNone && isIterable(source, canWait)) return source
  throw noTable(source, what)
}

/**
 * @template T
 * @param {any} source
 * @param {string} what needs its tables
 * @param {(tables: AsyncIterable<Table>) => AsyncGenerator<T, void, void>} write
 * @returns {AsyncGenerator<T, void, void>} what it makes of them: closing that closes the tables, too
 * @throws {BSONError} when there are none
 */
function madeOf(source, what, write) {
  const tables = itemsOf(tablesIn(source, what))
  return new ClosableIterator(() => write(tables), () => tables.return())
}

/** @param {any} value @param {string} what needs a table */
function noTable(value, what) {
  return new BSONError(`${what} takes a table of columns, or several, not ${shownKind(value)}`)
}

/** Checks that consecutive tables have the same columns. */
class SameColumns {
  /** @param {string} what needs the tables */
  constructor(what) {
    this.what = what
    /** @type {import('./column').Column[] | null} */
    this.first = null
  }

  /** @returns {Table} the same @throws {BSONError} when it is none, or its columns differ from the first table's */
  checked(table) {
    if (!(table instanceof Table)) throw noTable(table, this.what)
    this.first ??= table.inner
    const keys = differenceOf(this.first, table.inner)
    if (keys === null) return table
    throw new BSONError(`the tables have different columns, one of them is ${pathOf(keys)}: read all of them with one schema, ` +
      'such as the result of inferColumns')
  }
}

/** What tells columns apart. */
const TOLD = ['kind', 'subtype', 'form', 'precision', 'scale']

/** @returns {string[] | null} the path where the columns first differ */
function differenceOf(columns, others) {
  for (let i = 0; i < Math.max(columns.length, others.length); i++) {
    const [column, other] = [columns[i], others[i]]
    const { name } = column ?? other
    if (column?.name !== other?.name || TOLD.some(key => column[key] !== other[key])) return [name]
    const inner = differenceOf(column.inner, other.inner)
    if (inner !== null) return [name, ...inner]
  }
  return null
}

module.exports = { Table, SameColumns, tablesIn, madeOf }
