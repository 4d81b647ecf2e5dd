'use strict'

const { kinds, load, prepare, COUNT } = require('../data/server')
const { bsonTypes } = require('../data/types')
const { contenders, loadQbson } = require('../contenders')
const { relativeCharts } = require('../runner/charts')
const { pin } = require('../runner/machine')
const { BLOCK } = require('../runner/mixed')
const { slicedWork } = require('../runner/slices')
const { kindTables } = require('../runner/tables')

const names = ['bson', 'JSON bytes', 'msgpackr', 'qbson (no codegen)', 'qbson', 'qbson compiled']

/** The contender whose codecs are compiled from the documents' common schema. */
const COMPILED = 'qbson compiled'

function schemaOf(kind, cache) {
  const qbson = loadQbson()
  const documents = load(kind, bsonTypes(qbson), cache)
  return require('../../lib/compile').schemaOf(documents.map(doc => qbson.encode(doc)))
}

/** While checking, every tenth document. */
function workloads(contender, { cache, brief }) {
  return kinds.map(name => ({
    name,
    schema: contender === COMPILED ? schemaOf(name, cache) : undefined,
    documents: types => load(name, types, cache).filter((_, i) => !brief || i % 10 === 0)
  }))
}

module.exports = {
  name: 'server',
  title: 'Long-lived processes, twelve kinds of documents in turn',
  checksBothWays: true,
  baseline: 'bson',
  notes: [
    `Relative rates, \`bson\` = 100, more is faster. For each library, one process handles ${COUNT} different documents of each ` +
      `kind, ${BLOCK} of one kind and then ${BLOCK} of the next. The processes take turns of 250 ms on one core; each runs for six ` +
      'seconds, of which the last four count.',
    '"no codegen" runs with `--disallow-code-generation-from-strings`; "compiled" uses a codec from `compile(schemaOf(documents))` ' +
      'for each kind. JSON and msgpackr get identifiers and decimals as strings.'
  ],
  setup: mode => prepare(mode.cache),
  cases: () => ['decode', 'encode'].flatMap(op => names.map(contender => {
    return { subject: 'all', op, contender, flags: contenders[contender].flags, prefix: pin }
  })),
  prepare: (item, mode) => slicedWork(item, workloads(item.contender, mode)),
  page: (item, mode) => ({
    lists: workloads('bson', mode).map(({ name, documents }) => ({ subject: name, documents: documents(bsonTypes(require('bson'))) }))
  }),
  tables: results => kindTables(results, 'bson'),
  digest: results => kindTables(results, 'bson'),
  charts: results => relativeCharts(results, { name: 'rates', title: 'Long-lived processes, twelve kinds of documents in turn' })
}
