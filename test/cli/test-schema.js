'use strict'

// qbson schema, which writes the schema in examples/.

const fs = require('node:fs')
const path = require('node:path')
const { encode, Decimal128, UUID } = require('../../qbson')
const { bookshop, run, lines, write, broken } = require('../fixtures/cli')

module.exports = {
  'schema prints the $jsonSchema of a file': async function (t) {
    const plain = await run(['schema', '--no-bounds', '--no-descriptions', bookshop])
    t.strictEqual(plain.out, fs.readFileSync(path.join(__dirname, '..', '..', 'examples', 'bookshop.schema.json'), 'utf8'))
    t.strictEqual(plain.code, 0)
    const { pages } = JSON.parse((await run(['schema', bookshop])).out).properties
    t.deepStrictEqual(pages, { bsonType: 'int', description: 'in 4 of 6', minimum: 96, maximum: 488 })
    t.done()
  },

  'schema says what is wrong with a file': async function (t) {
    const { code, err } = await run(['schema', write('broken.bson', broken().bytes)])
    t.strictEqual(code, 1)
    t.ok(err.startsWith('qbson: '), err)
    t.done()
  },

  'schema --statistics of ranges, merged, is that of the file, and gives each range the same columns': async function (t) {
    const file = write('parts.bson', Buffer.concat(Array.from({ length: 90 }, (_, i) => {
      return encode({ _id: i, price: new Decimal128(`${i}.5`), ...(i > 60 && { late: new UUID() }), n: i > 30 ? i : 'text' })
    })))
    const ranges = lines((await run(['split', '--size', '1kB', file])).out)
    t.ok(ranges.length > 2)
    const parts = []
    for (const [i, range] of ranges.entries()) parts.push(write(`part${i}.json`, (await run(['schema', '--statistics', '--range', range, file])).bytes))
    const merged = await run(['schema', '--merge', ...parts])
    t.deepStrictEqual([merged.code, merged.err], [0, ''])
    t.strictEqual(merged.out, (await run(['schema', '--statistics', file])).out)
    const schema = write('merged.json', merged.bytes)
    const csvs = []
    for (const range of ranges) csvs.push(lines((await run(['to-csv', '--schema', schema, '--range', range, file])).out))
    t.deepStrictEqual(new Set(csvs.map(([head]) => head)), new Set(['_id,price,n,late']))
    t.deepStrictEqual(csvs.flatMap(([, ...rows]) => rows), lines((await run(['to-csv', file])).out).slice(1))
    t.done()
  },

  'schema --statistics says what is wrong with a document; --merge takes only its output': async function (t) {
    const file = write('broken.bson', broken().bytes)
    const whole = await run(['schema', '--statistics', file])
    t.strictEqual(whole.code, 1)
    t.ok(/broken\.bson.*document 2/.test(whole.err), whole.err)
    const rest = await run(['schema', '--statistics', '--keep-going', file])
    t.strictEqual(rest.code, 1)
    t.strictEqual(JSON.parse(rest.out).columns.count, 2)
    for (const other of [bookshop, write('other.json', '{"bsonType":"object"}'), path.join(__dirname, 'missing.json')]) {
      const { code, err } = await run(['schema', '--merge', other])
      t.strictEqual(code, 2)
      t.ok(err.includes(path.basename(other)), err)
    }
    t.done()
  }
}
