'use strict'

const assert = require('node:assert')
const fc = require('fast-check')
const ieeeFloat = require('ieee-float')
const { compile } = require('../../lib/compile')
const { getDouble, putDouble } = require('../../lib/bytes/float')
const { EJSON, Double } = require('../../qbson')
const { generic, learningCodec } = require('../fixtures/codecs')
const { compileAhead, compileInterpreted } = require('../fixtures/compilers')

/** Quiet and signalling, with a sign, with a payload. */
const NANS = ['000000000000f87f', '000000000000f8ff', '010000000000f07f', '010000000000f0ff', 'efbeaddedec0fc7f', 'ffffffffffffffff']

const CANONICAL_NAN = '000000000000f87f'

/** Enough runs for V8 to optimise the readers and writers. */
const OFTEN = 20_000

/** { a: double, b: [double, double] } of these eight bytes. */
function documentOf(bits) {
  const list = `1b000000013000${bits}013100${bits}00`
  return Buffer.from(`2e000000016100${bits}046200${list}00`, 'hex')
}

const schema = {
  bsonType: 'object', properties: { a: { bsonType: 'double' }, b: { bsonType: 'array', items: { bsonType: 'double' } } }
}

const NUMBERS = [0, -0, 1, -1, 0.1, 1.5, 5e-324, -5e-324, 2.2250738585072014e-308, Number.MAX_VALUE, 2 ** 53, Infinity, -Infinity, NaN]

module.exports = {
  'puts what a DataView puts, at the offset and nowhere else': t => {
    for (const number of NUMBERS) {
      const buf = new Uint8Array(12).fill(0xee)
      assert.strictEqual(putDouble(number, buf, 2), 10)
      const expected = new Uint8Array(12).fill(0xee)
      new DataView(expected.buffer).setFloat64(2, number, true)
      assert.deepStrictEqual(buf, expected)
    }
    t.done()
  },

  'every NaN is written with the same bytes, however often it was read and written': t => {
    const compiled = [compile, compileAhead, compileInterpreted].map(make => make(schema, {}))
    const codecs = [generic, learningCodec(true), learningCodec(false), ...compiled]
    const expected = documentOf(CANONICAL_NAN)
    const documents = NANS.map(documentOf)
    for (const [i, codec] of codecs.entries()) {
      for (let k = 0; k < OFTEN; k++) {
        const bytes = codec.encode(codec.decode(documents[k % NANS.length]))
        if (!expected.equals(bytes)) assert.fail(`codec ${i} writes ${Buffer.from(bytes).toString('hex')}`)
      }
    }
    t.done()
  },

  'a NaN in a Double, and from text, is written with the same bytes': t => {
    for (const bits of NANS) {
      const nan = getDouble(Buffer.from(bits, 'hex'), 0)
      const buf = Buffer.alloc(8)
      putDouble(nan, buf, 0)
      assert.strictEqual(buf.toString('hex'), CANONICAL_NAN)
      assert.ok(documentOf(CANONICAL_NAN).equals(generic.encode({ a: new Double(nan), b: [new Double(nan), nan] })))
    }
    const text = EJSON.stringify({ a: NaN, b: [NaN, NaN] })
    assert.ok(documentOf(CANONICAL_NAN).equals(EJSON.toBSON(text)))
    t.done()
  },

  'gets what was put': t => {
    const buf = new Uint8Array(9)
    for (const number of NUMBERS) {
      putDouble(number, buf, 1)
      assert.ok(Object.is(getDouble(buf, 1), number), String(number))
    }
    t.done()
  },

  'any double there and back, as ieee-float writes and reads it': t => {
    fc.assert(
      fc.property(fc.double(), number => {
        const [ours, theirs] = [Buffer.alloc(8), Buffer.alloc(8)]
        putDouble(number, ours, 0)
        ieeeFloat.writeDouble(theirs, number, 0, 'le')
        assert.ok(Object.is(getDouble(ours, 0), number))
        if (!Number.isNaN(number)) assert.deepStrictEqual(ours, theirs)
        assert.ok(Object.is(getDouble(theirs, 0), ieeeFloat.readDouble(theirs, 0, 'le')))
      })
    )
    t.done()
  },

  'any eight bytes as a DataView reads them': t => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), bytes => {
        assert.ok(Object.is(getDouble(bytes, 0), new DataView(bytes.buffer).getFloat64(0, true)))
      })
    )
    t.done()
  }
}
