'use strict'

// What is inferred of the keys of a map, each a place of its own at first, is what is inferred of the same values in a
// list: the law of the merge of two places.

const assert = require('node:assert')
const { encode } = require('../../lib/encode')
const types = require('../../lib/types')
const { Inference } = require('../../lib/columns/types/infer')
const { planOf } = require('../../lib/columns/plan')
const { typeOf } = require('../../lib/columns/types/type-of')
const { seededRandom, pick, below, randomDocument } = require('../fixtures/random-document')

/** Kinds of values, of which a place may hold several. */
const VALUES = [
  () => 1,
  random => types.Long.fromNumber(below(random, 100)),
  () => types.Long.fromString('9007199254740993'),
  () => types.Long.fromString('-9007199254740992'),
  () => 1.5,
  () => null,
  () => 'x',
  () => true,
  () => new types.UUID('00112233-4455-4677-8899-aabbccddeeff'),
  () => new types.Binary(Buffer.alloc(16), 4),
  random => new types.Binary(Buffer.alloc(below(random, 3)), pick(random, [0, 0, 5])),
  random => types.Decimal128.fromString(pick(random, ['1.5', '100', '0.001', '1E+30', 'NaN'])),
  random => [pick(random, [1, 'x', null])],
  random => [[below(random, 3)], []],
  random => ({ a: 1, [pick(random, ['b', 'c'])]: pick(random, [1, 2.5, 'x']) }),
  random => randomDocument(random, types, 1)
]

/** The first ones are numbers, which share a column where all are exact. */
const NUMBERS = VALUES.slice(0, 6)

/** @param {object[]} documents @returns {any} the type of their field `m` */
function inferred(documents) {
  const inference = new Inference(planOf())
  const bytes = Buffer.concat(documents.map(document => encode(document)))
  inference.add({ bytes, start: 0, end: bytes.length, base: 0, count: documents.length, place: null })
  return typeOf(inference.stats.root, { mixedTypes: 'json', isSample: false, forms: { decimals: null } }).fields.get('m')
}

module.exports = {
  'the values of a map have the type of the same values in a list': t => {
    const random = seededRandom(48)
    let maps = 0
    for (let round = 0; round < 300; round++) {
      const kinds = Array.from({ length: 1 + below(random, 3) }, () => pick(random, round % 3 === 0 ? NUMBERS : VALUES))
      const values = Array.from({ length: 12 + below(random, 20) }, () => pick(random, kinds)(random))
      const map = inferred(values.map((value, i) => ({ m: { [`${i}`]: value } })))
      const list = inferred(values.map(value => ({ m: [value] })))
      if (list.items === undefined) continue // lists of different depths are texts
      maps++
      assert.deepStrictEqual(map.items, list.items, `round ${round}`)
    }
    t.ok(maps > 200, `${maps} maps`)
    t.done()
  },

  'twelve names or more are keys if the mean one is in less than a quarter of the documents': t => {
    for (let names = 2; names < 30; names++) {
      for (let each = 1; each < 12; each++) {
        const documents = Array.from({ length: names }, (_, i) => ({ m: Object.fromEntries(Array.from({ length: each }, (_, k) => [`k${(i + k) % names}`, 1])) }))
        const isMap = names >= 12 && Math.min(each, names) / names < 0.25
        t.strictEqual(inferred(documents).items !== undefined, isMap, `${names} names, ${each} in a document`)
      }
    }
    t.done()
  }
}
