'use strict'

// The first documents, as `print` shows them or as a table.

const { CHOOSING_OPTIONS, READING_OPTIONS, only } = require('./options')
const { Source, SHARED } = require('./columns')
const { print } = require('./print')

/** The default of --limit. */
const ROWS = '10'

/** Columns of a terminal that does not give its width. */
const TERMINAL = 120

/** @type {import('./commands').Command} */
const head = {
  args: '[options] [FILE...]',
  about: 'print the first 10 documents, or the number that --limit gives',
  options: { columns: { type: 'boolean', help: 'as a table' } },
  groups: [READING_OPTIONS, only(CHOOSING_OPTIONS, SHARED)],

  async *run(context) {
    const options = { ...context.options, limit: context.options.limit ?? ROWS }
    if (!context.options.columns) return yield* print.run({ ...context, options })
    const { tableOf } = require('./table')
    const source = new Source({ ...context, options }, true)
    const tables = []
    for await (const table of source.tables()) tables.push(table)
    yield tableOf(tables, context.io.stdout.columns ?? TERMINAL)
    return source.code
  }
}

module.exports = { head }
