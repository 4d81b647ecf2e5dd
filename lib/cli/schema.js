'use strict'

const { printable } = require('./printable')
const { documentsOf, eachFile, mapItems } = require('./input')

/** @type {import('./commands').Command} */
const schema = {
  args: '[options] [FILE...]',
  about: 'print the $jsonSchema of all documents, which compile and MongoDB take',
  options: {
    'no-bounds': { type: 'boolean', help: 'leave out minimum, maximum, lengths and numbers of items' },
    'no-descriptions': { type: 'boolean', help: 'leave out how often everything occurs' }
  },

  async *run(context) {
    const { Survey } = require('../schema/schema-of')
    const survey = new Survey()
    const code = yield* eachFile(context, input => addAll(survey, input, context.options), { isQuiet: true })
    const { 'no-bounds': noBounds, 'no-descriptions': noDescriptions } = context.options
    const found = survey.schema({ bounds: !noBounds, descriptions: !noDescriptions })
    yield `${JSON.stringify(found, null, 2).split('\n').map(line => printable(line)).join('\n')}\n`
    return code
  }
}

/** Adds the documents of a file. */
async function* addAll(survey, input, options) {
  for await (const some of mapItems(input, documentsOf(options), document => document)) {
    for (const document of some) survey.add(document)
    yield '' // there is nothing to print yet
  }
}

module.exports = { schema }
