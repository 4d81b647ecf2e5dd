'use strict'

// The writing half of a codec.

const { BSONError } = require('../errors')
const { ownField } = require('../properties')
const { SCRATCH_KEEP, Output, acquireOutput, releaseOutput, writeInto } = require('../encode')

/**
 * @param {import('./core').Core} core
 * @returns {Pick<import('./codec').Codec, 'encode' | 'encodeInto' | 'sizeOf'>}
 */
function makeEncoder({ writer, positional }) {
  /** @returns {number} the offset after the document */
  function append(out, doc, pos, options) {
    return writer.append(out, doc, pos, options === undefined || options === null || checks(options))
  }

  /** Holds the bytes with names before they are packed; a codec keeps its own. @type {Output | null} */
  let spare = null

  function appendPacked(out, doc, pos, options) {
    const named = spare ?? new Output()
    spare = null
    const start = named.beginScratch()
    const end = append(named, doc, start, options)
    pos = positional.pack(out, named.buf, start, end, pos)
    named.memo = null
    if (named.scratch.length <= SCRATCH_KEEP) spare = named
    return pos
  }

  const own = positional === null ? append : appendPacked
  return {
    encode(doc, options) {
      const out = acquireOutput()
      const bytes = out.finish(own(out, doc, out.begin(), options))
      releaseOutput(out)
      return /** @type {any} */ (bytes)
    },
    encodeInto: (doc, target, offset = 0, options = undefined) => writeInto(target, offset, own, doc, options),
    sizeOf(doc, options) {
      const out = acquireOutput()
      const start = out.begin()
      const size = own(out, doc, start, options) - start
      releaseOutput(out)
      return size
    }
  }
}

/** Options of `encode` that a codec does not have, with the values that mean what it does. */
const OTHERS = { ignoreUndefined: true, serializeFunctions: false, checkKeys: false }

/** @param {Record<string, any>} options @throws {BSONError} on options of `encode` that would have no effect */
function checks(options) {
  for (const [name, value] of Object.entries(OTHERS)) {
    if ((ownField(options, name) ?? value) !== value) throw new BSONError(`a codec does not have the option ${name} of encode`)
  }
  return ownField(options, 'check') !== false
}

module.exports = { makeEncoder }
