'use strict'

// DuckDB, polars and pyarrow read the values of decoded documents from our Parquet files, and the examples in
// docs/columns.md give what they say. QBSON_PYTHON names a Python with polars, pandas and pyarrow.

const assert = require('node:assert')
const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { decode, EJSON } = require('../../qbson')
const { KINDS, messy } = require('../../benchmark/data/messy')
const { columns, inferColumns, toParquet } = require('../../lib/columns')
const { folder } = require('../fixtures/cli')
const { many } = require('../fixtures/long')
const { skip } = require('../skip')

const SCRIPT = path.join(__dirname, '..', 'fixtures', 'read-values.py')
const PYTHON = process.env.QBSON_PYTHON ?? 'python3'
const DOCUMENTS = many(150, 20_000)

const fileOf = kind => path.join(folder, `${kind}.parquet`)
const dumps = new Map(KINDS.map(kind => [kind, messy(/** @type {any} */ (kind), { documents: DOCUMENTS, seed: 7 })]))

/** The columns of each kind: their types. @type {Map<string, any[]>} */
const written = new Map()

async function write() {
  if (written.size > 0) return
  for (const [kind, bytes] of dumps) {
    const pieces = () => [bytes.subarray(0, 1000), bytes.subarray(1000)].values()
    const options = { ids: /** @type {const} */ ('hex'), schema: await inferColumns(pieces(), { ids: 'hex' }) }
    const parts = []
    for await (const part of toParquet(columns(pieces(), options))) parts.push(part)
    fs.writeFileSync(fileOf(kind), Buffer.concat(parts))
    written.set(kind, columns(bytes, options).inner)
  }
}

function* documentsIn(bytes) {
  for (let pos = 0; pos < bytes.length; pos += bytes.readInt32LE(pos)) yield decode(bytes.subarray(pos, pos + bytes.readInt32LE(pos)))
}

/** Decimal digits without zeros at the end. */
const digits = text => (String(text).includes('.') ? String(text).replace(/\.?0+$/, '') : String(text))

/** DuckDB gives times as texts. */
const timeOf = read => (typeof read === 'number' ? read : Date.parse(`${read.replace(' ', 'T')}:00`))

/** Maps as pairs: readers give tuples, objects of `key` and `value`, or one object. */
function pairsOf(read) {
  if (!Array.isArray(read)) return Object.entries(read)
  return read.map(pair => (Array.isArray(pair) ? pair : [pair.key, pair.value]))
}

/** Fails unless a value that a reader gives is that of a document. */
function assertValue(column, read, value, place) {
  const { type, inner } = column
  if (value === undefined || value === null) return assert.ok(read === null, place)
  assert.ok(read !== null && read !== undefined, `${place} is missing`)
  switch (type) {
    case 'struct':
      for (const child of inner) assertValue(child, read[child.name], value[child.name], `${place}.${child.name}`)
      return
    case 'list':
      assert.strictEqual(read.length, value.length, place)
      value.forEach((item, i) => assertValue(inner[0], read[i], item, `${place}[${i}]`))
      return
    case 'map': {
      const pairs = Object.entries(value)
      const own = pairsOf(read)
      assert.deepStrictEqual(own.map(([key]) => key), pairs.map(([key]) => key), place)
      pairs.forEach(([key, item], i) => assertValue(inner[1], own[i][1], item, `${place}.${key}`))
      return
    }
    case 'json': return assert.deepStrictEqual(JSON.parse(read), JSON.parse(EJSON.stringify(value)), place)
    case 'date': return assert.strictEqual(timeOf(read), value.getTime(), place)
    case 'double': return assert.strictEqual(Number(read), Number(value), place)
    case 'decimal128': return assert.strictEqual(digits(read), digits(value), place)
    case 'objectId':
    case 'uuid': return assert.strictEqual(read, value.toHexString(), place)
    default: return assert.strictEqual(String(read), String(value), place)
  }
}

/** @param {string} kind @param {Record<string, any>[]} rows */
function assertRows(kind, rows) {
  let row = 0
  for (const document of documentsIn(dumps.get(kind))) {
    for (const column of written.get(kind)) assertValue(column, rows[row][column.name], document[column.name], `${kind} ${row + 1}: ${column.name}`)
    row++
  }
  assert.strictEqual(rows.length, row)
}

/** @param {any} t @param {string} name of a module of Python */
function needPython(t, name) {
  try {
    execFileSync(PYTHON, ['-c', `import ${name}`], { stdio: 'pipe' })
  } catch {
    skip(t, `there is no ${name}`)
  }
}

async function readByPython(t, reader) {
  needPython(t, reader)
  await write()
  const text = execFileSync(PYTHON, ['-W', 'ignore', SCRIPT, reader, ...KINDS.map(fileOf)], { encoding: 'utf8', maxBuffer: 2 ** 30 })
  text.trimEnd().split('\n').forEach((line, i) => assertRows(KINDS[i], JSON.parse(line)))
  t.done()
}

/** The examples of a page in a language. */
function examples(language) {
  const page = fs.readFileSync(path.join(__dirname, '..', '..', 'docs', 'columns.md'), 'utf8')
  return Array.from(page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm')), ([, code]) => code)
}

module.exports = {
  'DuckDB': async t => {
    const { DuckDBInstance } = await import('@duckdb/node-api')
    await write()
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    await connection.run("set timezone = 'UTC'")
    for (const kind of KINDS) {
      assertRows(kind, (await connection.runAndReadAll(`select * from '${fileOf(kind)}'`)).getRowObjectsJson())
    }
    connection.closeSync()
    t.done()
  },

  'pyarrow': t => readByPython(t, 'pyarrow'),

  'polars': t => readByPython(t, 'polars'),

  'the examples in Python': t => {
    needPython(t, 'polars, pandas, pyarrow')
    const codes = examples('python')
    t.ok(codes.length >= 2)
    const { run } = require('../fixtures/cli')
    const commands = examples('console').flatMap(code => [...code.matchAll(/^\$ npx qbson (to-parquet .*)$/gm)].map(([, line]) => line.split(' ').map(word => word.replaceAll("'", ''))))
    const made = commands.reduce((before, args) => before.then(() => run(args)), Promise.resolve())
    made.then(() => {
      for (const code of codes) {
        const expected = Array.from(code.matchAll(/^print\(.*\) {2}# (.*)$/gm), ([, text]) => text)
        t.deepStrictEqual(execFileSync(PYTHON, ['-W', 'ignore', '-c', code], { encoding: 'utf8' }).trimEnd().split('\n'), expected)
      }
      t.done()
    }).catch(t.done)
  }
}
