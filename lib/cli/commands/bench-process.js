'use strict'

// The processes of `qbson bench`: one compares the outputs of the libraries, each of the others times one operation of
// one library.

const { createRequire } = require('node:module')
const { BSONError } = require('../../errors')
const { openDump } = require('../../dump')
const { keysOf } = require('../options')

/** Bytes: of a longer file, only the beginning is used. */
const MAX_BYTES = 32 * 1024 * 1024

/** Milliseconds of CPU time for warming up and for a sample. */
const WARM_MS = 400
const SAMPLE_MS = 60

/**
 * @typedef {import('./bench').Plan} Plan
 * @typedef {import('../options/values').Path} Path
 * @typedef {{bson: any, qbson: any, json: any}} Libraries the loaded ones
 * @typedef {(item: any) => any} Work of one document
 */

/**
 * How each library performs an operation on a document; `from` makes the input, if that is not the bytes.
 *
 * @type {Record<string, {from?: (library: any, bytes: Uint8Array) => any,
 *   bson: (libraries: Libraries, field: Path) => Work, qbson: (libraries: Libraries, field: Path) => Work}>}
 */
const OPERATIONS = {
  decode: {
    bson: ({ bson }) => bytes => bson.deserialize(bytes),
    qbson: ({ qbson }) => bytes => qbson.deserialize(bytes)
  },
  encode: {
    from: (library, bytes) => library.deserialize(bytes),
    bson: ({ bson }) => document => bson.serialize(document),
    qbson: ({ qbson }) => document => qbson.serialize(document)
  },
  json: {
    bson: ({ bson }) => bytes => Buffer.from(JSON.stringify(bson.deserialize(bytes))),
    qbson: ({ json }) => bytes => json.bytes(bytes)
  },
  field: {
    bson: ({ bson }, field) => bytes => valueAt(bson.deserialize(bytes), keysOf(field)),
    qbson: ({ qbson }, field) => bytes => new qbson.RawDocument(bytes).get(field)
  }
}

/** @returns {{input: (document: Uint8Array) => any, work: Work}} `input` prepares a document, `work` is timed on it */
function operationOf(op, library, libraries, field) {
  const { from = (_, bytes) => bytes, [library]: workOf } = /** @type {any} */ (OPERATIONS[op])
  return { input: document => from(libraries[library], document), work: workOf(libraries, field) }
}

function valueAt(object, keys) {
  for (const key of keys) {
    if (typeof object !== 'object' || object === null || !Object.hasOwn(object, key)) return undefined
    object = object[key]
  }
  return object
}

/** Answers requests from the parent process until the parent ends this one. */
function listen() {
  process.on('message', async request => {
    const reply = await answer(request)
    if (process.connected) process.send(reply)
  })
  process.on('disconnect', () => process.exit())
}

/** @param {any} request a task by its name */
async function answer(request) {
  const [[name, task]] = Object.entries(request)
  try {
    return { result: await { check, prepare, sample: () => runFor(SAMPLE_MS) }[name](task) }
  } catch (error) {
    return { error: error.message, isData: error instanceof BSONError }
  }
}

/** @returns {any} */
function load({ libraries }, names) {
  const loadFile = createRequire(__filename)
  return Object.fromEntries(names.map(name => [name, loadFile(libraries[name])]))
}

/** The documents at the beginning of a file, each in its own memory, as if read from a network. @param {Plan} plan */
async function readDocuments({ file, skip, limit, maxDocumentSize }) {
  const documents = []
  let [seen, size] = [0, 0]
  for await (const batch of openDump(file, { maxDocumentSize }).batches()) {
    for (const document of batch) {
      size += document.length
      if (seen++ >= skip && documents.push(Buffer.from(document)) === limit) return documents
      if (size >= MAX_BYTES && documents.length > 0) return documents
    }
  }
  if (documents.length === 0) throw new BSONError('there is no document to time')
  return documents
}

function without(documents, indexes) {
  const set = new Set(indexes)
  return documents.filter((_, index) => !set.has(index))
}

// ---- comparing

/** @param {Plan} plan @throws {BSONError} when there is nothing to time @throws {Error} Node's own, about the file */
async function check(plan) {
  const libraries = load(plan, ['bson', 'qbson', 'json'])
  const documents = await readDocuments(plan)
  const field = plan.field ?? middleField(documents[0], libraries)
  const differences = compare(documents, libraries, field)
  const leaveOut = differences.map(({ index }) => index)
  const rest = without(documents, leaveOut)
  if (rest.length === 0) throw new BSONError(`no document is left: ${differences[0].text}`)
  const bytes = rest.reduce((sum, document) => sum + document.length, 0)
  return { documents: rest.length, bytes, field, leaveOut, first: differences[0]?.text }
}

/** @param {Uint8Array} document @param {Libraries} libraries @throws {BSONError} */
function middleField(document, { qbson }) {
  const { output, error } = outcome(() => Object.keys(qbson.deserialize(document)))
  if (error !== undefined) throw new BSONError(`document 1: ${error}`)
  const name = output[output.length >> 1] ?? '_id'
  return name.includes('.') ? [name] : name // a path that is text is found faster
}

/** The documents for which the outputs of an operation differ, by index, with a description of each difference. */
function compare(documents, libraries, field) {
  return documents.flatMap((document, index) => {
    for (const op of Object.keys(OPERATIONS)) {
      const [bson, qbson] = ['bson', 'qbson'].map(library => outcome(() => {
        const { input, work } = operationOf(op, library, libraries, field)
        return work(input(document))
      }))
      if (bson.error !== undefined && qbson.error !== undefined) throw new BSONError(`document ${index + 1}: ${qbson.error}`)
      const text = differenceOf(bson, qbson, libraries)
      if (text !== null) return [{ index, text: `document ${index + 1}, ${op}: ${text}` }]
    }
    return []
  })
}

/** @returns {string | null} how the outcomes differ, if they do */
function differenceOf(bson, qbson, libraries) {
  if (bson.error !== undefined) return `bson fails: ${bson.error}`
  if (qbson.error !== undefined) return `qbson fails: ${qbson.error}`
  // Objects are compared by the BSON qbson writes for them, so names, order, types and values count, not classes.
  const [one, other] = [bson, qbson].map(({ output }) => libraries.qbson.encode({ output }))
  return one.equals(other) ? null : 'the outputs differ'
}

/** @param {() => any} work @returns {{output?: any, error?: string}} */
function outcome(work) {
  try {
    return { output: work() }
  } catch (error) {
    return { error: error.message }
  }
}

// ---- timing

/** @type {{work: Work, items: any[], last: any}} */
let prepared

/** @param {{op: string, library: 'bson' | 'qbson', plan: Plan}} task */
async function prepare({ op, library, plan }) {
  const libraries = load(plan, library === 'bson' ? ['bson'] : ['qbson', 'json'])
  const { input, work } = operationOf(op, library, libraries, plan.field)
  prepared = { work, items: without(await readDocuments(plan), plan.leaveOut).map(input), last: undefined }
  runFor(WARM_MS)
}

/** Whole passes over the documents. @param {number} ms @returns {number} nanoseconds a document */
function runFor(ms) {
  const { work, items } = prepared
  const before = process.cpuUsage()
  for (let passes = 1; ; passes++) {
    for (let i = 0; i < items.length; i++) prepared.last = work(items[i]) // kept: not optimised away
    const { user, system } = process.cpuUsage(before)
    if (user + system >= ms * 1000) return ((user + system) * 1000) / (passes * items.length)
  }
}

module.exports = { listen, answer }
