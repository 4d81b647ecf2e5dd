'use strict'

// Accidental and hostile input. For any input the result is a value or a BSONError, in time; no prototype is changed;
// the encoder works afterwards; and every codec does what the generic one does.
//
// QBSON_SEED changes the input, QBSON_FUZZ_SECONDS the time.

const assert = require('node:assert')
const { BSONError } = require('../lib/errors')
const types = require('../lib/types')
const { checkEncode } = require('./fixtures/adversaries')
const { codecs, functionsOf, generic, learningCodec } = require('./fixtures/codecs')
const { unhex, frame, int32, cstring } = require('./fixtures/bytes')
const { describe } = require('./fixtures/describe')
const { many } = require('./fixtures/long')
const { mutate } = require('./fixtures/mutate')
const { outcome, told } = require('./fixtures/outcome')
const { ODD_KEYS, seededRandom, below, pick, randomBytes, randomDocument, randomKey, setOwn } = require('./fixtures/random-document')

const SEED = Number(process.env.QBSON_SEED) || 1
const MS = 1000 * (Number(process.env.QBSON_FUZZ_SECONDS) || many(0.2, 5))

/** The longest time for a call. */
const HANG_MS = 5000

/** Random input of every kind. */
const SMALL = frame('106100 01000000')

const READ_OPTIONS = [
  undefined,
  { promoteValues: false },
  { bsonRegExp: true },
  { useBigInt64: true },
  { validation: { utf8: false } },
  { raw: true }
]

const HOSTILE_KEYS = [
  ...ODD_KEYS, 'prototype', '__defineGetter__', '__lookupSetter__', 'isPrototypeOf', 'arguments', 'caller', 'eval', 'new', 'class', 'this',
  'null', 'toBSON', 'toJSON', '_id', '$ref', '$id', '$db', '});process.exit(1);({', '"+process.exit(1)+"', '`+process.exit(1)+`', '\\u0022',
  "\\'", '\\"', '//\n', '/*', '-->', '<!--', '\ud83d', '4294967295', '4294967294', '1e21', '-0', 'NaN', 'x'.repeat(10000), '"'.repeat(10000), '\u2028'.repeat(3000)
]

const prototypes = [Object.prototype, Array.prototype, Function.prototype, Map.prototype, Buffer.prototype, types.ObjectId.prototype]
const untouched = prototypes.map(describePrototype)

function describePrototype(prototype) {
  return Reflect.ownKeys(prototype).map(key => String(key)).join()
}

/** Runs `round(i)` until the share of time is over. */
function forAWhile(share, round) {
  const end = Date.now() + MS * share
  let i = 0
  do {
    for (let k = 0; k < 20; k++) round(i++)
  } while (Date.now() < end)
  return i
}

/** The outcome, which must be a value or a BSONError within the time limit. */
function attempt(run) {
  const start = Date.now()
  const result = outcome(run)
  assert.ok(result.error === undefined || result.error instanceof BSONError, `not a BSONError: ${result.error?.stack}`)
  assert.ok(Date.now() - start < HANG_MS, `it took ${Date.now() - start} ms`)
  return result
}

/** Decodes with a codec and with the generic one, and validates: all agree. */
function checkBytes(codec, bytes, options) {
  const result = attempt(() => codec.decode(bytes, options))
  const hex = () => `seed ${SEED}: ${Buffer.from(bytes).toString('hex').slice(0, 3000)} with ${describe(options)}`
  if (codec !== generic) assert.strictEqual(told(result), told(outcome(() => generic.decode(bytes, options))), hex())
  const validated = attempt(() => codec.validate(bytes, options))
  // decode does not look into what stays bytes.
  if (!options?.raw) assert.strictEqual(validated.error?.message, result.error?.message, hex())
  if (result.error) assert.ok(result.error.offset >= 0 && result.error.offset <= bytes.length, hex())
  return result
}

/** Encodes with a codec and with the generic one: both agree, and the size is right. */
function checkValue(codec, make, options) {
  const result = outcome(() => codec.encode(make(), options))
  if (codec !== generic) assert.strictEqual(told(result), told(outcome(() => generic.encode(make(), options))), `seed ${SEED}`)
  if (result.value) assert.strictEqual(codec.sizeOf(make(), options), result.value.length, `seed ${SEED}`)
  assert.ok(codec.encode({ a: 1 }).equals(unhex(SMALL)))
  return result
}

function bytesSuite(codec) {
  return {
    'random bytes': t => {
      const random = seededRandom(SEED)
      const rounds = forAWhile(0.15, () => {
        const bytes = randomBytes(random, 5 + below(random, 60))
        if (random() < 0.9) bytes.writeInt32LE(bytes.length)
        if (random() < 0.9) bytes[bytes.length - 1] = 0
        checkBytes(codec, bytes)
      })
      t.ok(rounds > 0)
      t.done()
    },

    'random elements': t => {
      const random = seededRandom(SEED + 1)
      const kinds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 127, 255]
      const value = () => randomBytes(random, below(random, 20)).toString('hex')
      const element = () => pick(random, kinds).toString(16).padStart(2, '0') + cstring(randomKey(random)) + value()
      forAWhile(0.1, () => checkBytes(codec, unhex(frame(element() + (random() < 0.5 ? element() : '')))))
      t.done()
    },

    'documents with changes': t => {
      const random = seededRandom(SEED + 2)
      let document
      const counts = { values: 0, errors: 0 }
      forAWhile(0.3, i => {
        if (i % 20 === 0) document = generic.encode(randomDocument(random, types, 2))
        const options = pick(random, READ_OPTIONS)
        const { value } = checkBytes(codec, mutate(random, document), options)
        counts[value ? 'values' : 'errors']++
      })
      t.ok(counts.values > 0 && counts.errors > 0)
      t.done()
    }
  }
}

/** `{ [key]: 1 }` as bytes. */
function bytesWith(keys) {
  return unhex(frame(keys.map(key => `10${cstring(key)}01000000`).join('')))
}

const LEARNING = many(24, 40)

/** Of a document that is learned. */
const MOST_FIELDS = 20

function keySuite(codec) {
  return {
    'hostile keys, alone and often': t => {
      const often = key => {
        for (let i = 0; i < LEARNING; i++) {
          const { value } = checkBytes(codec, bytesWith([key]))
          assert.deepStrictEqual(Object.getOwnPropertyNames(value), [key.toWellFormed?.() ?? key])
          checkValue(codec, () => setOwn({}, key, i))
        }
      }
      const made = functionsOf(() => HOSTILE_KEYS.forEach(often))
      assert.ok(codec.name !== 'compiled' || made > 0.75 * HOSTILE_KEYS.length, `${made} readers`)
      t.done()
    },

    'hostile keys, together, in any order, nested, twice': t => {
      const random = seededRandom(SEED + 3)
      forAWhile(0.1, () => {
        const keys = Array.from({ length: 1 + below(random, 6) }, () => pick(random, HOSTILE_KEYS))
        const make = () => keys.reduce((inner, key) => setOwn(setOwn({}, key, inner), pick(seededRandom(1), keys), 1), {})
        for (let i = 0; i < 5; i++) {
          checkBytes(codec, bytesWith(keys))
          checkBytes(codec, bytesWith([...keys, ...keys]))
          const { value } = checkValue(codec, make)
          checkBytes(codec, value)
        }
      })
      t.done()
    },

    'keys that are never the same': t => {
      let n = SEED
      forAWhile(0.1, i => {
        const doc = {}
        for (let k = 0; k < 5 + (i % 50); k++) setOwn(doc, `key${n++}`, k)
        const { value } = checkValue(codec, () => doc)
        assert.strictEqual(describe(checkBytes(codec, value).value), describe(doc))
      })
      t.done()
    },

    'numeric keys and array-like documents': t => {
      for (let i = 0; i < LEARNING; i++) {
        for (const keys of [['0', '1', '2'], ['2', '1', '0'], ['1', 'a', '0'], ['01', '1'], ['4294967295', '4294967294', '0'], ['-1', '1.5', '1']]) {
          checkBytes(codec, bytesWith(keys))
          checkValue(codec, () => Object.fromEntries(keys.map(key => [key, 1])))
        }
      }
      t.done()
    }
  }
}

class OwnError extends Error {}

/** Documents that do something while they are encoded. `done` checks the result. */
const HOSTILE_VALUES = {
  'a getter that throws': () => ({ a: 1, get b() { throw new OwnError() } }),
  'a getter that throws no error': () => ({ a: 1, get b() { throw undefined } }),
  'a getter that adds a key': () => ({ get a() { this.z = 1; return 1 }, b: 2 }),
  'a getter that removes a key': () => ({ get a() { delete this.b; return 1 }, b: 2, c: 3 }),
  'a getter that gives another type each time': () => { let n = 0; return { get a() { return [1, 'x', null, {}][n++ % 4] } } },
  'toBSON that throws': () => ({ a: { toBSON() { throw new OwnError() } } }),
  'toBSON that is a getter that throws': () => ({ a: { get toBSON() { throw new OwnError() } } }),
  'an array that shrinks': () => { const list = [{ get a() { list.length = 1; return 1 } }, 2, 3]; return { list } },
  'a Map that shrinks': () => { const map = new Map([['a', { get x() { map.delete('b'); return 1 } }], ['b', 2]]); return { map } },
  'a Proxy whose traps throw': () => ({ a: new Proxy({}, { ownKeys() { throw new OwnError() } }) }),
  'a Proxy whose get throws': () => ({ a: new Proxy({ b: 1 }, { get() { throw new OwnError() } }) }),
  'a Proxy without a prototype': () => ({ a: new Proxy({ b: 1 }, { getPrototypeOf: () => null }) }),
  'a Proxy that lies about its keys': () => ({ a: new Proxy({ b: 1 }, { ownKeys: () => ['x', 'y', 'b'] }) }),
  'a Proxy of a Date': () => ({ a: new Proxy(new Date(5), {}) }),
  'a Proxy of a Map': () => ({ a: new Proxy(new Map(), {}) }),
  'a Proxy of an ObjectId': () => ({ a: new Proxy(new types.ObjectId('0123456789abcdef01234567'), {}) }),
  'an endless toBSON': () => { const make = () => ({ toBSON: make }); return { a: make() } },
  'an endless prototype chain': () => { let o = {}; for (let i = 0; i < 10000; i++) o = Object.create(o); return { a: o } },
  'a Date whose getTime is not a number': () => ({ a: Object.assign(new Date(), { getTime: () => 'now' }) }),
  'a Date whose getTime is out of range': () => ({ a: Object.assign(new Date(), { getTime: () => 1e300 }) }),
  'a Date by name only': () => ({ a: { [Symbol.toStringTag]: 'Date' } }),
  'a Date by name only, of a class': () => ({ a: new (class { get [Symbol.toStringTag]() { return 'Date' } })() }),
  'a RegExp by name only, of a class': () => ({ a: new (class { get [Symbol.toStringTag]() { return 'RegExp' } })() }),
  'a Map by name only, of a class': () => ({ a: new (class { get [Symbol.toStringTag]() { return 'Map' } })() }),
  'an ArrayBuffer by name only, of a class': () => ({ a: new (class { get [Symbol.toStringTag]() { return 'ArrayBuffer' } })() }),
  'a Uint8Array by name only, of a class': () => ({ a: new (class { get [Symbol.toStringTag]() { return 'Uint8Array' } })() }),
  'a RegExp whose source is no string': () => ({ a: Object.defineProperty(/a/, 'source', { value: 5 }) }),
  'every type of value by name only': () => Object.fromEntries(
    ['ObjectId', 'Long', 'Double', 'Int32', 'Decimal128', 'Binary', 'Code', 'BSONRegExp', 'BSONSymbol', 'DBRef', 'Timestamp', 'MinKey', 'MaxKey'].map(name => [name, named(name)])
  ),
  'a detached buffer': () => { const bytes = new Uint8Array(8); structuredClone(bytes.buffer, { transfer: [bytes.buffer] }); return { bytes } },
  'a sparse array': () => ({ list: Object.assign([], { 5000: 1 }) })
}

/** An instance that claims to be a BSON value but has none of its fields. */
function named(name) {
  return new (class {
    get _bsontype() {
      return name
    }
  })()
}

for (const name of ['ObjectId', 'ObjectID', 'Long', 'Double', 'Int32', 'Decimal128', 'Binary', 'UUID', 'Code', 'BSONRegExp', 'BSONSymbol', 'Symbol', 'DBRef', 'Timestamp', 'Nothing']) {
  HOSTILE_VALUES[`${name} by name only`] = () => ({ a: named(name) })
}

function isAllowed(error) {
  return error instanceof BSONError || error instanceof OwnError || error === undefined
}

function valueSuite(codec) {
  return {
    'hostile values': t => {
      const wrong = []
      for (const [name, make] of Object.entries(HOSTILE_VALUES)) {
        for (let i = 0; i < 3; i++) {
          const result = outcome(() => codec.encode(make()))
          if (!isAllowed(result.error)) wrong.push(`${name}: ${result.error.stack.split('\n').slice(0, 3).join(' ')}`)
          const size = outcome(() => codec.sizeOf(make()))
          if (!isAllowed(size.error)) wrong.push(`${name}, sizeOf: ${size.error.stack.split('\n').slice(0, 3).join(' ')}`)
          if (result.value && outcome(() => codec.decode(result.value)).error) wrong.push(`${name}: wrong bytes`)
          assert.ok(codec.encode({ a: 1 }).equals(unhex(SMALL)), name)
          if (codec !== generic) assert.strictEqual(told(result), told(outcome(() => generic.encode(make()))), name)
        }
      }
      t.strictEqual(wrong.length, 0, [...new Set(wrong)].join('\n'))
      t.done()
    },

    'toBSON that encodes, on every level': t => {
      const inner = { x: 'inner'.repeat(2000), y: [1, 2, 3] }
      const expected = generic.encode(inner)
      const answers = []
      const encodes = depth => ({
        toBSON() {
          answers.push(codec.encode(depth > 0 ? { again: encodes(depth - 1) } : inner))
          return { depth }
        }
      })
      const bytes = codec.encode({ before: 'b'.repeat(100), a: encodes(5), after: 'c'.repeat(10000) })
      assert.deepStrictEqual(codec.decode(bytes), { before: 'b'.repeat(100), a: { depth: 5 }, after: 'c'.repeat(10000) })
      assert.ok(answers[0].equals(expected))
      answers.slice(1).forEach((answer, i) => assert.deepStrictEqual(codec.decode(answer), { again: { depth: i } }))
      t.strictEqual(answers.length, 6)
      t.done()
    },

    'a getter that decodes and encodes': t => {
      const doc = { a: 1, get b() { return codec.decode(codec.encode({ c: this.a })).c }, d: 2 }
      assert.deepStrictEqual(codec.decode(codec.encode(doc)), { a: 1, b: 1, d: 2 })
      t.done()
    },

    'nested calls that fail': t => {
      const failing = { toBSON() { try { codec.encode({ a: 10n ** 30n }) } catch { return 'failed' } return 'no error' } }
      for (let i = 0; i < 50; i++) assert.deepStrictEqual(codec.decode(codec.encode({ i, failing })), { i, failing: 'failed' })
      t.done()
    },

    'prototypes with enumerable properties': t => {
      const names = ['evil', 'raw', 'promoteValues', 'useBigInt64', 'index', 'bsonRegExp', 'fieldsAsRaw', 'validation']
      const { value: clean } = checkValue(codec, () => ({ a: { b: [1, { c: 'x' }] }, d: new Date(5), e: 5n }))
      try {
        for (const name of names) setOwn(Object.prototype, name, { x: 1 })
        setOwn(Array.prototype, 'more', 1)
        const bytes = codec.encode({ a: { b: [1, { c: 'x' }] }, d: new Date(5), e: 5n })
        assert.ok(bytes.equals(clean))
        for (const options of [undefined, {}]) {
          assert.deepStrictEqual(Object.keys(codec.decode(clean, options)), ['a', 'd', 'e'])
          assert.strictEqual(codec.decode(clean, options).e, 5)
          assert.deepStrictEqual(Object.keys(codec.decode(clean, options).a.b[1]), ['c'])
        }
        assert.strictEqual(codec.validate(clean), clean.length)
      } finally {
        for (const name of names) delete Object.prototype[name]
        delete Array.prototype.more
      }
      t.done()
    },

    'a deep document that is wrong at its end': t => {
      for (const levels of [50, 99, 100, 101, 999]) {
        const { error } = checkBytes(codec, wrongAtItsEnd(levels))
        assert.ok(error.message.startsWith('illegal boolean type value'), error.message)
        assert.ok(error.path.startsWith('a.a.a') && error.path.endsWith('a.x'), error.path)
        assert.ok(error.path.length < 1000)
      }
      t.done()
    },

    'a deep cycle': t => {
      const end = { list: [] }
      let doc = end
      for (let i = 0; i < 400; i++) doc = { doc }
      end.list.push(doc)
      const start = Date.now()
      const { error } = checkValue(codec, () => doc)
      assert.ok(error instanceof BSONError && error.message.startsWith('Cannot convert circular structure to BSON'))
      assert.ok(typeof error.path === 'string' && Date.now() - start < HANG_MS)
      assert.ok(outcome(() => codec.sizeOf(doc)).error instanceof BSONError)
      t.done()
    },

    'the same object many times is no cycle': t => {
      const shared = { x: [1] }
      const doc = { a: shared, b: [shared, shared], c: { d: shared } }
      assert.deepStrictEqual(codec.decode(codec.encode(doc)), doc)
      t.done()
    },

    'an array that no document can hold': t => {
      const { error } = attempt(() => codec.encode({ list: new Array(2 ** 32 - 1) }))
      assert.ok(error instanceof BSONError)
      assert.ok(attempt(() => codec.sizeOf({ list: new Array(2 ** 32 - 1) })).error instanceof BSONError)
      t.done()
    },

    'a long list, and a document of many keys': t => {
      const list = Array.from({ length: 30_000 }, (_, i) => (i % 3 === 0 ? i : i % 3 === 1 ? `s${i}` : null))
      const { value } = checkValue(codec, () => ({ list }))
      assert.deepStrictEqual(checkBytes(codec, value).value, { list })
      t.done()
    }
  }
}

/** `{ a: { a: … { x: an invalid boolean } } }` */
function wrongAtItsEnd(levels) {
  const inner = unhex(frame('08780002'))
  const heads = Array.from({ length: levels }, (_, i) => unhex(int32(inner.length + 8 * (levels - i)) + '036100'))
  return Buffer.concat([...heads, inner, Buffer.alloc(levels)])
}

module.exports = {
  ...Object.fromEntries(
    codecs.map(codec => [codec.name, { bytes: bytesSuite(codec), keys: keySuite(codec), values: valueSuite(codec) }])
  ),
  'hostile keys that generated code writes': t => {
    for (let from = 0; from < HOSTILE_KEYS.length; from += MOST_FIELDS) {
      const codec = learningCodec(true)
      const make = () => HOSTILE_KEYS.slice(from, from + MOST_FIELDS).reduce((doc, key, i) => setOwn(doc, key, i), {})
      const made = functionsOf(() => { for (let i = 0; i < LEARNING; i++) checkEncode(codec, make) })
      assert.ok(made > 0, `no writer of ${describe(make()).slice(0, 200)}`)
    }
    t.done()
  },

  'no prototype was touched': t => {
    assert.deepStrictEqual(prototypes.map(describePrototype), untouched)
    assert.deepStrictEqual(Object.keys(Object.prototype), [])
    t.done()
  }
}
