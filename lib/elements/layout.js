'use strict'

// Where a value ends, by a table of layouts.

const { ELEMENT, FIXED_SIZE, SUBTYPE, MIN_DOCUMENT_SIZE } = require('../spec')
const { getInt32 } = require('../bytes')
const { scanElement, scanName } = require('./scan')

/** How the values of a type lie in the bytes: a size from 0, or one of these. */
const UNKNOWN = -1
const STRING = -2 // int32 length, including the 0x00 | bytes | 0x00
const DOCUMENT = -3 // int32 size of all | elements | 0x00
const BINARY = -4 // int32 length | subtype | bytes; not subtype 2, which has a second length
const BOOLEAN = -5 // 0 or 1
const RARE = -6 // several parts: regex, DBPointer, code with scope

const SIZED = {
  [ELEMENT.STRING]: STRING,
  [ELEMENT.CODE]: STRING,
  [ELEMENT.SYMBOL]: STRING,
  [ELEMENT.DOCUMENT]: DOCUMENT,
  [ELEMENT.ARRAY]: DOCUMENT,
  [ELEMENT.BINARY]: BINARY,
  [ELEMENT.BOOLEAN]: BOOLEAN,
  [ELEMENT.REGEX]: RARE,
  [ELEMENT.DB_POINTER]: RARE,
  [ELEMENT.CODE_WITH_SCOPE]: RARE
}

/** The layout of each type. */
const LAYOUT = Object.assign(FIXED_SIZE.slice(), SIZED)

/**
 * The end of a value, if that can be told from its layout: `scan.js` knows the rest, and what is wrong.
 *
 * @param {number} type
 * @param {Uint8Array} buf
 * @param {number} value offset
 * @param {number} end of the enclosing document: the offset of its closing 0x00
 * @returns {number} the offset after the value, or -1 if it is wrong or of a rare type
 */
function endOfValue(type, buf, value, end) {
  const layout = LAYOUT[type]
  if (layout >= 0) return value + layout <= end ? value + layout : -1
  if (layout === BOOLEAN) return value < end && buf[value] <= 1 ? value + 1 : -1
  if (layout < BINARY || layout === UNKNOWN || value + 5 > end) return -1
  const size = getInt32(buf, value)
  if (layout === BINARY) {
    return size >= 0 && size <= end - value - 5 && buf[value + 4] !== SUBTYPE.BYTE_ARRAY ? value + 5 + size : -1
  }
  const next = layout === STRING ? value + 4 + size : value + size
  return size >= (layout === STRING ? 1 : MIN_DOCUMENT_SIZE) && next <= end && buf[next - 1] === 0 ? next : -1
}

/**
 * The end of an element whose name may reach beyond the document, and whose type may be invalid.
 *
 * @param {Uint8Array} buf
 * @param {number} pos of the type byte
 * @param {number} nameEnd offset of the first 0x00 after it
 * @param {number} end of the enclosing document: the offset of its closing 0x00
 * @returns {number} the offset after its value, without looking into a nested document
 * @throws {import('../errors').BSONError} with the offset
 */
function endOfElement(buf, pos, nameEnd, end) {
  const size = LAYOUT[buf[pos]]
  if (size >= 0 && nameEnd + size < end) return nameEnd + 1 + size
  const next = endOfValue(buf[pos], buf, nameEnd + 1, end)
  return next === -1 ? scanElement(buf[pos], buf, pos, scanName(buf, pos + 1, end), end) : next
}

/** @param {number} type whether a value is a document or an array */
function isContainer(type) {
  return LAYOUT[type] === DOCUMENT
}

module.exports = { LAYOUT, STRING, DOCUMENT, endOfValue, endOfElement, isContainer }
