'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { text } = require('node:stream/consumers')
const { BSONError } = require('../errors')
const { OK, BAD_DATA, UsageError } = require('./options')
const { printable } = require('./printable')

/** @type {import('./commands').Command} */
const compile = {
  args: 'SCHEMA [options]',
  about: 'write a module that encodes and decodes documents of a $jsonSchema (JSON)',
  options: {
    out: { type: 'string', value: 'FILE', help: 'write to FILE, with its .d.ts beside it; default: standard output' },
    esm: { type: 'boolean', help: 'an ES module, as for a FILE that ends with .mjs; default: CommonJS' },
    layout: { type: 'string', value: 'array', help: 'write documents as arrays of their values, without names' },
    upgrade: { type: 'string', value: 'OLD', multiple: true, help: 'also read bytes of an older schema; may be repeated' },
    bigint: { type: 'boolean', help: 'decode long as bigint' }
  },

  groups: [],

  async *run({ files, options, io }) {
    if (files.length > 1) throw new UsageError('compile takes one schema')
    const { out, esm, layout, upgrade = [], bigint } = options
    let written
    try {
      const { writeModule } = require('../compile')
      const schema = await readSchema(files[0], io.stdin)
      const older = await Promise.all(upgrade.map(file => readSchema(file, io.stdin)))
      const own = {
        ...(layout === undefined ? {} : { layout }),
        ...(older.length > 0 ? { upgrade: older } : {}),
        ...(bigint ? { useBigInt64: true } : {})
      }
      written = writeModule(schema, own, esm || out?.endsWith('.mjs') ? 'module' : 'commonjs')
    } catch (error) {
      if (!(error instanceof BSONError)) throw error
      io.stderr.write(`qbson: ${printable(error.message)}\n`)
      return BAD_DATA
    }
    if (out === undefined) yield written.code
    else save(out, written)
    return OK
  }
}

/** @throws {BSONError} when it is not JSON @throws {UsageError} when it cannot be read */
async function readSchema(file, stdin) {
  let json
  try {
    json = file === '-' ? await text(stdin) : fs.readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(printable(`${file}: ${error.message}`))
  }
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new BSONError(`${file}: ${cause.message}`, { cause })
  }
}

function save(out, { code, declarations }) {
  const { dir, name, ext } = path.parse(out)
  const types = { '.mjs': '.d.mts', '.cjs': '.d.cts' }[ext] ?? '.d.ts'
  try {
    fs.writeFileSync(out, code)
    fs.writeFileSync(path.join(dir, name + types), declarations)
  } catch (error) {
    throw new UsageError(printable(`${out}: ${error.message}`))
  }
}

module.exports = { compile }
