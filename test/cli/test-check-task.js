'use strict'

// The fast path of check against the slow one: the same counts and the same errors.

const { encode, Code, BSONError } = require('../../qbson')
const { typesIn, checkSlowly } = require('../../lib/cli/tasks/check-task')
const types = require('../../lib/types')
const { randomDocument, seededRandom } = require('../fixtures/random-document')
const { many } = require('../fixtures/long')

/** What each of them reports. */
function outcome(work) {
  try {
    return { found: Array.from(work()) }
  } catch (error) {
    if (!(error instanceof BSONError)) throw error
    return { message: error.message, offset: error.offset }
  }
}

function quickly(bytes) {
  const found = typesIn(Buffer.concat([encode({ before: 1 }), bytes]))
  found[16]--
  return found
}

function slowly(bytes) {
  const found = new Float64Array(256)
  checkSlowly(bytes, found)
  return found
}

module.exports = {
  'random documents, whole and with bytes changed': t => {
    const random = seededRandom(7)
    let wrong = 0
    for (let i = 0; i < many(80, 20_000); i++) {
      const bytes = Buffer.from(encode(randomDocument(random, types)))
      t.deepStrictEqual(outcome(() => quickly(bytes)), outcome(() => slowly(bytes)))
      for (let k = 0; k < 5; k++) {
        const changed = Buffer.from(bytes)
        changed[4 + Math.floor(random() * (changed.length - 4))] = Math.floor(random() * 256)
        const expected = outcome(() => slowly(changed))
        if (expected.message) wrong++
        t.deepStrictEqual(outcome(() => quickly(changed)), expected)
      }
    }
    t.ok(wrong > 50)
    t.done()
  },

  'long arrays, long and other texts, deep and rare things': t => {
    let deep = {}
    for (let i = 0; i < 300; i++) deep = { deep: [deep] }
    const list = Array.from({ length: 1200 }, (_, i) => i % 3 === 0 ? 'x' : i)
    for (const document of [{ list }, { text: 'ä'.repeat(100), 'ключ': 'x'.repeat(500) }, deep, { c: new Code('x', { y: [1] }), r: /x/i }]) {
      const bytes = encode(document, { maxDepth: 2000 })
      t.deepStrictEqual(outcome(() => quickly(bytes)), outcome(() => slowly(bytes)))
      t.ok(outcome(() => quickly(bytes)).found !== undefined)
    }
    t.done()
  }
}
