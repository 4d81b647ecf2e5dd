'use strict'

const { inspect } = require('node:util')
const { Double } = require('../../lib/types')
const { errorOf } = require('../fixtures/error-of')

module.exports = {
  'a number, as it is': function (t) {
    for (const value of [0, -0, 1.5, NaN, Infinity, 5e-324]) t.ok(Object.is(new Double(value).value, value))
    t.strictEqual(new Double('1.5').value, 1.5)
    t.strictEqual(new Double(Object(7)).value, 7)
    t.deepStrictEqual(Object.keys(new Double(1)), ['value'])
    t.strictEqual(new Double(1)._bsontype, 'Double')
    t.done()
  },

  fromString: function (t) {
    for (const [text, value] of [['1.5', 1.5], ['-1e3', -1000], ['+0.5E-2', 0.005], ['007', 7], ['NaN', NaN], ['Infinity', Infinity],
      ['-Infinity', -Infinity], ['-0', -0]]) t.ok(Object.is(Double.fromString(text).value, value), text)
    const bad = [
      ['x', 'Input: x is not representable as a Double'],
      ['1e400', 'Input: 1e400 is not representable as a Double'],
      ['+Infinity', 'Input: +Infinity is not representable as a Double'],
      [' 1', "Input: ' 1' contains whitespace"],
      ['', 'Input is an empty string'],
      ['0x10', "Input: '0x10' is not in decimal or exponential notation"]
    ]
    for (const [text, message] of bad) t.strictEqual(errorOf(() => Double.fromString(text)).message, message)
    t.done()
  },

  'it counts as its number': function (t) {
    t.strictEqual(new Double(1.5) + 1, 2.5)
    t.strictEqual(new Double(255.5).toString(16), 'ff.8')
    t.strictEqual(`${new Double(1.5)}`, '1.5')
    t.strictEqual(JSON.stringify({ a: new Double(1) }), '{"a":1}')
    t.strictEqual(inspect(new Double(1)), 'new Double(1)')
    t.strictEqual(new Double(1).inspect(), 'new Double(1)')
    t.done()
  },

  'Extended JSON': function (t) {
    const cases = [[1, '1.0'], [-0, '-0.0'], [0, '0.0'], [1.5, '1.5'], [NaN, 'NaN'], [Infinity, 'Infinity'], [-Infinity, '-Infinity'],
      [1e21, '1e+21'], [5e-324, '5e-324']]
    for (const [value, text] of cases) {
      t.deepStrictEqual(new Double(value).toExtendedJSON(), { $numberDouble: text })
      t.ok(Object.is(Double.fromExtendedJSON({ $numberDouble: text }).value, value), text)
      t.ok(Object.is(Double.fromExtendedJSON({ $numberDouble: text }, { relaxed: true }), value))
    }
    t.strictEqual(new Double(1).toExtendedJSON({ relaxed: true }), 1)
    t.strictEqual(new Double(1).toExtendedJSON({ legacy: true }), 1)
    t.deepStrictEqual(new Double(1).toExtendedJSON({}), { $numberDouble: '1.0' })
    t.deepStrictEqual(new Double(NaN).toExtendedJSON({ relaxed: true }), { $numberDouble: 'NaN' })
    t.strictEqual(Double.fromExtendedJSON({ $numberDouble: '1' }, {}).value, 1)
    t.done()
  }
}
