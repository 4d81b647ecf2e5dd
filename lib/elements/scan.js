'use strict'

// Finds where an element's name and value end. Every length and every closing 0x00 is checked here; other code that
// checks them is tested against this.

const { ELEMENT, FIXED_SIZE, SUBTYPE, MIN_DOCUMENT_SIZE, REGEX_OPTIONS } = require('../spec')
const { errorAtOffset, shownName } = require('../errors')
const { wholeNumber } = require('../options')
const { getInt32, getUtf8Lossy } = require('../bytes')
const { adviceFor } = require('./other-bytes')

/**
 * The end of an element's value, after checking that it lies inside its document and that its own lengths agree. Does
 * not check the contents of a nested document, nor whether text is UTF-8. An invalid type is reported at its offset,
 * with the name.
 *
 * @param {number} type
 * @param {Uint8Array} buf
 * @param {number} pos of the type byte
 * @param {number} nameEnd offset of the 0x00 after the name
 * @param {number} end of the enclosing document: the offset of its closing 0x00
 * @returns {number} the offset after the value
 * @throws {import('../errors').BSONError}
 */
function scanElement(type, buf, pos, nameEnd, end) {
  const offset = nameEnd + 1
  const fixed = FIXED_SIZE[type]
  if (fixed !== -1) return fits(offset + fixed, offset, end)
  switch (type) {
    case ELEMENT.STRING:
    case ELEMENT.CODE:
    case ELEMENT.SYMBOL:
      return scanString(buf, offset, end)
    case ELEMENT.DOCUMENT:
      return scanDocument(buf, offset, end, 'bad embedded document length in bson')
    case ELEMENT.ARRAY:
      return scanDocument(buf, offset, end, 'bad embedded array length in bson')
    case ELEMENT.BOOLEAN:
      return scanBoolean(buf, offset, end)
    case ELEMENT.BINARY:
      return scanBinary(buf, offset, end)
    case ELEMENT.REGEX:
      return scanCString(buf, scanCString(buf, offset, end) + 1, end) + 1
    case ELEMENT.DB_POINTER:
      return fits(scanString(buf, offset, end) + 12, offset, end)
    case ELEMENT.CODE_WITH_SCOPE:
      return scanCodeWithScope(buf, offset, end)
    default:
      throw type === 0 ? closedEarly(pos) : unknownType(buf, pos, nameEnd)
  }
}

function fits(next, offset, end) {
  if (next > end) throw errorAtOffset('value is cut off by the end of its document', offset)
  return next
}

/**
 * @param {Uint8Array} buf
 * @param {number} offset
 * @param {number} end
 * @returns {number} the offset of the 0x00 that ends the text
 * @throws {import('../errors').BSONError}
 */
function scanCString(buf, offset, end) {
  let i = offset
  while (i < end && buf[i] !== 0) i++
  if (i >= end) throw errorAtOffset('Bad BSON Document: illegal CString', offset)
  return i
}

/** For the name of an element, where the preceding byte is the element's type. @type {typeof scanCString} */
function scanName(buf, offset, end) {
  let i = offset
  while (i < end && buf[i] !== 0) i++
  if (i < end) return i
  if (buf[offset - 1] === 0) throw closedEarly(offset - 1)
  return scanCString(buf, offset, end) // throws
}

/**
 * @param {Uint8Array} buf
 * @param {number} pos of an item
 * @param {number} i its index, whose digits the name should be; any name is accepted
 * @param {number} end
 * @returns {number} the offset of its value
 * @throws {import('../errors').BSONError} when the name is not terminated
 */
function itemAt(buf, pos, i, end) {
  if (buf[pos + 1] === 0) return pos + 2
  if (i < 10) {
    if (buf[pos + 2] === 0) return pos + 3
  } else if (i < 100) {
    if (buf[pos + 3] === 0 && buf[pos + 2] !== 0) return pos + 4
  } else if (i < 1000 && buf[pos + 4] === 0 && buf[pos + 3] !== 0 && buf[pos + 2] !== 0) return pos + 5
  return scanName(buf, pos + 1, end) + 1
}

/** The message for a nested document. locate.js uses other messages for arrays and the root. */
const NOT_CLOSED = 'Bad BSON Document: object not properly terminated'

/** @param {number} offset of a 0x00 where an element should begin */
function closedEarly(offset) {
  return errorAtOffset(NOT_CLOSED, offset)
}

/** int32 length, including the 0x00 | bytes | 0x00 */
function scanString(buf, offset, end) {
  const length = offset + 5 > end ? 0 : getInt32(buf, offset)
  const next = offset + 4 + length
  if (length <= 0 || next > end || buf[next - 1] !== 0) throw errorAtOffset('bad string length in bson', offset)
  return next
}

function scanBoolean(buf, offset, end) {
  fits(offset + 1, offset, end)
  if (buf[offset] > 1) throw errorAtOffset('illegal boolean type value', offset)
  return offset + 1
}

/** int32 size | elements | 0x00 */
function scanDocument(buf, offset, end, message) {
  const next = offset + MIN_DOCUMENT_SIZE > end ? end + 1 : offset + getInt32(buf, offset)
  if (next < offset + MIN_DOCUMENT_SIZE || next > end) throw errorAtOffset(message, offset)
  if (buf[next - 1] !== 0) throw errorAtOffset(NOT_CLOSED, next - 1)
  return next
}

/** int32 length | subtype | bytes */
function scanBinary(buf, offset, end) {
  fits(offset + 5, offset, end)
  const length = getInt32(buf, offset)
  if (length < 0) throw errorAtOffset('Negative binary type element size found', offset)
  if (offset + 5 + length > end) throw errorAtOffset('Binary type size larger than document size', offset)
  if (buf[offset + 4] === SUBTYPE.BYTE_ARRAY) scanOldBinary(buf, offset + 5, length)
  return offset + 5 + length
}

/** subtype 2: int32 length - 4 | bytes */
function scanOldBinary(buf, offset, length) {
  const inner = length < 4 ? -1 : getInt32(buf, offset)
  if (inner < 0) throw errorAtOffset('Negative binary type element size found for subtype 0x02', offset)
  if (inner > length - 4) throw errorAtOffset('Binary type with subtype 0x02 contains too long binary size', offset)
  if (inner < length - 4) throw errorAtOffset('Binary type with subtype 0x02 contains too short binary size', offset)
}

/** From this size bson reads the parts of code with scope. It is one less than the smallest valid size. */
const MIN_SCOPE_SIZE = 13

/** int32 total size | string | document */
function scanCodeWithScope(buf, offset, end) {
  const size = offset + 4 > end ? 0 : getInt32(buf, offset)
  if (size < MIN_SCOPE_SIZE) throw errorAtOffset('code_w_scope total size shorter minimum expected length', offset)
  const scope = scanString(buf, offset + 4, end)
  const next = scanDocument(buf, scope, end, 'bad scope document size in code_w_scope')
  if (next > offset + size) throw errorAtOffset('code_w_scope total size is too short, truncating scope', offset)
  if (next < offset + size) throw errorAtOffset('code_w_scope total size is too long, clips outer document', offset)
  return next
}

/**
 * Checks the frame of a whole document: its size against the number of bytes, and its closing 0x00.
 *
 * @param {Uint8Array} buf
 * @param {number} index where it begins
 * @param {boolean} allowTrailing whether other bytes may follow it
 * @returns {number} the offset after it
 * @throws {import('../errors').BSONError}
 */
function scanRoot(buf, index, allowTrailing) {
  wholeNumber(index, 'index')
  if (buf.length - index < MIN_DOCUMENT_SIZE) throw errorAtOffset('corrupt bson message < 5 bytes long', index)
  const size = getInt32(buf, index)
  if (size < MIN_DOCUMENT_SIZE) throw errorAtOffset(`bson size must be >= 5, is ${size}${adviceFor(buf, index)}`, index)
  if (allowTrailing ? buf.length < size : buf.length !== size) {
    const rule = allowTrailing ? 'be >=' : '==='
    throw errorAtOffset(`buffer length ${buf.length} must ${rule} bson size ${size}${adviceFor(buf, index)}`, index)
  }
  if (index + size > buf.length) {
    throw errorAtOffset(`(bson size ${size} + options.index ${index} must be <= buffer length ${buf.length})`, index)
  }
  if (buf[index + size - 1] !== 0) {
    throw errorAtOffset("One object, sized correctly, with a spot for an EOO, but the EOO isn't 0x00", index + size - 1)
  }
  return index + size
}

function unknownType(buf, pos, nameEnd) {
  const name = shownName(getUtf8Lossy(buf, pos + 1, nameEnd))
  return errorAtOffset(`Detected unknown BSON type ${buf[pos].toString(16)} for fieldname "${name}"`, pos)
}

/** The offset of the document inside a value, or -1. */
function innerDocument(type, buf, value) {
  if (type === ELEMENT.DOCUMENT || type === ELEMENT.ARRAY) return value
  if (type === ELEMENT.CODE_WITH_SCOPE) return value + 8 + getInt32(buf, value + 4)
  return -1
}

/** @param {number} maxDepth */
function tooDeep(maxDepth) {
  return `document is nested deeper than ${maxDepth} levels`
}

/**
 * @param {Uint8Array} buf
 * @param {number} start
 * @param {number} end offset of the 0x00 after the options
 * @throws {BSONError} on an option that does not exist
 */
function checkRegexOptions(buf, start, end) {
  for (let i = start; i < end; i++) {
    if (REGEX_OPTIONS.includes(String.fromCharCode(buf[i]))) continue
    const [option] = getUtf8Lossy(buf, i, end)
    throw errorAtOffset(`The regular expression option [${option}] is not supported`, i)
  }
}

module.exports = {
  NOT_CLOSED, scanName, itemAt, scanCString, scanDocument, scanElement, scanRoot, innerDocument, tooDeep,
  checkRegexOptions
}
