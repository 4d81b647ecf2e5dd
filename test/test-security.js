'use strict'

// Promises of SECURITY.md that no other test covers: limits, and the memory that is used below them.

const assert = require('node:assert')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const zlib = require('node:zlib')
const { execFileSync } = require('node:child_process')
const qbson = require('../qbson')
const json = require('../lib/json')
const { columns } = require('../lib/columns')
const { matcher } = require('../lib/query')
const { edit } = require('../lib/cli/commands/edit')
const { readOptions } = require('../lib/cli/options')
const { Editor } = require('../lib/cli/tasks/edits')
const { compile, schemaOf } = require('../lib/compile')
const { jsonArray } = require('../lib/cursor')
const { Batch } = require('../lib/cursor/batch')
const { openDump, ArchiveWriter, Namespace } = require('../lib/dump')
const { decodeMessage, encodeMsg, MessageSplitter } = require('../lib/wire')
const { nested } = require('../fuzz/families/parts')
const { FakeCursor } = require('./fixtures/cursor')
const collectGarbage = require('./fixtures/collect-garbage')
const { errorOf } = require('./fixtures/error-of')
const { notCovered } = require('./skip')

const { EJSON, BSONError, encode } = qbson

const MB = 1 << 20

/** Bytes of Buffers and typed arrays that are alive after `run` but were not before, including garbage. */
async function takenBy(run) {
  const before = process.memoryUsage().arrayBuffers
  const kept = await run()
  const taken = process.memoryUsage().arrayBuffers - before
  void kept
  return taken
}

/** The bytes of a document with this many levels. */
const levels = count => Buffer.from(nested(count - 1, 'a'))

const objects = count => Array.from({ length: count - 1 }).reduce(inner => ({ a: inner }), {})

const any = compile({ properties: { a: { $ref: '#' } } })

/** The functions that walk nested documents of each kind. */
const OF_BYTES = {
  decode: qbson.decode, deserialize: qbson.deserialize, validate: qbson.validate, 'EJSON.fromBSON': bytes => EJSON.fromBSON(bytes),
  'json.text': bytes => json.text(bytes), 'codec.decode': bytes => any.decode(bytes), 'codec.validate': bytes => any.validate(bytes),
  documents: bytes => [...qbson.documents(bytes)], 'RawDocument validate': bytes => new qbson.RawDocument(bytes).validate()
}
const OF_VALUES = {
  encode, sizeOf: qbson.sizeOf, serialize: qbson.serialize, 'EJSON.stringify': value => EJSON.stringify(value),
  'codec.encode': value => any.encode(value)
}
const OF_TEXTS = { 'EJSON.parse': text => EJSON.parse(text), 'EJSON.toBSON': text => EJSON.toBSON(text) }

/** The depth of text is counted from its first bracket. */
const text = count => `${'{"a":'.repeat(count - 1)}{}${'}'.repeat(count - 1)}`

async function gathered(source) {
  const list = []
  for await (const each of source) list.push(each)
  return list
}

async function failure(source) {
  return gathered(source).then(() => undefined, error => error)
}

module.exports = {
  '1,000 levels, and not one more': t => {
    for (const [make, calls] of [[levels, OF_BYTES], [objects, OF_VALUES], [text, OF_TEXTS]]) {
      for (const [name, call] of Object.entries(calls)) {
        const takesMore = name === 'codec.encode' // of the stack
        const input = /** @type {any} */ (make(takesMore ? 500 : 1000))
        assert.doesNotThrow(() => call(input), name)
        const error = errorOf(() => call(make(1001)))
        const bound = takesMore ? /nested deeper than (1000 levels|the stack allows)/ : /nested deeper than 1000 levels/
        assert.ok(error instanceof BSONError && bound.test(error.message), `${name}: ${error}`)
      }
    }
    assert.ok(encode(Array.from({ length: 499 }).reduce(inner => ({ c: new qbson.Code('f', inner) }), {})).length > 5000)
    t.done()
  },

  'deeper than the stack, where maxDepth allows it, is an error': t => {
    const maxDepth = 1e7
    const bytes = levels(200_000)
    const calls = [
      () => qbson.decode(bytes, { maxDepth }), () => qbson.validate(bytes, { maxDepth }), () => EJSON.fromBSON(bytes, { maxDepth }),
      () => json.text(bytes, { maxDepth }), () => encode(objects(200_000), { maxDepth }), () => EJSON.toBSON(text(200_000), { maxDepth })
    ]
    for (const call of calls) {
      try {
        call()
      } catch (error) {
        assert.ok(error instanceof BSONError, String(error))
      }
    }
    t.done()
  },

  'values take at most 50 times their bytes, text 14 times': notCovered(t => {
    const said = execFileSync(process.execPath, ['--expose-gc', path.join(__dirname, 'fixtures', 'read-memory.js')], { encoding: 'utf8' })
    const { memory, text: written } = JSON.parse(said)
    assert.ok(memory > 10 && memory <= 50, said)
    assert.ok(written > 10 && written <= 14, said)
    t.done()
  }),

  'what is put on Object.prototype, late, changes nothing that is read or written': async t => {
    const names = ['zz1', 'zz2', 'zz3', 'x']
    const document = encode({ zz1: 1, zz2: 'b', zz3: [{ zz1: 2 }], x: { zz2: 'c', x: null } })
    const schema = schemaOf([document])
    const ways = {
      decode: () => qbson.decode(document),
      'json.lines': () => String(json.lines([document, document])),
      'rows of columns': () => [...columns([document, document])],
      'rows of a stream': async () => (await gathered(columns([document].values()))).map(table => [...table]),
      schemaOf: () => schemaOf([document]),
      'codec.decode': () => compile(schema).decode(document, { check: true }),
      'codec.encode': () => compile(schema).encode({ zz1: 1, zz2: 'b', zz3: [{ zz1: 2 }], x: { zz2: 'c', x: null } }),
      batch: () => new Batch([document], 0).documents(),
      openDump: async () => (await gathered(openDump([document]).blocks())).map(({ bytes }) => bytes),
      match: () => matcher({ zz1: { $gt: 0 }, 'x.zz2': 'c', zz4: { $exists: false } })(document),
      edit: () => {
        const rewriter = new Editor(readOptions({ set: ['zz4=1', 'x.y=2'], unset: ['zz1'], mask: ['zz2'] }, edit.options))
        rewriter.write(document)
        return Buffer.from(rewriter.bytes)
      }
    }
    for (const [name, way] of Object.entries(ways)) {
      const before = await way()
      for (const put of [{ value: 'polluted' }, { value: 'polluted', writable: true, enumerable: true }, { get: () => 1, set() { throw new Error(name) } }]) {
        let after
        for (const each of names) Object.defineProperty(Object.prototype, each, { configurable: true, ...put })
        try {
          after = await way()
        } finally {
          for (const each of names) delete Object.prototype[each]
        }
        assert.deepStrictEqual(after, before, name)
      }
    }
    t.done()
  },

  'a length that is not there takes no memory': async t => {
    const claim = Buffer.from('ffffff7f0000000000000000', 'hex')
    const header = Buffer.from('6de29981ffffff03', 'hex')
    const waiting = () => {
      const stream = json.lineStream()
      stream.on('error', () => {})
      stream.write(claim)
      return stream
    }
    const ways = {
      documentStream: () => failure(qbson.documentStream([claim])),
      columns: () => failure(columns([claim].values())),
      openDump: () => failure(openDump([claim]).blocks()),
      archive: () => failure(openDump([header]).blocks()),
      'json.lineStream': waiting,
      MessageSplitter: () => {
        const splitter = new MessageSplitter()
        splitter.write(Buffer.from('006cdc0200000000', 'hex')) // 48 million
        return [splitter, ...splitter]
      }
    }
    for (const [name, way] of Object.entries(ways)) {
      const taken = await takenBy(way)
      assert.ok(taken < MB, `${name}: ${taken} bytes`)
    }
    t.done()
  },

  'what is compressed is unpacked piece by piece, and what is kept of it has a limit': async t => {
    const document = encode({ a: 'x'.repeat(MB) })
    const packed = zlib.gzipSync(Buffer.concat(Array(40).fill(document)), { level: 1 }) // in a third of the time
    assert.ok(packed.length < MB / 3)
    let most = 0
    let count = 0
    let blocks = 0
    collectGarbage()
    const before = process.memoryUsage().arrayBuffers
    for await (const block of openDump([packed]).blocks()) {
      count += block.count
      if (++blocks % 5 !== 0) continue // what is kept grows, and is seen at the next one
      collectGarbage()
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }
    assert.strictEqual(count, 40)
    assert.ok(blocks >= 10 && most < 16 * MB, `${most} bytes in ${blocks} blocks`)

    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bomb-'))
    fs.writeFileSync(path.join(folder, 'c.bson'), document)
    fs.writeFileSync(path.join(folder, 'c.metadata.json.gz'), zlib.gzipSync(Buffer.alloc(65 * MB), { level: 1 }))
    for await (const { namespace } of openDump(folder).blocks()) {
      assert.match(namespace.metadataFault, /^cannot be read \(Cannot create a Buffer larger than/)
      assert.strictEqual(namespace.metadata, undefined)
    }
    fs.rmSync(folder, { recursive: true })

    const long = Buffer.from(new ArchiveWriter([new Namespace('a', 'b')], {}).begin())
    long.writeInt32LE(64 * MB + 1, 4)
    const wrong = await failure(openDump([long]).blocks())
    assert.ok(/67108865 is not a valid size of a header/.test(String(wrong)), String(wrong))
    t.done()
  },

  'columns take at most 64 times the bytes of their documents, and 256 MB': t => {
    const wide = encode(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i + 0.5])))
    const bytes = Buffer.concat([wide, ...Array(20_000).fill(encode({}))])
    const error = errorOf(() => columns(bytes))
    assert.ok(error instanceof BSONError && error.message.startsWith('the columns take 64 times the memory of their documents'), String(error))
    t.done()
  },

  'the text of a cursor comes in chunks of 256 kB, and a document': async t => {
    const documents = Array.from({ length: 20_000 }, (_, i) => encode({ _id: i, a: 'x'.repeat(80) }))
    const cursor = new FakeCursor(documents, { batchSize: 20_000 })
    const chunks = await gathered(jsonArray(cursor, { batchSize: 20_000 }))
    const total = chunks.reduce((sum, { length }) => sum + length, 0)
    assert.ok(chunks.length >= 8 && chunks.every(({ length }) => length < 256 * 1024 + 120), chunks.map(({ length }) => length).join())
    assert.strictEqual(JSON.parse(Buffer.concat(chunks).toString()).length, 20_000, String(total))
    t.done()
  },

  'a wire message: bytes, documents in it, bytes of one': t => {
    const of = documents => encodeMsg({ requestId: 1, body: { insert: 'c' }, sequences: [{ identifier: 'documents', documents }] })
    const message = Buffer.from(of([{}, {}, {}]))
    assert.doesNotThrow(() => decodeMessage(message, 0, { maxWriteBatchSize: 3 }))
    assert.ok(errorOf(() => decodeMessage(message, 0, { maxWriteBatchSize: 2 })) instanceof BSONError)
    assert.ok(errorOf(() => decodeMessage(message, 0, { maxMessageSizeBytes: message.length - 1 })) instanceof BSONError)
    const document = encode({ a: 'x'.repeat(20_000) })
    const one = Buffer.from(of([new qbson.RawDocument(document)]))
    assert.doesNotThrow(() => decodeMessage(one, 0, { maxBsonObjectSize: document.length - 16_384 }))
    assert.ok(errorOf(() => decodeMessage(one, 0, { maxBsonObjectSize: document.length - 16_385 })) instanceof BSONError)
    t.done()
  },

  'text of a Decimal128: 7,000 characters': t => {
    assert.strictEqual(qbson.Decimal128.fromString(`${'0'.repeat(6998)}1`).toString(), '1')
    assert.ok(errorOf(() => qbson.Decimal128.fromString(`${'0'.repeat(6999)}1`)) instanceof BSONError)
    t.done()
  }
}
