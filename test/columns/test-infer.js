'use strict'

// The types of columns: what is found in parts, put together, is what is found in the whole.

const { encode, Double, Int32, Long, Decimal128, Binary } = require('../../qbson')
const types = require('../../lib/types')
const { columns } = require('../../lib/columns')
const { Inference } = require('../../lib/columns/infer')
const { merge, typeOf } = require('../../lib/columns/place')
const { many } = require('../fixtures/long')
const { seededRandom, randomDocument, below } = require('../fixtures/random-document')

const OPTIONS = { mixedTypes: 'json', isSample: false }

/** What is found in documents. */
function foundIn(documents) {
  const inference = new Inference(null, null, false)
  const bytes = Buffer.concat(documents.map(document => encode(document)))
  const first = inference.enter({ bytes, start: 0, end: bytes.length, base: 0, count: documents.length, place: null })
  inference.readAll(first, first + bytes.length, first + bytes.length, Infinity)
  return inference.root
}

function typeOfParts(documents, cut) {
  const [root, rest] = [foundIn(documents.slice(0, cut)), foundIn(documents.slice(cut))]
  merge(root, rest)
  return typeOf(root, OPTIONS)
}

/** Values that are told apart only by more than their element type. */
function oddValue(random) {
  const values = [
    Long.fromString('9007199254740993'), Long.fromNumber(5), new Double(1.5), new Int32(1), Decimal128.fromString('1.50'),
    Decimal128.fromString('12345678901234567890'), Decimal128.fromString('NaN'), new Binary([1], 5), new Binary([1], 0), new types.UUID(), null,
    [], [1], [[1]], [['x']], {}, { x: 1 }, { x: 'x' },
    Object.fromEntries(Array.from({ length: below(random, 14) }, (_, i) => [`k${i + below(random, 9)}`, 1]))
  ]
  return values[below(random, values.length)]
}

module.exports = {
  'parts and the whole': t => {
    const random = seededRandom(3)
    for (let i = 0; i < many(1500, 50_000); i++) {
      const isOdd = below(random, 3) > 0
      const odd = () => ({ a: oddValue(random), b: { c: oddValue(random) }, l: [oddValue(random)] })
      const one = () => (isOdd ? odd() : randomDocument(random, types, 2))
      const documents = Array.from({ length: 1 + below(random, 6) }, one)
      for (let cut = 0; cut <= documents.length; cut++) {
        t.deepStrictEqual(typeOfParts(documents, cut), typeOf(foundIn(documents), OPTIONS), `${i}: ${cut}`)
      }
    }
    t.done()
  },

  'from how many names on a document is a map, and how rare they are': t => {
    const kindOf = (names, each) => {
      const fieldsOf = i => Array.from({ length: each }, (_, k) => [`n${(i + k) % names}`, 1])
      const documents = Array.from({ length: names }, (_, i) => ({ a: Object.fromEntries(fieldsOf(i)) }))
      return columns(Buffer.concat(documents.map(document => encode(document)))).columns.a.type
    }
    t.deepStrictEqual([kindOf(11, 1), kindOf(12, 1), kindOf(12, 2), kindOf(12, 3), kindOf(13, 3)], ['struct', 'map', 'map', 'struct', 'map'])
    t.done()
  }
}
