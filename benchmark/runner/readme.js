'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { machineLine } = require('./machine')
const { suiteTables } = require('./report')
const { markdown, MARK } = require('./tables')
const { saved } = require('./save')

const README = path.join(__dirname, '..', '..', 'README.md')
const START = '<!-- benchmark:start -->'
const END = '<!-- benchmark:end -->'

/**
 * Puts a text between the markers.
 * @param {string} readme
 * @param {string} text
 * @returns {string}
 * @throws {Error} when there are no markers
 */
function between(readme, text) {
  const start = readme.indexOf(START)
  const end = readme.indexOf(END)
  if (start < 0 || end < start) throw new Error(`README.md has no ${START} … ${END}`)
  return `${readme.slice(0, start + START.length)}\n\n${text.trim()}\n\n${readme.slice(end)}`
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
  fs.writeFileSync(file, between(fs.readFileSync(file, 'utf8'), text))
}

module.exports = { writeReadme, between }
