'use strict'

const path = require('node:path')
const { BSONError } = require('../../errors')
const { OK, UsageError, readJSON } = require('../terminal/messages')
const { OUT_OPTIONS, only } = require('../options')

/** @type {import('./index').Command} */
const compile = {
  args: 'SCHEMA [options]',
  about: 'write a module that encodes and decodes documents of a $jsonSchema (JSON)',
  examples: [
    'qbson compile --out people.js schema.json',
    'qbson compile --layout array --out rows.mjs schema.json'
  ],
  options: {
    out: { ...OUT_OPTIONS.out, help: 'write to FILE, with its .d.ts beside it' },
    esm: { help: 'an ES module, as for a FILE that ends with .mjs; default: CommonJS' },
    layout: { value: 'array', choices: ['array', 'document'], help: 'write documents as arrays of their values' },
    upgrade: { value: 'OLD', multiple: true, help: 'also read bytes of an older schema; may be repeated', isRead: true },
    bigint: { help: 'decode long as bigint' }
  },

  groups: [only(OUT_OPTIONS, ['gzip'])],

  async *run({ files, options, io, targets }) {
    if (files.length > 1) throw new UsageError('compile takes one schema')
    const { out, esm, layout, upgrade = [], bigint } = options
    if (upgrade.length > 0 && layout !== 'array') throw new UsageError('--upgrade needs --layout array')
    const { writeModule } = require('../../compile')
    const [schema, ...older] = await Promise.all([files[0], ...upgrade].map(file => readJSON(file, io, BSONError)))
    const own = { layout, upgrade: older.length > 0 ? older : undefined, useBigInt64: bigint }
    const { dir, name, ext } = path.parse(out?.replace(/\.(gz|zst)$/i, '') ?? '')
    const written = writeModule(schema, own, esm || ext === '.mjs' ? 'module' : 'commonjs')
    const declarations = path.join(dir, name + (DECLARATIONS[ext] ?? '.d.ts'))
    if (targets.out.isFile) await (await targets.claim(declarations)).write(written.declarations)
    yield written.code
    return OK
  }
}

/** How the name of the file of declarations ends. */
const DECLARATIONS = { '.mjs': '.d.mts', '.cjs': '.d.cts' }

module.exports = { compile }
