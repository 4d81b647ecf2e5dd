'use strict'

// The benchmark: `npm run benchmark -- --help`. README.md in this folder describes how it measures, and suites.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { parse, USAGE } = require('./runner/args')
const { machine, machineLine, nodeVersion, runtimeVersion } = require('./runner/machine')
const { schedule, chosenCases, caseName } = require('./runner/schedule')
const { summarise } = require('./runner/results')
const { report } = require('./runner/report')
const { compare } = require('./runner/compare')
const { save } = require('./runner/save')
const { writeReadme } = require('./runner/readme')
const { loadSuites } = require('./runner/suites')

/** If standard error is not a terminal, progress is printed this often. */
const PROGRESS_EVERY = 30_000 // ms
let printed = Date.now()

/** Prints a line of progress; on a terminal it replaces the last one. */
function progress(text) {
  if (!process.stderr.isTTY) {
    if (Date.now() - printed < PROGRESS_EVERY) return
    printed = Date.now()
    console.error(text)
    return
  }
  process.stderr.write(`\r\x1b[K${text.slice(0, (process.stderr.columns || 80) - 1)}`)
}

/** Runs the suites and returns all figures. */
async function run(options, suites) {
  const cache = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-benchmark-'))
  const mode = { ...options.mode, cache }
  const nodes = [...options.nodes.map(nodeVersion), ...options.runtime.map(runtimeVersion)]
  try {
    const plan = { suites, nodes, mode, filter: options.filter, prefix: options.prefix }
    const { rows, failures } = await schedule(plan, progress)
    const baselines = Object.fromEntries(suites.map(suite => [suite.name, suite.baseline]))
    const date = new Date().toISOString().slice(0, 10)
    const versions = nodes.map(({ version, v8 }) => ({ version, v8 }))
    const results = summarise(rows, baselines)
    return { date, machine: machine(), nodes: versions, mode: options.mode, failures, results }
  } finally {
    progress('')
    fs.rmSync(cache, { recursive: true, force: true })
  }
}

/** Prints what became faster or slower; returns the exit code. */
function printComparison(options, current) {
  const old = JSON.parse(fs.readFileSync(options.compare, 'utf8'))
  const { text, slower } = compare(old, current)
  console.log(text)
  return options.fail && slower > 0 ? 1 : 0
}

function list(suites, options) {
  for (const suite of suites) {
    for (const item of chosenCases(suite, options.mode, options.filter)) console.log(caseName(suite, item))
  }
}

async function runAll(options, suites) {
  const data = await run(options, suites)
  for (const { version, v8 } of data.nodes) console.log(`${machineLine(data.machine, { version, v8 })}; ${data.date}\n`)
  console.log(report(data, suites, options.details))
  if (options.json) fs.writeFileSync(options.json, JSON.stringify(data, null, 1) + '\n')
  if (options.save) await save(data, suites)
  if (options.readme) writeReadme(loadSuites(null))
  const code = options.compare ? printComparison(options, data) : 0
  return data.failures.some(failure => failure.contender.startsWith('qbson')) ? 1 : code
}

async function main(argv) {
  const options = parse(argv)
  if (options.help) return console.log(USAGE) ?? 0
  if (options.against) return printComparison(options, JSON.parse(fs.readFileSync(options.against, 'utf8')))
  const suites = loadSuites(options.suites)
  if (options.list) return list(suites, options) ?? 0
  if (options.save) return runAll(options, suites)
  if (options.readme) writeReadme(loadSuites(null))
  return options.readme ? 0 : runAll(options, suites)
}

main(process.argv.slice(2)).then(code => {
  process.exitCode = code
}, error => {
  console.error(error.message)
  process.exitCode = 2
})
