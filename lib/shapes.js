'use strict'

// What recurring documents look like, and how that makes them faster to read and write. Everything here can also be
// done by the generic encoder and decoder, with the same result: what is unknown or unusual is left to them.

const { MIN_DOCUMENT_SIZE } = require('./spec')
const { toBytes, getInt32 } = require('./bytes')
const { locate } = require('./elements')
const { encode, encodeInto, appendDocument } = require('./encode')
const decoder = require('./decode')
const { beginText } = require('./shapes/text')
const { ReadSite } = require('./shapes/read-site')

const root = new ReadSite()

/**
 * As the generic `decode`.
 *
 * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} bytes one document
 * @param {import('./decode').DecodeOptions} [options]
 * @returns {Record<string, any>}
 * @throws {import('./errors').BSONError} on bytes that are not BSON, with the offset and the path
 */
function decode(bytes, options) {
  const buf = toBytes(bytes)
  if (options === undefined || options === null) return decodeAt(buf, 0, false, decoder.DEFAULT_PLAN)
  const { index, allowObjectSmallerThanBufferSize } = { ...options }
  return decodeAt(buf, index || 0, Boolean(allowObjectSmallerThanBufferSize), decoder.planOf(options))
}

/**
 * As the generic `decodeAt`.
 *
 * @param {Uint8Array} buf
 * @param {number} index
 * @param {boolean} mayBeSmaller
 * @param {import('./decode').DecodePlan} plan
 * @returns {Record<string, any>}
 */
function decodeAt(buf, index, mayBeSmaller, plan) {
  const end = index + getInt32(buf, index)
  const isWhole = mayBeSmaller ? end <= buf.length : end === buf.length && index === 0
  if (plan !== decoder.DEFAULT_PLAN || !isWhole || end < index + MIN_DOCUMENT_SIZE || buf[end - 1] !== 0) {
    return decoder.decodeAt(buf, index, mayBeSmaller, plan)
  }
  try {
    beginText(end)
    return root.getDocument(buf, index + 4, end - 1, 1)
  } catch (error) {
    throw locate(error, buf, index)
  }
}

module.exports = { encode, encodeInto, appendDocument, decode, decodeAt }
