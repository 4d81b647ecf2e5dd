'use strict'

const { inspect } = require('node:util')
const { MinKey, MaxKey, BSONValue } = require('../../lib/types')

module.exports = {
  'they are their type and nothing else': function (t) {
    for (const [Key, name, json] of [[MinKey, 'MinKey', { $minKey: 1 }], [MaxKey, 'MaxKey', { $maxKey: 1 }]]) {
      const key = new Key()
      t.ok(key instanceof BSONValue)
      t.deepStrictEqual(Object.keys(key), [])
      t.strictEqual(key._bsontype, name)
      t.strictEqual(key[Symbol.for('@@mdb.bson.type')], name)
      t.strictEqual(key[Symbol.for('@@mdb.bson.version')], 7)
      t.strictEqual(inspect(key), `new ${name}()`)
      t.strictEqual(key.inspect(), `new ${name}()`)
      t.deepStrictEqual(key.toExtendedJSON(), json)
      t.ok(Key.fromExtendedJSON(json) instanceof Key)
    }
    t.done()
  }
}
