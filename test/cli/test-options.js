'use strict'

// The options that all commands have.

const fs = require('node:fs')
const path = require('node:path')
const { encode } = require('../../qbson')
const { UsageError } = require('../../lib/cli/terminal/messages')
const { READING_OPTIONS, readOptions } = require('../../lib/cli/options')
const { Range } = require('../../lib/cli/tasks/documents')
const { values, dump, run, lines, write, broken, folder } = require('../fixtures/cli')
const { archive } = require('../fixtures/dumps')

module.exports = {
  '--skip and --limit count over all files': async function (t) {
    const file = write('a.bson', dump)
    const ids = async (...args) => lines((await run([...args, file, file])).out).map(line => JSON.parse(line)._id)
    t.deepStrictEqual(await ids(), [1, 2, 3, 1, 2, 3])
    t.deepStrictEqual(await ids('--skip', '2'), [3, 1, 2, 3])
    t.deepStrictEqual(await ids('--limit', '4'), [1, 2, 3, 1])
    t.deepStrictEqual(await ids('--skip=1', '--limit=1'), [2])
    t.deepStrictEqual(await ids('--skip', '4', '--limit', '9'), [2, 3])
    t.deepStrictEqual(await ids('--limit', '0'), [])
    t.deepStrictEqual(await ids('--skip', '99'), [])
    t.done()
  },

  'a name in brackets may have dots, commas and quotes, in every path': async t => {
    const documents = [{ _id: 1, 'a.b': 'Ada', a: { b: 'no', 'c.d': 5 }, 'x,y': 1, '': 3, l: [{ 'p.q': 1 }, { 'p.q': 2 }], '[0]': 'z', 'q"r=': 1 }, { _id: 2, 'a.b': 'Bob', a: { 'c.d': 4 } }]
    const file = write('brackets.bson', Buffer.concat(documents.map(document => encode(document))))
    const first = async (...args) => lines((await run([...args, file])).out)[0]
    for (const [fields, expected] of [
      ['["a.b"]', '{"a.b":"Ada"}'], ['a["c.d"],["x,y"]', '{"a":{"c.d":5},"x,y":1}'], ['a.b', '{"a":{"b":"no"}}'], ['[""]', '{"":3}'],
      ['l["p.q"]', '{"l":[{"p.q":1},{"p.q":2}]}'], ['[0]', '{"[0]":"z"}'], ['["q\\"r="] , _id', '{"_id":1,"q\\"r=":1}'], ['a["c.d"],a', '{"a":{"b":"no","c.d":5}}']
    ]) t.strictEqual(await first('--fields', fields), expected)
    t.strictEqual(await first('--sort', '["a.b"]:-1', '--fields', '_id'), '{"_id":2}')
    t.strictEqual(await first('distinct', 'a["c.d"]'), '{"value":4,"count":1}')
    t.strictEqual(await first('to-csv', '--fields', '["a.b"],a["c.d"]'), '"[""a.b""]","a[""c.d""]"')
    t.strictEqual(await first('to-csv', '--json', 'a["c.d"]', '--fields', 'a'), 'a.b,"a[""c.d""]"')
    t.strictEqual((await run(['to-csv', '--unwind', '["l"]', '--json', 'l', '--fields', 'l', file])).out, 'l\n"{""p.q"":1}"\n"{""p.q"":2}"\n')
    const edits = ['--mask', '["a.b"]', '--unset', 'a["c.d"]', '--set', '["q\\"r="]=7', '--set', '["n.m"].k="v"']
    t.strictEqual(await first('edit', ...edits, '--fields', '["a.b"],a,["q\\"r="]', '--to', 'json'), '{"a.b":"Xxx","a":{"b":"no"},"q\\"r=":7,"n.m":{"k":"v"}}')
    for (const [args, message] of [
      [['--fields', '["no.x"]'], 'no document has ["no.x"] (--fields)'], [['--sort', 'a["b.c"]'], 'no document has a["b.c"] (--sort)'],
      [['edit', '--unset', '["a.b"]', '--mask', '["a.b"].c'], 'conflicting edits: ["a.b"], ["a.b"].c'], [['--fields', '["\\q"]'], '["\\q"] is not the name of a field'],
      [['edit', '--unset', '["no.x"]'], 'no edited document has ["no.x"]']
    ]) t.ok((await run([...args, file])).err.includes(message), message)
    t.done()
  },

  'fields in brackets that a document or --set has are not reported as missing': async t => {
    const input = encode({ 'a.b': [], z: { 'c.d': 1 } })
    for (const args of [
      ['--fields', '["a.b"]'], ['--sort', '["a.b"]'], ['to-csv', '--json', '["a.b"]'], ['--fields', 'z,z["c.d"]'], ['--fields', '["z"],z'],
      ...[['["n.m"]', '["n.m"]'], ['n["m.k"]', 'n'], ['["n"]', 'n'], ['["n=m"]', '["n=m"]'], ['n', '["n"].m']].map(([set, fields]) => {
        return ['edit', '--set', `${set}=1`, '--fields', fields, '--to', 'json']
      })
    ]) t.ok(!(await run(args, { input })).err.includes('no document has'), args.join(' '))
    t.done()
  },

  'after the limit nothing more is read': async function (t) {
    const { code, out, err } = await run(['--limit', '1', write('a.bson', broken().bytes), write('bad.bson', Buffer.from('x'))])
    t.strictEqual(lines(out).length, 1)
    t.strictEqual(err, '')
    t.strictEqual(code, 0)
    t.done()
  },

  'collections that --limit does not reach get no file, which is said': async function (t) {
    const source = path.join(folder, 'limited')
    fs.mkdirSync(path.join(source, 'd'), { recursive: true })
    for (const name of ['a', 'b']) fs.writeFileSync(path.join(source, 'd', `${name}.bson`), dump)
    const json = write('limited.json', '{"a":1}{"a":2}')
    const bookshop = path.join(__dirname, '../../examples/bookshop.bson')
    const rows = [
      [['--limit', '0', source], 'limited'],
      [['--limit', '3', source, bookshop], 'd.b, bookshop.bson'],
      [['--limit', '2', '--sort', '_id', source], null],
      [['--limit', '4', source], null],
      [['--limit', '9', source], null],
      [['--limit', '1', '--ns', 'd.a', source], null],
      [['to-csv', '--limit', '1', source], 'd.b'],
      [['edit', '--set', 'x=1', '--limit', '1', source], 'd.b'],
      [['to-bson', '--limit', '1', json, json], 'limited.json'],
      [['--to', 'bson', '--limit', '1', write('limited.archive', archive())], 'shop.customers, blog.empty, shop.cheap']
    ]
    for (const [args, before] of rows) {
      const { code, err } = await run([...args, '--out', `${source}-out/`])
      const [said = null] = /--limit ends the reading before .*/.exec(err) ?? []
      const expected = before && new RegExp(`^--limit ends the reading before (\\S*/)?${before.replaceAll(', ', ', (\\S*/)?')}: no file is written for`)
      t.ok(code === 0 && (before === null ? said === null : expected.test(said)), `${args.join(' ')}: ${err}`)
      fs.rmSync(`${source}-out`, { recursive: true, force: true })
    }
    t.done()
  },

  '--max-document-size': async function (t) {
    const size = encode(values[1]).length
    const { code, err } = await run(['--max-document-size', String(size - 1)], { input: dump })
    t.ok(err.includes(`BSON size ${size} is more than --max-document-size ${size - 1} (at offset`), err)
    t.strictEqual(code, 1)
    const lying = Buffer.from(dump)
    lying.writeInt32LE(0x7ffffff0, 0)
    t.ok((await run(['check'], { input: lying })).out.includes('BSON size 2147483632 is more than --max-document-size'))
    const named = encode({ maxDocumentSize: '?' })
    named[named.indexOf('?')] = 0xff
    t.ok((await run([], { input: named })).err.includes('in field maxDocumentSize of'), 'a field is no option')
    const line = await run(['to-bson', '--max-document-size', '20'], { input: `{"a":1}\n{"b":"${'x'.repeat(30)}"` })
    t.strictEqual(line.err, 'qbson: standard input: line 2: more than 20 bytes\n')
    t.strictEqual(line.code, 1)
    t.done()
  },

  'an invalid number is refused, a missing one is the default': t => {
    t.deepStrictEqual(readOptions({}, READING_OPTIONS), { 'max-document-size': 128 * 1024 * 1024 })
    t.deepStrictEqual(readOptions({ 'max-document-size': '7', skip: '5' }, READING_OPTIONS), { skip: 5, 'max-document-size': 7 })
    for (const wrong of ['x', '-1', '1.5', '']) {
      t.throws(() => readOptions({ skip: wrong }, READING_OPTIONS), error => error instanceof UsageError && error.message.startsWith('--skip needs'))
    }
    t.done()
  },

  'a range is over when nothing more is wanted': t => {
    const range = new Range({ skip: 1, limit: 2 })
    t.deepStrictEqual([1, 2].filter(() => range.takes()), [2])
    t.strictEqual(range.isOver, false)
    t.deepStrictEqual([3, 4].filter(() => range.takes()), [3])
    t.strictEqual(range.isOver, true)
    t.done()
  }
}
