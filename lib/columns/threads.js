'use strict'

// What threads share of the work on columns: groups of documents, which become tables and statistics, and parts of the
// output.

const { arrowParts } = require('./formats/arrow')
const { csvParts } = require('./formats/csv')
const { Groups, groupOf, runsOf, Reports } = require('./groups')
const { Inference } = require('./types/infer')
const { Memory, Spare } = require('./layout/memory')
const { parquetParts } = require('./formats/parquet')
const { ColumnTypes, Tables, infer, typeIn, planOf } = require('./plan')
const { COLUMN_SIZE, TABLE_MEMORY } = require('./read/reader')
const { ColumnStatistics } = require('./types/statistics')
const { countColumns } = require('./types/type-of')

/** The usual bytes of a row in a column. */
const ROW_SIZE = 8

/** Bytes of documents that become a row group together, and the most places of rows in all its columns. */
const ROW_GROUP = 8 << 20
const ROW_GROUP_PLACES = 1 << 25

/** Of all groups: archives may have thousands of collections. */
const spare = new Spare()

/** Reads groups of documents. */
class GroupReader {
  /**
   * @param {import('./index').ColumnsOptions} options with a schema, for tables
   * @param {boolean} [isReused] whether the tables of a group may be overwritten by those of any other
   * @throws {BSONError} as `columns` does
   */
  constructor(options, isReused = false) {
    this.plan = planOf(options)
    this.spare = isReused ? spare : null
  }

  /**
   * @param {import('./groups').Group} group
   * @returns {{tables: import('./layout/table').Table[], report: import('./read/report').Report}} at least one table
   * @throws {BSONError} as `columns` does
   */
  tables(group) {
    const { plan, spare } = this
    spare?.reclaim()
    const memory = new Memory(plan.unwind === null ? Math.min(group.count, plan.rows) : 0, 0, spare)
    const own = new Tables(plan.type, plan, memory)
    if (memory.rows * own.reader.columns * ROW_SIZE > TABLE_MEMORY) memory.rows = 0 // most rows will be empty
    const tables = []
    for (const run of runsOf(group)) tables.push(...own.add(run))
    tables.push(...own.finish())
    return { tables, report: own.reader.report }
  }

  /**
   * @param {import('./groups').Group} group
   * @param {boolean} isRead whether the documents will also be read: broken ones are no error then
   * @returns {ColumnStatistics}
   */
  statistics(group, isRead) {
    const inference = new Inference(this.plan, isRead)
    for (const run of runsOf(group)) inference.add(run)
    return new ColumnStatistics(inference.stats)
  }

  /**
   * @param {ColumnStatistics} statistics no longer valid
   * @returns {ColumnTypes}
   * @throws {BSONError} on mixed types, if not allowed
   */
  types({ stats }) {
    return new ColumnTypes(typeIn(stats, this.plan, false))
  }

  /**
   * @param {import('./groups').Group} group the first documents of a stream
   * @param {boolean} isSample whether there are others
   * @returns {ColumnTypes}
   */
  sampled(group, isSample) {
    return new ColumnTypes(infer([...runsOf(group)], this.plan, isSample))
  }
}

/**
 * A column costs some 0.1 ms in each row group, more than a few values do; and it has a place for each row, so
 * thousands of columns take much memory.
 *
 * @param {import('./layout/kinds').Type} type of the documents
 * @returns {{size: number, rows: number}} bytes and documents of a group that becomes a row group
 */
function rowGroupOf(type) {
  const columns = countColumns(type)
  return { size: Math.max(ROW_GROUP, COLUMN_SIZE * columns), rows: Math.ceil(ROW_GROUP_PLACES / columns) }
}

module.exports = {
  ColumnTypes, GroupReader, Groups, Reports, groupOf, rowGroupOf, arrowParts, csvParts, parquetParts
}
