'use strict'

// Converts columns to those of the package apache-arrow, over the same memory.

const { GrowingBytes, copyOf } = require('../../bytes')
const { ownOptionsOf, anything, oneOf, truthy } = require('../../options')
const { KIND, FORM, ROWS, WORDS, byKind } = require('../layout/kinds')
const { arrowFor } = require('./optional')
const { SameColumns, madeOf, tablesIn } = require('../layout/table')

/** @typedef {import('../layout/table').Table} Table */

/** Arrow types by kind. */
const TYPE_OF = byKind(/** @type {Record<string, (arrow: any, column: any) => any>} */ ({
  null: ({ Null }) => new Null(),
  bool: ({ Bool }) => new Bool(),
  int32: ({ Int32 }) => new Int32(),
  int64: ({ Int64 }) => new Int64(),
  double: ({ Float64 }) => new Float64(),
  date: ({ TimestampMillisecond }) => new TimestampMillisecond('UTC'),
  timestamp: ({ Uint64 }) => new Uint64(),
  objectId: formOf,
  decimal128: formOf,
  uuid: formOf,
  string: ({ Utf8 }) => new Utf8(),
  json: formOf,
  binary: (own, { subtype }) => (subtype === null ? binaryStruct(own) : new own.Binary()),
  regex: structOf,
  struct: structOf,
  list: (own, { inner: [items] }) => new own.List(fieldOf(own, items)),
  map: mapOf
}))

/** The type of ids, decimals and JSON in their form. */
function formOf(own, { kind, form, precision, scale }) {
  if (form === FORM.DECIMAL) return new own.Decimal(scale, precision, 128)
  if (form === FORM.DOUBLE) return new own.Float64()
  if (form === FORM.WKB) return new own.Binary()
  if (form === FORM.HEX || form === FORM.STRING || kind === KIND.JSON) return new own.Utf8()
  return new own.FixedSizeBinary(4 * WORDS[kind])
}

/** A struct of bytes and their subtypes. */
function binaryStruct({ Struct, Field, Binary, Uint8 }) {
  return new Struct([new Field('subtype', new Uint8()), new Field('data', new Binary())])
}

function structOf(own, { inner }) {
  return new own.Struct(inner.map(column => fieldOf(own, column)))
}

function mapOf(own, { inner: [keys, values] }) {
  const key = new own.Field(keys.name, new own.Utf8(), false)
  return new own.Map_(new own.Field('entries', new own.Struct([key, fieldOf(own, values)]), false))
}

function fieldOf(own, column) {
  const { name, kind, form, subtype } = column
  const metadata = new Map()
  const { bson } = ROWS[kind]
  if (bson !== undefined) metadata.set('bson:type', bson)
  if (typeof subtype === 'number') metadata.set('bson:subtype', String(subtype))
  if (kind === KIND.UUID && form !== FORM.HEX) metadata.set('ARROW:extension:name', 'arrow.uuid').set('ARROW:extension:metadata', '')
  return new own.Field(name, TYPE_OF[kind](own, column), true, metadata)
}

/** The data of a column. Nothing is copied; only Extended JSON is made anew. @param {any} type of Arrow */
function dataOf(own, column, type) {
  const { kind, length, nullCount } = column
  const nullBitmap = column.validity ?? undefined
  const common = { type, length, nullCount, nullBitmap }
  if (kind === KIND.NULL) return countable(own, own.makeData({ type, length }))
  if (kind === KIND.BINARY && column.subtype === null) return varied(own, column, common)
  if (kind === KIND.STRUCT || kind === KIND.REGEX) {
    return own.makeData({ ...common, children: childrenOf(own, column, type) })
  }
  const { values: data, offsets: valueOffsets } = column
  if (kind === KIND.LIST) return own.makeData({ ...common, valueOffsets, child: childrenOf(own, column, type)[0] })
  if (kind === KIND.MAP) return own.makeData({ ...common, valueOffsets, child: entriesOf(own, column, type) })
  return own.makeData(valueOffsets === null ? { ...common, data } : { ...common, data, valueOffsets })
}

/**
 * Gives columns of nulls the validity bits that Arrow does not write, and the package does not read: it uses them to
 * count nulls in a part of the column, and writes -1 without them. `own`: the package.
 */
function countable({ DataType }, data) {
  if (DataType.isNull(data.type)) data.nullBitmap = new Uint8Array((data.length + 7) >> 3)
  for (const child of data.children) countable({ DataType }, child)
  return data
}

function childrenOf(own, { inner }, { children }) {
  return inner.map((column, i) => dataOf(own, column, children[i].type))
}

/** The keys and values of maps: a struct without nulls. */
function entriesOf(own, column, type) {
  const entries = type.children[0].type
  const length = column.offsets[column.length]
  return own.makeData({ type: entries, length, nullCount: 0, children: childrenOf(own, column, entries) })
}

function varied(own, { memory, starts, subtypes, length }, common) {
  const [subtype, data] = common.type.children
  const bytes = { type: data.type, length, nullCount: 0, data: memory, valueOffsets: starts }
  const children = [own.makeData({ type: subtype.type, length, nullCount: 0, data: subtypes }), own.makeData(bytes)]
  return own.makeData({ ...common, children })
}

/** Makes record batches of tables with the same columns. */
class Batches {
  /** @param {string} what needs them @param {any} [arrow] the package */
  constructor(what, arrow) {
    this.arrow = arrowFor(what, arrow)
    this.schema = null
    this.same = new SameColumns(what)
  }

  /** @throws {BSONError} on different columns */
  of(table) {
    const { arrow: own } = this
    const { rows, inner } = this.same.checked(table)
    const schema = this.schema ??= new own.Schema(inner.map(column => fieldOf(own, column)))
    const type = new own.Struct(schema.fields)
    const children = inner.map((column, i) => dataOf(own, column, schema.fields[i].type))
    // the package would compare each field with all others, and copy it
    const given = Object.assign(new own.Schema(schema.fields), { assign: () => schema })
    return new own.RecordBatch(given, own.makeData({ type, length: rows, nullCount: 0, children }))
  }
}

const packageOf = ownOptionsOf('toArrow', { arrow: anything })

/**
 * A table of the package apache-arrow, over the same memory: only Extended JSON is made anew.
 *
 * @param {Table | Iterable<Table>} tables one, or several with the same columns
 * @param {{arrow?: any}} [options] the package, if it cannot be loaded, as in a browser
 * @returns {import('apache-arrow').Table}
 * @throws {BSONError} when apache-arrow is not installed, or the columns of a table differ from the first table's
 */
function toArrow(tables, options) {
  const batches = new Batches('toArrow', packageOf(options).arrow)
  const list = Array.from(tablesIn(tables, 'toArrow', false), table => batches.of(table))
  return new batches.arrow.Table(list)
}

const readOptions = ownOptionsOf('toArrowIPC', { format: oneOf(['stream', 'file']), reuse: truthy(false), arrow: anything })

/**
 * Tables as bytes in Arrow's IPC format, for other programs.
 *
 * @param {Table | Iterable<Table> | AsyncIterable<Table>} tables with the same columns
 * @param {{format?: 'stream' | 'file', reuse?: boolean, arrow?: any}} [options] default 'stream'; 'file' is also known
 *   as Feather; `reuse`: whether bytes may be overwritten by the next, default false; the package apache-arrow, if it
 *   cannot be loaded, as in a browser
 * @returns {AsyncGenerator<Uint8Array, void, void>} requests each table when the bytes of the last one have been taken
 * @throws {BSONError} when apache-arrow is not installed, or the columns of a table differ from the first table's
 */
function toArrowIPC(tables, options) {
  const { format, reuse, arrow } = readOptions(options)
  const batches = new Batches('toArrowIPC', arrow)
  return madeOf(tables, 'toArrowIPC', list => written(list, batches, ipcWriter(format, batches.arrow, reuse)))
}

async function* written(tables, batches, writer) {
  for await (const table of tables) yield* writer.add([batches.of(table)])
  yield* writer.end()
}

/** @param {any} own the package @param {boolean} isReused whether a piece may overwrite the one before */
function ipcWriter(format, own, isReused) {
  const out = new GrowingBytes(0)
  /** @type {Uint8Array[]} */
  const parts = []
  const writer = writerTo(bytes => parts.push(bytes), format, own)
  return {
    *add(batches) {
      for (const batch of batches) {
        writer.write(batch)
        yield* piecesOf(parts.splice(0), out, isReused)
      }
    },
    *end() {
      writer.close()
      yield* piecesOf(parts, out, isReused)
    }
  }
}

/** @param {(bytes: Uint8Array) => void} write @param {'stream' | 'file'} format @param {any} own the package */
function writerTo(write, format, { RecordBatchStreamWriter, RecordBatchFileWriter, AsyncByteQueue }) {
  // its own takes a promise for each of up to 1,000 parts of a table
  const sink = Object.assign(new AsyncByteQueue(), { write })
  return (format === 'file' ? new RecordBatchFileWriter() : new RecordBatchStreamWriter()).reset(sink)
}

/** The most bytes of memory that is kept for the next IPC stream. */
const MOST_KEPT = 32 * 1024 * 1024

/**
 * Record batches as an IPC stream, in memory that the next one overwrites: V8 collects garbage for each few MB of new
 * memory.
 */
class Stream {
  /** @param {any} own the package @param {GrowingBytes} out */
  constructor(own, out) {
    this.own = own
    this.out = out
  }

  begin() {
    this.out.pos = 0
    this.writer = writerTo(bytes => this.out.copy(bytes, 0, bytes.length), 'stream', this.own)
  }

  /** Copies a record batch. */
  add(batch) {
    this.out.reserve(batch.data.byteLength)
    this.writer.write(batch)
  }

  /** @returns {Uint8Array} all of it; the next one overwrites it */
  end() {
    this.writer.close()
    const { bytes } = this.out
    if (bytes.length > MOST_KEPT) this.out.release()
    return bytes
  }
}

/** Parts of at least this many bytes are not copied. */
const LARGE_PART = 65_536

/** The most bytes of small parts that are joined. */
const JOINED = 1024 * 1024

/** Joins small parts, for each piece takes a call to write it. @param {GrowingBytes} out overwritten by each piece */
function* piecesOf(parts, out, isReused) {
  const joined = () => {
    const { bytes } = out
    out.pos = 0
    return isReused ? bytes : copyOf(bytes, 0, bytes.length)
  }
  for (const part of parts) {
    const isLarge = part.length >= LARGE_PART
    if (out.pos > 0 && (isLarge || out.pos + part.length > JOINED)) yield joined()
    if (isLarge) yield part
    else out.copy(part, 0, part.length)
  }
  if (out.pos > 0) yield joined()
}

/** The part of the output that is being written. */
const unpacked = new GrowingBytes(0)

/**
 * Arrow in parts that threads make: record batches, which travel as IPC streams.
 *
 * @param {Parameters<typeof toArrowIPC>[1]} options
 * @param {Table} empty a table with the columns
 */
function arrowParts(options, empty) {
  const { format, reuse, arrow } = readOptions(options)
  const batches = new Batches('toArrowIPC', arrow)
  const { schema } = batches.of(empty)
  const { RecordBatch, RecordBatchReader, Table: ArrowTable, tableToIPC } = batches.arrow
  // TextDecoder rejects shared memory, and the package takes the types that it has read for other ones
  const unpack = bytes => {
    unpacked.pos = 0
    unpacked.copy(bytes, 0, bytes.length)
    const read = RecordBatchReader.from(unpacked.bytes)
    return Array.from(read, ({ data }) => new RecordBatch(schema, countable(batches.arrow, data)))
  }
  return {
    isView: true,
    make: tables => tables.map(table => batches.of(table)),
    pack: part => tableToIPC(new ArrowTable(part), 'stream'),
    unpack,
    writer: () => ipcWriter(format, batches.arrow, reuse)
  }
}

module.exports = { toArrow, toArrowIPC, Batches, arrowParts, Stream }
