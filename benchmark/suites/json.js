'use strict'

const { kinds, load, prepare } = require('../data/documents')
const { loadQbson } = require('../contenders')
const { bsonTypes } = require('../data/types')
const { cross, input, runOver } = require('../runner/codec')
const { kindTables, figure } = require('../runner/tables')
const { geomean } = require('../runner/stats')
const { checkSame } = require('../check')

const OP = 'BSON to JSON'

/** How each contender converts a document's bytes; the result of `text` is a string. */
const WAYS = {
  bson: () => {
    const { deserialize } = require('bson')
    return bytes => Buffer.from(JSON.stringify(deserialize(bytes)))
  },
  'qbson decode': () => {
    const { decode } = loadQbson()
    return bytes => Buffer.from(JSON.stringify(decode(bytes)))
  },
  'json.text': () => require('../../lib/json').text,
  'EJSON.fromBSON': () => loadQbson().EJSON.fromBSON,
  'json.bytes': () => require('../../lib/json').bytes
}

/** Its text is Extended JSON, so it is not compared. */
const OTHER = 'EJSON.fromBSON'

/** @param {string} kind @param {{cache: string, brief?: boolean}} mode while checking, every tenth document */
function bytesOf(kind, { cache, brief }) {
  const { serialize, ...types } = require('bson')
  return load(kind, bsonTypes(types), cache).filter((_, i) => !brief || i % 10 === 0).map(doc => input(serialize(doc)))
}

function check(contender, kind, inputs) {
  const [own, reference] = [WAYS[contender](), WAYS.bson()]
  inputs.forEach((bytes, i) => checkSame(JSON.parse(String(own(bytes))), JSON.parse(String(reference(bytes))), `${kind} ${i}`))
}

/** The targets of `json.bytes`, and what it reaches. @param {any[]} results */
function targets(results) {
  const rated = results.filter(({ relative }) => relative !== undefined)
  const rates = contender => rated.filter(one => one.contender === contender).map(({ relative }) => relative)
  const own = rates('json.bytes')
  const decoded = rates('qbson decode')
  return {
    title: 'json.bytes against its targets',
    head: ['', 'target', 'measured'],
    rows: [
      ['times as fast as `Buffer.from(JSON.stringify(deserialize(x)))`, geometric mean', 'at least 4', figure(geomean(own) / 100)],
      ['the same, slowest kind', 'at least 2', figure(Math.min(...own) / 100)],
      ['times as fast as the same with `decode` of qbson, geometric mean', 'at least 2.5', figure(geomean(own) / geomean(decoded))]
    ]
  }
}

const tables = results => [...kindTables(results, 'bson'), targets(results)]

module.exports = {
  name: 'json',
  title: 'JSON straight from BSON',
  baseline: 'bson',
  notes: ['Relative rates, `bson` = 100, more is faster: `Buffer.from(JSON.stringify(deserialize(bytes)))`, and the same with ' +
    '`decode` of qbson. `bytes` of `qbson/json` returns the same bytes, and `text` the same as a string; `EJSON.fromBSON` returns ' +
    'relaxed Extended JSON. Each kind of documents has a process of its own.'],
  setup: mode => prepare(mode.cache),
  rounds: mode => Math.min(mode.rounds, 4),
  cases: () => cross(kinds, [OP], Object.keys(WAYS)),
  prepare({ contender, subject }, mode) {
    const inputs = bytesOf(subject, mode)
    return {
      run: runOver(WAYS[contender](), inputs),
      ops: inputs.length,
      bytes: inputs.reduce((sum, bytes) => sum + bytes.length, 0) / inputs.length,
      check: contender === OTHER ? undefined : () => check(contender, subject, inputs)
    }
  },
  tables,
  digest: tables
}
