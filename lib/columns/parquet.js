'use strict'

// Columns as Parquet, by the package parquet-wasm. Its writer spends most of its time on dictionaries, so a column gets
// one only if its first values suggest that it pays: 100,000 documents of 235 bytes take 75 ms without any, 225 ms with
// one for each column, and the files are as large.

const { BSONError } = require('../errors')
const { optionsOf, anything, positive, oneOf } = require('../options')
const { Batches } = require('./arrow')
const { geoMetadata } = require('./geometry')
const { FORM, KIND } = require('./kinds')
const { parquetFor } = require('./optional')
const { Table } = require('./table')

/**
 * The most rows of a row group, and its most bytes as written: the package holds one in memory. With twice as many
 * rows, a dump of 2 GB takes 257 MB.
 */
const ROW_GROUP = 65_536
const ROW_GROUP_BYTES = 8 * 1024 * 1024

/** Values of a column that the package writes at once: a fifth faster than with its own 1,024. */
const WRITE_BATCH = 8192

/** How many values to look at; a dictionary is made if the share of distinct ones is below the second number. */
const LOOKED_AT = 1000
const DICTIONARY_SHARE = 0.5

/** The package's names for compressions. */
const COMPRESSIONS = Object.freeze({
  none: 'UNCOMPRESSED', snappy: 'SNAPPY', gzip: 'GZIP', brotli: 'BROTLI', lz4: 'LZ4_RAW', zstd: 'ZSTD'
})

/**
 * @typedef {object} ParquetOptions
 * @property {keyof typeof COMPRESSIONS} [compression] default 'snappy'
 * @property {number} [rowGroupSize] the most rows of a row group; default 65,536
 * @property {any} [arrow] the package apache-arrow, if it cannot be loaded, as in a browser
 * @property {any} [parquet] the same for the package parquet-wasm
 */

const readOptions = optionsOf({
  compression: oneOf(/** @type {(keyof typeof COMPRESSIONS)[]} */ (Object.keys(COMPRESSIONS)), 'snappy'),
  rowGroupSize: positive(ROW_GROUP),
  arrow: anything(),
  parquet: anything()
})

/**
 * Tables as the bytes of a Parquet file.
 *
 * @param {Table | Iterable<Table> | AsyncIterable<Table>} tables with the same columns
 * @param {ParquetOptions} [options]
 * @returns {AsyncGenerator<Uint8Array, void, void>} requests each table when there is room for it
 * @throws {BSONError} when apache-arrow or parquet-wasm is not installed or rejects the columns, when the columns of a
 *   table differ from the first table's, and on options that make no sense
 */
async function* toParquet(tables, options) {
  const { compression, rowGroupSize, arrow, parquet } = readOptions(options)
  const batches = new Batches('toParquet', arrow)
  const own = await parquetFor('toParquet', parquet)
  const source = iteratorOf(tables instanceof Table ? [tables] : tables)
  try {
    const { value: first, done } = await source.next()
    if (done || first.inner.length === 0) throw new BSONError('a Parquet file needs at least one column')
    const properties = propertiesOf(own, first, COMPRESSIONS[compression], rowGroupSize)
    const input = recordBatches(own, batches, first, source, rowGroupSize)
    yield* new Transform(own, input).file(properties)
  } finally {
    await source.return?.()
  }
}

/** @returns {any} */
function iteratorOf(tables) {
  return tables[Symbol.asyncIterator]?.() ?? tables[Symbol.iterator]()
}

/** @param {any} cause @returns {BSONError} */
function refused(cause) {
  return new BSONError(`parquet-wasm could not write these columns: ${cause?.message ?? cause}`, { cause })
}

/** Connects the package's writer to a generator of record batches and to the bytes of a file. */
class Transform {
  constructor(own, input) {
    this.own = own
    this.input = input
    /** @type {{error: unknown} | undefined} */
    this.failure = undefined
  }

  /** The bytes of the file. @throws {unknown} the error of the tables, or a BSONError */
  async *file(properties) {
    const stream = await this.unlessFailed(this.own.transformParquetStream(this.stream(), properties))
    const reader = stream.getReader()
    try {
      while (true) {
        const { done, value } = await this.unlessFailed(reader.read())
        if (done) return
        yield value
      }
    } finally {
      await reader.cancel()
    }
  }

  /** A result of the package, unless its input has failed: the package takes that for the end, or for its own error. */
  async unlessFailed(result) {
    const value = await result.catch(error => { throw this.failure?.error ?? refused(error) })
    if (this.failure !== undefined) throw this.failure.error
    return value
  }

  stream() {
    return new ReadableStream({ pull: controller => this.pull(controller) }, { highWaterMark: 1 })
  }

  async pull(controller) {
    try {
      const { done, value } = await this.input.next()
      if (done) controller.close()
      else controller.enqueue(value)
    } catch (error) {
      this.failure = { error }
      controller.error(error)
    }
  }
}

/** Record batches in the package's memory, of at most `rows` rows: a table can be larger than that memory. */
async function* recordBatches(own, batches, first, source, rows) {
  for (let next = { value: first, done: false }; !next.done; next = await source.next()) {
    const batch = batches.of(next.value)
    let row = 0
    // a slice compares each field with all others
    do yield* toPackage(own, batches.arrow, batch.numRows > rows ? batch.slice(row, row + rows) : batch)
    while ((row += rows) < batch.numRows)
  }
}

function toPackage(own, { tableToIPC, Table: ArrowTable }, batch) {
  const bytes = tableToIPC(new ArrowTable([batch]), 'stream')
  try {
    return own.Table.fromIPCStream(bytes).recordBatches()
  } catch (error) {
    throw refused(error)
  }
}

/** The package lets only top-level columns be set one by one; the nested ones all get what suits most of them. */
function propertiesOf(own, table, compression, rowGroupSize) {
  const geo = table.inner.filter(({ form }) => form === FORM.WKB).map(({ name }) => name)
  const nested = leavesOf(table.inner.flatMap(column => column.inner))
  const isMost = 2 * nested.filter(isRepetitive).length > nested.length
  const start = new own.WriterPropertiesBuilder().setCompression(own.Compression[compression])
    .setMaxRowGroupSize(rowGroupSize).setDictionaryEnabled(isMost).setStatisticsEnabled(own.EnabledStatistics.Chunk)
    .setMaxRowGroupBytes(ROW_GROUP_BYTES).setWriteBatchSize(WRITE_BATCH)
    .setKeyValueMetadata(new Map(geo.length === 0 ? [] : [['geo', geoMetadata(geo)]]))
  return table.inner.filter(column => column.inner.length === 0)
    .reduce((builder, column) => builder.setColumnDictionaryEnabled(column.name, isRepetitive(column)), start).build()
}

/** @param {import('./column').Column[]} columns @returns {import('./column').Column[]} those with values */
function leavesOf(columns) {
  return columns.flatMap(column => (column.inner.length === 0 ? [column] : leavesOf(column.inner)))
}

/** Whether the first values of a column are repetitive. */
function isRepetitive(column) {
  if (column.kind !== KIND.STRING && column.kind !== KIND.INT32 && column.kind !== KIND.INT64) return false
  const seen = new Set()
  const count = Math.min(LOOKED_AT, column.length)
  let values = 0
  for (let row = 0; row < count; row++) {
    const value = column.get(row)
    if (value === undefined || value === null) continue
    values++
    seen.add(typeof value === 'object' ? String(value) : value)
  }
  return seen.size < DICTIONARY_SHARE * values
}

module.exports = { toParquet }
