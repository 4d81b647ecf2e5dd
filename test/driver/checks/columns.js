'use strict'

// qbson/columns on the results of the driver, with either library, and the example of docs/columns.md with a page.

const assert = require('assert')
const fs = require('fs')
const path = require('path')
const vm = require('vm')
const { once } = require('events')
const { tableFromIPC } = require('apache-arrow')
const { columns, toArrow, toParquet } = require('../../../lib/columns')
const { batches } = require('../../../lib/cursor')
const { openPage } = require('../../runtimes/browsers')

const page = fs.readFileSync(path.join(__dirname, '..', '..', '..', 'docs', 'columns.md'), 'utf8')
const [, example] = /^<!-- not run: test\/driver runs it.* -->\n```js\n([^]*?)^```$/m.exec(page)

const COUNT = 3000

/** FerretDB closes the connection on decimals. */
const documents = ({ kind, bson: { ObjectId, Long, Decimal128 } }) => Array.from({ length: COUNT }, (_, i) => ({
  _id: i,
  owner: new ObjectId(`${i.toString(16).padStart(8, '0')}0123456789abcdef`),
  customer: `Zoë ${i}`,
  at: new Date(1.6e12 + i * 1000),
  total: i / 4,
  large: Long.fromString(`${2n ** 60n + BigInt(i)}`),
  ...(kind === 'ferretdb' ? {} : { price: Decimal128.fromString(`${i}.50`) }),
  lines: [{ count: i }, ...(i % 3 === 0 ? [{ note: 'none' }] : [])],
  ...(i % 5 === 0 ? {} : { in: { x: i % 2 === 0, y: null } })
}))

async function filled(context, name, made) {
  const collection = await context.fresh(name)
  await collection.insertMany(made)
  return collection
}

async function tablesOf(collection, options) {
  const tables = []
  for await (const table of columns(batches(collection.find({}, { raw: true, sort: { _id: 1 } })), options)) tables.push(table)
  return tables
}

/** Ids, numbers and dates of either library as text. */
const plain = value => JSON.parse(JSON.stringify(value, (key, item) => (typeof item === 'bigint' ? String(item) : item)))

/** Runs the example; `use(url)` is called when it listens. */
async function serving(context, use) {
  const requireFor = name => (/^(qbson(\/|$)|node:)/.test(name) ? require(name) : context.requireHere(name))
  requireFor.resolve = require.resolve
  const process = { env: { MONGODB_URI: context.uri } }
  const code = example.replace("db('shop')", `db('${context.databaseName}')`).replace('listen(8080)', 'listen(0)')
  const main = vm.runInThisContext(`(require, process) => {\n${code}\nreturn { server, client } }`)
  const { server, client } = main(requireFor, process)
  try {
    await once(server, 'listening')
    return await use(`http://localhost:${server.address().port}/`)
  } finally {
    server.close()
    await client.close()
  }
}

/** What the page of the example is to show. */
const orders = [{ customer: 'Ada', lines: [{ count: 2 }], total: 12.5 }, { customer: 'Alan', lines: [], total: 10 }, { customer: 'Zoë', total: 9 }]

module.exports = {
  'columns of a find are the documents of the find': async context => {
    const collection = await filled(context, 'columns', documents(context))
    const tables = await tablesOf(collection, { rows: 700 })
    assert.deepStrictEqual(tables.map(table => table.rows), [700, 700, 700, 700, 200])
    assert.deepStrictEqual(tables.at(-1).report, { documents: COUNT, rejected: 0, mismatches: [], replaced: [], farDates: [] })
    const found = await collection.find({}, { sort: { _id: 1 }, useBigInt64: true }).toArray()
    const rows = plain(tables.flatMap(table => table.toArray()))
    found.forEach((document, i) => assert.deepStrictEqual(rows[i], { ...plain(document), large: rows[i].large }))
    assert.deepStrictEqual(tables.flatMap(table => Array.from(table.columns.large.values)), found.map(({ large }) => large))
    return tables[0].columns.owner.type
  },

  'a find to Arrow and to Parquet': async context => {
    const { parquetReadObjects } = await import('hyparquet')
    const collection = await filled(context, 'columns', documents(context))
    const tables = await tablesOf(collection, { rows: 1000, fields: ['_id', 'customer', 'total', 'lines.count'] })
    const arrow = toArrow(tables)
    assert.strictEqual(arrow.numRows, COUNT)
    const parts = []
    for await (const part of toParquet(tables)) parts.push(part)
    const rows = await parquetReadObjects({ file: new Uint8Array(Buffer.concat(parts)).buffer })
    for (let i = 0; i < COUNT; i += 97) {
      const lines = i % 3 === 0 ? [{ count: i }, { count: null }] : [{ count: i }]
      const expected = { _id: i, customer: `Zoë ${i}`, total: i / 4, lines }
      assert.deepStrictEqual(plain(rows[i]), expected)
      assert.deepStrictEqual(plain(arrow.get(i)), expected)
    }
  },

  'docs/columns.md: from find to a table in the page': async context => {
    await filled(context, 'orders', orders.map(order => ({ ...order }))) // insertMany gives them ids
    await serving(context, async url => {
      const table = await tableFromIPC(fetch(`${url}orders`))
      assert.deepStrictEqual(plain(table.toArray()), plain(orders.slice(0, 2)))
      const shown = await openPage('chromium', url, async tab => {
        await tab.waitForFunction('document.querySelectorAll("tr").length === 3')
        return tab.evaluate('[...document.querySelectorAll("tr")].map(row => [...row.cells].map(cell => cell.textContent))')
      })
      if (typeof shown === 'string') context.skip(`Chromium: ${shown}`)
      assert.deepStrictEqual(shown, [['customer', 'lines', 'total'], ['Ada', '[{"count": 2}]', '12.5'], ['Alan', '[]', '10']])
    })
  }
}
