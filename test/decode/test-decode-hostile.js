'use strict'

// Documents made to cost more than their size: to be read again at every level, to fill the learned state, to affect
// another decode, to stay in memory. Work is measured by counting the objects created.

const assert = require('node:assert')
const path = require('node:path')
const { execFileSync } = require('node:child_process')
const bson = require('bson')
const { decode, deserialize, encode, BSONError } = require('../../qbson')
const { learningCodec, functionsOf } = require('../fixtures/codecs')
const { assertBelow } = require('../fixtures/cost')
const { describe } = require('../fixtures/describe')
const { onlyLong } = require('../fixtures/long')
const { outcome } = require('../fixtures/outcome')
const { seededRandom, below, pick } = require('../fixtures/random-document')
const { frame, element, int32, many, nested } = require('../../fuzz/families/parts')
const { colliding } = require('../../fuzz/families/collisions')

const times = (n, make) => Array.from({ length: n }, (_, i) => make(i))

/** What the official driver passes. */
const driver = () => ({
  fieldsAsRaw: {}, useBigInt64: false, promoteLongs: true, promoteValues: true, promoteBuffers: false, bsonRegExp: false, raw: false,
  allowObjectSmallerThanBufferSize: true, index: 0, validation: { utf8: { writeErrors: false } }
})

/** The dates that a call creates: each is eight bytes that have been decoded. */
function datesOf(run) {
  const { Date: Original } = globalThis
  let created = 0
  globalThis.Date = class extends Original {
    constructor(...args) {
      super(...args)
      created++
    }
  }
  try {
    run()
    return created
  } finally {
    globalThis.Date = Original
  }
}

/** The dates in a value. */
function countDates(value) {
  if (value instanceof Date) return 1
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum, inner) => sum + countDates(inner), 0)
}

const at = new Date(5)
const trained = depth => times(depth, () => 0).reduce(list => [list], [at])
const longer = depth => times(depth, () => 0).reduce(list => [list, [[at], [], []]], [at])
const extra = depth => times(depth, () => 0).reduce(x => ({ x: [x, ...times(18, () => ({ x: [] }))], $z: at }), { x: [at] })

/** Documents by what they do to the learned state. */
const attacks = {
  'arrays that are longer than those before, at every level': depth => encode({ a: [...times(130, () => trained(depth)), longer(depth)] }),
  'a key more behind nested documents, at every level': depth => {
    return encode({ x: [...times(300, () => ({ x: times(3, () => ({ x: [] })) })), extra(depth)] })
  },
  'a key with a dollar behind nested documents, at every level': depth => nested(depth, 'x', {
    after: element(0x10, '$z', int32(1)), innermost: encode({ dates: times(20, () => at) })
  }),
  'a value of another type at every level': depth => {
    return encode(times(depth, i => i).reduce((inner, i) => ({ at, inner, last: [1, 'x', null, at, [1]][i % 5] }), {}))
  },
  'other keys at every level': depth => encode(times(depth, i => i).reduce((inner, i) => ({ [`k${i % 7}`]: at, inner, [`z${i % 5}`]: at }), {}))
}

/** Fields, one of them nested: as learned, or with something else at each level. */
const KEYS = ['a', 'b', 'name', 'at', 'z']
function nestedDates(depth, key, random) {
  const inner = depth === 0 ? at : nestedDates(depth - 1, key, random)
  const doc = Object.fromEntries(KEYS.map(name => [name, name === key ? inner : at]))
  switch (random === null ? 0 : below(random, 8)) {
    case 1: return { ...doc, $z: at }
    case 2: return { ...doc, [`extra${below(random, 3)}`]: at }
    case 3: return Object.fromEntries(Object.entries(doc).reverse())
    case 4: return { ...doc, [key]: [inner, at] }
    case 5: return { $ref: 'c', $id: at, ...doc }
    case 6: return { ...doc, a: below(random, 2) ? [[at], 1] : 'x' }
    case 7: return Object.fromEntries(Object.entries(doc).filter(([name]) => name === key || name === 'at'))
    default: return doc
  }
}

const readers = { decode, deserialize: bytes => deserialize(bytes, driver()), 'decode, bigints': bytes => decode(bytes, { useBigInt64: true }) }

/** Runs a script that may call the garbage collector; returns what it prints. */
function apart(script) {
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', '-e', script], { cwd: path.join(__dirname, '..', '..'), encoding: 'utf8' }))
}

const COLLECT = `const used = () => {
  for (let i = 0; i < 4; i++) gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
};`

module.exports = {
  ...Object.fromEntries(Object.entries(attacks).flatMap(([what, make]) => Object.entries(readers).map(([name, read]) => {
    return [`${name}: ${what}: nothing is decoded twice`, t => {
      for (const depth of [2, 4, 8, 16, 22, 60, 98]) {
        const bytes = make(depth)
        const dates = countDates(read(bytes))
        for (let i = 0; i < 5; i++) {
          const created = datesOf(() => read(bytes))
          assert.ok(created <= 2 * dates, `depth ${depth}, ${bytes.length} bytes: ${created} dates for ${dates}`)
        }
      }
      t.done()
    }]
  }))),

  'nothing is decoded twice where functions have been compiled, whatever departs from them at every level': t => {
    const random = seededRandom(Number(process.env.QBSON_SEED) || 1)
    let codec
    const made = functionsOf(() => {
      codec = learningCodec(true)
      for (const key of KEYS) for (let i = 0; i < 300; i++) codec.decode(encode(nestedDates(4, key, null)))
    })
    assert.ok(made >= KEYS.length, `${made} functions compiled`)
    for (const depth of [1, 4, 12, 24, 60, 98, 150, 230]) {
      for (const key of KEYS) {
        const bytes = encode(nestedDates(depth, key, random))
        const dates = countDates(bson.deserialize(bytes))
        for (let i = 0; i < 5; i++) assert.strictEqual(datesOf(() => codec.decode(bytes)), dates, `depth ${depth}, ${key}`)
      }
    }
    t.done()
  },

  'names of the same hash, in turn, stay the names that they are, and go on being read': t => {
    const codec = learningCodec(true)
    const documents = times(600, i => encode({ first: 1, [colliding(i)]: 2, [colliding(i + 1)]: { [colliding(i + 2)]: 3 }, last: 4 }))
    for (let round = 0; round < 5; round++) {
      for (const bytes of documents) assert.strictEqual(describe(codec.decode(bytes)), describe(bson.deserialize(bytes)))
    }
    for (const one of ['costarring', 'liquid', 'declinate', 'macallums', 'altarage', 'zinke']) {
      const doc = { first: 1, [one]: 2, last: 3 }
      for (let i = 0; i < 50; i++) assert.deepStrictEqual(codec.decode(encode(doc)), doc)
    }
    t.done()
  },

  'a collection of ever new shapes does not stop others from being fast': t => {
    const script = `
      const { decode, encode } = require('./qbson')
      const attack = process.argv[1] === 'attack'
      const address = { street: 'Main', zip: 12345 }
      const doc = i => ({ _id: i, name: 'user ' + i, email: 'someone@example.org', age: i % 100, tags: ['x', 'y'], address })
      const time = run => { const start = process.cpuUsage(); run(); const { user, system } = process.cpuUsage(start); return user + system }
      if (attack) {
        const list = []
        for (let s = 0; s < 1300; s++) for (let k = 0; k < 11; k++) list.push({ ['a' + (s % 60)]: 1, ['b' + ((s / 60) | 0)]: 1 })
        const bytes = encode({ list })
        decode(bytes); encode(decode(bytes))
        for (let i = 0; i < 20000; i++) { const d = { ['n' + (i >> 1)]: 1, ['m' + (i >> 1)]: { ['o' + (i >> 1)]: 1 } }; decode(encode(d)) }
      }
      const docs = Array.from({ length: 100 }, (_, i) => doc(i)); const all = docs.map(d => encode(d))
      const once = () => { for (const bytes of all) decode(bytes); for (const d of docs) encode(d) }
      for (let r = 0; r < 200; r++) once()
      console.log(Math.min(...Array.from({ length: 30 }, () => time(once))))`
    const run = argument => Number(execFileSync(process.execPath, ['-e', script, argument], { cwd: path.join(__dirname, '..', '..'), encoding: 'utf8' }))
    assertBelow(1.6, () => run('attack') / run('none'), 'the time after the attack, by that without')
    t.done()
  },

  'keys that have given way are not kept by others': t => {
    const grown = apart(`${COLLECT}
      const { decode } = require('./qbson')
      const { frame, element, int32 } = require('./fuzz/families/parts')
      // 'Aa' and 'BB' have one hash, and so have all names made of them.
      const pairs = n => [...n.toString(2).padStart(10, '0')].map(bit => bit === '1' ? 'Aa' : 'BB').join('')
      decode(frame(Buffer.alloc(0)))
      const before = used()
      for (let i = 1; i <= 20; i++) {
        const names = ['head' + i, ...Array.from({ length: 1000 }, (_, n) => i + pairs(n))]
        const order = names.flatMap((name, k) => k < 2 ? [name, name, names[0], name] : [name, names[k - 1], name])
        decode(frame(Buffer.concat(order.map(name => element(0x10, name, int32(1))))))
      }
      console.log(used() - before)`)
    t.ok(grown < 2 << 20, `${grown} bytes after 20 documents of 90 kB`)
    t.done()
  },

  ...onlyLong({ 'shapes that are seen often and never again do not stay': t => {
    const grown = apart(`${COLLECT}
      const { decode, encode } = require('./qbson')
      const shape = n => Object.fromEntries(Array.from({ length: 24 }, (_, k) => [n + '_' + k + 'x'.repeat(120), k % 2 ? k : { a: [1] }]))
      const meet = n => { const bytes = encode(shape(n)); for (let r = 0; r < 60; r++) { decode(bytes); if (r < 20) encode(shape(n)) } }
      for (let n = 0; n < 150; n++) meet(n)
      const before = used()
      for (let n = 150; n < 900; n++) meet(n)
      console.log(used() - before)`)
    t.ok(grown < 8 << 20, `${grown} bytes after 750 shapes`)
    t.done()
  } }),

  'a setter on Object.prototype that decodes reaches into nothing': t => {
    const other = encode({ zzzz: 'OTHER'.repeat(10), n: [1, 2, 3], m: 'OTHER'.repeat(9), evil: 1 })
    const bytes = encode({ a: 'first string value', evil: 1, b: 'second string value', c: { d: 'third string value' }, e: 5 })
    for (let i = 0; i < 300; i++) decode(i % 2 ? other : bytes)
    let depth = 0
    Object.defineProperty(Object.prototype, 'evil', {
      configurable: true,
      get: () => undefined,
      set() {
        if (depth++ < 3) decode(other)
        depth--
      }
    })
    try {
      const learned = decode(bytes)
      const plain = learningCodec(true).decode(bytes)
      for (const result of [learned, plain]) {
        t.deepStrictEqual([result.a, result.b, result.c.d, result.e], ['first string value', 'second string value', 'third string value', 5])
      }
    } finally {
      delete Object.prototype.evil
    }
    t.done()
  },

  'bytes that are changed while they are read end in a value or a BSONError, as shared memory may be': t => {
    const parts = { names: { a: 1, b: 2 }, documents: [{ a: 1 }, { a: 2 }], ints: Array(300).fill(7), doubles: Array(300).fill(0.5), texts: Array(300).fill('text') }
    const random = seededRandom(Number(process.env.QBSON_SEED) || 1)
    let changes = 0
    for (const [name, part] of Object.entries(parts)) {
      const whole = encode({ evil: new Date(1), part, more: part, last: 'x'.repeat(9000) })
      for (const known of [whole, encode({ evil: new Date(1), part, other: 'x'.repeat(9000) })]) {
        const codec = known === whole ? learningCodec(false) : learningCodec(true)
        for (let i = 0; i < 5; i++) codec.decode(known)
        for (let round = 0; round < 40; round++) {
          const bytes = Buffer.from(whole)
          const from = 18 + below(random, round < 20 ? 30 : whole.length - 18)
          const set = () => {
            changes++
            bytes.fill(pick(random, [0x01, 0x02, 0x03, 0x04, 0x10, 0x41, 0xff]), from)
          }
          const { Date } = globalThis
          globalThis.Date = class extends Date { constructor(ms) { super(ms); set() } }
          try {
            const { error } = outcome(() => codec.decode(bytes))
            t.ok(error === undefined || error.name === 'BSONError', `${name}: ${error}`)
          } finally {
            globalThis.Date = Date
          }
        }
      }
    }
    t.strictEqual(changes, 400)
    t.done()
  },

  'a setter on Object.prototype is never called, nor does a read-only property hide a field': t => {
    const bytes = encode({ first: 1, evil: 1, list: [{ evil: 2 }], rest: 'x'.repeat(1000) })
    const small = encode({ first: 1, evil: 1 })
    const expected = [bytes, small].map(one => JSON.stringify(bson.deserialize(one)))
    const set = () => { throw new RangeError('mine') }
    for (const property of [{ get: () => undefined, set }, { value: 7, writable: false }]) {
      for (const codec of [learningCodec(true), learningCodec(false)]) {
        for (let i = 0; i < 50; i++) codec.decode(small)
        Object.defineProperty(Object.prototype, 'evil', { configurable: true, ...property })
        try {
          t.deepStrictEqual([bytes, small].map(one => JSON.stringify(codec.decode(one))), expected)
        } finally {
          delete Object.prototype.evil
        }
      }
    }
    t.done()
  },

  'no maxDepth is a way around the limit of the stack, and 10 is a limit': t => {
    const bytes = nested(50_000, 'a')
    for (const maxDepth of [NaN, undefined, null, Infinity, -1, '10', 10]) {
      try {
        decode(bytes, /** @type {any} */ ({ maxDepth }))
      } catch (error) {
        assert.ok(error instanceof BSONError, `maxDepth ${maxDepth}: ${error}`)
      }
    }
    const eleven = nested(10, 'a')
    for (let i = 0; i < 3000; i++) decode(eleven)
    t.throws(() => decode(eleven, { maxDepth: 10 }), BSONError)
    decode(eleven, { maxDepth: 11 })
    t.done()
  },

  'a string that is kept does not keep its document': t => {
    const bytesEach = apart(`${COLLECT}
      const { decode, encode } = require('./qbson')
      const run = size => {
        const keep = []
        for (let i = 0; i < 1000; i++) decode(encode({ mail: 'someone' + (1e6 + i) + '@example', pad: 'x'.repeat(size) }))
        const before = used()
        for (let i = 0; i < 5000; i++) keep.push(decode(encode({ mail: 'someone' + (1e6 + i) + '@example', pad: 'x'.repeat(size) })).mail)
        return (used() - before) / keep.length
      }
      console.log(JSON.stringify([200, 1000, 4000].map(run)))`)
    for (const bytes of bytesEach) t.ok(bytes < 200, `${bytesEach.map(Math.round)} bytes for a string of 22 characters`)
    t.done()
  },

  'a Binary that is kept does not keep much more than itself': t => {
    const bytesEach = apart(`${COLLECT}
      const { decode, encode, Binary } = require('./qbson')
      const bytes = encode({ b: new Binary(Buffer.alloc(20)), pad: 'x'.repeat(100) })
      const keep = []
      for (let i = 0; i < 1000; i++) decode(bytes)
      const before = used()
      for (let i = 0; i < 5000; i++) for (let k = 0; k < 40; k++) { const x = decode(bytes).b; if (k === 0) keep.push(x) }
      console.log((used() - before) / keep.length)`)
    t.ok(bytesEach < 600, `${bytesEach} bytes for a Binary of 20`)
    t.done()
  },

  'many elements without a name, and one document after another': t => {
    const bytes = frame(element(4, 'a', many(20_000, () => element(10, ''))))
    t.strictEqual(decode(bytes).a.length, 20_000)
    t.done()
  }
}
