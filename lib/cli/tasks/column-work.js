'use strict'

// What threads do for the commands that write columns: each group of documents becomes a part of the output, or gives
// statistics. A plan can be sent to a thread, and a result can be sent back when it is packed.

const { BSONError, BSONRuntimeError } = require('../../errors')
const { copyOf } = require('../../bytes')

/**
 * @typedef {import('../../columns/groups').Group} Group
 * @typedef {import('../../columns/groups').Parts} Parts
 *
 * @typedef {object} ColumnPlan
 * @property {'parts' | 'statistics' | 'schema'} task 'statistics' is for documents that will also be read
 * @property {import('../../columns').ColumnsOptions} options but `schema` and `reject`
 * @property {any} [type] of the columns
 * @property {FormatPlan} [format] of the parts; default: tables, which cannot be sent
 * @property {boolean} [keepGoing] whether broken documents are left out
 *
 * @typedef {{name: 'arrow' | 'parquet' | 'csv', options: any}} FormatPlan
 *
 * @typedef {{part: any, report: import('../../columns/read/report').Report | null,
 *   output: Uint8Array | null} &
 *   Pick<import('./documents').Result, 'rejects' | 'error'>} ColumnResult `part`: of the output, or statistics, null
 *   after an error, and in other threads, where it is the `output`
 */

/** Tables as they are, which stay in their thread. */
const TABLES = /** @type {Parts} */ ({ isView: true, make: tables => tables })

/** Statistics as JSON. */
const STATISTICS = {
  pack: statistics => Buffer.from(JSON.stringify(statistics)),
  unpack: bytes => require('../../columns').ColumnStatistics.from(JSON.parse(Buffer.from(bytes).toString()))
}

/**
 * @param {ColumnPlan} plan
 * @param {boolean} isAwaited whether parts are done with when the next one is made
 * @param {boolean} [isSent] whether they are sent to another thread
 * @returns {Promise<((group: Group) => ColumnResult) & Pick<Parts, 'unpack' | 'writer'>>}
 * @throws {BSONError} when a package is not installed
 */
async function columnWork(plan, isAwaited, isSent = false) {
  const { columns } = require('../../columns')
  const { ColumnTypes, GroupReader, arrowParts, parquetParts, csvParts } = require('../../columns/threads')
  const { task, options, type, format, keepGoing } = plan
  const full = { ...options, ...(type !== undefined && { schema: new ColumnTypes(type) }) }
  /** @type {import('./documents').Reject[]} */
  let rejects = []
  const reject = (error, bytes) => { rejects.push({ message: error.message, bytes: copyOf(bytes) }) }
  const empty = columns(new Uint8Array(0), full)
  const makers = { arrow: arrowParts, parquet: parquetParts, csv: csvParts }
  /** @type {Parts} */
  const parts = format === undefined ? TABLES : await makers[format.name](format.options, empty)
  const reader = new GroupReader({ ...full, reject: keepGoing ? reject : undefined }, isAwaited || !parts.isView)
  const form = task === 'parts' ? parts : STATISTICS
  const partOf = part => (isSent ? { output: form.pack(part) } : { part })
  const work = group => {
    rejects = []
    const result = { part: null, report: null, rejects, error: null, output: null }
    try {
      if (task !== 'parts') return Object.assign(result, partOf(reader.statistics(group, task === 'statistics')))
      const { tables, report } = reader.tables(group)
      return Object.assign(result, partOf(parts.make(tables)), { report })
    } catch (error) {
      if (!(error instanceof BSONError) || error instanceof BSONRuntimeError) throw error
      return Object.assign(result, { error: error.message })
    }
  }
  return Object.assign(work, parts, form)
}

module.exports = { columnWork }
