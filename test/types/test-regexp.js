'use strict'

const { inspect } = require('node:util')
const bson = require('bson')
const { BSONRegExp } = require('../../lib/types')
const { encode } = require('../../lib/encode/encode')
const { BSONError } = require('../../lib/errors')
const { errorOf } = require('../fixtures/error-of')

module.exports = {
  'a pattern, and options in alphabetical order': function (t) {
    t.deepStrictEqual(Object.entries(new BSONRegExp('a', 'xmi')), [['pattern', 'a'], ['options', 'imx']])
    t.strictEqual(new BSONRegExp('a', 'usmlix').options, 'ilmsux')
    t.strictEqual(new BSONRegExp('a', 'im').options, 'im')
    t.strictEqual(new BSONRegExp('a').options, '')
    t.strictEqual(BSONRegExp.parseOptions('mi'), 'im')
    t.strictEqual(BSONRegExp.parseOptions(), '')
    t.strictEqual(new BSONRegExp('a')._bsontype, 'BSONRegExp')
    t.done()
  },

  'what it refuses': function (t) {
    const cases = [
      ['a\0b', '', 'BSON Regex patterns cannot contain null bytes, found: "a\\u0000b"'],
      ['a', 'i\0', 'BSON Regex options cannot contain null bytes, found: "\\u0000i"'],
      ['a', 'g', 'The regular expression option [g] is not supported']
    ]
    for (const [pattern, options, message] of cases) {
      const error = errorOf(() => new BSONRegExp(pattern, options))
      t.ok(error instanceof BSONError)
      t.strictEqual(error.message, message)
    }
    t.done()
  },

  'options that somebody put there later are refused where decode would refuse them': function (t) {
    const spoiled = options => Object.assign(new BSONRegExp('a'), { options })
    for (const options of ['q', 'imq', 'g']) {
      const error = errorOf(() => encode({ a: spoiled(options) }))
      t.ok(error instanceof BSONError)
      t.ok(error.message.startsWith(`The regular expression option [${options.at(-1)}] is not supported`), error.message)
    }
    t.deepStrictEqual(encode({ a: spoiled('xmi') }), encode({ a: new BSONRegExp('a', 'imx') }))
    t.done()
  },

  text: function (t) {
    t.strictEqual(inspect(new BSONRegExp('a', 'i')), "new BSONRegExp('a', 'i')")
    t.strictEqual(new BSONRegExp('a', 'i').inspect(), 'new BSONRegExp("a", "i")')
    const coloured = inspect(new BSONRegExp('a', 'i'), { colors: true })
    t.notStrictEqual(coloured, "new BSONRegExp('a', 'i')")
    t.strictEqual(coloured, inspect(new bson.BSONRegExp('a', 'i'), { colors: true }), 'in the colours of this Node version')
    t.done()
  },

  'Extended JSON': function (t) {
    const regexp = new BSONRegExp('a', 'i')
    t.deepStrictEqual(regexp.toExtendedJSON(), { $regularExpression: { pattern: 'a', options: 'i' } })
    t.deepStrictEqual(regexp.toExtendedJSON({}), { $regularExpression: { pattern: 'a', options: 'i' } })
    t.deepStrictEqual(regexp.toExtendedJSON({ legacy: true }), { $regex: 'a', $options: 'i' })
    t.deepStrictEqual(BSONRegExp.fromExtendedJSON({ $regularExpression: { pattern: 'a', options: 'i' } }), regexp)
    t.deepStrictEqual(BSONRegExp.fromExtendedJSON({ $regex: 'a', $options: 'i' }), regexp)
    t.deepStrictEqual(BSONRegExp.fromExtendedJSON({ $regex: 'a' }), new BSONRegExp('a'))
    const query = { $regex: regexp, $options: 'x' }
    t.strictEqual(BSONRegExp.fromExtendedJSON(query), query)
    for (const doc of [{}, { $regex: {} }]) {
      t.strictEqual(errorOf(() => BSONRegExp.fromExtendedJSON(doc)).message,
        `Unexpected BSONRegExp EJSON object form: ${JSON.stringify(doc)}`)
    }
    t.done()
  }
}
