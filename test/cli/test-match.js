'use strict'

// Queries: simple ones run on bytes; all agree with mingo, if it is installed.

const { Query } = require('mingo')
const { encode, ObjectId, Long, Decimal128, Double, Timestamp, BSONError } = require('../../qbson')
const { compileMatch } = require('../../lib/cli/match')
const { queryOf } = require('../../lib/cli/query')
const { UsageError } = require('../../lib/cli/options')
const { run, lines } = require('../fixtures/cli')

const ID = new ObjectId('65a0c0de0000000000000001')

const DOCUMENTS = [
  {}, { a: 1 }, { a: 'x' }, { a: 'xa' }, { a: '' }, { a: null }, { a: [1, 2] }, { a: [] }, { a: { b: 1 } }, { a: [{ b: 1 }, { b: 2 }] },
  { a: new Date(5) }, { a: new Date(-5) }, { a: true }, { a: false }, { a: -5 }, { a: 2.5 }, { a: NaN }, { a: [{ b: [1, 5] }] }, { a: ['x', 'z'] },
  { a: ID }, { a: new ObjectId('65a0c0de0000000000000002') }, { a: 1, z: 2 }, { a: { b: { c: 1 } } }, { a: [{ b: { c: 3 } }, 7] }
]

const QUERIES = [
  {}, { a: 1 }, { a: { $gt: 1 } }, { a: { $lt: 2 } }, { a: { $gte: 1 } }, { a: { $lte: 1 } }, { a: { $gt: 0, $lt: 2 } }, { a: null },
  { a: { $ne: null } },
  { a: { $ne: 1 } }, { a: { $exists: true } }, { a: { $exists: false } }, { 'a.b': 1 }, { 'a.b': { $gt: 1 } }, { 'a.b': { $exists: true } },
  { 'a.b': { $exists: false } }, { 'a.0': 1 }, { 'a.0.b': 1 }, { 'a.b.c': { $gte: 1 } }, { a: { $in: [1, 'x'] } }, { a: { $nin: [1, 'x'] } },
  { a: { $in: [null] } }, { a: { $in: [] } }, { $or: [{ a: 1 }, { a: 'x' }] }, { $nor: [{ a: 1 }, { a: 'x' }] },
  { $and: [{ a: { $gt: 0 } }, { a: { $lt: 2 } }] }, { a: 'x' }, { a: { $gt: 'x' } }, { a: true }, { a: { $gt: false } },
  { a: { $gte: new Date(1) } }, { a: new Date(5) }, { a: ID }, { a: { $gt: ID } }, { a: 1, z: 2 }
]

/** mingo considers null and missing fields both less and greater than a number. */
const isWrong = (query, document) => /[gl]te"/.test(query) && /^\{("a":null)?\}$/.test(document)

function test(query, document) {
  const bytes = encode(document)
  return compileMatch(query)(bytes, 0, bytes.length - 1)
}

module.exports = {
  'as mingo, which reads objects': t => {
    for (const query of QUERIES) {
      const theirs = new Query(query)
      for (const document of DOCUMENTS) {
        const what = `${JSON.stringify(query)} ${JSON.stringify(document)}`
        if (!isWrong(JSON.stringify(query), JSON.stringify(document))) t.strictEqual(test(query, document), theirs.test(document), what)
      }
    }
    t.done()
  },

  'numbers of all types compare exactly': t => {
    const big = Long.fromString('9007199254740993')
    const rows = [
      [{ a: new Double(5) }, { a: 5 }, true], [{ a: Long.fromNumber(5) }, { a: { $gte: 5 } }, true],
      [{ a: Long.fromNumber(-5) }, { a: { $lt: 0 } }, true],
      [{ a: Decimal128.fromString('5.5') }, { a: { $gt: 5 } }, true], [{ a: Decimal128.fromString('5.5') }, { a: { $gt: 6 } }, false],
      [{ a: big }, { a: big }, true], [{ a: big }, { a: { $gt: 9007199254740992 } }, true], [{ a: 9007199254740992 }, { a: big }, false],
      [{ a: 5 }, { a: '5' }, false], [{ a: '5' }, { a: 5 }, false], [{ a: -0 }, { a: 0 }, true]
    ]
    for (const [document, query, expected] of rows) t.strictEqual(test(query, document), expected, JSON.stringify([document, query]))
    t.done()
  },

  'null through an array of documents, as MongoDB': t => {
    t.strictEqual(test({ 'a.b': null }, { a: [{ c: 1 }] }), true)
    t.strictEqual(test({ 'a.b': null }, { a: [{ b: 1 }] }), false)
    t.strictEqual(test({ 'a.b': null }, { a: 5 }), true)
    t.done()
  },

  'what is not simple is not tried': t => {
    const queries = [
      { a: { $regex: 'x' } }, { a: { b: 1 } }, { a: [1] }, { $where: 'x' }, { $or: [] }, { $or: [{ a: /x/ }] }, { a: {} }, [], 5,
      { a: { $gt: 1, $mod: [2, 0] } }, { a: Decimal128.fromString('1') }, { a: NaN }, { a: { $in: 5 } }, { a: { $in: [/x/] } },
      { a: new Timestamp({ t: 1, i: 2 }) }, { a: { $eq: undefined } }
    ]
    for (const query of queries) t.strictEqual(compileMatch(query), null, JSON.stringify(query))
    t.done()
  },

  'broken bytes are an error': t => {
    const bytes = Buffer.from(encode({ b: 'text', a: 1 }))
    bytes.writeInt32LE(9999, 7)
    t.throws(() => compileMatch({ a: 1 })(bytes, 0, bytes.length - 1), BSONError)
    t.done()
  },

  'all of the query language by mingo': t => {
    const matches = (text, document) => {
      const bytes = encode(document)
      return queryOf(text)(bytes, 0, bytes.length - 1)
    }
    t.strictEqual(matches('{"a":{"$regex":"^x"}}', { a: 'xyz' }), true)
    t.strictEqual(matches('{"a":{"$elemMatch":{"b":{"$gt":1}}}}', { a: [{ b: 2 }] }), true)
    t.strictEqual(matches('{"a":{"$size":1}}', { a: [1, 2] }), false)
    for (const text of ['{', '5', '[]', '{"a":{"$noSuch":1}}']) t.throws(() => queryOf(text), error => error instanceof UsageError)
    t.done()
  },

  'without mingo the message says what to install': t => {
    const { mock } = require('node:test')
    const NodeModule = require('node:module')
    const missing = Object.assign(new Error('none'), { code: 'MODULE_NOT_FOUND' })
    mock.method(NodeModule, '_resolveFilename', () => { throw missing })
    let message
    try {
      queryOf('{"a":{"$regex":"x"}}')
    } catch (error) {
      message = error.message
    } finally {
      mock.restoreAll()
    }
    t.ok(/^this query needs the library mingo: npm install mingo\n/.test(message), message)
    t.done()
  },

  '--match': async function (t) {
    const input = Buffer.concat([{ _id: 1, n: 1 }, { _id: 2, n: 5 }, { _id: 3, n: 9 }].map(document => encode(document)))
    const ids = async (...args) => lines((await run(args, { input })).out).map(line => JSON.parse(line)._id)
    t.deepStrictEqual(await ids('--match', '{"n":{"$gt":1}}'), [2, 3])
    t.deepStrictEqual(await ids('--match', '{"n":{"$gt":1}}', '--skip', '1'), [3])
    t.deepStrictEqual(await ids('--match', '{"n":{"$gt":1}}', '--limit', '1'), [2])
    t.deepStrictEqual(await ids('--match', '{"n":{"$mod":[4,1]}}', '--fields', '_id'), [1, 2, 3])
    t.strictEqual((await run(['count', '--match', '{"n":5}'], { input })).out, '1 21 standard input\n')
    const wrong = await run(['--match', 'x'], { input })
    t.ok(wrong.code === 2 && wrong.err.startsWith('qbson: --match is not Extended JSON: '), wrong.err)
    t.done()
  }
}
