'use strict'

const { acquireOutput, releaseOutput } = require('./output')
const { appendDocument } = require('./encode')
const { planOf } = require('./options')

/**
 * The size of a document's BSON. It is written to memory that is used again: so nothing has a size that `encode` would
 * refuse, and the two cannot disagree.
 *
 * @param {object} doc
 * @param {import('./options').EncodeOptions} [options]
 * @returns {number} the bytes that `encode` would write
 * @throws {import('../errors').BSONError} as `encode`
 */
function sizeOf(doc, options) {
  const out = acquireOutput()
  const start = out.beginScratch()
  const size = appendDocument(out, doc, start, planOf(options)) - start
  releaseOutput(out)
  return size
}

module.exports = { sizeOf }
