'use strict'

const { inspect } = require('node:util')
const { DBRef, ObjectId, isDBRefLike } = require('../lib/types')
const { encode } = require('../lib/encode/encode')
const { decode } = require('../lib/decode/decode')
const { EJSON } = require('../lib/ejson')

const oid = new ObjectId('0123456789abcdef01fedcba')

module.exports = {
  'a collection, an id, and what else there is': function (t) {
    t.deepEqual(Object.entries(new DBRef('c', oid)), [['collection', 'c'], ['oid', oid], ['db', undefined], ['fields', {}]])
    t.deepEqual({ ...new DBRef('c', oid, 'd', { x: 1 }) }, { collection: 'c', oid, db: 'd', fields: { x: 1 } })
    t.deepEqual({ ...new DBRef('d.c', oid, 'other') }, { collection: 'c', oid, db: 'd', fields: {} })
    t.deepEqual({ ...new DBRef('a.b.c', oid, 'd') }, { collection: 'a.b.c', oid, db: 'd', fields: {} })
    t.deepEqual({ ...new DBRef('.', oid) }, { collection: '', oid, db: '', fields: {} })
    const ref = new DBRef('c', oid)
    t.equal(ref.namespace, 'c')
    ref.namespace = 'e'
    t.equal(ref.collection, 'e')
    t.equal(ref._bsontype, 'DBRef')
    t.done()
  },

  'text and JSON': function (t) {
    const full = new DBRef('c', oid, 'd', { x: 1 })
    t.equal(inspect(new DBRef('c', oid)), `new DBRef('c', ${inspect(oid)})`)
    t.equal(inspect(full), `new DBRef('c', ${inspect(oid)}, 'd', { x: 1 })`)
    t.equal(full.inspect(), `new DBRef("c", new ObjectId("${oid}"), "d", {"x":1})`)
    t.deepEqual(full.toJSON(), { $ref: 'c', $id: oid, x: 1, $db: 'd' })
    t.deepEqual(Object.keys(full.toJSON()), ['$ref', '$id', '$db', 'x'])
    t.deepEqual(Object.keys(new DBRef('c', oid).toJSON()), ['$ref', '$id'])
    t.done()
  },

  'Extended JSON': function (t) {
    const full = new DBRef('c', oid, 'd', { x: 1 })
    t.deepEqual(Object.entries(full.toExtendedJSON()), [['$ref', 'c'], ['$id', oid], ['$db', 'd'], ['x', 1]])
    t.deepEqual(full.toExtendedJSON({ legacy: true }), { $ref: 'c', $id: oid })
    t.deepEqual(new DBRef('c', oid).toExtendedJSON({}), { $ref: 'c', $id: oid })
    t.deepEqual(DBRef.fromExtendedJSON({ $ref: 'c', $id: oid, $db: 'd', x: 1 }), full)
    t.deepEqual(DBRef.fromExtendedJSON({ $ref: 'c', $id: oid }), new DBRef('c', oid))
    t.done()
  },

  'takes nothing from the prototype of all objects': function (t) {
    const bytes = encode({ ref: { $ref: 'c', $id: 1 } })
    Object.prototype.$db = 'd'
    try {
      t.equal(decode(bytes).ref.db, undefined)
      t.equal(EJSON.parse('{"ref":{"$ref":"c","$id":1}}').ref.db, undefined)
      t.equal(DBRef.fromExtendedJSON({ $ref: 'c', $id: oid }).db, undefined)
    } finally {
      delete Object.prototype.$db
    }
    t.done()
  },

  'the same document in bytes and in text, an empty database too': function (t) {
    for (const ref of [new DBRef('c', oid, ''), new DBRef('c', oid, 'd', { x: 1 }), new DBRef('c', oid)]) {
      const text = EJSON.stringify({ ref })
      t.equal(EJSON.fromBSON(encode({ ref })), text)
      t.equal(text, `{"ref":${EJSON.stringify(ref.toJSON())}}`)
      t.deepEqual(EJSON.parse(text).ref, ref)
    }
    t.equal(EJSON.stringify(new DBRef('c', 1, '')), '{"$ref":"c","$id":1,"$db":""}')
    t.done()
  },

  'which documents are references': function (t) {
    for (const doc of [{ $ref: 'c', $id: 1 }, { $ref: 'c', $id: 0, $db: 'd' }, { x: 1, $ref: '', $id: oid }]) {
      t.equal(isDBRefLike(doc), true, inspect(doc))
    }
    for (const doc of [null, undefined, 5, {}, { $ref: 'c' }, { $id: 1 }, { $ref: 5, $id: 1 }, { $ref: 'c', $id: null },
      { $ref: 'c', $id: undefined }, { $ref: 'c', $id: 1, $db: 5 }, { $ref: 'c', $id: 1, $db: undefined }]) {
      t.equal(isDBRefLike(doc), false, inspect(doc))
    }
    t.done()
  }
}
