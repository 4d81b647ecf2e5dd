'use strict'

// --sort and distinct.

const { encode, Decimal128, RawDocument } = require('../../qbson')
const { nested } = require('../../fuzz/families/parts')
const { run, lines, broken } = require('../fixtures/cli')

const documents = Array.from({ length: 500 }, (_, i) => {
  return { _id: i, n: (i * 7919) % 500, price: Decimal128.fromString(`${(i * 31) % 97}.50`), kind: ['a', 'b', 'b', 'c'][i % 4], tags: ['x', i % 2] }
})
const input = Buffer.concat(documents.map(document => encode(document)))
const idsOf = async (...args) => lines((await run(args, { input })).out).map(line => JSON.parse(line)._id)

module.exports = {
  'documents in an order': async function (t) {
    const byNumber = documents.toSorted((a, b) => a.n - b.n).map(({ _id }) => _id)
    t.deepStrictEqual(await idsOf('--sort', 'n'), byNumber)
    t.deepStrictEqual(await idsOf('--sort', 'n:-1'), byNumber.toReversed())
    const byPrice = documents.toSorted((a, b) => Number(b.price) - Number(a.price) || a.n - b.n).map(({ _id }) => _id)
    t.deepStrictEqual(await idsOf('--sort', 'price:-1,n'), byPrice)
    t.deepStrictEqual(await idsOf('--sort', '{price: -1, n: 1}'), byPrice)
    const numbered = Buffer.concat([[1, 2], [1, 3], [2, 1]].map(([b, zero], _id) => encode(new Map([['_id', _id], ['b', b], ['0', zero]]))))
    t.deepStrictEqual(lines((await run(['--sort', '{b: 1, 0: -1}', '--fields', '_id'], { input: numbered })).out).join(), '{"_id":1},{"_id":0},{"_id":2}')
    for (const [skip, limit] of [[0, 1], [0, 7], [3, 10], [490, 50], [0, 0]]) {
      const found = await idsOf('--sort', 'price:-1,n', '--limit', String(limit), '--skip', String(skip))
      t.deepStrictEqual(found, byPrice.slice(skip, skip + limit))
    }
    t.done()
  },

  'equal documents stay in the order of the file': async function (t) {
    t.deepStrictEqual(await idsOf('--sort', 'kind', '--limit', '300'), [0, 1, 2, 3].flatMap(kind => {
      return documents.filter(({ _id }) => [0, 1, 1, 2][_id % 4] === kind).map(({ _id }) => _id)
    }).slice(0, 300))
    t.done()
  },

  'with other options, for other commands': async function (t) {
    t.deepStrictEqual(await idsOf('--match', '{kind: "c"}', '--sort', 'n', '--limit', '2'),
      documents.filter(({ kind }) => kind === 'c').sort((a, b) => a.n - b.n).slice(0, 2).map(({ _id }) => _id))
    const csv = await run(['to-csv', '--sort', 'n:-1', '--limit', '2', '--fields', 'n'], { input })
    t.strictEqual(csv.out, 'n\n499\n498\n')
    t.strictEqual((await run(['edit', '--unset', 'tags', '--sort', 'n', '--limit', '1', '--to', 'json', '--fields', 'n'], { input })).out, '{"n":0}\n')
    t.done()
  },

  'what is no order': async function (t) {
    for (const [sort, message] of [['n:2', 'must be 1 or -1'], ['', 'needs fields'], [',', 'needs fields'], ['{n', 'unexpected'], ['{}', 'at least one field']]) {
      const { code, err } = await run(['--sort', sort], { input })
      t.ok(code === 2 && err.includes(message), err)
    }
    t.strictEqual((await run(['--sort', 'n', '--tail', '5'], { input })).code, 2)
    t.done()
  },

  'a broken document is a fault with its place, or left out': async function (t) {
    const { bytes } = broken()
    const fault = await run(['--sort', 'list'], { input: bytes })
    t.ok(fault.code === 1 && /\(at offset \d+ in field list of document 2\)/.test(fault.err), fault.err)
    const rest = await run(['--sort', 'list', '--keep-going'], { input: bytes })
    t.strictEqual(lines(rest.out).length, 2)
    t.ok(rest.code === 1 && rest.err.includes('1 document was left out'), rest.err)
    t.done()
  },

  'distinct: values and how often': async function (t) {
    const out = async (...args) => (await run(['distinct', ...args], { input })).out
    t.strictEqual(await out('kind'), '{"value":"b","count":250}\n{"value":"a","count":125}\n{"value":"c","count":125}\n')
    t.strictEqual(await out('kind', '--in-order', '--top', '1'), '{"value":"a","count":125}\n')
    t.strictEqual(await out('tags', '--canonical', '--limit', '3'), '{"value":"x","count":{"$numberInt":"3"}}\n' +
      '{"value":{"$numberInt":"0"},"count":{"$numberInt":"2"}}\n{"value":{"$numberInt":"1"},"count":{"$numberInt":"1"}}\n')
    t.strictEqual(await out('price', '--match', '{n: {$lt: 2}}', '--in-order', '--top', '1'), '{"value":{"$numberDecimal":"0.50"},"count":1}\n')
    t.strictEqual(lines(await out('_id')).length, 500)
    t.strictEqual(await out('none'), '')
    t.done()
  },

  'a document that is broken elsewhere ends the reading at its place, or is left out': async function (t) {
    const documents = [3, 1, 2, 5, 4].map(n => encode({ n, text: 'x'.repeat(n), b: true }))
    documents[2][documents[2].length - 2] = 7
    const input = Buffer.concat(documents)
    const fault = await run(['--sort', 'n'], { input })
    t.deepStrictEqual(fault.out.match(/"n":\d/g), ['"n":1', '"n":3'])
    t.ok(fault.code === 1 && fault.err.includes(`(at offset ${input.indexOf(documents[2]) + documents[2].length - 2} in field b of document 3)`), fault.err)
    const left = await run(['--sort', 'n:-1', '--keep-going'], { input })
    t.deepStrictEqual([left.code, left.out.match(/"n":\d/g)], [1, ['"n":5', '"n":4', '"n":3', '"n":1']])
    t.ok(left.err.includes('of document 3)'), left.err)
    t.done()
  },

  'with --keep-going, what cannot be written later is not chosen': async t => {
    const deep = new RawDocument(Buffer.from(nested(3000, 'a')))
    const input = Buffer.concat(Array.from({ length: 10 }, (_, n) => encode({ n, ...(n % 3 === 1 && { a: deep }) })))
    const choices = [[['--tail', '3'], [6, 8, 9]], [['--sort', 'n', '--limit', '3'], [0, 2, 3]], [['--limit', '3', '--skip', '1'], [2, 3, 5]], [['--sample', '9'], [0, 2, 3, 5, 6, 8, 9]]]
    for (const [args, expected] of choices) {
      for (const command of [['--to', 'json'], ['to-csv'], ['edit', '--set', 'b=1', '--to', 'json'], ['head', '--table']]) {
        const { out, err, code } = await run([...command, ...args, '--keep-going'], { input })
        const found = out.match(/(?<=^|"n":)\d/gm).map(Number)
        t.deepStrictEqual([found, code, /left out/.test(err)], [expected, 1, true], `${command} ${args}`)
      }
      const all = await run(['to-csv', '--fields', 'n', ...args, '--keep-going'], { input })
      t.deepStrictEqual([all.code, lines(all.out).length], [0, args[1] === '9' ? 10 : 4], 'only fields that can be written')
    }
    t.done()
  },

  'with --keep-going, what an edit fails on is not chosen': async t => {
    const input = Buffer.concat(Array.from({ length: 6 }, (_, n) => encode({ n, a: n % 3 === 2 ? 7 : { b: 0 } })))
    const choices = [[['--tail', '2'], [3, 4]], [['--sort', 'n:-1', '--limit', '2'], [4, 3]], [['--limit', '3', '--skip', '1'], [1, 3, 4]], [['--sample', '4'], [0, 1, 3, 4]]]
    for (const [args, expected] of choices) {
      const { out, err, code } = await run(['edit', '--set', 'a.b=1', '--to', 'json', ...args, '--keep-going'], { input })
      t.deepStrictEqual([lines(out).map(line => JSON.parse(line)), code], [expected.map(n => ({ n, a: { b: 1 } })), 1], String(args))
      t.ok(err.includes('cannot set b in a, which is not a document') && err.includes(`edited ${expected.length} of ${expected.length}`), err)
    }
    t.done()
  },

  'a field of --sort that no document has is said': async t => {
    for (const [args, note] of [[['--sort', 'nn,n'], 'qbson: no document has nn (--sort)\n'], [['--sort', '{n: 1}'], ''], [['--sort', 'nn'], 'qbson: no document has nn (--sort)\n']]) {
      const { err, code } = await run([...args, '--limit', '1'], { input })
      t.deepStrictEqual([err, code], [note, 0])
    }
    t.done()
  },

  'distinct of a field without values says so; an empty file has nothing to say': async function (t) {
    for (const field of ['nosuch', 'a']) {
      const { out, err, code } = await run(['distinct', field], { input: encode({ a: [] }) })
      t.deepStrictEqual([out, err, code], ['', `qbson: no document has a value in ${field}\n`, 0])
    }
    t.deepStrictEqual((await run(['distinct', 'nosuch'], { input: Buffer.alloc(0) })).err, '')
    t.deepStrictEqual((await run(['distinct', 'a', '--top', '0'], { input: encode({ a: 1 }) })).err, '')
    t.done()
  },

  'distinct: what it needs, and faults': async function (t) {
    const missing = await run(['distinct'], { input })
    t.ok(missing.code === 2 && missing.err.startsWith('qbson: distinct needs FIELD\n'), missing.err)
    t.ok((await run(['distinct', '--help'])).out.includes('FIELD'))
    const fault = await run(['distinct', 'list'], { input: broken().bytes })
    t.ok(fault.code === 1 && /of document 2\)/.test(fault.err), fault.err)
    const none = await run(['distinct', 'nosuch.x'], { input: broken().bytes.fill(0, 0, 1) })
    t.ok(none.code === 1 && !none.err.includes('no document'), none.err)
    t.done()
  }
}
