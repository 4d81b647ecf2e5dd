'use strict'

// What the first documents of a process cost beside reading or writing them: the engine's work of making code of what
// it has interpreted, and how slow that was meanwhile. And which functions the time goes to in the long run. Shows what
// limits the suites first, documents, small, options, media, record, test and hessian: the tables of docs/limits.md.
//
//   node benchmark/thresholds/tiers.js [--quick] [--thorough] [--rounds N] [--node PATH] [--prefix COMMAND] [--filter PATTERN] [--save]
//
// `--filter` is over `decode order`, `decode {"a":1234}`, `decode, raw mixed` and the like; `--save` writes the table of
// each Node into docs/limits.md. On one core: `--prefix "taskset -c 0"`.

const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const { Session } = require('node:inspector/promises')
const path = require('node:path')
const { load } = require('../contenders')
const { kinds } = require('../data/documents')
const data = require('../data/first')
const { media } = require('../data/media')
const { record } = require('../data/record')
const { small } = require('../data/small')
const { tests } = require('../data/test')
const { OPERATIONS, codecOf } = require('../suites/options')
const { parse } = require('../runner/args')
const { machine, machineLine, nodeVersion } = require('../runner/machine')
const { processorMs } = require('../runner/measure')
const { ask } = require('../runner/process')
const { between } = require('../runner/readme')
const { median } = require('../runner/stats')
const { code, markdown } = require('../runner/tables')

const CONTENDERS = ['bson', 'qbson']

const copies = (count, make) => types => Array.from({ length: count }, () => make(types))

/** The documents of the other suites, by their subject. */
const OTHERS = {
  ...Object.fromEntries(Object.entries(small).map(([subject, make]) => [subject, copies(64, make)])),
  media: copies(64, media),
  record: copies(8, types => record(types.long)),
  test: tests,
  'a date': copies(64, () => ({ a: new Date(1436796543210) })),
  'a string': copies(64, () => ({ a: 'xxx1231231231231xxx123' }))
}

/** What is done, a name of the suite `options`, and with what. */
const WORKLOADS = [
  ...cross(['encode', 'decode'], [...kinds, 'mixed', ...Object.keys(OTHERS)]),
  ...cross(Object.keys(OPERATIONS), ['mixed'])
]

/** The first documents of a process are so many, and no more bytes than those. */
const MARKS = data.MARKS.filter(mark => mark >= 300)
const BYTES = 30e6

/** Documents of a pass in the long run. */
const PASS = 10_000

/** Processor time of passes over the documents until the fastest of them counts as steady, in milliseconds. */
const SETTLING = { quick: 500, normal: 2000, thorough: 4000 }

/** Functions that are named: those that take longest. */
const NAMED = 3

/** What a profile says that is no function of a library. */
const NO_FUNCTIONS = ['(root)', '(program)', '(idle)', 'pass']

/** Processor time for which a profile is taken, in milliseconds. */
const PROFILED = 1000

/** Milliseconds after which a process has failed. */
const LONGEST = 600_000

/** Where the tables are. */
const PAGE = path.join(__dirname, '..', '..', 'docs', 'limits.md')

/** What stands before the number of documents in the file that V8 writes to. */
const MARK = 'documents: '

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
  return { operate: codec[op], inputs: op === 'decode' ? inputBytes(subject, directory) : inputDocuments(subject, codec, directory) }
}

function inputDocuments(subject, { types }, directory) {
  return subject in OTHERS ? OTHERS[subject](types) : data.documentsOf(subject, types, directory)
}

/** Encoded beforehand, by another process. */
function inputBytes(subject, directory) {
  if (!(subject in OTHERS)) return data.bytesOf(subject, 'bson', directory)
  return JSON.parse(fs.readFileSync(fileOf(subject, directory), 'utf8')).map(text => Buffer.from(text, 'base64'))
}

const fileOf = (subject, directory) => path.join(directory, `other-${Object.keys(OTHERS).indexOf(subject)}.json`)

/** Writes the documents as bytes. */
function prepareAll(directory) {
  data.prepare(directory, ['bson'])
  const codec = load('bson', {})
  for (const subject of Object.keys(OTHERS)) {
    const texts = inputDocuments(subject, codec, directory).map(doc => Buffer.from(codec.encode(doc)).toString('base64'))
    fs.writeFileSync(fileOf(subject, directory), JSON.stringify(texts))
  }
}

function marksOf(subject, directory) {
  const within = data.marksWithin(BYTES, inputBytes(subject, directory))
  return MARKS.filter(mark => within.includes(mark))
}

/**
 * In the child: milliseconds from the first document to each mark, and for a document in the long run, and who needs
 * them then. With a `trace`, the file that V8 writes to, only marks in it.
 */
async function run({ marks, settling, trace, ...workload }) {
  const { operate, inputs } = workOf(workload)
  const kept = new Array(64)
  const pass = (from, to) => {
    for (let i = from; i < to; i++) kept[i % 64] = operate(inputs[i % inputs.length])
  }
  globalThis.gc?.()
  if (trace) return [0, ...marks].forEach((mark, i, all) => {
    pass(all[i - 1] ?? 0, mark)
    fs.appendFileSync(trace, `${MARK}${mark}\n`)
  })
  const start = processorMs()
  const first = marks.map((mark, i) => {
    pass(marks[i - 1] ?? 0, mark)
    return processorMs() - start
  })
  return { first, steady: steadyOf(pass, settling), shares: await sharesOf(() => pass(0, PASS)) }
}

function steadyOf(pass, settling) {
  let steady = Infinity
  for (const end = processorMs() + settling; processorMs() < end; ) {
    const start = processorMs()
    pass(0, PASS)
    steady = Math.min(steady, (processorMs() - start) / PASS)
  }
  return steady
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
  return longest(new Map([...hits].filter(([name]) => name && !NO_FUNCTIONS.includes(name))))
    .map(([name, count]) => `${name.replace('(garbage collector)', 'collecting garbage')} ${Math.round(100 * count / all)} %`)
}

const longest = times => [...times].sort((a, b) => b[1] - a[1]).slice(0, NAMED)

/**
 * What V8 compiles between the first document and each mark.
 * @returns {{compiled: number[], times: Map<string, number>}} milliseconds to each mark; of each function, to the last
 */
function compiling(request, node, prefix) {
  const trace = path.join(request.directory, 'trace.txt')
  fs.rmSync(trace, { force: true })
  const flags = ['--trace-opt', '--no-concurrent-recompilation', '--redirect-code-traces', `--redirect-code-traces-to=${trace}`]
  const [command, ...args] = [...prefix, node.path, ...flags, __filename, JSON.stringify({ ...request, trace })]
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: LONGEST, killSignal: 'SIGKILL' })
  const times = new Map()
  const compiled = []
  for (const line of fs.readFileSync(trace, 'utf8').split('\n')) {
    const [, name, , ...parts] = COMPILED.exec(line) ?? []
    if (parts.length > 0) times.set(name, (times.get(name) ?? 0) + parts.reduce((sum, ms) => sum + Number(ms), 0))
    if (line === `${MARK}0`) times.clear() // what was made while the documents were
    else if (line.startsWith(MARK)) compiled.push([...times.values()].reduce((sum, ms) => sum + ms, 0))
  }
  return { compiled, times }
}

async function measure(workload, node, { mode, prefix }, directory) {
  const marks = marksOf(workload.subject, directory)
  const answers = { bson: [], qbson: [] }
  for (let round = 0; round < mode.rounds; round++) {
    for (const contender of CONTENDERS) {
      const request = { ...workload, contender, directory, marks, settling: SETTLING[mode.name] }
      answers[contender].push({ ...compiling(request, node, prefix), ...await ask(node, prefix, ['--expose-gc'], request, __filename) })
    }
  }
  return answers
}

function rowOf({ operation, subject }, { bson, qbson }) {
  const ms = (answers, what) => median(answers.map(what))
  const cells = MARKS.map((mark, i) => {
    if (i >= qbson[0].first.length) return '—'
    const took = ms(qbson, ({ first }) => first[i])
    const compiled = Math.min(took, ms(qbson, ({ compiled }) => compiled[i]))
    const before = Math.max(0, took - compiled - mark * ms(qbson, ({ steady }) => steady))
    const percent = part => Math.round(100 * part / took)
    return `${(took / ms(bson, ({ first }) => first[i])).toFixed(2)} (${percent(compiled)}, ${percent(before)})`
  })
  const steady = ms(qbson, ({ steady }) => steady) / ms(bson, ({ steady }) => steady)
  const [{ times, shares }] = qbson
  const slowest = longest(times).slice(0, 2).map(([name, took]) => `${name} ${Math.round(took)}`)
  return [nameOf(operation, subject), ...cells, steady.toFixed(2), slowest.join(', '), shares.join(', ')]
}

/** Options have the documents mixed, as all of their suite. */
const nameOf = (operation, subject) => operation in OPERATIONS ? operation : `${operation} ${code(subject)}`

async function main() {
  const request = process.argv[2]
  if (request?.startsWith('{')) return console.log(JSON.stringify(await run(JSON.parse(request))))
  const options = parse(process.argv.slice(2))
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-tiers-'))
  try {
    prepareAll(directory)
    for (const node of options.nodes.map(nodeVersion)) await report(node, options, directory)
  } finally {
    fs.rmSync(directory, { recursive: true })
  }
}

async function report(node, options, directory) {
  const rows = []
  for (const workload of WORKLOADS) {
    if (options.filter && !options.filter.test(`${workload.operation} ${workload.subject}`)) continue
    rows.push(rowOf(workload, await measure(workload, node, options, directory)))
  }
  const text = markdown({
    title: `Node ${node.version}: qbson's share of bson's time for the first documents (percent of it that V8 compiles, and that runs what is not ` +
      'compiled yet), and in the long run',
    head: ['', ...MARKS.map(mark => mark.toLocaleString('en-US')), 'long run', 'longest to compile, ms', 'the long run is spent in'],
    rows
  }) + `\n${machineLine(machine(), node, new Date().toISOString().slice(0, 10))}.`
  console.log(text)
  if (options.save) fs.writeFileSync(PAGE, between(fs.readFileSync(PAGE, 'utf8'), text, `node-${node.version.split('.')[0]}`))
}

main()
