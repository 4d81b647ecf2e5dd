'use strict'

// What a sample and the last documents keep in memory.

const { sampled, lastOf } = require('../../lib/cli/sample')
const { encode, decode } = require('../../qbson')

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
      const { output, kept: [block, ...others] } = keptOf(keeper)
      t.deepStrictEqual([block.count, others], [3, []])
      t.notStrictEqual(block.bytes.buffer, output.buffer)
      t.ok(block.bytes.buffer.byteLength <= 65536)
      for (const [index, bytes] of [...block].entries()) {
        const offset = block.offsetOf(0, index)
        t.deepStrictEqual([...bytes], [...output.subarray(offset, offset + bytes.length)])
        t.strictEqual(block.numberOf(index), decode(bytes)._id + 1)
      }
    }
    t.done()
  },

  'nothing is kept where nothing is asked for': function (t) {
    for (const keeper of [sampled(0, 1), lastOf(0)]) t.strictEqual(keptOf(keeper).kept.length, 0)
    t.done()
  }
}
