'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { text } = require('node:stream/consumers')
const { BSONError } = require('../errors')
const { OK, OUT_OPTIONS, UsageError, choiceOf, only, reasonOf } = require('./options')
const { nameOf } = require('./input')
const { printable } = require('./printable')

/** @type {import('./commands').Command} */
const compile = {
  args: 'SCHEMA [options]',
  about: 'write a module that encodes and decodes documents of a $jsonSchema (JSON)',
  examples: [
    'qbson compile --out people.js schema.json',
    'qbson compile --layout array --out rows.mjs schema.json'
  ],
  options: {
    out: { ...OUT_OPTIONS.out, help: 'write to FILE, with its .d.ts beside it' },
    esm: { type: 'boolean', help: 'an ES module, as for a FILE that ends with .mjs; default: CommonJS' },
    layout: { type: 'string', value: 'array', help: 'write documents as arrays of their values, without names' },
    upgrade: { type: 'string', value: 'OLD', multiple: true, help: 'also read bytes of an older schema; may be repeated', isRead: true },
    bigint: { type: 'boolean', help: 'decode long as bigint' }
  },

  groups: [only(OUT_OPTIONS, ['gzip'])],

  async *run({ files, options, io, targets }) {
    if (files.length > 1) throw new UsageError('compile takes one schema')
    const { out, esm, upgrade = [], bigint } = options
    const layout = choiceOf(options, 'layout', ['array', 'document'])
    const { writeModule } = require('../compile')
    const schema = await readSchema(files[0], io.stdin)
    const older = await Promise.all(upgrade.map(file => readSchema(file, io.stdin)))
    const own = {
      ...(layout === undefined ? {} : { layout }),
      ...(older.length > 0 ? { upgrade: older } : {}),
      ...(bigint ? { useBigInt64: true } : {})
    }
    const written = writeModule(schema, own, esm || out?.endsWith('.mjs') ? 'module' : 'commonjs')
    if (targets.out.isFile) targets.claim(declarationsOf(out)).writeSync(Buffer.from(written.declarations))
    yield written.code
    return OK
  }
}

/** @throws {BSONError} when it is not JSON @throws {UsageError} when it cannot be read */
async function readSchema(file, stdin) {
  let json
  try {
    json = file === '-' ? await text(stdin) : fs.readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(printable(`${nameOf(file)}: ${reasonOf(error)}`))
  }
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new BSONError(`${nameOf(file)}: invalid JSON: ${cause.message}`, { cause })
  }
}

/** @param {string} out `order.mjs` @returns {string} the file of its declarations: `order.d.mts` */
function declarationsOf(out) {
  const { dir, name, ext } = path.parse(out)
  return path.join(dir, name + ({ '.mjs': '.d.mts', '.cjs': '.d.cts' }[ext] ?? '.d.ts'))
}

module.exports = { compile }
