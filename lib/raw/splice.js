'use strict'

// Inserts, replaces and removes elements of a document: makes a new document and copies everything else.

const { MIN_DOCUMENT_SIZE } = require('../spec')
const { BSONError, pathOf } = require('../errors')
const { allocate, getInt32, putInt32, utf8Length } = require('../bytes')
const { encode } = require('../encode')

/**
 * Removes elements, and writes `replaced.element` over an element behind them or at a place between elements. The sizes
 * of the documents at `starts` change.
 */
function splice(doc, removed, replaced, starts) {
  const gone = [...removed, replaced]
  const growth = gone.reduce((sum, { pos, end }) => sum - (end - pos), replaced.element.length)
  const result = allocate(doc.length + growth)
  let from = 0
  let to = 0
  for (const { pos, end } of gone) {
    result.set(doc.subarray(from, pos), to)
    to += pos - from
    from = end
  }
  result.set(replaced.element, to)
  result.set(doc.subarray(from), to + replaced.element.length)
  for (const start of starts) putInt32(getInt32(doc, start) + growth, result, start)
  return result
}

/** type | name 0x00 | value; more names make nested documents. @throws {BSONError} on what `encode` would omit, too */
function elementOf(names, value, options) {
  // Maps, because a name such as `toBSON` means something in an object
  const doc = names.reduceRight((inner, name) => new Map([[name, inner]]), value)
  const bytes = encode(/** @type {object} */ (doc), options)
  const inner = names.slice(0, -1).reduce((start, name) => start + utf8Length(name) + 6, 0)
  if (getInt32(bytes, inner) === MIN_DOCUMENT_SIZE) {
    const error = new BSONError(`cannot set a value of type ${typeof value}: encode leaves it out`)
    throw Object.assign(error, { path: pathOf(names) })
  }
  return bytes.subarray(4, bytes.length - 1)
}

module.exports = { splice, elementOf }
