'use strict'

// npm test                              everything: lint, types and every test/test-*.js
// npm test -- decode shapes             one room's tests: test-decode.js, test-shapes.js and test-shapes-*.js; also: lint, types
// npm test -- decode --only 'an array'  of these, the tests whose name holds the text
// npm run test:long                     the tests of fixtures/long.js, with more of what is random or counted
// node test/run.js suites               for coverage: every test/test-*.js and all of it, without lint and types
//
// Each file runs in a process of its own, as many at once as there are cores. Failures are printed as they come, each
// with the command that runs it alone; the last line is the sum: 'N passed, N failed' and, when tests could not run
// here, ', N skipped'.

const { fork, spawn } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { parseArgs } = require('node:util')

/** What says nothing of coverage: eslint, and the compiler of TypeScript. */
const CHECKS = ['lint', 'types']

/** What takes longest starts first, so that no core is left alone with it in the end. */
const LONGEST = [...CHECKS, 'scaling', 'decode-hostile', 'package', 'docs', 'benchmark', 'fuzz', 'fuzz-harness', 'compat', 'memory']

/** Of a line of a failure: characters. */
const MAX_LINE = 1000

const all = fs.readdirSync(__dirname).map(file => /^test-(.*)\.js$/.exec(file)?.[1]).filter(Boolean).sort()
const names = [...new Set([...LONGEST.filter(name => name === 'lint' || all.includes(name)), ...all])]

/** The names of what is to be run. @param {string[]} wanted */
function chosen(wanted) {
  if (wanted.length === 0) return names
  const isWanted = (name, room) => name === room || name.startsWith(`${room}-`) || (room === 'suites' && !CHECKS.includes(name))
  const unknown = wanted.filter(room => !names.some(name => isWanted(name, room)))
  if (unknown.length === 0) return names.filter(name => wanted.some(room => isWanted(name, room)))
  console.error(`no such test: ${unknown.join(', ')}\nthere are: ${names.toSorted().join(', ')}`)
  process.exit(2)
}

/** Runs one of them; resolves with the results of its tests. */
function run(name, only) {
  const started = Date.now()
  const isLint = name === 'lint'
  const child = isLint ? startLint() : startFile(name, only)
  const output = []
  const results = []
  let isWhole = isLint
  child.stdout.on('data', chunk => output.push(chunk))
  child.stderr.on('data', chunk => output.push(chunk))
  child.on('message', message => {
    if (message.isLast) isWhole = true
    else results.push(message)
  })
  return new Promise(resolve => {
    child.on('close', (code, signal) => {
      const text = Buffer.concat(output).toString().trim()
      const how = isWhole ? `it failed with ${signal ?? `exit code ${code}`}` : `ended with ${signal ?? `exit code ${code}`} before all its tests were done`
      if (code !== 0 || !isWhole) results.push({ name: '', error: isLint ? text : `${how}\n${text}` })
      else if (isLint) results.push({ name: '' })
      resolve({ name, results, ms: Date.now() - started })
    })
  })
}

function startLint() {
  return spawn('npm', ['run', '--silent', 'lint'], { cwd: path.dirname(__dirname), shell: process.platform === 'win32' })
}

function startFile(name, only) {
  return fork(path.join(__dirname, 'run-file.js'), [path.join(__dirname, `test-${name}.js`), only], { silent: true })
}

/** @returns {{passed: number, failed: number, skipped: number}} */
function count(results) {
  const failed = results.filter(({ error }) => error !== undefined).length
  const skipped = results.filter(result => result.skipped !== undefined).length
  return { passed: results.length - failed - skipped, failed, skipped }
}

function sum({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`
}

function report({ name: file, results, ms }) {
  const counts = count(results)
  console.log(`${counts.failed ? 'FAIL' : 'ok  '} ${file} (${sum(counts)}, ${ms} ms)`)
  for (const { name, error, skipped } of results) {
    if (skipped !== undefined) console.log(`     skipped: ${name}: ${skipped}`)
    if (error === undefined) continue
    const lines = error.split('\n').map(line => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}...` : line))
    console.log(`\n  ${[name || file, ...lines].join('\n      ')}`)
    console.log(`      alone: npm test -- ${file}${name && ` --only ${quoted(name)}`}`)
  }
}

/** Whether there is more of a file's tests than `npm test` runs. */
function hasLong(name) {
  return name !== 'lint' && fs.readFileSync(path.join(__dirname, `test-${name}.js`), 'utf8').includes("require('./fixtures/long')")
}

/** As one argument of a shell. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

async function main() {
  const options = { only: { type: 'string', default: '' }, long: { type: 'boolean' } }
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  const queue = chosen(positionals).filter(name => !values.long || hasLong(name))
  if (values.long || positionals.includes('suites')) process.env.QBSON_LONG = '1'
  const results = []
  const lane = async () => {
    while (queue.length > 0) {
      const done = await run(queue.shift(), values.only)
      if (done.results.length > 0 || !values.only) report(done)
      results.push(...done.results)
    }
  }
  await Promise.all(Array.from({ length: os.availableParallelism() }, lane))
  const total = count(results)
  if (results.length === 0) console.error(`no test of these has ${JSON.stringify(values.only)} in its name`)
  console.log(`\n${sum(total)}`)
  process.exitCode = total.failed > 0 || results.length === 0 ? 1 : 0
}

main()
