'use strict'

// Commands that write columns: to-arrow, to-parquet, to-csv. Without a schema, a file is read twice, first to infer the
// types of its columns; for standard input and pipes, the first documents give the types.

const fs = require('node:fs')
const { copyOf } = require('../bytes')
const { columnWork } = require('./column-work')
const { BAD_DATA, DocumentError, UsageError, asUsage, choiceOf, countOf, fieldsOf, only, reasonOf, workersOf } = require('./options')
const { CHOOSING_OPTIONS, FOLDER_OPTIONS, READING_OPTIONS } = require('./options')
const { divide } = require('./feeds')
const { Input, isReadTwice, nameOf } = require('./input')
const { Pool } = require('./pool')
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
  'ns', 'match', 'sort', 'fields', 'sample', 'seed', 'tail', 'ns-from', 'ns-to', 'range', 'offset', 'name', 'keep-going', 'rejects',
  'search', 'replace-invalid'
]

/** For the commands that work on large files. */
const THREADED = [...SHARED, 'workers']

/** How other programs get values that only BSON has. @type {Record<string, import('./options').Option>} */
const FORM_OPTIONS = {
  decimals: { type: 'string', value: 'HOW', help: 'decimal (default, with the digits they need), decimal(p,s), double, string, bytes' },
  ids: { type: 'string', value: 'HOW', help: 'ObjectIds and UUIDs as hex (default) or bytes' },
  geo: { type: 'string', value: 'FIELD', help: 'GeoJSON geometry as Well-Known Binary, and GeoParquet in Parquet' }
}

const GROUPS = [READING_OPTIONS, only(CHOOSING_OPTIONS, THREADED), COLUMN_OPTIONS]

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
    const format = context.options.stream ? 'stream' : 'file'
    return yield* send(context, '.arrow', { name: 'arrow', options: { format } })
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
    const rowGroupSize = countOf(context.options, 'row-group', undefined, 1)
    const compression = choiceOf(context.options, 'compression', COMPRESSIONS)
    return yield* send(context, '.parquet', { name: 'parquet', options: { compression, rowGroupSize } })
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
    const { options } = context
    const isShown = options.out === undefined
    const style = { escapeFormulae: options['csv-safe'], escapeControls: isShown, fields: fieldsOf(options, 'fields') }
    return yield* send(context, '.csv', { name: 'csv', options: style })
  }
}

/** Bytes of documents that become row groups together. */
const ROW_GROUPS = 8 << 20

/** Bytes of documents that become a table, unless they are part of a row group. */
const TABLE = 4 << 20

/** Documents that tell the types of input that cannot be read twice, and the most bytes of them. */
const SAMPLED = { count: 10_000, size: 64 << 20 }

/**
 * @typedef {import('./column-work').FormPlan} FormPlan
 * @typedef {import('../columns/groups').Group} Group
 * @typedef {InstanceType<typeof import('../columns/threads').ColumnTypes>} Types
 * @typedef {import('../columns/groups').Chunk & {namespace: import('../dump/namespace').Namespace}} Chunk
 */

/**
 * @param {import('./commands').Context} context
 * @param {string} extension of files in a folder
 * @param {FormPlan} form
 * @returns {AsyncGenerator<string | Uint8Array, number>} what goes to the output; the exit code
 */
async function* send(context, extension, form) {
  // a second thread takes 120 to 160 MB for Parquet, and gains less than one half
  const workers = form.name === 'parquet' ? 1 : undefined
  const source = new Source(context, { flat: form.name === 'csv', workers })
  const { folder, out } = context.targets
  if (folder === null && form.name !== 'csv') out.refuseTerminal()
  if (folder === null) yield* source.written(form)
  else await source.eachCollection(form, async ({ namespace, file }, pieces) => {
    for await (const piece of pieces) await folder.write(namespace, file, { extension }, piece)
  })
  return source.code
}

/** The documents of the files as columns. */
class Source {
  /**
   * @param {import('./commands').Context} context
   * @param {{isQuiet?: boolean, flat?: boolean, workers?: number}} [how] `isQuiet`: nothing is printed meanwhile;
   *   `flat`: lists are JSON; `workers`: default one per core
   */
  constructor(context, { isQuiet = false, flat = false, workers } = {}) {
    const { options } = context
    this.context = context
    const { fields, ...others } = options
    this.input = new Input({ ...context, options: others }, { isQuiet, fields })
    const mixedTypes = /** @type {'json' | 'error'} */ (options['strict-types'] ? 'error' : 'json')
    const { ids = 'hex', decimals, unwind } = options
    const [json, geo] = [fieldsOf(options, 'json'), fieldsOf(options, 'geo')]
    const forms = checked({ ids, decimals, unwind, json, geo, flat })
    /** @type {import('../columns').ColumnsOptions} */
    this.options = { ...forms, fields: fieldsOf(options, 'fields'), mixedTypes }
    this.schema = schemaOf(options)
    this.threads = workersOf(options, workers)
    this.keepsGoing = Boolean(options['keep-going'])
    /** Whether values were lost. */
    this.isLossy = false
    /** The threads, once there is work. @type {Pool | null} */
    this.pool = null
  }

  get code() {
    return this.isLossy || this.input.isCut ? Math.max(BAD_DATA, this.input.code) : this.input.code
  }

  /** @param {FormPlan} form @returns {AsyncGenerator<Uint8Array, void>} the output */
  async *written(form) {
    try {
      const types = await this.infer(chunks => this.inferred(ofOne(chunks, this.context.options)))
      yield* this.pieces(ofOne(chosen(this.input), this.context.options), types, form)
    } finally {
      await this.pool?.close()
    }
  }

  /** @returns {AsyncGenerator<import('../columns').Table, void>} */
  async *tables() {
    this.threads = 1 // tables stay where they are made
    const types = await this.infer(chunks => this.inferred(ofOne(chunks, this.context.options)))
    const { parts } = await this.parts(ofOne(chosen(this.input), this.context.options), types)
    for await (const tables of parts) yield* tables
  }

  /**
   * The output of each collection. One thread makes it, because collections may alternate.
   *
   * @param {FormPlan} form
   * @param {(of: Chunk, pieces: AsyncGenerator<Uint8Array, void>) => Promise<void>} work
   */
  async eachCollection(form, work) {
    this.threads = 1
    const keyOf = /** @param {Chunk} chunk */ ({ namespace, file }) => `${file}\0${namespace.name}`
    const types = await this.infer(chunks => divide(chunks, keyOf, own => this.inferred(own)))
    await divide(chosen(this.input), keyOf, (chunks, first) => {
      return work(first, this.pieces(chunks, types?.get(keyOf(first)), form))
    })
  }

  /** @param {AsyncIterable<Chunk>} chunks @param {Types | undefined} types @param {FormPlan} form */
  async *pieces(chunks, types, form) {
    const { work, parts } = await this.parts(chunks, types, form)
    yield* work.join(parts)
  }

  /**
   * The parts of an output, made by all threads.
   *
   * @param {AsyncIterable<Chunk>} chunks
   * @param {Types} [types] default: those of the schema, or of the first documents
   * @param {FormPlan} [form] default: tables
   */
  async parts(chunks, types, form) {
    const { GroupReader, groupsOf } = require('../columns/threads')
    const { schema } = this
    const given = schema === undefined ? undefined : asUsage(() => new GroupReader({ ...this.options, schema }))
    const known = types?.type ?? given?.plan.type
    const size = form?.name === 'parquet' ? ROW_GROUPS : TABLE
    const { type, chunks: all } = known === undefined ? await this.sampled(chunks) : { type: known, chunks }
    /** @type {import('./column-work').ColumnPlan} */
    const plan = { task: 'parts', options: this.options, type, form, keepGoing: this.keepsGoing }
    const work = await columnWork(plan)
    return { work, parts: this.results(groupsOf(all, size), plan, work, size) }
  }

  /** The type of the first documents, and all chunks. @param {AsyncIterable<Chunk>} chunks */
  async sampled(chunks) {
    const { GroupReader, groupOf } = require('../columns/threads')
    const iterator = chunks[Symbol.asyncIterator]()
    /** @type {Chunk[]} */
    const first = []
    let [count, size] = [0, 0]
    let step = { done: false, value: undefined }
    while (count < SAMPLED.count && size < SAMPLED.size) {
      step = /** @type {any} */ (await iterator.next())
      if (step.done) break
      first.push({ ...step.value, bytes: copyOf(step.value.bytes) })
      count += step.value.count
      size += step.value.bytes.length
    }
    const reader = new GroupReader({ ...this.options, reject: this.keepsGoing ? () => {} : undefined })
    const { type } = reader.sampled(groupOf(first), !step.done)
    return { type, chunks: step.done ? iterate(first) : followed(first, iterator) }
  }

  /** @param {AsyncIterable<Chunk>} chunks @returns {Promise<Types>} */
  async inferred(chunks) {
    const { reader, statistics } = await this.statistics(chunks, 'statistics')
    return reader.types(statistics)
  }

  /** What occurs in documents. @param {AsyncIterable<Chunk>} chunks @param {'statistics' | 'schema'} task */
  async statistics(chunks, task) {
    const { ColumnStatistics } = require('../columns')
    const { GroupReader, groupsOf } = require('../columns/threads')
    /** @type {import('./column-work').ColumnPlan} */
    const plan = { task, options: this.options, keepGoing: this.keepsGoing }
    const work = await columnWork(plan)
    const reader = new GroupReader(this.options)
    const statistics = new ColumnStatistics()
    const groups = groupsOf(chunks, TABLE)
    for await (const own of this.results(groups, plan, work, TABLE)) reader.merge(statistics, own)
    return { reader, statistics }
  }

  /**
   * What all threads make of groups, in their order. In the end, reports what was lost.
   *
   * @param {AsyncGenerator<Group, void>} groups
   * @param {import('./column-work').ColumnPlan} plan
   * @param {Awaited<ReturnType<typeof columnWork>>} work
   * @param {number} size of a group
   * @throws {DocumentError} on a broken document
   */
  async *results(groups, plan, work, size) {
    const { Reports } = require('../columns/threads')
    const { input } = this
    const pool = this.poolFor({ columns: plan }, work, size)
    const reports = new Reports()
    for await (const { result } of pool.results(/** @type {any} */ (groups))) {
      const { rejects, error, report, part, output } = resultOf(result)
      if (rejects.length > 0) {
        input.rejects.add(rejects)
        input.code = Math.max(input.code, BAD_DATA)
      }
      if (error !== null) throw new DocumentError(printable(error))
      if (report !== null) reports.add(report)
      yield part ?? work.unpack(output)
    }
    this.say(reports.report)
  }

  /** The threads, which all steps share; one thread needs none, and may work on several collections in turns. */
  poolFor(plan, work, size) {
    if (this.threads === 1) return new Pool(plan, work)
    const known = this.context.options.match === undefined ? this.input.size() : 0
    this.pool ??= new Pool(plan, work, this.threads, known, size)
    this.pool.change(plan, work, size)
    return this.pool
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
    if (!files.every(isReadTwice) || this.schema !== undefined) return undefined
    const own = { ...options, fields: undefined, rejects: undefined }
    const silent = { ...io, stderr: { write: () => true } } // errors are reported on the second read
    const first = new Input({ ...this.context, io: silent, options: own }, { purpose: 'types of ' })
    first.terminal = this.input.terminal
    return work(chosen(first))
  }

  /** Reports the values that did not fit. @param {import('../columns/groups').Lost} report */
  say({ mismatches, replaced, farDates, withoutItems = 0 }) {
    const { files, io: { stderr } } = this.context
    if (withoutItems > 0) {
      const what = `${withoutItems} ${withoutItems === 1 ? 'document' : 'documents'} without items`
      stderr.write(`qbson: ${printable(`${this.options.unwind}: ${what} left out`)}\n`)
    }
    for (const { path, type, column, count, document, file } of mismatches) {
      this.isLossy ||= column !== null || this.schema === undefined
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
 * The documents that the options choose, file by file, in chunks that know their place in the file.
 *
 * @param {Input} input
 * @returns {AsyncGenerator<Chunk, void>}
 */
async function* chosen(input) {
  for await (const { block, result: { output, count, places }, file } of input.results({ task: 'choose' })) {
    const { namespace, document, offset } = block
    const own = { document, offset, places, namespace, file: nameOf(file) }
    if (output !== null) yield { ...own, bytes: output, count }
    else if (namespace.type !== 'view') yield { ...own, bytes: NOTHING, count: 0 }
  }
}

const NOTHING = new Uint8Array(0)

/** @param {any} result @returns {import('./column-work').ColumnResult} */
function resultOf(result) {
  return result
}

/** @param {Chunk[]} chunks */
async function* iterate(chunks) {
  yield* chunks
}

/** @param {Chunk[]} first @param {AsyncIterator<Chunk>} iterator @returns {AsyncGenerator<Chunk, void>} all */
async function* followed(first, iterator) {
  try {
    yield* first
    for (let step = await iterator.next(); !step.done; step = await iterator.next()) yield step.value
  } finally {
    await iterator.return?.()
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
async function* ofOne(chunks, { ns, table }) {
  let first
  for await (const chunk of chunks) {
    if (chunk.count === 0) continue
    if (first?.file !== chunk.file) first = chunk
    const [one, other] = [first.namespace.name, chunk.namespace.name]
    if (ns === undefined && one !== other) {
      throw new UsageError(printable(`${chunk.file} has several collections, such as ${one} and ${other}: ` +
        `choose with --ns${table ? '' : ', or write a file for each with --out FOLDER/'}`))
    }
    yield chunk
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
async function statisticsOf(context) {
  const source = new Source(context, { isQuiet: true })
  try {
    const { statistics } = await source.statistics(chosen(source.input), 'schema')
    return { statistics, code: source.code }
  } finally {
    await source.pool?.close()
  }
}

module.exports = { toArrow, toParquet, toCsv, Source, SHARED, statisticsOf }
