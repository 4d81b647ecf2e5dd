'use strict'

const { inspect } = require('node:util')
const { Code } = require('../../lib/types')

module.exports = {
  'code, with a scope or without': function (t) {
    t.deepStrictEqual(Object.entries(new Code('a')), [['code', 'a'], ['scope', null]])
    t.deepStrictEqual(new Code('a', { b: 1 }).scope, { b: 1 })
    const add = function add(a, b) { return a + b }
    t.strictEqual(new Code(add).code, add.toString())
    t.strictEqual(new Code('a')._bsontype, 'Code')
    t.done()
  },

  'text and JSON': function (t) {
    t.strictEqual(inspect(new Code('a')), "new Code('a')")
    t.strictEqual(inspect(new Code('a', { b: 1 })), "new Code('a', { b: 1 })")
    t.strictEqual(new Code('a', { b: 2n, c: new Map([['d', 1]]) }).inspect(), 'new Code("a", {"b":{"$numberLong":"2"},"c":{"d":1}})')
    const multiline = () => 'a\n' // as util.inspect may print long code
    t.strictEqual(new Code('a').inspect(2, {}, multiline), 'new Code(\na\n\n)')
    t.strictEqual(new Code('a', {}).inspect(2, {}, multiline), 'new Code(\na\n,\na\n)')
    const odd = new Code('a')
    odd.scope = undefined
    t.strictEqual(odd.inspect(), 'new Code("a")')
    t.deepStrictEqual(new Code('a').toJSON(), { code: 'a' })
    t.deepStrictEqual(odd.toJSON(), { code: 'a' })
    t.deepStrictEqual(new Code('a', { b: 1 }).toJSON(), { code: 'a', scope: { b: 1 } })
    t.done()
  },

  'Extended JSON': function (t) {
    t.deepStrictEqual(new Code('a').toExtendedJSON(), { $code: 'a' })
    t.deepStrictEqual(new Code('a', { b: 1 }).toExtendedJSON(), { $code: 'a', $scope: { b: 1 } })
    t.deepStrictEqual(Code.fromExtendedJSON({ $code: 'a', $scope: { b: 1 } }), new Code('a', { b: 1 }))
    t.deepStrictEqual(Code.fromExtendedJSON({ $code: 'a' }), new Code('a'))
    t.done()
  }
}
