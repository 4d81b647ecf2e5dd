'use strict'

// Statistics of columns: those of parts, merged, are those of the whole, also when they have been stored; columns made
// by them are the columns of the documents.

const { encode, BSONError, Decimal128, Long, UUID, Binary, MinKey } = require('../../qbson')
const types = require('../../lib/types')
const { columns, columnStatistics, ColumnStatistics } = require('../../lib/columns')
const { many } = require('../fixtures/long')
const { seededRandom, randomDocument, below } = require('../fixtures/random-document')

const SEED = Number(process.env.QBSON_SEED ?? 1)

/** Documents of one collection: some fields of many, whose types vary, and maps. */
function collection(random) {
  const values = [
    () => below(random, 9), () => below(random, 9) / 4, () => Long.fromBigInt(BigInt(below(random, 9)) << 50n), () => null, () => 'text',
    () => new Decimal128(`${below(random, 999)}.${below(random, 99)}`), () => new Decimal128('NaN'), () => new UUID(), () => new Binary(Buffer.from('a')),
    () => [1, 'a'], () => [[1]], () => ({ a: below(random, 3), b: 'x' }), () => ({}), () => new MinKey(), () => new Date(5)
  ]
  const made = Array.from({ length: 6 }, () => values.filter(() => random() < 0.2))
  const keyed = () => Object.fromEntries(Array.from({ length: below(random, 4) }, () => [String(below(random, 1000)), below(random, 5)]))
  return () => {
    const doc = { keyed: keyed() }
    for (const [i, some] of made.entries()) if (some.length > 0 && random() < 0.7) doc[`f${i}`] = some[below(random, some.length)]()
    return encode(random() < 0.02 ? randomDocument(random, types) : doc)
  }
}

async function statisticsOf(documents) {
  return columnStatistics([Buffer.concat(documents)])
}

const stored = statistics => JSON.parse(JSON.stringify(statistics))

/** The types of the columns, all the way down. @param {any[]} inner */
const layout = inner => inner.map(({ name, type, decimal, children }) => {
  return { name, type, decimal, children: layout(Object.values(children ?? {})) }
})

module.exports = {
  'merged statistics of parts are those of the whole': async t => {
    const random = seededRandom(SEED)
    for (let i = 0; i < many(60, 3000); i++) {
      const make = collection(random)
      const documents = Array.from({ length: 1 + below(random, 60) }, make)
      const cut = below(random, documents.length + 1)
      const parts = await Promise.all([documents.slice(0, cut), documents.slice(cut)].map(statisticsOf))
      const merged = ColumnStatistics.from(stored(parts[0])).merge(ColumnStatistics.from(stored(parts[1])))
      const whole = await statisticsOf(documents)
      const options = { mixedTypes: 'json', forms: { decimals: null } }
      t.deepStrictEqual(merged.type(options), whole.type(options), `collection ${i} with seed ${SEED}`)
    }
    t.done()
  },

  'merging changes only the statistics that others are added to, and types change none': async t => {
    const random = seededRandom(SEED + 2)
    for (let i = 0; i < 20; i++) {
      const make = collection(random)
      const [into, other, third] = await Promise.all([1, 2, 30].map(length => statisticsOf(Array.from({ length }, make))))
      const before = stored(other)
      into.merge(other)
      t.deepStrictEqual(stored(other), before)
      into.merge(third)
      t.deepStrictEqual(stored(other), before, 'what was taken over is not shared')
      const merged = stored(into)
      into.type({ mixedTypes: 'json', forms: { decimals: null } })
      t.deepStrictEqual(stored(into), merged)
    }
    t.done()
  },

  'columns by stored statistics are those of the documents, and of each part of them': async t => {
    const random = seededRandom(SEED + 1)
    for (let i = 0; i < 30; i++) {
      const documents = Array.from({ length: 40 }, collection(random))
      const schema = stored(await statisticsOf(documents))
      const bytes = Buffer.concat(documents)
      const own = columns(bytes)
      t.deepStrictEqual(columns(bytes, { schema }).toArray(), own.toArray())
      const tables = [documents.slice(0, 3), documents.slice(3)].map(part => columns(Buffer.concat(part), { schema }))
      const layouts = tables.map(({ inner }) => JSON.stringify(layout(inner)))
      t.deepStrictEqual(new Set(layouts).size, 1)
    }
    t.done()
  },

  'a broken document is an error, or left out and reported': async t => {
    const [good, broken] = [encode({ a: 1 }), encode({ b: 'x' })]
    broken[broken.length - 3] = 0xff
    const bytes = Buffer.concat([good, broken, good])
    const error = await columnStatistics([bytes]).catch(thrown => thrown)
    t.ok(error instanceof BSONError && error.document === 2 && error.path === 'b', error.message)
    const left = []
    const statistics = await columnStatistics([bytes], { reject: (fault, own) => left.push([fault.document, own.length]) })
    t.deepStrictEqual(left, [[2, broken.length]])
    t.deepStrictEqual(stored(statistics), stored(await statisticsOf([good, good])))
    const cut = await columnStatistics([bytes.subarray(0, 20)]).catch(thrown => thrown)
    t.ok(cut instanceof BSONError, String(cut))
    t.done()
  },

  'fields of any name, and none': async t => {
    const documents = [encode({ ['__proto__']: 1, '': { 'a.b': 'ä' } }), encode({})]
    const schema = stored(await statisticsOf(documents))
    t.deepStrictEqual(columns(Buffer.concat(documents), { schema }).toArray()[0], { ['__proto__']: 1, '': { 'a.b': 'ä' } })
    t.strictEqual(stored(new ColumnStatistics()).columns.count, 0)
    t.done()
  },

  'what is no statistics is refused': t => {
    const place = { types: ['int'], count: 1 }
    for (const json of [
      null, {}, { columns: null }, { columns: { types: 5 } }, { columns: { types: ['int32'], count: 1 } }, { columns: { types: [], count: -1 } },
      { columns: { types: [], count: 1, fields: {} } }, { columns: { types: [], count: 1, fields: [['a\0b', place]] } },
      { columns: { types: [], count: 1, fields: [['a', place], ['a', place]] } }, { columns: { types: [], count: 1, decimals: {} } },
      { columns: { types: [], count: 1, subtype: 'x' } }
    ]) t.throws(() => ColumnStatistics.from(json), BSONError)
    let deep = { columns: place }
    for (let i = 0, at = deep.columns; i < 1e4; i++) at = at.items = { types: ['array'], count: 1 }
    t.throws(() => ColumnStatistics.from(deep), /too many levels/)
    deep = null
    t.done()
  },

  'statistics that were changed by hand are columns, or refused': async t => {
    const random = seededRandom(SEED + 3)
    const documents = Array.from({ length: 40 }, collection(random))
    const bytes = Buffer.concat(documents)
    const values = [null, -1, 1.5, 'x', 'object', [], {}, true, ['decimal'], [['a', { types: ['object'], count: 1 }]]]
    const changed = at => {
      if (typeof at !== 'object' || at === null || below(random, 9) === 0) return values[below(random, values.length)]
      const names = Object.keys(at)
      const copy = Array.isArray(at) ? at.slice() : { ...at }
      const key = names[below(random, names.length)]
      if (key === undefined || below(random, 4) === 0) delete copy[key]
      else copy[key] = changed(at[key])
      return copy
    }
    const { columns: root } = stored(await statisticsOf(documents))
    let read = 0
    for (let i = 0; i < many(300, 20_000); i++) {
      try {
        columns(bytes, { schema: { columns: changed(root) } }).toArray()
        read++
      } catch (error) {
        if (!(error instanceof BSONError)) throw error
      }
    }
    t.ok(read > 20 && read < many(300, 20_000), `${read} were read`)
    t.done()
  }
}
