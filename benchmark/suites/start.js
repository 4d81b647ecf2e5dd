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

const REQUIRE = '`require`'
const ID = 'first ObjectId'
const ENCODE = 'first encode'
const DECODE = 'first decode'
const REQUIRED = 'all four'
const IMPORTED = 'the same by `import`'
const THOUSAND = 'first 1,000'
const SUBJECTS = [REQUIRE, ID, ENCODE, DECODE, REQUIRED, IMPORTED, THOUSAND]

const sum = times => Object.values(times).reduce((all, ns) => all + ns)

/** The first thousand documents of a process: a hundred of each of these, in turn. */
const FIRST = ['order', 'post', 'sensor', 'log', 'event', 'dictionary', 'wide', 'tree', 'types']
const EACH = 112

function measure(name, mode) {
  const from = name === 'qbson' ? path.join(mode.cache, 'node_modules', 'qbson') : name
  const times = timesOf(name, from)
  const rows = [
    { subject: REQUIRE, ns: times.required, extra: { memory: memoryOf(name, from), ...bundle(name, mode) } },
    { subject: ENCODE, ns: times.encoded },
    { subject: DECODE, ns: times.decoded },
    { subject: REQUIRED, ns: sum(times) },
    { subject: IMPORTED, ns: sum(importTimesOf(name, mode.cache)) }
  ]
  if (!BSON.includes(name)) return rows
  return [...rows, { subject: ID, ns: times.identified }, { subject: THOUSAND, ns: firstThousand(name, from, mode) }]
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

/** Only qbson has raw documents, and msgpackr other names. */
const isThere = (name, what) => name === 'qbson' || what === 'everything' || (name === 'bson' && what !== 'RawDocument')

/** Sizes of bundles, minified and gzipped; built once per run. */
function bundle(name, mode) {
  const file = path.join(mode.cache, `bundle-${name}.json`)
  if (fs.existsSync(file)) return JSON.parse(fs.readFileSync(file, 'utf8'))
  const { encode, decode } = PACKAGES[name]
  const chosen = Object.entries(IMPORTS).filter(([what]) => isThere(name, what))
  const sizesFor = platform => Object.fromEntries(chosen.map(([what, names]) =>
    [what, sizeOf(names([encode, decode]), name, mode.cache, platform)]))
  const sizes = { browser: sizesFor('browser'), node: BSON.includes(name) ? sizesFor('node') : {} }
  const result = { ...sizes.browser.everything, sizes }
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
  const cell = size => size ? figure(size.gzipped / 1024) : '—'
  return {
    title: 'bundles, KiB minified and gzipped',
    head: ['import', ...shown.map(name => `${name}, for browsers`), ...shown.map(name => `${name}, for Node`)],
    rows: Object.keys(IMPORTS).map(what => [
      what, ...['browser', 'node'].flatMap(platform => shown.map(name => cell(of(name)[platform][what])))
    ])
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
  notes: ['Milliseconds of CPU time in a fresh process: `require`, the first ObjectId, encoding one small document, ' +
    'decoding it, all four together, and all four with `import` of an ES module; encoding and decoding a thousand documents ' +
    'of nine kinds once each. Memory: KiB of heap and buffers in use after `require` ' +
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
