'use strict'

// Random queries and documents against a plain evaluator on values.

const { encode, EJSON } = require('../../qbson')
const { matcher, compare } = require('../../lib/query')
const { seededRandom, below, pick } = require('../fixtures/random-document')
const { document, query, value } = require('../fixtures/query-cases')
const oracle = require('../fixtures/query-oracle')
const { many } = require('../fixtures/long')

const SEED = Number(process.env.QBSON_SEED ?? 1)

/** Documents for each query. */
const EACH = 20

/** Arrays in each other, and objects with the same keys. */
function nested(random, levels) {
  if (levels === 0) return below(random, 2)
  const items = Array.from({ length: 1 + below(random, 2) }, () => nested(random, levels - 1))
  return random() < 0.8 ? items : { ...items }
}

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

  'also through many arrays, by the indexes of their items': t => {
    const random = seededRandom(SEED)
    const found = [0, 0]
    for (let i = 0; i < many(500, 20_000); i++) {
      const path = ['a', ...Array.from({ length: 3 + below(random, 4) }, () => below(random, 2))].join('.')
      const asked = { [path]: pick(random, [0, 1, [1], { $ne: 0 }, null]) }
      const each = { a: nested(random, 3 + below(random, 5)) }
      const isMatch = matcher(asked)(encode(each))
      found[Number(isMatch)]++
      if (isMatch !== oracle.matches(asked, each)) t.fail(`seed ${SEED}: ${shown(asked)} says ${isMatch} of ${shown(each)}`)
    }
    t.ok(Math.min(...found) > 50, `${found}`)
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
