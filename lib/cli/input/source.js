'use strict'

// The documents of the files as columns. Without a schema, a file is read twice, first to infer the types of its
// columns; for standard input and pipes, the first documents give the types.

const { BSONError, plural } = require('../../errors')
const { copyOf } = require('../../bytes')
const { isView } = require('../../dump/namespace')
const { quickValidate } = require('../../elements')
const { columnWork } = require('../tasks/column-work')
const { Input, isReadTwice, silently } = require('./input')
const { BAD_DATA, UsageError, asUsage, nameOf, placeIn, say: sayTo } = require('../terminal/messages')
const { shownPath } = require('../options')
const { Pool } = require('../tasks/pool')

const NOTHING = new Uint8Array(0)

/** About the bytes of documents that threads get at a time: half of the largest row group. */
const SHARED = 16 << 20

/** Bytes of documents that become a table, unless they are part of a row group. */
const TABLE = 4 << 20

/** Documents that tell the types of input that cannot be read twice, and the most bytes of them. */
const SAMPLED = { count: 10_000, size: 64 << 20 }

/**
 * @typedef {import('../tasks/column-work').ColumnPlan} ColumnPlan
 * @typedef {import('../tasks/column-work').FormatPlan} FormatPlan
 * @typedef {import('../../columns/groups').Group} Group
 * @typedef {InstanceType<typeof import('../../columns').ColumnStatistics>} ColumnStatistics
 * @typedef {import('../../dump/namespace').Namespace} Namespace
 * @typedef {import('../../columns/groups').Chunk & {namespace: Namespace, input: string}} Chunk `file`: with the
 *   collection, where the input has several
 *
 * @typedef {object} Table a table, or statistics, of documents
 * @property {string} key the same for all documents of it
 * @property {Chunk} [first] none if it is the only table
 * @property {boolean} isTogether whether no documents of another table are between those of this one
 * @property {InstanceType<typeof import('../../columns/threads').Reports>} reports
 * @property {InstanceType<typeof import('../../columns/threads').Groups> | Sample} [groups] of its documents
 * @property {{columns: ColumnPlan}} [plan] what threads do with each group
 * @property {Awaited<ReturnType<typeof columnWork>>} [work] does it
 * @property {import('../../columns/groups').Writer} [writer] of its file
 * @property {ColumnStatistics} [statistics] of its documents
 *
 * @typedef {{table: Table, part: any, isEmpty?: boolean}} Part `part`: null at the end of the table
 */

/** The documents of the files as columns. */
class Source {
  /**
   * @param {import('../commands').Context} context
   * @param {{isQuiet?: boolean, flat?: boolean}} [how] `isQuiet`: nothing is printed meanwhile; `flat`: lists are JSON
   */
  constructor(context, { isQuiet = false, flat = false } = {}) {
    const { options } = context
    const { columns } = require('../../columns')
    this.context = context
    const { fields, ...others } = options
    this.input = new Input({ ...context, options: others }, { isQuiet, fields, isAhead: true })
    const mixedTypes = /** @type {'json' | 'error'} */ (options['strict-types'] ? 'error' : 'json')
    const { ids = 'hex', decimals, unwind, json, geo } = options
    // the text of a decimal has all its digits, however many the first documents need
    const how = { ids, decimals: flat ? 'string' : decimals, unwind, json, geo, flat }
    asUsage(() => columns(NOTHING, how), '--')
    /** @type {import('../../columns').ColumnsOptions} */
    this.options = { ...how, fields, mixedTypes }
    this.schema = options.schema
    this.threads = options.workers
    /** Whether values were lost. */
    this.isLossy = false
    /** Threads, once there is work. @type {Pool | null} */
    this.pool = null
    /** What has read the files to find the types. @type {Input | null} */
    this.before = null
    /** Whether all documents go into one table. */
    this.isOne = context.targets.folder === null
  }

  get code() {
    return this.isLossy || this.input.isCut ? Math.max(BAD_DATA, this.input.code) : this.input.code
  }

  /** The pieces of the output of each table. @param {FormatPlan} format */
  async *written(format) {
    for await (const { table, part } of this.parts(format)) {
      if (part !== null) table.writer ??= table.work.writer()
      const pieces = part === null ? table.writer?.end() : table.writer.add(part)
      for (const piece of pieces ?? []) yield { of: table.first, piece }
    }
  }

  async *tables() {
    this.threads = 1 // tables stay where they are made
    for await (const { part } of this.parts()) yield* part ?? []
  }

  /** What threads make. @param {FormatPlan} [format] default: tables @returns {AsyncGenerator<Part, void>} */
  async *parts(format) {
    try {
      const types = await this.infer()
      const groups = this.groups(this.ofOne(this.chunks()), table => this.begin(table, types, format))
      for await (const part of this.results(groups)) {
        const isUnknown = part.isEmpty && this.isOne && this.input.isCut // not even the names of columns are known
        if (!isUnknown) yield part
      }
    } finally {
      await this.pool?.close()
    }
    if (this.before !== null) this.input.findShrunk(this.before)
    this.input.finish()
  }

  /** What occurs in all documents. */
  async allStatistics() {
    try {
      const [statistics] = (await this.statisticsOf(this.chunks(), 'schema', found => found)).values()
      this.input.finish()
      return statistics
    } finally {
      await this.pool?.close()
    }
  }

  /** The types of each table, from all its documents, if they are not given and the input can be read twice. */
  async infer() {
    if (!this.context.files.every(isReadTwice) || this.schema !== undefined) return new Map()
    const { GroupReader } = require('../../columns/threads')
    this.before = silently(this.context, this.input, { fields: undefined }, 'types of ')
    const reader = new GroupReader(this.options)
    return this.statisticsOf(this.ofOne(this.chunks(this.before)), 'statistics', found => reader.types(found).type)
  }

  /** What occurs in the documents of each table, as `take` gives it, by key. @param {AsyncIterable<Chunk>} chunks */
  async statisticsOf(chunks, task, take) {
    const { ColumnStatistics } = require('../../columns')
    const { Groups } = require('../../columns/threads')
    const job = await this.jobOf({ task, options: this.options, keepGoing: this.input.keepsGoing })
    const groups = this.groups(chunks, async table => Object.assign(table, job, { groups: new Groups(TABLE) }))
    const taken = new Map()
    for await (const { table, part } of this.results(groups)) {
      table.statistics ??= new ColumnStatistics()
      if (part !== null) table.statistics.take(part)
      else taken.set(table.key, take(table.statistics))
    }
    return taken
  }

  /**
   * Gives a table what makes its parts, once its types are known.
   *
   * @param {Map<string, any>} types by key; a missing one comes from the schema, or from the first documents
   */
  async begin(table, types, format) {
    const { GroupReader, Groups, groupOf, rowGroupOf } = require('../../columns/threads')
    const { options, schema, input: { keepsGoing: keepGoing } } = this
    const start = async type => {
      const { size, rows } = format?.name === 'parquet' ? rowGroupOf(type) : { size: TABLE, rows: undefined }
      const job = await this.jobOf({ task: 'parts', options, type, format, keepGoing })
      return Object.assign(table, job, { groups: new Groups(size, rows) }).groups
    }
    const given = asUsage(() => new GroupReader({ ...options, schema })).plan.type
    const known = types.get(table.key) ?? given
    if (known !== null) await start(known)
    else table.groups = new Sample((first, isPart) => {
      const reader = new GroupReader({ ...options, reject: keepGoing ? () => {} : undefined })
      return start(reader.sampled(groupOf(first), isPart).type)
    })
  }

  async jobOf(columns) {
    const isAwaited = columns.format !== undefined && this.threads === 1
    return { plan: { columns }, work: await columnWork(columns, isAwaited) }
  }

  /** Divides documents by table. @returns {AsyncGenerator<{job: Table, isEnd: true} | Group & {job: Table}, void>} */
  async *groups(chunks, begin) {
    const { Reports } = require('../../columns/threads')
    const { files, options } = this.context
    const isInOrder = !this.isOne && options.sort === undefined && new Set(files).size === files.length
    /** @type {Map<string, Table>} */
    const open = new Map()
    const openNew = async (key, first) => {
      const isTogether = isInOrder && first.namespace.file !== undefined
      open.set(key, { key, first, isTogether, reports: new Reports() })
      await begin(open.get(key))
    }
    const end = async function* (job) {
      open.delete(job.key)
      for await (const group of job.groups.end()) yield { ...group, job }
      yield { job, isEnd: true }
    }
    if (this.isOne) await openNew('')
    let job
    for await (const chunk of chunks) {
      const key = this.isOne ? '' : `${chunk.file}\0${chunk.namespace.name}`
      if (job?.isTogether && job.key !== key) yield* end(job)
      if (!open.has(key)) await openNew(key, chunk)
      job = open.get(key)
      for await (const group of job.groups.add(chunk)) yield { ...group, job }
    }
    for (const table of [...open.values()]) yield* end(table)
  }

  /** What all threads make of groups, in their order. When a table ends, says what was lost. */
  async *results(groups) {
    const { input } = this
    const known = this.context.options.match === undefined ? input.size() : 0
    this.pool ??= new Pool(null, null, this.threads, known, SHARED) // for all steps
    for await (const { block, result } of this.pool.results(/** @type {any} */ (groups))) {
      const { job: table, count, isEnd } = /** @type {any} */ (block)
      const { rejects, error, report, part, output } = /** @type {any} */ (result)
      if (isEnd) {
        this.say(table.reports.report, this.isOne ? '' : `${table.first.namespace.name}: `)
        yield { table, part: null }
        continue
      }
      await input.leaveOut(rejects)
      if (error !== null) throw new BSONError(error)
      if (report !== null) table.reports.add(report)
      yield { table, part: part ?? table.work.unpack(output), isEmpty: count === 0 }
    }
  }

  /** The documents that the options choose, file by file. @returns {AsyncGenerator<Chunk, void>} */
  async *chunks(input = this.input) {
    const probes = this.input.keepsGoing ? [this.probe()] : undefined
    for await (const { block, result: { output, count, places }, file } of input.results({ task: 'choose', probes })) {
      const { namespace, document, offset } = block
      const within = placeIn(file, block.from)
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

  /** Collections are put into one table only if they are named. @throws {UsageError} when a file has several */
  async *ofOne(chunks) {
    if (!this.isOne) return yield* chunks
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

  /** Reports what was lost. @param {import('../../columns/groups').Lost} report @param {string} before each message */
  say({ mismatches, replaced, farDates, withoutItems = 0 }, before) {
    const { files, io } = this.context
    const say = text => sayTo(io, before + text)
    if (withoutItems > 0) say(`${shownPath(this.context.options.unwind)}: ${plural(withoutItems, 'document')} without items left out`)
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

/** Keeps the first documents of a table until they tell its types. */
class Sample {
  /** @param {(first: Chunk[], isPart: boolean) => Promise<any>} begin returns the groups that take its place */
  constructor(begin) {
    this.begin = begin
    /** @type {Chunk[]} */
    this.chunks = []
    this.count = 0
    this.size = 0
  }

  async *add(chunk) {
    this.chunks.push({ ...chunk, bytes: copyOf(chunk.bytes) })
    this.count += chunk.count
    this.size += chunk.bytes.length
    if (this.count < SAMPLED.count && this.size < SAMPLED.size) return
    const groups = await this.begin(this.chunks, true)
    for (const each of this.chunks) yield* groups.add(each)
  }

  async *end() {
    const groups = await this.begin(this.chunks, false)
    for (const each of this.chunks) yield* groups.add(each)
    yield* groups.end()
  }
}

module.exports = { Source }
