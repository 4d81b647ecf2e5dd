'use strict'

// Every row of the project's own tables, through all other ways to convert bytes and values: codecs of a schema, raw
// documents, Extended JSON, streams and the names of bson. Each must do what decode and encode do.

const assert = require('node:assert/strict')
const qbson = require('../qbson')
const { compile, schemaOf } = require('../lib/compile')
const { valid } = require('./vectors')
const { decodeErrors } = require('./vectors-errors')
const { unhex, hex } = require('./fixtures/bytes')
const { compileInterpreted, compileAhead } = require('./fixtures/compilers')
const { describe } = require('./fixtures/describe')
const { eachRow } = require('./fixtures/each-row')
const { errorOf } = require('./fixtures/error-of')

const { BSONError, EJSON, RawDocument } = qbson

const WAYS = { compiled: compile, interpreted: compileInterpreted, 'ahead of time': compileAhead }

/** Says nothing of the fields. */
const OPEN = { bsonType: 'object' }

/** Options are those of decode and encode: a compiled codec has its own. */
const plain = valid.filter(row => !row.options && !row.encodeOptions)
const readable = plain.filter(row => row.oneWay !== 'encode')
const writable = plain.filter(row => row.oneWay !== 'decode')

/** Text has only one form of a decimal. */
const isText = row => row.oneWay === undefined && !row.name.includes('not canonical')

const source = row => ('from' in row ? row.from : row.value)

function compiledSuite(compileBy) {
  const open = compileBy(OPEN)
  return {
    'reads documents of the schema that it has of them, and writes what it has read': eachRow(readable, row => {
      const bytes = unhex(row.hex)
      const codec = compileBy(schemaOf([bytes]))
      assert.strictEqual(describe(codec.decode(bytes)), describe(row.value))
      if (row.oneWay === undefined && !('from' in row)) assert.strictEqual(hex(codec.encode(row.value)), hex(bytes))
    }),

    'reads with a schema that says nothing': eachRow(readable, row => {
      assert.strictEqual(describe(open.decode(unhex(row.hex))), describe(row.value))
    }),

    'writes with a schema that says nothing': eachRow(writable, row => {
      assert.strictEqual(hex(open.encode(source(row))), hex(unhex(row.hex)))
    }),

    'refuses what is no document': eachRow(decodeErrors.filter(row => !row.options), row => {
      assert.ok(errorOf(() => open.decode(unhex(row.hex))) instanceof BSONError)
    })
  }
}

module.exports = {
  ...Object.fromEntries(Object.entries(WAYS).map(([name, compileBy]) => [name, compiledSuite(compileBy)])),

  'a RawDocument has the value, and is written as the bytes': eachRow(readable, row => {
    const raw = new RawDocument(unhex(row.hex))
    assert.strictEqual(describe(raw.toObject()), describe(row.value))
    assert.strictEqual(hex(qbson.encode(raw)), hex(unhex(row.hex)))
  }),

  'canonical Extended JSON of the bytes gives the bytes back': eachRow(readable.filter(isText), row => {
    const bytes = unhex(row.hex)
    assert.strictEqual(hex(EJSON.toBSON(EJSON.fromBSON(bytes, { relaxed: false }))), hex(bytes))
  }),

  'documents in a row are each read': eachRow(readable, row => {
    const bytes = unhex(row.hex)
    const all = [...qbson.documents(Buffer.concat([bytes, bytes]))]
    assert.deepStrictEqual(all.map(value => describe(value)), [describe(row.value), describe(row.value)])
  }),

  'the names of bson do the same': {
    deserialize: eachRow(readable, row => assert.strictEqual(describe(qbson.deserialize(unhex(row.hex))), describe(row.value))),
    serialize: eachRow(writable, row => assert.strictEqual(hex(qbson.serialize(source(row))), hex(unhex(row.hex)))),
    calculateObjectSize: eachRow(writable, row => assert.strictEqual(qbson.calculateObjectSize(source(row)), unhex(row.hex).length))
  }
}
