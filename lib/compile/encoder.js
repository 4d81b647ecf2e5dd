'use strict'

// The writing half of a codec.

const { acquireOutput, releaseOutput, writeInto } = require('../encode')
const { PositionalWriter } = require('./values')
const { Writer } = require('./write')
const { callOptions } = require('./codec')

/** @param {import('./core').Core} core @returns {Pick<import('./codec').Codec, 'encode' | 'encodeInto' | 'sizeOf'>} */
function makeEncoder({ plan, schema, positional }) {
  const writer = positional === null ? new Writer(plan, schema) : new PositionalWriter(plan, schema, positional)

  const planOf = () => plan.encodePlan

  /** @returns {number} the offset after the document */
  function own(out, doc, pos, options) {
    return writer.append(out, doc, pos, options === undefined || callOptions('encode', options, planOf).check)
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

module.exports = { makeEncoder }
