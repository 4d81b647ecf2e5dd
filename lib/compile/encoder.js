'use strict'

// The writing half of a codec.

const { ownField } = require('../properties')
const { SCRATCH_KEEP, Output, acquireOutput, releaseOutput, writeInto } = require('../encode')

/**
 * @param {import('./core').Core} core
 * @returns {Pick<import('./codec').Codec, 'encode' | 'encodeInto' | 'sizeOf'>}
 */
function makeEncoder({ writer, positional }) {
  /** @returns {number} the offset after the document */
  function append(out, doc, pos, options) {
    const check = options === undefined || options === null || ownField(options, 'check') !== false
    return writer.append(out, doc, pos, check)
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

module.exports = { makeEncoder }
