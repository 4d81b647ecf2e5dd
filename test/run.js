'use strict'

// node test/run.js                 everything: lint, types and every test/test-*.js
// node test/run.js suites          every test/test-*.js
// node test/run.js encode decode   only test-encode.js and test-decode.js (also: lint, types)
//
// Each runs in a process of its own, as many at once as there are cores. Failures are printed as they come; the last
// line is the sum: 'N passed, N failed' and, when tests could not run here, ', N skipped'.

const { fork, spawn } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

const CHECKS = ['lint', 'types']

/** Of a failure's output: characters. */
const MAX_LINE = 1000

const suites = fs.readdirSync(__dirname).map(file => /^test-(.*)\.js$/.exec(file)?.[1]).filter(Boolean).sort()

function chosen(names) {
  if (names.length === 0) return [...CHECKS, ...suites]
  if (names.length === 1 && names[0] === 'suites') return suites
  const unknown = names.filter(name => !CHECKS.includes(name) && !suites.includes(name))
  if (unknown.length === 0) return names
  console.error(`no such test: ${unknown.join(', ')}\nthere are: ${[...CHECKS, ...suites].join(', ')}`)
  process.exit(2)
}

/** Starts one of them; resolves with what it counted. */
function run(name) {
  const started = Date.now()
  const child = CHECKS.includes(name) ? startCheck(name) : startSuite(name)
  const output = []
  const skips = []
  let counts
  child.stdout.on('data', chunk => output.push(chunk))
  child.stderr.on('data', chunk => output.push(chunk))
  child.on('message', message => {
    if (message.skipped !== undefined && message.name !== undefined) skips.push(message)
    else counts = message
  })
  return new Promise(resolve => {
    child.on('close', (code, signal) => {
      if (CHECKS.includes(name)) counts = { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 }
      const unfinished = counts === undefined || (counts.failed === 0 && code !== 0)
      if (unfinished) output.push(`ended with ${signal || `exit code ${code}`} before all its tests were done\n`)
      const { passed, failed, skipped } = counts || { passed: 0, failed: 0, skipped: 0 }
      const ms = Date.now() - started
      resolve({ name, passed, failed: failed + unfinished, skipped, skips, output: join(output), ms })
    })
  })
}

function startCheck(name) {
  return spawn('npm', ['run', '--silent', name], { cwd: path.dirname(__dirname), shell: process.platform === 'win32' })
}

function startSuite(name) {
  return fork(path.join(__dirname, 'run-file.js'), [path.join(__dirname, `test-${name}.js`)], { silent: true })
}

function join(chunks) {
  return Buffer.concat(chunks.map(chunk => Buffer.from(chunk))).toString()
}

function report({ name, passed, failed, skipped, skips, output, ms }) {
  console.log(`${failed ? 'FAIL' : 'ok  '} ${name} (${sum(passed, failed, skipped)}, ${ms} ms)`)
  for (const skip of skips) console.log(`     skipped: ${skip.name}: ${skip.skipped}`)
  if (failed === 0) return
  // only the tests that failed and what they said, without the runner's own lines of the stack
  const lines = output.split('\n').filter(line => !/^ [-S] |^ +at .*node_modules.(qnit|aflow)\b/.test(line))
  const short = lines.map(line => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}...` : line))
  console.log(short.join('\n').trim().replace(/^/gm, '     '))
}

function sum(passed, failed, skipped) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`
}

async function main(names) {
  const queue = chosen(names)
  const results = []
  const lane = async () => {
    while (queue.length > 0) {
      const result = await run(queue.shift())
      report(result)
      results.push(result)
    }
  }
  await Promise.all(Array.from({ length: os.availableParallelism() }, lane))
  const total = key => results.reduce((all, result) => all + result[key], 0)
  console.log(`\n${sum(total('passed'), total('failed'), total('skipped'))}`)
  process.exitCode = total('failed') > 0 ? 1 : 0
}

main(process.argv.slice(2))
