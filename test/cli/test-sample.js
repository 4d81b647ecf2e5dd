'use strict'

// What a sample and the last documents keep in memory.

const { sampled, lastOf } = require('../../lib/cli/sample')
const { encode } = require('../../qbson')

const namespace = { db: null, collection: null }

/** Documents are kept from a buffer of many. @param {import('../../lib/cli/sample').Keeper} keeper */
function keptOf(keeper) {
  const output = Buffer.concat(Array.from({ length: 10_000 }, (_, i) => encode({ _id: i })))
  keeper.add('a.bson', { namespace, offset: 0, document: 0 }, { output, places: null })
  return { output, kept: [...keeper.blocks()].map(({ block }) => block) }
}

module.exports = {
  'documents that are kept do not hold the memory they were read from': function (t) {
    for (const keeper of [sampled(3, 1), lastOf(3)]) {
      const { output, kept } = keptOf(keeper)
      t.strictEqual(kept.length, 3)
      for (const { bytes, offset } of kept) {
        t.notStrictEqual(bytes.buffer, output.buffer)
        t.ok(bytes.buffer.byteLength <= 8192)
        t.deepStrictEqual([...bytes], [...output.subarray(offset, offset + bytes.length)])
      }
    }
    t.done()
  },

  'nothing is kept where nothing is asked for': function (t) {
    for (const keeper of [sampled(0, 1), lastOf(0)]) t.strictEqual(keptOf(keeper).kept.length, 0)
    t.done()
  }
}
