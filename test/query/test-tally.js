'use strict'

const { encode, EJSON, Decimal128, Long, ObjectId } = require('../../qbson')
const { Tally } = require('../../lib/query')
const { seededRandom } = require('../fixtures/random-document')
const { value } = require('../fixtures/query-cases')
const oracle = require('../fixtures/query-oracle')

const SEED = Number(process.env.QBSON_SEED ?? 1)

/** The values and their counts. */
function tally(path, documents, order = 'byCount') {
  const found = new Tally(path)
  for (const document of documents) {
    const bytes = document instanceof Uint8Array ? document : encode(document)
    found.add(bytes, 0, bytes.length - 1)
  }
  return found[order]().map(({ type, buf, value, end, count }) => [type, Buffer.from(buf.subarray(value, end)).toString('hex'), count])
}

const id = new ObjectId('65a0c0de0000000000000001')
const int = n => Buffer.from(Int32Array.of(n).buffer).toString('hex')

module.exports = {
  'the most frequent first, then in order': t => {
    const documents = [{ a: 3 }, { a: 1 }, { a: 2 }, { a: 2 }, { b: 1 }, { a: id }]
    t.deepStrictEqual(tally('a', documents), [[16, int(2), 2], [16, int(1), 1], [16, int(3), 1], [7, id.toHexString(), 1]])
    t.deepStrictEqual(tally('a', documents, 'inOrder').map(row => row[1]), [int(1), int(2), int(3), id.toHexString()])
    t.done()
  },

  'equal numbers are one value, the first one seen': t => {
    const same = [1, Long.fromNumber(1), Decimal128.fromString('1.0'), Decimal128.fromString('1')]
    t.deepStrictEqual(tally('a', same.map(a => ({ a }))), [[16, int(1), 4]])
    t.deepStrictEqual(tally('a', [{ a: 0.1 }, { a: Decimal128.fromString('0.1') }, { a: Decimal128.fromString('0.10') }]).map(row => row[2]), [2, 1])
    t.done()
  },

  'values are one where the oracle says that they are equal': t => {
    const random = seededRandom(SEED)
    const values = Array.from({ length: 3000 }, () => value(random, 1)).sort(oracle.compare)
    const counts = values.reduce((found, each, i) => {
      if (i > 0 && oracle.compare(values[i - 1], each) === 0) found[found.length - 1]++
      else found.push(1)
      return found
    }, [])
    t.deepStrictEqual(tally('a', values.map(each => ({ a: [each] })), 'inOrder').map(row => row[2]), counts, `seed ${SEED}`)
    t.done()
  },

  'items of arrays, and of arrays in a path; missing fields and empty arrays are none': t => {
    t.deepStrictEqual(tally('a.b', [{ a: [{ b: [1, 2] }, { b: 1 }, 5] }, { a: {} }, { a: { b: [] } }]), [[16, int(1), 2], [16, int(2), 1]])
    t.deepStrictEqual(tally('a', [{ a: [[1], [1]] }]).map(row => [row[0], row[2]]), [[4, 2]])
    t.deepStrictEqual(tally('a', [{ a: null }, { a: '' }]).map(row => row[0]).sort(), [10, 2])
    t.deepStrictEqual(tally('a', [EJSON.toBSON('{"a":{"$undefined":true}}')]).map(row => row[0]), [6])
    t.done()
  },

  'it says about how much memory it takes': t => {
    const found = new Tally('a')
    for (let i = 0; i < 100; i++) {
      const bytes = encode({ a: 'x'.repeat(1000) + i % 10 })
      found.add(bytes, 0, bytes.length - 1)
    }
    t.ok(found.size > 10_000 && found.size < 50_000, `${found.size}`)
    t.done()
  }
}
