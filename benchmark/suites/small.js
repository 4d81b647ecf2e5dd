'use strict'

const { small } = require('../data/small')
const schemas = require('../data/schemas')
const { limits } = require('../data/limit')
const { codecWork, cross } = require('../runner/codec')
const { relativeCharts } = require('../runner/charts')
const { joined, kindTables } = require('../runner/tables')

const COPIES = 64
const subjects = Object.keys(small)
const names = ['bson', 'buffalo', '@msgpack/msgpack', 'msgpackr', 'json-simple', 'JSON text', 'JSON bytes', 'qbson',
  'qbson compiled', 'limit']

function workload(subject) {
  const make = small[subject]
  return {
    documents: () => Array.from({ length: COPIES }, make),
    warmUp: 4, // learned code has to be optimised first; the suite `first` shows the time before
    schema: schemas.small[subjects.indexOf(subject)],
    limit: limits[subjects.indexOf(subject)]
  }
}

/** One table, without contenders that seldom lead. */
function digest(results) {
  const chosen = results.filter(({ contender }) => SHOWN.includes(contender))
  const tables = kindTables(chosen, 'bson', 'document')
  const parts = tables.map(({ head, ...table }, i) => ({ ...table, head: head.map(name => `${['encode', 'decode'][i]}: ${name}`) }))
  return { ...joined(parts), title: 'relative rate, bson = 100' }
}

const SHOWN = ['bson', 'msgpackr', 'JSON bytes', 'qbson', 'qbson compiled', 'limit']

module.exports = {
  name: 'small',
  title: 'Seven small documents',
  baseline: 'bson',
  notes: [
    'Relative rates, `bson` = 100, more is faster. The workload has one document per subject: 64 equal objects ' +
      'and 64 separate Buffers of equal bytes, used in turn.',
    '`qbson compiled` is given a schema; `limit`, a bound, is straight-line code written by hand for exactly that document. `json-simple` and JSON text use ' +
      'strings, all others bytes.'
  ],
  cases: () => cross(subjects, ['encode', 'decode'], names),
  prepare: item => codecWork(item, workload(item.subject)),
  page: ({ subject }) => ({ lists: [{ subject, documents: workload(subject).documents() }] }),
  digest: results => [digest(results)],
  charts: results => relativeCharts(results, { name: 'rates', title: 'Seven small documents' })
}
