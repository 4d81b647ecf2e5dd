'use strict'

// Inserts an element into a document, or replaces one: makes a new document and copies everything else.

const { BSONError, pathOf } = require('../errors')
const { allocate, getInt32, putInt32 } = require('../bytes')
const { encode } = require('../encode')

/**
 * @param {Uint8Array} doc a document
 * @param {number} from offset of the first byte to replace
 * @param {number} to offset after the last byte to replace
 * @param {Uint8Array} element
 * @param {number[]} starts of the enclosing documents, whose sizes change
 * @returns {Uint8Array} a document
 */
function splice(doc, from, to, element, starts) {
  const growth = element.length - (to - from)
  const result = allocate(doc.length + growth)
  result.set(doc.subarray(0, from))
  result.set(element, from)
  result.set(doc.subarray(to), from + element.length)
  for (const start of starts) putInt32(getInt32(doc, start) + growth, result, start)
  return result
}

/**
 * type | name 0x00 | value
 *
 * @param {string[]} names more than one make nested documents
 * @param {unknown} value
 * @param {import('../encode/options').EncodeOptions} [options]
 * @returns {Uint8Array}
 * @throws {BSONError} like `encode`, and on a value that `encode` would omit
 */
function elementOf(names, value, options) {
  const doc = names.reduceRight((inner, name) => ({ [name]: inner }), value)
  const bytes = encode(/** @type {object} */ (doc), options)
  const element = bytes.subarray(4, bytes.length - 1)
  if (element.length === 0) {
    const error = new BSONError(`cannot set a value of type ${typeof value}: encode leaves it out`)
    throw Object.assign(error, { path: pathOf(names) })
  }
  return element
}

module.exports = { splice, elementOf }
