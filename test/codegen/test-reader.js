'use strict'

// Code made for a row of rows.js, alone and among others, reads as the loop of decode does: good bytes, and each byte
// changed.

const assert = require('node:assert')
const { encode } = require('../../lib/encode/encode')
const types = require('../../lib/types')
const { ROWS } = require('../../lib/codegen/rows')
const { generic, learningCodec, functionsOf } = require('../fixtures/codecs')
const { outcome, told } = require('../fixtures/outcome')

/** A value of each type that has a row. */
const VALUES = {
  0x01: 1.5,
  0x02: 'text',
  0x03: { inner: 1 },
  0x04: [1],
  0x05: new types.Binary(Buffer.from([1, 2, 3])),
  0x07: new types.ObjectId('0102030405060708090a0b0c'),
  0x08: true,
  0x09: new Date(1.6e12),
  0x0a: null,
  0x10: 5,
  0x11: new types.Timestamp({ t: 1, i: 2 }),
  0x12: types.Long.fromString('1234567890123456789'),
  0x13: types.Decimal128.fromString('1.5')
}

const CHANGES = [0, 1, 2, 3, 0x7f, 0x80, 0xff]

const rows = Object.keys(VALUES).map(Number)

/** Reads the bytes, and the same with each byte changed, as the generic codec reads them. */
function check(bytes) {
  const codec = learningCodec(true)
  const made = functionsOf(() => { for (let i = 0; i < 40; i++) codec.decode(bytes) })
  assert.ok(made > 0, 'nothing was compiled')
  const alike = changed => {
    const [own, expected] = [codec, generic].map(({ decode }) => told(outcome(() => decode(changed))))
    assert.strictEqual(own, expected, changed.toString('hex'))
  }
  alike(bytes)
  for (let i = 4; i < bytes.length; i++) {
    for (const change of CHANGES) {
      const changed = Buffer.from(bytes)
      changed[i] = change
      alike(changed)
    }
  }
}

module.exports = {
  'each type with a row is tested': t => {
    t.deepStrictEqual([...ROWS.keys()].sort((a, b) => a - b), rows)
    t.done()
  },

  ...Object.fromEntries(rows.map(type => [`type ${type}, alone, first and last`, t => {
    const value = VALUES[type]
    for (const doc of [{ a: value }, { a: value, b: 'x' }, { b: 1, a: value }]) check(encode(doc))
    t.done()
  }]))
}
