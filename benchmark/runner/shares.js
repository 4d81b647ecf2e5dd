'use strict'

const { median } = require('./stats')
const { distinct, figure, percent, wide } = require('./tables')

// The tables and the chart of the suite `first`: shares of bson's CPU time, by the number of documents.

/** @typedef {import('./results').Result} Result with `extra.op` and `extra.mark` */

const share = result => 100 / result.relative
const mean = values => values.length === 0 ? undefined : values.reduce((sum, value) => sum + value) / values.length

const timesOf = results => results.filter(({ extra, relative }) => extra.mark !== undefined && relative !== undefined)

/** qbson, or a codec that it has compiled. @param {string} contender */
const isOwn = contender => contender === 'qbson' || contender === 'qbson compiled'

/** Shares have two decimals. */
const cell = value => value === undefined ? '—' : value.toFixed(2)

/**
 * One table per operation, with a row per kind and a column per number of documents.
 * @param {Result[]} results
 * @param {string[]} kinds that the means of the other contenders include
 * @returns {import('./tables').Table[]}
 */
function shareTables(results, kinds) {
  const times = timesOf(results)
  const marks = [...new Set(times.map(({ extra }) => extra.mark))].sort((a, b) => a - b)
  return [...new Set(times.map(({ extra }) => extra.op))].map(op => {
    const own = times.filter(({ extra }) => extra.op === op)
    return {
      title: `${op}: CPU time of the first N documents, as a share of that of bson`,
      head: ['', ...marks.map(mark => mark.toLocaleString('en-US')), 'spread'],
      rows: [...ownRows(own, marks), ...meanRows(own, marks, kinds)]
    }
  })
}

function ownRows(times, marks) {
  return distinct(times, 'subject').map(subject => {
    const row = times.filter(result => result.subject === subject && isOwn(result.contender))
    const cells = marks.map(mark => row.find(({ extra }) => extra.mark === mark))
    return [
      subject,
      ...cells.map(result => result ? wide(cell(share(result)), result.relativeSpread > 0.1) : '—'),
      percent(median(row.map(({ relativeSpread }) => relativeSpread)))
    ]
  })
}

function meanRows(times, marks, kinds) {
  const of = (contender, mark) => times.filter(result => {
    return result.contender === contender && result.extra.mark === mark && kinds.includes(result.subject)
  }).map(share)
  const row = (name, contender, reduce) => [name, ...marks.map(mark => cell(reduce(of(contender, mark)))), '']
  const others = distinct(times, 'contender').filter(name => name !== 'bson' && !isOwn(name))
  return [
    row('**mean**', 'qbson', mean),
    row('**worst**', 'qbson', values => values.length === 0 ? undefined : Math.max(...values)),
    ...others.map(name => row(`mean of ${name}`, name, mean))
  ]
}

/**
 * Milliseconds, measured from before `require`.
 * @param {Result[]} results
 * @returns {import('./tables').Table}
 */
function startTable(results) {
  const ops = distinct(results, 'op')
  return {
    title: 'CPU time of `require` and of one small document, ms and as a share of that of bson',
    head: ['', ...ops.flatMap(op => [op, 'share']), 'spread'],
    rows: distinct(results, 'contender').map(name => {
      const row = ops.map(op => results.find(result => result.contender === name && result.op === op))
      return [
        name,
        ...row.flatMap(result => [wide(figure(result.ns / 1e6), result.wide), cell(share(result))]),
        percent(median(row.map(({ spread }) => spread)))
      ]
    })
  }
}

const OWN = '#d9730d'
const OTHER = '#8b949e'

/** Plots the share over the number of documents, both logarithmic; a panel per operation, a line per kind. */
function shareCharts(results) {
  const times = timesOf(results).filter(({ contender, subject }) => contender !== 'bson' && !subject.includes(','))
  const values = times.map(result => ({
    op: result.extra.op,
    documents: result.extra.mark,
    share: share(result),
    line: `${result.contender}, ${result.subject}`,
    role: roleOf(result),
    label: result.contender
  })).filter(({ role }) => role !== 'none')
  if (values.length === 0) return []
  return [{
    name: 'shares',
    spec: {
      title: {
        text: 'The first documents of a process',
        subtitle: ['CPU time of the first N documents, as a share of that of bson; less is faster', SUBTITLE]
      },
      hconcat: [...new Set(values.map(({ op }) => op))].map(op => panelOf(op, values.filter(value => value.op === op))),
      spacing: 30
    }
  }]
}

const SUBTITLE = 'thin lines: qbson, one kind of documents each; thick: kinds mixed, qbson and the others'

function roleOf({ contender, subject }) {
  if (subject === 'mixed') return contender === 'qbson' ? 'mixed' : 'other'
  return contender === 'qbson' ? 'kind' : 'none'
}

function panelOf(op, values) {
  const x = { field: 'documents', type: 'quantitative', title: 'documents', scale: { type: 'log' }, axis: { grid: false, format: '~s' } }
  const y = {
    field: 'share', type: 'quantitative', title: null, scale: { type: 'log', nice: false },
    axis: { values: [0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5], format: '~g' }
  }
  const lines = (role, mark) => ({
    transform: [{ filter: `datum.role == '${role}'` }], mark: { type: 'line', ...mark }, encoding: { x, y, detail: { field: 'line' } }
  })
  const last = Math.max(...values.filter(({ role }) => role !== 'kind').map(({ documents }) => documents))
  const names = (filter, color) => ({
    transform: [{ filter: `datum.documents == ${last} && ${filter}` }],
    mark: { type: 'text', align: 'left', dx: 6, fontSize: 11, color },
    encoding: { x, y, text: { field: 'label' } }
  })
  return {
    title: { text: op, fontSize: 13 },
    width: 360,
    height: 300,
    data: { values },
    layer: [
      { data: { values: [{}] }, mark: { type: 'rule', color: OTHER, strokeWidth: 1.5 }, encoding: { y: { datum: 1 } } },
      lines('kind', { color: OWN, strokeWidth: 1, opacity: 0.45 }),
      lines('other', { color: OTHER, strokeWidth: 2 }),
      lines('mixed', { color: OWN, strokeWidth: 3 }),
      names("datum.role == 'other'", OTHER),
      names("datum.role == 'mixed'", OWN)
    ]
  }
}

module.exports = { shareTables, startTable, shareCharts }
