'use strict'

// Values of different types in one column: kept as BSON, which is lossless, and returned as Extended JSON text.

const { EJSON } = require('../ejson')
const { concat } = require('../bytes')
const { utf8BytesOf } = require('./text')

/** The text around the value of a document whose only field has an empty name. */
const BEFORE = '{"":'.length
const AFTER = '}'.length

/**
 * The column as text, made on first use.
 *
 * @param {import('./column').Column} column of Extended JSON
 * @returns {{offsets: Int32Array, values: Uint8Array}}
 */
function jsonTexts(column) {
  if (column.texts !== undefined) return column.texts
  const { memory, starts, length } = column
  const texts = []
  const ends = new Int32Array(length + 1)
  for (let row = 0; row < length; row++) {
    const document = memory.subarray(starts[row], starts[row + 1])
    const text = document.length === 0 ? '' : EJSON.fromBSON(document, { relaxed: true }).slice(BEFORE, -AFTER)
    const bytes = utf8BytesOf(text).subarray(0, -1)
    texts.push(bytes)
    ends[row + 1] = ends[row] + bytes.length
  }
  column.texts = { offsets: ends, values: concat(texts) }
  return column.texts
}

module.exports = { jsonTexts }
