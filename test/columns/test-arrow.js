'use strict'

// Columns in Arrow and Parquet: their own readers return the same values as `decode`.

const assert = require('node:assert')
const { execFileSync } = require('node:child_process')
const { once } = require('node:events')
const { DuckDBInstance } = require('@duckdb/node-api')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const arrow = require('apache-arrow')
const { encode, decode, ObjectId, UUID, Long, Decimal128, Timestamp, Binary } = require('../../qbson')
const { columns, toArrow, toArrowIPC, toParquet } = require('../../lib/columns')
const { arrowParts } = require('../../lib/columns/threads')
const { notThere } = require('../../lib/columns/formats/optional')
const { many } = require('../fixtures/long')

const documents = [
  { _id: new ObjectId(), i: 1, l: Long.fromString('9007199254740993'), d: 1.5, s: 'one', b: true, t: new Date(5), never: null, none: [] },
  { i: 2, list: [1, null, 3], lists: [['a'], [], null], docs: [{ x: 1 }, { y: 'z' }, null], in: { a: { b: 5 } }, re: /a+/i },
  { l: Long.fromNumber(-7), d: -0.25, s: 'ü😀', b: false, u: new UUID('7d5e3b1c-9a4f-4e2d-8c6b-1f0a9b8c7d6e'), dec: Decimal128.fromString('1.5') },
  { mix: 1, bin: new Binary(Buffer.from('ab'), 5), ts: new Timestamp({ t: 7, i: 8 }), map: { 1: 'x', 2: 'y' }, in: {}, t: new Date(-1) },
  { nulls: [null, null], deep: [{ x: null }], byId: { 1: null, 2: null } },
  { mix: 'text', bin: new Binary(Buffer.from('c'), 0), 'a.b': 3, '': 4, list: [], docs: [] }
]
const bytes = Buffer.concat(documents.map(document => encode(document)))

/** The rows that a reader with other types should return, by column. */
const EXPECTED = {
  i: [1, 2, null, null, null, null],
  l: [9007199254740993n, null, -7n, null, null, null],
  d: [1.5, null, -0.25, null, null, null],
  s: ['one', null, 'ü😀', null, null, null],
  b: [true, null, false, null, null, null],
  never: [null, null, null, null, null, null],
  none: [[], null, null, null, null, null],
  list: [null, [1, null, 3], null, null, null, []],
  lists: [null, [['a'], [], null], null, null, null, null],
  docs: [null, [{ x: 1, y: null }, { x: null, y: 'z' }, null], null, null, null, []],
  in: [null, { a: { b: 5 } }, null, { a: null }, null, null],
  re: [null, { pattern: 'a+', options: 'i' }, null, null, null, null],
  mix: [null, null, null, '1', null, '"text"'],
  ts: [null, null, null, (7n << 32n) | 8n, null, null],
  nulls: [null, null, null, null, [null, null], null],
  deep: [null, null, null, null, [{ x: null }], null],
  'a.b': [null, null, null, null, null, 3]
}

/** Converts another library's values to those above. */
function plain(value) {
  if (value === null || value === undefined) return null
  if (value instanceof arrow.Vector || Array.isArray(value)) return Array.from(value, plain)
  if (typeof value?.toJSON === 'function') return plain(value.toJSON())
  if (value?.items !== undefined) return plain(value.items)
  if (value?.entries !== undefined && typeof value.entries === 'object') return plain(value.entries)
  if (typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]))
}

async function gather(source) {
  const parts = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts)
}

/** Pieces of the documents, many times over. */
async function* repeated(times) {
  for (let i = 0; i < times; i++) yield bytes
}

module.exports = {
  'a table of Arrow over the same memory': t => {
    const table = columns(bytes)
    const other = toArrow(table)
    t.strictEqual(other.numRows, 6)
    for (const [name, expected] of Object.entries(EXPECTED)) t.deepStrictEqual(plain(other.getChild(name)), expected, name)
    for (const name of ['i', 'l', 'd', 's']) t.strictEqual(other.getChild(name).data[0].values.buffer, table.columns[name].values.buffer, name)
    t.strictEqual(String(other.schema.fields.find(field => field.name === 't').type), 'Timestamp<MILLISECOND, UTC>')
    t.strictEqual(other.schema.fields[0].metadata.get('bson:type'), 'objectId')
    const subtypeOf = (...subtypes) => toArrow(columns(subtypes.map(subtype => encode({ a: new Binary(Buffer.from('x'), subtype) }))))
      .schema.fields[0].metadata.get('bson:subtype')
    t.deepStrictEqual([subtypeOf(5, 5), subtypeOf(0), subtypeOf(5, 0)], ['5', '0', undefined])
    t.deepStrictEqual(Buffer.from(other.getChild('_id').get(0)), Buffer.from(documents[0]._id.id))
    t.deepStrictEqual(plain(other.getChild('map').get(3)), { 1: 'x', 2: 'y' })
    t.deepStrictEqual(plain(other.getChild('byId').get(4)), { 1: null, 2: null })
    t.strictEqual(toArrow([table, table]).numRows, 12)
    t.done()
  },

  'IPC streams and files, of one table and of many': async t => {
    for (const format of ['stream', 'file', undefined]) {
      const one = arrow.tableFromIPC(await gather(toArrowIPC(columns(bytes), { format })))
      for (const [name, expected] of Object.entries(EXPECTED)) t.deepStrictEqual(plain(one.getChild(name)), expected, name)
      const more = arrow.tableFromIPC(await gather(toArrowIPC(columns(repeated(20), { rows: 30 }), { format })))
      t.strictEqual(more.numRows, 120)
      t.strictEqual(more.batches.length, 4)
    }
    t.done()
  },

  'Parquet, read by hyparquet': async t => {
    const { parquetReadObjects } = await import('hyparquet')
    const file = new Uint8Array(await gather(toParquet(columns(bytes)))).buffer
    const rows = await parquetReadObjects({ file })
    for (const [name, expected] of Object.entries(EXPECTED)) t.deepStrictEqual(rows.map(row => plain(row[name])), expected, name)
    t.deepStrictEqual(rows.map(row => row.t?.getTime()), [5, undefined, undefined, -1, undefined, undefined])
    t.deepStrictEqual(plain(rows[4].byId), { 1: null, 2: null })
    t.done()
  },

  'Parquet, read by DuckDB': async t => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-'))
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    try {
      for (const compression of many(['snappy', 'zstd'], ['none', 'snappy', 'gzip', 'zstd', 'lz4', 'brotli'])) {
        const file = path.join(folder, `${compression}.parquet`)
        const out = fs.createWriteStream(file)
        for await (const part of toParquet(columns(repeated(20), { rows: 30 }), { compression, rowGroupSize: 40 })) out.write(part)
        out.end()
        await once(out, 'finish')
        const read = await connection.runAndReadAll(`select * from '${file}'`)
        t.strictEqual(read.currentRowCount, 120)
        const rows = read.getRowObjects().slice(0, 6)
        for (const [name, expected] of Object.entries(EXPECTED)) t.deepStrictEqual(rows.map(row => plain(row[name])), expected, name)
        const sums = await connection.runAndReadAll(`select sum(i), max(t)::varchar, sum(list[1]), any_value(hex(_id)) from '${file}'`)
        t.deepStrictEqual(sums.getRowsJson(), [['60', '1970-01-01 00:00:00.005+00', '20', documents[0]._id.toHexString().toUpperCase()]])
      }
    } finally {
      connection.closeSync()
      fs.rmSync(folder, { recursive: true })
    }
    t.done()
  },

  'a package that is not there': t => {
    const hooks = `export async function resolve(name, context, next) {
      if (name === 'parquet-wasm') throw Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' })
      return next(name, context)
    }`
    const code = `
      const Module = require('node:module')
      const { _resolveFilename: resolve } = Module
      Module._resolveFilename = (name, ...rest) => resolve(name === 'apache-arrow' ? 'none' : name, ...rest)
      Module.register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}))
      const { columns, toArrow, toArrowIPC, toParquet } = require('./lib/columns')
      const table = columns(Buffer.alloc(0), { schema: { properties: { a: { bsonType: 'int' } } } })
      const works = [() => toArrow(table), () => toArrowIPC(table).next(), () => toParquet(table).next(),
        () => toParquet(table, { arrow: { RecordBatchReader() {} } }).next()]
      const io = { stdin: {}, stdout: { write: (bytes, done) => done(), on() {} }, stderr: { write: text => console.log(text.trim()), on() {} } }
      for (const name of ['to-arrow', 'to-parquet']) works.push(() => require('./lib/cli').main([name, 'examples/bookshop.bson'], io))
      const say = error => console.log(error.name + ': ' + error.message)
      works.reduce((before, work) => before.then(work).catch(say), Promise.resolve())`
    const said = execFileSync(process.execPath, ['-e', code], { cwd: path.join(__dirname, '..', '..'), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    t.deepStrictEqual(said.trim().split('\n'), [
      'BSONRuntimeError: toArrow needs the package apache-arrow: npm install apache-arrow',
      'BSONRuntimeError: toArrowIPC needs the package apache-arrow: npm install apache-arrow',
      'BSONRuntimeError: toParquet needs the package apache-arrow: npm install apache-arrow parquet-wasm',
      'BSONRuntimeError: toParquet needs the package parquet-wasm: npm install apache-arrow parquet-wasm',
      'qbson: to-arrow needs the package apache-arrow: npm install apache-arrow',
      'qbson: to-parquet needs the package apache-arrow: npm install apache-arrow parquet-wasm'
    ])
    t.done()
  },

  'packages that are given, and what else is wrong with one': async t => {
    t.strictEqual(toArrow(columns(bytes), { arrow }).numRows, 6)
    const parquet = await import('parquet-wasm')
    let isReady = false
    const web = { ...parquet.default, default: async () => { isReady = true } }
    t.ok((await gather(toParquet(columns(bytes), { arrow, parquet: web }))).length > 0)
    t.ok(isReady)
    const bare = { ...parquet.default, default: undefined }
    t.ok((await gather(toParquet(columns(bytes), { parquet: bare }))).length > 0)
    const table = columns(bytes)
    for (const [make, allowed] of [
      [() => toArrow(table, { arrow: {} }), /arrow must be the package apache-arrow, not an object/],
      [() => toArrowIPC(table, { arrow: 'apache-arrow' }), /arrow must be the package apache-arrow, not "apache-arrow"/],
      [() => gather(toParquet(table, { arrow: parquet.default })), /arrow must be the package apache-arrow/],
      [() => gather(toParquet(table, { parquet: arrow })), /parquet must be the package parquet-wasm/]
    ]) await assert.rejects(async () => make(), { name: 'BSONError', message: allowed })
    const old = { ...parquet.default, WriterPropertiesBuilder: class { setMaxRowGroupSize() {} } }
    await assert.rejects(gather(toParquet(table, { parquet: old })), /^BSONRuntimeError: toParquet needs parquet-wasm 0.8 or later$/)
    t.throws(() => { throw notThere('x', 'y', 'z', new TypeError('other')) }, /^TypeError: other$/)
    t.strictEqual(notThere('x', 'y', 'z', { isGiven: true }).message, 'x needs the package y here, passed as the option z')
    t.done()
  },

  'parts that came from a thread become the same bytes': async t => {
    const table = columns(bytes)
    for (const format of /** @type {const} */ (['stream', 'file'])) {
      const { make, pack, unpack, writer } = arrowParts({ format }, table)
      const bytesOf = part => {
        const file = writer()
        return Buffer.concat([...file.add(part), ...file.end()])
      }
      const part = make([table, table])
      const expected = bytesOf(part)
      t.ok(bytesOf(unpack(pack(part))).equals(expected), format)
      t.ok((await gather(toArrowIPC([table, table], { format }))).equals(expected))
    }
    t.done()
  },

  'memory that is used again gives the same bytes': async t => {
    const often = Array.from({ length: 30_000 }, (_, i) => encode({ n: i < 10_000 ? i % 7 : i, s: `text ${i < 10_000 ? 1 : i}`, in: { x: i } }))
    const chunks = () => Array.from({ length: 30 }, (_, i) => Buffer.concat(often.slice(1000 * i, 1000 * i + 1000))).values()
    for (const write of [(tables, how) => toArrowIPC(tables, { format: 'file', ...how }), toParquet]) {
      const options = { rows: 10_000 }
      const expected = await gather(write(columns(chunks(), options)))
      const own = write === toParquet ? undefined : { reuse: true }
      const parts = []
      for await (const part of write(columns(chunks(), { ...options, reuse: true }), own)) parts.push(Buffer.from(part))
      t.ok(Buffer.concat(parts).equals(expected), write.name)
    }
    t.done()
  },

  'the documents are what decode gives': t => {
    t.deepStrictEqual(columns(bytes).get(1).docs, decode(encode(documents[1])).docs)
    t.done()
  }
}
