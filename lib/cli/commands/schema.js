'use strict'

const { OK, asUsage, nameOf, readJSON } = require('../terminal/messages')
const { CHOOSING_OPTIONS, OUT_OPTIONS, READING_OPTIONS, except } = require('../options')
const { Input, silently } = require('../input/input')
const { printable } = require('../terminal/printable')
const { Source } = require('../input/source')

/** @type {import('./index').Command} */
const schema = {
  about: 'print the $jsonSchema of all documents, for compile and for MongoDB',
  examples: [
    'qbson schema --out schema.json people.bson',
    'qbson schema --no-bounds --no-descriptions --sample 1000 people.bson'
  ],
  options: {
    'no-bounds': { help: 'leave out bounds on values, lengths and numbers of items' },
    'no-descriptions': { help: 'leave out how often everything occurs' },
    statistics: {
      excludes: ['no-bounds', 'no-descriptions', 'merge'],
      help: 'what occurs in the documents instead: for --merge, and for --schema of the columns'
    },
    merge: {
      excludes: ['no-bounds', 'no-descriptions', ...Object.keys({ ...READING_OPTIONS, ...CHOOSING_OPTIONS })],
      help: 'merge FILE..., which --statistics made of parts of the documents'
    }
  },
  groups: [READING_OPTIONS, except(CHOOSING_OPTIONS, ['name', 'ns-from', 'ns-to']), OUT_OPTIONS],

  async *run(context) {
    if (context.options.merge) return yield* merged(context)
    const { options } = context
    if (options.statistics) return yield* statisticsOf(context)
    const { DocumentStats, schemaOfStats } = require('../../schema')
    let stats = new DocumentStats()
    const input = new Input(context, { isQuiet: true })
    yield* readAll(input, stats)
    if (input.isInexact) yield* readAll(silently(context, input, { workers: 1 }, 'again '), (stats = new DocumentStats()))
    const { 'no-bounds': noBounds, 'no-descriptions': noDescriptions } = options
    const found = schemaOfStats(stats, { bounds: !noBounds, descriptions: !noDescriptions })
    yield `${JSON.stringify(found, null, 2).split('\n').map(line => printable(line)).join('\n')}\n`
    return input.code
  }
}

async function* statisticsOf(context) {
  const source = new Source(context, { isQuiet: true })
  yield `${JSON.stringify(await source.allStatistics())}\n`
  return source.code
}

/** @param {import('./index').Context} context @throws {UsageError} when a file holds no statistics */
async function* merged({ files, io }) {
  const { ColumnStatistics } = require('../../columns')
  const all = new ColumnStatistics()
  for (const file of files) {
    const statistics = await readJSON(file, io)
    asUsage(() => all.merge(ColumnStatistics.from(statistics)), `${nameOf(file)}: `)
  }
  yield `${JSON.stringify(all)}\n`
  return OK
}

/** Adds the documents to the statistics; there is nothing to print yet. @param {Input} input */
async function* readAll(input, stats) {
  for await (const step of input.results({ task: 'statistics', stats })) if (step) yield ''
}

module.exports = { schema }
