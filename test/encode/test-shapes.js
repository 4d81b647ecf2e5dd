'use strict'

// Documents arranged to contradict what has been learned, at every element: when encoding, a codec that learns must
// then do exactly what the generic one does, byte for byte, value for value, error for error.

const assert = require('node:assert')
const types = require('../../lib/types')
const { functionsOf, generic, learningCodec } = require('../fixtures/codecs')
const { LEARNING, checkDecode, checkEncode } = require('../fixtures/adversaries')
const { describe } = require('../fixtures/describe')
const { outcome } = require('../fixtures/outcome')
const { seededRandom, randomDocument, setOwn } = require('../fixtures/random-document')

const SEED = Number(process.env.QBSON_SEED) || 1

const id = new types.ObjectId('0123456789abcdef01234567')

/** Values of a key, in turn. */
const FIELD_VALUES = [
  1, -0, 1.5, NaN, 2 ** 31, 2 ** 53, 5n, 2n ** 63n, '', 'text', 'é', '\ud800', 'long text '.repeat(600), true, false, null, undefined, new Date(5),
  new Date(NaN), /a/i, [], [1, 'a', null], [undefined, , () => 1], new Array(3), {}, { a: 1 }, { b: { c: [] } }, Object.create(null), new Map([['m', 1]]), // eslint-disable-line no-sparse-arrays
  new Set([1]), () => 1, Symbol('s'), id, new types.Long(1, 2), new types.Int32(5), new types.Double(5), new types.Binary(Buffer.from('abc')),
  new types.Code('f', { a: 1 }), new types.DBRef('c', id), new types.MinKey(), types.Decimal128.fromString('1.5'), new types.Timestamp({ t: 1, i: 2 }),
  new types.BSONSymbol('s'), new types.BSONRegExp('a', 'x'), Buffer.from('abc'), new Uint8Array(3), new Float32Array(2), new String('boxed'),
  { toBSON: () => 5 }, { toBSON: () => ({ z: 1 }) }, { toBSON: () => undefined }, { toBSON: 5 }, Object.assign([1], { toBSON: () => 'list' }),
  Object.assign(new Date(5), { toBSON: () => 'date' }), Object.assign(() => 1, { toBSON: () => 'function' }),
  Object.assign(new types.ObjectId(id), { toBSON: () => 'id' }), { _bsontype: 'ObjectId', a: 1 }, { constructor: 5 }, { constructor: Object },
  Object.assign(new Map([['m', 1]]), { constructor: Object }), Object.assign(new Date(5), { constructor: Object }),
  Object.create({ _bsontype: 'ObjectID', toHexString: () => '0123456789abcdef01234567' }), Object.create({ inherited: 1 }), Object.create(Date.prototype),
  Object.create(types.ObjectId.prototype), new (class Person { constructor() { this.name = 'Ann' } })(), { get a() { throw new RangeError('own') } },
  Object.defineProperty({ a: 1 }, 'hidden', { value: 2 }), { $ref: 'c', $id: 1 }, { 'a\0': 1 }, { $a: 1 }, { 'a.b': 1 }, { 1: 1, 0: 0 }, JSON.parse('{"__proto__":1}')
]

const ENCODE_OPTIONS = [undefined, {}, { ignoreUndefined: false }, { checkKeys: true }, { serializeFunctions: true }, { maxDepth: 2 }]

function encodeSuite(canCompile) {
  return {
    'a key whose value is of every type in turn': t => {
      for (const usual of [1, 'text', 1.5, true, null, id, new Date(5), [1, 2], { a: 1 }]) {
        const codec = learningCodec(canCompile)
        const make = value => () => ({ before: 1, key: value, after: 'x' })
        const made = functionsOf(() => { for (let i = 0; i < LEARNING; i++) checkEncode(codec, make(usual)) })
        assert.strictEqual(made > 0, canCompile)
        for (const value of FIELD_VALUES) {
          checkEncode(codec, make(value))
          checkEncode(codec, make(usual))
          checkEncode(codec, () => ({ list: [usual, value, usual] }))
          checkEncode(codec, () => ({ list: [{ key: usual }, { key: value }] }))
        }
      }
      t.done()
    },

    'with every option': t => {
      const codec = learningCodec(canCompile)
      const make = () => ({ a: 1, b: { c: 'x', d: undefined, $e: 1 }, f: () => 1, g: [undefined, () => 1] })
      for (let i = 0; i < LEARNING; i++) for (const options of ENCODE_OPTIONS) checkEncode(codec, make, options)
      for (const value of FIELD_VALUES) for (const options of ENCODE_OPTIONS) checkEncode(codec, () => ({ a: 1, b: value }), options)
      t.done()
    },

    'keys that differ, swap, go missing, come in addition, are deleted': t => {
      const codec = learningCodec(canCompile)
      const base = { a: 1, b: 'x', c: 1.5, d: null, e: { f: 1 }, g: [1] }
      const names = Object.keys(base)
      for (let i = 0; i < LEARNING; i++) checkEncode(codec, () => ({ ...base }))
      const from = keys => () => keys.reduce((doc, key) => setOwn(doc, key, base[key] ?? 1), {})
      for (let i = 0; i < names.length; i++) {
        for (let n = 0; n < 10; n++) {
          checkEncode(codec, from(names.filter((_, k) => k !== i)))
          checkEncode(codec, from(names.map((key, k) => (k === i ? key + key : key))))
          checkEncode(codec, from([...names.slice(0, i), 'new', ...names.slice(i)]))
          checkEncode(codec, from([...names.slice(i), ...names.slice(0, i)]))
          checkEncode(codec, from([...names.slice(0, i), '0', '__proto__', ...names.slice(i)]))
          checkEncode(codec, () => {
            const doc = { ...base }
            delete doc[names[i]]
            return doc
          })
          checkEncode(codec, () => {
            const doc = { ...base }
            delete doc[names[i]]
            doc[names[i]] = 'again'
            return doc
          })
          checkEncode(codec, () => ({ ...base }))
        }
      }
      t.done()
    },

    'getters and toBSON that change the document on the way': t => {
      const codec = learningCodec(canCompile)
      for (let i = 0; i < LEARNING; i++) checkEncode(codec, () => ({ a: 1, b: 2, c: 3, d: 'x' }))
      const changes = [
        doc => delete doc.c,
        doc => delete doc.d,
        doc => (doc.c = 'other'),
        doc => (doc.e = 1),
        doc => (doc.c = undefined),
        doc => Object.defineProperty(doc, 'c', { enumerable: false }),
        doc => codec.encode(doc.nested ?? { other: doc.a })
      ]
      for (const change of changes) {
        for (let i = 0; i < 5; i++) {
          checkEncode(codec, () => ({ a: 1, get b() { change(this); return 2 }, c: 3, d: 'x' }))
          checkEncode(codec, () => ({ a: 1, get b() { change(this); return 2 }, c: 3, d: 'x' }), { ignoreUndefined: false })
          checkEncode(codec, () => {
            const doc = { a: 1, b: { toBSON: () => (change(doc), 2) }, c: 3, d: 'x' }
            return doc
          })
        }
      }
      t.done()
    },

    'each getter and toBSON is asked as often as by the generic encoder': t => {
      const codec = learningCodec(canCompile)
      const counts = { generic: 0, learning: 0 }
      const make = name => ({
        a: 1,
        get b() { counts[name]++; return 'x' },
        c: { toBSON() { counts[name]++; return counts[name] % 2 ? 5 : { d: 1 } } },
        list: [{ get e() { counts[name]++; return counts[name] % 3 ? 1 : 'text' } }]
      })
      for (let i = 0; i < LEARNING; i++) {
        assert.ok(codec.encode(make('learning')).equals(generic.encode(make('generic'))))
        assert.deepStrictEqual(counts.learning, counts.generic)
      }
      t.done()
    },

    'documents that end where memory ends': t => {
      const codec = learningCodec(canCompile)
      for (let n = 0; n < 600; n++) {
        const make = () => ({ a: 'x'.repeat(n), b: n, c: ['é'.repeat(n % 50), 1.5], d: { e: 'y'.repeat(n * 7), f: null } })
        const bytes = codec.encode(make())
        assert.ok(bytes.equals(generic.encode(make())))
        assert.strictEqual(codec.encodeInto(make(), new Uint8Array(bytes.length)), bytes.length)
        for (const short of [1, 2, 9, Math.ceil(bytes.length / 2)]) {
          const target = Buffer.alloc(bytes.length + 10, 0xee)
          const { error } = outcome(() => codec.encodeInto(make(), target.subarray(0, bytes.length - short)))
          assert.strictEqual(error?.name, 'BSONError')
          assert.ok(target.subarray(bytes.length - short).every(byte => byte === 0xee))
        }
      }
      t.done()
    },

    'random documents of few shapes': t => {
      const codec = learningCodec(canCompile)
      for (let seed = SEED; seed < SEED + 60; seed++) {
        const make = () => randomDocument(seededRandom(seed), types, 2)
        for (let i = 0; i < 6; i++) checkEncode(codec, make)
        checkDecode(codec, generic.encode(make()))
      }
      t.done()
    },

    'deep documents of one shape, and cycles': t => {
      const codec = learningCodec(canCompile)
      for (const levels of [1, 50, 98, 99, 100, 101, 102, 300]) {
        const make = () => {
          let doc = { end: 1 }
          for (let i = 0; i < levels; i++) doc = i % 3 === 2 ? { list: [doc] } : { doc, i }
          return doc
        }
        for (let i = 0; i < 10; i++) checkEncode(codec, make)
        for (let i = 0; i < 10; i++) checkDecode(codec, generic.encode(make()))
        checkEncode(codec, () => {
          const doc = make()
          doc.again = { doc }
          return doc
        })
      }
      t.done()
    },

    'what was encoded does not change when more is': t => {
      const codec = learningCodec(canCompile)
      const results = Array.from({ length: 3000 }, (_, i) => ({ i, bytes: codec.encode({ i, text: `text ${i}`, list: [i, i + 0.5] }) }))
      for (const { i, bytes } of results) assert.strictEqual(describe(codec.decode(bytes)), describe({ i, text: `text ${i}`, list: [i, i + 0.5] }))
      t.done()
    }
  }
}

module.exports = { compiled: encodeSuite(true), interpreted: encodeSuite(false) }
