'use strict'

const fs = require('node:fs')
const { allocate, concat, putInt32 } = require('../../bytes')
const { encode } = require('../../encode')
const { EJSON } = require('../../ejson')
const { QueryError, UsageError, say } = require('../terminal/messages')
const { CHOOSING_OPTIONS, OUT_OPTIONS, FINDING_OPTIONS, except, only, shownPath } = require('../options')
const { Input } = require('../input/input')
const { noDocument } = require('../input/watch')
const { print } = require('./print')

/** The most bytes of memory for the values. */
const MAX_SIZE = 256 * 1024 * 1024

/** Lines that are written at once. */
const LINES = 1000

/** @type {import('./index').Command} */
const distinct = {
  args: '[options] FIELD [FILE...]',
  about: 'print the values of a field, and how often each occurs, the most frequent first',
  examples: [
    'qbson distinct address.city people.bson',
    `qbson distinct age --top 5 --match '{"age":{"$lt":30}}' people.bson`
  ],
  options: {
    'in-order': { help: 'in the order of the values, instead of the most frequent first' },
    top: { value: 'N', help: 'only the first N values' }
  },
  groups: [
    FINDING_OPTIONS, except(CHOOSING_OPTIONS, ['ns-from', 'ns-to', 'sort', 'fields', 'workers']),
    only(print.options, ['canonical']), OUT_OPTIONS
  ],
  word: 'FIELD',

  async *run(context) {
    const { word: path, options, files } = context
    const word = shownPath(path)
    const isFile = /\.(bson|archive)(\.gz|\.zst)?$/.test(word) && fs.existsSync(word)
    if (isFile && files.join() === '-') throw new UsageError(`distinct needs FIELD before FILE, not only ${word}`)
    const { Tally } = require('../../query')
    const tally = new Tally(path)
    const input = new Input(context, { isQuiet: true })
    let documents = 0
    for await (const { result } of input.results({ task: 'tally', tally })) {
      documents += result.count
      if (tally.size > MAX_SIZE) throw new QueryError(`${word} has more than ${MAX_SIZE} bytes of different values`)
      yield ''
    }
    const found = options['in-order'] ? tally.inOrder() : tally.byCount()
    if (found.length === 0 && documents > 0 && !input.isCut) say(context.io, `${noDocument(input.isPart)} has a value in ${word}`)
    const counted = found.slice(0, options.top)
    for (let i = 0; i < counted.length; i += LINES) {
      yield counted.slice(i, i + LINES).map(each => `${lineOf(each, !options.canonical)}\n`).join('')
    }
    return input.code
  }
}

function lineOf({ type, buf, value, end, count }, relaxed) {
  const rest = encode({ count }).subarray(4)
  const head = allocate(11)
  putInt32(head.length + end - value + rest.length, head, 0)
  head.set([type, ...Buffer.from('value\0')], 4)
  return EJSON.fromBSON(concat([head, buf.subarray(value, end), rest]), { relaxed })
}

module.exports = { distinct }
