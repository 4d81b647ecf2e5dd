'use strict'

const { BSONError } = require('../errors')
const { splits: splitsOf } = require('../dump')
const { OK, BAD_DATA, UNUSABLE, UsageError, bytesOf } = require('./options')
const { printable } = require('./printable')

const SIZE = '128MiB'

/** @type {import('./commands').Command} */
const splits = {
  args: 'FILE [options]',
  about: 'list ranges of a .bson file for --range: one OFFSET:LENGTH per line',
  options: {
    size: { type: 'string', value: 'SIZE', help: `their approximate length, such as 64MB (default ${SIZE})` }
  },
  groups: [],

  async *run({ files, options, io }) {
    const size = bytesOf(options.size ?? SIZE)
    if (!(size > 0)) throw new UsageError(`--size needs a size such as 64MB, not ${JSON.stringify(options.size)}`)
    if (files.length !== 1 || files[0] === '-') throw new UsageError('splits needs the name of one file')
    try {
      for await (const { offset, length } of splitsOf(files[0], size)) yield `${offset}:${length}\n`
    } catch (error) {
      const code = error instanceof BSONError ? BAD_DATA : error.syscall !== undefined ? UNUSABLE : undefined
      if (code === undefined) throw error
      io.stderr.write(`qbson: ${printable(`${files[0]}: ${error.message}`)}\n`)
      return code
    }
    return OK
  }
}

module.exports = { splits }
