'use strict'

// Documents that lose nothing when they are written, such as queries: a condition that got lost would match more.

const { DEFAULT_PLAN } = require('./options')
const { acquireOutput, releaseOutput } = require('./output')
const { appendDocument } = require('./encode')

/**
 * Writes a document as `encode` does, but refuses what that would leave out.
 *
 * @param {object} doc
 * @param {(value: unknown) => never} refuse throws for an undefined value, a function or a symbol, also as the result
 *   of a `toBSON`
 * @returns {Uint8Array}
 * @throws {import('../errors').BSONError} as `encode`, and what `refuse` throws, with the path
 */
function encodeWhole(doc, refuse) {
  const out = acquireOutput()
  const bytes = out.finish(appendDocument(out, doc, out.begin(), { ...DEFAULT_PLAN, refuse }))
  releaseOutput(out)
  return bytes
}

module.exports = { encodeWhole }
