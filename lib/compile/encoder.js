'use strict'

// The writing half of a codec.

const { BSONError } = require('../errors')
const { ownField } = require('../properties')
const { acquireOutput, releaseOutput, writeInto } = require('../encode')
const { PositionalWriter } = require('./values')

/**
 * @param {import('./core').Core} core
 * @returns {Pick<import('./codec').Codec, 'encode' | 'encodeInto' | 'sizeOf'>}
 */
function makeEncoder({ writer: named, positional }) {
  const writer = positional === null ? named : new PositionalWriter(named, positional)

  /** @returns {number} the offset after the document */
  function own(out, doc, pos, options) {
    return writer.append(out, doc, pos, options === undefined || options === null || checks(options))
  }

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
