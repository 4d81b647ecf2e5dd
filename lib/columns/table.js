'use strict'

const { BSONError, pathOf } = require('../errors')
const { byName } = require('./column')
const { getStruct } = require('./get')

/** Columns of documents, without objects. */
class Table {
  /**
   * @param {number} rows
   * @param {import('./column').Column[]} columns in order
   * @param {import('./report').Report} report
   */
  constructor(rows, columns, report) {
    this.rows = rows
    /** By name. */
    this.columns = byName(columns)
    this.report = report
    /** @internal */
    this.inner = columns
  }

  /** @param {number} row @returns {Record<string, any>} the document, with only the fields that have columns */
  get(row) {
    return getStruct(this, row)
  }

  /** @returns {Record<string, any>[]} the documents */
  toArray() {
    return Array.from(this)
  }

  *[Symbol.iterator]() {
    for (let row = 0; row < this.rows; row++) yield this.get(row)
  }
}

/** Checks that consecutive tables have the same columns. */
class SameColumns {
  constructor() {
    /** @type {import('./column').Column[] | null} */
    this.first = null
  }

  /**
   * @param {Table} table
   * @returns {Table} the same
   * @throws {BSONError} when its columns differ from the first table's
   */
  checked(table) {
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

module.exports = { Table, SameColumns }
