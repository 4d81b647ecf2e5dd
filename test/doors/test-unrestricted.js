'use strict'

// Keywords of a schema that restrict nothing: a codec writes and reads every value as encode and decode do.

const q = require('../../qbson')
const { compile } = require('../../lib/compile')
const { VALUES, BSON_VALUES } = require('../fixtures/encode-cases')
const { values } = require('../fixtures/doors-rows')
const { describe } = require('../fixtures/describe')
const { some } = require('../fixtures/long')

/** Of what a field may hold. @type {Record<string, any>[]} */
const SCHEMAS = [
  {}, { title: 't', default: 5 }, { items: {} }, { items: { description: 'd' } }, { items: { items: {} } }, { items: [] }, { items: [{}, {}] },
  { items: [{}], additionalItems: {} }, { items: [{}], additionalItems: true }, { items: { properties: {} } }, { items: { anyOf: [{}] } },
  { items: { properties: { a: {}, b: { items: {} } } } }, { items: { items: { properties: { a: {} } } } },
  { items: { $ref: '#/definitions/any' } }, { minItems: 0 }, { uniqueItems: false }, { properties: {} }, { additionalProperties: true },
  { additionalProperties: {} }, { required: [] }, { minProperties: 0 }, { patternProperties: {} }, { dependencies: {} },
  { properties: { a: {} } }, { minLength: 0 }, { allOf: [{}, { items: {} }] }, { anyOf: [{}] }, { anyOf: [{}, { bsonType: 'int' }] },
  { oneOf: [{}] }, { properties: {}, additionalProperties: {}, items: {}, minItems: 0 }
]

const CASES = Object.entries({
  ...VALUES, ...BSON_VALUES, ...values,
  'functions and symbols in arrays': () => [1, Symbol('s'), [() => 1], { a: Symbol('s'), b: [undefined, Symbol('s')] }, 2],
  'arrays in documents': () => ({ a: [[1], [Symbol('s')]], b: { c: [() => 1] } })
})

const asText = work => {
  try {
    return work()
  } catch (error) {
    return error.bsonError ? error.message : `${error.name}: ${error.message}`
  }
}

module.exports = {
  'a value of a field that nothing restricts': t => {
    const differing = []
    let turn = 0
    for (const schema of SCHEMAS) {
      for (const layout of ['document', 'array']) {
        const codec = compile({ bsonType: 'object', properties: { v: schema, w: {} }, definitions: { any: {} } }, /** @type {any} */ ({ layout }))
        // with fields of its own, a document may have another form in the layout 'array', which bytes do not have
        const isWritten = name => layout === 'document' || !('a' in (schema.properties ?? {})) || !name.startsWith('a raw document')
        for (const [name, make] of some(CASES, turn++).filter(([name]) => isWritten(name))) {
          const doc = () => ({ v: make(q) })
          const expected = asText(() => describe(q.decode(q.encode(doc()))))
          const found = asText(() => describe(codec.decode(codec.encode(doc()))))
          if (found !== expected) differing.push(`${layout} ${JSON.stringify(schema)} ${name}\n  ${found.slice(0, 300)}\n  ${expected.slice(0, 300)}`)
        }
      }
    }
    t.deepStrictEqual(differing, [])
    t.ok(CASES.length > 150)
    t.done()
  }
}
