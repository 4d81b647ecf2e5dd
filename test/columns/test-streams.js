'use strict'

// columns() of input in pieces: tables with a fixed number of rows, independent of the pieces.

const fs = require('node:fs')
const { Readable } = require('node:stream')
const { decode, encode, Binary, BSONError, Decimal128, ObjectId } = require('../../qbson')
const { columns, inferColumns } = require('../../lib/columns')
const { assertSame, assertLayout } = require('../fixtures/columns')

const documents = Array.from({ length: 1000 }, (_, i) => encode({
  i, s: `text ${i}`.repeat(i % 5), list: [i, i + 1].slice(i % 3), in: { x: i % 7 === 0 ? undefined : { y: i / 4 } }
}))
const whole = Buffer.concat(documents)

/** @param {number} size bytes */
function* cut(bytes, size) {
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size)
}

async function all(source, options) {
  const tables = []
  for await (const table of columns(source, options)) tables.push(table)
  return tables
}

/** @returns {Promise<{tables: any[], error: any}>} */
async function until(source, options) {
  const tables = []
  try {
    for await (const table of columns(source, options)) tables.push(table)
  } catch (error) {
    return { tables, error }
  }
  return { tables, error: undefined }
}

module.exports = {
  'other numbers after a sample of decimals are decimals, too': async t => {
    const pieces = [['1.5', '2.5'].map(text => Decimal128.fromString(text)), [5]].map(piece => Buffer.concat(piece.map(a => encode({ a }))))
    const tables = await all(Readable.from(pieces), { sample: 2, decimals: 'string' })
    t.deepStrictEqual(tables.flatMap(({ report }) => report.mismatches), [])
    const values = tables.flatMap(table => Array.from({ length: table.rows }, (_, i) => String(table.get(i).a)))
    t.deepStrictEqual(values, ['1.5', '2.5', '5'])
    t.done()
  },

  'chunks of any size': async t => {
    for (const size of [1, 3, 7, 100, 4096, whole.length]) {
      const tables = await all(cut(whole, size), { rows: 300 })
      t.deepStrictEqual(tables.map(table => table.rows), [300, 300, 300, 100])
      let row = 0
      for (const table of tables) {
        assertSame(table, documents.slice(row, row += table.rows))
        assertLayout(table.inner)
      }
      t.deepStrictEqual(tables[3].report, { documents: 1000, rejected: 0, mismatches: [], replaced: [], farDates: [] })
    }
    t.done()
  },

  'Node streams, web streams, async iterables, batches': async t => {
    async function* batches() {
      for (let i = 0; i < 1000; i += 100) yield { raw: () => documents.slice(i, i + 100) }
    }
    const web = () => new ReadableStream({ start(controller) { controller.enqueue(whole); controller.close() } })
    const old = { getReader: () => web().getReader() }
    for (const source of [Readable.from(cut(whole, 5000)), web(), old, batches(), [documents].values()]) {
      const [table, ...more] = await all(source)
      t.strictEqual(more.length, 0)
      assertSame(table, documents)
    }
    t.done()
  },

  'memory of a table is its own': async t => {
    const [first, second] = await all(cut(whole, 999), { rows: 500 })
    const before = JSON.stringify(first.toArray())
    second.columns.i.values.fill(0)
    t.strictEqual(JSON.stringify(first.toArray()), before)
    t.done()
  },

  'nothing gives one table without rows': async t => {
    t.deepStrictEqual((await all([].values())).map(table => table.rows), [0])
    t.deepStrictEqual((await all([].values(), { schema: { properties: { a: { bsonType: 'int' } } } })).map(table => table.columns.a.length), [0])
    t.done()
  },

  'what comes after the sample and does not fit is counted': async t => {
    const later = [{ a: 1, n: null }, { a: 2, n: null }, { a: 'x', n: 5 }, { a: 3, b: true }, { a: 4, b: true }].map(document => encode(document))
    const tables = await all([later[0], ...later.slice(1)].values(), { sample: 2, rows: 2 })
    t.deepStrictEqual(tables.flatMap(table => [...table.columns.a]), [1, 2, undefined, 3, 4])
    t.deepStrictEqual(tables.flatMap(table => [...table.columns.n]), [null, null, 5, undefined, undefined])
    const size = later[0].length + later[1].length
    t.deepStrictEqual(tables.at(-1).report.mismatches, [
      { path: 'b', type: 'bool', column: null, count: 2, document: 4, offset: size + later[2].length + 11 },
      { path: 'a', type: 'string', column: 'int32', count: 1, document: 3, offset: size + 4 }
    ])
    t.done()
  },

  'a thousand other names are counted by name, the others together': async t => {
    const others = Array.from({ length: 3000 }, (_, i) => encode({ a: 1, [`name ${i}`]: 1 }))
    const [{ report }] = await all([encode({ a: 1 }), ...others, ...others].values(), { sample: 1 })
    t.strictEqual(report.mismatches.length, 1001)
    t.strictEqual(report.mismatches[0].count, 2)
    t.deepStrictEqual([report.mismatches[1000].path, report.mismatches[1000].count], ['["\u2026"]', 4000])
    t.done()
  },

  'a stream that breaks off, or fails, is an error behind what was read': async t => {
    const broken = await until(cut(whole.subarray(0, whole.length - 3), 1000), { rows: 100 })
    t.strictEqual(broken.tables.length, 9)
    t.ok(broken.error instanceof BSONError && /cut short: 3 of its/.test(broken.error.message), broken.error.message)
    t.strictEqual(broken.error.document, 1000)
    const failing = async function* () {
      yield whole.subarray(0, 5000)
      throw new TypeError('gone')
    }
    t.ok((await until(failing())).error instanceof TypeError)
    t.ok((await until([5].values())).error instanceof BSONError)
    t.ok((await until([Buffer.from('04000000', 'hex')].values())).error instanceof BSONError)
    t.ok((await until([Buffer.from('ffffff7f', 'hex')].values(), { maxDocumentSize: 1000 })).error instanceof BSONError)
    t.done()
  },

  'of what the sample says nothing, anything may come': async t => {
    const documents = [{ a: [] }, { a: [1, 'x'], late: 5 }].map(document => encode(document))
    const tables = await all(documents.values(), { sample: 1, fields: ['a', 'late'] })
    t.deepStrictEqual(tables.flatMap(table => table.toArray()), [{ a: [] }, { a: [1, 'x'], late: 5 }])
    t.deepStrictEqual(tables.at(-1).report.mismatches, [])
    t.done()
  },

  'values that the types of the sample cannot hold are counted': async t => {
    const map = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`name ${i}`, i]))
    const sample = encode({ bytes: new Binary(Buffer.from('a'), 5), map })
    const later = encode({ bytes: new Binary(Buffer.from('b'), 6), map: 7 })
    const tables = await all([sample, later].values(), { sample: 1 })
    t.deepStrictEqual(tables.flatMap(table => [...table.columns.bytes].map(value => value?.sub_type ?? null)), [5, null])
    const { mismatches } = tables.at(-1).report
    t.deepStrictEqual(mismatches.map(({ path, type, column, count }) => [path, type, column, count]), [
      ['bytes', 'binData', 'binary', 1], ['map', 'int', 'map', 1]
    ])
    t.done()
  },

  'the types of a stream that fails': async t => {
    const failing = async function* () {
      yield whole
      throw new TypeError('gone')
    }
    t.ok((await inferColumns(failing()).catch(error => error)) instanceof TypeError)
    const [table] = await all([whole].values(), { schema: await inferColumns([whole].values()) })
    assertSame(table, documents)
    t.done()
  },

  'a source that is no longer read is closed': async t => {
    let isClosed = false
    const source = async function* () {
      try {
        while (true) yield whole
      } finally {
        isClosed = true
      }
    }
    for await (const table of columns(source(), { rows: 10 })) {
      t.strictEqual(table.rows, 10)
      break
    }
    t.ok(isClosed)
    t.done()
  },

  'a table of large documents has few rows': async t => {
    const large = encode({ s: 'x'.repeat(15 * 1024 * 1024) })
    const tables = await all([large, large, large, large].values())
    t.deepStrictEqual(tables.map(table => table.rows), [1, 1, 1, 1])
    t.strictEqual(tables[1].columns.s.get(0).length, 15 * 1024 * 1024)
    t.done()
  },

  'a table of small documents ends after some megabytes of them': async t => {
    const small = encode({ s: 'x'.repeat(20_000) })
    const chunk = Buffer.alloc(300 * small.length, small)
    const tables = await all([chunk, chunk, chunk].values(), { rows: 10_000 })
    t.deepStrictEqual(tables.map(table => table.rows), [300, 300, 300])
    const items = encode({ s: 'x'.repeat(20_000), l: new Array(900).fill(1) })
    const rows = (await all([items].values(), { unwind: 'l' })).map(table => table.rows)
    t.ok(rows.length >= 4 && Math.max(...rows) <= 300, `${rows}`) // what is beside the items counts for each
    t.done()
  },

  'what is beside items is the same in every table': async t => {
    const values = { t: 'x', n: null, b: true, i: 1, d: 1.5, id: new ObjectId(), bin: new Binary(Buffer.of(1)), r: /a/i, e: [], a: [{ x: 1 }, { y: 'z' }] }
    const bytes = encode({ ...values, o: { ...values, p: { l: [1, 2, 3, 4, 5], x: 1 } }, last: { k: 1 } })
    const map = { bsonType: 'object', additionalProperties: {} }
    const [int, text] = ['int', 'string'].map(bsonType => ({ bsonType }))
    const o = { bsonType: 'object', properties: { i: int, t: text, p: map } }
    const ways = [{}, { json: ['o'] }, { json: ['o.p'] }, { fields: ['t', 'o.p.l', 'o.a'] }, { schema: { properties: { last: { ...map, additionalProperties: int }, o } } }]
    for (const way of ways) {
      const [first, ...others] = (await all([bytes].values(), { unwind: 'o.p.l', rows: 2, ...way })).flatMap(table => table.toArray())
      for (const [i, other] of others.entries()) {
        const expected = decode(encode(first))
        expected.o.p.l = i + 2
        t.deepStrictEqual(other, expected, JSON.stringify(way))
      }
      t.strictEqual(others.length, 4)
    }
    t.done()
  },

  'tables that the next ones overwrite': async t => {
    const many = Array.from({ length: 9000 }, (_, i) => documents[(7 * i) % 1000])
    const memory = new Set()
    let [row, again] = [0, 0]
    for await (const table of columns(cut(Buffer.concat(many), 50_000), { rows: 2000, reuse: true })) {
      assertSame(table, many.slice(row, row += table.rows))
      assertLayout(table.inner)
      const { buffer } = table.columns.i.values
      if (memory.has(buffer)) again++
      memory.add(buffer)
    }
    t.strictEqual(row, 9000)
    t.ok(again > 0)
    t.done()
  },

  'a file': async t => {
    const [table] = await all(fs.createReadStream(require.resolve('../../examples/bookshop.bson')))
    t.ok(table.rows > 0)
    t.done()
  }
}
