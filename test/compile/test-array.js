'use strict'

// The layout 'array': values without names, and which codecs may read them.

const qbson = require('../../qbson')
const { compile, schemaOf } = require('../../lib/compile')
const { compileInterpreted, compileAhead } = require('../fixtures/compilers')
const { assertCheap } = require('../fixtures/cost')
const { errorOf } = require('../fixtures/error-of')

const WAYS = { compiled: compile, interpreted: compileInterpreted, 'ahead of time': compileAhead }
const messageOf = work => errorOf(work).message

const inner = { bsonType: 'object', properties: { x: { bsonType: 'int' }, y: { bsonType: 'string' } } }
const SCHEMA = {
  bsonType: 'object',
  required: ['a'],
  properties: {
    a: inner,
    list: { bsonType: 'array', items: inner },
    either: { bsonType: ['object', 'array'], properties: { x: {} } },
    last: { bsonType: ['string', 'null'] }
  }
}

function suite(make) {
  return {
    'arrays of values, in the schema\'s order, what is missing marked, others last': t => {
      const codec = make(SCHEMA, { layout: 'array' })
      const doc = { a: { y: 'b' }, list: [{ x: 1, y: 'c', z: true }, {}], either: { x: 1 }, more: 5 }
      const bytes = codec.encode({ more: 5, either: { x: 1 }, list: doc.list, a: doc.a })
      const shown = qbson.decode(bytes)
      t.deepStrictEqual(Object.keys(shown), ['0', '1', '2', '3', '4', '5'])
      t.deepStrictEqual([1, 2, 3, 4, 5].map(i => shown[i]),
        [[undefined, 'b'], [[1, 'c', { z: true }], [undefined, undefined]], { x: 1 }, undefined, { more: 5 }])
      t.deepStrictEqual(codec.decode(bytes, { check: true }), doc)
      t.deepStrictEqual(Object.keys(codec.decode(bytes)), ['a', 'list', 'either', 'more'])
      t.done()
    },

    'rules about documents and arrays, also where the schema does not describe these': t => {
      const codec = make({ bsonType: 'object', properties: { a: { not: { required: ['x'] } }, b: { enum: [[1], 'x'] } } }, { layout: 'array' })
      t.deepStrictEqual(codec.decode(codec.encode({ a: { y: 1 }, b: [1] })), { a: { y: 1 }, b: [1] })
      t.strictEqual(messageOf(() => codec.encode({ a: { x: 1 } })), 'expected what the schema of not does not describe (in field a)')
      t.strictEqual(messageOf(() => codec.encode({ b: [2] })), 'expected one of [1], "x" (in field b)')
      t.done()
    },

    'many violations, each at its offset, in time that grows with their number': t => {
      const items = { bsonType: 'object', properties: { n: { bsonType: 'int', maximum: 5 } } }
      const codec = make({ properties: { l: { bsonType: 'array', items } }, bsonType: 'object' }, { layout: 'array' })
      const bytes = codec.encode({ l: Array.from({ length: 4000 }, (_, n) => ({ n: n + 10 })) }, { check: false })
      let found
      assertCheap(1500, () => (found = codec.validate(bytes, { all: true })), 'violations')
      t.deepStrictEqual(found.map(({ offset }) => bytes.readInt32LE(offset)), Array.from({ length: 4000 }, (_, n) => n + 10))
      t.done()
    },

    'no byte outside of the document is changed': t => {
      const codec = make({ bsonType: 'object', properties: { a: { bsonType: 'int' }, b: { bsonType: 'string' } } }, { layout: 'array' })
      for (const doc of [{}, { a: 1 }, { b: 'x' }, { a: 1, b: 'x' }, { more: null }]) {
        const target = Buffer.alloc(100, 0xee)
        const end = codec.encodeInto(doc, target, 5)
        t.deepStrictEqual(codec.decode(target.subarray(5, end)), doc)
        t.ok(target.every((byte, i) => (i >= 5 && i < end) || byte === 0xee), JSON.stringify(doc))
      }
      t.done()
    },

    'a field that every object inherits is missing where it is not an own one': t => {
      const properties = Object.fromEntries(['a', 'constructor', 'toString', '__proto__', 'hidden'].map(name => [name, {}]))
      const codec = make({ bsonType: 'object', properties }, { layout: 'array' })
      for (const doc of [{ a: 1 }, { constructor: 1 }, { a: 1, toString: 'x' }, JSON.parse('{"a":1,"__proto__":2}')]) {
        t.deepStrictEqual(codec.decode(codec.encode(doc)), doc)
      }
      Object.defineProperty(Object.prototype, 'hidden', { value: 5, configurable: true })
      try {
        t.deepStrictEqual(Object.keys(codec.decode(codec.encode({ a: 1 }))), ['a'])
      } finally {
        delete Object.prototype.hidden
      }
      t.done()
    },

    'a tree: the fingerprint is at its root alone': t => {
      const tree = { bsonType: 'object', additionalProperties: false, properties: { a: { bsonType: 'int' }, next: { $ref: '#' } } }
      const codec = make(tree, { layout: 'array' })
      const bytes = codec.encode({ a: 1, next: { a: 2, next: { a: 3 } } })
      t.deepStrictEqual(qbson.decode(bytes)[2], [2, [3, undefined]])
      t.deepStrictEqual(codec.decode(bytes), { a: 1, next: { a: 2, next: { a: 3 } } })
      let deep = { a: 0 }
      for (let i = 1; i < 1000; i++) deep = { a: i, next: deep }
      t.strictEqual(JSON.stringify(codec.decode(codec.encode(deep))), JSON.stringify(deep))
      t.done()
    },

    'a schema at two places, where one has names because it allows arrays as well': t => {
      const bare = { $ref: '#/definitions/bare' }
      const named = { anyOf: [bare, { bsonType: 'array' }] }
      const definitions = { bare: { bsonType: 'object', properties: { a: { bsonType: 'int' }, b: { bsonType: 'string' } } } }
      for (const properties of [{ p: bare, q: named }, { q: named, p: bare }, { p: { allOf: [bare] }, q: named }]) {
        const codec = make({ bsonType: 'object', definitions, properties }, { layout: 'array' })
        for (const doc of [{ p: { a: 1 }, q: { a: 2, b: 'x' } }, { q: { b: 'x' }, p: { b: 'y', a: 3, c: 4 } }, { p: {}, q: [1] }]) {
          const bytes = codec.encode(doc)
          t.deepStrictEqual(codec.decode(bytes, { check: true }), doc)
          const shown = Object.values(qbson.decode(bytes)).slice(1)
          t.deepStrictEqual(Object.keys(properties).map((name, i) => Array.isArray(shown[i])), Object.keys(properties)
            .map(name => name === 'p' || Array.isArray(doc[name])))
        }
      }
      t.done()
    },

    'a large document, and a small one after it': t => {
      const codec = make(SCHEMA, { layout: 'array' })
      for (const length of [2_000_000, 1, 2_000_000]) {
        const doc = { a: { x: 1 }, last: 'x'.repeat(length) }
        t.deepStrictEqual(codec.decode(codec.encode(doc)), doc)
      }
      t.done()
    },

    'bytes of another layout, another schema, an older one': t => {
      const older = { ...SCHEMA, properties: { a: inner } }
      const codec = make(SCHEMA, { layout: 'array' })
      const old = make(older, { layout: 'array' }).encode({ a: { x: 5 } })
      const refusal = /^written with schema [0-9a-f]{16}, but this codec is for schema [0-9a-f]{16} \(at offset 0\)$/
      t.ok(refusal.test(messageOf(() => codec.decode(old))))
      t.deepStrictEqual(make(SCHEMA, { layout: 'array', upgrade: [older] }).decode(old), { a: { x: 5 } })
      const message = "not in the layout 'array': the first value is not the fingerprint of a schema (at offset 4"
      t.ok(messageOf(() => codec.decode(qbson.encode({ a: { x: 5 } }))).startsWith(message))
      t.ok(messageOf(() => codec.decode(qbson.encode({}))).startsWith(message))
      const titled = make({ ...SCHEMA, title: 'the same layout', minProperties: 1 }, { layout: 'array' })
      t.deepStrictEqual(titled.decode(codec.encode({ a: {} })), { a: {} })
      t.done()
    },

    'paths name fields': t => {
      const codec = make(SCHEMA, { layout: 'array' })
      const bytes = codec.encode({ a: { x: 1 }, list: [{ x: 1, y: 'text' }] })
      const wrong = Buffer.from(bytes)
      wrong[wrong.indexOf('text') + 4] = 1
      t.ok(/^bad string length in bson \(at offset \d+ in field list\[0\]\.y\)$/.test(messageOf(() => codec.decode(wrong))))
      t.strictEqual(messageOf(() => codec.encode({ a: { x: 1 }, list: [{ x: 'x' }] })), 'expected int, found string (in field list[0].x)')
      t.done()
    },

    'too few values and too many': t => {
      const codec = make({ bsonType: 'object', properties: { a: { bsonType: 'int' }, b: { bsonType: 'int' } } }, { layout: 'array' })
      const shown = qbson.decode(codec.encode({ a: 1, b: 2 }), { promoteLongs: false })
      t.ok(messageOf(() => codec.decode(qbson.encode({ 0: shown[0], 1: 1 }))).startsWith('found 1 values, the schema has 2'))
      t.ok(messageOf(() => codec.decode(qbson.encode({ ...shown, 3: 3 }))).startsWith('found more than the 2 values of the schema'))
      t.deepStrictEqual(codec.decode(qbson.encode({ ...shown, 1: 'text' })), { a: 'text', b: 2 })
      const text = qbson.encode({ ...shown, 1: 'text' })
      t.strictEqual(messageOf(() => codec.decode(text, { check: true })), 'expected int, found string (at offset 15 in field a)')
      t.done()
    },

    'references and fields beyond the schema together': t => {
      const codec = make({ bsonType: 'object', properties: { r: { bsonType: 'object', properties: { $ref: { bsonType: 'string' } } } } }, { layout: 'array' })
      const back = codec.decode(codec.encode({ r: new qbson.DBRef('c', 5) }))
      t.ok(back.r instanceof qbson.DBRef && back.r.oid === 5)
      const other = codec.decode(codec.encode({ r: { $ref: 'c', $id: 1, $other: 2 } }))
      t.deepStrictEqual(other, { r: { $ref: 'c', $id: 1, $other: 2 } })
      t.done()
    }
  }
}

module.exports = {
  ...Object.fromEntries(Object.entries(WAYS).map(([name, make]) => [name, suite(make)])),

  'statistics of all types, of many names, of what is deep': async function (t) {
    const values = {
      s: 'x', i: 1, d: 2.5, l: 2n ** 60n, dec: qbson.Decimal128.fromString('1.5'), inf: Infinity, date: new Date(0),
      code: new qbson.Code('f', { a: 1 }), list: [[1], [], ['x', null]], id: new qbson.ObjectId('0123456789abcdef01234567')
    }
    const schema = schemaOf([values, { ...values, i: 'text', ['__proto__']: 1, s: 'xyz' }])
    t.deepStrictEqual(schema.properties.s, { bsonType: 'string', description: 'in 2 of 2', minLength: 1, maxLength: 3 })
    t.deepStrictEqual(schema.properties.i.bsonType, ['int', 'string'])
    t.deepStrictEqual(schema.properties.dec, { bsonType: 'decimal', description: 'in 2 of 2', minimum: 1.5, maximum: 1.5 })
    t.ok(!('minimum' in schema.properties.inf))
    t.ok(Object.hasOwn(schema.properties, '__proto__') === false || schema.properties.__proto__)
    const map = i => Object.fromEntries(Array.from({ length: 40 }, (_, k) => [`n${i * 40 + k}`, { v: i, w: [k] }]))
    const many = Array.from({ length: 30 }, (_, i) => ({ map: map(i) }))
    const found = schemaOf(many.map(doc => qbson.encode(doc)), { descriptions: false, bounds: false })
    t.deepStrictEqual(found.properties.map, { bsonType: 'object', additionalProperties: {
      bsonType: 'object', required: ['v', 'w'], properties: { v: { bsonType: 'int' }, w: { bsonType: 'array', items: { bsonType: 'int' } } }
    } })
    let deep = {}
    for (let i = 0; i < 60; i++) deep = { deep }
    compile(schemaOf([deep])).decode(qbson.encode(deep), { check: true })
    const stream = await schemaOf((async function* () { yield qbson.encode({ a: 1 }) })())
    t.deepStrictEqual(stream.required, ['a'])
    const whole = schemaOf([{ a: 1 }])
    Object.prototype.bounds = false
    try {
      for (const options of [null, undefined, {}]) t.deepStrictEqual(schemaOf([{ a: 1 }], options), whole)
    } finally {
      delete Object.prototype.bounds
    }
    t.done()
  }
}
