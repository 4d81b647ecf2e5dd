'use strict'

// What options mean: types for documents, given or inferred, and tables of documents.

const { MAX_DOCUMENT_SIZE } = require('../spec')
const { ownOptionsOf, anything, callback, limit, positive, oneOf, truthy } = require('../options')
const { listPath, selectedBy, choose } = require('./layout/fields')
const { FORM_OPTIONS, inForm } = require('./layout/forms')
const { typeFromSchema } = require('./types/from-schema')
const { Inference } = require('./types/infer')
const { typeOf } = require('./types/type-of')
const { Reader } = require('./read/reader')
const { ColumnStatistics } = require('./types/statistics')

/** The most rows of a table of a stream. */
const ROWS = 65_536

/** Documents used to infer the types of a stream. */
const SAMPLE = 10_000

/** @typedef {import('./layout/table').Table} Table */
/** @typedef {ReturnType<typeof planOf>} Plan */

const OPTIONS = {
  rows: positive(ROWS),
  sample: positive(SAMPLE),
  mixedTypes: oneOf(['json', 'error']),
  fields: selectedBy,
  unwind: listPath,
  maxDocumentSize: limit(MAX_DOCUMENT_SIZE),
  reuse: truthy(false),
  schema: anything,
  reject: callback,
  ...FORM_OPTIONS
}

/** Functions that take these options. */
const readers = Object.fromEntries(['columns', 'inferColumns', 'columnStatistics'].map(owner => {
  return [owner, ownOptionsOf(owner, OPTIONS, { earlier: { mixtures: 'mixedTypes' } })]
}))

/** @param {any} [options] @param {'columns' | 'inferColumns' | 'columnStatistics'} [owner] */
function planOf(options, owner = 'columns') {
  const own = readers[owner](options)
  const { schema, fields: selection, mixedTypes, reject = null, ids, decimals, json, geo, flat, ...plan } = own
  const forms = { ids, decimals, json, geo, flat }
  const type = schema === undefined ? null : shaped(typeOfSchema(schema, { mixedTypes, forms }), { selection, forms })
  return { ...plan, type, forms, selection, mixedTypes, reject }
}

/** A type with the chosen fields, in the form that the options ask for. */
function shaped(type, { selection, forms }) {
  return inForm(choose(type, selection), forms)
}

function typeOfSchema(schema, options) {
  if (schema instanceof ColumnTypes) return schema.type
  if (schema instanceof ColumnStatistics) return schema.type(options)
  return ColumnStatistics.is(schema) ? ColumnStatistics.from(schema).type(options) : typeFromSchema(schema, options)
}

/** Inferred types of columns, for the option `schema` of `columns`. */
class ColumnTypes {
  /** @param {import('./layout/kinds').Type} type of the documents */
  constructor(type) {
    /** @internal */
    this.type = type
  }
}

/** One stays alive so that its compiled code does: see reader.js. */
const keptInference = new Inference(planOf())

/** @param {import('./read/runs').Run[]} runs of documents that will be read @param {boolean} isSample not all */
function infer(runs, plan, isSample) {
  const inference = new Inference(plan, true)
  for (const run of runs) {
    inference.add(run)
    if (plan.reject === null && inference.rejected > 0) break // this will be the error
  }
  return typeIn(inference.stats, plan, isSample)
}

/** The type of what was found, which is no longer valid. @param {import('../schema').DocumentStats} stats */
function typeIn({ root }, plan, isSample) {
  return shaped(typeOf(root, { ...plan, isSample }), plan)
}

/** The documents of runs, one a row. @param {Plan} plan @param {Reader} reader that reports those without rows */
function rowsOf({ unwind }, reader) {
  if (unwind === null) return run => [run]
  const unwinder = reader.unwind(unwind)
  return run => unwinder.runs(run)
}

/** Makes tables of a set number of rows. */
class Tables {
  constructor(type, plan, memory) {
    this.reader = new Reader(type, memory, plan.reject, plan.maxDocumentSize)
    this.rows = rowsOf(plan, this.reader)
    this.most = plan.rows
    /** Documents that the last table reports, with those that gave no row; -1 before the first. */
    this.reported = -1
  }

  /** @returns {Generator<Table, void>} those that are full */
  *add(run) {
    const { reader, most } = this
    for (const part of this.rows(run)) {
      for (let pos = part.start; pos < part.end; ) {
        pos = reader.read(part, pos, most)
        if (reader.row >= most || reader.isFull) yield this.take()
      }
    }
  }

  /** @param {any} [failure] that ended the source. Gives the last table, without rows if only its report is new. */
  *finish(failure) {
    this.reader.finish(failure)
    if (this.read !== this.reported) yield this.take()
  }

  take() {
    this.reported = this.read
    return this.reader.take()
  }

  /** Documents, also those left out. */
  get read() {
    return this.reader.count + (this.reader.unwinder?.empty ?? 0)
  }
}

module.exports = { planOf, ColumnTypes, keptInference, rowsOf, infer, typeIn, Tables }
