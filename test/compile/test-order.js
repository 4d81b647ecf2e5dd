'use strict'

// The named layout keeps the order of the object, as `encode` does: where a schema converts nothing, a codec writes the
// same bytes.

const { encode, decode, ObjectId, Long } = require('../../qbson')
const { compile } = require('../../lib/compile')
const { compileInterpreted, compileAhead } = require('../fixtures/compilers')

const item = { bsonType: 'object', properties: { sku: { bsonType: 'string' }, n: { bsonType: 'int' } } }
const schema = {
  bsonType: 'object',
  required: ['total'],
  properties: {
    _id: { bsonType: 'objectId' },
    total: { bsonType: ['double', 'int'] },
    name: { bsonType: ['string', 'null'] },
    items: { bsonType: 'array', items: item },
    at: { bsonType: 'date' },
    inner: { bsonType: 'object', required: ['b'], properties: { a: { bsonType: 'int' }, b: { bsonType: 'bool' } } }
  }
}

const whole = () => ({
  _id: new ObjectId('0123456789abcdef01234567'), total: 12.5, name: 'Ann', items: [{ sku: 'A', n: 1 }, { n: 2, sku: 'B' }],
  at: new Date(5), inner: { a: 1, b: true }
})

class Model {
  constructor(entries) { Object.assign(this, Object.fromEntries(entries)) }
}

/** How a document of these entries is made. */
const MADE = {
  'object': entries => Object.fromEntries(entries),
  'spread': entries => ({ ...Object.fromEntries(entries.slice(0, 2)), ...Object.fromEntries(entries.slice(2)) }),
  'decoded': entries => decode(encode(new Map(entries))),
  'map': entries => new Map(entries),
  'class': entries => new Model(entries),
  'with toBSON': entries => ({ toBSON: () => Object.fromEntries(entries) })
}

function* permutations(list) {
  if (list.length < 2) yield list
  for (const [i, one] of list.entries()) {
    for (const rest of permutations(list.toSpliced(i, 1))) yield [one, ...rest]
  }
}

/** Documents that deviate from the schema in ways that it allows. */
function* deviations() {
  const entries = Object.entries(whole())
  yield* permutations(entries)
  for (let at = 0; at <= entries.length; at++) {
    yield entries.toSpliced(at, 0, ['more', Long.fromInt(7)])
    yield entries.toSpliced(at, 0, ['more', { x: [1, 'y'] }], ['and more', undefined], ['1', /x/i])
    if (at < entries.length && entries[at][0] !== 'total') yield entries.toSpliced(at, 1)
  }
  yield entries.map(([key, value]) => [key, key === 'name' ? null : value])
  yield entries.map(([key, value]) => [key, key === 'total' ? 3 : value])
  yield entries.map(([key, value]) => [key, key === 'inner' ? { z: 1, b: false, y: 2, a: 3 } : value])
  yield entries.map(([key, value]) => [key, key === 'items' ? [{ q: 1 }, {}, { n: 1, more: null, sku: '' }] : value])
  yield entries.map(([key, value]) => [key, key === 'total' ? value : undefined])
}

module.exports = {
  'a codec writes what encode writes, in whatever order and with whatever else': function (t) {
    const codecs = [compile(schema), compileInterpreted(schema), compileAhead(schema)]
    let documents = 0
    for (const entries of deviations()) {
      for (const [how, make] of Object.entries(MADE)) {
        const expected = encode(make(entries)).toString('hex')
        for (const codec of codecs) {
          const bytes = codec.encode(make(entries))
          if (bytes.toString('hex') !== expected) t.strictEqual(bytes.toString('hex'), expected, `${how}: ${entries.map(([key]) => key)}`)
        }
        documents++
      }
    }
    t.ok(documents > 4000, `${documents} documents`)
    t.deepStrictEqual(Object.keys(codecs[0].decode(codecs[0].encode({ inner: { b: true }, total: 1 }))), ['inner', 'total'])
    t.done()
  },

  'a required field that is missing is named, in whatever order the others are': function (t) {
    for (const codec of [compile(schema), compileInterpreted(schema)]) {
      for (const [doc, path] of [[{ name: 'x', _id: undefined }, 'total'], [{ total: 1, inner: { a: 1 } }, 'inner.b']]) {
        t.throws(() => codec.encode(doc), error => error.path === path && /the field is missing/.test(error.message))
      }
    }
    t.done()
  },

  'the layout without names reads each property once, in whatever order they are': function (t) {
    for (const make of [compile, compileInterpreted]) {
      const codec = make(schema, { layout: 'array' })
      const bytes = codec.encode(whole()).toString('hex')
      for (const entries of permutations(Object.entries(whole()))) {
        t.strictEqual(codec.encode(Object.fromEntries(entries)).toString('hex'), bytes)
      }
      let reads = 0
      const doc = { name: 'x', get total() { return ++reads } }
      t.deepStrictEqual(codec.decode(codec.encode(doc)), { total: 1, name: 'x' })
      t.strictEqual(reads, 1)
      const circle = /** @type {any} */ ({ name: 'x', total: 1, more: {} })
      circle.more.back = circle
      t.throws(() => codec.encode(circle), /Cannot convert circular structure to BSON \(in field more\.back\)/)
    }
    t.done()
  }
}
