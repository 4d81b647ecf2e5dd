'use strict'

// Every type of value at every place: as a field, as an item among others of its kind, in a nested document, and where
// a function has been compiled for the shape. A valid one must have its value there, and an invalid one must be an
// error.

const assert = require('node:assert')
const { generic, learningCodec, functionsOf } = require('../fixtures/codecs')
const { unhex, frame, int32, string } = require('../fixtures/bytes')
const { describe } = require('../fixtures/describe')
const { outcome } = require('../fixtures/outcome')
const { Binary, Code, Decimal128, Long, ObjectId, Timestamp } = require('../../lib/types')

const OID = '0123456789abcdef01234567'

/** By name: element type and bytes, and the value they decode to. */
const VALUES = {
  double: ['01', ['000000000000f83f', 1.5], ['0000000000000080', -0], ['0000000000000000', 0], ['000000000000f07f', Infinity]],
  string: ['02', [string('x'), 'x'], [string(''), ''], [string('é'), 'é'], ['0200000000 00', '\0']],
  document: ['03', [frame(), {}], [frame('10780001000000'), { x: 1 }]],
  array: ['04', [frame(), []], [frame('10300005000000'), [5]], [frame('0a3000'), [null]]],
  binary: ['05', ['0100000000 ff', new Binary(Buffer.of(255))]],
  objectId: ['07', [OID, new ObjectId(OID)]],
  boolean: ['08', ['00', false], ['01', true]],
  date: ['09', ['0100000000000000', new Date(1)], ['ffffffffffffffff', new Date(-1)], ['0000008000000000', new Date(2 ** 31)]],
  null: ['0a', ['', null]],
  code: ['0d', [string('f'), new Code('f')]],
  int32: ['10', ['05000000', 5], ['ffffffff', -1], ['00000080', -(2 ** 31)]],
  timestamp: ['11', ['0100000002000000', new Timestamp({ t: 2, i: 1 })]],
  int64: ['12', ['0500000000000000', 5], ['ffffffffffffffff', -1], ['0000000000002000', 2 ** 53], ['0000000000 00e0ff', -(2 ** 53)],
    ['0100000000002000', Long.fromString('9007199254740993')], ['ffffffffffffdfff', Long.fromString('-9007199254740993')]],
  decimal: ['13', ['01000000000000000000000000004030', Decimal128.fromString('1')]]
}

/** By the same names: bytes that are invalid. */
const FAULTS = {
  double: ['00000000000000'],
  string: ['020000007801', '0000000000', 'ffffffff00', '0300000078 00', '02000000'],
  document: ['0500000001', '04000000', '0600000000', '0c0000001078000100000001'],
  array: ['0500000001', '04000000', '0600000000', '0c0000001030000100000001'],
  binary: ['0200000000 ff', 'ffffffff00'],
  objectId: [OID.slice(2)],
  boolean: ['02', 'ff'],
  date: ['00000000000000'],
  code: ['020000007801', '0000000000'],
  int32: ['000000'],
  timestamp: ['00000000000000'],
  int64: ['00000000000000'],
  decimal: ['000000000000000000000000000000']
}

const times = (count, item) => Array.from({ length: count }, (_, i) => item(i)).join('')
const nameOf = index => Buffer.from(`${index}\0`).toString('hex')

/** By name: a document with a value at a place, and the result expected for it. `good` is a valid value. */
const PLACES = {
  'the only field': [(type, value) => frame(`${type}6100${value}`), value => ({ a: value })],
  'behind another field': [(type, value) => frame(`08620001 ${type}6100${value}`), value => ({ b: true, a: value })],
  'before another field': [(type, value) => frame(`${type}6100${value} 08620001`), value => ({ a: value, b: true })],
  'in a document': [(type, value) => frame(`03 6400 ${frame(`${type}6100${value}`)}`), value => ({ d: { a: value } })],
  'the only item': [(type, value) => frame(`04 6c00 ${frame(`${type}3000${value}`)}`), value => ({ l: [value] })],
  'the last of many items': [
    (type, value, good) => frame(`04 6c00 ${frame(`${times(29, i => type + nameOf(i) + good)}${type}${nameOf(29)}${value}`)}`),
    (value, good) => ({ l: [...Array(29).fill(good), value] })
  ],
  'before an item of another type': [
    (type, value, good) => frame(`04 6c00 ${frame(`${type}3000${good} ${type}3100${value} 0a3200`)}`),
    (value, good) => ({ l: [good, value, null] })
  ]
}

const cases = Object.entries(VALUES).flatMap(([name, [type, ...rows]]) => {
  return Object.entries(PLACES).map(([place, [bytesOf, valueOf]]) => ({ name, type, rows, place, bytesOf, valueOf }))
})

/** The number of documents after which learningCodec() compiles a shape, and as many again. */
const OFTEN = 40

/** A codec that has compiled functions for values at a place. */
function trained({ type, rows: [[good]], bytesOf }) {
  const codec = learningCodec(true)
  const bytes = unhex(bytesOf(type, good, good))
  const made = functionsOf(() => { for (let i = 0; i < OFTEN; i++) codec.decode(bytes) })
  return { codec, made }
}

module.exports = {
  'right values have their value': t => {
    for (const { name, type, rows, place, bytesOf, valueOf } of cases) {
      const [good, value] = rows[0]
      for (const [hex, expected] of rows) {
        const doc = generic.decode(unhex(bytesOf(type, hex, good)))
        assert.strictEqual(describe(doc), describe(valueOf(expected, value)), `${name} ${hex} ${place}`)
      }
    }
    t.done()
  },

  'wrong values are errors that say where': t => {
    for (const { name, type, rows, place, bytesOf } of cases) {
      for (const hex of FAULTS[name] ?? []) {
        const bytes = unhex(bytesOf(type, hex, rows[0][0]))
        const { error } = outcome(() => generic.decode(bytes))
        assert.ok(error?.name === 'BSONError' && error.offset <= bytes.length, `${name} ${hex} ${place}: ${error}`)
        assert.strictEqual(error.message, outcome(() => generic.validate(bytes)).error?.message, `${name} ${hex} ${place}`)
      }
    }
    t.done()
  },

  'the same where functions have been compiled': t => {
    let compiled = 0
    for (const one of cases) {
      const { name, type, rows, place, bytesOf, valueOf } = one
      const [good, value] = rows[0]
      const { codec, made } = trained(one)
      compiled += made
      for (const [hex, expected] of rows) {
        const doc = codec.decode(unhex(bytesOf(type, hex, good)))
        assert.strictEqual(describe(doc), describe(valueOf(expected, value)), `${name} ${hex} ${place}`)
      }
      for (const hex of FAULTS[name] ?? []) {
        const bytes = unhex(bytesOf(type, hex, good))
        const [actual, expected] = [codec, generic].map(({ decode }) => outcome(() => decode(bytes)).error?.message)
        assert.ok(expected !== undefined && actual === expected, `${name} ${hex} ${place}: ${actual}, not ${expected}`)
      }
    }
    t.ok(compiled >= cases.length, `${compiled} functions for ${cases.length} cases`)
    t.done()
  },

  'shapes that begin alike are told apart when both have been compiled': t => {
    const codec = learningCodec(true)
    const documents = [['a', 'b'], ['a', 'c'], ['a', 'c', 'd'], ['b', 'c'], ['a']].map(names => Object.fromEntries(names.map((name, i) => [name, i])))
    const encoded = documents.map(doc => generic.encode(doc))
    for (const bytes of encoded) for (let i = 0; i < OFTEN; i++) codec.decode(bytes)
    for (let i = 0; i < 100; i++) {
      const n = (i * i + (i >> 3)) % documents.length
      assert.strictEqual(describe(codec.decode(encoded[n])), describe(documents[n]), `turn ${i}`)
    }
    t.done()
  },

  'fieldsAsRaw names arrays, and not what every object inherits': t => {
    const bytes = generic.encode({ list: [{ a: 1 }], toString: [{ a: 1 }], constructor: [{ a: 1 }] })
    const { list, toString, constructor } = generic.decode(bytes, { fieldsAsRaw: { list: true } })
    assert.ok(list[0] instanceof Uint8Array)
    assert.deepStrictEqual([toString, constructor], [[{ a: 1 }], [{ a: 1 }]])
    t.done()
  },

  'what follows the last field of a compiled shape is read': t => {
    const codec = learningCodec(true)
    for (let i = 0; i < OFTEN; i++) codec.decode(unhex(frame(`106100${int32(i)}`)))
    assert.deepStrictEqual(codec.decode(unhex(frame(`106100${int32(1)} 106200${int32(2)}`))), { a: 1, b: 2 })
    assert.deepStrictEqual(codec.decode(unhex(frame(`106200${int32(2)}`))), { b: 2 })
    assert.deepStrictEqual(codec.decode(unhex(frame())), {})
    assert.deepStrictEqual(codec.decode(unhex(frame(`106100${int32(1)} 106100${int32(2)}`))), { a: 2 })
    t.done()
  }
}
