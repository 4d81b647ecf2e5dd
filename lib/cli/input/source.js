'use strict'

// The documents of the files as columns. Without a schema, a file is read twice, first to infer the types of its
// columns; for standard input and pipes, the first documents give the types.

const { BSONError } = require('../../errors')
const { copyOf } = require('../../bytes')
const { isView } = require('../../dump/namespace')
const { quickValidate } = require('../../elements')
const { columnWork } = require('../tasks/column-work')
const { Feed, divide } = require('./feeds')
const { Input, isReadTwice, silently } = require('./input')
const { BAD_DATA, UsageError, asUsage, inFile, nameOf, plural, readTextFile, say: sayTo } = require('../terminal/messages')
const { fieldsOf, workersOf } = require('../options')
const { Pool } = require('../tasks/pool')

const NOTHING = new Uint8Array(0)

/** About the bytes of documents that threads get at a time: half of the largest row group. */
const SHARED = 16 << 20

/** Bytes of documents that become a table, unless they are part of a row group. */
const TABLE = 4 << 20

/** Documents that tell the types of input that cannot be read twice, and the most bytes of them. */
const SAMPLED = { count: 10_000, size: 64 << 20 }

/**
 * @typedef {import('../tasks/column-work').FormatPlan} FormatPlan
 * @typedef {import('../../columns/groups').Group} Group
 * @typedef {InstanceType<typeof import('../../columns/threads').ColumnTypes>} Types
 * @typedef {InstanceType<typeof import('../../columns').ColumnStatistics>} ColumnStatistics
 * @typedef {import('../../dump/namespace').Namespace} Namespace
 * @typedef {import('../../columns/groups').Chunk & {namespace: Namespace, input: string}} Chunk `file`: with the
 *   collection, where the input has several
 *
 * @typedef {object} Job what threads do with groups of documents
 * @property {{columns: import('../tasks/column-work').ColumnPlan}} plan
 * @property {Awaited<ReturnType<typeof columnWork>>} work
 * @property {InstanceType<typeof import('../../columns/threads').Reports>} reports
 *
 * @typedef {Group & {job: Job, first?: Chunk}} SharedGroup `first`: of its collection
 * @typedef {{job: Job, groups: AsyncGenerator<SharedGroup, void>}} Share
 */

/** The documents of the files as columns. */
class Source {
  /**
   * @param {import('../commands').Context} context
   * @param {{isQuiet?: boolean, flat?: boolean, workers?: number}} [how] `isQuiet`: nothing is printed meanwhile;
   *   `flat`: lists are JSON; `workers`: default one per core
   */
  constructor(context, { isQuiet = false, flat = false, workers } = {}) {
    const { options } = context
    const { columns } = require('../../columns')
    this.context = context
    const { fields, ...others } = options
    this.input = new Input({ ...context, options: others }, { isQuiet, fields, isAhead: true })
    const mixedTypes = /** @type {'json' | 'error'} */ (options['strict-types'] ? 'error' : 'json')
    const { ids = 'hex', decimals, unwind } = options
    const [json, geo] = [fieldsOf(options, 'json'), fieldsOf(options, 'geo')]
    // the text of a decimal has all its digits, however many the first documents need
    const how = { ids, decimals: flat ? 'string' : decimals, unwind, json, geo, flat }
    asUsage(() => columns(NOTHING, how), '--')
    /** @type {import('../../columns').ColumnsOptions} */
    this.options = { ...how, fields: fieldsOf(options, 'fields'), mixedTypes }
    const { schema: file } = options
    this.schema = file === undefined ? undefined : asUsage(() => JSON.parse(readTextFile(file)), `${file}: `)
    this.threads = workersOf(options, workers)
    this.keepsGoing = Boolean(options['keep-going'])
    /** Whether values were lost. */
    this.isLossy = false
    /** Threads, once there is work. @type {Pool | null} */
    this.pool = null
    /** @type {Promise<Job> | undefined} */
    this.statisticsJob = undefined
  }

  get code() {
    return this.isLossy || this.input.isCut ? Math.max(BAD_DATA, this.input.code) : this.input.code
  }

  /** @param {FormatPlan} format @returns {AsyncGenerator<Uint8Array, void>} the output */
  async *written(format) {
    try {
      const { job, groups } = await this.onlyTable(format)
      const first = /** @type {SharedGroup} */ ((await groups.next()).value)
      const isNothing = this.input.isCut && first.count === 0 // not even the names of columns are known
      if (!isNothing) yield* job.work.join(this.partsOf(this.results(followed([first], groups)), job))
    } finally {
      await this.pool?.close()
    }
    this.input.finish()
  }

  /** @returns {AsyncGenerator<import('../../columns').Table, void>} */
  async *tables() {
    this.threads = 1 // tables stay where they are made
    const { job, groups } = await this.onlyTable()
    for await (const tables of this.partsOf(this.results(groups), job)) yield* tables
    this.input.finish()
  }

  /** @param {FormatPlan} [format] @returns {Promise<Share>} */
  async onlyTable(format) {
    const types = await this.infer(async chunks => {
      const { job, groups } = await this.statisticsOf(this.ofOne(chunks), 'statistics')
      return this.typesOf(this.partsOf(this.results(groups), job))
    })
    return this.tableOf(this.ofOne(this.chunks()), types, format)
  }

  /**
   * The output of each collection, made by all threads.
   *
   * @param {FormatPlan} format
   * @param {(of: Chunk, pieces: AsyncGenerator<Uint8Array, void>) => Promise<void>} write
   */
  async eachCollection(format, write) {
    try {
      const statistics = chunks => this.statisticsOf(chunks, 'statistics')
      const types = await this.infer(chunks => this.each(chunks, statistics, parts => this.typesOf(parts)))
      const table = (chunks, first) => this.tableOf(chunks, types?.get(keyOf(first)), format)
      await this.each(this.chunks(), table, (parts, { work }, first) => write(first, work.join(parts)))
    } finally {
      await this.pool?.close()
    }
    this.input.finish()
  }

  /**
   * Divides documents by collection, and what threads make of them.
   *
   * @template T
   * @param {AsyncIterable<Chunk>} chunks
   * @param {(chunks: AsyncIterable<Chunk>, first: Chunk) => Promise<Share>} shareOf
   * @param {(parts: AsyncGenerator<any, void>, job: Job, first: Chunk) => Promise<T>} take
   * @returns {Promise<Map<string, T>>} by `keyOf`
   */
  async each(chunks, shareOf, take) {
    /** @type {(results: AsyncIterable<any>, first: any) => Promise<T>} */
    const takeOne = (results, { job, first }) => take(this.partsOf(results, job, `${first.namespace.name}: `), job, first)
    const all = new Feed(groups => {
      return divide(this.results(groups), ({ first }) => keyOf(first), takeOne, ({ first }) => this.isTogether(first))
    })
    await divide(chunks, keyOf, async (own, first) => {
      const { job, groups } = await shareOf(own, first)
      for await (const group of groups) await all.put({ ...group, job, first })
    }, first => this.isTogether(first))
    return all.end()
  }

  /** Whether no chunk of another collection is between those of this one. @param {Chunk} chunk */
  isTogether({ namespace }) {
    const { files, options } = this.context
    return namespace.file !== undefined && options.sort === undefined && new Set(files).size === files.length
  }

  /**
   * The table of documents.
   *
   * @param {AsyncIterable<Chunk>} chunks
   * @param {Types} [types] default: those of the schema, or of the first documents
   * @param {FormatPlan} [format] default: tables
   * @returns {Promise<Share>}
   */
  async tableOf(chunks, types, format) {
    const { GroupReader, groupsOf, rowGroupOf } = require('../../columns/threads')
    const { schema } = this
    const given = schema === undefined ? undefined : asUsage(() => new GroupReader({ ...this.options, schema }))
    const known = types?.type ?? given?.plan.type
    const { type, chunks: all } = known === undefined ? await this.sampled(chunks) : { type: known, chunks }
    const job = await this.jobOf({ task: 'parts', options: this.options, type, format, keepGoing: this.keepsGoing })
    const { size, rows } = format?.name === 'parquet' ? rowGroupOf(type) : { size: TABLE, rows: undefined }
    return { job, groups: withJob(groupsOf(all, size, rows), job) }
  }

  /** What occurs in documents. @param {AsyncIterable<Chunk>} chunks @param {'statistics' | 'schema'} task */
  async statisticsOf(chunks, task) {
    const { groupsOf } = require('../../columns/threads')
    const plan = { task, options: this.options, keepGoing: this.keepsGoing }
    const job = await (this.statisticsJob ??= this.jobOf(plan))
    return { job, groups: withJob(groupsOf(chunks, TABLE), job) }
  }

  /** @param {import('../tasks/column-work').ColumnPlan} columns @returns {Promise<Job>} */
  async jobOf(columns) {
    const { Reports } = require('../../columns/threads')
    const isAwaited = columns.format !== undefined && this.threads === 1
    return { plan: { columns }, work: await columnWork(columns, isAwaited), reports: new Reports() }
  }

  /** The type of the first documents, and all chunks. @param {AsyncIterable<Chunk>} chunks */
  async sampled(chunks) {
    const { GroupReader, groupOf } = require('../../columns/threads')
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
    return { type, chunks: followed(first, step.done ? null : iterator) }
  }

  /** @param {AsyncIterable<ColumnStatistics>} parts */
  async merged(parts) {
    const { ColumnStatistics } = require('../../columns')
    const statistics = new ColumnStatistics()
    for await (const own of parts) statistics.merge(own)
    return statistics
  }

  /** @param {AsyncIterable<ColumnStatistics>} parts @returns {Promise<Types>} */
  async typesOf(parts) {
    const { GroupReader } = require('../../columns/threads')
    return new GroupReader(this.options).types(await this.merged(parts))
  }

  /** What occurs in all documents. */
  async allStatistics() {
    try {
      const { job, groups } = await this.statisticsOf(this.chunks(), 'schema')
      const statistics = await this.merged(this.partsOf(this.results(groups), job))
      this.input.finish()
      return statistics
    } finally {
      await this.pool?.close()
    }
  }

  /**
   * What all threads make of groups, in their order.
   *
   * @param {AsyncIterable<SharedGroup>} groups
   * @returns {AsyncGenerator<{part: any, job: Job, first?: Chunk}, void>}
   * @throws {BSONError} on a broken document
   */
  async *results(groups) {
    const { input } = this
    const known = this.context.options.match === undefined ? input.size() : 0
    this.pool ??= new Pool(null, null, this.threads, known, SHARED) // for all steps
    for await (const { block, result } of this.pool.results(/** @type {any} */ (groups))) {
      const { job, first } = /** @type {any} */ (block)
      const { rejects, error, report, part, output } = /** @type {any} */ (result)
      input.leaveOut(rejects)
      if (error !== null) throw new BSONError(error)
      if (report !== null) job.reports.add(report)
      yield { job, first, part: part ?? job.work.unpack(output) }
    }
  }

  /**
   * The parts among results of one job. In the end, reports what was lost.
   *
   * @param {AsyncIterable<{part: any}>} results
   * @param {Job} job
   * @param {string} [before] text before each message
   */
  async *partsOf(results, { reports }, before = '') {
    for await (const { part } of results) yield part
    this.say(reports.report, before)
  }

  /**
   * Infers the types from all documents, if they are not given and the input can be read twice.
   *
   * @template T
   * @param {(chunks: AsyncIterable<Chunk>) => Promise<T>} work
   * @returns {Promise<T | undefined>}
   */
  async infer(work) {
    if (!this.context.files.every(isReadTwice) || this.schema !== undefined) return undefined
    return work(this.chunks(silently(this.context, this.input, { fields: undefined }, 'types of ')))
  }

  /**
   * The documents that the options choose, file by file, in chunks that know their place in the file.
   *
   * @returns {AsyncGenerator<Chunk, void>}
   */
  async *chunks(input = this.input) {
    const probes = this.keepsGoing ? [this.probe()] : undefined
    for await (const { block, result: { output, count, places }, file } of input.results({ task: 'choose', probes })) {
      const { namespace, document, offset } = block
      const within = block.from === '' ? nameOf(file) : inFile(file, block.from)
      const own = { document, offset, places, namespace, input: nameOf(file), file: within }
      if (output !== null) yield { ...own, bytes: output, count }
      else if (!isView(namespace)) yield { ...own, bytes: NOTHING, count: 0 }
    }
  }

  /** @returns {import('../tasks/documents').Probe} whether a document can be read, as far as that is in doubt */
  probe() {
    const { columns } = require('../../columns')
    const options = /** @type {any} */ ({ ...this.options, mixedTypes: 'json', ...(this.schema && { schema: this.schema }) })
    return (buf, start, end) => {
      if (!quickValidate(buf, start, end)) columns(buf.subarray(start, end), options)
    }
  }

  /**
   * Collections are put into one table only if they are named.
   *
   * @param {AsyncIterable<Chunk>} chunks
   * @returns {AsyncGenerator<Chunk, void>}
   * @throws {UsageError} when a file has several
   */
  async *ofOne(chunks) {
    const { ns, table } = this.context.options
    let first
    for await (const chunk of chunks) {
      if (chunk.count === 0) continue
      if (first?.input !== chunk.input) first = chunk
      const [one, other] = [first.namespace.name, chunk.namespace.name]
      if (ns === undefined && one !== other) {
        const hint = table ? '' : ', or write a file for each with --out FOLDER/'
        throw new UsageError(`${chunk.input} has several collections, such as ${one} and ${other}: choose with --ns${hint}`)
      }
      yield chunk
    }
  }

  /**
   * Reports what was lost.
   *
   * @param {import('../../columns/groups').Lost} report
   * @param {string} before text before each message
   */
  say({ mismatches, replaced, farDates, withoutItems = 0 }, before) {
    const { files, io } = this.context
    const say = text => sayTo(io, before + text)
    if (withoutItems > 0) say(`${this.options.unwind}: ${plural(withoutItems, 'document')} without items left out`)
    for (const { path, type, column, count, document, file } of mismatches) {
      this.isLossy ||= column !== null || this.schema === undefined
      const why = column === null ? 'the field has no column' : `the column is ${column}`
      const first = `first in document ${document}${files.length > 1 ? ` of ${file}` : ''}`
      say(`${path}: ${plural(count, 'value')} of type ${type} left out, because ${why} (${first})`)
    }
    for (const { path, count } of replaced) {
      this.isLossy = true
      say(`${path}: ${plural(count, 'value')} left out, because the name repeats in the document: the last one counts`)
    }
    for (const { path, count } of farDates) {
      say(`${path}: ${plural(count, 'date')} beyond the years that microseconds can hold: DuckDB and others refuse the column`)
    }
  }
}

/** @param {Chunk} chunk @returns {string} the same for all chunks of a collection in a file */
function keyOf({ namespace, file }) {
  return `${file}\0${namespace.name}`
}

/** @param {AsyncIterable<Group>} groups @param {Job} job @returns {AsyncGenerator<SharedGroup, void>} */
async function* withJob(groups, job) {
  for await (const group of groups) yield { ...group, job }
}

/** @template T @param {T[]} first @param {AsyncIterator<T> | null} rest @returns {AsyncGenerator<T, void>} all */
async function* followed(first, rest) {
  try {
    yield* first
    for (let step = await rest?.next(); step && !step.done; step = await rest.next()) yield step.value
  } finally {
    await rest?.return?.()
  }
}

module.exports = { Source }
