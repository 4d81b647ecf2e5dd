'use strict'

const { EJSON } = require('../ejson')
const { concat } = require('../bytes')
const { Lines, eachFile, mapItems } = require('./input')

/** @type {import('./commands').Command} */
const toBson = {
  args: '[options] [FILE...]',
  about: 'read Extended JSON documents, one a line, and write BSON',
  options: {},

  async *run(context) {
    return yield* eachFile(context, async function* (input) {
      const documents = mapItems(input, new Lines(context.options), line => EJSON.toBSON(line))
      for await (const some of documents) yield concat(some)
    })
  }
}

module.exports = { toBson }
