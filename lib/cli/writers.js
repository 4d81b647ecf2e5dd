'use strict'

// The forms in which documents are written.

const { EJSON } = require('../ejson')
const { concat } = require('../bytes')
const { printableBytes } = require('./printable')

/**
 * @typedef {object} Format
 * @property {'relaxed' | 'canonical' | 'bson'} form
 * @property {boolean} [pretty]
 * @property {boolean} [isArray] whether a comma stands before each document but the first: `,\n`
 *
 * @typedef {object} DocumentWriter
 * @property {(document: Uint8Array) => void} add throws before anything is written
 * @property {() => Uint8Array | null} finish what was written since the last time; null for nothing
 */

/** What stands before each document of an array; before the first it is taken away again. */
const COMMA = ',\n'

/** @param {Format} format @returns {DocumentWriter} */
function writerOf({ form, pretty, isArray }) {
  if (form === 'bson') return gather()
  const style = { relaxed: form !== 'canonical', space: pretty ? 2 : undefined }
  let texts = []
  return {
    add: document => { texts.push(EJSON.fromBSON(document, style)) },
    finish: () => {
      if (texts.length === 0) return null
      const text = isArray ? COMMA + texts.join(COMMA) : `${texts.join('\n')}\n`
      texts = []
      return printableBytes(text)
    }
  }
}

/** Bytes of BSON. @returns {DocumentWriter} */
function gather() {
  let kept = []
  return {
    add: document => { kept.push(document) },
    finish: () => {
      const output = kept.length === 0 ? null : concat(kept)
      kept = []
      return output
    }
  }
}

module.exports = { COMMA, writerOf }
