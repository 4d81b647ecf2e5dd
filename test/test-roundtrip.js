'use strict'

// Encodes and decodes seeded random documents of every type. A failure names its seed:
// randomDocument(seededRandom(seed)) makes the same document again.

const assert = require('node:assert')
const fc = require('fast-check')
const types = require('../lib/types')
const { codecs } = require('./fixtures/codecs')
const { describe } = require('./fixtures/describe')
const { many, onlyLong } = require('./fixtures/long')
const { seededRandom, randomDocument, deepDocument, setOwn } = require('./fixtures/random-document')
const { anyText } = require('./fixtures/texts')

/** Options with which decoding loses nothing. */
const LOSSLESS = { promoteValues: false, bsonRegExp: true }

/** Documents of each test; another seed gives others. */
const DOCUMENTS = many(30, 500)
const START = Number(process.env.QBSON_SEED) || 1

/** A function that called itself so often would overflow Node's stack, which holds some 11,000 frames. */
const LEVELS = 30_000

/** Keys and items of the widest documents. */
const WIDTH = many(5000, 30_000)

function eachSeed(check) {
  return t => {
    for (let seed = START; seed < START + DOCUMENTS; seed++) {
      try {
        check(seed)
      } catch (error) {
        throw new Error(`seed ${seed}: ${error.message}`, { cause: error })
      }
    }
    t.done()
  }
}

function documentOf(seed, depth) {
  return randomDocument(seededRandom(seed), types, depth)
}

function suite(codec) {
  return {
    'encode, decode, encode gives the same bytes': eachSeed(seed => {
      const bytes = codec.encode(documentOf(seed))
      assert.ok(codec.encode(codec.decode(bytes, LOSSLESS)).equals(bytes))
    }),

    'decode, encode, decode gives the same values, by default too': eachSeed(seed => {
      const bytes = codec.encode(documentOf(seed))
      for (const options of [undefined, LOSSLESS, { useBigInt64: true }]) {
        const values = codec.decode(bytes, options)
        const again = codec.decode(codec.encode(values), options)
        assert.strictEqual(describe(again), describe(values))
      }
    }),

    'the size is known without encoding, and validate agrees': eachSeed(seed => {
      const doc = documentOf(seed)
      const bytes = codec.encode(doc)
      assert.strictEqual(codec.sizeOf(doc), bytes.length)
      assert.strictEqual(codec.validate(bytes), bytes.length)
    }),

    'encodeInto writes what encode gives': eachSeed(seed => {
      const doc = documentOf(seed)
      const bytes = codec.encode(doc)
      const target = Buffer.alloc(bytes.length + 20, 0xee)
      const offset = seed % 20
      assert.strictEqual(codec.encodeInto(doc, target, offset), offset + bytes.length)
      assert.ok(target.subarray(offset, offset + bytes.length).equals(bytes))
      assert.ok(target.subarray(0, offset).every(byte => byte === 0xee))
      assert.ok(target.subarray(offset + bytes.length).every(byte => byte === 0xee))
    }),

    'results stay what they are when others are made': t => {
      const docs = Array.from({ length: 2 * DOCUMENTS }, (_, seed) => documentOf(seed, 2))
      const all = docs.map(doc => codec.encode(doc))
      const copies = all.map(bytes => Buffer.from(bytes))
      const values = all.map(bytes => codec.decode(bytes))
      const texts = values.map(value => describe(value))
      for (const doc of docs) codec.encode(doc)
      for (const bytes of all) bytes.fill(0xff)
      assert.deepStrictEqual(values.map(value => describe(value)), texts)
      assert.deepStrictEqual(docs.map(doc => Buffer.from(codec.encode(doc))), copies)
      t.done()
    },

    'deep documents': t => {
      for (const levels of [90, 100, 110, 300, 500]) {
        const bytes = codec.encode(deepDocument(seededRandom(levels), types, levels))
        assert.ok(codec.encode(codec.decode(bytes, LOSSLESS)).equals(bytes), `${levels} levels`)
        assert.strictEqual(codec.validate(bytes), bytes.length)
        assert.strictEqual(codec.sizeOf(codec.decode(bytes, LOSSLESS)), bytes.length)
      }
      t.done()
    },

    'wide documents': t => {
      const wide = {}
      for (let i = 0; i < WIDTH; i++) wide[`key${i}`] = i
      const doc = { wide, list: Array.from({ length: WIDTH }, (_, i) => i), words: Array(WIDTH).fill('word') }
      assert.strictEqual(describe(codec.decode(codec.encode(doc))), describe(doc))
      assert.strictEqual(codec.sizeOf(doc), codec.encode(doc).length)
      t.done()
    },

    'any string, as key and as value': t => {
      fc.assert(
        fc.property(anyText(), anyText(), (key, value) => {
          const doc = setOwn({}, key.replaceAll('\0', ''), value)
          assert.strictEqual(describe(codec.decode(codec.encode(doc))), describe(doc))
          assert.strictEqual(codec.encode(doc).length, 12 + utf8(key.replaceAll('\0', '')) + utf8(value))
        })
      )
      t.done()
    },

    'any number, to the bit': t => {
      fc.assert(
        fc.property(fc.double(), number => {
          assert.ok(Object.is(codec.decode(codec.encode({ number })).number, number))
        })
      )
      t.done()
    },

    'any integer of 64 bits, to the bit': t => {
      fc.assert(
        fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), big => {
          const bytes = codec.encode({ big })
          assert.strictEqual(codec.decode(bytes, { useBigInt64: true }).big, big)
          assert.strictEqual(BigInt(codec.decode(bytes, { promoteLongs: false }).big.toString()), big)
          const promoted = codec.decode(bytes).big
          assert.strictEqual(BigInt(promoted.toString()), big)
          assert.strictEqual(typeof promoted, big >= -(2n ** 53n) && big <= 2n ** 53n ? 'number' : 'object')
        })
      )
      t.done()
    },

    'any JSON value': t => {
      fc.assert(
        fc.property(fc.dictionary(fc.string().map(key => key.replaceAll('\0', '')), fc.jsonValue()), doc => {
          assert.deepStrictEqual(codec.decode(codec.encode(doc)), { ...doc })
        })
      )
      t.done()
    },

    'any bytes': t => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 0, max: 255 }), (bytes, subtype) => {
          fc.pre(subtype !== 9)
          const { value } = codec.decode(codec.encode({ value: new types.Binary(bytes, subtype) }))
          assert.ok(Buffer.from(bytes).equals(value.buffer) && value.sub_type === subtype)
        })
      )
      t.done()
    }
  }
}

/** Slow documents: with one codec only, since learning does not concern them. */
function largeSuite(codec) {
  return {
    'levels beyond any stack are refused, and what is below the limit is not': t => {
      for (const open of [inner => ({ a: inner }), inner => [inner], inner => new Map([['a', inner]])]) {
        let doc = {}
        for (let i = 0; i < 900; i++) doc = open(doc)
        const bytes = codec.encode({ doc })
        assert.ok(codec.encode(codec.decode(bytes)).equals(bytes))
        for (let i = 0; i < LEVELS; i++) doc = open(doc)
        for (const maxDepth of [undefined, 1e9]) {
          assert.throws(() => codec.encode({ doc }, { maxDepth }), /^BSONError: document is nested deeper than/)
          assert.throws(() => codec.sizeOf({ doc }, { maxDepth }), /^BSONError: document is nested deeper than/)
        }
      }
      t.done()
    },

    'documents of more than 17 MB': t => {
      const doc = { text: 'é'.repeat(5e6), bytes: new types.Binary(Buffer.alloc(12e6, 7)), list: Array(300000).fill(1.5) }
      const bytes = codec.encode(doc)
      assert.strictEqual(codec.sizeOf(doc), bytes.length)
      const again = codec.decode(bytes)
      assert.ok(bytes.length > 24e6 && again.text === doc.text && again.bytes.buffer.equals(doc.bytes.buffer))
      assert.ok(codec.encode(again).equals(bytes))
      t.done()
    }
  }
}

function utf8(text) {
  return Buffer.byteLength(text)
}

module.exports = Object.fromEntries(codecs.map(codec => {
  const large = largeSuite(codec)
  return [codec.name, { ...suite(codec), ...(codec.name === 'compiled' ? large : onlyLong(large)) }]
}))
