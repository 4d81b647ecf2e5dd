'use strict'

// Random schemas with random documents and mutated bytes: the compiled codec, the interpreted one and a module written
// ahead of time agree with each other and with encode and decode.
//
// QBSON_SEED sets another seed; QBSON_COMPILE_SCHEMAS sets the number of schemas, instead of a second of them.

const assert = require('node:assert')
const { compile } = require('../../lib/compile')
const codegen = require('../../lib/codegen')
const encoder = require('../../lib/encode/encode')
const decoder = require('../../lib/decode/decode')
const { seededRandom, pick } = require('../fixtures/random-document')
const { randomSchema, randomDocumentOf, spoil } = require('../fixtures/random-schema')
const { canonical, Refused } = require('../fixtures/schema-model')
const { compileInterpreted, compileAhead } = require('../fixtures/compilers')
const { many } = require('../fixtures/long')
const { mutate } = require('../fixtures/mutate')
const { outcome, told } = require('../fixtures/outcome')
const { describe } = require('../fixtures/describe')

const SEED = Number(process.env.QBSON_SEED) || 1
const SCHEMAS = Number(process.env.QBSON_COMPILE_SCHEMAS) || Infinity
const MS = SCHEMAS === Infinity ? many(1000, 10_000) : Infinity
/** With many schemas, fewer documents for each, in one layout: the compiled code is what differs. */
const IS_LONG = SCHEMAS < Infinity
const DOCUMENTS = IS_LONG ? 2 : 6

const OPTIONS = [{}, {}, {}, { useBigInt64: true }, { promoteValues: false }, { promoteBuffers: true }, { promoteLongs: false },
  { validation: { utf8: false } }, { bsonRegExp: true }, { ignoreUndefined: false }]

/** Strict equality; `where` describes the documents, which is slow, so it is called only on failure. */
function checkEqual(actual, expected, where) {
  if (actual !== expected) assert.strictEqual(actual, expected, where())
}

/** What the schema means, from a plain model: the input for the generic encoder, or an error. */
function meant(schema, doc, check) {
  try {
    return outcome(() => encoder.encode(canonical(schema, doc, schema, check)))
  } catch (error) {
    if (error instanceof Refused) return { error }
    throw error
  }
}

/** All codecs write the same bytes, those that the schema demands. */
function checkEncode({ codecs, schema, layout, options }, doc, check, where) {
  const [first, ...others] = codecs.map(codec => outcome(() => codec.encode(doc, { check })))
  for (const other of others) checkEqual(told(other), told(first), where)
  if (first.error) checkEqual(first.error.name, 'BSONError', where)
  else assert.strictEqual(codecs[0].sizeOf(doc, { check }), first.value.length)
  if (options.ignoreUndefined === false) return first
  const model = meant(schema, doc, check)
  checkEqual(first.error === undefined, model.error === undefined, () => `${where()}: ${first.error} ${model.error}`)
  if (first.value && layout === 'document') checkEqual(told(first), told(model), where)
  return first
}

/** All codecs read the same values, those that the generic decoder reads. */
function checkDecode({ codecs, layout, options }, bytes, where) {
  const place = () => `${where()}\n${bytes.toString('hex')}`
  for (const check of [false, true]) {
    const [first, ...others] = codecs.map(codec => outcome(() => codec.decode(bytes, { check })))
    for (const other of others) checkEqual(told(other), told(first), place)
    if (first.error) checkEqual(first.error.name, 'BSONError', place)
    // in place, as large documents are read: no memory behind it
    const inside = { check, index: 3, allowObjectSmallerThanBufferSize: true }
    const { error, value } = outcome(() => codecs[0].decode(Buffer.concat([bytes.subarray(0, 3), bytes]), inside))
    if (error) checkEqual(error.name, 'BSONError', place)
    if (first.value) checkEqual(told({ value }), told(first), place)
    if (check || layout === 'array') continue
    const generic = outcome(() => decoder.decode(bytes, options))
    checkEqual(first.error ? 'error' : told(first), generic.error ? 'error' : told(generic), place)
  }
}

function checkDocument(random, work, i) {
  const { codecs, schema, layout, options } = work
  const doc = randomDocumentOf(random, schema, schema)
  if (i >= DOCUMENTS / 2) spoil(random, doc)
  const check = random() < 0.8
  const where = () => `seed ${SEED}: ${JSON.stringify(schema)} ${layout} ${describe(options)} check ${check}: ${describe(doc)}`
  const { value } = checkEncode(work, doc, check, where)
  const inputs = value ? [value, mutate(random, value), mutate(random, value)] : []
  const generic = outcome(() => encoder.encode(doc))
  if (generic.value && layout === 'document') inputs.push(generic.value, mutate(random, generic.value))
  for (const bytes of inputs) checkDecode(work, bytes, where)
  if (value && check && options.promoteValues !== false) {
    checkEqual(codecs[0].validate(value), value.length, where)
    const into = Buffer.alloc(value.length + 3)
    assert.strictEqual(codecs[0].encodeInto(doc, into, 3, { check }), into.length)
    checkEqual(into.toString('hex', 3), value.toString('hex'), where)
  }
  return value !== undefined
}

module.exports = {
  'random schemas': t => {
    Error.stackTraceLimit = 0 // errors are only compared, so they need no stack
    const random = seededRandom(SEED)
    const end = Date.now() + MS
    let [schemas, written] = [0, 0]
    for (; schemas < SCHEMAS && Date.now() < end; schemas++) {
      const schema = randomSchema(random)
      const options = pick(random, OPTIONS)
      const layouts = Object.keys(schema.properties).length > 0 ? ['document', 'array'] : ['document']
      for (const layout of IS_LONG ? [pick(random, layouts)] : layouts) {
        const all = { layout, ...options }
        const codecs = [compile(schema, all), compileInterpreted(schema, all), compileAhead(schema, all)]
        for (let i = 0; i < DOCUMENTS; i++) written += checkDocument(random, { codecs, schema, layout, options }, i)
      }
    }
    t.ok(written > schemas, `${schemas} schemas, ${written} documents`)
    t.ok(codegen.canCompile)
    t.done()
  }
}
