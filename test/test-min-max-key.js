'use strict'

const { inspect } = require('node:util')
const { MinKey, MaxKey, BSONValue } = require('../lib/types')

module.exports = {
  'they are their type and nothing else': function (t) {
    for (const [Key, name, json] of [[MinKey, 'MinKey', { $minKey: 1 }], [MaxKey, 'MaxKey', { $maxKey: 1 }]]) {
      const key = new Key()
      t.ok(key instanceof BSONValue)
      t.deepEqual(Object.keys(key), [])
      t.equal(key._bsontype, name)
      t.equal(key[Symbol.for('@@mdb.bson.type')], name)
      t.equal(key[Symbol.for('@@mdb.bson.version')], 7)
      t.equal(inspect(key), `new ${name}()`)
      t.equal(key.inspect(), `new ${name}()`)
      t.deepEqual(key.toExtendedJSON(), json)
      t.ok(Key.fromExtendedJSON(json) instanceof Key)
    }
    t.done()
  }
}
