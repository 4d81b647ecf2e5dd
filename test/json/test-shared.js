'use strict'

// The corpus of the BSON specification and real dump files, if available: the text is that of JSON.stringify.

const assert = require('node:assert')
const fs = require('node:fs')
const path = require('node:path')
const json = require('../../lib/json')
const { decode } = require('../../lib/decode/decode')
const { documents } = require('../../lib/batch')
const { unhex } = require('../fixtures/bytes')
const { outcome } = require('../fixtures/outcome')
const { sharedFolder, sharedJson, testsWith } = require('../fixtures/shared')

const corpus = sharedJson('bson-corpus')
const folder = sharedFolder('dumps')

/** Whole files, and how many documents each has. */
const FILES = {
  'all_types.bson': 20, 'broken_array.bson': 20, 'deep_nested.bson': 1, 'importCollection.bson': 1, 'oplog.bson': 872,
  'timeseries-buckets.bson': 10
}

/** All bytes of the corpus, valid and invalid. */
function bytesOf({ content: { valid = [], decodeErrors = [] } }) {
  const right = valid.flatMap(row => [row.canonical_bson, row.degenerate_bson, row.converted_bson])
  return [...right, ...decodeErrors.map(row => row.bson)].filter(Boolean).map(unhex)
}

module.exports = {
  corpus: testsWith(corpus, 'bson-corpus', {
    'all of the corpus': t => {
      let count = 0
      for (const bytes of (corpus ?? []).flatMap(bytesOf)) {
        const expected = outcome(() => JSON.stringify(decode(bytes)))
        const given = outcome(() => json.text(bytes))
        assert.strictEqual(given.value, expected.value)
        assert.strictEqual(given.error?.message, expected.error?.message)
        count++
      }
      t.ok(count > 780, `${count} documents`)
      t.done()
    }
  }),

  dumps: testsWith(folder, 'dumps', Object.fromEntries(Object.entries(FILES).map(([file, count]) => [file, t => {
    const bytes = fs.readFileSync(path.join(folder, file))
    const list = [...documents(bytes)]
    t.strictEqual(list.length, count)
    t.ok(json.array(bytes).toString() === JSON.stringify(list))
    t.ok(json.lines(documents(bytes, { bytes: true })).toString() === list.map(doc => `${JSON.stringify(doc)}\n`).join(''))
    t.ok(json.array(bytes, { indent: 2 }).toString() === JSON.stringify(list, null, 2))
    t.done()
  }])))
}
