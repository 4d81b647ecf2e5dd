'use strict'

const fs = require('node:fs')
const { splits: splitsOf } = require('../dump')
const { OUT_OPTIONS, UsageError, countOf, sizeOf } = require('./options')
const { Input } = require('./input')

/** Bytes: the default of --size. */
const SIZE = 128 * 1024 * 1024

/** @type {import('./commands').Command} */
const split = {
  args: 'FILE [options]',
  about: 'list ranges of a .bson file for --range: one OFFSET:LENGTH per line',
  examples: [
    'qbson split --size 64MB people.bson',
    'qbson split --parts 4 people.bson'
  ],
  options: {
    parts: { type: 'string', value: 'N', help: 'how many, instead of their length' },
    size: { type: 'string', value: 'SIZE', help: 'their approximate length, such as 64MB (default 128MiB)' }
  },
  groups: [OUT_OPTIONS],

  async *run(context) {
    const { files, options } = context
    const parts = countOf(options, 'parts', undefined, 1)
    if (parts !== undefined && options.size !== undefined) throw new UsageError('--parts and --size cannot be combined')
    if (files.length !== 1 || files[0] === '-') throw new UsageError('split needs the name of one file')
    const size = parts === undefined ? sizeOf(options, 'size', SIZE) : Math.ceil(fs.statSync(files[0]).size / parts) || 1
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
