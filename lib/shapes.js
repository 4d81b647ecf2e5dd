'use strict'

// What recurring documents look like, and how that makes them faster to read and write. Everything here can also be
// done by the generic encoder and decoder, with the same result: what is unknown or unusual is left to them.

const { MIN_DOCUMENT_SIZE } = require('./spec')
const { toBytes, getInt32 } = require('./bytes')
const { acquireOutput, releaseOutput } = require('./output')
const walk = require('./walk')
const encoder = require('./encode')
const decoder = require('./decode')

/**
 * Documents, or pieces of PIECE bytes, of a fresh process that are left to the generic paths: the engine has not
 * optimised anything yet, and learning costs more than it wins. Reading and writing count for themselves.
 */
const COLD = 1000

/** A large document counts as one for each so many bytes. */
const PIECE = 4096

let coldReads = COLD
let coldWrites = COLD

/**
 * Loaded when it is needed: that takes 4 ms, a fifth of the whole package.
 *
 * @type {typeof import('./shapes/codec') | null}
 */
let codec = null

function loadCodec() {
  codec = require('./shapes/codec')
  return codec
}

/** Learns from the next document on. */
function startLearning() {
  coldReads = coldWrites = 0
  loadCodec()
}

/**
 * As the generic `encode`.
 *
 * @param {object} doc
 * @param {import('./walk').EncodeOptions} [options]
 * @returns {Uint8Array} the document's bytes, a Buffer on Node
 * @throws {import('./errors').BSONError} on a value that BSON has no form for, with the path to it
 */
function encode(doc, options) {
  const plan = walk.planOf(options)
  const out = acquireOutput()
  let end
  try {
    end = appendDocument(out, doc, out.begin(), plan)
  } finally {
    releaseOutput(out)
  }
  return out.finish(end) // outside of the try, where V8 makes the view in 7 ns less
}

/**
 * As the generic `encodeInto`.
 *
 * @param {object} doc
 * @param {Uint8Array} target
 * @param {number} [offset] where to begin, in bytes
 * @param {import('./walk').EncodeOptions} [options]
 * @returns {number} the offset after the document
 * @throws {import('./errors').BSONError} as `encode`, and when the document does not fit
 */
function encodeInto(doc, target, offset = 0, options) {
  encoder.checkTarget(target, offset)
  const plan = walk.planOf(options)
  const out = acquireOutput()
  try {
    return out.finishInto(target, appendDocument(out, doc, out.beginInto(target, offset), plan))
  } finally {
    releaseOutput(out)
  }
}

/**
 * As the generic `appendDocument`.
 *
 * @param {import('./output').Output} out
 * @param {object} doc
 * @param {number} pos where to begin
 * @param {import('./walk').EncodePlan} [plan]
 * @returns {number} the offset after the document
 * @throws {import('./errors').BSONError} with the path
 */
function appendDocument(out, doc, pos, plan = walk.DEFAULT_PLAN) {
  if (plan.checkKeys || plan.serializeFunctions || typeof doc !== 'object' || doc === null) {
    return encoder.appendDocument(out, doc, pos, plan)
  }
  if (coldWrites > 0) return appendCold(out, doc, pos, plan)
  return (codec ?? loadCodec()).putDocument(out, doc, pos, plan)
}

function appendCold(out, doc, pos, plan) {
  const end = encoder.appendDocument(out, doc, pos, plan)
  coldWrites -= 1 + Math.floor((end - pos) / PIECE)
  return end
}

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
  const own = decoder.ownOptions(options)
  return decodeAt(buf, own.index || 0, Boolean(own.allowObjectSmallerThanBufferSize), decoder.planOf(own))
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
  if (coldReads > 0) {
    coldReads -= 1 + Math.floor((end - index) / PIECE)
    return decoder.decodeAt(buf, index, mayBeSmaller, plan)
  }
  return (codec ?? loadCodec()).getDocument(buf, index, end)
}

module.exports = { encode, encodeInto, appendDocument, decode, decodeAt, startLearning }
