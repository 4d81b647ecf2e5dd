'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { distinct, markdown, joined, merged, MARK } = require('./tables')
const { saved, majorOf } = require('./save')

const ROOT = path.join(__dirname, '..', '..')

/**
 * Puts a text between two markers.
 * @param {string} readme
 * @param {string} text
 * @param {string} [name] of the markers
 * @returns {string}
 * @throws {Error} when there are no markers
 */
function between(readme, text, name = 'benchmark') {
  const [START, END] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`]
  const start = readme.indexOf(START)
  const end = readme.indexOf(END)
  if (start < 0 || end < start) throw new Error(`there is no ${START} … ${END}`)
  return `${readme.slice(0, start + START.length)}\n\n${text.trim()}\n\n${readme.slice(end)}`
}

/** The figure in a table's cell, or NaN. */
function cellOf({ head, rows }, row, column) {
  const cells = rows.find(([name]) => name === row)
  return Number(cells?.[head.indexOf(column)]?.replace(/[,~ ]/g, '') ?? NaN)
}

const rate = (row, column = 'qbson') => table => cellOf(table, row, column) / 100
const share = row => table => 1 / cellOf(table, row, '1,000')

/** Rows of the summary: title, suite, index of its table, rate relative to bson, and the rate of the worst kind, if any. */
const SUMMARY = [
  ['decode: a server that handles twelve kinds of documents', 'server', 0, rate('**geometric mean**'), rate('**worst kind**')],
  ['encode: the same', 'server', 1, rate('**geometric mean**'), rate('**worst kind**')],
  ['decode: the first 1,000 documents of a process, of fourteen kinds', 'first', 1, share('**mean**'), share('**worst**')],
  ['BSON bytes to JSON bytes, fourteen kinds', 'json', 0, rate('**geometric mean**', 'json.bytes'), rate('**worst kind**', 'json.bytes')],
  ['`find` by the official driver, documents a second', 'driver', 0, table => cellOf(table, table.rows[0][0], 'qbson : bson')]
]

/**
 * The speed relative to bson by workload and version of Node, and a chart. Workloads without figures have no row.
 * @param {import('./save').Summary[]} summaries
 * @returns {string} Markdown
 */
function summary(summaries) {
  const cell = (table, mean, worst) => {
    if (table === undefined || Number.isNaN(mean(table))) return '—'
    return `${mean(table).toFixed(2)} ×${worst ? ` (${worst(table).toFixed(2)})` : ''}`
  }
  const rows = SUMMARY.map(([title, suite, i, mean, worst]) => {
    return [title, ...summaries.map(({ suites }) => cell(suites[suite]?.tables[i], mean, worst))]
  })
  const measured = rows.filter(cells => cells.slice(1).some(text => text !== '—'))
  const head = ['', ...summaries.map(({ node }) => `Node ${majorOf(node)}`)]
  const title = 'times as fast as `bson` 7; in brackets: the slowest kind of document'
  return `${markdown({ title, head, rows: measured })}\n${picture('server', summaries)}`
}

/** The chart of a suite for the newest version of Node. */
function picture(suite, summaries, from = '') {
  const directory = `benchmark/results/node-${majorOf(summaries.at(-1).node)}`
  const file = fs.readdirSync(path.join(ROOT, directory)).find(name => name.startsWith(`${suite}-`) && name.endsWith('.svg'))
  return file ? `![rates relative to bson](${from}${directory}/${file})` : ''
}

/** A section with the tables of suites that share `docs`, joined row by row, and with all versions of Node merged. */
function section(suites, summaries) {
  const of = suite => summaries.map(({ suites }) => suites[suite.name]?.tables).filter(Boolean)
  const measured = suites.filter(suite => of(suite).length > 0)
  if (measured.length === 0) return []
  const tables = measured.map(suite => of(suite).at(-1).map((_, i) => merged(of(suite).map(each => each[i]))))
  return [
    `## ${measured[0].docs ?? measured[0].title}`,
    measured.flatMap(suite => suite.notes ?? []).join(' '),
    measured[0].charts ? picture(measured[0].name, summaries, '../../') : '',
    ...(measured.length > 1 ? [joined(tables.flat())] : tables.flat()).map(markdown)
  ]
}

/** Where, when and how suites were measured: one line per version of Node if nothing changed between runs. */
function machineLines(summaries, shown) {
  const isShown = ([name]) => shown.some(suite => suite.name === name)
  const entries = summaries.flatMap(({ suites }) => Object.entries(suites).filter(isShown).map(([, entry]) => entry))
  return distinct(entries, 'machine').map(machine => {
    return `${machine}; ${distinct(entries.filter(entry => entry.machine === machine), 'measured').join('; ')}.`
  })
}

/** @param {string} file @param {string} text @param {string} [name] of the markers */
function put(file, text, name) {
  fs.writeFileSync(file, between(fs.readFileSync(file, 'utf8'), text.replace(/\n{3,}/g, '\n\n'), name))
}

/**
 * Writes the summary into README.md, and the saved tables into benchmark/results/README.md.
 * @param {any[]} suites
 * @param {string} [root] of the project
 * @returns {void}
 */
function writeReadme(suites, root = ROOT) {
  const summaries = saved()
  const shown = suites.filter(suite => suite.docs !== false)
  const names = [...new Set(shown.map(suite => suite.docs ?? suite.name))]
  const page = path.join(root, 'benchmark', 'results', 'README.md')
  put(page, [
    ...machineLines(summaries, shown),
    `Two figures in a cell are for Node ${summaries.map(({ node }) => majorOf(node)).join(' and ')}. ` +
      `\`${MARK.trim()}\`: varied by more than ±10 % between processes. \`—\`: the contender cannot do this. ` +
      'The method is described in `benchmark/README.md`.',
    ...names.flatMap(name => section(shown.filter(suite => (suite.docs ?? suite.name) === name), summaries))
  ].join('\n\n'))
  put(path.join(root, 'README.md'), summary(summaries), 'summary')
}

module.exports = { writeReadme, between }
