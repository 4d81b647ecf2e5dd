'use strict'

// Chunks of BSON -> text, as Node streams and as web streams.

const { BSONError } = require('../errors')
const { createReadingTransform } = require('../batch')
const { ListReader } = require('../text')

function nodeStream(plan) {
  return createReadingTransform({}, new ListReader(plan, plan.where.maxDocumentSize))
}

function webStream(plan) {
  if (typeof TransformStream !== 'function') throw new BSONError('this runtime has no TransformStream')
  const reader = new ListReader(plan, plan.where.maxDocumentSize)
  return new TransformStream({
    transform(chunk, controller) {
      for (const piece of reader.read(chunk)) controller.enqueue(piece)
    },
    flush(controller) {
      for (const piece of reader.end()) controller.enqueue(piece)
    }
  })
}

module.exports = { nodeStream, webStream }
