'use strict'

// The formats of written documents. Text is made as bytes, a whole block at a time where possible.

const { concat, getInt32 } = require('../../bytes')
const { printableBytes } = require('../terminal/printable')

/** Comes before each document of a JSON array; removed again before the first. */
const COMMA = Buffer.from(',\n')

/**
 * @typedef {object} Format
 * @property {'relaxed' | 'canonical' | 'json' | 'bson'} name
 * @property {boolean} [pretty]
 * @property {boolean} [isArray] whether a comma and a line end come before each document: `,\n`
 */

/**
 * @param {Format} format
 * @returns {(documents: Uint8Array) => {output: Uint8Array}} writes consecutive documents; the next call may overwrite
 *   the output
 */
function writerOf({ name, pretty, isArray }) {
  if (name === 'bson') return documents => ({ output: documents })
  const { extendedJSONBytes, extendedJSONLines } = require('../../ejson')
  const json = require('../../json')
  const space = pretty ? 2 : undefined
  const style = { relaxed: name !== 'canonical', space }
  const isJson = name === 'json'
  /** @type {import('../../json/options').ListOptions} */
  const plain = { indent: space, int64: 'number', decimal: 'string' }
  if (!isArray) {
    const lines = isJson ? bytes => json.lines(bytes, plain) : bytes => extendedJSONLines(bytes, style, true)
    return documents => ({ output: printableBytes(lines(documents)) })
  }
  const one = isJson ? bytes => json.bytes(bytes, plain) : bytes => extendedJSONBytes(bytes, style)
  return documents => {
    const pieces = []
    for (let pos = 0, end; pos < documents.length; pos = end) {
      end = pos + getInt32(documents, pos)
      pieces.push(COMMA, printableBytes(one(documents.subarray(pos, end))))
    }
    return { output: concat(pieces) }
  }
}

module.exports = { COMMA, writerOf }
