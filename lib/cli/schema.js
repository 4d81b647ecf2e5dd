'use strict'

const { CHOOSING_OPTIONS, OUT_OPTIONS, READING_OPTIONS } = require('./options')
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
  groups: [READING_OPTIONS, CHOOSING_OPTIONS, OUT_OPTIONS],

  async *run(context) {
    const { Survey, schemaOfSurvey } = require('../schema')
    const { options } = context
    let survey = new Survey()
    const input = new Input(context, { isQuiet: true })
    yield* surveyed(input, survey)
    if (input.isInexact) yield* surveyed(again(context, input), (survey = new Survey()))
    const { 'no-bounds': noBounds, 'no-descriptions': noDescriptions } = options
    const found = schemaOfSurvey(survey, { bounds: !noBounds, descriptions: !noDescriptions })
    yield `${JSON.stringify(found, null, 2).split('\n').map(line => printable(line)).join('\n')}\n`
    return input.code
  }
}

/** Adds the documents to the survey; there is nothing to print yet. @param {Input} input */
async function* surveyed(input, survey) {
  for await (const step of input.results({ task: 'survey', survey })) if (step) yield ''
}

/** The same files for a single thread; their errors have been reported. */
function again(context, { terminal }) {
  const options = { ...context.options, workers: '1', rejects: undefined }
  const io = { ...context.io, stderr: { write: () => true } }
  const input = new Input({ ...context, options, io }, { isQuiet: true, purpose: 'again ' })
  input.terminal = terminal
  return input
}

module.exports = { schema }
