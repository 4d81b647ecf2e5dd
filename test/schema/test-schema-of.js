'use strict'

// The schema derived from documents: its fields, their types and bounds.

const { runInNewContext } = require('node:vm')
const qbson = require('../../qbson')
const types = require('../../lib/types')
const { compile, schemaOf } = require('../../lib/compile')
const { many } = require('../fixtures/long')
const { shownKind } = require('../../lib/errors')
const { outcome } = require('../fixtures/outcome')
const { seededRandom, randomDocument } = require('../fixtures/random-document')

const { Decimal128, Long, ObjectId, encode } = qbson

module.exports = {
  'what is no iterable of documents is refused': t => {
    for (const wrong of [null, undefined, 5, 'x', {}, encode({ a: 1 }), new DataView(new ArrayBuffer(5)), () => {}]) {
      t.deepStrictEqual(outcome(() => schemaOf(wrong)).error?.message, `schemaOf needs an iterable of documents, each an object or bytes, not ${shownKind(wrong)}`)
    }
    t.done()
  },

  'types, texts, dates and lists are described, with their bounds': t => {
    const day = i => new Date(Date.UTC(2026, 0, 1 + i))
    const documents = Array.from({ length: 40 }, (_, i) => ({
      n: i % 2 ? i : i + 0.5, state: ['new', 'paid'][i % 2], when: day(i % 7), list: i % 3 ? [i, null] : [], in: { id: new ObjectId() }
    }))
    const schema = schemaOf(documents)
    t.deepStrictEqual(schema.required, ['n', 'state', 'when', 'list', 'in'])
    const { n, state, when, list, in: inner } = schema.properties
    t.deepStrictEqual(n.bsonType, ['double', 'int'])
    t.deepStrictEqual([n.minimum, n.maximum], [0.5, 39])
    t.strictEqual(state.bsonType, 'string')
    t.ok(/new/.test(JSON.stringify(state)) && /paid/.test(JSON.stringify(state)), JSON.stringify(state))
    t.strictEqual(when.bsonType, 'date')
    for (const edge of [day(0), day(6)]) t.ok(when.description.includes(edge.toISOString().slice(0, 10)), when.description)
    const { seen } = schemaOf(documents.map((_, i) => ({ seen: { [`key${i}`]: day(50 - i), [`other${i}`]: day(60 + i) } }))).properties
    for (const edge of [day(11), day(99)]) {
      const { description } = seen.additionalProperties
      t.ok(description.includes(edge.toISOString().slice(0, 10)), description)
    }
    t.deepStrictEqual(list.items.bsonType, ['int', 'null'])
    t.deepStrictEqual([inner.bsonType, inner.properties.id.bsonType, inner.required], ['object', 'objectId', ['id']])
    t.done()
  },

  'every document follows it, and the schema of half of them allows no bounds beyond': t => {
    const random = seededRandom(3)
    for (let round = 0; round < many(5, 400); round++) {
      const documents = Array.from({ length: 12 }, () => randomDocument(random, types))
      const codec = compile(schemaOf(documents))
      for (const document of documents) {
        const bytes = encode(document)
        t.strictEqual(codec.validate(bytes), bytes.length)
      }
    }
    const bounded = compile(schemaOf([{ n: 1 }, { n: 5 }]))
    for (const [n, follows] of [[1, true], [5, true], [3, true], [0, false], [6, false], [2.5, false], ['x', false]]) {
      t.strictEqual(outcome(() => bounded.validate(encode({ n }))).error === undefined, follows, String(n))
    }
    t.done()
  },

  'fields that no two documents have are not required': t => {
    const documents = [{ a: 1 }, { b: 2 }, { n: { c: 1 } }, { n: { d: [] } }]
    const { properties, required } = schemaOf(documents, { descriptions: false, bounds: false })
    const int = { bsonType: 'int' }
    t.deepStrictEqual(properties, { a: int, b: int, n: { bsonType: 'object', properties: { c: int, d: { bsonType: 'array' } } } })
    t.strictEqual(required, undefined)
    t.done()
  },

  'numbers that JavaScript does not hold exactly are no bounds': t => {
    const boundsOf = (...values) => schemaOf(values.map(n => ({ n })), { descriptions: false }).properties.n
    t.deepStrictEqual(boundsOf(Long.fromString('9007199254740992'), 5n), { bsonType: 'long', minimum: 5, maximum: 2 ** 53 })
    t.deepStrictEqual(boundsOf(Long.fromString('9007199254740993'), 5n), { bsonType: 'long' })
    t.deepStrictEqual(boundsOf(Decimal128.fromString('0.50'), Decimal128.fromString('12')), { bsonType: 'decimal', minimum: 0.5, maximum: 12 })
    for (const text of ['0.10', '99999999999999.9', 'Infinity']) { // which MongoDB finds outside of 0.1 to 0.1, and so on
      for (const values of [[text, '-0.25', '1E+15'], ['-0.25', '1E+15', text]]) {
        t.deepStrictEqual(boundsOf(...values.map(value => Decimal128.fromString(value))), { bsonType: 'decimal' }, text)
      }
    }
    t.deepStrictEqual(boundsOf(Decimal128.fromString('0.1000000000000000000001')), { bsonType: 'decimal' })
    t.done()
  },

  'the lengths of texts are those of their characters': t => {
    const boundsOf = (...values) => schemaOf(values.map(n => ({ n })), { descriptions: false }).properties.n
    t.deepStrictEqual(boundsOf(''), { bsonType: 'string', minLength: 0, maxLength: 0 })
    t.deepStrictEqual(boundsOf('abc', '\u{1f600}\u{1f600}', 'abcdefgh', 'x\u00e9'), { bsonType: 'string', minLength: 2, maxLength: 8 })
    t.done()
  },

  'lists that all have one length have it as both bounds': t => {
    const { minItems, maxItems } = schemaOf([{ a: [1, 2] }, { a: [3, 4] }]).properties.a
    t.deepStrictEqual([minItems, maxItems], [2, 2])
    t.done()
  },

  'documents in memory of any kind': t => {
    const shared = new SharedArrayBuffer(12)
    const foreign = runInNewContext('new ArrayBuffer(12)')
    for (const memory of [shared, foreign]) new Uint8Array(memory).set(encode({ a: 1 }))
    for (const memory of [shared, foreign]) t.deepStrictEqual(schemaOf([memory]), schemaOf([encode({ a: 1 })]))
    t.done()
  },

  'a name that a document has twice counts once': t => {
    const twice = Buffer.from('13000000' + '10610001000000' + '10610002000000' + '00', 'hex')
    const { properties, required } = schemaOf([twice, encode({})])
    t.strictEqual(properties.a.description, 'in 1 of 2')
    t.strictEqual(required, undefined)
    t.done()
  },

  'many fields are a map when the mean one is in less than a quarter of the documents, and all have one type': t => {
    const isMap = (often, ...values) => {
      const documents = Array.from({ length: 10 }, () => ({}))
      for (let i = 0; i < 12; i++) for (let k = 0; k < often; k++) documents[(i + k) % 10][`name${i}`] = values[i % values.length]
      return 'additionalProperties' in schemaOf(documents)
    }
    t.deepStrictEqual([isMap(3, 1), isMap(2, 1)], [false, true])
    t.deepStrictEqual([isMap(2, 1, null), isMap(2, 1, 2.5), isMap(2, 1, 'x'), isMap(2, null)], [true, true, false, true])
    t.done()
  },

  'beyond 20,000 fields, none are described that come later': t => {
    const fields = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`f${i}`, i % 2 ? i : 'text']))
    const laterOf = count => {
      const first = Object.fromEntries(Array.from({ length: count }, (_, i) => [`d${i}`, fields]))
      return schemaOf([first, { ...first, later: 1 }]).properties.later
    }
    t.ok(laterOf(40) !== undefined && laterOf(60) === undefined)
    t.done()
  },

  'maps of maps are described': t => {
    const inner = i => Object.fromEntries(Array.from({ length: i % 2 ? 600 : 3 }, (_, k) => [`k${i}-${k}`, k]))
    const documents = Array.from({ length: 40 }, (_, i) => ({ map: { [`u${i}`]: { seen: inner(i) }, [`w${i}`]: { seen: inner(i + 1) } } }))
    const { map } = schemaOf(documents, { descriptions: false, bounds: false }).properties
    t.deepStrictEqual(map.additionalProperties.properties.seen, { bsonType: 'object', additionalProperties: { bsonType: 'int' } })
    t.done()
  },

  'the schema of what there is can be compiled': t => {
    const documents = Array.from({ length: 20 }, (_, i) => ({ _id: i, name: `n${i}`, maybe: i % 2 ? null : i / 4, seen: { [`key${i}`]: i }, ids: { [i]: 'x', [i + 50]: 'y' } }))
    const schema = schemaOf(documents)
    t.deepStrictEqual(schema.required, ['_id', 'name', 'maybe', 'seen', 'ids'])
    t.deepStrictEqual(schema.properties.seen.additionalProperties, { bsonType: 'int', description: '20 values', minimum: 0, maximum: 19 })
    t.strictEqual(schema.properties.ids.additionalProperties.bsonType, 'string')
    for (const document of documents) t.deepStrictEqual(compile(schema).decode(compile(schema).encode(document), { check: true }), document)
    t.done()
  }
}
