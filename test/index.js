'use strict'

// npm test                  lint and all tests with qnit: a folder's files in one process, small folders too, long files in one each
// npm test -- decode raw    the tests of these modules and files; `lint` is one too
// npm run test:long         the files that have more random or counted cases or codecs when QBSON_LONG is set, each in one process
// npm run test:packed       the files that test the package as it is published, which takes half a minute to build
// npx qnit test/decode      a folder or a file, by hand; `-f TEXT`: the tests whose name contains the text
//
// The output of failed tests is printed in full. The last line is the total: 'N passed, N failed[, N skipped]'.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { Writable } = require('node:stream')
const { concurrently } = require('concurrently')
const { writeStubs } = require('../scripts/entries')

const ESLINT = path.join(path.dirname(require.resolve('eslint/package.json')), 'bin', 'eslint.js')
const QNIT = path.join(path.dirname(require.resolve('qnit')), '..', 'bin', 'qnit')

/**
 * Files that have not changed since they were found to be good are not linted again. Where none was, it takes 15.5 s of
 * processor time instead of 18: most garbage dies young in so much memory, and no thread waits for another one.
 */
const LINT = `--min-semi-space-size=128 --max-semi-space-size=128 --single-threaded-gc "${ESLINT}" --cache --cache-strategy content --cache-location node_modules/.cache/eslint/ .`

/** The most milliseconds for a test, even on a busy machine, and for a long one. */
const TIMEOUT = 300_000
const LONG_TIMEOUT = 900_000

/** The longest ones run in their own processes and start first, so that no core is left with one at the end. */
const LONGEST = ['package', 'fuzz/scaling', 'docs', 'lint', 'cli/bench', 'security', 'benchmark/index', 'fuzz/memory', 'decode/shapes',
  'types', 'fuzz/index', 'decode/decode-hostile', 'cli/pool', 'cli/column-work', 'cli/faults', 'cli/program']

/** Folders that share a process: to start one for each takes 0.3 s of processor time, until its code is fast. */
const SHORT = ['batch', 'bytes', 'elements', 'raw', 'types', 'wire']

/** Of the long ones each has its own process, and these start first. */
const LONG = ['cli/long-text', 'columns/random', 'json/index', 'columns/infer', 'schema/statistics', 'decode/shapes', 'fuzz/scaling']

/** What a test prints that is skipped, once each. */
const SKIP_LINE = /^ {4}skipped: .*$/gm

/** Lines of a failure that are cut. */
const LONG_LINE = /^(.{1000}).+$/gm

const root = path.dirname(__dirname)

/** The test files by name: `decode/keys` is test/decode/test-keys.js. @returns {Map<string, string>} */
function testFiles() {
  const folders = fs.readdirSync(__dirname, { withFileTypes: true }).filter(entry => entry.isDirectory() && entry.name !== 'driver')
  const files = ['', ...folders.map(({ name }) => `${name}/`)].flatMap(folder => {
    return fs.readdirSync(path.join(__dirname, folder)).sort().map(file => folder + file)
  }) // not recursive: an installed driver has a link back to the project
  const named = files.map(file => [/^((?:[\w-]+\/)*)test-([\w-]+)\.js$/.exec(file), `test/${file}`])
  return new Map(named.filter(([match]) => match).map(([[, folder, name], file]) => [folder + name, file]))
}

/** Whether a test file, or `lint`, requires this file of test/fixtures/. */
function uses(fixture, file) {
  return file !== undefined && fs.readFileSync(path.join(root, file), 'utf8').includes(`/fixtures/${fixture}')`)
}

/** Which tests these arguments ask for. @param {string[]} args @returns {(file: string | undefined) => boolean} */
function isAsked(args) {
  if (args.includes('--long')) return file => uses('long', file) || uses('codecs', file)
  if (args.includes('--packed')) return file => uses('packed', file)
  if (args.length > 0) return () => true // by name
  return file => !uses('packed', file)
}

/** @param {string[]} all names @param {string[]} wanted modules and files @returns {string[]} those to be run */
function chosen(all, wanted) {
  const isNamed = (name, asked) => `/${name}/`.includes(`/${asked}/`) || `/${name}`.includes(`/${asked}-`)
  const unknown = wanted.filter(asked => !all.some(name => isNamed(name, asked)))
  if (unknown.length > 0) throw new Error(`no such test: ${unknown.join(', ')}\nthere are: ${all.toSorted().join(', ')}`)
  return all.filter(name => wanted.length === 0 || wanted.some(asked => isNamed(name, asked)))
}

/**
 * @param {string[]} names
 * @param {Map<string, string>} files
 * @param {boolean} isLong whether each file has its own
 * @returns {{name: string, command: string}[]} the processes
 */
function commandsFor(names, files, isLong) {
  const groups = new Map()
  for (const name of names) {
    const folder = path.dirname(name)
    const group = isLong || LONGEST.includes(name) ? name : SHORT.includes(folder) ? `test/{${SHORT}}` : path.join('test', folder)
    groups.set(group, [...(groups.get(group) ?? []), name])
  }
  return Array.from(groups, ([group, members]) => {
    const command = group === 'lint' ? LINT : `"${QNIT}" -t ${isLong ? LONG_TIMEOUT : TIMEOUT} ${members.map(member => files.get(member)).join(' ')}`
    return { name: members.length === 1 ? members[0] : group, command: `"${process.execPath}" ${command}` }
  })
}

/** @param {string} text the output of qnit; without its closing line it did not finish */
function count(text, exitCode, isLint) {
  const closing = /^(?:OK|ERROR): .*?(\d+) errors, (\d+) tests, \d+ files, (\d+) skipped \(/m.exec(text)
  if (isLint || closing === null) return { passed: isLint && exitCode === 0 ? 1 : 0, failed: isLint && exitCode === 0 ? 0 : 1, skipped: 0 }
  const [failed, tests, skipped] = closing.slice(1).map(Number)
  const lost = (text.match(SKIP_LINE) ?? []).length > skipped
  return { passed: Math.max(0, tests - failed - skipped), failed: failed || Number(exitCode !== 0 || lost), skipped }
}

function sum({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`
}

async function main(args) {
  if (writeStubs({ anew: true })) console.log('dist/ held a build; for the tests its files lead to the sources again')
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-test-'))
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }))
  process.env.QBSON_PACKED = path.join(folder, 'packed')
  const files = testFiles()
  const isLong = args.includes('--long')
  const names = chosen([...new Set([...(isLong ? LONG : []), ...LONGEST, ...files.keys()])], args.filter(arg => !arg.startsWith('--')))
  const asked = isAsked(args)
  const wanted = commandsFor(names.filter(name => asked(files.get(name))), files, isLong)
  const totals = { passed: 0, failed: 0, skipped: 0 }
  const { commands, result } = concurrently(wanted, {
    maxProcesses: os.availableParallelism(),
    cwd: root,
    outputStream: new Writable({ write: (chunk, encoding, done) => done() }) // each output is printed below at its end
  })
  for (const { name, stdout, stderr, close } of commands) {
    let text = ''
    for (const output of [stdout, stderr]) output.subscribe(chunk => { text += chunk })
    close.subscribe(({ exitCode, timings }) => {
      const counts = count(text, exitCode, name === 'lint')
      for (const key of Object.keys(totals)) totals[key] += counts[key]
      console.log(`${counts.failed ? 'FAIL' : 'ok  '} ${name} (${sum(counts)}, ${Math.round(timings.durationSeconds * 1000)} ms)`)
      if (counts.failed > 0) console.log(text.replace(LONG_LINE, '$1...'))
      else for (const [reason] of text.matchAll(/^ {4}skipped: .*\n.*$/gm)) console.log(reason)
    })
  }
  await result.catch(() => {})
  console.log(`\n${sum(totals)}`)
  process.exitCode = totals.failed > 0 ? 1 : 0
}

if (process.argv.includes('--long')) process.env.QBSON_LONG = '1'
main(process.argv.slice(2)).catch(error => {
  console.error(error.message)
  process.exitCode = 2
})
