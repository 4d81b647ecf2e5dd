'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { IMPORTS, packInto, sizeOf } = require('../runner/sizes')
const { load, prepare } = require('../data/documents')
const { bsonTypes } = require('../data/types')
const { PACKAGES, timesOf, memoryOf } = require('../runner/bare')
const { prepareImports, importTimesOf } = require('../runner/imports')
const { timeOf } = require('../runner/measure')
const { median } = require('../runner/stats')
const { figure, percent, wide } = require('../runner/tables')

/** Contenders with the types of bson. */
const BSON = ['bson', 'qbson']

const REQUIRE = '`require` and first encode'
const IMPORT = '`import` and first encode'
const DECODE = 'first decode'
const THOUSAND = 'first 1,000'
const SUBJECTS = [REQUIRE, IMPORT, DECODE, THOUSAND]

/** The first thousand documents of a process: a hundred of each of these, in turn. */
const FIRST = ['order', 'post', 'sensor', 'log', 'event', 'dictionary', 'wide', 'tree', 'types']
const EACH = 112

function measure(name, mode) {
  const from = name === 'qbson' ? path.join(mode.cache, 'node_modules', 'qbson') : name
  const { required, encoded, decoded } = timesOf(name, from)
  const afterImport = importTimesOf(name, mode.cache)
  const rows = [
    { subject: REQUIRE, ns: required + encoded, extra: { memory: memoryOf(name, from), ...bundle(name, mode) } },
    { subject: IMPORT, ns: afterImport.imported + afterImport.encoded },
    { subject: DECODE, ns: decoded }
  ]
  return BSON.includes(name) ? [...rows, { subject: THOUSAND, ns: firstThousand(name, from, mode) }] : rows
}

/** Nanoseconds for encoding and decoding a thousand documents of several kinds, once each. */
function firstThousand(name, from, mode) {
  const library = require(from)
  const { encode, decode } = PACKAGES[name]
  const byKind = FIRST.map(kind => load(kind, bsonTypes(library), mode.cache).slice(0, EACH))
  const documents = Array.from({ length: EACH }, (_, i) => byKind.map(kind => kind[i])).flat().slice(0, 1000)
  const { seconds } = timeOf(() => documents.map(doc => library[decode](library[encode](doc))))
  return seconds * 1e9
}

/** Sizes of bundles for a browser, minified and gzipped; built once per run. */
function bundle(name, mode) {
  const file = path.join(mode.cache, `bundle-${name}.json`)
  if (fs.existsSync(file)) return JSON.parse(fs.readFileSync(file, 'utf8'))
  const { encode, decode } = PACKAGES[name]
  const chosen = Object.entries(IMPORTS).filter(([what]) => BSON.includes(name) || what === 'everything')
  const sizes = chosen.map(([what, names]) => [what, sizeOf(names([encode, decode]), name, mode.cache)])
  const result = { ...sizes[0][1], sizes: Object.fromEntries(sizes) }
  fs.writeFileSync(file, JSON.stringify(result))
  return result
}

function row(name, results) {
  const of = subject => results.find(result => result.contender === name && result.subject === subject)
  const cell = subject => of(subject) ? wide(figure(of(subject).ns / 1e6), of(subject).wide) : '—'
  const { memory, minified, gzipped } = of(REQUIRE).extra
  return [
    name, ...SUBJECTS.map(cell), figure(memory / 1024), figure(minified / 1024), figure(gzipped / 1024),
    percent(median(SUBJECTS.map(of).filter(Boolean).map(result => result.spread)))
  ]
}

/** Gzipped KiB for different imports of a program. */
function sizesOf(results) {
  const of = name => results.find(({ contender, subject }) => contender === name && subject === REQUIRE)?.extra.sizes
  const shown = BSON.filter(name => of(name))
  return {
    title: 'bundles for browsers, KiB minified and gzipped',
    head: ['import', ...shown],
    rows: Object.keys(IMPORTS).map(what => [what, ...shown.map(name => figure(of(name)[what].gzipped / 1024))])
  }
}

const tables = results => [{
  title: 'start',
  head: ['', ...SUBJECTS.map(subject => `${subject} ms`), 'memory KiB', 'minified KiB', 'gzipped KiB', 'spread'],
  rows: Object.keys(PACKAGES).filter(name => results.some(result => result.contender === name))
    .map(name => row(name, results))
}, sizesOf(results)]

module.exports = {
  name: 'start',
  title: 'Start: the first moments of a process',
  baseline: 'bson',
  notes: ['Milliseconds of processor time in a fresh process: `require` and encoding one small document; `import` of an ES ' +
    'module and the same; decoding it for the first time; encoding and decoding a thousand documents of nine kinds once ' +
    'each. Memory: KiB of heap and buffers in use after `require` ' +
    'and a full collection. Bundle: KiB, made by esbuild, minified and gzipped. qbson is measured as packaged.'],
  setup: async mode => {
    await prepare(mode.cache)
    await packInto(mode.cache)
    prepareImports(mode.cache)
  },
  rounds: mode => 3 * mode.rounds + 2,
  cases: () => Object.keys(PACKAGES).map(contender => ({ subject: 'start', op: 'start', contender, flags: ['--expose-gc'] })),
  prepare: ({ contender }, mode) => ({ measure: () => measure(contender, mode) }),
  tables,
  digest: results => tables(results).slice(0, 1)
}
