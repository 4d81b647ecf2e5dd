'use strict'

// EJSON.stringify with a replacer, space and options, and values that go through JSON.stringify: as bson 7.3.4.

const assert = require('node:assert')
const bson = require('bson')
const types = require('../../lib/types')
const { EJSON } = require('../../lib/ejson')
const { BSONError } = require('../../lib/errors')
const { errorOf } = require('../fixtures/error-of')
const { outcome } = require('../fixtures/outcome')
const { MODES, HEX, values } = require('../fixtures/ejson-values')
const { both, assertSame, deep } = require('../fixtures/ejson-both')

module.exports = {
  'space, in every form': t => {
    const doc = { a: 1, b: [], c: {}, d: [1, [2, { e: 'x"{[,:\\' }]], f: { $g: '"\\\\' } }
    for (const space of [0, 1, 2, 4.7, 10, 11, -3, NaN, '', '\t', '>>', '0123456789abc', '日', true, null, undefined]) {
      for (const rest of [[null, space], [undefined, space, { relaxed: false }], [{ relaxed: false }, space]]) {
        assertSame(...both(() => doc, ...rest), String(space))
      }
    }
    t.strictEqual(EJSON.stringify([1n * 2n ** 62n, -0], null, 1), '[\n 4611686018427387904,\n -0.0\n]')
    t.strictEqual(EJSON.stringify(undefined, { ignoreUndefined: true }, 2), undefined)
    t.done()
  },

  'options in every place': t => {
    const make = ({ Int32 }) => ({ a: new Int32(1), b: undefined })
    const options = { relaxed: false, ignoreUndefined: true }
    for (const rest of [[options], [null, options], [undefined, 1, options], [options, 1], [null, null, options],
      [options, { relaxed: true }], [null, new Number(2)], ['text'], [5]]) {
      assertSame(...both(make, ...rest), JSON.stringify(rest))
    }
    t.done()
  },

  'replacers': t => {
    const make = ({ ObjectId, Long }) => ({
      _id: new ObjectId(HEX), n: Long.fromNumber(5), list: [1, { a: 1, b: [true, undefined] }], f() {}, u: undefined, d: new Date(0)
    })
    const replacers = [
      ['a', '_id', '$oid', 'list'],
      [1, 'n', new String('list')],
      [],
      (key, value) => (typeof value === 'number' ? value + 1 : value),
      (key, value) => (typeof value === 'function' ? 'function' : value),
      (key, value) => (value === undefined ? 'nothing' : value),
      function (key, value) { return key === 'a' ? Object.keys(this).length : value },
      (key, value) => (key === '_id' ? undefined : value)
    ]
    for (const replacer of replacers) {
      for (const rest of [[], [2], [{ relaxed: false }], [2, { ignoreUndefined: true }], [{ legacy: true }]]) {
        assertSame(...both(make, replacer, ...rest), String(replacer))
      }
    }
    const int64 = EJSON.stringify({ a: types.Long.MAX_VALUE, b: 5n, c: 1e300 }, (key, value) => value)
    t.strictEqual(int64, '{"a":{"$numberLong":"9223372036854775807"},"b":5,"c":1e+300}')
    const least = EJSON.stringify([2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 53n - 1n], (key, value) => value)
    t.strictEqual(least, '[{"$numberLong":"9007199254740993"},{"$numberLong":"-9007199254740993"},9007199254740991]')
    for (const root of [() => undefined, () => 5, () => null, () => () => 1, () => 'x']) {
      assertSame(...both(root, (key, value) => value), 'root')
    }
    t.strictEqual(errorOf(() => EJSON.stringify({ a: 2n ** 70n }, key => key)).path, 'a')
    const error = errorOf(() => EJSON.stringify(deep(1001), key => key))
    t.ok(/^document is nested deeper than 1000 levels, too deep for a replacer/.test(error.message))
    t.done()
  },

  'a toJSON of its own is called, as by bson': t => {
    const make = () => ({ a: { b: new Date(0), toJSON() { return { keys: Object.keys(this) } } }, c: [1] })
    for (const mode of MODES) assertSame(...both(make, mode, 1), JSON.stringify(mode))
    const below = () => deep(150, child => (child === 1 ? { toJSON: () => 'own' } : { a: child }))
    assertSame(...both(below), 'deep')
    t.done()
  },

  'serialize and deserialize': t => {
    for (const [name, make] of Object.entries(values)) {
      if (name === 'a function' || name === 'a symbol') continue
      const ours = outcome(() => EJSON.serialize({ a: make(types) }, { relaxed: false }))
      const theirs = outcome(() => bson.EJSON.serialize({ a: make(bson) }, { relaxed: false }))
      if (theirs.error === undefined) assert.deepStrictEqual(ours, theirs, name)
    }
    t.deepStrictEqual(EJSON.serialize({ a: new types.Int32(1) }), { a: 1 })
    t.deepStrictEqual(EJSON.deserialize({ a: { $numberInt: '5' } }), { a: 5 })
    t.ok(EJSON.deserialize({ a: { $numberInt: '5' } }, { relaxed: false }).a instanceof types.Int32)
    t.done()
  },

  'deserialize: too deep for JSON.stringify is a BSONError, a cycle its TypeError': t => {
    // Node 26 and later have no such limit, and the result is right.
    const { value, error } = outcome(() => EJSON.deserialize(deep(100_000)))
    if (error !== undefined) t.ok(error instanceof BSONError)
    else t.strictEqual(EJSON.stringify(value), '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000))
    const cycle = {}
    cycle.cycle = cycle
    t.strictEqual(errorOf(() => EJSON.deserialize(cycle)).message, errorOf(() => bson.EJSON.deserialize(cycle)).message)
    t.done()
  }
}
