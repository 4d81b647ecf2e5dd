'use strict'

const { lookUp, rootKey, cursor } = require('../../lib/decode/keys')

/** The key for a name, as at the start of a document. */
function keyOf(name, previous = rootKey()) {
  const buf = Buffer.from(`${name}\0`)
  const key = lookUp(buf, true, previous, true, 0, buf.length)
  return { key, text: key.text, size: key.size, end: cursor.pos }
}

module.exports = {
  'a name is kept when it is met for the second time': t => {
    const first = keyOf('seen twice')
    t.strictEqual(first.size, -1)
    t.strictEqual(first.text, 'seen twice')
    t.strictEqual(first.end, 11)
    const second = keyOf('seen twice')
    t.strictEqual(second.size, 11)
    t.strictEqual(second.text, 'seen twice')
    t.strictEqual(keyOf('seen twice').key, second.key)
    t.done()
  },

  'two names of one slot that take turns are kept': t => {
    const sizes = () => ['fld0', 'fld2he'].map(name => keyOf(name).size)
    t.deepStrictEqual(sizes(), [-1, -1])
    t.deepStrictEqual(sizes(), [5, 7])
    t.deepStrictEqual(sizes(), [5, 7])
    t.done()
  },

  'names that occur once evict none that recur': t => {
    const names = Array.from({ length: 100 }, (_, i) => `recurring ${i}`)
    for (let round = 0; round < 2; round++) names.forEach(name => keyOf(name))
    const kept = names.map(name => keyOf(name).key)
    for (let i = 0; i < 50_000; i++) keyOf(`${i ** 3} once`)
    t.deepStrictEqual(kept.map(key => key.text), names)
    t.done()
  }
}
