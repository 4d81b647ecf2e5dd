'use strict'

// Times qbson against the installed `bson` on the user's documents. Each figure comes from fresh processes, one per
// library, which take samples in turn: see bench-process.js.

const path = require('node:path')
const { createRequire } = require('node:module')
const { pathToFileURL } = require('node:url')
const { BSONError, plural } = require('../../errors')
const { packageOf } = require('../../register')
const { OK, FileError, UsageError, inFile } = require('../terminal/messages')
const { shownPath } = require('../options')
const { obeys, printable } = require('../terminal/printable')
const { version } = require('../../../package.json')

const LIBRARIES = ['bson', 'qbson']

/** Pairs of processes per figure: their median is shown. */
const ROUNDS = 5

/** Samples per process in a round. */
const SAMPLES = 5

/** How `bson` may be reached from a program's folder: pnpm exposes only direct dependencies to a program. */
const WAYS = [['bson'], ['mongodb', 'bson'], ['mongoose', 'mongodb', 'bson']]

/** @type {Record<string, string>} titles of the operations, by their names in bench-process.js */
const TITLES = { decode: 'decode', encode: 'encode', json: 'to JSON', field: 'read field' }

/**
 * @typedef {import('../options/values').Path} Path
 *
 * @typedef {{file: string, skip: number, limit: number, maxDocumentSize: number, field?: Path, leaveOut: number[],
 *   libraries: Record<string, string>}} Plan sent to all processes; `leaveOut`: indexes of the documents for which the
 *   outputs differ; `libraries`: the files to load
 */

/** @type {import('./index').Command} */
const bench = {
  args: '[options] FILE',
  about: 'compare the speed of qbson and the installed bson on the documents',
  examples: [
    'qbson bench people.bson',
    'qbson bench --field address.city --rounds 3 people.bson'
  ],
  options: {
    rounds: { value: 'N', least: 1, default: ROUNDS, help: `pairs of processes per figure (default ${ROUNDS})` },
    field: { value: 'PATH', help: 'the field to read (default: the middle one of the first document)' }
  },

  async *run({ files, options, io }) {
    const { rounds } = options
    if (files.length !== 1 || files[0] === '-') throw new UsageError('bench needs the name of one file')
    const { file: bsonFile, ...bson } = findBson(process.cwd())
    const plan = planOf(files, options, bsonFile)
    const checked = await shown(io, 'comparing the outputs', () => withChildren(files[0], 1, ([child]) => child.ask({ check: plan })))
    yield headOf(checked, bson, rounds)
    const { field, leaveOut } = checked
    const rows = []
    for (const [op, title] of Object.entries(TITLES)) {
      const results = []
      for (let i = 1; i <= rounds; i++) {
        const timed = children => round(children, op, { ...plan, field, leaveOut })
        results.push(await shown(io, `${title}: round ${i} of ${rounds}`, () => withChildren(files[0], LIBRARIES.length, timed)))
      }
      rows.push({ title: op === 'field' ? printable(`${title} ${shownPath(field)}`) : title, results })
    }
    yield tableOf(rows)
    return OK
  }
}

/** Shows on a terminal what is being done, until it succeeds or fails. */
async function shown({ stderr }, text, work) {
  const say = line => { if (obeys(stderr)) stderr.write(`\r\x1b[K${line}`) }
  say(text)
  try {
    return await work()
  } finally {
    say('')
  }
}

function planOf(files, options, bsonFile) {
  return {
    file: path.resolve(files[0]),
    limit: options.limit ?? Number.MAX_SAFE_INTEGER,
    skip: options.skip ?? 0,
    maxDocumentSize: options['max-document-size'],
    field: options.field,
    leaveOut: [],
    libraries: { bson: bsonFile, qbson: require.resolve('qbson'), json: require.resolve('qbson/json') }
  }
}

/** @param {string} folder @returns {{file: string, folder: string, version: string}} @throws {UsageError} */
function findBson(folder) {
  const file = WAYS.map(way => resolveAlong(way, path.join(folder, 'index.js'))).find(found => found !== undefined)
  if (file === undefined) throw new UsageError(`there is no bson to compare with in ${folder}: npm install bson`)
  const found = packageOf(file)
  if (found?.name === 'bson') return { file, folder: found.folder, version: found.version }
  throw new UsageError(`the bson in ${folder} is ${found?.name} itself: run this where bson is not overridden`)
}

/** @param {string[]} names of packages, each depends on the next @param {string} file that asks for the first */
function resolveAlong(names, file) {
  try {
    return names.reduce((from, name) => createRequire(from).resolve(name), file)
  } catch {
    return undefined
  }
}

// ---- processes

/** A process that runs bench-process.js; it takes one request at a time. */
class Child {
  constructor(file) {
    this.file = file
    const { spawn } = require('node:child_process')
    const code = 'import(process.argv[1]).then(module => module.default.listen())'
    const args = ['-e', code, pathToFileURL(require.resolve('./bench-process')).href]
    this.process = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    /** @type {Promise<never>} */
    this.ended = new Promise((resolve, reject) => {
      const fail = message => reject(new FileError(inFile(file, message)))
      this.process.on('error', error => fail(error.message))
      this.process.on('exit', (code, signal) => fail(`a process ended with ${signal ?? `exit code ${code}`}`))
    })
    this.ended.catch(() => {}) // no caller may be waiting
  }

  /** @throws {BSONError} when the documents are to blame @throws {FileError} when the process fails or ends */
  async ask(request) {
    const reply = new Promise(resolve => this.process.once('message', resolve))
    this.process.send(request)
    const { error, isData, result } = await Promise.race([reply, this.ended])
    if (error === undefined) return result
    throw new (isData ? BSONError : FileError)(inFile(this.file, error))
  }

  end() {
    if (this.process.connected) this.process.disconnect() // this ends it
  }
}

/** Works with fresh processes. `file`: the one that errors name. */
async function withChildren(file, count, work) {
  const children = Array.from({ length: count }, () => new Child(file))
  try {
    return await work(children)
  } finally {
    for (const child of children) child.end()
  }
}

/** Times both libraries; they take turns, and the one to start alternates. Figures are nanoseconds a document. */
async function round(children, op, plan) {
  await Promise.all(children.map((child, i) => child.ask({ prepare: { op, library: LIBRARIES[i], plan } })))
  const samples = []
  for (let turn = 0; turn < SAMPLES; turn++) {
    const pair = [0, 0]
    for (const i of turn % 2 === 0 ? [0, 1] : [1, 0]) pair[i] = await children[i].ask({ sample: true })
    samples.push(pair)
  }
  const [bson, qbson] = LIBRARIES.map((_, i) => median(samples.map(pair => pair[i])))
  return { bson, qbson, ratio: median(samples.map(pair => pair[0] / pair[1])) }
}

// ---- what is printed

function headOf({ documents, bytes, leaveOut, first }, bson, rounds) {
  const size = Math.round(bytes / documents)
  const left = leaveOut.length === 0 ? '' : `left out: ${plural(leaveOut.length, 'document')} (first: ${printable(first)})\n`
  return `${plural(documents, 'document')} of ${size} bytes on average; bson ${bson.version} (${printable(bson.folder)}), ` +
    `qbson ${version}, Node.js ${process.versions.node}\n${left}` +
    `microseconds of CPU time per document: median and half the range of ${plural(rounds, 'round')}\n\n`
}

/** @param {{title: string, results: {bson: number, qbson: number, ratio: number}[]}[]} rows */
function tableOf(rows) {
  const cells = rows.map(({ title, results }) => {
    const times = LIBRARIES.map(library => figure(results.map(result => result[library] / 1000)))
    return [title, ...times, figure(results.map(({ ratio }) => ratio))]
  })
  const lines = [['', ...LIBRARIES, 'times as fast'], ...cells]
  const widths = lines[0].map((_, column) => Math.max(...lines.map(line => line[column].length)))
  return lines.map(line => line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('   ').trimEnd() + '\n').join('')
}

/** Three digits, and the spread. @param {number[]} values */
function figure(values) {
  const middle = median(values)
  const spread = (Math.max(...values) - Math.min(...values)) / 2 / middle
  const digits = middle >= 100 ? 0 : middle >= 10 ? 1 : middle >= 1 ? 2 : 3
  return `${middle.toFixed(digits)} ±${String(Math.round(100 * spread)).padStart(2)} %`
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}

module.exports = { bench, headOf, tableOf, median }
