'use strict'

const { encode, decode, RawDocument, BSONError, Decimal128, Double, Int32, Long, BSONSymbol, Timestamp } = require('../../qbson')
const { sorter } = require('../../lib/query')
const { seededRandom } = require('../fixtures/random-document')
const { value } = require('../fixtures/query-cases')
const oracle = require('../fixtures/query-oracle')

/** The `_id`s in an order. */
function idsOf(documents, order) {
  return documents.map(document => encode(document)).sort(sorter(order)).map(bytes => decode(bytes)._id)
}

const withIds = values => values.map((value, _id) => (value === undefined ? { _id } : { _id, a: value }))

module.exports = {
  'up, down, and by several fields': t => {
    const documents = [{ _id: 1, a: 2, b: 'x' }, { _id: 2, a: 1, b: 'y' }, { _id: 3, a: 2, b: 'a' }]
    t.deepStrictEqual(idsOf(documents, { a: 1 }), [2, 1, 3])
    t.deepStrictEqual(idsOf(documents, { a: -1, b: 1 }), [3, 1, 2])
    t.deepStrictEqual(idsOf(documents, new Map([['b', -1]])), [2, 1, 3])
    t.strictEqual(sorter({ a: 1, c: -1 })(encode(documents[0]), encode(documents[2])), 0)
    t.deepStrictEqual(documents.map(each => RawDocument.from(each)).sort(sorter({ b: 1 })).map(raw => raw.get('_id')), [3, 1, 2])
    t.done()
  },

  'missing fields are null, empty arrays before it': t => {
    t.deepStrictEqual(idsOf(withIds([1, undefined, null, []]), { a: 1 }), [3, 1, 2, 0])
    t.done()
  },

  'of an array the least, or down the greatest': t => {
    const documents = withIds([[5, 1], [3, 4], 2, [[9]]])
    t.deepStrictEqual(idsOf(documents, { a: 1 }), [0, 2, 1, 3])
    t.deepStrictEqual(idsOf(documents, { a: -1 }), [3, 0, 1, 2])
    t.done()
  },

  'through arrays of documents, where an item without the field is null': t => {
    const documents = withIds([[{ b: 5 }, { b: 1 }], [{ b: 3 }], { b: 2 }, [7, { b: 9 }], []])
    t.deepStrictEqual(idsOf(documents, { 'a.b': 1 }), [3, 4, 0, 2, 1])
    t.deepStrictEqual(idsOf(documents, { 'a.b': -1 }), [3, 0, 1, 2, 4])
    t.done()
  },

  'by the index of an item, which is then the only one': t => {
    const rows = [
      ['a.0', [[3, 1], [1, 9], [2], [], 5, { 0: 2.5 }], [3, 4, 1, 2, 5, 0], [0, 5, 2, 1, 3, 4]],
      ['a.1', [[3, 1], [1, 9], [2]], [2, 0, 1], [1, 0, 2]],
      ['a.1', [[{ 1: 5 }], [{ 1: 3 }], [{ 1: 9 }, 4]], [1, 2, 0], [0, 2, 1]],
      ['a.0.b', [[{ b: 3 }, { b: 9 }, 5], [{ b: 1 }], [5, { b: 7 }], [{ b: [2, 4] }]], [2, 1, 3, 0], [3, 0, 1, 2]],
      ['a.0.0', [[[3], 1], [[1]], [[]]], [2, 1, 0], [0, 1, 2]]
    ]
    for (const [path, values, up, down] of rows) {
      t.deepStrictEqual(idsOf(withIds(values), { [path]: 1 }), up, path)
      t.deepStrictEqual(idsOf(withIds(values), { [path]: -1 }), down, path)
    }
    t.done()
  },

  'numbers of all types': t => {
    const numbers = [Decimal128.fromString('1E+400'), Long.fromString('9007199254740993'), 9007199254740992, Decimal128.fromString('0.1'), 0.1, NaN]
    t.deepStrictEqual(idsOf(withIds(numbers), { a: 1 }), [5, 3, 4, 2, 1, 0])
    t.done()
  },

  'random values, as the oracle compares them': t => {
    const random = seededRandom(7)
    const values = Array.from({ length: 300 }, () => value(random)).filter(each => !Array.isArray(each))
    const expected = withIds(values).sort((x, y) => oracle.compare(x.a, y.a)).map(({ _id }) => _id)
    t.deepStrictEqual(idsOf(withIds(values), { a: 1 }), expected)
    t.done()
  },

  'what is no order': t => {
    for (const order of ['a', [{ a: 1 }], {}, { a: 2 }, { a: 'x' }, null, 5, { a: { $meta: 'textScore' } }]) t.throws(() => sorter(order), BSONError)
    for (const direction of [[1], ['1'], new Date(1), { valueOf: () => 1 }, '1', true, 0n, Symbol('a'), new BSONSymbol('1'), new Timestamp(1n)]) {
      t.throws(() => sorter({ a: direction }), /^BSONError: the order of "a" must be 1 or -1, not /)
    }
    for (const direction of [-1n, new Int32(-1), new Double(-1), Long.fromNumber(-1)]) {
      t.strictEqual(sorter({ a: direction })(encode({ a: 1 }), encode({ a: 2 })), 1)
    }
    t.throws(() => sorter({ a: 1 })(encode({ a: 1 }), Buffer.alloc(3)), BSONError)
    t.throws(() => sorter([['a', 1]]), /an order must be an object, such as \{ price: -1 \}, not an array$/)
    t.done()
  }
}
