'use strict'

const { CHOOSING_OPTIONS, READING_OPTIONS } = require('./options')
const { Input } = require('./input')
const { OUTPUT_OPTIONS, outputFormatOf, send } = require('./output')

/** @type {import('./commands').Command} */
const print = {
  args: '[options] [FILE...]',
  about: 'print each document as a line of Extended JSON',
  examples: [
    `qbson --match '{"age": {"$gte": 30}}' --fields name,age people.bson`,
    'qbson --ns shop.orders --to json --out orders.json dump.archive'
  ],
  options: {
    relaxed: { help: 'numbers, and dates from 1970 to 9999, in plain JSON (default)' },
    canonical: { help: 'keep every type exactly' },
    pretty: { help: 'several indented lines per document' }
  },
  groups: [READING_OPTIONS, CHOOSING_OPTIONS, OUTPUT_OPTIONS],
  writesFolder: true,

  async *run(context) {
    const { options } = context
    const format = outputFormatOf(options, 'relaxed')
    const input = new Input(context)
    return yield* send(input, { task: 'write', format: formatOf(format, options) }, format)
  }
}

/**
 * @param {import('./output').OutputFormat} output
 * @param {Record<string, any>} options
 * @returns {import('./writers').Format}
 */
function formatOf(output, { pretty, array }) {
  return { name: output === 'archive' ? 'bson' : output, pretty, isArray: array }
}

module.exports = { print, formatOf }
