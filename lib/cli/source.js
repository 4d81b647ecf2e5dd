'use strict'

// The documents of the files as columns. Without a schema, a file is read twice, first to infer the types of its
// columns; for standard input and pipes, the first documents give the types.

const { copyOf } = require('../bytes')
const { quickValidate } = require('../elements')
const { columnWork } = require('./column-work')
const { divide } = require('./feeds')
const { Input, isReadTwice, silently } = require('./input')
const { BAD_DATA, DocumentError, UsageError, asUsage, nameOf, plural, readFile, say } = require('./messages')
const { fieldsOf, workersOf } = require('./options')
const { Pool } = require('./pool')

const NOTHING = new Uint8Array(0)

/** Bytes of documents that become row groups together. */
const ROW_GROUPS = 8 << 20

/** Bytes of documents that become a table, unless they are part of a row group. */
const TABLE = 4 << 20

/** Documents that tell the types of input that cannot be read twice, and the most bytes of them. */
const SAMPLED = { count: 10_000, size: 64 << 20 }

/**
 * @typedef {import('./column-work').FormatPlan} FormatPlan
 * @typedef {import('../columns/groups').Group} Group
 * @typedef {InstanceType<typeof import('../columns/threads').ColumnTypes>} Types
 * @typedef {import('../columns/groups').Chunk & {namespace: import('../dump/namespace').Namespace}} Chunk
 */

/** The documents of the files as columns. */
class Source {
  /**
   * @param {import('./commands').Context} context
   * @param {{isQuiet?: boolean, flat?: boolean, workers?: number}} [how] `isQuiet`: nothing is printed meanwhile;
   *   `flat`: lists are JSON; `workers`: default one per core
   */
  constructor(context, { isQuiet = false, flat = false, workers } = {}) {
    const { options } = context
    const { columns } = require('../columns')
    this.context = context
    const { fields, ...others } = options
    this.input = new Input({ ...context, options: others }, { isQuiet, fields, isAhead: true })
    const mixedTypes = /** @type {'json' | 'error'} */ (options['strict-types'] ? 'error' : 'json')
    const { ids = 'hex', decimals, unwind } = options
    const [json, geo] = [fieldsOf(options, 'json'), fieldsOf(options, 'geo')]
    const how = { ids, decimals, unwind, json, geo, flat }
    asUsage(() => columns(NOTHING, how), '--')
    /** @type {import('../columns').ColumnsOptions} */
    this.options = { ...how, fields: fieldsOf(options, 'fields'), mixedTypes }
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

  /** @param {FormatPlan} format @returns {AsyncGenerator<Uint8Array, void>} the output */
  async *written(format) {
    try {
      const { work, parts } = await this.partsOfOne(format)
      yield* work.join(parts)
    } finally {
      await this.pool?.close()
    }
    this.input.finish()
  }

  /** @returns {AsyncGenerator<import('../columns').Table, void>} */
  async *tables() {
    this.threads = 1 // tables stay where they are made
    const { parts } = await this.partsOfOne()
    for await (const tables of parts) yield* tables
    this.input.finish()
  }

  /** The parts of the only table. @param {FormatPlan} [format] */
  async partsOfOne(format) {
    const types = await this.infer(chunks => this.inferred(this.ofOne(chunks)))
    return this.parts(this.ofOne(this.chunks()), types, format)
  }

  /**
   * The output of each collection. One thread makes it, because collections may alternate.
   *
   * @param {FormatPlan} format
   * @param {(of: Chunk, pieces: AsyncGenerator<Uint8Array, void>) => Promise<void>} work
   */
  async eachCollection(format, work) {
    this.threads = 1
    const keyOf = /** @param {Chunk} chunk */ ({ namespace, file }) => `${file}\0${namespace.name}`
    const types = await this.infer(chunks => divide(chunks, keyOf, own => this.inferred(own)))
    await divide(this.chunks(), keyOf, async (chunks, first) => {
      const { work: { join }, parts } = await this.parts(chunks, types?.get(keyOf(first)), format)
      await work(first, join(parts))
    })
    this.input.finish()
  }

  /**
   * The parts of an output, made by all threads.
   *
   * @param {AsyncIterable<Chunk>} chunks
   * @param {Types} [types] default: those of the schema, or of the first documents
   * @param {FormatPlan} [format] default: tables
   */
  async parts(chunks, types, format) {
    const { GroupReader, groupsOf } = require('../columns/threads')
    const { schema } = this
    const given = schema === undefined ? undefined : asUsage(() => new GroupReader({ ...this.options, schema }))
    const known = types?.type ?? given?.plan.type
    const size = format?.name === 'parquet' ? ROW_GROUPS : TABLE
    const { type, chunks: all } = known === undefined ? await this.sampled(chunks) : { type: known, chunks }
    /** @type {import('./column-work').ColumnPlan} */
    const plan = { task: 'parts', options: this.options, type, format, keepGoing: this.keepsGoing }
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
    return { type, chunks: followed(first, step.done ? null : iterator) }
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
    for await (const own of this.results(groupsOf(chunks, TABLE), plan, work, TABLE)) statistics.merge(own)
    return { reader, statistics }
  }

  /** What occurs in all documents. */
  async allStatistics() {
    try {
      const { statistics } = await this.statistics(this.chunks(), 'schema')
      this.input.finish()
      return statistics
    } finally {
      await this.pool?.close()
    }
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
      const { rejects, error, report, part, output } = /** @type {any} */ (result)
      if (rejects.length > 0) {
        input.rejects.add(rejects)
        input.code = Math.max(input.code, BAD_DATA)
      }
      if (error !== null) throw new DocumentError(error)
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
      const own = { document, offset, places, namespace, file: nameOf(file) }
      if (output !== null) yield { ...own, bytes: output, count }
      else if (namespace.type !== 'view') yield { ...own, bytes: NOTHING, count: 0 }
    }
  }

  /** @returns {import('./documents').Probe} whether a document can be read, as far as that is in doubt */
  probe() {
    const { columns } = require('../columns')
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
      if (first?.file !== chunk.file) first = chunk
      const [one, other] = [first.namespace.name, chunk.namespace.name]
      if (ns === undefined && one !== other) {
        const hint = table ? '' : ', or write a file for each with --out FOLDER/'
        throw new UsageError(`${chunk.file} has several collections, such as ${one} and ${other}: choose with --ns${hint}`)
      }
      yield chunk
    }
  }

  /** Reports what was lost. @param {import('../columns/groups').Lost} report */
  say({ mismatches, replaced, farDates, withoutItems = 0 }) {
    const { files, io } = this.context
    if (withoutItems > 0) say(io, `${this.options.unwind}: ${plural(withoutItems, 'document')} without items left out`)
    for (const { path, type, column, count, document, file } of mismatches) {
      this.isLossy ||= column !== null || this.schema === undefined
      const why = column === null ? 'the field has no column' : `the column is ${column}`
      const first = `first in document ${document}${files.length > 1 ? ` of ${file}` : ''}`
      say(io, `${path}: ${plural(count, 'value')} of type ${type} left out, because ${why} (${first})`)
    }
    for (const { path, count } of replaced) {
      this.isLossy = true
      say(io, `${path}: ${plural(count, 'value')} left out, because the name repeats in the document: the last one counts`)
    }
    for (const { path, count } of farDates) {
      say(io, `${path}: ${plural(count, 'date')} beyond the years that microseconds can hold: DuckDB and others refuse the column`)
    }
  }
}

/** @param {Chunk[]} first @param {AsyncIterator<Chunk> | null} rest @returns {AsyncGenerator<Chunk, void>} all */
async function* followed(first, rest) {
  try {
    yield* first
    for (let step = await rest?.next(); step && !step.done; step = await rest.next()) yield step.value
  } finally {
    await rest?.return?.()
  }
}

/** @param {Record<string, any>} options @throws {UsageError} when it cannot be read, or is not JSON */
function schemaOf({ schema }) {
  return schema === undefined ? undefined : asUsage(() => JSON.parse(readFile(schema).toString()), `${schema}: `)
}

module.exports = { Source }
