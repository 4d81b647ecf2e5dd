'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { machineLine } = require('./machine')
const { suiteTables } = require('./report')
const { markdown, MARK } = require('./tables')
const { saved } = require('./save')

const README = path.join(__dirname, '..', '..', 'README.md')

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
  if (start < 0 || end < start) throw new Error(`README.md has no ${START} … ${END}`)
  return `${readme.slice(0, start + START.length)}\n\n${text.trim()}\n\n${readme.slice(end)}`
}

const rowOf = (table, name) => table.rows.find(([first]) => first === name)
const number = cell => Number(cell.replace(/[,~ ]/g, ''))
const cellOf = (table, row, column) => number(rowOf(table, row)[table.head.indexOf(column)])

/** Relative rates, of which bson has 100. */
const rate = table => cellOf(table, 'qbson', 'geo. mean') / 100

/** Times in a column. */
const time = column => table => cellOf(table, 'bson', column) / cellOf(table, 'qbson', column)

const found = table => cellOf(table, table.rows[0][0], 'qbson : bson')

/** The summary's rows: suite, number of its table, how many times the rate of bson that says. */
const SUMMARY = [
  ['seven small documents, encode', 'small', 0, rate],
  ['seven small documents, decode', 'small', 1, rate],
  ['realistic documents of eleven kinds, mixed, encode', 'documents', 0, rate],
  ['realistic documents of eleven kinds, mixed, decode', 'documents', 1, rate],
  ['the media document of jvm-serializers, there and back', 'media', 0, time('total')],
  ['a thousand 64-bit integers and a hundred strings, there and back', 'record', 0, time('total')],
  ['a million small objects, there and back', 'test', 0, time('total s')],
  ['`EJSON.stringify`, realistic documents', 'ejson', 0, rate],
  ['`EJSON.stringify`, one kind of them at a time', 'ejson', 3, rate],
  ['`EJSON.parse`, realistic documents', 'ejson', 1, rate],
  ['BSON bytes to Extended JSON text, realistic documents', 'ejson', 2, rate],
  ['`find` of the official driver, documents a second', 'driver', 0, found],
  ['`require`', 'start', 0, time('require ms')]
]

/**
 * How many times as fast as bson, by workload and Node version.
 * @param {any[]} suites
 * @returns {string} a Markdown table
 */
function summary(suites) {
  const parts = new Map(suites.map(suite => [suite.name, saved(suite).map(({ nodes: [node], results }) => {
    return { version: node.version, tables: suiteTables(suite, results, false) }
  })]))
  const versions = [...new Set([...parts.values()].flat().map(({ version }) => version))]
  const rows = SUMMARY.map(([title, suite, i, ratio]) => [title, ...versions.map(version => {
    const part = parts.get(suite).find(each => each.version === version)
    return part ? `${ratio(part.tables[i]).toFixed(2)} ×` : '—'
  })])
  return markdown({ title: 'times the rate of `bson`', head: ['', ...versions.map(version => `Node ${version}`)], rows })
}

/** The main tables of a suite: of every Node version, with a chart, where the suite says so, else of the newest. */
function suiteSection(suite) {
  const parts = saved(suite)
  const shown = suite.readme === 'every' ? parts : parts.slice(-1)
  if (shown.length === 0) return []
  const [picture] = suite.readme === 'every' ? suite.charts?.(shown.at(-1).results) ?? [] : []
  const directory = `benchmark/results/node-${shown.at(-1).nodes[0].version.split('.')[0]}`
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
 * Writes the saved tables of the suites that want it into README.md.
 * @param {any[]} suites
 * @param {string} [file]
 * @returns {void}
 */
function writeReadme(suites, file = README) {
  const chosen = suites.filter(suite => suite.readme)
  const text = [
    ...machineLines(chosen),
    `\`${MARK.trim()}\`: varied by more than ±10 % between processes. \`—\`: the contender cannot do this. All suites, with ` +
      'every figure, are in [benchmark/results](benchmark/results); how they are measured, in ' +
      '[benchmark/README.md](benchmark/README.md).',
    ...chosen.flatMap(suiteSection)
  ].join('\n\n').replace(/\n{3,}/g, '\n\n')
  const readme = between(fs.readFileSync(file, 'utf8'), text)
  fs.writeFileSync(file, between(readme, summary(suites), 'summary'))
}

module.exports = { writeReadme, between }
