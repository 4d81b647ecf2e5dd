'use strict'

// The work of checking grows with the document and the schema, not with their product or by the level.

const qbson = require('../../qbson')
const { compile } = require('../../lib/compile')
const { assertCheap } = require('../fixtures/cost')
const { errorOf } = require('../fixtures/error-of')

const at = node => ({ properties: { a: node } })

function nested(levels, inner) {
  for (let i = 0; i < levels; i++) inner = { next: inner }
  return inner
}

module.exports = {
  'what a schema may ask of each part of a tree is asked once': function (t) {
    const part = { properties: { next: { $ref: '#' }, v: { bsonType: 'int' } } }
    const schema = { properties: { next: { $ref: '#' } }, anyOf: [part, { ...part, required: ['v'] }], allOf: [part, part], not: { required: ['w'] } }
    const codec = compile(schema)
    const right = qbson.encode(nested(60, { v: 1 }))
    t.strictEqual(codec.validate(right), right.length)
    const found = codec.validate(qbson.encode(nested(60, { v: 'x' })), { all: true })
    t.ok(found.length > 60 && found.length < 1000, `${found.length}`)
    t.done()
  },

  'alternatives of alternatives do not multiply the work, whatever they are about': function (t) {
    for (const [keyword, value, wrong] of [['allOf', 'text', ''], ['anyOf', 'text', ''], ['anyOf', 7, 0], ['oneOf', '', 'text']]) {
      const definitions = { d0: { bsonType: ['string', 'int'], minLength: 1, minimum: 1 } }
      for (let i = 1; i <= 40; i++) definitions[`d${i}`] = { [keyword]: [1, 2].map(() => ({ $ref: `#/definitions/d${i - 1}` })) }
      if (keyword === 'oneOf') definitions.d40 = { not: definitions.d40 }
      assertCheap(500, () => {
        const codec = compile({ definitions, properties: { a: { $ref: '#/definitions/d40' } } })
        t.deepStrictEqual(codec.decode(codec.encode({ a: value }), { check: true }), { a: value })
        t.ok(keyword === 'oneOf' || errorOf(() => codec.encode({ a: wrong })) !== undefined)
      }, keyword)
    }
    t.done()
  },

  'results about values that cannot be asked for again are not kept': function (t) {
    const codec = compile(at({ items: { anyOf: [{ bsonType: 'int', maximum: -1 }, { bsonType: 'int', minimum: 0 }] } }))
    const bytes = qbson.encode({ a: Array.from({ length: 300_000 }, (_, i) => i) })
    const sets = Map.prototype.set
    let kept = 0
    Map.prototype.set = function (...entry) {
      kept++
      return sets.apply(this, entry)
    }
    try {
      t.strictEqual(codec.validate(bytes), bytes.length)
    } finally {
      Map.prototype.set = sets
    }
    t.ok(kept < 100, `${kept}`)
    t.done()
  },

  'allOf of many parts': function (t) {
    const parts = Array.from({ length: 4000 }, (_, i) => ({ minimum: -i }))
    assertCheap(1500, () => t.ok(compile(at({ bsonType: 'int', allOf: parts })).encode({ a: 1 }).length > 0))
    t.done()
  },

  'patterns that match one name do not multiply the work': function (t) {
    const codec = compile({ patternProperties: { '^n': { $ref: '#' }, 't$': { $ref: '#' }, v: { bsonType: 'int' } } })
    const document = nested(100, { v: 1 })
    assertCheap(500, () => t.strictEqual(codec.validate(codec.encode(document)), codec.sizeOf(document)), 'patterns')
    t.ok(/expected int/.test(errorOf(() => codec.encode(nested(20, { v: 'x' }))).message))
    t.done()
  }
}
