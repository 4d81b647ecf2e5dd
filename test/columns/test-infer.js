'use strict'

// The types of columns: what is found in parts, put together, is what is found in the whole.

const { encode, Double, Int32, Long, Decimal128, Binary } = require('../../qbson')
const types = require('../../lib/types')
const { columns } = require('../../lib/columns')
const { Inference } = require('../../lib/columns/types/infer')
const { planOf } = require('../../lib/columns/plan')
const { typeOf } = require('../../lib/columns/types/type-of')
const { many } = require('../fixtures/long')
const { seededRandom, randomDocument, below } = require('../fixtures/random-document')

const OPTIONS = { mixedTypes: 'json', isSample: false, forms: { decimals: null } }

/** What is found in documents. */
function foundIn(documents) {
  const inference = new Inference(planOf())
  const bytes = Buffer.concat(documents.map(document => encode(document)))
  inference.add({ bytes, start: 0, end: bytes.length, base: 0, count: documents.length, place: null })
  return inference.stats
}

function typeOfParts(documents, cut) {
  const [stats, rest] = [foundIn(documents.slice(0, cut)), foundIn(documents.slice(cut))]
  stats.join(rest.found())
  return typeOf(stats.root, OPTIONS)
}

/** A document with keys that are data, or many that are not. */
function mapOf(random) {
  const [keys, count] = [below(random, 3), 1 + below(random, 14)]
  const nameOf = i => [`k${i}`, String(i), `${i}`.padStart(24, '0')][keys]
  return Object.fromEntries(Array.from({ length: count }, () => [nameOf(below(random, 30)), below(random, 4) === 0 ? { x: 1 } : 1]))
}

/** Values that are told apart only by more than their element type. */
function oddValue(random) {
  const values = [
    Long.fromString('9007199254740993'), Long.fromNumber(5), new Double(1.5), new Int32(1), Decimal128.fromString('1.50'),
    Decimal128.fromString('12345678901234567890'), Decimal128.fromString('NaN'), new Binary([1], 5), new Binary([1], 0), new types.UUID(), null,
    [], [1], [[1]], [['x']], {}, { x: 1 }, { x: 'x' },
    Object.fromEntries(Array.from({ length: below(random, 14) }, (_, i) => [`k${i + below(random, 9)}`, 1])), mapOf(random), { m: mapOf(random) }
  ]
  return values[below(random, values.length)]
}

module.exports = {
  'parts and the whole': t => {
    const random = seededRandom(3)
    for (let i = 0; i < many(80, 50_000); i++) {
      const isOdd = below(random, 3) > 0
      const odd = () => ({ a: oddValue(random), b: { c: oddValue(random) }, l: [oddValue(random)] })
      const one = () => (isOdd ? odd() : randomDocument(random, types, 2))
      const documents = Array.from({ length: 1 + below(random, 6) }, one)
      const whole = typeOf(foundIn(documents).root, OPTIONS)
      for (let cut = 0; cut <= documents.length; cut++) {
        t.deepStrictEqual(typeOfParts(documents, cut), whole, `${i}: ${cut}`)
      }
    }
    t.done()
  },

  'parts of maps, which only all of them show to be maps': t => {
    const random = seededRandom(4)
    for (let i = 0; i < many(2, 300); i++) {
      const keys = 1000 + below(random, 2000)
      const make = [() => 1, () => ({ x: 1, [`y${below(random, 3)}`]: 'a' }), () => (below(random, 2) ? 1.5 : null), () => ({ [below(random, 50)]: 1 })][below(random, 4)]
      const documents = Array.from({ length: 40 }, () => {
        const map = Object.fromEntries(Array.from({ length: 1 + below(random, 100) }, () => [`k${below(random, keys)}`, make()]))
        return { map, in: { map, a: 1 } }
      })
      const cut = below(random, documents.length)
      t.deepStrictEqual(typeOfParts(documents, cut), typeOf(foundIn(documents).root, OPTIONS), String(i))
    }
    t.done()
  },

  'from how many names on a document is a map, and how rare they are': t => {
    const kindOf = (names, each, values = [1]) => {
      const fieldsOf = i => Array.from({ length: each }, (_, k) => [`n${(i + k) % names}`, values[((i + k) % names) % values.length]])
      const documents = Array.from({ length: names }, (_, i) => ({ a: Object.fromEntries(fieldsOf(i)) }))
      return columns(Buffer.concat(documents.map(document => encode(document)))).columns.a.type
    }
    t.deepStrictEqual([kindOf(11, 1), kindOf(12, 1), kindOf(12, 2), kindOf(12, 3), kindOf(13, 3)], ['struct', 'map', 'map', 'struct', 'map'])
    t.deepStrictEqual([kindOf(12, 1, [1, 2.5, null]), kindOf(12, 1, [1, 'x']), kindOf(12, 1, [{ x: 1 }, {}])], ['map', 'struct', 'map'])
    t.done()
  }
}
