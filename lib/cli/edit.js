'use strict'

const { CHOOSING_OPTIONS, READING_OPTIONS, UsageError } = require('./options')
const { Input } = require('./input')
const { OUTPUT_OPTIONS, formOf, send } = require('./output')
const { formatOf } = require('./print')

/** @type {Record<string, import('./options').Option>} */
const EDIT_OPTIONS = {
  set: { type: 'string', value: 'PATH=JSON', multiple: true, help: 'set a field to this value (Extended JSON)' },
  unset: { type: 'string', value: 'PATH', multiple: true, help: 'remove a field' },
  hash: { type: 'string', value: 'PATH', multiple: true, help: 'replace a value by its keyed hash; equal values have equal hashes' },
  mask: { type: 'string', value: 'PATH', multiple: true, help: 'replace letters by x, digits and numbers by 0, other values by null' },
  'key-file': { type: 'string', value: 'FILE', help: 'the key of --hash (default: a new one for each run)', isRead: true }
}

/** Options that leave something out. */
const LOSING = ['limit', 'skip', 'sample', 'tail', 'range', 'match', 'ns', 'fields', 'keep-going']

/** @type {import('./commands').Command} */
const edit = {
  args: '[options] [FILE...]',
  about: 'set, drop, hash or mask fields, and write BSON (or the form that --to names)',
  options: EDIT_OPTIONS,
  groups: [READING_OPTIONS, CHOOSING_OPTIONS, OUTPUT_OPTIONS],
  writesFolder: true,

  replacesInput({ files, options }) {
    const keepsAll = LOSING.every(name => options[name] === undefined)
    return files.length === 1 && keepsAll && ['bson', 'archive'].includes(formOf(options, 'bson'))
  },

  async *run(context) {
    const { editsOf, rewriterOf } = require('./edits')
    const { options, io } = context
    const form = formOf(options, 'bson')
    const edits = editsOf(options, io.stderr)
    if (edits === undefined) throw new UsageError('edit needs --set, --unset, --hash or --mask')
    rewriterOf(edits) // reports wrong options before anything is read
    const format = formatOf(form, options)
    const input = new Input(context)
    const code = yield* send(input, { task: 'write', edits, format }, form)
    if (form === 'bson' && context.targets.isInPlace && input.current?.header !== undefined) {
      throw new UsageError('the names of the collections would be lost: --to archive writes an archive again')
    }
    return code
  }
}

module.exports = { edit }
