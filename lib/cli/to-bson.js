'use strict'

const { CHOOSING_OPTIONS, READING_OPTIONS, only } = require('./options')
const { Input } = require('./input')
const { OUTPUT_OPTIONS, send } = require('./output')

/** @type {import('./commands').Command} */
const toBson = {
  args: '[options] [FILE...]',
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

  async *run(context) {
    const input = new Input(context, { ofText: true })
    const { legacy } = context.options
    return yield* send(input, { task: 'write', format: { name: 'bson' }, legacy }, 'bson')
  }
}

module.exports = { toBson }
