'use strict'

const { kinds, load: loadDocuments, prepare } = require('../data/documents')
const { bsonTypes } = require('../data/types')
const { loadQbson } = require('../contenders')
const { checkBytes, checkSame } = require('../check')
const { mixedWork } = require('../runner/mixed')
const { kindTables } = require('../runner/tables')

/** The operations with their options. */
const OPERATIONS = {
  'decode, useBigInt64': ['decode', { useBigInt64: true }],
  'decode, promoteLongs: false': ['decode', { promoteLongs: false }],
  'decode, promoteValues: false': ['decode', { promoteValues: false }],
  'decode, promoteBuffers': ['decode', { promoteBuffers: true }],
  'decode, bsonRegExp': ['decode', { bsonRegExp: true }],
  'decode, validation.utf8: false': ['decode', { validation: { utf8: false } }],
  'decode, raw': ['decode', { raw: true }],
  'decode, fieldsAsRaw': ['decode', { fieldsAsRaw: { items: true, children: true, comments: true } }],
  'decode, allowObjectSmallerThanBufferSize': ['decode', { allowObjectSmallerThanBufferSize: true }],
  'decode, {}': ['decode', {}],
  'encode, checkKeys': ['encode', { checkKeys: true }],
  'encode, ignoreUndefined: false': ['encode', { ignoreUndefined: false }],
  'encode, serializeFunctions': ['encode', { serializeFunctions: true }],
  'encode, {}': ['encode', {}],
  calculateObjectSize: ['size', undefined],
  'calculateObjectSize, ignoreUndefined: false': ['size', { ignoreUndefined: false }]
}

/** --quick measures these only. */
const QUICK = ['decode, useBigInt64', 'decode, promoteValues: false', 'encode, checkKeys', 'calculateObjectSize']

const libraries = {
  bson() {
    const { serialize, deserialize, calculateObjectSize, ...types } = require('bson')
    return { encode: serialize, decode: deserialize, size: calculateObjectSize, types }
  },
  qbson() {
    const { encode, decode, sizeOf, ...types } = loadQbson()
    return { encode, decode, size: sizeOf, types }
  }
}

/** A library's functions with the options of an operation; the bytes to decode are made without options. */
function codecOf(contender, [name, options]) {
  const { types, ...functions } = libraries[contender]()
  const operate = functions[name]
  return { ...functions, [name]: input => operate(input, options), types: bsonTypes(types), bson: true }
}

/** While checking, every tenth document. */
function workloads({ cache, brief }) {
  const chosen = documents => brief ? documents.filter((_, i) => i % 10 === 0) : documents
  return kinds.map(name => ({ name, documents: types => chosen(loadDocuments(name, types, cache)) }))
}

function work({ contender, operation }, mode) {
  const [name] = OPERATIONS[operation]
  const codec = codecOf(contender, OPERATIONS[operation])
  return {
    ...mixedWork({ contender, op: name }, workloads(mode), codec),
    check: () => workloads(mode).forEach(workload => check(codec, codecOf('bson', OPERATIONS[operation]), name, workload))
  }
}

/** Checks that bytes, values and sizes equal those of bson with the same options. */
function check(codec, reference, name, workload) {
  const theirs = workload.documents(reference.types)
  workload.documents(codec.types).forEach((doc, i) => {
    const what = `${workload.name}, document ${i}`
    const bytes = reference.encode(theirs[i])
    if (name === 'encode') checkBytes(codec.encode(doc), bytes, what)
    else if (name === 'decode') checkSame(codec.decode(bytes), reference.decode(bytes), what)
    else checkSame(codec.size(doc), reference.size(theirs[i]), what)
  })
}

/** A row per operation: the mean and the worst kind. */
function tableOf(results) {
  const operations = Object.keys(OPERATIONS).filter(name => results.some(({ op }) => op === name))
  const lastRows = name => kindTables(results.filter(({ op }) => op === name), 'bson')[0].rows.slice(-2)
  return {
    title: 'qbson, relative rate, bson with the same options = 100',
    head: ['', 'geometric mean', 'worst kind'],
    rows: operations.map(name => [name, ...lastRows(name).map(([, rate]) => rate)])
  }
}

module.exports = {
  OPERATIONS,
  codecOf,
  name: 'options',
  title: 'With options, kinds of documents mixed in one process',
  baseline: 'bson',
  notes: ['Relative rates, `bson` with the same options = 100, more is faster. The fourteen kinds of documents in ' +
    '`benchmark/data/documents.js`, in turn in one process; each process runs one operation with one set of options.'],
  setup: mode => prepare(mode.cache),
  rounds: mode => Math.min(mode.rounds, 3),
  cases: mode => (mode.name === 'quick' ? QUICK : Object.keys(OPERATIONS)).flatMap(operation => {
    return Object.keys(libraries).map(contender => ({ subject: 'all', op: operation, operation, contender }))
  }),
  prepare: work,
  docs: false,
  tables: results => [tableOf(results)]
}
