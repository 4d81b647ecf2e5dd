'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { machineLine } = require('./machine')
const { suiteTables } = require('./report')
const { markdown, MARK } = require('./tables')
const { saved } = require('./save')

const ROOT = path.join(__dirname, '..', '..')
const README = path.join(ROOT, 'README.md')
const PAGE = path.join(ROOT, 'docs', 'benchmarks.md')

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

const rowOf = (table, name) => table.rows.find(([first]) => first === name)
const number = cell => Number(cell.replace(/[,~ ]/g, ''))
const cellOf = (table, row, column) => number(rowOf(table, row)[table.head.indexOf(column)])

/** Relative rates, of which bson has 100. */
const rate = table => cellOf(table, 'qbson', 'geo. mean') / 100

/** The kind of documents that does worst of them. */
const worst = table => {
  const kinds = table.head.slice(1, table.head.indexOf('geo. mean'))
  return Math.min(...kinds.map(kind => cellOf(table, 'qbson', kind)).filter(Number.isFinite)) / 100
}

/** Times in a column. */
const time = column => table => cellOf(table, 'bson', column) / cellOf(table, 'qbson', column)

const found = table => cellOf(table, table.rows[0][0], 'qbson : bson')

/** Shares of the time that bson takes, in the row of all kinds or of the one that does worst. */
const share = (row, count) => table => 1 / cellOf(table, row, count)

/** The summary's rows: suite, number of its table, how many times the rate of bson that says. */
const SUMMARY = [
  ['the first 100 documents of a process, encode', 'first', 0, share('**mean**', '100')],
  ['the first 100 documents of a process, decode', 'first', 1, share('**mean**', '100')],
  ['the first 3,000, encode', 'first', 0, share('**mean**', '3,000')],
  ['the first 3,000, decode', 'first', 1, share('**mean**', '3,000')],
  ['the first 3,000 of the kind that does worst, encode', 'first', 0, share('**worst**', '3,000')],
  ['the first 3,000 of the kind that does worst, decode', 'first', 1, share('**worst**', '3,000')],
  ['steady: realistic documents of many kinds, mixed, encode', 'documents', 0, rate],
  ['realistic documents of many kinds, mixed, decode', 'documents', 1, rate],
  ['the kind of them that does worst, encode', 'documents', 0, worst],
  ['the kind of them that does worst, decode', 'documents', 1, worst],
  ['seven small documents, encode', 'small', 0, rate],
  ['seven small documents, decode', 'small', 1, rate],
  ['`EJSON.stringify`, realistic documents', 'ejson', 0, rate],
  ['`EJSON.parse`, realistic documents', 'ejson', 1, rate],
  ['BSON bytes to Extended JSON text, realistic documents', 'ejson', 2, rate],
  ['`find` of the official driver, documents a second', 'driver', 0, found],
  ['`require` and the first document', 'start', 0, time('`require` and first encode ms')],
  ['`import` and the first document', 'start', 0, time('`import` and first encode ms')]
]

/** One of these is the summary's picture. */
const PICTURES = [['first', 'shares'], ['documents', 'rates'], ['small', 'rates']]

/**
 * How many times as fast as bson, by workload and Node version, and a chart. Workloads that were not measured have no row.
 * @param {any[]} suites
 * @returns {string} Markdown
 */
function summary(suites) {
  const parts = new Map(suites.map(suite => [suite.name, saved(suite).map(({ nodes: [node], results }) => {
    return { version: node.version, tables: suiteTables(suite, results, false) }
  })]))
  const versions = [...new Set([...parts.values()].flat().map(({ version }) => version))]
  const measured = SUMMARY.filter(([, suite]) => parts.get(suite)?.length > 0)
  const rows = measured.map(([title, suite, i, ratio]) => [title, ...versions.map(version => {
    const part = parts.get(suite).find(each => each.version === version)
    return part ? `${ratio(part.tables[i]).toFixed(2)} ×` : '—'
  })])
  const table = markdown({ title: 'times the rate of `bson`', head: ['', ...versions.map(version => `Node ${version}`)], rows })
  return `${table}\n${picture(versions)}`
}

/** The first of PICTURES that was drawn, for the newest version of Node. */
function picture(versions) {
  const drawn = versions.toReversed().flatMap(version => PICTURES.map(([suite, name]) => {
    return `benchmark/results/node-${version.split('.')[0]}/${suite}-${name}.svg`
  })).filter(file => fs.existsSync(path.join(ROOT, file)))
  return drawn.length === 0 ? '' : `![rates relative to bson](${drawn[0]})`
}

/** The main tables of a suite: of every Node version, with a chart, where the suite says so, else of the newest. */
function suiteSection(suite) {
  const parts = saved(suite)
  const shown = suite.readme === 'every' ? parts : parts.slice(-1)
  if (shown.length === 0) return []
  const [picture] = suite.readme === 'every' ? suite.charts?.(shown.at(-1).results) ?? [] : []
  const directory = `../benchmark/results/node-${shown.at(-1).nodes[0].version.split('.')[0]}`
  return [
    `### ${suite.title}`,
    ...(suite.notes ?? []),
    ...(picture ? [`![${suite.title}](${directory}/${suite.name}-${picture.name}.svg)`] : []),
    ...shown.flatMap(({ nodes: [node], results }) => suiteTables(suite, results, false).map(table => {
      return markdown({ ...table, title: `${table.title}, Node ${node.version}` })
    }))
  ]
}

/** The line that names machine and versions, once for each Node version. */
function machineLines(suites) {
  const lines = suites.flatMap(suite => saved(suite).map(({ machine, nodes: [node], date }) => {
    return `${machineLine(machine, node, date)}.`
  }))
  return [...new Set(lines)]
}

/**
 * Writes the summary into README.md, and the saved tables of the suites that want it into docs/benchmarks.md.
 * @param {any[]} suites
 * @param {string} [readme]
 * @param {string} [page]
 * @returns {void}
 */
function writeReadme(suites, readme = README, page = PAGE) {
  const chosen = suites.filter(suite => suite.readme)
  const text = [
    ...machineLines(chosen),
    `\`${MARK.trim()}\`: varied by more than ±10 % between processes. \`—\`: the contender cannot do this. All suites, with ` +
      'every figure, are in [benchmark/results](../benchmark/results); how they are measured, in ' +
      '[benchmark/README.md](../benchmark/README.md).',
    ...chosen.flatMap(suiteSection)
  ].join('\n\n').replace(/\n{3,}/g, '\n\n')
  fs.writeFileSync(page, between(fs.readFileSync(page, 'utf8'), text))
  fs.writeFileSync(readme, between(fs.readFileSync(readme, 'utf8'), summary(suites), 'summary'))
}

module.exports = { writeReadme, between }
