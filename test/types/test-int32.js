'use strict'

const { inspect } = require('node:util')
const { Int32 } = require('../../lib/types')
const { errorOf } = require('../fixtures/error-of')

module.exports = {
  'numbers are cut to 32 bits': function (t) {
    const cases = [[5, 5], [-5, -5], [1.9, 1], [2 ** 31, -(2 ** 31)], ['12', 12], [NaN, 0], [Object(7), 7], ['x', 0]]
    for (const [input, value] of cases) t.strictEqual(new Int32(input).value, value, inspect(input))
    t.deepStrictEqual(Object.entries(new Int32(5)), [['value', 5]])
    t.strictEqual(new Int32(5)._bsontype, 'Int32')
    t.done()
  },

  fromString: function (t) {
    for (const [text, value] of [['0', 0], ['+7', 7], ['-7', -7], ['007', 7], ['2147483647', 2147483647], ['-2147483648', -2147483648]]) {
      t.strictEqual(Int32.fromString(text).value, value, text)
    }
    const bad = [
      ['2147483648', "Input: '2147483648' is larger than the maximum value for Int32"],
      ['-2147483649', "Input: '-2147483649' is smaller than the minimum value for Int32"],
      ['1.5', "Input: '1.5' is not a safe integer"],
      ['x', "Input: 'x' is not a safe integer"],
      ['', "Input: '' is not a valid Int32 string"],
      [' 1', "Input: ' 1' is not a valid Int32 string"],
      ['1e3', "Input: '1e3' is not a valid Int32 string"],
      ['0x10', "Input: '0x10' is not a valid Int32 string"],
      ['2.0', "Input: '2.0' is not a valid Int32 string"]
    ]
    for (const [text, message] of bad) t.strictEqual(errorOf(() => Int32.fromString(text)).message, message)
    t.done()
  },

  'it counts as its number': function (t) {
    t.strictEqual(new Int32(5) + 1, 6)
    t.strictEqual(`${new Int32(255)}`, '255')
    t.strictEqual(new Int32(255).toString(16), 'ff')
    t.strictEqual(JSON.stringify({ a: new Int32(5) }), '{"a":5}')
    t.strictEqual(inspect(new Int32(5)), 'new Int32(5)')
    t.strictEqual(new Int32(5).inspect(), 'new Int32(5)')
    t.done()
  },

  'Extended JSON': function (t) {
    t.deepStrictEqual(new Int32(5).toExtendedJSON(), { $numberInt: '5' })
    t.deepStrictEqual(new Int32(5).toExtendedJSON({}), { $numberInt: '5' })
    t.strictEqual(new Int32(5).toExtendedJSON({ relaxed: true }), 5)
    t.strictEqual(new Int32(5).toExtendedJSON({ legacy: true }), 5)
    t.strictEqual(Int32.fromExtendedJSON({ $numberInt: '5' }).value, 5)
    t.strictEqual(Int32.fromExtendedJSON({ $numberInt: '5' }, {}).value, 5)
    t.strictEqual(Int32.fromExtendedJSON({ $numberInt: '5' }, { relaxed: true }), 5)
    t.done()
  }
}
