'use strict'

// qbson bench: its output, the sources of its documents, and how it finds bson.

const fs = require('node:fs')
const path = require('node:path')
const children = require('node:child_process')
const { EventEmitter } = require('node:events')
const { answer } = require('../../lib/cli/commands/bench-process')
const { encode, BSONRegExp } = require('../../qbson')
const { version } = require('../../package.json')
const { bin, bookshop, dump, folder, run, write, broken } = require('../fixtures/cli')

/** A folder in which `packages` are installed: name and version by path. */
function folderWith(name, packages) {
  const cwd = fs.realpathSync(fs.mkdtempSync(path.join(folder, name)))
  for (const [place, manifest] of Object.entries(packages)) {
    fs.mkdirSync(path.join(cwd, place), { recursive: true })
    fs.writeFileSync(path.join(cwd, place, 'package.json'), JSON.stringify({ main: 'index.js', ...manifest }))
    fs.writeFileSync(path.join(cwd, place, 'index.js'), manifest.code ?? '')
  }
  return cwd
}

/** Runs the command, whose processes answer in this one, but for the first ones. @param {string[]} args */
async function runHere(args, { isTTY = false, own = 0 } = {}) {
  const { spawn } = children
  children.spawn = (...given) => own-- > 0 ? spawn(...given) : Object.assign(new EventEmitter(), {
    async send(request) { this.emit('message', await answer(request)) }
  })
  try {
    return await run(['bench', ...args], { isTTY })
  } finally {
    children.spawn = spawn
  }
}

/** The same in such a folder. */
async function runIn(name, packages, args) {
  const cwd = folderWith(name, packages)
  const before = process.cwd()
  process.chdir(cwd)
  try {
    const { code, out, err } = await runHere(args)
    return { code, out, err: err.replaceAll(cwd, 'CWD') }
  } finally {
    process.chdir(before)
  }
}

module.exports = {
  'a row an operation, of documents whose outputs agree': async function (t) {
    const parts = [{ b: [1.5] }, {}, null, 7]
    const documents = [...parts.map(a => ({ n: 1, a })), { r: new BSONRegExp('(?<=keeper)', 'ix') }]
    const file = write('two.bson', Buffer.concat(documents.map(document => encode(document))))
    const { NODE_OPTIONS = '' } = process.env
    const { cpuUsage } = process
    process.env.NODE_OPTIONS = `${NODE_OPTIONS} --require ${JSON.stringify(require.resolve('../fixtures/fast-clock'))}`
    require('../fixtures/fast-clock')
    const { code, out, err } = await runHere(['--rounds', '1', '--field', 'a.b', file], { isTTY: true, own: 3 })
    Object.assign(process, { cpuUsage }).env.NODE_OPTIONS = NODE_OPTIONS
    t.strictEqual(code, 0)
    const [head, left, note, blank, titles, ...rows] = out.trimEnd().split('\n')
    t.ok(head.startsWith('4 documents of 23 bytes') && head.includes(' on average; bson 7.'), head)
    t.ok(head.endsWith(`, qbson ${version}, Node.js ${process.versions.node}`), head)
    t.strictEqual(left, 'left out: 1 document (first: document 5, decode: the outputs differ)')
    t.strictEqual(note, 'microseconds of CPU time per document: median and half the range of 1 round')
    t.strictEqual(blank, '')
    t.deepStrictEqual(titles.trim().split(/ {2,}/), ['bson', 'qbson', 'times as fast'])
    t.deepStrictEqual(rows.map(row => row.split(/ {2,}/)[0]), ['decode', 'encode', 'to JSON', 'read field a.b'])
    for (const row of rows) {
      const [bson, qbson, ratio] = [...row.matchAll(/(\d[\d.]*) ± {1,2}\d+ %/g)].map(match => Number(match[1]))
      t.ok(bson > 0 && qbson > 0 && ratio > 0, row)
    }
    const progress = ['decode', 'encode', 'to JSON', 'read field'].map(title => `\r\x1b[K${title}: round 1 of 1\r\x1b[K`)
    t.strictEqual(err, `\r\x1b[Kcomparing the outputs\r\x1b[K${progress.join('')}`)
    t.done()
  },

  'where all differ there is nothing to time': async t => {
    const real = JSON.stringify(require.resolve('bson'))
    const codes = {
      'the outputs differ': `exports.deserialize = bytes => ({ ...require(${real}).deserialize(bytes), more: 1 })`,
      'bson fails: not today': "exports.deserialize = () => { throw new Error('not today') }"
    }
    const file = write('nothing.bson', encode({}))
    for (const [what, code] of Object.entries(codes)) {
      const result = await runIn('different-', { 'node_modules/bson': { name: 'bson', version: '7.9.9', code } }, [file])
      t.strictEqual(result.err, `qbson: ${file}: no document is left: document 1, decode: ${what}\n`)
      t.strictEqual(result.out, '')
      t.strictEqual(result.code, 1)
    }
    const lenient = { 'node_modules/bson': { name: 'bson', version: '7.9.9', code: 'exports.deserialize = () => ({})' } }
    const wrong = Buffer.from(encode({ text: 'abc' }))
    wrong[10] = 99
    const { err } = await runIn('lenient-', lenient, [write('wrong.bson', Buffer.concat([encode({ a: 1 }), wrong]))])
    t.ok(err.endsWith('no document is left: document 1, decode: the outputs differ\n'), err)
    const { err: failing } = await runIn('lenient-', lenient, ['--field', 'text', write('only-wrong.bson', wrong)])
    t.ok(failing.includes('no document is left: document 1, decode: qbson fails: bad string length'), failing)
    t.done()
  },

  'files without documents, with broken ones, or that are not there': async function (t) {
    const truncated = write('truncated.bson', dump.subarray(0, -3))
    const second = write('second.bson', broken().bytes)
    const large = write('large.bson', Buffer.from([0, 0, 0, 3]))
    fs.truncateSync(large, 33 * 1024 * 1024)
    const cases = [
      [write('empty.bson', Buffer.alloc(0)), /there is no document to time$/, 1],
      [truncated, /BSON document is cut short: 3 of its .* of document 3\)$/, 1],
      [second, /document 2: .*offset/, 1],
      [large, /BSON document is cut short: 15728640 of its .* of document 1\)$/, 1]
    ]
    for (const [file, message, exitCode] of cases) {
      const { code, out, err } = await runHere([file])
      t.ok(err.startsWith(`qbson: ${file}: `) && message.test(err.trimEnd()), err)
      t.strictEqual(out, '')
      t.strictEqual(code, exitCode)
    }
    const { code, err } = await runHere(['--skip', '1', '--limit', '1', second])
    t.ok(/document 1: .*offset/.test(err), err)
    t.strictEqual(code, 1)
    t.done()
  },

  'wrong usage': async function (t) {
    for (const args of [[], ['-'], [bookshop, bookshop], ['--rounds', '0', bookshop], ['--rounds', 'x', bookshop]]) {
      const { code, err } = await run(['bench', ...args])
      t.ok(/^qbson: .*\nTry 'qbson bench --help'\.\n$/.test(err), err)
      t.strictEqual(code, 2)
    }
    t.done()
  },

  'bson is looked for in the folder, and behind the driver': async t => {
    const none = await runIn('none-', {}, [bookshop])
    t.strictEqual(none.err, "qbson: there is no bson to compare with in CWD: npm install bson\nTry 'qbson bench --help'.\n")
    t.strictEqual(none.code, 2)
    const packages = {
      'node_modules/mongoose': { name: 'mongoose', version: '9.0.0' },
      'node_modules/mongoose/node_modules/mongodb': { name: 'mongodb', version: '7.0.0' },
      'node_modules/mongoose/node_modules/mongodb/node_modules/bson': { name: 'qbson', version: '1.0.0' }
    }
    const overridden = await runIn('overridden-', packages, [bookshop])
    t.strictEqual(overridden.err, "qbson: the bson in CWD is qbson itself: run this where bson is not overridden\nTry 'qbson bench --help'.\n")
    t.strictEqual(overridden.code, 2)
    t.done()
  },

  'a process that cannot be started': async function (t) {
    const { execPath } = process
    process.execPath = path.join(folder, 'no-node')
    try {
      const { code, err } = await run(['bench', bookshop])
      t.ok(err.startsWith(`qbson: ${bookshop}: spawn `) && err.includes('ENOENT'), err)
      t.strictEqual(code, 2)
    } finally {
      process.execPath = execPath
    }
    t.done()
  },

  'no line of progress stays on the terminal after a failure': async t => {
    const { execPath } = process
    process.execPath = path.join(folder, 'no-node')
    try {
      const { err } = await run(['bench', bookshop], { isTTY: true })
      t.ok(err.startsWith(`\r\x1b[Kcomparing the outputs\r\x1b[Kqbson: ${bookshop}: spawn `), err)
    } finally {
      process.execPath = execPath
    }
    const answers = { check: { result: { documents: 1, bytes: 5, field: '_id', leaveOut: [] } }, prepare: { error: 'gone' } }
    const { spawn } = children
    children.spawn = () => Object.assign(new EventEmitter(), {
      async send(request) { this.emit('message', await answers[Object.keys(request)[0]]) }
    })
    try {
      const { err, code } = await run(['bench', '--rounds', '1', bookshop], { isTTY: true })
      t.ok(err.endsWith(`decode: round 1 of 1\r\x1b[Kqbson: ${bookshop}: gone\n`), err)
      t.strictEqual(code, 2)
    } finally {
      children.spawn = spawn
    }
    t.done()
  },

  'as a program: a process that ends ends the command': t => {
    const packages = { 'node_modules/bson': { name: 'bson', version: '7.0.0', code: 'process.exit(3)' } }
    const { status, stdout, stderr } = children.spawnSync(process.execPath, [bin, 'bench', bookshop], { cwd: folderWith('ending-', packages), encoding: 'utf8' })
    t.deepStrictEqual([status, stdout, stderr], [2, '', `qbson: ${bookshop}: a process ended with exit code 3\n`])
    t.done()
  }
}
