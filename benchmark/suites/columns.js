'use strict'

// Documents to columns and to Parquet: total CPU time, and memory.

const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { median } = require('../runner/stats')
const { figure, MARK } = require('../runner/tables')
const { checkSame } = require('../check')
const { COUNT, SCHEMA, dump } = require('../data/columns')
const { messy } = require('../data/messy')

const ALL = 'all 13 columns'
const TWO = 'two columns'
const PARQUET = 'a file to Parquet'

/** Messy documents, without a schema: a file to a file. @type {Record<string, {kind: 'products' | 'geojson', isParquet: boolean}>} */
const MESSY = {
  'products to Parquet': { kind: 'products', isParquet: true },
  'products to Arrow': { kind: 'products', isParquet: false },
  'GeoJSON to Parquet': { kind: 'geojson', isParquet: true },
  'GeoJSON to Arrow': { kind: 'geojson', isParquet: false }
}

/** Their bytes, without and with --quick. */
const MESSY_SIZE = 9e7
const MESSY_SIZE_QUICK = 9e6

/** A Python with pymongoarrow, pyarrow and chdb, if there is one. */
const PYTHON = process.env.QBSON_PYTHON ?? 'python3'
const TOOLS = path.join(__dirname, '..', 'columns', 'tools.py')

/** The warm-up of every contender: ms of CPU time. tools.py does the same. */
const WARM_MS = 1000
const SAMPLES = 5

/** What memory.js measures. */
const MEMORY = path.join(__dirname, '..', 'columns', 'memory.js')
const DUMP = 'a dump to Parquet'
const IDS = 'a million rows of two ids'

/** The bytes of that dump, without and with --quick. */
const LARGE = 2e9
const LARGE_QUICK = 2e8

/** The work of each contender; it resolves to the number of documents. */
const works = {
  qbson: {
    [ALL]: () => bytes => require('../../lib/columns').columns(bytes, { schema: SCHEMA }).rows,
    [TWO]: () => bytes => require('../../lib/columns').columns(bytes, { schema: SCHEMA, fields: ['price', 'addr.lat'] }).rows,
    [PARQUET]: toParquet,
    ...Object.fromEntries(Object.keys(MESSY).map(subject => [subject, mode => convert(mode, MESSY[subject])]))
  },
  'qbson, types inferred': {
    [ALL]: () => bytes => require('../../lib/columns').columns(bytes).rows,
    [TWO]: () => bytes => require('../../lib/columns').columns(bytes, { fields: ['price', 'addr.lat'] }).rows
  },
  'qbson.decode, then arrays': { [ALL]: () => toArrays(require('../../qbson').decode) },
  'bson, then arrays': { [ALL]: () => toArrays(require('bson').deserialize) }
}

const pythons = {
  pymongoarrow: { [ALL]: 'all columns', [TWO]: 'two columns', ...Object.fromEntries(Object.keys(MESSY).map(subject => [subject, subject])) },
  ClickHouse: { [PARQUET]: 'to Parquet' }
}

function toArrays(decode) {
  return bytes => {
    const numbers = { price: new Float64Array(COUNT), qty: new Int32Array(COUNT), at: new Float64Array(COUNT) }
    const columns = { ...numbers, id: [], name: [], city: [] }
    Object.assign(columns, { active: new Uint8Array(COUNT), lat: new Float64Array(COUNT), lon: new Float64Array(COUNT) })
    Object.assign(columns, { note: [], tags: [], zip: [] })
    let row = 0
    for (let pos = 0; pos < bytes.length; row++) {
      const size = bytes.readInt32LE(pos)
      const { _id, name, city, price, qty, at, active, note, tags, addr } = decode(bytes.subarray(pos, pos += size))
      columns.id.push(_id)
      columns.name.push(name)
      columns.city.push(city)
      columns.price[row] = price
      columns.qty[row] = qty
      columns.at[row] = at.getTime()
      columns.active[row] = active ? 1 : 0
      columns.note.push(note)
      columns.tags.push(tags)
      columns.zip.push(addr.zip)
      columns.lat[row] = addr.lat
      columns.lon[row] = addr.lon
    }
    return row
  }
}

/** Converts a file to a file, with a schema. */
function toParquet(mode) {
  const { columns, toParquet: write } = require('../../lib/columns')
  return async () => {
    const out = fs.openSync(outOf(mode), 'w')
    let rows = 0
    async function* counted() {
      const source = fs.createReadStream(fileOf(mode), { highWaterMark: 1024 * 1024 })
      for await (const table of columns(source, { schema: SCHEMA })) {
        rows += table.rows
        yield table
      }
    }
    for await (const part of write(counted())) fs.writeSync(out, part)
    fs.closeSync(out)
    return rows
  }
}

/** As the command does without a schema: reads the file twice, with blocking calls and into the same memory. */
function convert(mode, { kind, isParquet }) {
  const { columns, inferColumns, toParquet: parquet, toArrowIPC: arrow } = require('../../lib/columns')
  const { openDump } = require('../../lib/dump')
  async function* read() {
    for await (const { bytes } of openDump(messyOf(mode, kind), { sync: true, reuse: true }).batches()) yield bytes
  }
  return async () => {
    const options = { ids: 'hex', reuse: true, schema: await inferColumns(read(), { ids: 'hex' }) }
    const out = fs.openSync(outOf(mode), 'w')
    let rows = 0
    async function* counted() {
      for await (const table of columns(read(), options)) {
        rows += table.rows
        yield table
      }
    }
    for await (const part of isParquet ? parquet(counted()) : arrow(counted(), { format: 'file', reuse: true })) fs.writeSync(out, part)
    fs.closeSync(out)
    return rows
  }
}

const messyOf = (mode, kind) => path.join(mode.cache, `columns-${kind}.bson`)

/** @param {Uint8Array} bytes @returns {number} documents */
function countIn(bytes) {
  let count = 0
  for (let pos = 0; pos < bytes.length; count++) pos += Buffer.from(bytes.buffer, bytes.byteOffset + pos, 4).readInt32LE(0)
  return count
}

const fileOf = mode => path.join(mode.cache, 'columns.bson')
const outOf = mode => path.join(mode.cache, 'columns.parquet')

const largeOf = mode => path.join(mode.cache, 'columns-large.bson')

function writeLarge(mode, bytes) {
  const file = fs.openSync(largeOf(mode), 'w')
  for (let written = 0; written < (mode.name === 'quick' ? LARGE_QUICK : LARGE); written += bytes.length) fs.writeSync(file, bytes)
  fs.closeSync(file)
}

/** @returns {{ns: number, extra: {mb: number}}} */
function memoryOf(subject, mode) {
  const args = subject === DUMP ? [MEMORY, 'parquet', largeOf(mode), outOf(mode)] : ['--expose-gc', MEMORY, 'ids']
  const start = process.hrtime.bigint()
  const extra = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  return { ns: Number(process.hrtime.bigint() - start), extra }
}

/** @returns {Promise<number>} ns of CPU time per document */
async function measure(work, bytes, documents) {
  const once = async () => {
    const before = process.cpuUsage()
    const rows = await work(bytes)
    const { user, system } = process.cpuUsage(before)
    if (rows !== documents) throw new Error(`${rows} rows`)
    return user + system // µs
  }
  for (let used = 0; used < WARM_MS * 1000;) used += await once()
  const samples = []
  while (samples.length < SAMPLES) samples.push(((await once()) * 1000) / documents)
  return median(samples)
}

/** Why the Python tools are not measured; set by `setup`. */
let missing

function setup(mode) {
  fs.mkdirSync(mode.cache, { recursive: true })
  const bytes = dump()
  fs.writeFileSync(fileOf(mode), bytes)
  writeLarge(mode, bytes)
  const size = mode.name === 'quick' ? MESSY_SIZE_QUICK : MESSY_SIZE
  for (const kind of /** @type {const} */ (['products', 'geojson'])) fs.writeFileSync(messyOf(mode, kind), messy(kind, { size }))
  try {
    execFileSync(PYTHON, ['-c', 'import pymongoarrow, pyarrow, chdb'], { stdio: 'pipe' })
  } catch {
    missing = `pymongoarrow and ClickHouse (chdb): ${PYTHON} has not both; QBSON_PYTHON names another`
  }
}

function cases() {
  const own = Object.entries(works).flatMap(([contender, subjects]) => Object.keys(subjects).map(subject => ({ subject, op: 'read', contender })))
  for (const subject of [DUMP, IDS]) own.push({ subject, op: 'memory', contender: 'qbson' })
  if (missing) return own
  return own.concat(Object.entries(pythons).flatMap(([contender, subjects]) => {
    return Object.keys(subjects).map(subject => ({ subject, op: 'read', contender }))
  }))
}

/** Checks that the fastest way returns the same values as decode. */
function check() {
  const bytes = dump(200)
  const { decode } = require('../../qbson')
  const table = require('../../lib/columns').columns(bytes, { schema: SCHEMA })
  for (let row = 0, pos = 0; row < table.rows; row++) {
    checkSame(table.get(row), decode(bytes.subarray(pos, pos += bytes.readInt32LE(pos))), `row ${row}`)
  }
}

/** The targets of qbson, and what it reaches. @param {any[]} results */
function targets(results) {
  const of = (subject, contender) => results.find(result => result.subject === subject && result.contender === contender)
  const times = (subject, other) => figure(100 / of(subject, other)?.relative)
  const mb = subject => figure(of(subject, 'qbson')?.extra?.mb)
  return {
    title: 'against its targets',
    head: ['', 'target', 'measured'],
    rows: [
      [`${ALL}, times as fast as pymongoarrow with a schema`, 'at least 5', times(ALL, 'pymongoarrow')],
      [`${TWO}, likewise`, 'at least 4', times(TWO, 'pymongoarrow')],
      [`${ALL}, times as fast as objects by bson, then arrays`, 'at least 6', times(ALL, 'bson, then arrays')],
      ...Object.keys(MESSY).map(subject => {
        return [`${subject}, times as fast as pymongoarrow and pyarrow`, MESSY[subject].isParquet ? 'at least 1.3' : 'at least 2', times(subject, 'pymongoarrow')]
      }),
      [`${PARQUET}, CPU time as a share of ClickHouse's`, 'at most 1.0', figure(of(PARQUET, 'ClickHouse')?.relative / 100)],
      ['a dump of 2 GB to Parquet, memory of the process, MB', 'at most 250', mb(DUMP)],
      [`${IDS}, memory, MB`, 'at most 40', mb(IDS)]
    ]
  }
}

/** The rates of all contenders. @param {any[]} results */
function rates(results) {
  const subjects = [ALL, TWO, PARQUET]
  const contenders = [...Object.keys(works), ...Object.keys(pythons)]
  const cell = (subject, contender) => {
    const row = results.find(result => result.subject === subject && result.contender === contender)
    return row === undefined ? '—' : figure(Math.round(row.relative)) + (row.relativeSpread > 0.1 ? MARK : '')
  }
  return {
    title: 'relative rate, qbson = 100',
    head: ['', ...subjects],
    rows: contenders.map(contender => [nameOf(contender, results), ...subjects.map(subject => cell(subject, contender))])
  }
}

/** The name of a contender, with the version of a Python tool. */
function nameOf(contender, results) {
  const version = results.find(result => result.contender === contender && result.extra?.version)?.extra.version
  return version === undefined ? contender : `${contender} (${version})`
}

const tables = results => [targets(results), rates(results)]

module.exports = {
  name: 'columns',
  title: 'Columns: documents to typed arrays, and to Parquet',
  baseline: 'qbson',
  tables,
  digest: tables,
  rounds: mode => Math.min(mode.rounds, 3),
  get notes() {
    return [
      `${COUNT} documents of 235 bytes: ten fields, one of them a document and one a list of strings. CPU time, so ` +
        'that several threads are no advantage, after a warm-up of one second for each tool. `qbson`, pymongoarrow and ClickHouse are given a ' +
        'schema; `types inferred` reads all documents twice. Products and GeoJSON are messy and have no schema; a file of each, of 90 MB, is ' +
        'converted to a file. qbson reads it twice, with blocking calls and into memory that is used again, as the command does.',
      missing && `Not run here: ${missing}`
    ].filter(Boolean)
  },
  setup,
  cases,
  prepare({ subject, op, contender }, mode) {
    if (op === 'memory') return { measure: () => [memoryOf(subject, mode)] }
    const file = MESSY[subject] === undefined ? fileOf(mode) : messyOf(mode, MESSY[subject].kind)
    const bytes = fs.readFileSync(file)
    const documents = countIn(bytes)
    if (pythons[contender] !== undefined) {
      const args = [TOOLS, `${contender}, ${pythons[contender][subject]}`, file, String(documents), outOf(mode)]
      const asked = () => JSON.parse(execFileSync(PYTHON, args, { encoding: 'utf8' }))
      return {
        measure() {
          const { ns, version } = asked()
          return [{ ns, extra: { version } }]
        }
      }
    }
    const work = works[contender][subject](mode)
    return { measure: async () => [{ ns: await measure(work, bytes, documents) }], check: contender === 'qbson' ? check : undefined }
  }
}
