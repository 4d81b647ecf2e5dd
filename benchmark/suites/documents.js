'use strict'

const { kinds, load, prepare, BSON_ONLY, COUNT, COUNT_FEW } = require('../data/documents')
const { documents: schemas } = require('../data/schemas')
const { bsonTypes } = require('../data/types')
const { contenders, loadQbson } = require('../contenders')
const { mixedWork, BLOCK } = require('../runner/mixed')
const { relativeCharts } = require('../runner/charts')
const { relativeTables, figure } = require('../runner/tables')

const names = ['bson', '@msgpack/msgpack', 'msgpackr', 'msgpackr records', 'cbor-x', 'v8.serialize', 'JSON bytes',
  'JSON bytes, toJSON', 'qbson (no codegen)', 'qbson', 'qbson compiled', 'limit']

/** Those that can hold every type of BSON. */
const complete = ['bson', 'qbson', 'qbson (no codegen)']

/** The one that is given schemas, for the kinds that have one. */
const COMPILED = 'qbson compiled'

/** The one that is written by hand, and the kinds that it is written for. */
const LIMIT = 'limit'
const LIMITED = ['order', 'post', 'event']

function limitOf(kind) {
  const { limits } = require('../data/limit-documents')
  return { ...(limits[kind] ?? require('../data/limit-events').limit), types: bsonTypes(loadQbson()) }
}

function isKnown(contender, kind) {
  if (contender === LIMIT) return LIMITED.includes(kind)
  return contender !== COMPILED || schemas[kind] !== undefined
}

/** While checking, every tenth document. What those for a few kinds do not know is read and written by qbson. */
function workloads(contender, { cache, brief }) {
  const chosen = documents => brief ? documents.filter((_, i) => i % 10 === 0) : documents
  const isOfBSON = complete.includes(contender) || [COMPILED, LIMIT].includes(contender)
  return kinds.filter(kind => isOfBSON || !BSON_ONLY.includes(kind)).map(name => ({
    name,
    by: isKnown(contender, name) ? contender : 'qbson',
    schema: schemas[name],
    limit: contender === LIMIT && LIMITED.includes(name) ? limitOf(name) : undefined,
    documents: types => chosen(load(name, types, cache))
  }))
}

const sum = values => values.reduce((total, value) => total + value, 0)

/** Over the kinds that everybody can hold: rate, throughput and allocation of one contender and operation. */
function totalsOf(contender, op, results) {
  const own = results.filter(result => {
    return result.contender === contender && result.op === op && !BSON_ONLY.includes(result.subject)
  })
  const ns = sum(own.map(result => result.ns))
  const allocated = sum(own.map(result => result.allocated)) / own.length
  return { rate: own.length * 1e9 / ns, throughput: sum(own.map(result => result.bytes)) * 1e3 / ns, allocated }
}

function totals(results) {
  const present = names.filter(name => name !== COMPILED && name !== LIMIT && results.some(result => result.contender === name))
  return {
    title: `all kinds but ${BSON_ONLY.join()}, as many of each`,
    head: ['', ...['encode', 'decode'].flatMap(op => [`${op} docs/s`, 'MB/s', 'allocated B/op'])],
    rows: present.map(name => [name, ...['encode', 'decode'].flatMap(op => {
      const { rate, throughput, allocated } = totalsOf(name, op, results)
      return [figure(rate), figure(throughput), figure(allocated)]
    })])
  }
}

module.exports = {
  name: 'documents',
  title: 'Realistic documents, kinds mixed in one process',
  checksBothWays: true,
  baseline: 'bson',
  readme: 'every',
  notes: [
    `Relative rates, \`bson\` = 100, more is faster. ${COUNT} different documents a kind, of the last three ${COUNT_FEW}, ` +
      `from a seeded generator; each contender goes through all kinds in one process, ${BLOCK} documents of a kind, then ` +
      `${BLOCK} of the next. Decoders get separate Buffers.`,
    'BSON contenders write and read ObjectIds, dates and so on; the others get identifiers and decimals as strings. ' +
      '"JSON bytes" has nothing to convert at all; "JSON bytes, toJSON" stringifies the values BSON gets. ' +
      '"compiled" is given schemas, for the kinds that have one, and "limit" is written by hand for three; what else is in ' +
      'the mix is done by qbson, and not shown. "no codegen" runs with `--disallow-code-generation-from-strings`.'
  ],
  setup: mode => prepare(mode.cache),
  rounds: mode => Math.min(mode.rounds, 4),
  cases: () => ['encode', 'decode'].flatMap(op => names.map(contender => {
    return { subject: 'all', op, contender, flags: contenders[contender].flags }
  })),
  prepare: (item, mode) => mixedWork(item, workloads(item.contender, mode)),
  page: (item, mode) => ({
    lists: workloads('bson', mode).map(({ name, documents }) => ({ subject: name, documents: documents(bsonTypes(require('bson'))) }))
  }),
  tables: results => [...relativeTables(results, 'bson'), totals(results)],
  charts: results => relativeCharts(results, { name: 'rates', title: 'Realistic documents, kinds mixed in one process' })
}
