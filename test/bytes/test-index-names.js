'use strict'

const assert = require('node:assert')
const { putIndexName } = require('../../lib/bytes/index-names')
const { itemAt } = require('../../lib/elements/scan')

/** All of the first ones; then, for each number of digits, the first, the last and some with zeros. */
const INDEXES = [
  ...Array.from({ length: 12_000 }, (_, i) => i),
  12_003, 20_040, 99_999, 100_000, 999_999, 1_000_000, 7_000_050, 123_456_789
]

const TYPE = 0x10

/** Bytes behind a name that a store may overwrite: its 0x00 is written later. */
const REACH = 1

module.exports = {
  'a name is the type, the index in decimal, and a 0x00': t => {
    for (const i of INDEXES) {
      const buf = Buffer.alloc(20, 0xee)
      const end = putIndexName(TYPE, i, new DataView(buf.buffer, buf.byteOffset, buf.length), 2)
      assert.strictEqual(buf.toString('latin1', 2, end), `\x10${i}\0`)
      assert.ok(buf[0] === 0xee && buf[1] === 0xee && buf.subarray(end + REACH).every(byte => byte === 0xee), `index ${i}`)
    }
    t.done()
  },

  'in any order: nothing depends on a name that came before': t => {
    delete require.cache[require.resolve('../../lib/bytes/index-names')]
    const fresh = require('../../lib/bytes/index-names')
    const buf = Buffer.alloc(20)
    for (const i of [5_007, 1_000, 999, 12, 3]) {
      const end = fresh.putIndexName(TYPE, i, new DataView(buf.buffer, buf.byteOffset, buf.length), 0)
      assert.strictEqual(buf.toString('latin1', 0, end), `\x10${i}\0`)
    }
    t.done()
  },

  'an item is found whatever its name': t => {
    for (const [name, i] of [['0', 0], ['12', 12], ['345', 345], ['6789', 6789], ['', 0], ['x', 5], ['12', 3], ['1', 77], ['long name', 400]]) {
      const buf = Buffer.from(`\x10${name}\0....`, 'latin1')
      assert.strictEqual(itemAt(buf, 0, i, buf.length), name.length + 2)
    }
    t.done()
  }
}
