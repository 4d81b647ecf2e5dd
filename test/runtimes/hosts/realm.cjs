'use strict'

// Values of another realm, as Jest, jsdom and vm give them: there `instanceof` says that they are nothing.

const assert = require('node:assert')
const vm = require('node:vm')
const qbson = require('qbson')
const report = require('./report.cjs')

const { EJSON, ObjectId, encode, decode } = qbson
const make = source => vm.runInNewContext(`(${source})`)
const same = (source, own) => {
  assert.deepStrictEqual([...encode({ a: make(source) })], [...encode({ a: own })], source)
  assert.strictEqual(EJSON.stringify({ a: make(source) }), EJSON.stringify({ a: own }), source)
}

report({
  'plain objects': () => same('{ b: [1, { c: null }] }', { b: [1, { c: null }] }),
  'plain objects with a field _bsontype': () => same('{ _bsontype: "ObjectId", id: 5 }', { _bsontype: 'ObjectId', id: 5 }),
  'as the root': () => assert.deepStrictEqual(decode(encode(make('{ _bsontype: "x", b: 1 }'))), { _bsontype: 'x', b: 1 }),
  dates: () => same('new Date(5)', new Date(5)),
  'regular expressions': () => same('/a+/i', /a+/i),
  maps: () => same('new Map([["b", 1]])', new Map([['b', 1]])),
  bytes: () => same('new Uint8Array([1, 2])', new Uint8Array([1, 2])),
  'bytes to decode': () => assert.deepStrictEqual(decode(make(`new Uint8Array([${[...encode({ a: 1 })]}])`)), { a: 1 }),
  'bytes of an id': () => assert.ok(new ObjectId(make('new Uint8Array(12)')).equals('0'.repeat(24)))
})
