'use strict'

const { kinds, load, prepare } = require('../data/documents')
const { loadQbson } = require('../contenders')
const { bsonTypes, jsonTypes } = require('../data/types')
const { mixedWork } = require('../runner/mixed')
const { cross } = require('../runner/codec')
const { checkSame } = require('../check')

/** EJSON.fromBSON; with `bson`, stringify on the result of deserialize. */
const FROM_BYTES = 'from BSON bytes'

/** Besides all kinds in turn: the figures for a program that has only one kind. */
const ONE_KIND = 'stringify, each kind in a process of its own'

/** Checks every fifth document, because both ways are slow. */
const EVERY = 5

const libraries = {
  bson: () => require('bson'),
  qbson: loadQbson
}

/** Extended JSON from bytes; `bson` has to make values first. */
function bytesCodec(name) {
  const { EJSON, serialize, deserialize, ...types } = libraries[name]()
  return { encode: serialize, decode: EJSON.fromBSON ?? (bytes => EJSON.stringify(deserialize(bytes))), types: bsonTypes(types) }
}

function codecOf(name) {
  if (name === 'JSON text') return { encode: doc => JSON.stringify(doc), decode: text => JSON.parse(text), types: jsonTypes }
  const { EJSON, ...types } = libraries[name]()
  return { encode: doc => EJSON.stringify(doc), decode: text => EJSON.parse(text), types: bsonTypes(types) }
}

function workloads({ contender, subject }, { cache, brief }) {
  const every = brief ? 10 * EVERY : EVERY
  const own = subject === 'all' ? kinds : [subject]
  return own.filter(kind => contender !== 'JSON text' || kind !== 'types').map(name => ({
    name,
    documents: types => load(name, types, cache).filter((_, i) => i % every === 0)
  }))
}

/** qbson reads integers that do not fit in a double as Long, bson as the nearest double. */
function longsAsNumbers(value) {
  if (value?._bsontype === 'Long') return Number(value.toString())
  if (Array.isArray(value)) return value.map(longsAsNumbers)
  if (value?.constructor !== Object) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, longsAsNumbers(item)]))
}

/** Checks that JSON.parse sees the same in both libraries' texts, and that both read the same values. */
function check(name, chosen) {
  const own = codecOf(name)
  const fromBytes = bytesCodec(name)
  const reference = codecOf('bson')
  for (const { name: kind, documents } of chosen) {
    const docs = documents(own.types)
    documents(reference.types).forEach((doc, i) => {
      const text = reference.encode(doc)
      checkSame(JSON.parse(own.encode(docs[i])), JSON.parse(text), `${name}, ${kind} ${i}`)
      checkSame(longsAsNumbers(own.decode(text)), longsAsNumbers(reference.decode(text)), `${name}, ${kind} ${i}`)
      checkSame(JSON.parse(fromBytes.decode(fromBytes.encode(docs[i]))), JSON.parse(text), `${name}, ${kind} ${i}`)
    })
  }
}

module.exports = {
  name: 'ejson',
  title: 'Extended JSON: EJSON.stringify and EJSON.parse',
  checksBothWays: true,
  baseline: 'bson',
  docs: 'Other formats and interfaces',
  notes: ['Relative rates, `bson` = 100, more is faster. Relaxed Extended JSON, the default of both, with realistic ' +
    'documents, all kinds mixed in one process unless stated otherwise. JSON text, without any types, is shown for comparison. ' +
    'From BSON bytes to text, qbson uses `EJSON.fromBSON`, and `bson` uses `EJSON.stringify` on the result of `deserialize`.'],
  setup: mode => prepare(mode.cache),
  rounds: mode => Math.min(mode.rounds, 4),
  cases: ({ name }) => [
    ...cross(['all'], ['stringify', 'parse'], ['bson', 'qbson', 'JSON text']),
    ...cross(['all'], [FROM_BYTES], ['bson', 'qbson']),
    ...(name === 'quick' ? [] : cross(kinds, [ONE_KIND], ['bson', 'qbson']))
  ],
  prepare(item, mode) {
    const { contender, op } = item
    const chosen = workloads(item, mode)
    const isStringify = op === 'stringify' || op === ONE_KIND
    const codec = op === FROM_BYTES ? bytesCodec(contender) : codecOf(contender)
    const work = mixedWork({ contender, op: isStringify ? 'encode' : 'decode' }, chosen, codec)
    return { ...work, check: contender === 'JSON text' ? undefined : () => check(contender, chosen) }
  }
}
