'use strict'

// Random queries and documents against a plain evaluator on values.

const { encode, EJSON } = require('../../qbson')
const { matcher, compare } = require('../../lib/query')
const { seededRandom } = require('../fixtures/random-document')
const { document, query, value } = require('../fixtures/query-cases')
const oracle = require('../fixtures/query-oracle')
const { many } = require('../fixtures/long')

const SEED = Number(process.env.QBSON_SEED ?? 1)

/** Documents for each query. */
const EACH = 20

module.exports = {
  'a query matches what it says': t => {
    const random = seededRandom(SEED)
    const documents = Array.from({ length: 500 }, () => document(random)).map(each => ({ each, bytes: encode(each) }))
    let found = 0
    for (let i = 0; i < many(600, 50_000); i++) {
      const asked = query(random)
      const isWanted = matcher(asked)
      for (let j = 0; j < EACH; j++) {
        const { each, bytes } = documents[(i * EACH + j) % documents.length]
        const isMatch = isWanted(bytes)
        if (isMatch) found++
        if (isMatch !== oracle.matches(asked, each)) t.fail(`seed ${SEED}: ${shown(asked)} says ${isMatch} of ${shown(each)}`)
      }
    }
    t.ok(found > 1_000, `${found} matches`)
    t.done()
  },

  'values are in the order that the types and the values say': t => {
    const random = seededRandom(SEED)
    for (let i = 0; i < many(2_500, 300_000); i++) {
      const [a, b] = [value(random), value(random)]
      const order = Math.sign(oracle.compare(a, b))
      if (Math.sign(compare(a, b)) !== order) t.fail(`seed ${SEED}: ${shown(a)} and ${shown(b)}: ${order}`)
    }
    t.done()
  }
}

function shown(value) {
  return EJSON.stringify({ value }, { relaxed: false }).slice(9, -1)
}
