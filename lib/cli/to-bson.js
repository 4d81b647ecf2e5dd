'use strict'

const { CHOOSING_OPTIONS, READING_OPTIONS, only } = require('./options')
const { Input } = require('./input')
const { OUTPUT_OPTIONS, send } = require('./output')

/** @type {import('./commands').Command} */
const toBson = {
  args: '[options] [FILE...]',
  about: 'read Extended JSON (lines, indented documents, or an array) and write BSON',
  options: {},
  groups: [
    READING_OPTIONS, only(CHOOSING_OPTIONS, ['match', 'fields', 'as', 'workers', 'keep-going', 'rejects']),
    only(OUTPUT_OPTIONS, ['out', 'gzip'])
  ],
  writesFolder: true,

  async *run(context) {
    const input = new Input(context, { ofText: true })
    return yield* send(input, { task: 'write', format: { form: 'bson' } }, 'bson')
  }
}

module.exports = { toBson }
