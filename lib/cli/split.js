'use strict'

const { splits: splitsOf } = require('../dump')
const { OUT_OPTIONS, UsageError, sizeOf } = require('./options')
const { Input } = require('./input')

/** Bytes: the default of --size. */
const SIZE = 128 * 1024 * 1024

/** @type {import('./commands').Command} */
const split = {
  args: 'FILE [options]',
  about: 'list ranges of a .bson file for --range: one OFFSET:LENGTH per line',
  options: {
    size: { type: 'string', value: 'SIZE', help: 'their approximate length, such as 64MB (default 128MiB)' }
  },
  groups: [OUT_OPTIONS],

  async *run(context) {
    const { files, options } = context
    const size = sizeOf(options, 'size', SIZE)
    if (files.length !== 1 || files[0] === '-') throw new UsageError('split needs the name of one file')
    const input = new Input(context)
    try {
      for await (const { offset, length } of splitsOf(files[0], size)) yield `${offset}:${length}\n`
    } catch (error) {
      input.fail(files[0], error)
    }
    return input.code
  }
}

module.exports = { split }
