'use strict'

const assert = require('node:assert')
const fc = require('fast-check')
const ieeeFloat = require('ieee-float')
const { getDouble, putDouble } = require('../lib/float')

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
