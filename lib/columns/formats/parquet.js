'use strict'

// Columns as Parquet, by the package parquet-wasm. Its writer spends most of its time on dictionaries, so a column gets
// one only if its first values suggest that it pays: 100,000 documents of 235 bytes take 75 ms without any, 225 ms with
// one for each column, and the files are as large.

const { BSONError, shownName } = require('../../errors')
const { GrowingBytes, toBytes } = require('../../bytes')
const { ownOptionsOf, anything, positive, oneOf } = require('../../options')
const { Batches, Stream } = require('./arrow')
const { isSet } = require('../layout/bits')
const { geoMetadata } = require('../layout/geometry')
const { FORM, KIND, WORDS } = require('../layout/kinds')
const { parquetFor } = require('./optional')
const { ParquetFile } = require('./parquet-file')
const { madeOf } = require('../layout/table')

/** @typedef {import('../layout/column').Column} Column */

/** The most rows of a row group. */
const ROW_GROUP = 65_536

/**
 * About the most bytes of a row group in memory, without the last of its tables: the package holds one. And the most as
 * written, with that table: what is left over becomes a row group of its own, and each column costs some 0.1 ms in it.
 */
const ROW_GROUP_MEMORY = 16 * 1024 * 1024
const ROW_GROUP_BYTES = 24 * 1024 * 1024

/** About the largest row group for which the package has room, where a single value is that large: wasm has 4 GB. */
const TRAP_SIZE = 600e6

/** Bytes of a row, above which a row group has no statistics, which hold it twice: 800 MB for a text of 400 MB. */
const LONG_ROW = 1 << 20

/** Values of a column that the package writes at once: a fifth faster than with its own 1,024. */
const WRITE_BATCH = 8192

/** How many values to look at; a dictionary is made if the share of distinct ones is below the second number. */
const LOOKED_AT = 1000
const DICTIONARY_SHARE = 0.5

/**
 * The fewest values of a column, and the most columns, for which it is made. It takes 78 kB of the package's memory,
 * and V8 collects garbage whenever that grows: 20 rows of 10,000 columns take 13.8 s with dictionaries, 0.4 s without.
 */
const DICTIONARY_VALUES = 100
const DICTIONARY_COLUMNS = 1000

/** Values count as distinct by a hash of their last bytes: exactly, it takes 7 % of the time of 200 columns. */
const HASHED = 32
const HASHES = 8192

/** The package's names for compressions. */
const COMPRESSIONS = Object.freeze({
  none: 'UNCOMPRESSED', snappy: 'SNAPPY', gzip: 'GZIP', brotli: 'BROTLI', lz4: 'LZ4_RAW', zstd: 'ZSTD'
})

/** @typedef {import('../layout/table').Table} Table */

/**
 * @typedef {object} ParquetOptions
 * @property {keyof typeof COMPRESSIONS} [compression] default 'snappy'
 * @property {number} [rowGroupSize] the most rows of a row group; default 65,536
 * @property {any} [arrow] the package apache-arrow, if it cannot be loaded, as in a browser
 * @property {any} [parquet] the same for the package parquet-wasm
 */

const readOptions = ownOptionsOf('toParquet', {
  compression: oneOf(/** @type {(keyof typeof COMPRESSIONS)[]} */ (Object.keys(COMPRESSIONS)), 'snappy'),
  rowGroupSize: positive(ROW_GROUP),
  arrow: anything,
  parquet: anything
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
function toParquet(tables, options) {
  const own = readOptions(options)
  return madeOf(tables, 'toParquet', list => fileOf(list, own))
}

/** @returns {AsyncGenerator<Uint8Array, void, void>} */
async function* fileOf(tables, options) {
  const writer = await parquetWriter(options)
  const file = joining(writer)
  for await (const table of tables) {
    for (const batch of partsOf(writer.batchOf(table), writer.most)) {
      if (writer.isFullFor(batch)) yield* file.add(writer.end())
      writer.add(batch, table)
    }
  }
  if (writer.batches.length > 0) yield* file.add(writer.end())
  yield* file.end()
}

/** @param {ParquetWriter} writer of files @returns {import('../groups').Writer} of all of them as one */
function joining(writer) {
  const file = new ParquetFile()
  return {
    add: each => [file.add(each)],
    end() {
      if (file.size === 0) throw noColumn()
      return [file.end(writer.table.inner)]
    }
  }
}

/** What writers of parts share: an archive may have thousands of them, each of which takes a group at once. */
const shared = new GrowingBytes(0)

/**
 * Parquet in parts that threads make: each a file.
 *
 * @param {ParquetOptions} [options]
 * @param {Table} [empty] a table with the columns, for the footer
 */
async function parquetParts(options, empty = null) {
  const writer = await parquetWriter(readOptions(options), shared)
  writer.table = empty
  return {
    make(tables) {
      for (const table of tables) writer.add(writer.batchOf(table), table)
      return writer.end()
    },
    pack: part => part,
    unpack: bytes => bytes,
    writer: () => joining(writer)
  }
}

function noColumn() {
  return new BSONError('a Parquet file needs at least one column')
}

/** @throws {BSONError} when a package is not installed */
async function parquetWriter(options, out = new GrowingBytes(0)) {
  const { arrow, parquet } = options
  return new ParquetWriter(new Batches('toParquet', arrow), await parquetFor('toParquet', parquet), options, out)
}

/** Writes each row group as a file of its own, so that threads can share the work: it takes as long as all in one. */
class ParquetWriter {
  /** @param {Batches} maker @param {any} own the package @param {any} options @param {GrowingBytes} out to be used */
  constructor(maker, own, { compression, rowGroupSize }, out) {
    this.maker = maker
    this.own = own
    this.compression = COMPRESSIONS[compression]
    /** The most rows of a row group. */
    this.most = rowGroupSize
    this.stream = new Stream(maker.arrow, out)
    /** The first one, or another with its columns. @type {Table | null} */
    this.table = null
    this.properties = null
    this.clear()
  }

  clear() {
    /** Those of the row group. @type {import('apache-arrow').RecordBatch[]} */
    this.batches = []
    this.rows = 0
    this.size = 0
  }

  batchOf(table) {
    const batch = this.maker.of(table)
    if (table.inner.length === 0) throw noColumn()
    return batch
  }

  isFullFor(batch) {
    return this.rows > 0 && (this.rows + batch.numRows > this.most || this.size >= ROW_GROUP_MEMORY)
  }

  /** Copies a record batch, whose table may then be overwritten, into the row group. @throws {BSONError} */
  add(batch, table) {
    this.table ??= table
    if (this.batches.length === 0) {
      this.properties = propertiesOf(this.own, table, this.compression, this.most)
      this.stream.begin()
    }
    this.batches.push(batch)
    this.rows += batch.numRows
    this.size += batch.data.byteLength
    this.attempt(() => this.stream.add(batch))
  }

  /** @returns {Uint8Array} a Parquet file of the row group @throws {BSONError} when the package rejects it */
  end() {
    const { own, properties, size, rows } = this
    const statistics = own.EnabledStatistics[size > rows * LONG_ROW ? 'None' : 'Chunk']
    const file = this.attempt(() => {
      const table = own.Table.fromIPCStream(this.stream.end())
      return own.writeParquet(table, properties.setStatisticsEnabled(statistics).build())
    })
    this.clear()
    return file
  }

  /** @template T @param {() => T} work @returns {T} @throws {BSONError} that says what failed */
  attempt(work) {
    try {
      return work()
    } catch (cause) {
      const reason = cause?.name === 'RuntimeError' ? trapOf(this) : cause?.message ?? cause
      this.clear()
      throw new BSONError(`parquet-wasm could not write these columns: ${reason}`, { cause })
    }
  }
}

/** Why the package trapped, which by itself says no more than "unreachable": it has no room for a row group. */
function trapOf({ batches, size }) {
  const sizes = batches[0].schema.fields.map(({ name }, i) => {
    return { name, bytes: batches.reduce((sum, { data }) => sum + data.children[i].byteLength, 0) }
  })
  const { name, bytes } = sizes.reduce((a, b) => (a.bytes > b.bytes ? a : b))
  return `it ran out of memory on a row group of ${size} bytes, ${bytes} of them in the column ${shownName(name)}; ` +
    `it can hold about ${TRAP_SIZE / 1e6} MB: leave out that column, or write Arrow or CSV`
}

/** Parts of a record batch, which can be larger than the package's memory. */
function* partsOf(batch, rows) {
  if (batch.numRows <= rows) yield batch // a slice compares each field with all others
  else for (let row = 0; row < batch.numRows; row += rows) yield batch.slice(row, row + rows)
}

/** The package lets only top-level columns be set one by one; the nested ones all get what suits most of them. */
function propertiesOf(own, table, compression, rowGroupSize) {
  const geo = table.inner.filter(({ form }) => form === FORM.WKB).map(({ name }) => name)
  const nested = leavesOf(table.inner.flatMap(column => column.inner))
  const outer = table.inner.filter(column => column.inner.length === 0)
  const areMany = nested.length + outer.length > DICTIONARY_COLUMNS
  const isMost = !areMany && 2 * nested.filter(isRepetitive).length > nested.length
  const start = new own.WriterPropertiesBuilder().setCompression(own.Compression[compression])
    .setMaxRowGroupSize(rowGroupSize).setDictionaryEnabled(isMost)
    .setMaxRowGroupBytes(ROW_GROUP_BYTES).setWriteBatchSize(WRITE_BATCH)
    .setKeyValueMetadata(new Map(geo.length === 0 ? [] : [['geo', geoMetadata(geo)]]))
  return outer.filter(column => !areMany && isRepetitive(column) !== isMost)
    .reduce((builder, column) => builder.setColumnDictionaryEnabled(column.name, !isMost), start)
}

/** @param {Column[]} columns @returns {Column[]} those with values */
function leavesOf(columns) {
  return columns.flatMap(column => (column.inner.length === 0 ? [column] : leavesOf(column.inner)))
}

/** Whether the first values of a column are repetitive. */
function isRepetitive({ kind, memory, starts, validity, length }) {
  if (kind !== KIND.STRING && kind !== KIND.INT32 && kind !== KIND.INT64) return false
  const bytes = toBytes(memory)
  const width = 4 * WORDS[kind]
  const seen = new Uint8Array(HASHES)
  let values = 0
  let distinct = 0
  for (let row = 0; row < Math.min(LOOKED_AT, length); row++) {
    if (!isSet(validity, row)) continue
    const start = starts === null ? row * width : starts[row]
    const hash = hashOf(bytes, start, starts === null ? start + width : starts[row + 1])
    values++
    distinct += 1 - seen[hash]
    seen[hash] = 1
  }
  return values >= DICTIONARY_VALUES && distinct < DICTIONARY_SHARE * values
}

/** A hash of the last bytes. */
function hashOf(bytes, start, end) {
  let hash = end - start
  for (let i = Math.max(start, end - HASHED); i < end; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193)
  return ((hash >>> 15) ^ hash) & (HASHES - 1)
}

module.exports = { toParquet, parquetParts }
