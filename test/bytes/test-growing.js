'use strict'

// Memory that grows: what is written is there, whatever it was when it began.

const { GrowingBytes } = require('../../lib/bytes')
const { seededRandom, below } = require('../fixtures/random-document')

module.exports = {
  'copies, single bytes and frames are where they belong, in memory of any size': t => {
    const random = seededRandom(5)
    for (let i = 0; i < 300; i++) {
      const out = new GrowingBytes(below(random, 9))
      const parts = []
      const frames = []
      for (let k = below(random, 20); k > 0; k--) {
        const source = Buffer.from(Array.from({ length: below(random, 200) }, () => below(random, 256)))
        const start = below(random, source.length + 1)
        const hole = out.hole()
        frames.push({ hole, size: source.length - start + 6 })
        out.byte(k)
        out.copy(source, start, source.length)
        out.endFrame(hole)
        parts.push(Buffer.from([0, 0, 0, 0, k]), source.subarray(start), Buffer.from([0]))
      }
      const expected = Buffer.concat(parts)
      for (const { hole, size } of frames) expected.writeInt32LE(size, hole)
      t.deepStrictEqual(Buffer.from(out.bytes), expected)
    }
    t.done()
  },

  'memory that is let go is not written to again': t => {
    const out = new GrowingBytes(8)
    out.byte(1)
    const { bytes } = out
    out.release()
    t.strictEqual(out.bytes.length, 0)
    out.byte(2)
    t.deepStrictEqual([...bytes, ...out.bytes], [1, 2])
    t.done()
  },

  'a frame that is longer than BSON can say is an error': t => {
    const out = new GrowingBytes(16)
    t.throws(() => out.endFrame(out.hole() - 2 ** 31), /the document has become too long/)
    t.done()
  }
}
