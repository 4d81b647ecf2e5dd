'use strict'

const { inspect } = require('node:util')
const { BSONSymbol } = require('../lib/types')

module.exports = {
  'a string in a coat': function (t) {
    const symbol = new BSONSymbol('a')
    t.deepEqual(Object.entries(symbol), [['value', 'a']])
    t.equal(symbol._bsontype, 'BSONSymbol')
    t.equal(symbol + 'b', 'ab')
    t.equal(`${symbol}`, 'a')
    t.equal(symbol.valueOf(), 'a')
    t.equal(JSON.stringify({ symbol }), '{"symbol":"a"}')
    t.equal(inspect(symbol), "new BSONSymbol('a')")
    t.equal(symbol.inspect(), 'new BSONSymbol("a")')
    t.deepEqual(symbol.toExtendedJSON(), { $symbol: 'a' })
    t.deepEqual(BSONSymbol.fromExtendedJSON({ $symbol: 'a' }), symbol)
    t.done()
  }
}
