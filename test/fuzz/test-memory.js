'use strict'

// What is learned is bounded: hostile documents that are not kept leave a limited amount of memory in use.
// `npm run fuzz -- --target memory` reads ten million.

const assert = require('node:assert')
const { many } = require('../fixtures/long')
const { checkMemory, LEARNED, SLACK } = require('../../fuzz/targets/memory')

const DOCUMENTS = many(4000, 100_000)

module.exports = {
  'hostile documents of every kind leave at most 2 MB, and what V8 keeps of the types it seen': async t => {
    const { documents, largest } = await checkMemory({ documents: DOCUMENTS, minutes: 2 })
    assert.ok(documents > 1000, String(documents))
    assert.ok(largest <= LEARNED + SLACK, `${largest} bytes after ${documents} documents`)
    t.done()
  }
}
