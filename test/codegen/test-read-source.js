'use strict'

// The code generated for a schema: it reads valid bytes, and bytes with any one changed, as decode does, and `check`
// rejects the same documents as a codec that interprets the schema.

const assert = require('node:assert')
const { compile } = require('../../lib/compile')
const { decode } = require('../../lib/decode/decode')
const { encode } = require('../../lib/encode/encode')
const { ObjectId, Decimal128 } = require('../../lib/types')
const { TYPES: ROWS } = require('../../lib/codegen/types')
const { compileInterpreted } = require('../fixtures/compilers')
const { TYPES, documentsOf, checkDecode } = require('../fixtures/each-type')
const { functionsOf } = require('../fixtures/codecs')
const { many } = require('../fixtures/long')
const { mutate } = require('../fixtures/mutate')
const { outcome, told } = require('../fixtures/outcome')
const { seededRandom } = require('../fixtures/random-document')
const { randomSchema, randomDocumentOf } = require('../fixtures/random-schema')

/** Schemas of a field of that type alone, or of that type and others. @type {Record<string, (name: string) => any>} */
const FORMS = {
  'as the schema says': name => ({ bsonType: name }),
  'or another type': name => ({ bsonType: [name, name === 'string' ? 'int' : 'string'] }),
  'or another type of the same length': name => ({ bsonType: [...new Set([name, 'double', 'date', 'long'])] }),
  'or anything': () => ({})
}

const LISTS = [[], ['x'], ['x', 'y', 'x'], [1, 2, 3], [1, 'x', 2], [1.5, 2.5], [null, 1], [{ b: 1 }, { b: 2 }, {}], [[1], []]]
const LIST_SCHEMAS = [
  { bsonType: 'string' }, { bsonType: 'int' }, { bsonType: ['int', 'string'] }, { bsonType: ['double', 'date', 'long'] }, {},
  { bsonType: ['null', 'int'] }, { bsonType: 'object', properties: { b: { bsonType: 'int' } } }, { bsonType: 'array', items: { bsonType: 'int' } }
]

/** Documents, and schemas to read and check them with. */
const CHECKED = [
  [{ properties: { a: { enum: ['x', 'yy', ''] } } }, [{ a: 'x' }, { a: 'yy' }, { a: '' }, { a: 'z' }, { a: 'xx' }, { a: 1 }]],
  [{ properties: { a: { bsonType: 'string', enum: ['x'], maxLength: 3 } } }, [{ a: 'x' }, { a: 'y' }]],
  [{ properties: { a: { bsonType: 'object', properties: {}, additionalProperties: false } } }, [{ a: {} }, { a: { b: 1 } }]],
  [{ required: ['a', 'b'], properties: { a: { bsonType: 'int', minimum: 2 }, b: { bsonType: 'bool' } } },
    [{ a: 2, b: true }, { a: 1, b: true }, { a: 2 }, { b: false, a: 3 }, { a: 2.5, b: true }, { a: 2, b: false, c: 1 }]]
]

/** Calls of the function that generated loops call for each item, in codecs that `run` makes. */
function countLoops(run) {
  const { Function } = globalThis
  let count = 0
  globalThis.Function = /** @type {any} */ (function (...args) {
    const made = Function(...args)
    const counting = itemAt => (...rest) => (count++, itemAt(...rest))
    return (...values) => made(...values.map((value, i) => args[i] === 'itemAt' ? counting(value) : value))
  })
  try {
    run()
    return count
  } finally {
    globalThis.Function = Function
  }
}

/** @param {Uint8Array} bytes */
function checkAlike(schema, bytes) {
  const [compiled, interpreted] = [compile, compileInterpreted].map(make => make(schema))
  for (const check of [false, true]) {
    const [own, expected] = [compiled, interpreted].map(codec => told(outcome(() => codec.decode(bytes, { check }))))
    assert.strictEqual(own, expected, `${JSON.stringify(schema)} ${Buffer.from(bytes).toString('hex')}`)
  }
}

module.exports = {
  ...Object.fromEntries(Object.entries(FORMS).map(([form, fieldOf]) => [`each type ${form}`, t => {
    for (const type of TYPES) {
      const field = fieldOf(ROWS.get(type).name)
      const schema = { properties: { a: field, b: {} } }
      for (const bytes of form === 'as the schema says' ? documentsOf(type) : documentsOf(type).slice(-1)) {
        let codec
        const made = functionsOf(() => { codec = compile(schema) })
        assert.ok(made > 0, 'nothing was compiled')
        assert.deepStrictEqual(codec.decode(bytes), decode(bytes))
        checkDecode(codec.decode, bytes)
      }
    }
    t.done()
  }])),

  'arrays': t => {
    for (const items of LIST_SCHEMAS) {
      const codec = compile({ properties: { a: { bsonType: 'array', items } } })
      for (const list of LISTS) checkDecode(codec.decode, encode({ a: list }))
    }
    t.done()
  },

  'up to six items of a type of fixed length are read without a loop': t => {
    const values = { int: 7, double: 1.5, objectId: new ObjectId(), date: new Date(0), decimal: Decimal128.fromString('1') }
    for (const [bsonType, value] of Object.entries(values)) {
      const loops = length => countLoops(() => {
        const codec = compile({ properties: { a: { bsonType: 'array', items: { bsonType } } } })
        const bytes = encode({ a: Array(length).fill(value) })
        assert.deepStrictEqual(codec.decode(bytes), decode(bytes))
      })
      assert.deepStrictEqual([0, 1, 2, 5, 6, 7, 11].map(loops), [0, 0, 0, 0, 0, 7, 11], bsonType)
    }
    t.done()
  },

  'what is checked': t => {
    for (const [schema, docs] of CHECKED) for (const doc of docs) checkAlike(schema, encode(doc))
    t.done()
  },

  'random schemas': t => {
    const random = seededRandom(1)
    for (let i = 0; i < many(8, 300); i++) {
      const schema = randomSchema(random)
      const { value } = outcome(() => encode(randomDocumentOf(random, schema, schema)))
      if (value === undefined) continue
      checkAlike(schema, value)
      checkAlike(schema, mutate(random, value))
    }
    t.done()
  }
}
