'use strict'

// Arguments of wrong kinds: whatever a public function gets in place of each argument, it throws a BSONError or can do
// something with it. Functions that bson has, too, throw what they throw there.

const path = require('node:path')
const q = require('../../qbson')
const { ENTRIES, PUBLIC } = require('../../scripts/entries')
const { FakeCursor } = require('../fixtures/cursor')
const { WRONG, OwnError } = require('../fixtures/wrong-kinds')

const root = path.join(__dirname, '..', '..')
const entries = Object.fromEntries(PUBLIC.map(name => [name, require(path.join(root, ENTRIES[name]))]))
const { columns, compile, cursor, dump, ejson, json, query, wire } = entries

const A = q.encode({ a: 1 })
const raw = new q.RawDocument(A)
const table = columns.columns(A)
const codec = compile.compile({})
const namespace = new dump.Namespace('d', 'c')
const message = { requestId: 1, body: {} }
const bytes = wire.encodeMsg(message)
const reply = new q.RawDocument(q.encode({ cursor: { id: 0, ns: 'a.b', firstBatch: [{}] } }))
const sequence = { identifier: 'd', documents: [{}] }
const batches = { nextId: () => 1, body: {}, sequence }
const named = { requestId: 1, fullCollectionName: 'a.b' }
const file = path.join(root, 'examples', 'bookshop.bson')
const byOrder = query.sorter({ a: 1 })

const writer = () => {
  const made = new dump.ArchiveWriter([namespace])
  made.begin()
  return made
}

const pending = () => {
  const made = new wire.PendingRequests()
  made.add(1, {})
  return made
}

/** @returns {any[]} a call of a function, and arguments that it takes */
const plain = (owner, name, ...args) => [(...given) => owner[name](...given), ...args]
const made = (Class, ...args) => [(...given) => new Class(...given), ...args]

/** The same calls of several functions. */
const each = (prefix, owner, names, ...args) => Object.fromEntries(names.map(name => [prefix + name, plain(owner, name, ...args)]))

/** Calls with one item in a list, or with one field of a message. */
const items = (prefix, owner, names, item) => {
  return Object.fromEntries(names.map(name => [`${prefix}${name}, an item`, [given => owner[name]([given]), item]]))
}
const fields = (name, sent, names) => Object.fromEntries(names.map(field => [
  `wire/${name}, ${field}`, [given => wire[name]({ ...sent, [field]: given }), sent[field]]
]))

const tables = ['toArrow', 'toArrowIPC', 'toParquet', 'toCSV']
const sources = ['columns', 'inferColumns', 'columnStatistics']
const jsonStreams = ['arrayStream', 'lineStream', 'arrayTransformStream', 'lineTransformStream']

/** By name the call, and arguments that it takes. @type {Record<string, any[]>} */
const CALLS = {
  encode: plain(q, 'encode', { a: 1 }, {}),
  encodeInto: plain(q, 'encodeInto', { a: 1 }, Buffer.alloc(50), 0, {}),
  sizeOf: plain(q, 'sizeOf', {}, {}),
  ...each('', q, ['decode', 'validate', 'documents'], A, {}),
  documentStream: plain(q, 'documentStream', [A], {}),
  ...items('', q, ['documentStream'], A),
  ...each('', q, ['createDecodeStream', 'createEncodeStream'], {}),
  'EJSON.fromBSON': plain(q.EJSON, 'fromBSON', A, {}),
  RawDocument: made(q.RawDocument, A, 0, false),
  'RawDocument.from': plain(q.RawDocument, 'from', {}, {}),
  'RawDocument#get': plain(raw, 'get', 'a', {}),
  ...each('RawDocument#', raw, ['has', 'element', 'slice'], 'a'),
  ...each('RawDocument#', raw, ['toObject', 'validate'], {}),
  ...each('RawDocument#', raw, ['pick', 'omit'], ['a']),
  ...items('RawDocument#', raw, ['get', 'pick', 'omit'], 'a'),
  'RawDocument#set': plain(raw, 'set', 'a', 2, {}),
  'RawDocument#append': plain(raw, 'append', 'b', 2, {}),
  'RawDocument#equals': plain(raw, 'equals', raw),
  'an element#decode': plain(raw.element('a'), 'decode', {}),
  'compile/compile': plain(compile, 'compile', {}, {}),
  'compile/writeModule': plain(compile, 'writeModule', {}, {}, 'module'),
  'compile/schemaOf': plain(compile, 'schemaOf', [A], {}),
  ...items('compile/', compile, ['schemaOf'], A),
  ...each('a codec#', codec, ['encode', 'sizeOf'], {}, {}),
  ...each('a codec#', codec, ['decode', 'validate'], A, {}),
  'a codec#encodeInto': plain(codec, 'encodeInto', {}, Buffer.alloc(9), 0, {}),
  'ejson/extendedJSONBytes': plain(ejson, 'extendedJSONBytes', A, {}),
  'ejson/extendedJSONLines': plain(ejson, 'extendedJSONLines', [A], {}),
  ...items('ejson/', ejson, ['extendedJSONLines'], A),
  ...each('json/', json, ['text', 'bytes'], A, {}),
  ...each('json/', json, ['array', 'lines'], [A], {}),
  ...items('json/', json, ['array', 'lines'], A),
  ...each('json/', json, jsonStreams, {}),
  ...Object.fromEntries(Object.keys(cursor).map(name => [`cursor/${name}`, plain(cursor, name, new FakeCursor([A]), {})])),
  ...each('columns/', columns, sources, A, {}),
  ...items('columns/', columns, sources, A),
  ...each('columns/', columns, tables, table, {}),
  ...items('columns/', columns, tables, table),
  'columns/Table': made(columns.Table, 1, [table.columns.a], {}),
  'columns/Table#get': plain(table, 'get', 0),
  'columns/Column#get': plain(table.columns.a, 'get', 0),
  ...each('columns/ColumnStatistics.', columns.ColumnStatistics, ['is', 'from'], new columns.ColumnStatistics().toJSON()),
  'columns/ColumnStatistics#merge': [given => new columns.ColumnStatistics().merge(given), new columns.ColumnStatistics()],
  'query/matcher': plain(query, 'matcher', {}),
  'a matcher': [query.matcher({ a: 1 }), A],
  'query/compare': plain(query, 'compare', 1, 2),
  'query/sorter': plain(query, 'sorter', { a: 1 }),
  'a sorter': [byOrder, A, A],
  'query/Sorter': made(query.Sorter, [['a', 1]]),
  'query/Sorter, a field': [(...field) => new query.Sorter([field]), 'a', 1],
  'query/Sorter, an item': [given => new query.Sorter([given]), ['a', 1]],
  'query/Sorter#keysOf': plain(new query.Sorter([['a', 1]]), 'keysOf', A, 0, 11),
  'query/Tally': made(query.Tally, 'a'),
  'query/Tally#add': plain(new query.Tally('a'), 'add', A, 0, 11),
  ...each('dump/', dump, ['openDump', 'readChunks'], file, {}),
  'dump/splits': plain(dump, 'splits', file, 1000, {}),
  'dump/parseNamespace': plain(dump, 'parseNamespace', 'a.b'),
  'dump/escapeName': plain(dump, 'escapeName', 'a'),
  'dump/Namespace': made(dump.Namespace, 'a', 'b', {}),
  'dump/Batch': made(dump.Batch, A, { count: 1 }),
  ...Object.fromEntries(['offset', 'document', 'count'].map(name => [`dump/Batch, ${name}`, [given => new dump.Batch(A, { [name]: given }), 1]])),
  'dump/ArchiveWriter': made(dump.ArchiveWriter, [namespace], {}),
  'dump/ArchiveWriter, an item': [given => new dump.ArchiveWriter([given]), namespace],
  'dump/ArchiveWriter#add': [(...given) => writer().add(...given), namespace, A],
  'wire/crc32c': plain(wire, 'crc32c', A, 0, 3, 0),
  'wire/compressors': plain(wire, 'compressors'),
  'wire/decodeHeader': plain(wire, 'decodeHeader', bytes, 0),
  'wire/decodeMessage': plain(wire, 'decodeMessage', bytes, 0, {}),
  'wire/decodeBatch': plain(wire, 'decodeBatch', reply, {}),
  'wire/decodeDocuments': plain(wire, 'decodeDocuments', [raw], {}),
  'wire/compressMessage': plain(wire, 'compressMessage', bytes, 'zlib', 1),
  'wire/encodeMsg': plain(wire, 'encodeMsg', message, {}),
  ...fields('encodeMsg', message, ['requestId', 'responseTo', 'body', 'flags', 'sequences']),
  ...Object.fromEntries(Object.keys(sequence).map(name => [
    `wire/encodeMsg, ${name}`, [given => wire.encodeMsg({ ...message, sequences: [{ ...sequence, [name]: given }] }), sequence[name]]
  ])),
  'wire/encodeBatches': plain(wire, 'encodeBatches', batches, {}),
  ...fields('encodeBatches', batches, ['nextId', 'flags', 'body', 'sequence']),
  ...Object.fromEntries(Object.keys(sequence).map(name => [
    `wire/encodeBatches, ${name}`, [given => wire.encodeBatches({ ...batches, sequence: { ...sequence, [name]: given } }), sequence[name]]
  ])),
  'wire/encodeQuery': plain(wire, 'encodeQuery', { ...named, query: {} }, {}),
  ...fields('encodeQuery', { ...named, query: {} }, ['fullCollectionName', 'query', 'numberToSkip', 'returnFieldsSelector']),
  'wire/encodeGetMore': plain(wire, 'encodeGetMore', { ...named, cursorId: 1 }, {}),
  ...fields('encodeGetMore', { ...named, cursorId: 1 }, ['cursorId', 'numberToReturn']),
  'wire/encodeKillCursors': plain(wire, 'encodeKillCursors', { requestId: 1, cursorIds: [1] }, {}),
  ...fields('encodeKillCursors', { requestId: 1, cursorIds: [1] }, ['cursorIds']),
  'wire/encodeReply': plain(wire, 'encodeReply', { requestId: 1, documents: [] }, {}),
  ...fields('encodeReply', { requestId: 1, documents: [] }, ['documents', 'cursorId', 'startingFrom']),
  'wire/MessageSplitter': made(wire.MessageSplitter, {}),
  'wire/MessageSplitter#write': [given => new wire.MessageSplitter().write(given), bytes],
  'wire/PendingRequests': made(wire.PendingRequests),
  'wire/PendingRequests#add': [(...given) => pending().add(...given), 2, {}],
  'wire/PendingRequests#take': [given => pending().take(given), { requestId: 1, responseTo: 1, opCode: 2013, length: 16 }]
}

/** Not for programs: what they are given comes from the library. */
const INNER = new Set([
  'compile/runtime/codecOf', 'compile/runtime/codecFrom', 'columns/Column', 'columns/ColumnStatistics', 'dump/Window',
  'ejson/extendedJSONValues', 'wire/WireError', 'RawDocument#replace'
])

/** Errors that are none of qbson, each with its reason. @type {Record<string, (error: any, name: string, given: string) => boolean>} */
const PASSED = {
  'a getter or Proxy of the program throws': error => error instanceof OwnError,
  'a revoked Proxy throws like one of the program': (error, name, given) => /revoked Proxy/.test(given) && error instanceof TypeError,
  'an iterator of the program is none': (error, name, given) => /whose iterator is none/.test(given) && error instanceof TypeError,
  'a function of the program is a class, which throws when it is called': (error, name, given) => given === 'a class' && name.endsWith('nextId'),
  'the file system has no such file': (error, name) => /^dump\/(openDump|readChunks|splits)$/.test(name) && /^(ENOENT|ENAMETOOLONG)$/.test(error.code)
}

/** What was answered in silence: wrong arguments that are refused. @type {Record<string, string[]>} */
const REFUSED = {
  'columns/toCSV 0': ['an array'],
  'columns/toArrow 0': ['an array'],
  'columns/toArrowIPC 0': ['an array'],
  'columns/toParquet 0': ['an array'],
  'compile/compile 0': ['a Map', 'a Set', 'a Date', 'a promise', 'detached bytes'],
  'documents 0': ['a detached Buffer', 'detached bytes'],
  'documentStream, an item 0': ['a detached Buffer'],
  'dump/ArchiveWriter#add 1': ['detached bytes', 'a detached Buffer'],
  'dump/Batch, count 0': ['Infinity', 'NaN', 'a string', 'a fraction', 'a bigint'],
  'dump/Namespace 0': ['zero', 'a symbol', 'undefined'],
  'dump/Namespace 1': ['zero', 'a symbol', 'undefined'],
  'dump/parseNamespace 0': ['an array', 'zero'],
  'query/Sorter#keysOf 1': ['NaN', 'a string', 'a negative number'],
  'query/Sorter#keysOf 2': ['Infinity', 'a large number', 'NaN'],
  'query/Sorter, a field 1': ['true', 'a symbol'],
  'query/Tally#add 2': ['Infinity', 'a large number', 'NaN'],
  'RawDocument#get 0': ['an array of empty slots'],
  'wire/crc32c 2': ['Infinity', 'a large number', 'NaN'],
  'wire/crc32c 3': ['a string', 'NaN', 'a negative number'],
  'wire/decodeDocuments 0': ['an array of empty slots'],
  'wire/encodeGetMore, cursorId 0': ['an array of numbers', 'a Float64Array'],
  'wire/encodeKillCursors, cursorIds 0': ['an empty string'],
  'wire/encodeMsg, sequences 0': ['an empty string', 'an array of null'],
  'wire/PendingRequests#add 0': ['undefined', 'a string', 'NaN']
}

const MOST = 1000

/** Reads what a call gives: much of the work is done then. */
async function readAll(given) {
  const answer = await given
  if (typeof answer !== 'object' || answer === null || ArrayBuffer.isView(answer)) return
  if (Array.isArray(answer) || typeof answer.write === 'function' || answer.writable) return
  const isWeb = typeof answer.getReader === 'function'
  if (!isWeb && answer[Symbol.asyncIterator] === undefined && answer[Symbol.iterator] === undefined) return
  let count = 0
  for await (const part of answer) if (part !== undefined && count++ === MOST) throw new Error('there is no end')
}

/** @returns {Promise<any>} what it throws, or null */
async function errorOf(call, args) {
  try {
    await readAll(call(...args))
    return null
  } catch (error) {
    return error
  }
}

const argsWith = ([, ...args], at, make) => args.map((arg, i) => (i === at ? make() : arg))

/** @returns {Promise<string[]>} each wrong argument that makes it throw something else */
async function faultsOf(name, [call, ...args]) {
  const faults = []
  for (let at = 0; at < args.length; at++) {
    for (const [given, make] of Object.entries(WRONG)) {
      const error = await errorOf(call, argsWith([call, ...args], at, make))
      const isPassed = error === null || error instanceof q.BSONError || Object.values(PASSED).some(is => is(error, name, given))
      if (!isPassed) faults.push(`argument ${at}: ${given}: ${error?.name}: ${error?.message}`)
    }
  }
  return faults
}

/** What bson has: EJSON's functions for JSON, the types, and what has a name there; and what the qmongo driver calls. */
const OF_BSON = new Set([...Object.values(q.BSON), q.DbRef, q.ObjectID, ...['parse', 'stringify', 'serialize', 'deserialize'].map(name => q.EJSON[name])])

/** `EJSON.toBSON` reads text as `JSON.parse` does, with its SyntaxErrors. */
OF_BSON.add(q.EJSON.toBSON)

/** @returns {string[]} the names of exported functions and classes that only qbson has */
function namesOf(name, value) {
  if (value === q.EJSON || (typeof value === 'object' && value !== null)) return Object.entries(value).flatMap(([key, each]) => namesOf(`${name}.${key}`, each))
  return typeof value === 'function' && !OF_BSON.has(value) ? [name] : []
}

const COPIES = new Set(['qbson/BSON', 'qbson/onDemand', 'qbson/ByteUtils', 'qbson/NumberUtils', 'wire/RawDocument', 'ejson/EJSON', 'object-id/ObjectId'])

module.exports = {
  'every function and class has a call': t => {
    const names = Object.entries(entries).flatMap(([entry, exported]) => Object.entries(exported).flatMap(([key, value]) => {
      return COPIES.has(`${entry}/${key}`) ? [] : namesOf(entry === 'qbson' ? key : `${entry}/${key}`, value)
    }))
    t.deepStrictEqual(names.filter(name => !(name in CALLS) && !INNER.has(name)), [])
    t.ok(names.length > 50 && names.includes('query/Sorter'))
    t.done()
  },

  ...Object.fromEntries(Object.entries(CALLS).map(([name, call]) => [name, async t => {
    t.deepStrictEqual(await faultsOf(name, call), [])
    t.done()
  }])),

  'what was answered in silence is refused': async t => {
    for (const [place, kinds] of Object.entries(REFUSED)) {
      const [, name, at] = /^(.*) (\d)$/.exec(place)
      for (const given of kinds) {
        const error = await errorOf(CALLS[name][0], argsWith(CALLS[name], Number(at), WRONG[given]))
        t.ok(error instanceof q.BSONError, `${place}, ${given}: ${error}`)
      }
    }
    t.done()
  }
}
