'use strict'

// Against bson 7.3.4: the same bytes from the same values, the same values from the same bytes, and errors exactly
// where bson throws. Intended differences are in differences.js; all others are failures.

const assert = require('node:assert')
const bson = require('bson')
const { BSONError } = require('../lib/errors')
const types = require('../lib/types')
const { decodeDifferences, encodeDifferences } = require('./differences')
const { encodeCases, OwnError } = require('./fixtures/encode-cases')
const { valid } = require('./vectors')
const { decodeErrors } = require('./vectors-errors')
const { codecs } = require('./fixtures/codecs')
const { unhex } = require('./fixtures/bytes')
const { describe } = require('./fixtures/describe')
const { many } = require('./fixtures/long')
const { mutate } = require('./fixtures/mutate')
const { seededRandom, randomDocument, pick, below } = require('./fixtures/random-document')

/** Another seed gives other documents, mutations and options. */
const START = Number(process.env.QBSON_SEED) || 1
const DOCUMENTS = many(30, 500)
const MUTANTS = 12

/** So many failures are shown. */
const TOLD = 5

const FLAGS = [undefined, undefined, true, false]
const RAW_FIELDS = [undefined, undefined, {}, { items: true, tags: 1 }, { a: true, x: false }, { 0: true, name: true }]
const VALIDATIONS = [
  undefined,
  undefined,
  null,
  { utf8: true },
  { utf8: false },
  { utf8: { a: true, x: true } },
  { utf8: { a: false, x: false } },
  { utf8: { nothing: true } },
  { utf8: { nothing: false } }
]
const WRONG_VALIDATIONS = [{ utf8: {} }, { utf8: { a: true, b: false } }, { utf8: { a: 1 } }, { utf8: { a: true, b: 1 } }, {}, { utf8: null }, { utf8: 'yes' }]

function randomOptions(random) {
  if (random() < 0.1) return undefined
  const options = {
    promoteLongs: pick(random, FLAGS),
    promoteValues: pick(random, FLAGS),
    promoteBuffers: pick(random, FLAGS),
    useBigInt64: pick(random, FLAGS),
    bsonRegExp: pick(random, FLAGS),
    raw: random() < 0.1,
    fieldsAsRaw: pick(random, RAW_FIELDS),
    validation: random() < 0.05 ? pick(random, WRONG_VALIDATIONS) : pick(random, VALIDATIONS),
    allowObjectSmallerThanBufferSize: random() < 0.5
  }
  return random() < 0.5 ? Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) : options
}

/** Other bytes around a document, where the options allow it. */
function surround(random, bytes, options) {
  if (!options?.allowObjectSmallerThanBufferSize || random() < 0.4) return { bytes, options }
  const index = below(random, 4)
  const whole = Buffer.concat([Buffer.alloc(index, 0xfe), bytes, Buffer.alloc(below(random, 3), 1)])
  return { bytes: whole, options: { ...options, index } }
}

function outcome(run) {
  try {
    return { value: run() }
  } catch (error) {
    return { error }
  }
}

/** Throws unless both outcomes are the same or a difference explains them; counts in `seen`. */
function compare(ours, theirs, differences, seen, name) {
  assert.ok(ours.error === undefined || isExpected(ours.error, theirs.error), `not a BSONError: ${ours.error?.stack}`)
  if (ours.error && theirs.error) return count(seen, 'both err')
  if (!ours.error && !theirs.error && describe(ours.value) === describe(theirs.value)) return count(seen, 'same')
  const difference = differences.find(({ explains }) => explains(ours, theirs, name))
  if (difference) return count(seen, difference.name)
  throw new Error(`ours ${short(ours)}\n  bson ${short(theirs)}`)
}

/** A BSONError, or the error of a caller's own function, which must be passed on unchanged. */
function isExpected(error, theirs) {
  return error instanceof BSONError || (error instanceof OwnError && theirs instanceof OwnError)
}

/** Runs `run` while `object[key]` is `value`. */
function patched(object, key, value, run) {
  Object.defineProperty(object, key, { value, configurable: true })
  try {
    run()
  } finally {
    delete object[key]
  }
}

function count(seen, name) {
  seen.set(name, (seen.get(name) ?? 0) + 1)
}

function short({ value, error }) {
  const text = error ? `throws ${error.message}` : `gives ${describe(value)}`
  return text.length > 1500 ? text.slice(0, 1500) + '…' : text
}

function compareDecode(codec, bytes, options, seen) {
  try {
    compare(outcome(() => codec.decode(bytes, options)), outcome(() => bson.deserialize(bytes, options)), decodeDifferences, seen)
  } catch (error) {
    const bytesAndOptions = `${bytes.toString('hex').slice(0, 2000)} with ${describe(options)}`
    throw new Error(`${bytesAndOptions}:\n  ${error.message}`, { cause: error })
  }
}

/** Errors of several cases: the first few are enough. */
function gather(run) {
  const failures = []
  const attempt = check => {
    try {
      check()
    } catch (error) {
      failures.push(error.message)
    }
  }
  run(attempt)
  const told = failures.slice(0, TOLD).join('\n')
  assert.strictEqual(failures.length, 0, `${failures.length} differences that are not known:\n${told}`)
}

function suite(codec) {
  return {
    'the same bytes from the same values': t => {
      gather(attempt => {
        for (let seed = START; seed < START + DOCUMENTS; seed++) {
          const ours = randomDocument(seededRandom(seed), types)
          const theirs = randomDocument(seededRandom(seed), bson)
          const options = [undefined, { ignoreUndefined: false }, { serializeFunctions: true }][seed % 3]
          attempt(() => {
            const expected = Buffer.from(bson.serialize(theirs, options))
            assert.ok(codec.encode(ours, options).equals(expected), `seed ${seed}`)
            assert.ok(codec.encode(theirs, options).equals(expected), `seed ${seed}, of bson's classes`)
            assert.ok(Buffer.from(bson.serialize(ours, options)).equals(expected), `seed ${seed}, of our classes in bson`)
            assert.strictEqual(codec.sizeOf(ours, options), expected.length)
          })
        }
      })
      t.done()
    },

    'the same from odd values, or an error from both': t => {
      const seen = new Map()
      gather(attempt => {
        for (const { name, make, options } of encodeCases) {
          attempt(() => {
            try {
              const ours = outcome(() => codec.encode(make(types), options))
              compare(ours, outcome(() => bson.serialize(make(bson), options)), encodeDifferences, seen, name)
              if (ours.value) assert.strictEqual(codec.sizeOf(make(types), options), ours.value.length)
            } catch (error) {
              throw new Error(`${name}: ${error.message}`, { cause: error })
            }
          })
        }
      })
      patched(BigInt.prototype, 'toBSON', () => 'text', () => {
        const [ours, theirs] = [codec.encode, bson.serialize].map(encode => outcome(() => encode({ x: 1n })))
        compare(ours, theirs, encodeDifferences, seen, 'a bigint where bigints have a toBSON as field')
      })
      for (const { name } of encodeDifferences) t.ok(seen.has(name), `nothing showed the difference ${name}`)
      t.done()
    },

    'the same values from the same bytes, with every combination of options': t => {
      const seen = new Map()
      gather(attempt => {
        for (let seed = START; seed < START + DOCUMENTS; seed++) {
          const random = seededRandom(seed)
          const document = Buffer.from(bson.serialize(randomDocument(random, bson)))
          for (let i = 0; i < 4; i++) {
            const { bytes, options } = surround(random, document, randomOptions(random))
            attempt(() => compareDecode(codec, bytes, options, seen))
          }
        }
      })
      t.ok(seen.get('same') > DOCUMENTS * 2)
      t.done()
    },

    'the rows of the tables': t => {
      const seen = new Map()
      gather(attempt => {
        for (const { hex, options } of [...valid, ...decodeErrors]) {
          attempt(() => compareDecode(codec, unhex(hex), options, seen))
          attempt(() => compareDecode(codec, unhex(hex), { ...options, bsonRegExp: true, promoteValues: false }, seen))
          attempt(() => compareDecode(codec, unhex(hex), { ...options, validation: { utf8: false } }, seen))
        }
        const named = Buffer.from(bson.serialize({ constructor: [{ a: 1 }], items: [{ a: 1 }] }))
        for (const fieldsAsRaw of [{}, { items: true }, { constructor: true }]) {
          attempt(() => compareDecode(codec, named, { fieldsAsRaw }, seen))
        }
        const dotted = Buffer.from(bson.serialize({ file: { $ref: 'fs.files', $id: 1 } }))
        attempt(() => compareDecode(codec, dotted, {}, seen))
      })
      for (const { name } of decodeDifferences) t.ok(seen.has(name), `no row shows the difference ${name}`)
      t.done()
    },

    'mutated bytes give the same values or an error from both': t => {
      const seen = new Map()
      gather(attempt => {
        for (let seed = START; seed < START + DOCUMENTS; seed++) {
          const random = seededRandom(seed)
          const document = Buffer.from(bson.serialize(randomDocument(random, bson, 2)))
          for (let i = 0; i < MUTANTS; i++) {
            const options = random() < 0.4 ? undefined : randomOptions(random)
            const mutant = surround(random, mutate(random, document), options)
            attempt(() => compareDecode(codec, mutant.bytes, mutant.options, seen))
          }
        }
      })
      t.ok(seen.get('both err') > DOCUMENTS && seen.get('same') > DOCUMENTS, describe([...seen]))
      t.done()
    }
  }
}

module.exports = Object.fromEntries(codecs.map(codec => [codec.name, suite(codec)]))
