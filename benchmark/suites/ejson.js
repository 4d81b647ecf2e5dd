'use strict'

const assert = require('node:assert')
const { kinds, load, prepare } = require('../data/documents')
const { contenders, loadQbson } = require('../contenders')
const { bsonTypes, jsonTypes } = require('../data/types')
const { mixedWork } = require('../runner/mixed')
const { checkSame } = require('../check')

/** Every fifth document: both ways are slow. */
const EVERY = 5

const libraries = {
  bson: () => require('bson'),
  qbson: loadQbson
}

function codecOf(name) {
  if (name === 'JSON text') return { encode: doc => JSON.stringify(doc), decode: text => JSON.parse(text), types: jsonTypes }
  const { EJSON, ...types } = libraries[name]()
  return { encode: doc => EJSON.stringify(doc), decode: text => EJSON.parse(text), types: bsonTypes(types) }
}

function workloads(contender, { cache, brief }) {
  const every = brief ? 10 * EVERY : EVERY
  return kinds.filter(kind => contender !== 'JSON text' || kind !== 'types').map(name => ({
    name,
    documents: types => load(name, types, cache).filter((_, i) => i % every === 0)
  }))
}

/** Both libraries write the same text, and read the same values from it. */
function check(name, chosen) {
  const own = codecOf(name)
  const reference = codecOf('bson')
  for (const { name: kind, documents } of chosen) {
    const docs = documents(own.types)
    documents(reference.types).forEach((doc, i) => {
      const text = reference.encode(doc)
      assert.strictEqual(own.encode(docs[i]), text, `${name}, ${kind} ${i}: another text`)
      checkSame(own.decode(text), reference.decode(text), `${name}, ${kind} ${i}`)
    })
  }
}

module.exports = {
  name: 'ejson',
  title: 'Extended JSON: EJSON.stringify and EJSON.parse',
  baseline: 'bson',
  readme: 'newest',
  notes: ['Relative rates, `bson` = 100, more is faster. Relaxed Extended JSON, the default of both, over the realistic ' +
    'documents, kinds mixed in one process. JSON text, without any types, is the yardstick.'],
  setup: mode => prepare(mode.cache),
  cases: () => ['stringify', 'parse'].flatMap(op => ['bson', 'qbson', 'JSON text'].map(contender => {
    return { subject: 'all', op, contender, flags: contenders[contender].flags }
  })),
  prepare({ contender, op }, mode) {
    const chosen = workloads(contender, mode)
    const item = { contender, op: op === 'stringify' ? 'encode' : 'decode' }
    const work = mixedWork(item, chosen, codecOf(contender))
    return { ...work, check: contender === 'JSON text' ? undefined : () => check(contender, chosen) }
  }
}
