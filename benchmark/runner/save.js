'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { machineLine } = require('./machine')
const { digestOf } = require('./report')
const { charts } = require('./charts')

const RESULTS = path.join(__dirname, '..', 'results')

const majorOf = version => Number(version.split('.')[0])
const directoryOf = version => path.join(RESULTS, `node-${majorOf(version)}`)

/**
 * The content of results/node-N/summary.json: the tables for benchmark/results/README.md of one version of Node.
 * @typedef {object} Summary
 * @property {string} node
 * @property {Record<string, {machine: string, measured: string, tables: import('./tables').Table[]}>} suites by name;
 *   `machine` includes the versions of the contenders; `measured` tells when and how
 */

/**
 * Writes the tables of a run into the summaries, and the charts of the newest version of Node.
 * @param {any} data as a run returns it
 * @param {any[]} suites
 * @returns {Promise<void>}
 */
async function save(data, suites) {
  const newest = Math.max(...data.nodes.map(({ version }) => majorOf(version)), ...saved().map(({ node }) => majorOf(node)))
  for (const node of data.nodes) {
    const old = saved().find(({ node: version }) => majorOf(version) === majorOf(node.version))
    const parts = suites.filter(suite => suite.docs !== false).map(suite => ({ suite, results: resultsOf(data, suite, node) }))
      .filter(({ results }) => results.length > 0)
    const about = { machine: machineLine(data.machine, node), measured: `${data.date}, ${data.mode.name}` }
    const entries = parts.map(({ suite, results }) => [suite.name, { ...about, tables: digestOf(suite, results) }])
    fs.mkdirSync(directoryOf(node.version), { recursive: true })
    write({ node: node.version, suites: { ...old?.suites, ...Object.fromEntries(entries) } })
    if (majorOf(node.version) === newest) for (const { suite, results } of parts) await draw(suite, results, node.version)
  }
}

const resultsOf = (data, suite, node) => data.results.filter(result => result.suite === suite.name && result.node === node.version)

async function draw(suite, results, version) {
  for (const { file, svg } of await charts(suite, results)) fs.writeFileSync(path.join(directoryOf(version), file), svg)
}

/** JSON with a line for each row of a table. @param {Summary} summary */
function write(summary) {
  const text = JSON.stringify(summary, null, 1).replace(/\[\s+(?:"(?:[^"\\]|\\.)*",?\s+)+\]/g, row => row.replace(/\n\s*/g, ' '))
  fs.writeFileSync(path.join(directoryOf(summary.node), 'summary.json'), text + '\n')
}

/** @returns {Summary[]} for all versions of Node, oldest first */
function saved() {
  if (!fs.existsSync(RESULTS)) return []
  const files = fs.readdirSync(RESULTS).filter(name => /^node-\d+$/.test(name)).map(name => path.join(RESULTS, name, 'summary.json'))
  return files.filter(file => fs.existsSync(file)).map(file => JSON.parse(fs.readFileSync(file, 'utf8')))
    .sort((one, other) => majorOf(one.node) - majorOf(other.node))
}

module.exports = { save, saved, majorOf }
