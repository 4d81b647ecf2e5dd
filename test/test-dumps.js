'use strict'

// Real dump files, if available: every document is the same as from `bson`, and values encode to the same files.

const assert = require('node:assert')
const fs = require('node:fs')
const path = require('node:path')
const bson = require('bson')
const { BSONError } = require('../lib/errors')
const { EJSON } = require('../lib/ejson')
const { documents } = require('../lib/batch')
const { codecs, generic } = require('./fixtures/codecs')
const { describe } = require('./fixtures/describe')
const { many } = require('./fixtures/long')
const { sharedFolder, testsWith } = require('./fixtures/shared')

const folder = sharedFolder('dumps')

/** The whole files, and how many documents each has. */
const FILES = {
  'all_types.bson': 20,
  'broken_array.bson': 20, // its arrays have wrong indexes, which decoding ignores
  'deep_nested.bson': 1,
  'importCollection.bson': 1,
  'oplog.bson': 872,
  'timeseries-buckets.bson': 10
}

/** Options that change what values become. */
const OPTIONS = [
  undefined,
  { promoteValues: false },
  { promoteLongs: false, promoteBuffers: true },
  { useBigInt64: true, bsonRegExp: true },
  { raw: true }
]

/** One in this many documents is decoded with each of them. */
const EACH = many(8, 1)

const LOSSLESS = { promoteValues: false, bsonRegExp: true }

function read(file) {
  return fs.readFileSync(path.join(folder, file))
}

/** The bytes of each document. */
function split(bytes) {
  const parts = []
  for (let start = 0; start < bytes.length; start += bytes.readInt32LE(start)) {
    parts.push(bytes.subarray(start, start + bytes.readInt32LE(start)))
  }
  return parts
}

function suite(codec) {
  const tests = {}
  for (const [file, count] of Object.entries(FILES)) {
    tests[`${file}: ${count} documents as bson decodes them`] = t => {
      const parts = split(read(file))
      for (const options of OPTIONS) {
        for (const bytes of parts.filter((_, i) => i % EACH === 0)) {
          assert.strictEqual(describe(codec.decode(bytes, options)), describe(bson.deserialize(bytes, options)))
        }
      }
      t.strictEqual(parts.length, count)
      t.done()
    }

    tests[`${file}: in place, at their offsets`] = t => {
      const whole = read(file)
      let index = 0
      for (const bytes of split(whole)) {
        const options = { index, allowObjectSmallerThanBufferSize: true }
        assert.strictEqual(describe(codec.decode(whole, options)), describe(codec.decode(bytes)))
        index += codec.validate(whole, options)
      }
      t.strictEqual(index, whole.length)
      t.done()
    }

    tests[`${file}: encoded as bson encodes them`] = t => {
      for (const bytes of split(read(file)).filter((_, i) => i % EACH === 0)) {
        const [ours, theirs] = [codec.decode(bytes, LOSSLESS), bson.deserialize(bytes, LOSSLESS)]
        const expected = Buffer.from(bson.serialize(theirs))
        assert.ok(codec.encode(ours).equals(expected))
        assert.ok(codec.encode(theirs).equals(expected))
        assert.strictEqual(codec.sizeOf(ours), expected.length)
      }
      t.done()
    }
  }

  tests['random_bytes.bson: an error'] = t => {
    t.throws(() => codec.decode(read('random_bytes.bson')), BSONError)
    t.throws(() => codec.validate(read('random_bytes.bson'), { allowObjectSmallerThanBufferSize: true }), BSONError)
    t.done()
  }
  return tests
}

/** Files that values encode to byte by byte: no deprecated types, no wrong indexes. */
const EXACT = ['importCollection.bson', 'oplog.bson', 'timeseries-buckets.bson', 'deep_nested.bson']

const files = {
  'files come back byte for byte': t => {
    for (const file of EXACT) {
      const again = [...documents(read(file), LOSSLESS)].map(doc => generic.encode(doc))
      assert.ok(Buffer.concat(again).equals(read(file)), file)
    }
    t.done()
  },

  'oplog.bson: lines of Extended JSON as bson writes them': t => {
    const parts = split(read('oplog.bson'))
    for (const relaxed of [true, false]) {
      for (const bytes of parts.filter((_, i) => i % EACH === 0)) {
        const expected = bson.EJSON.stringify(bson.deserialize(bytes, LOSSLESS), { relaxed })
        assert.deepStrictEqual(JSON.parse(EJSON.fromBSON(bytes, { relaxed })), JSON.parse(expected))
      }
    }
    t.strictEqual(parts.length, 872)
    t.done()
  },

  'a file cut anywhere gives its whole documents and then an error': t => {
    const whole = read('all_types.bson')
    const ends = split(whole).map(bytes => bytes.byteOffset - whole.byteOffset + bytes.length)
    for (let length = 1; length < whole.length; length += 23) {
      const complete = ends.filter(end => end <= length).length
      const seen = []
      let error
      try {
        for (const doc of documents(whole.subarray(0, length))) seen.push(doc)
      } catch (thrown) {
        error = thrown
      }
      assert.strictEqual(seen.length, complete)
      if (ends.includes(length)) assert.strictEqual(error, undefined)
      else assert.ok(error instanceof BSONError && error.offset <= length)
    }
    t.done()
  }
}

module.exports = testsWith(folder, 'dumps', {
  ...Object.fromEntries(codecs.map(codec => [codec.name, suite(codec)])),
  files
})
