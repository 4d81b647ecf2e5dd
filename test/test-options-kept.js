'use strict'

// Options of what outlives the call: they are read in it, and never again.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { Readable } = require('node:stream')
const { encode, documents, documentStream, createDecodeStream, createEncodeStream } = require('../qbson')
const { columns, toArrowIPC, toCSV, toParquet } = require('../lib/columns')
const { compile, schemaOf } = require('../lib/compile')
const cursors = require('../lib/cursor')
const { ArchiveWriter, Namespace, openDump, readChunks, splits } = require('../lib/dump')
const json = require('../lib/json')
const { matcher, Sorter } = require('../lib/query')
const { MessageSplitter, encodeBatches } = require('../lib/wire')
const { FakeCursor, people } = require('./fixtures/cursor')
const { collect } = require('./fixtures/streams')

const doc = { _id: 1, a: { b: [1, 2] }, s: 'x' }
const bytes = Buffer.concat([doc, doc, doc].map(each => encode(each)))
const namespace = new Namespace('d', 'c', { type: 'collection' })
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-kept-'))

function write(name, content) {
  const file = path.join(folder, name)
  fs.writeFileSync(file, content)
  return file
}

function archive() {
  const writer = new ArchiveWriter([namespace], {})
  return write('a.archive', Buffer.concat([writer.begin(), ...writer.add(namespace, bytes), writer.end()]))
}

const tables = () => columns([bytes].values())
const through = (stream, chunks) => collect(Readable.from(chunks).pipe(stream))
const each = iterable => collect(iterable)

const READING = { fieldsAsRaw: { b: true }, validation: { utf8: { s: true } }, maxDepth: 9, promoteLongs: false }
const JSON_OPTIONS = { int64: 'string', objectId: 'hex', indent: 1, validation: { utf8: { s: true } }, maxDepth: null }
const COLUMNS = { fields: ['a', ['s']], json: ['a'], flat: true, rows: 2, sample: 1, decimals: 'double' }
const SCHEMA = { bsonType: 'object', properties: { s: { bsonType: 'string', enum: ['x', 'y'] }, a: { bsonType: 'object' } } }
const REQUEST = { nextId: () => 1, body: { insert: 'x' }, sequence: { identifier: 'documents', documents: [doc, doc, doc] } }
const QUERY = { a: { $in: [{ b: [1, 2] }, 5] }, $or: [{ s: { $regex: 'x', $options: 'i' } }, { s: { $type: ['int', 'string'] } }] }

/** By what is called: its options, how it is made of them, and how that is used. */
const CASES = {
  documents: [READING, own => documents(bytes, own), each],
  documentStream: [READING, own => documentStream([bytes], own), each],
  createDecodeStream: [READING, createDecodeStream, stream => through(stream, [bytes])],
  createEncodeStream: [{ checkKeys: true, ignoreUndefined: true, maxDepth: 9 }, createEncodeStream, stream => through(stream, [doc, doc])],
  arrayStream: [JSON_OPTIONS, json.arrayStream, stream => through(stream, [bytes])],
  lineTransformStream: [JSON_OPTIONS, json.lineTransformStream, stream => each(new Blob([bytes]).stream().pipeThrough(stream))],
  ...Object.fromEntries(['jsonArray', 'jsonLines', 'jsonArrayReadable', 'jsonLinesReadable'].map(name => {
    return [name, [{ ...JSON_OPTIONS, batchSize: 3 }, own => cursors[name](new FakeCursor(people(7)), own), each]]
  })),
  batches: [{ batchSize: 3 }, own => cursors.batches(new FakeCursor(people(7)), own), each],
  columns: [COLUMNS, own => columns([bytes, bytes].values(), own), each],
  'columns of a schema': [{ schema: SCHEMA, unwind: ['a', 'b'] }, own => columns([bytes, bytes].values(), own), each],
  toCSV: [{ fields: ['s'], escapeFormulae: true }, own => toCSV(tables(), own), each],
  toArrowIPC: [{ format: 'file' }, own => toArrowIPC(tables(), own), each],
  toParquet: [{ compression: 'zstd', rowGroupSize: 2 }, own => toParquet(tables(), own), each],
  openDump: [{ namespaces: ['x.y'], namespace: 'x.y', maxDocumentSize: 999 }, own => openDump(bytes, own), dump => each(dump.batches())],
  'openDump of a range': [{ range: { offset: 0, length: bytes.length / 3 } }, own => openDump(write('a.bson', bytes), own), each],
  splits: [{ namespaces: ['d.c'] }, own => splits(archive(), 10, own), each],
  readChunks: [{ sync: true }, own => readChunks(Buffer.from('{}'), own), each],
  compile: [{ promoteLongs: false, validation: { utf8: true } }, own => compile(SCHEMA, own), codec => codec.decode(codec.encode(doc))],
  schemaOf: [{ bounds: false, descriptions: false }, own => schemaOf(Readable.from([encode(doc)]), own), schema => schema],
  'compile of a schema': [SCHEMA, own => compile(own), codec => codec.validate(codec.encode(doc))],
  'compile of older schemas': [{ layout: 'array', upgrade: [SCHEMA] }, own => compile(SCHEMA, own), codec => codec.decode(codec.encode(doc))],
  matcher: [QUERY, matcher, matches => matches(encode(doc))],
  Sorter: [[['s', 1], ['a', -1]], own => new Sorter(own), sorter => sorter.keysOf(encode(doc), 0, encode(doc).length - 1)],
  MessageSplitter: [{ maxMessageSizeBytes: 999 }, own => new MessageSplitter(own), splitter => splitter.write(new Uint8Array(9))],
  encodeBatches: [{ maxWriteBatchSize: 2, ignoreUndefined: true }, own => encodeBatches(REQUEST, own), each],
  ArchiveWriter: [{ server_version: '7' }, own => new ArchiveWriter([namespace], own), writer => writer.begin()]
}

/** An object that tells when it, or a plain object or an array in it, is read. */
function watched(object, onRead) {
  const told = Object.fromEntries(['get', 'has', 'ownKeys', 'getOwnPropertyDescriptor'].map(trap => [trap, (target, ...args) => {
    onRead(args[0])
    const value = Reflect[trap](target, ...args.slice(0, 1))
    const isPlain = Array.isArray(value) || (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
    return trap === 'get' && isPlain ? watched(value, onRead) : value
  }]))
  return new Proxy(object, told)
}

module.exports = {
  'options are read in the call, and never again': async function (t) {
    for (const [name, [options, make, use]] of Object.entries(CASES)) {
      const early = []
      const late = []
      let reads = early
      const made = make(watched(options, key => reads.push(key)))
      reads = late
      await use(made)
      t.ok(early.length > 0, name)
      t.deepStrictEqual(late, [], name)
    }
    fs.rmSync(folder, { recursive: true })
    t.done()
  }
}
