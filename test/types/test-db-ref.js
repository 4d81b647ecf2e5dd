'use strict'

const { inspect } = require('node:util')
const { DBRef, ObjectId, isDBRefLike } = require('../../lib/types')
const { encode } = require('../../lib/encode/encode')
const { decode } = require('../../lib/decode/decode')
const { EJSON } = require('../../lib/ejson')
const json = require('../../lib/json')

const oid = new ObjectId('0123456789abcdef01fedcba')

module.exports = {
  'other fields in a Map': function (t) {
    const ref = new DBRef('c', 1, 'd', new Map([['x', 1], ['__proto__', 2]]))
    t.strictEqual(EJSON.stringify(ref), '{"$ref":"c","$id":1,"$db":"d","x":1,"__proto__":2}')
    t.strictEqual(EJSON.fromBSON(encode({ ref })), '{"ref":{"$ref":"c","$id":1,"$db":"d","x":1,"__proto__":2}}')
    t.done()
  },

  'a collection, an id, and what else there is': function (t) {
    t.deepStrictEqual(Object.entries(new DBRef('c', oid)), [['collection', 'c'], ['oid', oid], ['db', undefined], ['fields', {}]])
    t.deepStrictEqual({ ...new DBRef('c', oid, 'd', { x: 1 }) }, { collection: 'c', oid, db: 'd', fields: { x: 1 } })
    t.deepStrictEqual({ ...new DBRef('d.c', oid, 'other') }, { collection: 'c', oid, db: 'd', fields: {} })
    t.deepStrictEqual({ ...new DBRef('a.b.c', oid, 'd') }, { collection: 'a.b.c', oid, db: 'd', fields: {} })
    t.deepStrictEqual({ ...new DBRef('.', oid) }, { collection: '', oid, db: '', fields: {} })
    const ref = new DBRef('c', oid)
    t.strictEqual(ref.namespace, 'c')
    ref.namespace = 'e'
    t.strictEqual(ref.collection, 'e')
    t.strictEqual(ref._bsontype, 'DBRef')
    t.done()
  },

  'text and JSON': function (t) {
    const full = new DBRef('c', oid, 'd', { x: 1 })
    t.strictEqual(inspect(new DBRef('c', oid)), `new DBRef('c', ${inspect(oid)})`)
    t.strictEqual(inspect(full), `new DBRef('c', ${inspect(oid)}, 'd', { x: 1 })`)
    t.strictEqual(full.inspect(), `new DBRef("c", new ObjectId("${oid}"), "d", {"x":1})`)
    t.deepStrictEqual(full.toJSON(), { $ref: 'c', $id: oid, x: 1, $db: 'd' })
    t.deepStrictEqual(Object.keys(full.toJSON()), ['$ref', '$id', 'x', '$db'])
    t.deepStrictEqual(Object.keys(new DBRef('c', oid).toJSON()), ['$ref', '$id'])
    t.done()
  },

  'Extended JSON': function (t) {
    const full = new DBRef('c', oid, 'd', { x: 1 })
    t.deepStrictEqual(Object.entries(full.toExtendedJSON()), [['$ref', 'c'], ['$id', oid], ['$db', 'd'], ['x', 1]])
    t.deepStrictEqual(full.toExtendedJSON({ legacy: true }), { $ref: 'c', $id: oid })
    t.deepStrictEqual(new DBRef('c', oid).toExtendedJSON({}), { $ref: 'c', $id: oid })
    t.deepStrictEqual(DBRef.fromExtendedJSON({ $ref: 'c', $id: oid, $db: 'd', x: 1 }), full)
    t.deepStrictEqual(DBRef.fromExtendedJSON({ $ref: 'c', $id: oid }), new DBRef('c', oid))
    t.done()
  },

  'takes nothing from the prototype of all objects': function (t) {
    const bytes = encode({ ref: { $ref: 'c', $id: 1 } })
    Object.prototype.$db = 'd'
    try {
      t.strictEqual(decode(bytes).ref.db, undefined)
      t.strictEqual(EJSON.parse('{"ref":{"$ref":"c","$id":1}}').ref.db, undefined)
      t.strictEqual(DBRef.fromExtendedJSON({ $ref: 'c', $id: oid }).db, undefined)
    } finally {
      delete Object.prototype.$db
    }
    t.done()
  },

  'the same document in bytes and in text, an empty database too': function (t) {
    for (const ref of [new DBRef('c', oid, ''), new DBRef('c', oid, 'd', { x: 1 }), new DBRef('c', oid)]) {
      const text = EJSON.stringify({ ref })
      t.strictEqual(EJSON.fromBSON(encode({ ref })), text)
      t.deepStrictEqual(EJSON.parse(text).ref, ref)
    }
    t.strictEqual(EJSON.stringify(new DBRef('c', 1, '')), '{"$ref":"c","$id":1,"$db":""}')
    t.done()
  },

  'a collection with a dot: the constructor splits it as bson does, what was read is written': function (t) {
    t.deepStrictEqual({ ...new DBRef('fs.files', oid) }, { ...new DBRef('files', oid, 'fs') })
    const bytes = encode({ file: new Map([['$ref', 'fs.files'], ['$id', oid]]) })
    const { file } = decode(bytes)
    t.deepStrictEqual([file.collection, file.db], ['fs.files', undefined])
    t.deepStrictEqual(encode({ file }), bytes)
    t.strictEqual(EJSON.stringify({ file }), EJSON.fromBSON(bytes))
    t.deepStrictEqual(EJSON.parse(EJSON.fromBSON(bytes)), { file })
    t.strictEqual(json.text(bytes), JSON.stringify({ file }))
    t.done()
  },

  'which documents are references': function (t) {
    for (const doc of [{ $ref: 'c', $id: 1 }, { $ref: 'c', $id: 0, $db: 'd' }, { x: 1, $ref: '', $id: oid }]) {
      t.strictEqual(isDBRefLike(doc), true, inspect(doc))
    }
    for (const doc of [null, undefined, 5, {}, { $ref: 'c' }, { $id: 1 }, { $ref: 5, $id: 1 }, { $ref: 'c', $id: null },
      { $ref: 'c', $id: undefined }, { $ref: 'c', $id: 1, $db: 5 }, { $ref: 'c', $id: 1, $db: undefined }]) {
      t.strictEqual(isDBRefLike(doc), false, inspect(doc))
    }
    t.done()
  }
}
