'use strict'

// Documents as columns: typed arrays in the memory layout of Apache Arrow, filled from the bytes without making
// objects.

const { MIN_DOCUMENT_SIZE } = require('../spec')
const { getInt32 } = require('../bytes')
const { ClosableIterator } = require('../iterators')
const { toArrow, toArrowIPC } = require('./formats/arrow')
const { Column } = require('./layout/column')
const { toCSV } = require('./formats/csv')
const { Inference } = require('./types/infer')
const { Memory, Spare } = require('./layout/memory')
const { toParquet } = require('./formats/parquet')
const { ColumnTypes: Types, Tables, infer, typeIn, planOf, rowsOf } = require('./plan')
const { whereOf } = require('./read/documents')
const { Reader } = require('./read/reader')
const { RunSplitter, Runs, piecesOf } = require('./read/runs')
const { ColumnStatistics } = require('./types/statistics')
const { Table } = require('./layout/table')

/**
 * @typedef {object} ColumnsOptions
 * @property {any} [schema] a $jsonSchema that defines the columns, ColumnStatistics, or the result of `inferColumns`;
 *   default: inferred from the documents
 * @property {(string | string[])[]} [fields] paths of the fields to convert: `a.b`, or `['a.b']` for a name with a dot
 *   in it; default all
 * @property {number} [rows] the most rows of a table, if there are several; default 65,536, and fewer if there are more
 *   than 61 columns
 * @property {boolean} [flat] whether lists, and documents with dynamic keys, become Extended JSON text; default false
 * @property {'json' | 'error'} [mixedTypes] how to treat values of different types in one place: as Extended JSON text,
 *   or as an error; default 'json'
 * @property {number} [sample] documents used to infer the types of a stream; default 10,000
 * @property {string} [decimals] how other programs get decimals: `decimal(p,s)`, `double`, `string` or `bytes`; default
 *   `decimal`, with the digits that all of them need, if that is at most 38, and otherwise `string`
 * @property {'hex' | 'bytes'} [ids] how other programs get ObjectIds and UUIDs; default 'bytes'
 * @property {(string | string[])[]} [json] paths of fields that become one JSON text, whatever they hold; default none
 * @property {string | string[]} [unwind] the path of a list: a row for each of its items, as MongoDB's $unwind;
 *   default: a row for each document
 * @property {(string | string[])[]} [geo] names of fields with GeoJSON geometry: Well-Known Binary, and GeoParquet in
 *   Parquet; default none
 * @property {number} [maxDocumentSize] bytes; default 2,147,483,647
 * @property {boolean} [reuse] whether a table of a stream may be overwritten by the next one; default false
 * @property {(error: BSONError, bytes: Uint8Array) => void} [reject] called with each broken document, which is left
 *   out; default: the first one is an error
 */

/** @typedef {import('../errors').BSONError} BSONError */
/** @typedef {import('./plan').Plan} Plan */
/** @typedef {import('./plan').ColumnTypes} ColumnTypes a library declares what it makes of columns by this name */
/** @typedef {{raw(): Uint8Array[]}} Batch a batch of qbson/cursor */

/**
 * The columns of documents.
 *
 * @template {Record<string, any>} S
 * @param {S} source bytes of consecutive documents, an array of such bytes, or a batch of a cursor; or a stream, an
 *   iterable or an async iterable of chunks of bytes or of batches
 * @param {ColumnsOptions} [options]
 * @returns {S extends (Uint8Array | ArrayBufferLike | ArrayBufferView | Uint8Array[] | Batch) ? Table :
 *   AsyncGenerator<Table, void, void>} a table, or for a source that arrives in pieces several tables with a set number
 *   of rows
 * @throws {BSONError} on broken documents, with their number, offset and path; on a schema, fields or options that make
 *   no sense; on too many columns or too much memory
 */
function columns(source, options) {
  const plan = planOf(options)
  const pieces = piecesOf(source)
  // @ts-ignore: the type of the source tells which of the two it is
  if (pieces !== null) return tableOf(pieces, plan)
  const runs = new Runs(source, plan)
  // @ts-ignore
  return new ClosableIterator(() => tablesOf(runs, plan), () => runs.close())
}

/**
 * Infers the types from all documents of a stream that can be read twice, such as a file, so that every field has a
 * column, wherever it first occurs, and every value fits.
 *
 * @param {object} source as for `columns`
 * @param {ColumnsOptions} [options] as for `columns`, which takes the result as its schema
 * @returns {Promise<ColumnTypes>}
 * @throws {BSONError} as `columns` does
 */
async function inferColumns(source, options) {
  const plan = planOf(options, 'inferColumns')
  return new Types(typeIn((await statisticsOf(source, plan, true)).stats, plan, false))
}

/**
 * What occurs in the documents, which can be stored, merged with that of others, and passed to `columns` as its schema.
 *
 * @param {object} source as for `columns`
 * @param {ColumnsOptions} [options] as for `columns`
 * @returns {Promise<ColumnStatistics>}
 * @throws {BSONError} as `columns` does
 */
async function columnStatistics(source, options) {
  const plan = planOf(options, 'columnStatistics')
  return statisticsOf(source, plan, false)
}

/** @param {any} source @param {Plan} plan @param {boolean} isRead whether its documents will be read, too */
async function statisticsOf(source, plan, isRead) {
  const inference = new Inference(plan, isRead)
  const runs = new Runs(piecesOf(source) ?? source, plan)
  try {
    for (let run = await runs.next(); run !== null; run = await runs.next()) inference.add(run)
  } finally {
    await runs.close()
  }
  const { failure } = runs
  if (failure !== undefined && (failure.document === undefined || !isRead)) throw failure
  return new ColumnStatistics(inference.stats)
}

/** @param {Uint8Array[]} pieces @param {Plan} plan @returns {Table} */
function tableOf(pieces, plan) {
  const { runs, rows, failure } = pieces.length === 1 ? wholeOf(pieces[0]) : splitAll(pieces, plan)
  const type = plan.type ?? infer(runs, plan, false)
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const reader = new Reader(type, new Memory(plan.unwind === null ? rows : 0, size), plan.reject, plan.maxDocumentSize)
  const rowsIn = rowsOf(plan, reader)
  try {
    for (const run of runs) for (const part of rowsIn(run)) reader.read(part, part.start)
    reader.finish(failure)
  } catch (error) {
    reader.finish(error)
  }
  return reader.take()
}

/** Bytes of documents, checked only when read: walking over them first takes 15 % of the time. */
function wholeOf(bytes) {
  const run = { bytes, start: 0, end: bytes.length, base: 0, place: whereOf }
  return { runs: [run], rows: estimateRows(bytes), failure: undefined }
}

/** Documents used to estimate the number of all documents. */
const ESTIMATED = 200

/** @param {Uint8Array} bytes @returns {number} about how many documents it has */
function estimateRows(bytes) {
  let pos = 0
  let count = 0
  for (; count < ESTIMATED && bytes.length - pos >= MIN_DOCUMENT_SIZE; count++) {
    const size = getInt32(bytes, pos)
    if (size < MIN_DOCUMENT_SIZE || size > bytes.length - pos) break
    pos += size
  }
  return pos === bytes.length ? count : Math.ceil((bytes.length / Math.max(pos, 1)) * count * 1.02)
}

/** @param {Uint8Array[]} pieces @param {Plan} plan */
function splitAll(pieces, plan) {
  const splitter = new RunSplitter(plan)
  const runs = []
  let failure
  try {
    for (const piece of pieces) for (const run of splitter.runs(piece)) runs.push(run)
    splitter.end()
  } catch (error) {
    failure = error
  }
  return { runs, rows: splitter.count, failure }
}

/** @param {Runs} runs @param {Plan} plan @returns {AsyncGenerator<Table, void, void>} */
async function* tablesOf(runs, plan) {
  try {
    const type = plan.type ?? infer(await runs.sample(plan.sample), plan, !runs.isOver)
    const spare = plan.reuse ? new Spare() : null
    const tables = new Tables(type, plan, new Memory(0, 0, spare))
    for (let run = await runs.next(); run !== null; run = await runs.next()) {
      for (const table of tables.add(run)) {
        yield table
        spare?.reclaim()
      }
    }
    yield* tables.finish(runs.failure)
  } finally {
    await runs.close()
  }
}

module.exports = {
  columns, inferColumns, columnStatistics, ColumnStatistics, toArrow, toArrowIPC, toParquet, toCSV, Table, Column
}
