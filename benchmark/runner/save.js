'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { machineLine } = require('./machine')
const { suiteText, LEGEND } = require('./report')
const { charts } = require('./charts')

const RESULTS = path.join(__dirname, '..', 'results')

const directoryOf = version => path.join(RESULTS, `node-${version.split('.')[0]}`)

/**
 * Writes results/node-N/SUITE.md, SUITE.json and SUITE-*.svg.
 * @param {any} data as a run returns it
 * @param {any[]} suites
 * @returns {Promise<void>}
 */
async function save(data, suites) {
  for (const node of data.nodes) {
    for (const suite of suites) {
      const of = ({ suite: name, node: version }) => name === suite.name && version === node.version
      const part = { ...data, nodes: [node], results: data.results.filter(of), failures: data.failures.filter(of) }
      if (part.results.length > 0) await saveSuite(part, suite)
    }
  }
}

async function saveSuite(part, suite) {
  const [node] = part.nodes
  const directory = directoryOf(node.version)
  fs.mkdirSync(directory, { recursive: true })
  fs.writeFileSync(path.join(directory, `${suite.name}.json`), JSON.stringify(part, null, 1) + '\n')
  const pictures = await drawSuite(part, suite, directory)
  const text = [
    `# ${suite.title}`,
    machineLine(part.machine, node, part.date),
    `Mode ${part.mode.name}, ${suite.rounds?.(part.mode) ?? part.mode.rounds} rounds.`,
    LEGEND,
    ...pictures.map(name => `![${suite.title}](${name})`),
    suiteText(suite, part.results, part.failures, true)
  ]
  fs.writeFileSync(path.join(directory, `${suite.name}.md`), text.join('\n\n').replace(/\n{3,}/g, '\n\n').trimEnd() + '\n')
}

async function drawSuite(part, suite, directory) {
  const drawn = await charts(suite, part.results)
  for (const { file, svg } of drawn) fs.writeFileSync(path.join(directory, file), svg)
  return drawn.map(({ file }) => file)
}

/** @returns {any[]} the saved figures of a suite, one a Node version, oldest first */
function saved(suite) {
  if (!fs.existsSync(RESULTS)) return []
  const directories = fs.readdirSync(RESULTS).filter(name => /^node-\d+$/.test(name)).sort()
  return directories.map(name => path.join(RESULTS, name, `${suite.name}.json`)).filter(file => fs.existsSync(file))
    .map(file => JSON.parse(fs.readFileSync(file, 'utf8')))
}

/**
 * Writes text and charts again from the saved figures.
 * @param {any[]} suites
 * @returns {Promise<void>}
 */
async function redraw(suites) {
  for (const suite of suites) for (const part of saved(suite)) await saveSuite(part, suite)
}

module.exports = { save, saved, redraw, RESULTS }
