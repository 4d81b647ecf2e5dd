'use strict'

const { byName } = require('./column')
const { getStruct } = require('./get')

/** Rows of columns: documents, without the objects. */
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

  /** @param {number} row @returns {Record<string, any>} the document, with the fields that have columns */
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

module.exports = { Table }
