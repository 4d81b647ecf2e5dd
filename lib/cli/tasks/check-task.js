'use strict'

// Checks everything that decoding checks and the array indexes it ignores, and counts the element types.

const { errorAtOffset, shownName } = require('../../errors')
const { getInt32, getUtf8Lossy } = require('../../bytes')
const { scanRoot, quickValidate, isIndex, utf8Plan, validateElements } = require('../../elements')

/** How deep documents may be nested: no level takes up the stack. */
const MAX_DEPTH = 1_000_000

/** @param {Uint8Array} documents @returns {Float64Array} how often each type occurs in them @throws {BSONError} */
function typesIn(documents) {
  const types = new Float64Array(256)
  for (let pos = 0, end; pos < documents.length; pos = end) {
    end = pos + getInt32(documents, pos)
    if (quickValidate(documents, pos, end, types, 1)) continue
    quickValidate(documents, pos, end, types, -1) // undoes its counts
    checkSlowly(documents.subarray(pos, end), types)
  }
  return types
}

/** @param {Uint8Array} document @param {Float64Array} types how often each occurs, added to @throws {BSONError} */
function checkSlowly(document, types) {
  const visit = (type, level, name, nameEnd) => {
    if (level.isArray) checkIndex(document, name, nameEnd, level.count)
    types[type]++
  }
  validateElements(document, 4, scanRoot(document, 0, false) - 1, utf8Plan(), MAX_DEPTH, { visit })
}

/** @param {Uint8Array} buf @param {number} start of the name @param {number} end @param {number} index it must say */
function checkIndex(buf, start, end, index) {
  if (isIndex(buf, start, end, index)) return
  const name = shownName(getUtf8Lossy(buf, start, end))
  throw errorAtOffset(`element ${index} of the array has the name "${name}"`, start)
}

module.exports = { typesIn, checkSlowly }
