'use strict'

// qbson/columns bundled for a page: alone, and with the packages for writing Arrow and Parquet.

const path = require('node:path')
const fs = require('node:fs')
const esbuild = require('esbuild')
const { inPage } = require('./browsers')

const modules = path.join(__dirname, '..', '..', 'node_modules')

/** Packages of which only qbson is installed. */
const ALONE = `
  import { encode } from 'qbson'
  import { columns, toArrow, toArrowIPC, toParquet } from 'qbson/columns'
  const result = { passed: 0, failed: 0, failures: [], digest: null }
  const count = (isRight, what) => isRight ? result.passed++ : result.failures.push(what)
  const gather = async source => {
    const parts = []
    for await (const part of source) parts.push(part)
    return new Uint8Array(await new Blob(parts).arrayBuffer())
  }
  const parts = Array.from({ length: 1000 }, (_, i) => encode({ i, s: 'text ' + i, l: [i, null], in: { d: i / 4 } }))
  const table = columns(parts)
  count(table.rows === 1000 && table.columns.in.children.d.get(999) === 249.75 && table.get(7).s === 'text 7', 'columns')
  const refused = async (name, work) => count(/ needs the package [-a-z]+ here, passed as the option [a-z]+$/.test(await Promise.resolve().then(work)
    .catch(error => error.message)), name + ' says what it needs')
  const alone = Promise.all([refused('toArrow', () => toArrow(table)), refused('toArrowIPC', () => gather(toArrowIPC(table))),
    refused('toParquet', () => gather(toParquet(table)))])`

const WITH = `
  import * as arrow from 'apache-arrow'
  import * as parquet from 'parquet-wasm'
  import { parquetReadObjects } from 'hyparquet'
  ${ALONE}
  async function packages() {
    count(toArrow(table, { arrow }).getChild('s').get(999) === 'text 999', 'toArrow')
    count(arrow.tableFromIPC(await gather(toArrowIPC(table, { arrow }))).numRows === 1000, 'toArrowIPC')
    const rows = await parquetReadObjects({ file: (await gather(toParquet(table, { arrow, parquet }))).buffer })
    count(rows.length === 1000 && rows[999].in.d === 249.75 && rows[5].l[1] === null, 'toParquet')
  }
  const whole = alone.then(packages)`

const said = promise => `\nexport const text = ${promise}.then(() => JSON.stringify({ ...result, failed: result.failures.length }))`

/** @returns {Promise<string>} */
async function bundled(project, contents, nodePaths) {
  const options = { stdin: { contents, resolveDir: project }, nodePaths, bundle: true, write: false }
  const { outputFiles } = await esbuild.build({ ...options, format: 'esm', platform: 'browser', logLevel: 'silent' })
  return outputFiles[0].text
}

/** @param {string} name of a browser @param {string} project where the package is installed */
async function inColumns(name, project) {
  const alone = await inPage(name, project, { '/main.js': await bundled(project, ALONE + said('alone'), []) })
  if (typeof alone === 'string') return alone
  const whole = await inPage(name, project, {
    '/main.js': await bundled(project, WITH + said('whole'), [modules]),
    '/parquet_wasm_bg.wasm': fs.readFileSync(path.join(modules, 'parquet-wasm', 'esm', 'parquet_wasm_bg.wasm'))
  })
  const failures = [...alone.failures, ...whole.failures]
  return { passed: alone.passed + whole.passed, failed: failures.length, failures, digest: null }
}

module.exports = { inColumns }
