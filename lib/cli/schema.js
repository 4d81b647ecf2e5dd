'use strict'

const { CHOOSING_OPTIONS, READING_OPTIONS } = require('./options')
const { Input } = require('./input')
const { printable } = require('./printable')

/** @type {import('./commands').Command} */
const schema = {
  args: '[options] [FILE...]',
  about: 'print the $jsonSchema of all documents, for compile and for MongoDB',
  options: {
    'no-bounds': { type: 'boolean', help: 'leave out bounds on values, lengths and numbers of items' },
    'no-descriptions': { type: 'boolean', help: 'leave out how often everything occurs' }
  },
  groups: [READING_OPTIONS, CHOOSING_OPTIONS],

  async *run(context) {
    const { Survey } = require('../schema')
    const survey = new Survey()
    const input = new Input(context, { isQuiet: true })
    for await (const step of input.results({ task: 'survey', survey })) if (step) yield '' // there is nothing to print yet
    const { 'no-bounds': noBounds, 'no-descriptions': noDescriptions } = context.options
    const found = survey.schema({ bounds: !noBounds, descriptions: !noDescriptions })
    yield `${JSON.stringify(found, null, 2).split('\n').map(line => printable(line)).join('\n')}\n`
    return input.code
  }
}

module.exports = { schema }
