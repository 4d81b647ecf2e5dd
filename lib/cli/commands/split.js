'use strict'

const { BSONError } = require('../../errors')
const { splits: splitsOf } = require('../../dump')
const { UsageError, say } = require('../terminal/messages')
const { CHOOSING_OPTIONS, OUT_OPTIONS, only } = require('../options')
const { Input } = require('../input/input')

/** How to divide compressed data. */
const HINT = 'decompress it to divide it, or write it again as members: qbson --to bson --gzip'

/** Bytes: the default of --size. */
const SIZE = 128 * 1024 * 1024

/** @type {import('./index').Command} */
const split = {
  args: '[options] FILE...',
  about: 'list parts of files, archives and folders for --range: [FILE:]OFFSET:LENGTH, one per line',
  examples: [
    'qbson split --size 64MB people.bson',
    'qbson split --parts 4 --ns shop.orders dump.archive'
  ],
  options: {
    parts: { value: 'N', least: 1, excludes: ['size'], help: 'how many, instead of their length' },
    size: { value: 'SIZE', default: SIZE, help: 'their approximate length, such as 64MB (default 128MiB)' }
  },
  groups: [only(CHOOSING_OPTIONS, ['ns']), OUT_OPTIONS],

  async *run(context) {
    const { files, options, options: { parts } } = context
    if (files.includes('-')) throw new UsageError('split needs the names of files')
    const input = new Input(context)
    const size = parts === undefined ? options.size : Math.ceil(input.size() / parts) || 1
    let packed = 0
    for (const file of files) {
      let isEmpty = true
      try {
        for await (const part of splitsOf(file, size, { namespaces: input.reading.namespaces })) {
          isEmpty = false
          if (part.isWhole) packed++
          yield lineOf(part, files.length > 1 || part.file !== file)
        }
        if (isEmpty && options.ns !== undefined) throw new BSONError(`no documents of ${options.ns.join(', ')}`)
      } catch (error) {
        input.fail(file, error)
      }
    }
    if (packed > 0) say(context.io, `a compressed file is one part (${packed} of them): ${HINT}`)
    return input.code
  }
}

/** @param {import('../../dump/splits').Split} part @param {boolean} isNamed whether it needs its file's name */
function lineOf({ file, offset, length }, isNamed) {
  return `${isNamed ? `${file}:` : ''}${offset}:${length}\n`
}

module.exports = { split }
