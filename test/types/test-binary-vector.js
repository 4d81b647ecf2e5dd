'use strict'

// The specification's tests of binary vectors (subtype 9), if available.

const assert = require('node:assert')
const { BSONError } = require('../../lib/errors')
const { Binary } = require('../../lib/types')
const { EJSON } = require('../../lib/ejson')
const { generic } = require('../fixtures/codecs')
const { unhex } = require('../fixtures/bytes')
const { eachRow } = require('../fixtures/each-row')
const { sharedJson, testsWith } = require('../fixtures/shared')

const files = sharedJson('binary-vector')
const cases = (files ?? []).flatMap(({ file, content }) =>
  content.tests.map(test => ({ ...test, key: content.test_key, name: `${file}: ${test.description}` }))
)
const valid = cases.filter(test => test.valid)
const invalid = cases.filter(test => !test.valid)

/** How each type of vector is made from numbers and read as numbers. */
const KINDS = {
  INT8: {
    make: ({ vector }) => Binary.fromInt8Array(Int8Array.from(vector)),
    read: binary => [...binary.toInt8Array()]
  },
  FLOAT32: {
    make: ({ vector }) => Binary.fromFloat32Array(Float32Array.from(vector, toNumber)),
    read: binary => [...binary.toFloat32Array()]
  },
  PACKED_BIT: {
    make: ({ vector, padding }) => Binary.fromPackedBits(Uint8Array.from(vector), padding),
    read: binary => [...binary.toPackedBits()]
  }
}

/** Infinity is written as Extended JSON. */
function toNumber(item) {
  return typeof item === 'object' ? Number(item.$numberDouble) : item
}

function expectedNumbers({ vector, dtype_alias: kind }) {
  return kind === 'FLOAT32' ? [...Float32Array.from(vector, toNumber)] : vector
}

const tests = {
  'a valid vector is its bytes': eachRow(valid, test => {
    const bytes = generic.encode({ [test.key]: KINDS[test.dtype_alias].make(test) })
    assert.strictEqual(bytes.toString('hex').toUpperCase(), test.canonical_bson.toUpperCase())
  }),

  'the bytes are the vector': eachRow(valid, test => {
    const binary = generic.decode(unhex(test.canonical_bson))[test.key]
    assert.strictEqual(binary.sub_type, Binary.SUBTYPE_VECTOR)
    assert.deepStrictEqual(KINDS[test.dtype_alias].read(binary), expectedNumbers(test))
    assert.strictEqual(generic.encode({ [test.key]: binary }).toString('hex').toUpperCase(), test.canonical_bson.toUpperCase())
  }),

  'bits, one by one': eachRow(valid.filter(test => test.dtype_alias === 'PACKED_BIT'), test => {
    const binary = generic.decode(unhex(test.canonical_bson))[test.key]
    const bits = test.vector.flatMap(byte => [...byte.toString(2).padStart(8, '0')].map(Number))
    const kept = bits.slice(0, bits.length - test.padding)
    assert.deepStrictEqual([...binary.toBits()], kept)
    assert.deepStrictEqual([...Binary.fromBits(kept).toPackedBits()], test.vector)
  }),

  'bytes that are no vector are refused when they are written or read as one': eachRow(
    invalid.filter(test => test.canonical_bson),
    test => {
      const binary = generic.decode(unhex(test.canonical_bson))[test.key]
      assert.throws(() => generic.encode({ v: binary }), BSONError)
      assert.throws(() => KINDS[test.dtype_alias].read(binary), BSONError)
      assert.throws(() => EJSON.stringify({ v: binary }), BSONError)
    }
  ),

  'negative padding is refused': eachRow(invalid.filter(test => test.padding < 0), test => {
    assert.throws(() => generic.encode({ v: KINDS[test.dtype_alias].make(test) }), BSONError)
  }),

  'numbers that the typed array of the kind cannot even hold need no test': eachRow(
    invalid.filter(test => test.canonical_bson === undefined && !(test.padding < 0)),
    ({ vector, dtype_alias: kind }) => {
      const held = kind === 'INT8' ? Int8Array.from(vector) : Uint8Array.from(vector)
      assert.notDeepStrictEqual([...held], vector)
    }
  )
}

module.exports = testsWith(files, 'binary-vector', tests)
