'use strict'

// Documents to columns, and to Parquet: processor time of everything that has to run for it.

const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { median } = require('../runner/stats')
const { checkSame } = require('../check')
const { COUNT, SCHEMA, dump } = require('../data/columns')

const ALL = 'all 13 columns'
const TWO = 'two columns'
const PARQUET = 'a file to Parquet'

/** The Python that has pymongoarrow, pyarrow and chdb, where there is one. */
const PYTHON = process.env.QBSON_PYTHON ?? 'python3'
const TOOLS = path.join(__dirname, '..', 'columns', 'tools.py')

const SAMPLES = 5

/** What each contender does; it resolves with the number of documents. */
const works = {
  qbson: {
    [ALL]: () => bytes => require('../../lib/columns').columns(bytes, { schema: SCHEMA }).rows,
    [TWO]: () => bytes => require('../../lib/columns').columns(bytes, { schema: SCHEMA, fields: ['price', 'addr.lat'] }).rows,
    [PARQUET]: toParquet
  },
  'qbson, types inferred': {
    [ALL]: () => bytes => require('../../lib/columns').columns(bytes).rows,
    [TWO]: () => bytes => require('../../lib/columns').columns(bytes, { fields: ['price', 'addr.lat'] }).rows
  },
  'qbson.decode, then arrays': { [ALL]: () => toArrays(require('../../qbson').decode) },
  'bson, then arrays': { [ALL]: () => toArrays(require('bson').deserialize) }
}

const pythons = { pymongoarrow: { [ALL]: 'all columns', [TWO]: 'two columns' }, ClickHouse: { [PARQUET]: 'to Parquet' } }

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

/** From a file to a file, as the command does it with a schema. */
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

const fileOf = mode => path.join(mode.cache, 'columns.bson')
const outOf = mode => path.join(mode.cache, 'columns.parquet')

/** @returns {Promise<number>} ns of processor time a document */
async function measure(work, bytes) {
  const samples = []
  for (let i = 0; i < SAMPLES + 2; i++) {
    const before = process.cpuUsage()
    const rows = await work(bytes)
    const { user, system } = process.cpuUsage(before)
    if (rows !== COUNT) throw new Error(`${rows} rows`)
    if (i >= 2) samples.push(((user + system) * 1000) / COUNT)
  }
  return median(samples)
}

/** Why the tools in Python are not measured, once `setup` has found that out. */
let missing

function setup(mode) {
  fs.mkdirSync(mode.cache, { recursive: true })
  fs.writeFileSync(fileOf(mode), dump())
  try {
    execFileSync(PYTHON, ['-c', 'import pymongoarrow, pyarrow, chdb'], { stdio: 'pipe' })
  } catch {
    missing = `pymongoarrow and ClickHouse (chdb): ${PYTHON} has not both; QBSON_PYTHON names another`
  }
}

function cases() {
  const own = Object.entries(works).flatMap(([contender, subjects]) => Object.keys(subjects).map(subject => ({ subject, op: 'read', contender })))
  if (missing) return own
  return own.concat(Object.entries(pythons).flatMap(([contender, subjects]) => {
    return Object.keys(subjects).map(subject => ({ subject, op: 'read', contender }))
  }))
}

/** The values that the fastest way gives are those of decode. */
function check() {
  const bytes = dump(200)
  const { decode } = require('../../qbson')
  const table = require('../../lib/columns').columns(bytes, { schema: SCHEMA })
  for (let row = 0, pos = 0; row < table.rows; row++) {
    checkSame(table.get(row), decode(bytes.subarray(pos, pos += bytes.readInt32LE(pos))), `row ${row}`)
  }
}

module.exports = {
  name: 'columns',
  title: 'Columns: documents to typed arrays, and to Parquet',
  baseline: 'qbson',
  readme: 'newest',
  rounds: mode => Math.min(mode.rounds, 3),
  get notes() {
    return [
      `${COUNT} documents of 235 bytes: ten fields, one of them a document and one a list of strings. Processor time, so ` +
        'that tools with several threads are not ahead by them; relative rates, `qbson` = 100, more is faster.',
      missing && `Not run here: ${missing}`
    ].filter(Boolean)
  },
  setup,
  cases,
  prepare({ subject, contender }, mode) {
    if (pythons[contender] !== undefined) {
      const args = [TOOLS, `${contender}, ${pythons[contender][subject]}`, fileOf(mode), String(COUNT), outOf(mode)]
      return { measure: () => [{ ns: JSON.parse(execFileSync(PYTHON, args, { encoding: 'utf8' })).ns }] }
    }
    const bytes = fs.readFileSync(fileOf(mode))
    const work = works[contender][subject](mode)
    return { measure: async () => [{ ns: await measure(work, bytes) }], check: contender === 'qbson' ? check : undefined }
  }
}
