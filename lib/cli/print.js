'use strict'

const { EJSON } = require('../ejson')
const { UsageError } = require('./options')
const { documentsOf, eachFile, mapItems } = require('./input')
const { printableBytes } = require('./printable')

/** @type {import('./commands').Command} */
const print = {
  args: '[options] [FILE...]',
  about: 'print each document as a line of Extended JSON',
  options: {
    relaxed: { type: 'boolean', help: 'numbers, and dates from 1970 to 9999, as plain as JSON allows (default)' },
    canonical: { type: 'boolean', help: 'every type is kept exactly' },
    pretty: { type: 'boolean', help: 'several indented lines a document' }
  },

  async *run(context) {
    const { canonical, relaxed, pretty } = context.options
    if (canonical && relaxed) throw new UsageError('--canonical and --relaxed exclude each other')
    const style = { relaxed: !canonical, space: pretty ? 2 : undefined }
    return yield* eachFile(context, async function* (input) {
      const texts = mapItems(input, documentsOf(context.options), document => EJSON.fromBSON(document, style))
      for await (const lines of texts) yield printableBytes(`${lines.join('\n')}\n`)
    })
  }
}

module.exports = { print }
