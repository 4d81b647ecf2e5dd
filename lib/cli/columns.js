'use strict'

// Commands that write columns: to-arrow, to-parquet, to-csv. Without a schema, a file is read twice, first to infer the
// types of its columns; for standard input and pipes, the first documents give the types.

const fs = require('node:fs')
const { copyOf, getInt32 } = require('../bytes')
const { CHOOSING_OPTIONS, FOLDER_OPTIONS, READING_OPTIONS, BAD_DATA, UsageError, asUsage, countOf, only, reasonOf } = require('./options')
const { divide } = require('./feeds')
const { Input, isReadTwice, nameOf } = require('./input')
const { printable } = require('./printable')

/** Options of all three commands. @type {Record<string, import('./options').Option>} */
const COLUMN_OPTIONS = {
  schema: { type: 'string', value: 'FILE', help: 'the columns of a $jsonSchema, or of schema --statistics; default: all fields', isRead: true },
  json: { type: 'string', value: 'A,B.C', help: 'these fields as JSON text, whatever they hold' },
  unwind: { type: 'string', value: 'FIELD', help: 'a row for each item of this list, as $unwind' },
  'strict-types': { type: 'boolean', help: 'values of different types in one field are an error, not Extended JSON' },
  ...FOLDER_OPTIONS
}

const SHARED = [
  'ns', 'match', 'sort', 'fields', 'sample', 'seed', 'tail', 'ns-from', 'ns-to', 'range', 'name', 'keep-going', 'rejects',
  'search', 'replace-invalid'
]

/** How other programs get values that only BSON has. @type {Record<string, import('./options').Option>} */
const FORM_OPTIONS = {
  decimals: { type: 'string', value: 'HOW', help: 'decimal (default, with the digits they need), decimal(p,s), double, string, bytes' },
  ids: { type: 'string', value: 'HOW', help: 'ObjectIds and UUIDs as hex (default) or bytes' },
  geo: { type: 'string', value: 'FIELD', help: 'GeoJSON geometry as Well-Known Binary, and GeoParquet in Parquet' }
}

const GROUPS = [READING_OPTIONS, only(CHOOSING_OPTIONS, SHARED), COLUMN_OPTIONS]

/** @type {import('./commands').Command} */
const toArrow = {
  args: '[options] [FILE...]',
  about: 'write documents as columns of Apache Arrow (needs apache-arrow)',
  examples: [
    'qbson to-arrow --out people.arrow people.bson',
    'qbson to-arrow --stream --fields name,age --out people.arrows people.bson'
  ],
  options: { stream: { type: 'boolean', help: 'the IPC stream format; default: the file format' } },
  groups: [...GROUPS, FORM_OPTIONS],
  writesFolder: true,

  async *run(context) {
    const { toArrowIPC } = require('../columns')
    const format = context.options.stream ? 'stream' : 'file'
    return yield* send(context, '.arrow', tables => toArrowIPC(tables, { format }))
  }
}

const COMPRESSIONS = ['none', 'snappy', 'gzip', 'brotli', 'lz4', 'zstd']

/** @type {import('./commands').Command} */
const toParquet = {
  args: '[options] [FILE...]',
  about: 'write documents as Parquet (needs apache-arrow and parquet-wasm)',
  examples: [
    'qbson to-parquet --compression zstd --out people.parquet people.bson',
    'qbson to-parquet --out tables/ dump.archive'
  ],
  options: {
    compression: { type: 'string', value: 'NAME', help: 'none, snappy (default), gzip, brotli, lz4 or zstd' },
    'row-group': { type: 'string', value: 'N', help: 'rows in a row group (default 65536)' }
  },
  groups: [...GROUPS, FORM_OPTIONS],
  writesFolder: true,

  async *run(context) {
    const { toParquet: write } = require('../columns')
    const { compression } = context.options
    const rowGroupSize = countOf(context.options, 'row-group', undefined, 1)
    if (compression !== undefined && !COMPRESSIONS.includes(compression)) {
      throw new UsageError(`--compression must be one of ${COMPRESSIONS.join(', ')}, not ${JSON.stringify(compression)}`)
    }
    return yield* send(context, '.parquet', tables => write(tables, { compression, rowGroupSize }))
  }
}

/** @type {import('./commands').Command} */
const toCsv = {
  args: '[options] [FILE...]',
  about: 'write documents as CSV: a column for each field, a.b for one in a document',
  examples: [
    'qbson to-csv --fields name,age --out people.csv people.bson',
    'qbson to-csv --out tables/ dump.archive'
  ],
  options: {
    'csv-safe': { type: 'boolean', help: 'an apostrophe before text that spreadsheets take for a formula' }
  },
  groups: GROUPS,
  writesFolder: true,

  async *run(context) {
    const { csvBytes } = require('../columns')
    const { options } = context
    const isShown = options.out === undefined
    const style = { escapeFormulae: options['csv-safe'], escapeControls: isShown, fields: fieldsOf(options, 'fields') }
    return yield* send(context, '.csv', tables => csvBytes(tables, style))
  }
}

/**
 * @param {import('./commands').Context} context
 * @param {string} extension of files in a folder
 * @param {(tables: AsyncGenerator<any, void>) => AsyncGenerator<string | Uint8Array, void>} write
 * @returns {AsyncGenerator<string | Uint8Array, number>} what goes to the output; the exit code
 */
async function* send(context, extension, write) {
  const source = new Source(context, { flat: extension === '.csv' })
  const { folder, out } = context.targets
  if (folder === null && extension !== '.csv') out.refuseTerminal()
  if (folder === null) yield* write(source.tables())
  else await source.eachCollection(async ({ namespace, file }, tables) => {
    for await (const piece of write(tables)) await folder.write(namespace, file, { extension }, Buffer.from(piece))
  })
  return source.code
}

/** The documents of the files as tables. */
class Source {
  /**
   * @param {import('./commands').Context} context
   * @param {{isQuiet?: boolean, flat?: boolean}} [how] `isQuiet`: nothing is printed meanwhile; `flat`: lists are JSON
   */
  constructor(context, { isQuiet = false, flat = false } = {}) {
    const { options } = context
    this.context = context
    const { fields, ...others } = options
    this.input = new Input({ ...context, options: others }, { isQuiet, keeps: true, fields })
    const mixtures = /** @type {'json' | 'error'} */ (options['strict-types'] ? 'error' : 'json')
    const { ids = 'hex', decimals, unwind } = options
    const [json, geo] = [fieldsOf(options, 'json'), fieldsOf(options, 'geo')]
    const forms = checked({ ids, decimals, unwind, json, geo, flat })
    this.options = { ...forms, fields: fieldsOf(options, 'fields'), schema: schemaOf(options), mixtures, reject: this.rejecter() }
    /** Whether values were lost. */
    this.isLossy = false
  }

  get code() {
    return this.isLossy || this.input.isCut ? Math.max(BAD_DATA, this.input.code) : this.input.code
  }

  /** Takes broken documents, with --keep-going. */
  rejecter() {
    const { input } = this
    if (!this.context.options['keep-going']) return undefined
    return (error, bytes) => {
      input.rejects.add([{ message: error.message, bytes: copyOf(bytes) }])
      input.code = Math.max(input.code, BAD_DATA)
    }
  }

  /** @returns {AsyncGenerator<import('../columns').Table, void>} */
  async *tables() {
    const schema = await this.infer(chunks => this.inferred(ofOne(chunks, this.context.options)))
    yield* this.tablesOf(ofOne(chosen(this.input), this.context.options), schema)
  }

  /**
   * The tables of each collection.
   *
   * @param {(of: Chunk, tables: AsyncGenerator<import('../columns').Table, void>) => Promise<void>} work
   */
  async eachCollection(work) {
    const keyOf = /** @param {Chunk} chunk */ ({ namespace, file }) => `${file}\0${namespace.name}`
    const schemas = await this.infer(chunks => divide(chunks, keyOf, own => this.inferred(own)))
    await divide(chosen(this.input), keyOf, (chunks, first) => {
      return work(first, this.tablesOf(chunks, schemas?.get(keyOf(first))))
    })
  }

  /** @param {AsyncIterable<Chunk>} chunks @param {any} schema */
  async *tablesOf(chunks, schema = this.options.schema) {
    const { columns } = require('../columns')
    let report
    for await (const table of asUsage(() => columns(chunks, { ...this.options, schema }))) {
      report = table.report
      yield table
    }
    this.say(report)
  }

  /** @param {AsyncIterable<Chunk>} chunks */
  inferred(chunks) {
    const { inferColumns } = require('../columns')
    return inferColumns(chunks, { ...this.options, reject: this.options.reject && (() => {}) })
  }

  /**
   * Infers the types from all documents, if they are not given and the input can be read twice.
   *
   * @template T
   * @param {(chunks: AsyncIterable<Chunk>) => Promise<T>} work
   * @returns {Promise<T | undefined>}
   */
  async infer(work) {
    const { files, io, options } = this.context
    if (!files.every(isReadTwice) || this.options.schema !== undefined) return undefined
    const own = { ...options, fields: undefined, rejects: undefined }
    const silent = { ...io, stderr: { write: () => true } } // errors are reported on the second read
    const first = new Input({ ...this.context, io: silent, options: own }, { purpose: 'types of ', keeps: true })
    first.terminal = this.input.terminal
    return work(chosen(first))
  }

  /** Reports the values that did not fit. @param {import('../columns/report').Report} report */
  say({ misfits, replaced, farDates, withoutItems = 0 }) {
    const { files, io: { stderr } } = this.context
    if (withoutItems > 0) {
      const what = `${withoutItems} ${withoutItems === 1 ? 'document' : 'documents'} without items`
      stderr.write(`qbson: ${printable(`${this.options.unwind}: ${what} left out`)}\n`)
    }
    for (const { path, type, column, count, document, file } of misfits) {
      this.isLossy ||= column !== null || this.options.schema === undefined
      const what = `${count} ${count === 1 ? 'value' : 'values'} of type ${type}`
      const why = column === null ? 'left out, because the field has no column' : `left out, because the column is ${column}`
      const first = `first in document ${document}${files.length > 1 ? ` of ${file}` : ''}`
      stderr.write(`qbson: ${printable(`${path}: ${what} ${why} (${first})`)}\n`)
    }
    for (const { path, count } of replaced) {
      this.isLossy = true
      const what = `${count} ${count === 1 ? 'value' : 'values'} left out, because the name repeats in the document`
      stderr.write(`qbson: ${printable(`${path}: ${what}: the last one counts`)}\n`)
    }
    for (const { path, count } of farDates) {
      const what = `${count} ${count === 1 ? 'date' : 'dates'} beyond the years that microseconds can hold`
      stderr.write(`qbson: ${printable(`${path}: ${what}: DuckDB and others refuse the column`)}\n`)
    }
  }
}

/**
 * @typedef {object} Chunk documents
 * @property {() => Uint8Array[]} raw
 * @property {(index: number, at: number) => object} placeOf
 * @property {import('../dump/namespace').Namespace} namespace
 * @property {string} file
 */

/**
 * The documents that the options choose, file by file, in chunks that know their place in the file.
 *
 * @param {Input} input
 * @returns {AsyncGenerator<Chunk, void>}
 */
async function* chosen(input) {
  for await (const { block, result: { output, places }, file } of input.results({ task: 'choose' })) {
    const { namespace } = block
    if (output === null) {
      if (namespace.type !== 'view') yield { raw: () => [], placeOf: () => ({}), namespace, file }
      continue
    }
    const name = nameOf(file)
    const placeOf = places === undefined ? inBlock(block, name) : among(places, output, name)
    yield { raw: () => [output], placeOf, namespace, file }
  }
}

/**
 * Collections are put into one table only if they are named.
 *
 * @param {AsyncIterable<Chunk>} chunks
 * @param {Record<string, any>} options
 * @returns {AsyncGenerator<Chunk, void>}
 * @throws {UsageError} when a file has several
 */
async function* ofOne(chunks, { ns }) {
  let first
  for await (const chunk of chunks) {
    if (chunk.raw().length === 0) continue
    if (first?.file !== chunk.file) first = chunk
    const [one, other] = [first.namespace.name, chunk.namespace.name]
    if (ns === undefined && one !== other) {
      throw new UsageError(printable(`${nameOf(chunk.file)} has several collections, such as ${one} and ${other}: ` +
        'choose with --ns, or write a file for each with --out FOLDER/'))
    }
    yield chunk
  }
}

/** @param {import('../batch').Batch} block */
function inBlock({ document, offset }, file) {
  return (index, at) => ({ document: document + index + 1, offset: offset + at, file })
}

/**
 * @param {number[]} places of the chosen documents
 * @param {Uint8Array} output the chosen documents, one after another
 */
function among(places, output, file) {
  const starts = [0]
  const next = start => start + getInt32(output, start)
  return (index, at) => {
    while (starts.length <= index) starts.push(next(starts.at(-1)))
    return { document: places[2 * index], offset: places[2 * index + 1] + at - starts[index], file }
  }
}

/** @template T @param {T} forms @returns {T} @throws {UsageError} when they make no sense */
function checked(forms) {
  const { columns } = require('../columns')
  try {
    columns(new Uint8Array(0), forms)
    return forms
  } catch (error) {
    throw new UsageError(printable(`--${error.message}`))
  }
}

/** @param {Record<string, any>} options @param {string} option @returns {string[] | undefined} */
function fieldsOf(options, option) {
  const names = options[option]?.split(',').map(name => name.trim()).filter(name => name !== '')
  if (names?.length === 0) throw new UsageError(`--${option} needs names such as a,b.c`)
  return names
}

/** @param {Record<string, any>} options @throws {UsageError} when it cannot be read, or is not JSON */
function schemaOf({ schema }) {
  if (schema === undefined) return undefined
  let text
  try {
    text = fs.readFileSync(schema, 'utf8')
  } catch (error) {
    throw new UsageError(printable(`${schema}: ${reasonOf(error)}`))
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(printable(`${schema}: ${error.message}`))
  }
}

/**
 * What occurs in the documents that the options choose.
 *
 * @param {import('./commands').Context} context
 * @returns {Promise<{statistics: import('../columns').ColumnStatistics, code: number}>}
 */
async function surveyed(context) {
  const { columnStatistics } = require('../columns')
  const source = new Source(context, { isQuiet: true })
  const { reject } = source.options
  const statistics = await columnStatistics(chosen(source.input), { ...source.options, reject })
  return { statistics, code: source.code }
}

module.exports = { toArrow, toParquet, toCsv, Source, SHARED, surveyed }
