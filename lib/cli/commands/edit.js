'use strict'

const { BSONError } = require('../../errors')
const { Editor, editsOf } = require('../tasks/edits')
const { UsageError, readFile, say } = require('../terminal/messages')
const { CHOOSING_OPTIONS, READING_OPTIONS, shownPath } = require('../options')
const { Input } = require('../input/input')
const { OUTPUT_OPTIONS, outputFormatOf, send } = require('./output')

/** Options that leave something out. */
const LOSING = ['limit', 'skip', 'sample', 'tail', 'range', 'only', 'ns', 'fields', 'keep-going']

/** @type {import('./index').Command} */
const edit = {
  about: 'set, remove, hash or mask fields, and write BSON (or the format that --to names)',
  examples: [
    'qbson edit --hash email --key-file key --unset phone --out clean.bson people.bson',
    `qbson edit --set active=false --match '{"age": {"$lt": 18}}' --out new.bson people.bson`
  ],
  options: {
    set: { value: 'PATH=JSON', multiple: true, help: 'set a field to this value: Extended JSON, or as in the shell' },
    unset: { value: 'PATH', multiple: true, help: 'remove a field' },
    hash: { value: 'PATH', multiple: true, help: 'replace a value by its keyed hash; equal values have equal hashes' },
    mask: { value: 'PATH', multiple: true, help: 'replace letters by x, digits and numbers by 0, other values by null' },
    only: { needs: ['match'], help: 'with --match: leave out the documents that do not match' },
    'allow-missing': {
      needs: ['unset', 'hash', 'mask'], help: 'no error if no document has a field of --unset, --hash or --mask'
    },
    'key-file': {
      value: 'FILE', needs: ['hash'], isRead: true, read: keyIn,
      help: 'the key of --hash (default: a new one for each run)'
    }
  },
  groups: [READING_OPTIONS, CHOOSING_OPTIONS, OUTPUT_OPTIONS],
  writesFolder: true,

  replacesInput({ files, options }) {
    const keepsAll = LOSING.every(name => options[name] === undefined)
    return files.length === 1 && keepsAll && ['bson', 'archive'].includes(outputFormatOf(options, 'bson'))
  },

  async *run(context) {
    const { options, io } = context
    const format = outputFormatOf(options, 'bson')
    const edits = editsOf(options, io)
    if (edits === undefined) throw new UsageError('edit needs --set, --unset, --hash or --mask')
    const { list } = new Editor(edits) // reports wrong options before anything is read
    const input = new Input(context)
    // without --only, the query chooses what to change, not what to read
    if (!options.only) [edits.match, input.match] = [input.match, undefined]
    const code = yield* send(input, format, { edits })
    summarize(input, list)
    if (format === 'bson' && context.targets.isInPlace && input.current?.header !== undefined) {
      throw new UsageError('the names of the collections would be lost: --to archive writes an archive again')
    }
    return code
  }
}

function keyIn(file) {
  const key = readFile(file, '--key-file: ')
  if (key.length < 16) throw new UsageError(`${file}: a key must have at least 16 bytes`)
  return key
}

/** @throws {BSONError} when a field that should be removed or hidden is in no document: its name may be mistyped */
function summarize({ isCut, io, options, changed: [documents = 0, matched = 0, ...changed] }, list) {
  if (isCut) return
  const edits = list.map(({ option, path }, i) => `--${option} ${shownPath(path)} in ${changed[i] ?? 0}`)
  say(io, `edited ${matched} of ${documents} documents: ${edits.join(', ')}`)
  const missing = list.filter(({ option }, i) => option !== 'set' && !changed[i]).map(({ path }) => shownPath(path))
  if (missing.length === 0 || documents === 0 || options['allow-missing']) return
  throw new BSONError(`no edited document has ${missing.join(', ')}: check the name, or give --allow-missing`)
}

module.exports = { edit }
