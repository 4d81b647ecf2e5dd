'use strict'

// Every row of the project's own tables, through every decoder.

const assert = require('node:assert')
const { COPIED } = require('../../lib/decode/views')
const { ELEMENT } = require('../../lib/spec')
const { valid } = require('../vectors')
const { decodeErrors } = require('../vectors-errors')
const { codecs } = require('../fixtures/codecs')
const { unhex } = require('../fixtures/bytes')
const { describe } = require('../fixtures/describe')
const { eachRow } = require('../fixtures/each-row')
const { many } = require('../fixtures/long')
const { outcome, errorOf, assertPlace, assertInside } = require('../fixtures/vector-checks')

/** Runs per row, enough for a codec that learns to have learned it. */
const TIMES = 3

/** Bytes before and after a document that make decode read it in place. */
const AMIDST = COPIED

function amidst(bytes) {
  return Buffer.concat([Buffer.alloc(AMIDST, 0xff), bytes, Buffer.alloc(AMIDST, 0xff)])
}

function each(rows, check, times = TIMES) {
  return eachRow(rows, check, { times })
}

function suite(codec) {
  return {
    'decode gives the value': each(valid.filter(row => row.oneWay !== 'encode'), row => {
      const decoded = codec.decode(unhex(row.hex), row.options)
      assert.strictEqual(describe(decoded), describe(row.value))
      assert.deepStrictEqual(decoded, row.value)
    }),

    'decode reads at an offset, without what stands around': each(valid.filter(row => row.oneWay !== 'encode'), row => {
      const bytes = unhex('ffff' + row.hex + 'ffffff')
      const decoded = codec.decode(bytes, { ...row.options, index: 2, allowObjectSmallerThanBufferSize: true })
      assert.strictEqual(describe(decoded), describe(row.value))
    }),

    'decode reads in the midst of so many bytes that none are copied': each(valid.filter(row => row.oneWay !== 'encode'), row => {
      const options = { ...row.options, index: AMIDST, allowObjectSmallerThanBufferSize: true }
      assert.strictEqual(describe(codec.decode(amidst(unhex(row.hex)), options)), describe(row.value))
    }),

    'decode takes every kind of bytes': each(valid.filter(row => row.oneWay !== 'encode'), row => {
      const bytes = unhex(row.hex)
      const memory = Uint8Array.from(bytes).buffer
      for (const input of [new Uint8Array(memory), memory, new DataView(memory), [...bytes]]) {
        assert.strictEqual(describe(codec.decode(input, row.options)), describe(row.value))
      }
    }),

    'validate gives the size': each(valid.filter(row => row.oneWay !== 'encode'), row => {
      assert.strictEqual(codec.validate(unhex(row.hex), row.options), unhex(row.hex).length)
    }),

    'decode says what is wrong and where': each(decodeErrors, row => {
      assertPlace(errorOf(() => codec.decode(unhex(row.hex), row.options)), row)
    }),

    'decode says where in the buffer, not in the document': each(decodeErrors.filter(row => row.path !== '' && !row.options), row => {
      const error = errorOf(() => codec.decode(unhex('0000' + row.hex), { index: 2, allowObjectSmallerThanBufferSize: true }))
      assertPlace(error, { ...row, offset: row.offset + 2 })
    }),

    'decode says so in the midst of many bytes, too': each(decodeErrors.filter(row => row.path !== '' && !row.options), row => {
      const options = { index: AMIDST, allowObjectSmallerThanBufferSize: true }
      assertPlace(errorOf(() => codec.decode(amidst(unhex(row.hex)), options)), { ...row, offset: row.offset + AMIDST })
    }),

    'validate says the same': each(decodeErrors, row => {
      assertPlace(errorOf(() => codec.validate(unhex(row.hex), row.options)), row)
    }),

    'every truncation of every row is an error': each(valid, row => {
      const bytes = unhex(row.hex)
      for (const length of cuts(bytes.length)) {
        assertInside(errorOf(() => codec.decode(bytes.subarray(0, length), row.options)), length)
        assertInside(errorOf(() => codec.validate(bytes.subarray(0, length), row.options)), length)
      }
    }, 1),

    'a truncation whose length agrees is the same for decode and validate': each(valid, row => {
      const bytes = unhex(row.hex)
      for (const length of cuts(bytes.length).filter(length => length >= 5)) {
        const cut = Buffer.from(bytes.subarray(0, length))
        cut.writeInt32LE(length)
        for (const last of [cut[length - 1], 0]) {
          cut[length - 1] = last
          const decoded = outcome(() => codec.decode(cut, row.options))
          const validated = outcome(() => codec.validate(cut, row.options))
          assert.strictEqual(decoded.error?.message, validated.error?.message)
          if (validated.error) assertInside(validated.error, length)
        }
      }
    }, 1)
  }
}

/** One in this many lengths of `cuts` is used, different ones for each row. */
const EACH = many(5, 1)

/** Lengths to cut `length` bytes to: all of them when they are few, else the first, the last and some between. */
function cuts(length) {
  const all = Array.from({ length }, (_, i) => i).filter(i => (i + length) % EACH === 0)
  return length <= 40 ? all : all.filter(i => i < 24 || i > length - 8 || i % Math.ceil(length / 8) === 0)
}

module.exports = {
  'the table covers every element type both ways': t => {
    const firstTypes = new Set(valid.map(row => unhex(row.hex)[4]))
    for (const [name, type] of Object.entries(ELEMENT)) t.ok(firstTypes.has(type), `no row for ${name}`)
    t.done()
  },

  'no two rows have the same name': t => {
    for (const rows of [valid, decodeErrors]) {
      const names = rows.map(row => row.name)
      t.deepStrictEqual(names.filter((name, i) => names.indexOf(name) !== i), [])
    }
    t.done()
  },

  ...Object.fromEntries(codecs.map(codec => [codec.name, suite(codec)]))
}
