'use strict'

// toParquet() and toArrowIPC(): their errors. test-arrow.js tests what they write.

const { Readable } = require('node:stream')
const { encode, BSONError, BSONRegExp, Binary, Decimal128, UUID } = require('../../qbson')
const { columns, toArrow, toArrowIPC, toParquet, toCSV } = require('../../lib/columns')
const { errorOf } = require('../fixtures/error-of')

const tableOf = (...documents) => columns(Buffer.concat(documents.map(document => encode(document))))

/** Documents in documents; the innermost has a column of two columns. @param {(inner: any) => any} around */
function deep(levels, around) {
  let document = { end: /x/i }
  for (let i = 0; i < levels; i++) document = around(document)
  return document
}

async function gather(source) {
  const parts = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts)
}

/** @returns {Promise<any>} */
async function rejection(source) {
  try {
    await gather(source)
  } catch (error) {
    return error
  }
  throw new Error('it was not rejected')
}

/** Tables that record whether the reader has stopped. */
function closing(...tables) {
  const source = {
    isClosed: false,
    * [Symbol.iterator]() {
      try {
        yield* tables
      } finally {
        source.isClosed = true
      }
    }
  }
  return source
}

module.exports = {
  'UUIDs have their logical type, wherever they are, and nothing else of 16 bytes has': async t => {
    const { parquetMetadata } = await import('hyparquet')
    const uuid = new UUID('00112233-4455-6677-8899-aabbccddeeff')
    const first = {
      r: new BSONRegExp('x'), b: new Binary(Buffer.from('a'), 1), s: { d: Decimal128.fromString('1'), u: uuid }, l: [uuid],
      m: { '00112233-4455-6677-8899-aabbccddeeff': uuid, '10112233-4455-6677-8899-aabbccddeeff': uuid }, n: null, u: uuid, t: 'text'
    }
    const table = ids => columns([first, { b: new Binary(Buffer.from('a'), 2) }].map(each => encode(each)), { decimals: 'bytes', ids })
    const leavesOf = async ids => {
      const bytes = await gather(toParquet(table(ids)))
      const { schema } = parquetMetadata(new Uint8Array(bytes).buffer)
      return schema.filter(element => !element.num_children).map(({ name, logical_type: type, converted_type: old }) => `${name} ${type?.type ?? old}`)
    }
    const all = await leavesOf('bytes')
    t.deepStrictEqual(all.filter(leaf => leaf.endsWith('UUID')), ['u UUID', 'item UUID', 'value UUID', 'u UUID'])
    t.strictEqual((await leavesOf('hex')).some(leaf => leaf.endsWith('UUID')), false)
    t.ok(all.includes('d undefined'), all.join())
    t.done()
  },

  'options that make no sense, and nothing to write': async t => {
    for (const options of [{ compression: 'rar' }, { compression: 'toString' }, { rowGroupSize: 0 }]) {
      t.throws(() => toParquet(tableOf({ a: 1 }), options), BSONError)
    }
    t.throws(() => toParquet([]), BSONError)
    t.throws(() => toArrowIPC(tableOf({ a: 1 }), { format: 'text' }), /format must be 'stream' or 'file', not "text"/)
    const source = closing(tableOf({}))
    for (const nothing of [source, [].values(), Readable.from([])]) {
      t.ok(/at least one column/.test((await rejection(toParquet(nothing))).message))
    }
    t.ok(source.isClosed)
    t.done()
  },

  'what the tables throw is the error': async t => {
    const bytes = Buffer.concat([encode({ a: 1 }), encode({ a: 2 })])
    for (const write of [toParquet, toArrowIPC]) {
      const error = await rejection(write(columns([bytes, bytes.subarray(0, 20)].values(), { rows: 1 })))
      t.ok(/cut short/.test(error.message), error.stack)
      const thrown = { not: 'an error' }
      const failing = { [Symbol.iterator]: () => ({ next: () => { throw thrown } }) }
      t.strictEqual(await rejection(write(failing)), thrown)
    }
    t.done()
  },

  'tables with different columns': async t => {
    const first = tableOf({ a: 1, in: { b: [1] } })
    const others = [
      [tableOf({ a: 'x', in: { b: [1] } }), 'a'], [tableOf({ a: 1, in: { b: [1.5] } }), 'in.b.item'], [tableOf({ a: 1 }), 'in'],
      [tableOf({ a: 1, in: { b: [1] }, more: 1 }), 'more'], [tableOf({ a: 1, in: { c: [1] } }), 'in.b']
    ]
    for (const [other, path] of others) {
      const message = `the tables have different columns, one of them is ${path}: read all of them with one schema, such as the result of inferColumns`
      const writers = [tables => toParquet(tables, { rowGroupSize: 1 }), toArrowIPC, toCSV]
    for (const write of writers) {
        const source = closing(first, other)
        const error = await rejection(write(source))
        t.ok(error instanceof BSONError)
        t.strictEqual(error.message, message)
        t.ok(source.isClosed)
      }
      t.strictEqual(errorOf(() => toArrow([first, other])).message, message)
    }
    t.done()
  },

  'as deep as columns go': async t => {
    const { parquetReadObjects } = await import('hyparquet')
    for (const around of [a => ({ a }), a => ({ a: [a] }), a => ({ 1: a, 2: {} })]) {
      const table = tableOf({ a: deep(60, around) })
      t.strictEqual((await parquetReadObjects({ file: new Uint8Array(await gather(toParquet(table))).buffer })).length, 1)
    }
    t.done()
  },

  'dictionaries are made for values that repeat, unless there are few of them, or many columns': async t => {
    const { parquetMetadata } = await import('hyparquet')
    const withDictionary = async (columnCount, rows) => {
      const row = Object.fromEntries(Array.from({ length: columnCount }, (_, i) => [`c${i}`, 'same']))
      const table = columns(Buffer.concat(Array.from({ length: rows }, (_, n) => encode({ _id: n, ...row, in: { a: 'same' } }))))
      const { row_groups: [{ columns: chunks }] } = parquetMetadata(new Uint8Array(await gather(toParquet(table))).buffer)
      return chunks.map(({ meta_data: { dictionary_page_offset: offset } }) => Number(offset !== undefined)).join('')
    }
    t.strictEqual(await withDictionary(2, 150), '0111')
    t.strictEqual(await withDictionary(2, 50), '0000')
    t.ok(/^0+$/.test(await withDictionary(1001, 120)))
    t.done()
  },

  'what the package refuses is a BSONError': async t => {
    const { default: own } = await import('parquet-wasm')
    const { writeParquet, Table: { fromIPCStream } } = own
    const refuse = () => { throw new Error('no room') }
    try {
      for (const [object, name, thrower] of [[own, 'writeParquet', refuse], [own, 'writeParquet', () => { throw 'no room' }], [own.Table, 'fromIPCStream', refuse]]) {
        object[name] = thrower
        const source = closing(tableOf({ a: 1 }))
        const error = await rejection(toParquet(source))
        t.ok(error instanceof BSONError)
        t.strictEqual(error.message, 'parquet-wasm could not write these columns: no room')
        t.ok(source.isClosed)
        own.writeParquet = writeParquet
      }
      own.Table.fromIPCStream = fromIPCStream
      own.writeParquet = () => { throw new WebAssembly.RuntimeError('unreachable') }
      const { message } = await rejection(toParquet(closing(tableOf({ _id: 1, text: 'x'.repeat(1000), in: { a: 1 } }))))
      const said = /columns: it ran out of memory on a row group of \d+ bytes, 1\d\d\d of them in the column text; .* 600 MB: leave out/
      t.ok(said.test(message), message)
    } finally {
      Object.assign(own, { writeParquet })
      own.Table.fromIPCStream = fromIPCStream
    }
    t.ok((await gather(toParquet(tableOf({ a: 1 })))).length > 100)
    t.done()
  },

  'a row group of long values has no statistics, which would hold them': async t => {
    const { parquetReadObjects, parquetMetadata } = await import('hyparquet')
    const file = new Uint8Array(await gather(toParquet([tableOf({ s: 'short' }), tableOf({ s: 'x'.repeat(2e6) })], { rowGroupSize: 1 }))).buffer
    const found = parquetMetadata(file).row_groups.map(({ columns }) => columns[0].meta_data.statistics?.max_value)
    t.deepStrictEqual(found, ['short', undefined])
    t.deepStrictEqual((await parquetReadObjects({ file })).map(({ s }) => s.length), [5, 2e6])
    t.done()
  },

  'row groups follow one another, and the footer says where': async t => {
    const { parquetReadObjects, parquetMetadata } = await import('hyparquet')
    const documents = Array.from({ length: 200 }, (_, i) => ({ i, s: `text ${i % 7}`, in: { list: [i, 5 - i], none: i % 2 ? null : 'x' } }))
    const read = async (tables, options) => {
      const file = new Uint8Array(await gather(toParquet(tables, options))).buffer
      const { row_groups: groups, num_rows: rows } = parquetMetadata(file)
      return { objects: await parquetReadObjects({ file }), sizes: groups.map(({ num_rows: size }) => Number(size)), rows: Number(rows) }
    }
    const whole = await read(tableOf(...documents))
    t.deepStrictEqual([whole.rows, whole.sizes], [200, [200]])
    const tables = [0, 40, 80, 120, 160].map(from => tableOf(...documents.slice(from, from + 40)))
    const rows = [[100, [80, 80, 40]], [24, [24, 16, 24, 16, 24, 16, 24, 16, 24, 16]], [1, documents.map(() => 1)]]
    for (const [rowGroupSize, sizes] of rows) {
      const found = await read(tables, { rowGroupSize })
      t.deepStrictEqual([found.rows, found.sizes], [200, sizes])
      t.deepStrictEqual(found.objects, whole.objects)
    }
    const empty = await read(columns(new Uint8Array(0), { schema: { properties: { a: { bsonType: 'int' } } } }))
    t.deepStrictEqual([empty.rows, empty.objects], [0, []])
    const large = Array.from({ length: 100 }, (_, i) => ({ s: `${'x'.repeat(70_000)}${i}` }))
    t.deepStrictEqual((await read([tableOf(...large), tableOf(...large)], { compression: 'none' })).sizes, [200], '14 MB, which are not divided')
    t.done()
  },

  'a reader that stops early closes the source': async t => {
    for (const write of [toParquet, toArrowIPC, toCSV]) {
      const source = closing(...Array.from({ length: 50 }, (_, i) => tableOf({ a: i, s: 'x'.repeat(1000) })))
      for await (const part of write(source)) {
        t.ok(part.length > 0)
        break
      }
      t.ok(source.isClosed, String(write))
    }
    t.done()
  }
}
