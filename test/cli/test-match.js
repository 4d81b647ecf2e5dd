'use strict'

// --match: which documents it finds, how its text is read, what it says.

const { encode, ObjectId, Decimal128 } = require('../../qbson')
const { run, lines, write } = require('../fixtures/cli')

const ID = '65a0c0de0000000000000001'

const documents = [
  { _id: 1, n: 1, total: Decimal128.fromString('499.99') }, { _id: 2, n: 5, total: Decimal128.fromString('3000.10'), at: new Date(1.7e12) },
  { _id: new ObjectId(ID), n: 9, total: Decimal128.fromString('900') }
]
const input = Buffer.concat(documents.map(document => encode(document)))
const ns = async (...args) => lines((await run(args, { input })).out).map(line => JSON.parse(line).n)

module.exports = {
  'it chooses documents for every command': async function (t) {
    t.deepStrictEqual(await ns('--match', '{"n":{"$gt":1}}'), [5, 9])
    t.deepStrictEqual(await ns('--match', '{"n":{"$gt":1}}', '--skip', '1'), [9])
    t.deepStrictEqual(await ns('--match', '{"n":{"$gt":1}}', '--limit', '1'), [5])
    t.deepStrictEqual(await ns('--match', '{"n":{"$mod":[4,1]}}', '--fields', 'n'), [1, 5, 9])
    t.strictEqual((await run(['count', '--match', '{"n":5}'], { input })).out, '1 56 standard input\n')
    t.ok((await run(['check', '--match', '{n:5}'], { input })).out.startsWith('standard input: 1 good document'))
    const edited = await run(['edit', '--only', '--match', '{total:{$gt:3000}}', '--set', 'n=0', '--to', 'json', '--fields', 'n'], { input })
    t.strictEqual(edited.out, '{"n":0}\n')
    t.done()
  },

  'a list of more values than a function takes arguments': async function (t) {
    const query = JSON.stringify({ n: { $in: Array.from({ length: 130_000 }, (_, i) => i + 5) } })
    t.deepStrictEqual(await ns('--match', query), [5, 9])
    t.done()
  },

  'decimals, types and patterns': async function (t) {
    const rows = [
      ['{"total":{"$gt":{"$numberDecimal":"3000"}}}', [5]], ['{"total":{"$lt":{"$numberDecimal":"500"}}}', [1]],
      ['{"total":{"$type":"decimal"}}', [1, 5, 9]], ['{"total":{"$gt":500},"_id":{"$type":"int"}}', [5]], ['{"at":{"$exists":true}}', [5]]
    ]
    for (const [query, expected] of rows) t.deepStrictEqual(await ns('--match', query), expected, query)
    t.done()
  },

  'as people type it in the shell': async function (t) {
    const rows = [
      [`{_id: ObjectId('${ID}')}`, [9]], ["{at: {$gte: ISODate('2023-11-14'),},}", [5]], ['{total: {$gt: NumberDecimal("900")}}', [5]],
      ['{n: {$in: [NumberLong(1), 0x9]}} // hexadecimal', [1, 9]], [`{'_id': {"$not": {$type: 'objectId'}}}`, [1, 5]]
    ]
    for (const [query, expected] of rows) t.deepStrictEqual(await ns('--match', query), expected, query)
    t.done()
  },

  'from a file': async function (t) {
    const file = write('query.json', JSON.stringify({ n: { $in: Array.from({ length: 10_000 }, (_, i) => i * 5) } }))
    t.deepStrictEqual(await ns('--match', `@${file}`), [5])
    const { code, err } = await run(['--match', '@/none'], { input })
    t.strictEqual(err, 'qbson: --match: /none: no such file or directory\n')
    t.strictEqual(code, 2)
    t.done()
  },

  'what it cannot do is one line, and 2': async function (t) {
    const rows = [
      ['x', '--match is not a query such as {"price": {"$gt": 5}}: unexpected "x" at character 1'],
      ['{"a":', '--match is not a query such as {"price": {"$gt": 5}}: unexpected end at character 6'],
      ['5', '--match is not a query'], ['[]', '--match'], ['', '--match is not a query'], ['{"a":{"$oid":"5"}}', '--match is not a query'],
      ['{a: {$foo: 1}}', '--match: unknown operator $foo (in field a.$foo)'], ['{$where: "x"}', '--match: $where is not supported'],
      ['{$expr: {}}', '--match: $expr is not supported'], ['{a: {$near: [1, 2]}}', '--match: $near is not supported'],
      ['{a: {$undefined: true}}', '--match: $eq cannot compare to undefined (in field a)']
    ]
    for (const command of ['print', 'count', 'edit', 'check', 'to-csv', 'schema']) {
      for (const [query, message] of rows) {
        const { code, err, out } = await run([command, ...(command === 'edit' ? ['--unset', 'n'] : []), '--match', query], { input })
        t.ok(err.startsWith(`qbson: ${message}`) && err.indexOf('\n') === err.length - 1, err)
        t.strictEqual(code, 2, query)
        t.strictEqual(out, '')
      }
    }
    t.done()
  },

  'fields of a query that finds nothing, which no document has, are noted': async function (t) {
    const rows = [
      ['{nn: 5}', 'nn'], ['{n: {gt: 5}}', 'n.gt'], ['{$or: [{nn: 5}, {"n": -1}]}', 'nn'], ['{nn: {$in: [1, /x/]}, mm: {$ne: null}}', 'nn, mm'],
      ['{n: -1}', null], ['{nn: null}', null], ['{nn: {$exists: false}}', null], ['{$or: [{nn: 5}, {n: {$exists: true}}]}', null],
      ['{$jsonSchema: {required: ["nn"]}}', null], ['{$expr: {$eq: ["$nn", 5]}}', null]
    ]
    for (const [query, missing] of rows) {
      for (const command of [['count'], ['--tail', '1'], ['edit', '--only', '--set', 'x=1', '--to', 'json']]) {
        const { err } = await run([...command, '--match', query], { input })
        t.strictEqual(err.includes('no document has'), missing !== null, `${command} ${query}: ${err}`)
        if (missing !== null) t.ok(err.startsWith(`qbson: no document has ${missing} (--match)\n`), err)
      }
    }
    const many = Buffer.concat(Array(1001).fill(input))
    t.strictEqual((await run(['--match', '{nn: 5}'], { input: many })).err, 'qbson: none of the first 1000 documents has nn (--match)\n')
    t.done()
  },

  'text against ids, dates, numbers or booleans is a note, once': async function (t) {
    const noteOf = async query => (await run(['--match', query], { input })).err
    const note = `qbson: --match compares _id with text, but it holds ObjectIds: did you mean ObjectId('${ID}')?\n`
    for (const query of [`{"_id":"${ID}"}`, `{_id: {$in: ['x', '${ID}']}}`, `{$or: [{_id: '${ID}'}]}`]) t.strictEqual(await noteOf(query), note)
    const edited = await run(['edit', '--match', `{_id: '${ID}'}`, '--set', 'n=0', '--to', 'bson'], { input })
    t.ok(edited.err.startsWith(note), edited.err)
    t.strictEqual(await noteOf("{at: {$gt: '2023-01-01'}}"),
      "qbson: --match compares at with text, but it holds dates: did you mean ISODate('2023-01-01')?\n")
    t.strictEqual(await noteOf('{"n":{"$gt":"5.0"}}'), 'qbson: --match compares n with text, but it holds numbers: did you mean 5?\n')
    const flags = encode({ yes: true })
    t.strictEqual((await run(['--match', '{yes: "true"}'], { input: flags })).err,
      'qbson: --match compares yes with text, but it holds booleans: did you mean true?\n')
    for (const query of ['{"_id":"x"}', `{"n":"${ID}"}`, `{"_id":{"$oid":"${ID}"}}`, '{"n":"2023-01-01"}']) t.strictEqual(await noteOf(query), '')
    t.done()
  }
}
