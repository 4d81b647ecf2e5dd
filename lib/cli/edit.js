'use strict'

const { CHOOSING_OPTIONS, READING_OPTIONS, UsageError } = require('./options')
const { EDIT_OPTIONS, editsOf, rewriterOf } = require('./edits')
const { Input } = require('./input')
const { OUTPUT_OPTIONS, formOf, send } = require('./output')
const { formatOf } = require('./print')

/** @type {import('./commands').Command} */
const edit = {
  args: '[options] [FILE...]',
  about: 'set, drop, hash or mask fields, and write BSON (or the form that --to names)',
  options: EDIT_OPTIONS,
  groups: [READING_OPTIONS, CHOOSING_OPTIONS, OUTPUT_OPTIONS],

  async *run(context) {
    const { options, io } = context
    const form = formOf(options, 'bson')
    const edits = editsOf(options, io.stderr)
    if (edits === undefined) throw new UsageError('edit needs --set, --unset, --hash or --mask')
    rewriterOf(edits) // reports wrong options before anything is read
    const format = formatOf(form, options)
    return yield* send(new Input(context), { task: format.form === 'bson' ? 'edit' : 'write', edits, format }, form)
  }
}

module.exports = { edit }
