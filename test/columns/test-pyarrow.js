'use strict'

// pyarrow reads the values of the columns from our Parquet and Arrow files. `npm run test:long` installs it if it is
// missing; QBSON_PYTHON names a Python that has it.

const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { encode, BSONError } = require('../../qbson')
const types = require('../../lib/types')
const { columns, toParquet, toArrowIPC } = require('../../lib/columns')
const { many } = require('../fixtures/long')
const { seededRandom, randomDocument, below } = require('../fixtures/random-document')
const { skip } = require('../skip')

const SCRIPT = path.join(__dirname, '..', 'fixtures', 'read-columns.py')

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'qbson-'))
process.on('exit', () => fs.rmSync(folder, { recursive: true }))

/** @returns {string | undefined} a Python with pyarrow */
function pythonWithPyarrow() {
  const python = process.env.QBSON_PYTHON ?? 'python3'
  const run = (file, args) => execFileSync(file, args, { stdio: 'pipe', timeout: 200_000 })
  try {
    run(python, ['-c', 'import pyarrow'])
    return python
  } catch {}
  if (!many(false, true)) return undefined
  try {
    run(python, ['-m', 'venv', path.join(folder, 'venv')])
    const own = path.join(folder, 'venv', 'bin', 'python')
    run(own, ['-m', 'pip', 'install', '--quiet', '--retries', '0', '--timeout', '15', 'pyarrow'])
    return own
  } catch {
    return undefined
  }
}

const buffer = new DataView(new ArrayBuffer(8))

/** A number as the script prints it, with Python's float.hex(). */
function doubleText(number) {
  if (Number.isNaN(number)) return 'NaN'
  if (!Number.isFinite(number)) return number > 0 ? 'inf' : '-inf'
  buffer.setFloat64(0, number)
  const sign = buffer.getUint8(0) >> 7 ? '-' : ''
  const exponent = (buffer.getUint16(0) >> 4) & 0x7ff
  const fraction = ((BigInt(buffer.getUint32(0) & 0xfffff) << 32n) | BigInt(buffer.getUint32(4))).toString(16).padStart(13, '0')
  if (number === 0) return `${sign}0x0.0p+0`
  const power = exponent === 0 ? -1022 : exponent - 1023
  return `${sign}0x${exponent === 0 ? 0 : 1}.${fraction}p${power < 0 ? '' : '+'}${power}`
}

const hex = bytes => `bytes ${Buffer.from(bytes).toString('hex')}`
const sizes = { objectId: 12, decimal128: 16, uuid: 16 }

/** An integer of 128 bits with a point before the last `scale` digits. */
function scaledText(bytes, scale) {
  const view = new DataView(bytes.slice().buffer)
  const value = (view.getBigInt64(8, true) << 64n) | view.getBigUint64(0, true)
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  return value < 0n ? `-${text}` : text
}

/** A row of a column as the script prints it. */
function told(column, row) {
  const { type, form, scale, values, offsets, validity, children, subtypes, subtype } = column
  if (type === 'null' || (validity !== null && (validity[row >> 3] & (1 << (row & 7))) === 0)) return null
  const inner = Object.entries(children)
  const range = offsets === null ? [] : Array.from({ length: offsets[row + 1] - offsets[row] }, (_, i) => offsets[row] + i)
  if (type === 'struct' || type === 'regex') return Object.fromEntries(inner.map(([name, child]) => [name, told(child, row)]))
  if (type === 'list') return range.map(i => told(children.item, i))
  if (type === 'map') return range.map(i => [told(children.key, i), told(children.value, i)])
  if (type === 'bool') return (values[row >> 3] & (1 << (row & 7))) !== 0
  if (type === 'double') return `double ${doubleText(values[row])}`
  if (sizes[type] && offsets === null) {
    const own = values.subarray(row * sizes[type], (row + 1) * sizes[type])
    if (type === 'uuid') return String(new types.UUID(own))
    return form === 'decimal' ? scaledText(own, scale) : hex(own)
  }
  const bytes = offsets === null ? null : values.subarray(offsets[row], offsets[row + 1])
  if (type === 'binary') return subtype === null ? { subtype: String(subtypes[row]), data: hex(bytes) } : hex(bytes)
  return bytes === null ? String(values[row]) : Buffer.from(bytes).toString()
}

/** A table of random documents, or undefined if they have too many fields. */
function randomTable(random) {
  try {
    return columns(Buffer.concat(Array.from({ length: 2 + below(random, 20) }, () => encode(randomDocument(random, types, 2)))))
  } catch (error) {
    if (error instanceof BSONError) return undefined
    throw error
  }
}

/** Files of a table. @returns {Promise<string[]>} */
async function filesOf(table, name) {
  const rowGroupSize = 1 + (Number(name) % 9)
  const sources = { [`${name}.parquet`]: toParquet(table, { rowGroupSize }), [`${name}.arrow`]: toArrowIPC(table, { format: 'file' }) }
  for (const [file, source] of Object.entries(sources)) {
    const parts = []
    for await (const part of source) parts.push(part)
    fs.writeFileSync(path.join(folder, file), Buffer.concat(parts))
  }
  return Object.keys(sources)
}

/** @param {any} t @param {string} python */
async function compare(t, python) {
  const expected = []
  const files = []
  for (let i = 0; i < many(12, 300); i++) {
    const table = randomTable(seededRandom(i + 1))
    if (table === undefined || table.inner.length === 0) continue
    const rows = table.inner.map(column => [column.name, Array.from({ length: table.rows }, (_, row) => told(column, row))])
    for (const file of await filesOf(table, `${i + 1}`)) {
      files.push(file)
      expected.push(JSON.parse(JSON.stringify(rows)))
    }
  }
  t.ok(files.length > 10)
  const read = execFileSync(python, [SCRIPT, ...files], { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 29 }).split('\n')
  files.forEach((file, i) => t.deepStrictEqual(JSON.parse(read[i]), expected[i], `${file}: the number is the seed`))
}

module.exports = {
  'random documents': t => {
    const python = pythonWithPyarrow()
    if (python === undefined) skip(t, 'there is no pyarrow')
    compare(t, python).then(() => t.done(), t.done)
  }
}
