'use strict'

// What the first documents of a process cost beside reading or writing them: the engine's work of making code of what
// it has interpreted, and how slow that was meanwhile. And which functions the time goes to in the long run. Shows what
// limits the suites `first`, `documents`, `small` and `options`.
//
//   node benchmark/thresholds/tiers.js [--quick] [--thorough] [--rounds N] [--node PATH] [--prefix COMMAND] [--filter PATTERN] [--first N]
//
// The first documents are 10,000, or as many as `--first` says.
// `--filter` is over `decode order`, `decode {"a":1234}`, `decode, raw mixed` and the like. With one round (`--rounds 1`)
// five to eleven minutes a Node for the kinds, three for options and small documents. On one core:
// `--prefix "taskset -c 0"`.

const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const { Session } = require('node:inspector/promises')
const path = require('node:path')
const { load } = require('../contenders')
const { kinds } = require('../data/documents')
const { prepare, documentsOf, bytesOf } = require('../data/first')
const { small } = require('../data/small')
const { OPERATIONS, codecOf } = require('../suites/options')
const { parse } = require('../runner/args')
const { machine, machineLine, nodeVersion } = require('../runner/machine')
const { processorMs } = require('../runner/measure')
const { ask } = require('../runner/process')
const { median } = require('../runner/stats')
const { figure, markdown } = require('../runner/tables')

const CONTENDERS = ['bson', 'qbson']

/** What is done, a name of the suite `options`, and with what. */
const WORKLOADS = [
  ...cross(['encode', 'decode'], [...kinds, 'mixed', ...Object.keys(small)]),
  ...cross(Object.keys(OPERATIONS), ['mixed'])
]

/** Documents of a pass, and those that count as the first where `--first` says nothing. */
const PASS = 10_000

/** Processor time of passes over the documents until the fastest of them counts as steady, in milliseconds. */
const SETTLING = { quick: 500, normal: 2000, thorough: 4000 }

/** Functions that are named: those that take longest. */
const NAMED = 4

/** Processor time for which a profile is taken, in milliseconds. */
const PROFILED = 1000

/** Of a line that V8 prints: whose code it has made, by which compiler, in how many milliseconds. */
const COMPILED = /completed compiling \S+ <JSFunction ?(\S*) .*\(target (\w+)(?:_JS)?\)(?: OSR)? - took ([\d.]+), ([\d.]+), ([\d.]+) ms/

function cross(operations, subjects) {
  return operations.flatMap(operation => subjects.map(subject => ({ operation, subject })))
}

/** A function and what it is called with. */
function workOf({ operation, subject, contender, directory }) {
  const setting = OPERATIONS[operation]
  const codec = setting ? codecOf(contender, setting) : load(contender, {})
  const [op] = setting ?? [operation]
  const documents = () => subject in small ? Array.from({ length: 64 }, small[subject]) : documentsOf(subject, codec.types, directory)
  const bytes = () => subject in small ? documents().map(doc => Buffer.from(codec.encode(doc))) : bytesOf(subject, 'bson', directory)
  return { operate: codec[op], inputs: op === 'decode' ? bytes() : documents() }
}

/** In the child: milliseconds for the first documents, and for as many in the long run, and who needs them then. */
async function run({ count, settling, ...workload }) {
  const { operate, inputs } = workOf(workload)
  const kept = new Array(64)
  const pass = count => {
    const start = processorMs()
    for (let i = 0; i < count; i++) kept[i % 64] = operate(inputs[i % inputs.length])
    return processorMs() - start
  }
  globalThis.gc?.()
  const first = pass(count)
  let steady = Infinity
  for (const end = processorMs() + settling; processorMs() < end; ) steady = Math.min(steady, pass(PASS) * count / PASS)
  return { first, steady, shares: settling > 0 ? await sharesOf(() => pass(PASS)) : [] }
}

/** By function, how much of the time is spent in itself: what the engine does for it, but collecting, included. */
async function sharesOf(work) {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 200 })
  await session.post('Profiler.start')
  for (const end = processorMs() + PROFILED; processorMs() < end; ) work()
  const { profile: { nodes } } = await session.post('Profiler.stop')
  session.disconnect()
  const hits = new Map()
  for (const { callFrame: { functionName }, hitCount } of nodes) hits.set(functionName, (hits.get(functionName) ?? 0) + hitCount)
  const all = [...hits.values()].reduce((sum, count) => sum + count, 0)
  return [...hits].sort((a, b) => b[1] - a[1]).slice(0, NAMED).map(([name, count]) => `${name} ${Math.round(100 * count / all)} %`)
}

/** Milliseconds that each function took to compile, without those that are compiled before the first document. */
function compiling(request, node, prefix) {
  const before = compiledBy({ ...request, count: 0 }, node, prefix)
  return new Map([...compiledBy(request, node, prefix)].filter(([name]) => !before.has(name)))
}

function compiledBy(request, node, prefix) {
  const flags = ['--trace-opt', '--no-concurrent-recompilation', __filename, JSON.stringify({ ...request, settling: 0 })]
  const [command, ...args] = [...prefix, node.path, ...flags]
  const lines = execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 }).split('\n')
  const times = new Map()
  for (const line of lines) {
    const [, name, , ...parts] = COMPILED.exec(line) ?? []
    if (parts.length > 0) times.set(name, (times.get(name) ?? 0) + parts.reduce((sum, ms) => sum + Number(ms), 0))
  }
  return times
}

const total = times => [...times.values()].reduce((sum, ms) => sum + ms, 0)

async function measure(workload, node, { mode, prefix, first }, directory) {
  const answers = { bson: [], qbson: [] }
  for (let round = 0; round < mode.rounds; round++) {
    for (const contender of CONTENDERS) {
      const request = { ...workload, contender, directory, count: Number(first), settling: SETTLING[mode.name] }
      const times = compiling(request, node, prefix)
      answers[contender].push({ ...await ask(node, prefix, ['--expose-gc'], request, __filename), compile: total(times), times })
    }
  }
  return answers
}

function rowOf(name, answers) {
  const ms = (contender, what) => median(answers[contender].map(answer => answer[what]))
  const cells = ['first', 'compile', 'steady'].flatMap(what => [ms('bson', what), ms('qbson', what)])
  const share = what => ms('qbson', what) / ms('bson', what)
  const [{ times }] = answers.qbson
  const longest = [...times].sort((a, b) => b[1] - a[1]).slice(0, NAMED).map(([name, took]) => `${name} ${Math.round(took)}`)
  return [name, ...cells.map(figure), share('first').toFixed(2), share('steady').toFixed(2), longest.join(', '), answers.qbson[0].shares.join(', ')]
}

async function main() {
  const request = process.argv[2]
  if (request?.startsWith('{')) return console.log(JSON.stringify(await run(JSON.parse(request))))
  const options = parse(process.argv.slice(2), { first: { type: 'string', default: String(PASS) } })
  if (!(Number(options.first) >= 1)) throw new Error('--first wants a number of documents')
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-tiers-'))
  try {
    prepare(directory, ['bson'])
    for (const node of options.nodes.map(nodeVersion)) await report(node, options, directory)
  } finally {
    fs.rmSync(directory, { recursive: true })
  }
}

async function report(node, options, directory) {
  console.log(machineLine(machine(), node, new Date().toISOString().slice(0, 10)) + '\n')
  const rows = []
  for (const workload of WORKLOADS) {
    const name = `${workload.operation} ${workload.subject}`
    if (options.filter && !options.filter.test(name)) continue
    rows.push(rowOf(name, await measure(workload, node, options, directory)))
  }
  console.log(markdown({
    title: `ms for the first ${Number(options.first).toLocaleString('en-US')} documents, of which compiling, and for as many in the long run; qbson's share of bson`,
    head: ['', 'first, bson', 'qbson', 'compiling, bson', 'qbson', 'steady, bson', 'qbson', 'share, first', 'share, steady', 'longest to compile, ms', 'steady, in'],
    rows
  }))
}

main()
