'use strict'

// What a codec of a schema writes, reads and rejects, whether it is compiled, interpreted, or written ahead of time.

const assert = require('node:assert/strict')
const qbson = require('../../qbson')
const { compile } = require('../../lib/compile')
const { compileInterpreted, compileAhead } = require('../fixtures/compilers')
const { describe } = require('../fixtures/describe')
const { errorOf } = require('../fixtures/error-of')

const { Long, Int32, Double, Decimal128, Binary, Timestamp, DBRef, RawDocument } = qbson

const WAYS = { compiled: compile, interpreted: compileInterpreted, 'ahead of time': compileAhead }

const object = (properties, others = {}) => ({ bsonType: 'object', properties, ...others })

const messageOf = work => errorOf(work).message

/** Fields, and the values for which the generic encoder writes the same bytes. */
const WRITTEN = [
  [{ bsonType: 'int' }, 5, new Int32(5)],
  [{ bsonType: 'long' }, 5, Long.fromNumber(5)],
  [{ bsonType: 'long' }, -(2 ** 40), Long.fromNumber(-(2 ** 40))],
  [{ bsonType: 'long' }, 7n, Long.fromNumber(7)],
  [{ bsonType: 'double' }, 5, new Double(5)],
  [{ bsonType: 'double' }, -0, new Double(-0)],
  [{ bsonType: ['long', 'double'] }, -0, new Double(-0)],
  [{ bsonType: ['int', 'long', 'decimal'] }, -0, Decimal128.fromString('-0')],
  [{ type: 'number' }, -0, new Double(-0)],
  [{ bsonType: 'decimal' }, 1.5, Decimal128.fromString('1.5')],
  [{ bsonType: 'decimal' }, -0, Decimal128.fromString('-0')],
  [{ bsonType: ['long', 'double'] }, 5, Long.fromNumber(5)],
  [{ bsonType: ['double', 'long'] }, 5, new Double(5)],
  [{ bsonType: ['int', 'long'] }, 2 ** 40, Long.fromNumber(2 ** 40)],
  [{ bsonType: ['decimal', 'int'] }, 2.5, Decimal128.fromString('2.5')],
  [{ type: 'number' }, 2 ** 40, new Double(2 ** 40)],
  [{ bsonType: 'object' }, new Map([['a', 1]]), { a: 1 }],
  [{ bsonType: 'array' }, [1, undefined], [1, null]],
  [{ bsonType: 'array', items: { bsonType: ['int', 'null'] } }, [1, undefined], [1, null]],
  [{ bsonType: 'object', properties: { b: {}, a: {} } }, { toBSON: () => ({ a: 1, b: 2 }) }, { a: 1, b: 2 }],
  [{ bsonType: 'object', properties: { $id: {}, $ref: {} } }, new DBRef('c', 5), { $ref: 'c', $id: 5 }],
  [{ bsonType: 'null' }, null, null],
  [{ bsonType: ['string', 'bool'] }, true, true],
  [{ bsonType: 'date' }, new Date(5), new Date(5)],
  [{ bsonType: 'timestamp' }, new Timestamp({ t: 1, i: 2 }), new Timestamp({ t: 1, i: 2 })],
  [{ bsonType: 'binData' }, new Binary(Buffer.from('ab'), 2), new Binary(Buffer.from('ab'), 2)]
]

const REFUSED = [
  [{ bsonType: 'int' }, 5.5, 'expected int, found the number 5.5'],
  [{ bsonType: 'int' }, -0, 'expected int, found the number -0'],
  [{ bsonType: 'long' }, -0, 'expected long, found the number -0'],
  [{ bsonType: ['int', 'long'] }, -0, 'expected int or long, found the number -0'],
  [{ bsonType: 'long' }, 5.5, 'expected long, found the number 5.5'],
  [{ bsonType: 'long' }, 2 ** 60, 'expected long, found the number 1152921504606847000'],
  [{ bsonType: 'int' }, new Double(5), 'expected int, found double'],
  [{ bsonType: 'long' }, new Timestamp({ t: 1, i: 1 }), 'expected long, found timestamp'],
  [{ bsonType: 'long' }, 2n ** 64n, 'bigint 18446744073709551616 is outside the range of an int64'],
  [{ bsonType: ['string', 'null'] }, 5, 'expected string or null, found the number 5'],
  [{ bsonType: 'date' }, new Date(NaN), 'Invalid Date cannot be serialized'],
  [{ bsonType: 'int', minimum: 3 }, 2, 'expected at least 3, found 2'],
  [{ bsonType: 'int', minimum: 3, exclusiveMinimum: true }, 3, 'expected more than 3, found 3'],
  [{ bsonType: 'int', maximum: 3, exclusiveMaximum: true }, 3, 'expected less than 3, found 3'],
  [{ bsonType: 'double', maximum: 3 }, NaN, 'expected at most 3, found NaN'],
  [{ bsonType: 'long', maximum: 3 }, 4n, 'expected at most 3, found 4'],
  [{ bsonType: 'decimal', maximum: 0.1, exclusiveMaximum: true }, Decimal128.fromString('0.1'), 'expected less than 0.1, found 0.1'],
  [{ bsonType: 'decimal', maximum: 1e20 }, Decimal128.fromString('1.0E+21'), 'expected at most 100000000000000000000, found 1.0E+21'],
  [{ bsonType: 'decimal', minimum: 0 }, Decimal128.fromString('-Infinity'), 'expected at least 0, found -Infinity'],
  [{ bsonType: 'decimal', minimum: 0 }, Decimal128.fromString('NaN'), 'expected at least 0, found NaN'],
  [{ bsonType: 'string', minLength: 2 }, '\u{1f600}', 'expected at least 2 characters, found "\u{1f600}"'],
  [{ bsonType: 'string', minLength: 1 }, '', 'expected at least 1 characters, found ""'],
  [{ bsonType: 'string', maxLength: 2 }, 'abc', 'expected at most 2 characters, found "abc"'],
  [{ minLength: 2, allOf: [{ maxLength: 3 }, { minimum: 1 }] }, 'abcd', 'expected at most 3 characters, found "abcd"'],
  [{ minLength: 2, allOf: [{ maxLength: 3 }, { minimum: 1 }] }, 'a', 'expected at least 2 characters, found "a"'],
  [{ bsonType: 'string', pattern: '^a' }, 'ba', 'expected text that matches "^a", found "ba"'],
  [{ enum: ['a', 5, null] }, 'b', 'expected one of "a", 5, null, found "b"'],
  [{ enum: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }, 12, 'expected one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ..., found 12'],
  [{ bsonType: 'array', maxItems: 1 }, [1, 2], 'expected at most 1 items, found 2'],
  [{ bsonType: 'object', minProperties: 2 }, { a: 1 }, 'expected at least 2 fields, found 1'],
  [{ bsonType: 'array', items: [{}], additionalItems: false }, [1, 2], 'this item is not in the schema (additionalItems: false)', 'field[1]'],
  [{ bsonType: 'object', additionalProperties: false }, { a: 1 }, 'this field is not in the schema (additionalProperties: false)', 'field.a'],
  [{ bsonType: 'object', required: ['b'], properties: { a: {} } }, { a: 1 }, 'the field is missing', 'field.b'],
  [{ bsonType: 'object', required: ['a'], properties: { a: {} } }, { a: undefined }, 'the field is missing', 'field.a'],
  [{ bsonType: 'array', items: { bsonType: 'int' } }, [1, Symbol('s')], 'a symbol cannot be an item: it would be left out', 'field[1]'],
  [{ bsonType: 'array', minItems: 2 }, [() => {}, 1], 'a function cannot be an item: it would be left out', 'field[0]']
]

function suite(make) {
  return {
    'types as the schema says': t => {
      for (const [node, value, plain] of WRITTEN) {
        const codec = make(object({ field: node, after: {} }))
        const bytes = codec.encode({ after: 'x', field: value })
        const what = `${JSON.stringify(node)}: ${describe(value)}`
        t.strictEqual(bytes.toString('hex'), qbson.encode({ after: 'x', field: plain }).toString('hex'), what)
        t.strictEqual(describe(codec.decode(bytes, { check: true })), describe(qbson.decode(bytes)), what)
        t.strictEqual(codec.sizeOf({ after: 'x', field: value }), bytes.length)
        t.strictEqual(codec.validate(bytes), bytes.length)
      }
      t.done()
    },

    'what is refused': t => {
      for (const [node, value, message, path = 'field'] of REFUSED) {
        const codec = make(object({ field: node }))
        t.strictEqual(messageOf(() => codec.encode({ field: value })), `${message} (in field ${path})`)
        t.strictEqual(codec.encode({}).length, 5)
      }
      t.done()
    },

    'a field without a name, and nothing behind it': t => {
      for (const node of [{}, { bsonType: 'null' }, { bsonType: ['null', 'bool'] }]) {
        const codec = make(object({ text: { bsonType: 'string' }, '': node }))
        for (const size of [5, 9000]) { // small ones are read in memory that continues behind them
          const doc = { text: 'x'.repeat(size), '': null }
          t.deepStrictEqual(codec.decode(codec.encode(doc)), doc)
        }
      }
      t.done()
    },

    'rules about values can be left out, types cannot': t => {
      const codec = make(object({ a: { bsonType: 'int', minimum: 5 }, b: { bsonType: 'array', minItems: 1 } }))
      t.deepStrictEqual(codec.decode(codec.encode({ a: 1, b: [] }, { check: false })), { a: 1, b: [] })
      t.strictEqual(messageOf(() => codec.encode({ a: 'x' }, { check: false })), 'expected int, found string (in field a)')
      t.done()
    },

    'bytes are refused where that is asked for': t => {
      const codec = make(object({ a: { bsonType: 'int', minimum: 5 }, b: { bsonType: 'string', maxLength: 2 } },
        { required: ['a'], additionalProperties: false }))
      const refusal = doc => messageOf(() => codec.decode(qbson.encode(doc), { check: true }))
      t.strictEqual(refusal({ a: 4 }), 'expected at least 5, found 4 (at offset 7 in field a)')
      t.strictEqual(refusal({ a: 'x' }), 'expected int, found string (at offset 4 in field a)')
      t.strictEqual(refusal({ a: 5, b: 'abc' }), 'expected at most 2 characters, found "abc" (at offset 14 in field b)')
      t.strictEqual(refusal({ a: 5, c: 1 }), 'this field is not in the schema (additionalProperties: false) (at offset 11 in field c)')
      t.strictEqual(refusal({ b: 'ab' }), 'the field "a" is missing (at offset 0)')
      t.strictEqual(messageOf(() => codec.validate(qbson.encode({ b: 'ab' }))), 'the field "a" is missing (at offset 0)')
      t.deepStrictEqual(codec.decode(qbson.encode({ b: 'abc', a: 4, c: 1 })), { b: 'abc', a: 4, c: 1 })
      t.done()
    },

    'nested documents and arrays are checked in bytes too': t => {
      const codec = make(object({
        list: { bsonType: 'array', maxItems: 1, items: { bsonType: 'int' } },
        pair: { bsonType: 'array', items: [{}], additionalItems: false },
        few: { bsonType: 'object', maxProperties: 1, properties: { a: {} } }
      }))
      const refusal = doc => messageOf(() => codec.validate(qbson.encode(doc)))
      t.strictEqual(refusal({ list: [1, 2] }), 'expected at most 1 items, found 2 (at offset 10 in field list)')
      t.strictEqual(refusal({ list: ['x'] }), 'expected int, found string (at offset 14 in field list[0])')
      t.strictEqual(refusal({ pair: [1, 2] }), 'this item is not in the schema (additionalItems: false) (at offset 21 in field pair[1])')
      t.strictEqual(refusal({ few: { a: 1, b: 2 } }), 'expected at most 1 fields, found 2 (at offset 9 in field few)')
      t.done()
    },

    'options say what decoding gives': t => {
      const doc = { l: Long.fromNumber(5), b: new Binary(Buffer.from('x')), n: 1, d: 2.5, s: 'x' }
      const schema = object({ l: { bsonType: 'long' }, b: { bsonType: 'binData' }, n: { bsonType: 'int' }, d: { bsonType: 'double' }, s: { bsonType: 'string' } })
      const bytes = qbson.encode(doc)
      for (const options of [{ useBigInt64: true }, { promoteLongs: false }, { promoteBuffers: true }, { promoteValues: false },
        { validation: { utf8: false } }]) {
        t.strictEqual(describe(make(schema, options).decode(bytes)), describe(qbson.decode(bytes, options)))
      }
      t.strictEqual(describe(make({ properties: { l: { bsonType: 'long', as: 'bigint' } } }).decode(qbson.encode({ l: 5n, m: 5n }))), '{"l": 5n, "m": 5}')
      const asNumber = make({ properties: { l: { bsonType: 'long', as: 'number' } } }, { useBigInt64: true })
      t.strictEqual(describe(asNumber.decode(qbson.encode({ l: 5n, m: 5n }))), '{"l": 5, "m": 5n}')
      t.ok(make({ properties: { l: { bsonType: 'long', as: 'long' } } }).decode(qbson.encode({ l: 5n })).l instanceof Long)
      t.ok(Buffer.isBuffer(make({ properties: { b: { bsonType: 'binData', as: 'buffer' } } }).decode(bytes).b))
      t.ok(make({ properties: { b: { bsonType: 'binData', as: 'binary' } } }, { promoteBuffers: true }).decode(bytes).b instanceof Binary)
      t.done()
    },

    'an undefined is null where the options say so, and that is allowed': t => {
      const doc = { a: undefined, list: [{ b: undefined }] }
      const nullable = { bsonType: ['int', 'null'] }
      const schema = list => object({ a: nullable, list: { bsonType: 'array', items: object({ b: list }) } })
      const options = { ignoreUndefined: false }
      t.deepStrictEqual(make(schema(nullable), options).encode(doc), qbson.encode(doc, options))
      t.strictEqual(messageOf(() => make(schema({ bsonType: 'int' }), options).encode(doc)), 'expected int, found null (in field list[0].b)')
      t.deepStrictEqual(make(schema({ bsonType: 'int' })).encode(doc), qbson.encode(doc))
      t.done()
    },

    'a maxDepth holds where the schema says nothing of a document': t => {
      const bytes = qbson.encode({ a: { b: [{ c: [] }] } })
      const levels = n => make(object({ a: {} }), { maxDepth: n })
      t.deepStrictEqual(levels(5).decode(bytes), { a: { b: [{ c: [] }] } })
      for (const n of [1, 2, 3, 4]) {
        const [ours, theirs] = [levels(n).decode, bytes => qbson.decode(bytes, { maxDepth: n })].map(decode => errorOf(() => decode(bytes)))
        t.deepStrictEqual([ours.offset, ours.path], [theirs.offset, theirs.path])
      }
      t.done()
    },

    'and so it does, as do options of UTF-8, where a field has a type of its own': t => {
      const l = { bsonType: 'long', as: 'bigint' }
      const node = object({ l, d: object({ l, d: object({ l }) }), list: { bsonType: 'array', items: { bsonType: 'array', items: l } } })
      for (const doc of [{ l: 5n, d: { x: 1, d: { x: 1, l: 6n } } }, { list: [[7n, 'x', []]] }]) {
        const bytes = qbson.encode(doc)
        t.deepStrictEqual(make(node, { maxDepth: 4 }).decode(bytes), doc)
        for (const maxDepth of [1, 2]) {
          const [ours, theirs] = [make(node, { maxDepth }), qbson].map(({ decode }) => errorOf(() => decode(bytes, { maxDepth })))
          t.deepStrictEqual([ours.offset, ours.path, ours.message], [theirs.offset, theirs.path, theirs.message])
        }
      }
      const odd = qbson.encode({ l: 5n, xy: 1 })
      odd[odd.indexOf('xy')] = 0xff
      t.deepStrictEqual(make(node, { validation: { utf8: false } }).decode(odd), { l: 5n, '\ufffdy': 1 })
      t.ok(errorOf(() => make(node).decode(odd)) instanceof qbson.BSONError)
      t.done()
    },

    'a setter on Object.prototype is never called': t => {
      const codec = make(object({ a: object({ n: { bsonType: 'int' } }) }, { additionalProperties: { bsonType: 'object' } }))
      const bytes = qbson.encode({ x: { evil: 1 } })
      qbson.decode(bytes)
      qbson.decode(bytes)
      const mine = new RangeError('mine')
      Object.defineProperty(Object.prototype, 'evil', { configurable: true, get: () => undefined, set() { throw mine } })
      try {
        t.deepStrictEqual(Object.keys(codec.decode(bytes).x), ['evil'])
      } finally {
        delete Object.prototype.evil
      }
      t.done()
    },

    'bytes inside others': t => {
      const codec = make(object({ a: { bsonType: 'string' } }))
      const bytes = Buffer.concat([Buffer.from('xx'), codec.encode({ a: 'text' }), Buffer.from('yy')])
      t.deepStrictEqual(codec.decode(bytes, { index: 2, allowObjectSmallerThanBufferSize: true }), { a: 'text' })
      t.strictEqual(codec.validate(bytes, { index: 2, allowObjectSmallerThanBufferSize: true }), bytes.length - 4)
      const target = Buffer.alloc(30, 7)
      t.strictEqual(codec.encodeInto({ a: 'text' }, target, 3), 20)
      t.deepStrictEqual(codec.decode(target.subarray(3, 20)), { a: 'text' })
      t.ok(target.subarray(20).every(byte => byte === 7))
      t.strictEqual(messageOf(() => codec.encodeInto({ a: 'text' }, Buffer.alloc(10))), 'document of 17 bytes does not fit into 10 bytes at offset 0')
      t.strictEqual(messageOf(() => codec.encodeInto({ a: 5 }, target)), 'expected string, found the number 5 (in field a)')
      t.done()
    },

    'raw documents are checked and copied': t => {
      const codec = make(object({ a: object({ n: { bsonType: 'int' } }), l: { bsonType: 'array', items: { bsonType: 'int' } } }))
      const raw = new RawDocument(qbson.encode({ a: { n: 1 }, l: [1, 2] }))
      t.deepStrictEqual(codec.decode(codec.encode(raw)), { a: { n: 1 }, l: [1, 2] })
      t.deepStrictEqual(codec.decode(codec.encode({ a: raw.slice('a'), l: raw.slice('l') })), { a: { n: 1 }, l: [1, 2] })
      assert.match(messageOf(() => codec.encode({ l: new RawDocument(qbson.encode({ l: ['x'] })).slice('l') })), /^expected int, found string/)
      t.strictEqual(messageOf(() => codec.encode({ a: new RawDocument(qbson.encode({ n: 'x' })) })), 'expected int, found string (at offset 4 in field a.n)')
      const positional = make(object({ a: object({ n: { bsonType: 'int' } }) }), { layout: 'array' })
      t.strictEqual(messageOf(() => positional.encode(raw)), "raw documents cannot be written in the layout 'array'")
      t.done()
    },

    'roots that are no plain objects': t => {
      const codec = make(object({ b: { bsonType: 'int' }, a: { bsonType: 'int' } }))
      class Model { constructor() { this.a = 1; this.b = 2 } get c() { return 3 } }
      t.deepStrictEqual(Object.keys(codec.decode(codec.encode(new Map([['a', 1], ['b', 2]])))), ['a', 'b'])
      t.deepStrictEqual(Object.keys(codec.decode(codec.encode(new Model()))), ['a', 'b'])
      t.deepStrictEqual(codec.decode(codec.encode({ toBSON: () => ({ a: 5 }) })), { a: 5 })
      t.deepStrictEqual(codec.decode(codec.encode(Object.assign(Object.create({ b: 7 }), { a: 1 }))), { a: 1 })
      t.deepStrictEqual(codec.decode(codec.encode(null)), {})
      t.ok(/^encode does not support an array as the root input/.test(messageOf(() => codec.encode([]))))
      t.strictEqual(messageOf(() => codec.encode(new Map([[5, 1]]))), 'the keys of a Map must be strings to become field names, not number')
      t.done()
    },

    'trees, deep ones and circles': t => {
      const codec = make({ bsonType: 'object', required: ['n'], properties: { n: { bsonType: 'int' }, next: { $ref: '#' } } })
      let doc = { n: 0 }
      for (let n = 1; n < 900; n++) doc = { n, next: doc }
      const bytes = codec.encode(doc)
      let back = codec.decode(bytes, { check: true })
      for (let n = 899; n > 0; n--) back = back.next
      t.deepStrictEqual(back, { n: 0 })
      const circle = { n: 1, next: { n: 2 } }
      circle.next.next = circle
      t.strictEqual(messageOf(() => codec.encode(circle)), 'Cannot convert circular structure to BSON (in field next.next)')
      t.strictEqual(messageOf(() => make({ properties: { next: { $ref: '#' } } }, { maxDepth: 3 }).decode(bytes)).slice(0, 39), 'document is nested deeper than 3 levels')
      t.done()
    }
  }
}

module.exports = Object.fromEntries(Object.entries(WAYS).map(([name, make]) => [name, suite(make)]))
