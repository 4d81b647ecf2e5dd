'use strict'

// Commands that write documents as they are: print, to-bson.

const { CHOOSING_OPTIONS, READING_OPTIONS, only } = require('../options')
const { Input } = require('../input/input')
const { OUTPUT_OPTIONS, outputFormatOf, send } = require('./output')

/** @type {import('./index').Command} */
const print = {
  about: 'print each document as a line of Extended JSON',
  examples: [
    `qbson --match '{"age": {"$gte": 30}}' --fields name,age people.bson`,
    'qbson --ns shop.orders --to json --out orders.json dump.archive'
  ],
  options: {
    relaxed: { help: 'numbers, and dates from 1970 to 9999, in plain JSON (default)' },
    canonical: { excludes: ['relaxed'], help: 'keep every type exactly' },
    pretty: { help: 'several indented lines per document' }
  },
  groups: [READING_OPTIONS, CHOOSING_OPTIONS, OUTPUT_OPTIONS],
  writesFolder: true,

  async *run(context) {
    const format = outputFormatOf(context.options, 'relaxed')
    return yield* send(new Input(context), format)
  }
}

/** @type {import('./index').Command} */
const toBson = {
  about: 'read Extended JSON (lines, indented documents, or an array) and write BSON',
  examples: [
    'qbson to-bson --out people.bson people.json',
    'qbson to-bson --keep-going --rejects rejected.json --name shop.people --out dump/ people.json'
  ],
  options: {
    legacy: { help: 'also version 1 of Extended JSON: $binary with $type, and $date as a number' }
  },
  groups: [
    READING_OPTIONS, only(CHOOSING_OPTIONS, ['match', 'fields', 'name', 'workers', 'keep-going', 'rejects', 'replace-invalid']),
    only(OUTPUT_OPTIONS, ['out', 'gzip'])
  ],
  writesFolder: true,
  readsText: true,

  async *run(context) {
    const input = new Input(context, { ofText: true })
    return yield* send(input, 'bson', { legacy: context.options.legacy })
  }
}

module.exports = { print, toBson }
