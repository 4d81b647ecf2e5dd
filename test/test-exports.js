'use strict'

// The exports of the package: from CommonJS, from ES modules, without Node and in a bundle.

const fs = require('node:fs')
const path = require('node:path')
const vm = require('node:vm')
const { execFileSync } = require('node:child_process')
const esbuild = require('esbuild')
const qbson = require('qbson')
const columns = require('qbson/columns')
const wire = require('qbson/wire')
const manifest = require('qbson/package.json')
const { ENTRIES, PUBLIC } = require('../scripts/entries')
const { requireWithoutBuffer } = require('./without-buffer')
const { skip } = require('./skip')

const root = path.dirname(__dirname)
const docs = path.join(root, 'docs')
const pages = fs.readdirSync(docs).map(file => fs.readFileSync(path.join(docs, file), 'utf8')).join('\n')

const isCovered = process.env.NYC_CONFIG !== undefined
const COVERED = 'while coverage is measured, the library is not what it is otherwise'

/** Runs a Node process. */
function runNode(args) {
  return execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
}

/** Runs `q` through the functions that depend most on Buffers, text coders or random numbers. */
const EXERCISE = `
  const value = {
    text: 'short', long: 'Grüße, 世界 '.repeat(40), n: -1.5, i: 7, date: new Date(1e12), list: [true, null, /a+/i],
    id: q.ObjectId.createFromHexString('0123456789abcdef01234567'), big: q.Long.fromString('-9007199254740993'),
    price: q.Decimal128.fromString('1.50'), uuid: new q.UUID('0d8f2d5c-7a51-4c0e-9b1e-3f5e6a7b8c09'),
    bytes: new q.Binary(new Uint8Array([0, 127, 128, 255])), when: new q.Timestamp({ t: 5, i: 6 })
  }
  const bytes = q.encode(value)
  const again = q.encode(q.decode(bytes))
  const json = q.EJSON.stringify(q.decode(bytes))
  const back = q.EJSON.parse(q.EJSON.stringify(q.decode(bytes, { promoteValues: false }), { relaxed: false }))
  const result = {
    hex: Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join(''),
    same: bytes.length === again.length && again.every((byte, i) => byte === bytes[i]),
    size: q.sizeOf(value), length: bytes.length, checked: q.validate(bytes), json, text: back.long,
    isUnique: !new q.ObjectId().equals(new q.ObjectId()), uuid: new q.UUID().toString().length,
    kind: bytes.constructor.name
  }`

function exercise(q) {
  return vm.runInThisContext(`q => { ${EXERCISE}; return result }`)(q)
}

/** Two names for one class. */
const ALIASES = ['ObjectID', 'DbRef']

module.exports = {
  'functions and classes have the names by which they are called': function (t) {
    const modules = PUBLIC.map(name => require(path.join(root, ENTRIES[name])))
    const functions = modules.flatMap(Object.entries).filter(([, value]) => typeof value === 'function')
    t.ok(functions.length > 80, String(functions.length))
    t.deepStrictEqual(functions.filter(([name, { name: own }]) => own !== name && !ALIASES.includes(name)).map(([name]) => name), [])
    t.done()
  },

  'ES modules see the same objects by name': async function (t) {
    const names = Object.keys(qbson)
    t.ok(names.length > 32)
    const module = await import('qbson')
    t.deepStrictEqual(names.filter(name => module[name] !== qbson[name]), [])
    t.strictEqual(module.default, qbson)
    const wireModule = await import('qbson/wire')
    t.deepStrictEqual(Object.keys(wire).filter(name => wireModule[name] !== wire[name]), [])
    t.done()
  },

  'the names of the bson package are all there': function (t) {
    t.deepStrictEqual(Object.keys(require('bson')).filter(name => !(name in qbson)), [])
    t.done()
  },

  'only what is meant to be public can be required': function (t) {
    t.strictEqual(manifest.name, 'qbson')
    t.strictEqual(qbson, require('../qbson'))
    t.throws(() => require('qbson/cli'), /not defined by "exports"/)
    t.throws(() => require('qbson/lib/encode/encode.js'), /Cannot find module/)
    t.done()
  },

  'nothing is needed beside it': function (t) {
    t.deepStrictEqual(Object.keys(manifest.dependencies ?? {}), [])
    t.done()
  },

  'every name is in docs/': function (t) {
    const undocumented = names => names.filter(name => !new RegExp('`[^`\\n]*\\b' + name + '\\b[^`\\n]*`').test(pages))
    t.deepStrictEqual(undocumented(Object.keys(qbson)), [])
    t.deepStrictEqual(undocumented(Object.keys(wire)), [])
    t.done()
  },

  'columns show nothing that only the threads of the command share': function (t) {
    const shared = Object.keys(require('../lib/columns/threads'))
    t.deepStrictEqual(Object.keys(columns).filter(name => shared.includes(name)), [])
    t.deepStrictEqual(Object.keys(columns).sort(), [
      'Column', 'ColumnStatistics', 'Table', 'columnStatistics', 'columns', 'inferColumns', 'toArrow', 'toArrowIPC', 'toCSV', 'toParquet'
    ])
    t.done()
  },

  'it works without Buffer, and without TextEncoder': function (t) {
    for (const names of [[], ['TextEncoder']]) {
      const result = exercise(requireWithoutBuffer('qbson.js', names))
      t.deepStrictEqual(result, { ...exercise(qbson), kind: 'Uint8Array' })
    }
    t.done()
  },

  'where there is no Node there is no zlib, and the wire layer says so': function (t) {
    const { compressors } = requireWithoutBuffer('lib/wire/compression')
    const { process } = globalThis
    globalThis.process = undefined
    try {
      t.deepStrictEqual(compressors(), ['noop'])
    } finally {
      globalThis.process = process
    }
    t.done()
  },

  'it works where code may not be made at run time': function (t) {
    if (isCovered) skip(t, COVERED)
    const script = `const q = require('./qbson'); ${EXERCISE}; console.log(JSON.stringify(result))`
    t.deepStrictEqual(JSON.parse(runNode(['--disallow-code-generation-from-strings', '-e', script])), exercise(qbson))
    t.done()
  },

  'it bundles for browsers and runs there': function (t) {
    const { outputFiles, warnings } = esbuild.buildSync({
      entryPoints: [path.join(root, 'qbson.js')],
      bundle: true,
      minify: true,
      write: false,
      platform: 'browser',
      format: 'iife',
      globalName: 'q'
    })
    t.deepStrictEqual(warnings, [])
    const context = vm.createContext({ TextEncoder, TextDecoder, crypto, atob, btoa })
    const json = vm.runInContext(`${outputFiles[0].text}; ${EXERCISE}; JSON.stringify(result)`, context)
    t.deepStrictEqual(JSON.parse(json), { ...exercise(qbson), kind: 'Uint8Array' })
    t.done()
  },

  'the version is one': function (t) {
    const output = execFileSync(process.execPath, [path.join(root, manifest.bin.qbson), '--version'], { encoding: 'utf8' })
    t.strictEqual(output, `qbson ${manifest.version}\n`)
    const changes = fs.readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8')
    t.strictEqual(/^## (\d\S*)/m.exec(changes)[1], manifest.version)
    t.done()
  }
}
