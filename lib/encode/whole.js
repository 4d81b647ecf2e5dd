'use strict'

// Documents that lose nothing when they are written, such as queries: a condition that got lost would match more. And
// values without a document around them.

const { DEFAULT_PLAN } = require('./options')
const { acquireOutput, releaseOutput } = require('./output')
const { begin, describeError } = require('./containers')
const { appendDocument, putElement } = require('./encode')

/**
 * Writes a document as `encode` does, but refuses what that would leave out or write without fields.
 *
 * @param {object} doc
 * @param {(value: unknown) => void} refuse throws for an undefined value, a function or a symbol, also as the result
 *   of a `toBSON`, and perhaps for an object that is written without fields
 * @returns {Uint8Array}
 * @throws {import('../errors').BSONError} as `encode`, and what `refuse` throws, with the path
 */
function encodeWhole(doc, refuse) {
  const out = acquireOutput()
  const bytes = out.finish(appendDocument(out, doc, out.begin(), { ...DEFAULT_PLAN, refuse }))
  releaseOutput(out)
  return bytes
}

/**
 * type | 0x00 | value
 *
 * @param {unknown} value
 * @returns {Uint8Array} an element without a name; no bytes for what `encode` leaves out
 * @throws {import('../errors').BSONError} as `encode`
 */
function encodeValue(value) {
  const out = acquireOutput()
  begin(out, DEFAULT_PLAN)
  try {
    const start = out.begin()
    const bytes = out.finish(value === undefined ? start : putElement(out, '', value, start))
    releaseOutput(out)
    return bytes
  } catch (error) {
    throw describeError(error)
  }
}

module.exports = { encodeWhole, encodeValue }
