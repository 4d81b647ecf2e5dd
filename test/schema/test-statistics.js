'use strict'

// Statistics of parts, joined in any order, are those of all documents.

const { encode, Long, Decimal128, ObjectId, Double } = require('../../qbson')
const { DocumentStats, schemaOfStats } = require('../../lib/schema')
const { random } = require('../../benchmark/data/random')
const { many } = require('../fixtures/long')

const SEED = Number(process.env.QBSON_SEED ?? 1)

const TEXTS = [['a'], ['x', 'y', 'z', null], Array.from({ length: 9 }, (_, i) => `t${i}`), ['ü'.repeat(39), 'v', 'w'.repeat(41)]]

/** Documents in which ever more fields, types and texts appear, some with many keys that are data. */
function documentsOf(seed) {
  const next = random(seed)
  const below = n => next() % n
  const one = list => list[below(list.length)]
  const count = one([3, 100, 300])
  const names = Array.from({ length: one([3, 15, 60]) }, (_, i) => `n${i}`)
  const keys = one([5, 600, 600, 5000])
  const texts = one(TEXTS)
  const entries = one([3, 30])
  const step = one([1, 10, 30])
  let seen = 0
  /** One of those that have appeared. */
  const early = list => list[below(Math.min(list.length, 1 + Math.floor(seen / step)))]
  const kinds = [
    level => fields(level), () => early(texts), () => below(100), () => null, level => map(level), () => new Date(below(2 ** 31) * 1000),
    level => Array.from({ length: below(4) }, () => value(level)), () => one([0, -0, NaN, 1e300, -Infinity]), () => new Double(5),
    () => Long.fromString('9007199254740993'), () => Decimal128.fromString('1.10'), () => new ObjectId(), () => true, () => ({})
  ]
  const value = level => (level > 3 ? early(texts) : early(kinds)(level + 1))
  const fields = level => Object.fromEntries(Array.from({ length: below(5) }, () => [early(names), value(level)]))
  const entry = one([() => below(9), () => early([early(texts), { s: early(texts) }, { n: 1, s: 'a' }]), value])
  const map = level => Object.fromEntries(Array.from({ length: below(entries) }, () => [`k${below(keys)}`, entry(level + 1)]))
  return Array.from({ length: count }, () => {
    const document = encode({ _id: seen++, kind: early(texts), map: map(1), ...fields(1) })
    return below(20) === 0 ? twice(document) : document
  })
}

/** The document with all of its fields twice. */
function twice(bytes) {
  const doubled = Buffer.concat([bytes.subarray(0, -1), bytes.subarray(4)])
  doubled.writeInt32LE(doubled.length)
  return doubled
}

/** `{ m: ... }` */
function inside(bytes) {
  const around = Buffer.concat([Buffer.from([0, 0, 0, 0, 3, 0x6d, 0]), bytes, Buffer.alloc(1)])
  around.writeInt32LE(around.length)
  return around
}

/**
 * @param {Uint8Array[]} documents
 * @param {number} size documents of each part
 * @param {() => number} next chooses which gets a part, and the order of joining
 * @returns {{one: DocumentStats, joined: DocumentStats, isExact: boolean}}
 */
function bothWays(documents, size, next) {
  const one = new DocumentStats()
  for (const document of documents) one.add(document)
  const all = Array.from({ length: 1 + (next() % 4) }, () => new DocumentStats())
  for (let i = 0, before = 0; i < documents.length; i += size) {
    const part = Buffer.concat(documents.slice(i, i + size))
    all[next() % all.length].addAll(part, before)
    before += part.length
  }
  const [joined] = all.splice(next() % all.length, 1)
  let isExact = true
  for (const stats of all) isExact = joined.join(structuredClone(stats.found())) && isExact
  return { one, joined, isExact }
}

function compare(t, { one, joined }, message) {
  t.strictEqual(JSON.stringify(schemaOfStats(joined)), JSON.stringify(schemaOfStats(one)), message)
}

/** An object with many keys that are data. */
function ids(count, value, from = 0) {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`id${i + from}`, value]))
}

const MAP = { m: ids(600, 1), z: 1 }

/** Documents whose parts alone would give another order, another number, or no map. @type {[string, any[]][]} */
const ROWS = [
  ['nothing', []],
  ['new fields', [{ a: 1 }, { b: 1, a: 'x' }, { c: 1, b: 2 }, { a: 1, d: 3 }]],
  ['as many names as are kept', [ids(499, 1), { next: 1 }]],
  ['a name more', [ids(500, 1), { next: 1 }, { next: 2 }]],
  ['a map only together', [{ m: ids(300, 1) }, { m: ids(300, 'x', 300) }, { m: ids(2, null) }]],
  ['a map inside maps, only together', [{ m: { a: ids(300, 1) } }, { m: { ...ids(501, {}), b: ids(300, 1, 300) } }]],
  ['a map where there were few fields', [{ m: { a: 1 } }, MAP, { m: { b: 'x' } }]],
  ['types that are equally frequent', [{ a: 1, b: 'x' }, { a: 'x', b: 1 }, { a: null, b: null }]],
  ['the same in a map', [{ m: ids(600, 1) }, { m: ids(300, 'x') }, { m: ids(300, 'y') }]],
  ['texts', [...'cabcabcabcabcabcabcabcabcabcabcabcabcabcabc'].map(c => ({ c }))],
  ['more texts than are kept', [...'abcdefgh', ...'aaaaaaaai'].map(c => ({ c, m: { [c]: c } }))],
  ['a key that is there twice in a map', [MAP, inside(twice(encode({ a: 1 }))), { m: ids(600, 2) }]],
  ['a key that is there twice before there is a map', [inside(twice(encode({ a: 1 }))), MAP]]
]

module.exports = {
  'parts of random documents': t => {
    const next = random(SEED)
    for (let round = 0; round < many(6, 1000); round++) {
      const documents = documentsOf(SEED * 1000 + round)
      for (const size of [1, 7, 50]) {
        const both = bothWays(documents, size, next)
        const message = `QBSON_SEED=${SEED}, round ${round}, ${size} a part`
        t.ok(both.isExact, message)
        compare(t, both, message)
      }
    }
    t.done()
  },

  'parts that differ': t => {
    const next = random(SEED)
    for (const [name, documents] of ROWS) {
      const all = documents.map(document => (ArrayBuffer.isView(document) ? document : encode(document)))
      for (let round = 0; round < 5; round++) compare(t, bothWays(all, 1, next), name)
    }
    t.done()
  },

  'more places than are described: what is joined may differ, and says so': t => {
    const documents = Array.from({ length: 2400 }, (_, i) => {
      return encode({ [`a${i % 240}`]: Object.fromEntries(Array.from({ length: 30 }, (_, k) => [`b${(i * 53 + k * 11) % 140}`, i])) })
    })
    const [one, other] = [new DocumentStats(), new DocumentStats()]
    documents.forEach((document, i) => (i % 2 ? one : other).add(document))
    t.strictEqual(one.join(structuredClone(other.found())), false)
    t.done()
  },

  'statistics go on after they were joined': t => {
    const [one, all] = [new DocumentStats(), new DocumentStats()]
    const other = new DocumentStats()
    const parts = [[{ a: 1, b: 'x' }, MAP], [{ b: 2, c: 1 }], [{ c: 'y', a: 1, d: { e: 1 } }, MAP]].map(part => part.map(each => encode(each)))
    for (const document of parts.flat()) all.add(document)
    const [first, second] = parts.slice(0, 2).map(part => Buffer.concat(part).length)
    one.addAll(Buffer.concat(parts[0]), 0)
    other.addAll(Buffer.concat(parts[1]), first)
    one.join(other.found())
    one.addAll(Buffer.concat(parts[2]), first + second)
    compare(t, { one: all, joined: one })
    t.done()
  },

  'the memory of documents may be overwritten after they were added': t => {
    const [one, again] = [new DocumentStats(), new DocumentStats()]
    const names = ['a', 'b', 'c', 'longer than eight bytes', 'longer than eight other bytes']
    const documents = Array.from({ length: 40 }, (_, i) => encode({ _id: i, [names[i % 5]]: i, [names[(i * 3) % 4]]: { [`x${i % 7}`]: 1 } }))
    const memory = Buffer.alloc(1000)
    for (const document of documents) {
      one.add(Buffer.from(document))
      memory.set(document)
      again.add(memory.subarray(0, document.length))
      memory.fill(0x61)
    }
    t.deepStrictEqual(schemaOfStats(again, { bounds: true }), schemaOfStats(one, { bounds: true }))
    t.done()
  },

  'nothing of a block with a broken document is added': t => {
    const stats = new DocumentStats()
    const broken = encode({ a: 1, b: 'x' })
    broken[broken.length - 2] = 1
    t.throws(() => stats.addAll(Buffer.concat([encode({ a: 1 }), broken]), 0), /BSON|string/)
    t.strictEqual(stats.root.count, 0)
    t.done()
  }
}
