'use strict'

const os = require('node:os')
const path = require('node:path')
const { kinds, BSON_ONLY } = require('../data/documents')
const { documents: schemas } = require('../data/schemas')
const { prepare, moduleOf, documentsOf, bytesOf, meanBytes, marksWithin } = require('../data/first')
const { load, loadQbson } = require('../contenders')
const { checkBytes, checkSame } = require('../check')
const { PACKAGES, timesOf } = require('../runner/bare')
const { KEPT } = require('../runner/codec')
const { pin } = require('../runner/machine')
const { shareCharts, shareTables, startTable } = require('../runner/shares')
const { packInto } = require('../runner/sizes')

const names = ['bson', 'msgpackr', 'JSON bytes', 'qbson']

/** The contender whose format another contender decodes. */
const FORMAT = { qbson: 'bson', 'qbson compiled': 'bson' }

/** Codecs compiled ahead of time; these, and bson compared with them, are loaded after the clock has started. */
const COMPILED = 'qbson compiled'

/** The marks end before this many bytes: see marksWithin(). */
const BYTES = { quick: 3e6, normal: 30e6, thorough: 120e6 }

/** The options that the official driver passes, in a new object for every document that it reads. */
const DRIVER_READS = {
  fieldsAsRaw: {}, useBigInt64: false, promoteLongs: true, promoteValues: true, promoteBuffers: false,
  bsonRegExp: false, raw: false, validation: { utf8: { writeErrors: false } }
}
const DRIVER_WRITES = { checkKeys: false, serializeFunctions: false }

/**
 * The options in most programs: those that the driver always sets, and the option that its users set most, for 64-bit
 * integers and for undefined fields.
 */
const OPTIONS = {
  encode: {
    'the driver': () => ({ ...DRIVER_WRITES, ignoreUndefined: false }),
    ignoreUndefined: () => ({ ...DRIVER_WRITES, ignoreUndefined: true })
  },
  decode: {
    'the driver': () => ({ ...DRIVER_READS, index: 0, allowObjectSmallerThanBufferSize: true }),
    useBigInt64: () => ({ ...DRIVER_READS, useBigInt64: true, index: 0, allowObjectSmallerThanBufferSize: true })
  }
}

/** --quick measures these only. */
const QUICK = ['order', 'event', 'mixed']

/** These are also measured on all cores, where compilation and collection run in parallel. */
const ON_ALL = ['order', 'event', 'mixed']

/** Every seventh document is checked. */
const CHECKED = 7

const START = 'require'

function cases(mode) {
  const isQuick = mode.name === 'quick'
  const timed = ['encode', 'decode'].flatMap(op => [
    ...(isQuick ? QUICK : [...kinds, 'mixed']).flatMap(subject => names.map(contender => ({ subject, op, contender, prefix: pin }))),
    ...Object.keys(OPTIONS[op]).flatMap(option => ['bson', 'qbson'].map(contender => {
      return { subject: `mixed, ${option}`, op, option, contender, prefix: pin }
    })),
    ...(isQuick || os.availableParallelism() < 2 ? [] : ON_ALL).flatMap(kind => names.map(contender => {
      return { subject: `${kind}, all cores`, op, kind, contender }
    }))
  ])
  const loading = (isQuick ? [QUICK[0]] : Object.keys(schemas)).flatMap(kind => ['bson', COMPILED].map(contender => {
    return { subject: `${kind}, compiled, with loading`, op: 'decode', kind, contender, prefix: pin, isLoading: true }
  }))
  const able = timed.filter(({ subject, contender }) => load(contender, {}).bson || !BSON_ONLY.includes(subject))
  const start = Object.keys(PACKAGES).map(contender => ({ subject: START, op: START, contender, prefix: pin }))
  return [...able, ...loading, ...start].map(item => ({ ...item, flags: ['--expose-gc'] }))
}

/** The contender's function; with options, it is `serialize` or `deserialize`. */
function operationOf({ op, option, contender, kind }, { cache }) {
  if (contender === COMPILED) return require(moduleOf(cache, kind))[op]
  if (!option) return load(contender, {})[op]
  const { serialize, deserialize } = contender === 'bson' ? require('bson') : loadQbson()
  const makeOptions = OPTIONS[op][option]
  return op === 'encode' ? doc => serialize(doc, makeOptions()) : bytes => deserialize(bytes, makeOptions())
}

function prepareCase(item, mode) {
  if (item.subject === START) return { measure: () => measureStart(item.contender, mode) }
  const { op, contender, kind = item.subject } = item
  const bytes = bytesOf(kind, FORMAT[contender] ?? contender, mode.cache)
  const inputs = op === 'encode' ? documentsOf(kind, load(contender, {}).types, mode.cache) : bytes
  return {
    measure: () => measure(item, inputs, mode),
    check: () => check({ ...item, kind }, inputs, mode)
  }
}

function inPage({ subject }, mode) {
  const documents = documentsOf(subject, load('bson', {}).types, mode.cache)
  return { marks: marksOf(subject, mode), lists: [{ subject, documents }] }
}

const marksOf = (kind, { name, cache }) => marksWithin(BYTES[name], bytesOf(kind, 'bson', cache))

/** Bytes of BSON per turn of a contender. */
const SLICE = 1 << 18

function processorTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1e3
}

/** Node has `gc` with `--expose-gc`; Deno has neither function. */
function collect() {
  const { gc, Bun } = /** @type {any} */ (globalThis)
  if (gc) gc()
  else Bun?.gc(true)
}

/** Nanoseconds per document over the first documents of this process, up to each mark, with all its threads. */
function measure(item, inputs, mode) {
  const kind = item.kind ?? item.subject
  const marks = marksOf(kind, mode)
  const slice = Math.ceil(SLICE / meanBytes(bytesOf(kind, 'bson', mode.cache)))
  const loaded = item.isLoading ? undefined : operationOf(item, mode)
  const kept = new Array(KEPT).fill(null)
  collect()
  mode.turn?.()
  let done = 0
  const start = processorTime()
  const operate = loaded ?? operationOf(item, mode)
  return marks.map(mark => {
    for (; done < mark; done++) {
      if (done % slice === 0) mode.turn?.()
      kept[done % KEPT] = operate(inputs[done % inputs.length])
    }
    return { op: `${item.op}, first ${mark}`, ns: (processorTime() - start) / mark, extra: { op: item.op, mark } }
  })
}

/** Checks that bytes and values equal those of bson with the same options; for other formats, the originals. */
function check(item, inputs, mode) {
  const { op, contender, kind } = item
  const { bson, decode } = load(contender === COMPILED ? 'qbson' : contender, {})
  const operate = operationOf(item, mode)
  const reference = operationOf({ ...item, contender: 'bson' }, mode)
  const given = documentsOf(kind, load(bson ? 'bson' : contender, {}).types, mode.cache)
  for (let i = 0; i < inputs.length; i += CHECKED) {
    const result = operate(inputs[i])
    const what = `${kind}, document ${i}`
    if (!bson) checkSame(op === 'encode' ? decode(result) : result, given[i], what)
    else if (op === 'encode') checkBytes(result, reference(given[i]), what)
    else checkSame(result, reference(inputs[i]), what)
  }
}

/** Nanoseconds from before `require` until the first document is written, and until it is read. */
function measureStart(contender, { cache }) {
  const from = contender === 'qbson' ? path.join(cache, 'node_modules', 'qbson') : contender
  const { required, encoded, decoded } = timesOf(contender, from)
  return [
    ['require', required],
    ['and the first encode', required + encoded],
    ['and the first decode', required + encoded + decoded]
  ].map(([op, ns]) => ({ op, ns, extra: { op: START } }))
}

/** Drops the rows of single kinds. */
const digest = ({ title, head, rows }) => {
  const columns = head.map((name, i) => name === 'spread' ? -1 : i).filter(i => i >= 0)
  const isShown = ([name]) => /^(\*\*|mean|mixed)/.test(name) && !name.endsWith('all cores')
  return { title, head: columns.map(i => head[i]), rows: rows.filter(isShown).map(row => columns.map(i => row[i])) }
}

module.exports = {
  name: 'first',
  title: 'The first documents of a process',
  baseline: 'bson',
  notes: [
    `CPU time that a fresh process takes for its first N documents, all threads included, divided by the time of \`bson\`: ` +
      'below 1 is faster. The documents are of the fourteen realistic kinds in `benchmark/data/documents.js`, and all ' +
      'different; `mixed` takes the kinds below 4 kB in turn. Processes run on one core if `taskset` is available, ' +
      'unless stated otherwise.',
    '`the driver`: `serialize` and `deserialize` with the options that the official driver passes for every document; ' +
      '`useBigInt64` and `ignoreUndefined`: with that option set in the driver. `compiled, with loading`: a codec written ' +
      'ahead of time by `qbson compile`, against `bson`, both timed from before they are required and with qbson\'s files ' +
      'as packaged. Mean and worst are over the kinds.'
  ],
  rounds: mode => Math.max(mode.rounds, 2),
  setup: async mode => {
    prepare(mode.cache, names.filter(name => !FORMAT[name]))
    await packInto(mode.cache)
  },
  cases,
  prepare: prepareCase,
  page: Object.assign(inPage, { isCase: ({ op, option, kind }) => op !== START && !option && !kind }),
  tables: results => [...shareTables(results, kinds), startTable(results.filter(({ extra }) => extra.op === START))],
  digest: results => shareTables(results, kinds).map(digest),
  charts: results => shareCharts(results)
}
