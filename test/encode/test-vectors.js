'use strict'

// Every row of the project's own tables, through every encoder.

const assert = require('node:assert')
const { BSONError } = require('../../lib/errors')
const { valid } = require('../vectors')
const { encodeErrors } = require('../vectors-errors')
const { codecs } = require('../fixtures/codecs')
const { unhex, hex } = require('../fixtures/bytes')
const { eachRow } = require('../fixtures/each-row')
const { errorOf, assertPath, source } = require('../fixtures/vector-checks')

/** Runs per row: what the first one leaves behind must not change the next. */
const TIMES = 3

function each(rows, check) {
  return eachRow(rows, check, { times: TIMES })
}

function suite(codec) {
  return {
    'encode gives the bytes': each(valid.filter(row => row.oneWay !== 'decode'), row => {
      assert.strictEqual(hex(codec.encode(source(row), row.encodeOptions)), unhex(row.hex).toString('hex'))
    }),

    'encodeInto writes the bytes where it is told and nothing beside': each(valid.filter(row => row.oneWay !== 'decode'), row => {
      const bytes = unhex(row.hex)
      const target = Buffer.alloc(bytes.length + 7, 0xaa)
      assert.strictEqual(codec.encodeInto(source(row), target, 3, row.encodeOptions), bytes.length + 3)
      assert.strictEqual(hex(target), 'aaaaaa' + bytes.toString('hex') + 'aaaaaaaa')
    }),

    'encodeInto fits exactly or refuses': each(valid.filter(row => row.oneWay !== 'decode'), row => {
      const bytes = unhex(row.hex)
      const target = new Uint8Array(bytes.length)
      assert.strictEqual(codec.encodeInto(source(row), target, 0, row.encodeOptions), bytes.length)
      assert.strictEqual(hex(target), bytes.toString('hex'))
      assert.throws(() => codec.encodeInto(source(row), new Uint8Array(bytes.length - 1), 0, row.encodeOptions), BSONError)
    }),

    'sizeOf gives the size': each(valid.filter(row => row.oneWay !== 'decode'), row => {
      assert.strictEqual(codec.sizeOf(source(row), row.encodeOptions), unhex(row.hex).length)
    }),

    'encode says what is wrong and in which field': each(encodeErrors, row => {
      assertPath(errorOf(() => codec.encode(row.value, row.encodeOptions)), row)
      assert.strictEqual(hex(codec.encode({ a: 1 })), '0c0000001061000100000000')
    }),

    'encodeInto says the same': each(encodeErrors, row => {
      assertPath(errorOf(() => codec.encodeInto(row.value, Buffer.alloc(1000), 0, row.encodeOptions)), row)
    })
  }
}

module.exports = {
  'no two rows have the same name': t => {
    const names = encodeErrors.map(row => row.name)
    t.deepStrictEqual(names.filter((name, i) => names.indexOf(name) !== i), [])
    t.done()
  },

  ...Object.fromEntries(codecs.map(codec => [codec.name, suite(codec)]))
}
