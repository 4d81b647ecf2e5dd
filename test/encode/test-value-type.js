'use strict'

const assert = require('node:assert')
const vm = require('node:vm')
const types = require('../../lib/types')
const { ELEMENT } = require('../../lib/spec')
const valueType = require('../../lib/encode/value-type')

const { OMIT, typeOf, isInt32, bsonTypeName, isRegExp, isMap, entriesOf, isDBRef, rawBytes } = valueType
const RAW = Symbol.for('qbson.raw')

function named(name, more) {
  class Named {
    get _bsontype() {
      return name
    }
  }
  return Object.assign(new Named(), more)
}

const id = new types.ObjectId()
const raw = { bytes: Buffer.from('0500000000', 'hex') }
class Raw {
  get [RAW]() {
    return raw.bytes
  }
}
class RawArray extends Raw {
  get isArray() {
    return true
  }
}

const ROWS = [
  [ELEMENT.STRING, ['', 'text']],
  [ELEMENT.INT32, [0, 1, -1, 0x7fffffff, -0x80000000]],
  [ELEMENT.DOUBLE, [-0, 0.5, NaN, Infinity, 0x80000000, -0x80000001, 2 ** 53, new types.Double(1), named('Double')]],
  [ELEMENT.INT32, [new types.Int32(1), named('Int32')]],
  [ELEMENT.BOOLEAN, [true, false]],
  [ELEMENT.NULL, [null]],
  [ELEMENT.INT64, [0n, 2n ** 70n, new types.Long(1), named('Long')]],
  [OMIT, [undefined, Symbol('s'), () => 1, class {}]],
  [ELEMENT.DOCUMENT, [{}, { a: 1 }, Object.create(null), new Map(), new Set(), new (class Person {})(), new Error('e'), vm.runInNewContext('({})')]],
  [ELEMENT.DOCUMENT, [{ _bsontype: 'ObjectId' }, Object.assign(Object.create(null), { _bsontype: 'Long' }), named(5), named(undefined)]],
  [ELEMENT.DOCUMENT, [new Number(1), new String('x'), new Proxy({}, {})]],
  [ELEMENT.ARRAY, [[], [1], new (class extends Array {})(), vm.runInNewContext('[]'), new Proxy([], {})]],
  [ELEMENT.DATETIME, [new Date(), new (class extends Date {})(), vm.runInNewContext('new Date()')]],
  [ELEMENT.REGEX, [/a/, vm.runInNewContext('/a/'), new types.BSONRegExp('a'), named('BSONRegExp')]],
  [ELEMENT.BINARY, [new Uint8Array(1), Buffer.alloc(1), new Float32Array(1), new DataView(new ArrayBuffer(1))]],
  [ELEMENT.BINARY, [new ArrayBuffer(1), new SharedArrayBuffer(1), new types.Binary(), new types.UUID(), named('UUID'), vm.runInNewContext('new ArrayBuffer(1)')]],
  [ELEMENT.OBJECT_ID, [id, new (class extends types.ObjectId {})(), named('ObjectID'), named('ObjectId')]],
  [ELEMENT.TIMESTAMP, [new types.Timestamp({ t: 1, i: 1 }), named('Timestamp')]],
  [ELEMENT.DECIMAL128, [types.Decimal128.fromString('1'), named('Decimal128')]],
  [ELEMENT.CODE, [new types.Code('f'), named('Code'), named('Code', { scope: null }), named('Code', { scope: 'x' })]],
  [ELEMENT.CODE_WITH_SCOPE, [new types.Code('f', {}), named('Code', { scope: {} })]],
  [ELEMENT.SYMBOL, [new types.BSONSymbol('s'), named('Symbol')]],
  [ELEMENT.MIN_KEY, [new types.MinKey()]],
  [ELEMENT.MAX_KEY, [new types.MaxKey()]],
  [ELEMENT.DOCUMENT, [new types.DBRef('c', 1), named('DBRef'), new Raw()]],
  [ELEMENT.ARRAY, [new RawArray()]]
]

module.exports = {
  'the element type of each value': t => {
    for (const [type, values] of ROWS) {
      values.forEach((value, i) => assert.strictEqual(typeOf(value, false), type, `row ${type}, value ${i}`))
    }
    t.done()
  },

  'functions are code where asked, symbols never': t => {
    t.strictEqual(typeOf(() => 1, true), ELEMENT.CODE)
    t.strictEqual(typeOf(class {}, true), ELEMENT.CODE)
    t.strictEqual(typeOf(Symbol('s'), true), OMIT)
    t.done()
  },

  'an unknown name is an error': t => {
    t.throws(() => typeOf(named('Nothing'), false), error => error.name === 'BSONError' && /Unrecognized or invalid _bsontype: Nothing/.test(error.message))
    t.done()
  },

  'int32 or not': t => {
    t.deepStrictEqual([0, 5, -5, 0x7fffffff, -0x80000000].map(isInt32), [true, true, true, true, true])
    t.deepStrictEqual([-0, 0.1, NaN, Infinity, 2 ** 31, -(2 ** 31) - 1].map(isInt32), [false, false, false, false, false, false])
    t.done()
  },

  'the name of a BSON value; not that in a field of a document': t => {
    t.strictEqual(bsonTypeName(id), 'ObjectId')
    t.strictEqual(bsonTypeName(named('Anything')), 'Anything')
    // a class whose prototype has no prototype is not the Object.prototype of another realm
    t.strictEqual(bsonTypeName(Object.create(Object.create(null), { _bsontype: { value: 'Long' } })), 'Long')
    t.strictEqual(bsonTypeName(new (class { get [Symbol.for('@@mdb.bson.type')]() { return 'Long' } })()), 'Long')
    for (const value of [{}, { _bsontype: 'Long' }, Object.assign(Object.create(null), { _bsontype: 'Long' }), named(5), new Date()]) {
      t.strictEqual(bsonTypeName(value), undefined)
    }
    t.done()
  },

  'scopes': t => {
    const typeOfScope = scope => typeOf(Object.assign(named('Code'), { scope }), false)
    t.deepStrictEqual([{}, []].map(typeOfScope), [ELEMENT.CODE_WITH_SCOPE, ELEMENT.CODE_WITH_SCOPE])
    t.deepStrictEqual([null, 'x', undefined].map(typeOfScope), [ELEMENT.CODE, ELEMENT.CODE, ELEMENT.CODE])
    t.done()
  },

  'dates, regular expressions and maps, of any realm': t => {
    for (const date of [new Date(), vm.runInNewContext('new Date()')]) t.strictEqual(typeOf(date, false), ELEMENT.DATETIME)
    t.ok(isRegExp(/a/) && isRegExp(vm.runInNewContext('/a/')) && !isRegExp({ source: 'a' }))
    t.ok(isMap(new Map()) && isMap(vm.runInNewContext('new Map()')) && !isMap(new Set()) && !isMap({}))
    t.done()
  },

  'the entries of a map, or a clear error': t => {
    t.deepStrictEqual([...entriesOf(new Map([['a', 1]]))], [['a', 1]])
    for (const fake of [{}, new Proxy(new Map(), {}), Object.create(Map.prototype)]) {
      assert.throws(() => entriesOf(fake), error => error.name === 'BSONError' && error.cause instanceof TypeError)
    }
    t.done()
  },

  'references': t => {
    t.ok(isDBRef(new types.DBRef('c', 1)) && isDBRef(named('DBRef')))
    t.ok(!isDBRef({ $ref: 'c', $id: 1 }) && !isDBRef({ _bsontype: 'DBRef' }) && !isDBRef(new Map()))
    t.done()
  },

  'documents that are bytes already': t => {
    t.strictEqual(rawBytes(new Raw()), raw.bytes)
    t.deepStrictEqual([{}, [], new Map(), Object.create(null)].map(rawBytes), [undefined, undefined, undefined, undefined])
    t.strictEqual(rawBytes({ [RAW]: raw.bytes }), undefined)
    t.done()
  }
}
