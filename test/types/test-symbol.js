'use strict'

const { inspect } = require('node:util')
const { BSONSymbol } = require('../../lib/types')

module.exports = {
  'a string in a coat': function (t) {
    const symbol = new BSONSymbol('a')
    t.deepStrictEqual(Object.entries(symbol), [['value', 'a']])
    t.strictEqual(symbol._bsontype, 'BSONSymbol')
    t.strictEqual(symbol + 'b', 'ab')
    t.strictEqual(`${symbol}`, 'a')
    t.strictEqual(symbol.valueOf(), 'a')
    t.strictEqual(JSON.stringify({ symbol }), '{"symbol":"a"}')
    t.strictEqual(inspect(symbol), "new BSONSymbol('a')")
    t.strictEqual(symbol.inspect(), 'new BSONSymbol("a")')
    t.deepStrictEqual(symbol.toExtendedJSON(), { $symbol: 'a' })
    t.deepStrictEqual(BSONSymbol.fromExtendedJSON({ $symbol: 'a' }), symbol)
    t.done()
  }
}
