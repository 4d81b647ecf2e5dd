'use strict'

// Codecs of a random schema: compiled, interpreted, and ahead of time. They must agree on bytes that match the schema
// and on mutated ones, and must agree with decode on what they accept.

const assert = require('node:assert')
const { compile } = require('../../lib/compile')
const { decode, encode } = require('../../qbson')
const { compileAhead, compileInterpreted } = require('../../test/fixtures/compilers')
const { randomDocumentOf, randomSchema } = require('../../test/fixtures/random-schema')
const { attempt, checkSameOutcome } = require('../oracle')
const { changed, pick, below } = require('../inputs')
const { smallerBytes, smallerIn, smallerObject } = require('../shrink')

const OPTIONS = [undefined, { useBigInt64: true }, { promoteValues: false }, { promoteLongs: false }, { bsonRegExp: true },
  { promoteBuffers: true }, { validation: { utf8: false } }, { maxDepth: 3 }, { checkKeys: true }, { ignoreUndefined: false },
  { serializeFunctions: true, maxDepth: 5 }]

/** Rules that may occur anywhere in a schema, with any type. */
const RULES = [{ uniqueItems: true }, { not: { bsonType: 'null' } }, { not: { minimum: 100 } }, { multipleOf: 3 },
  { anyOf: [{ minimum: 1 }, { maxLength: 3 }, { minItems: 1 }] }, { oneOf: [{ minimum: 1 }, { maxProperties: 2 }] },
  { allOf: [{ properties: { a: { not: { bsonType: 'string' } } } }, { maxProperties: 4 }] },
  { patternProperties: { '^[a-m]': { bsonType: ['int', 'string', 'object', 'long'] } } }, { dependencies: { a: ['id'], name: { maxProperties: 3 } } }]

/** Adds rules here and there, in place. */
function addRules(random, schema) {
  for (const inner of Object.values(schema)) {
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) addRules(random, inner)
  }
  const isPlace = typeof (schema.bsonType ?? schema.items) === 'string' || Array.isArray(schema.bsonType)
  if (isPlace && below(random, 6) === 0) {
    for (const [keyword, value] of Object.entries(pick(random, RULES))) schema[keyword] ??= value
  }
  return schema
}
const DOCUMENTS = 4

/** Mutants of a document: making the codecs of a schema takes as long as checking 150 inputs with them. */
const MUTANTS = 100

/** @param {() => number} random */
function* inputs(random) {
  const schema = addRules(random, randomSchema(random))
  const options = pick(random, OPTIONS)
  for (let i = 0; i < DOCUMENTS; i++) {
    const { value: bytes } = attempt(() => encode(randomDocumentOf(random, schema, schema)))
    if (bytes === undefined) continue
    for (let k = 0; k < MUTANTS; k++) {
      yield { schema, options, bytes: k === 0 ? bytes : changed(random, bytes, bytes), check: below(random, 2) === 0 }
    }
  }
}

/** The codecs of the last schema; making them takes longer than everything else. */
let made = { schema: undefined, options: undefined, codecs: [] }

function codecsOf(schema, options) {
  if (made.schema === schema && made.options === options) return made.codecs
  const codecs = [compile, compileInterpreted, compileAhead].map(make => make(schema, options ?? {}))
  made = { schema, options, codecs }
  return codecs
}

/** @returns {string} */
function check({ schema, options, bytes, check: checks }) {
  const copy = Buffer.from(bytes)
  const codecs = codecsOf(schema, options)
  const [first, ...others] = codecs.map(codec => attempt(() => codec.decode(bytes, { check: checks })))
  for (const other of others) checkSameOutcome(other, first, 'codecs of a schema decode')
  const generic = attempt(() => decode(bytes, options))
  if (!checks && (first.error || generic.error)) assert.ok(first.error && generic.error, `decode: ${first.error} / ${generic.error}`)
  if (first.value && generic.value) checkSameOutcome(first, generic, 'a codec of a schema and decode')
  assert.ok(copy.equals(bytes), 'the input was changed')
  if (first.error) return 'refused'
  const [written, ...again] = codecs.map(codec => attempt(() => codec.encode(first.value)))
  for (const other of again) checkSameOutcome(other, written, 'codecs of a schema encode')
  const plain = attempt(() => encode(first.value, options))
  if (plain.error) assert.ok(written.error, `encode refuses what a codec writes: ${plain.error}`)
  return written.error ? 'read' : 'read and written'
}

const smaller = input => smallerIn(input, { options: smallerObject, bytes: smallerBytes })

module.exports = { name: 'compile', rounds: 80, inputs, check, smaller }
