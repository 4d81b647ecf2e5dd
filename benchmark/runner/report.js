'use strict'

const { titleOf } = require('./machine')
const { markdown, relativeTables, meansTable, detailTable, sideBySide, distinct, MARK } = require('./tables')

const LEGEND = `\`${MARK.trim()}\` behind a figure: it varied by more than ±10 % between processes, do not trust it. ` +
  '`—`: the library cannot do this. `*`: mean of the cells that are there. Spread: half the range over the rounds (of ' +
  'a single round: over its samples); for several cells the median of theirs.'

/**
 * The tables of a suite on one Node version.
 * @param {any} suite
 * @param {import('./results').Result[]} results of that suite and version
 * @param {boolean} details with a row for every case
 * @returns {import('./tables').Table[]}
 */
function suiteTables(suite, results, details) {
  const own = suite.tables ? suite.tables(results) : relativeTables(results, suite.baseline)
  return details && suite.details !== false ? [...own, detailTable(results)] : own
}

/**
 * The tables of a suite that are kept and shown in benchmark/results/README.md.
 * @param {any} suite
 * @param {import('./results').Result[]} results of that suite and version
 * @returns {import('./tables').Table[]}
 */
function digestOf(suite, results) {
  return suite.digest ? suite.digest(results) : [meansTable(results, suite.baseline)]
}

/**
 * The Markdown text of a suite on one Node version.
 * @param {any} suite
 * @param {import('./results').Result[]} results of that suite and version
 * @param {any[]} failures of that suite and version
 * @param {boolean} details with a row for every case
 * @returns {string}
 */
function suiteText(suite, results, failures, details) {
  const parts = [...(suite.notes ?? []), ...suiteTables(suite, results, details).map(markdown), failureText(failures)]
  return parts.filter(Boolean).join('\n\n')
}

/** The reasons for empty cells: one line per contender and reason. */
function failureText(failures) {
  const lines = distinct(failures.map(({ contender, reason }) => ({ line: `- ${contender}: ${reason}` })), 'line')
  return lines.length > 0 ? `Not timed:\n\n${lines.join('\n')}\n` : ''
}

/**
 * Everything as Markdown.
 * @param {any} data as a run returns it
 * @param {any[]} suites
 * @param {boolean} details
 * @returns {string}
 */
function report(data, suites, details) {
  const parts = [LEGEND]
  for (const suite of suites) {
    const results = data.results.filter(result => result.suite === suite.name)
    if (results.length === 0 && !data.failures.some(failure => failure.suite === suite.name)) continue
    for (const { version } of data.nodes) {
      const failures = data.failures.filter(failure => failure.suite === suite.name && failure.node === version)
      parts.push(`## ${suite.title}, ${titleOf(version)}`)
      parts.push(suiteText(suite, results.filter(result => result.node === version), failures, details))
    }
    const versions = sideBySide(results)
    if (versions) parts.push(markdown(versions))
  }
  return parts.join('\n\n').replace(/\n{3,}/g, '\n\n')
}

module.exports = { report, digestOf }
