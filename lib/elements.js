'use strict'

// Elements without their values: walk, skip and check. The decoder takes its checks of lengths from here.

const { ELEMENT, SUBTYPE, FIXED_SIZE, MIN_DOCUMENT_SIZE, MAX_DEPTH } = require('./spec')
const { errorAtOffset, joinPath, describePlace, BSONError } = require('./errors')
const { getInt32, toBytes } = require('./bytes')
const { getUtf8Lossy, checkUtf8 } = require('./utf8')

/**
 * The end of an element's value, after checking that it lies inside its document and that its own lengths agree.
 * What a nested document holds is not looked at, nor whether text is UTF-8.
 *
 * @param {number} type
 * @param {Uint8Array} buf
 * @param {number} offset of the value
 * @param {number} end of the enclosing document: the offset of its closing 0x00
 * @returns {number} the offset after the value
 * @throws {BSONError}
 */
function scanValue(type, buf, offset, end) {
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
      throw errorAtOffset(`Detected unknown BSON type ${type.toString(16)}`, offset)
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
 * @throws {BSONError}
 */
function scanCString(buf, offset, end) {
  let i = offset
  while (i < end && buf[i] !== 0) i++
  if (i >= end) throw errorAtOffset('Bad BSON Document: illegal CString', offset)
  return i
}

/**
 * As `scanCString`, for the name of an element: the byte before it is the element's type.
 *
 * @param {Uint8Array} buf
 * @param {number} offset
 * @param {number} end
 * @returns {number} the offset of the 0x00 that ends the name
 * @throws {BSONError}
 */
function scanName(buf, offset, end) {
  let i = offset
  while (i < end && buf[i] !== 0) i++
  if (i < end) return i
  if (buf[offset - 1] === 0) throw closedEarly(offset - 1)
  throw errorAtOffset('Bad BSON Document: illegal CString', offset)
}

/** @param {number} offset of a 0x00 where an element should begin */
function closedEarly(offset) {
  return errorAtOffset('Bad BSON Document: object not properly terminated', offset)
}

/** int32 length, the 0x00 counted | bytes | 0x00 */
function scanString(buf, offset, end) {
  fits(offset + 5, offset, end)
  const length = getInt32(buf, offset)
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
  fits(offset + MIN_DOCUMENT_SIZE, offset, end)
  const next = offset + getInt32(buf, offset)
  if (next < offset + MIN_DOCUMENT_SIZE || next > end) throw errorAtOffset(message, offset)
  if (buf[next - 1] !== 0) throw errorAtOffset('Bad BSON Document: object not properly terminated', next - 1)
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

/** int32 size of it all | string | document */
function scanCodeWithScope(buf, offset, end) {
  fits(offset + 4, offset, end)
  const size = getInt32(buf, offset)
  if (size < 4 + 5 + MIN_DOCUMENT_SIZE) {
    throw errorAtOffset('code_w_scope total size shorter minimum expected length', offset)
  }
  const next = fits(offset + size, offset, end)
  const scope = scanString(buf, offset + 4, next)
  const scopeEnd = scanDocument(buf, scope, end, 'bad scope document size in code_w_scope')
  if (scopeEnd > next) throw errorAtOffset('code_w_scope total size is too short, truncating scope', offset)
  if (scopeEnd < next) throw errorAtOffset('code_w_scope total size is too long, clips outer document', offset)
  return next
}

/**
 * Checks the frame of a whole document: its size against the bytes there are, and its closing 0x00.
 *
 * @param {Uint8Array} buf
 * @param {number} index where it begins
 * @param {boolean} mayBeSmaller whether other bytes may follow it
 * @returns {number} the offset after it
 * @throws {BSONError}
 */
function scanRoot(buf, index, mayBeSmaller) {
  if (!(Number.isInteger(index) && index >= 0)) throw new BSONError(`index must not be negative or broken: ${index}`)
  if (buf.length - index < MIN_DOCUMENT_SIZE) throw errorAtOffset('corrupt bson message < 5 bytes long', index)
  const size = getInt32(buf, index)
  if (size < MIN_DOCUMENT_SIZE) throw errorAtOffset(`bson size must be >= 5, is ${size}`, index)
  if (mayBeSmaller && buf.length < size) {
    throw errorAtOffset(`buffer length ${buf.length} must be >= bson size ${size}`, index)
  }
  if (!mayBeSmaller && buf.length !== size) {
    throw errorAtOffset(`buffer length ${buf.length} must === bson size ${size}`, index)
  }
  if (index + size > buf.length) {
    throw errorAtOffset(`(bson size ${size} + options.index ${index} must be <= buffer length ${buf.length})`, index)
  }
  if (buf[index + size - 1] !== 0) {
    throw errorAtOffset("One object, sized correctly, with a spot for an EOO, but the EOO isn't 0x00", index + size - 1)
  }
  return index + size
}

/**
 * Which text is checked to be UTF-8.
 *
 * @typedef {object} Utf8Plan
 * @property {boolean} utf8
 * @property {Set<string> | null} utf8Except top-level fields for which the opposite holds
 */

/**
 * @param {{utf8: boolean | Record<string, true> | Record<string, false>} | null} [validation] as for `decode`
 * @returns {Utf8Plan}
 * @throws {BSONError} on a setting that is none
 */
function utf8Plan(validation) {
  const setting = validation === undefined || validation === null ? true : validation.utf8
  if (typeof setting === 'boolean') return { utf8: setting, utf8Except: null }
  const values = Object.values(setting ?? { setting })
  if (values.length === 0) throw new BSONError('UTF-8 validation setting cannot be empty')
  if (typeof values[0] !== 'boolean') throw new BSONError('Invalid UTF-8 validation option, must specify boolean values')
  if (!values.every(value => value === values[0])) {
    throw new BSONError('Invalid UTF-8 validation option - keys must be all true or all false')
  }
  return { utf8: !values[0], utf8Except: new Set(Object.keys(setting)) }
}

/**
 * Checks everything that `decode` would check, without making any value.
 *
 * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} bytes
 * @param {{
 *   index?: number,
 *   allowObjectSmallerThanBufferSize?: boolean,
 *   validation?: {utf8: boolean | Record<string, true> | Record<string, false>} | null,
 *   maxDepth?: number
 * }} [options] as for `decode`
 * @returns {number} the document's size in bytes
 * @throws {BSONError} with offset and path
 */
function validate(bytes, options) {
  const buf = toBytes(bytes)
  // What a polluted prototype says is no option.
  const own = Object.assign(Object.create(null), options)
  const { index = 0, allowObjectSmallerThanBufferSize, validation, maxDepth = MAX_DEPTH } = own
  const plan = utf8Plan(validation)
  try {
    const end = scanRoot(buf, index, Boolean(allowObjectSmallerThanBufferSize))
    validateElements(buf, index + 4, end - 1, plan, maxDepth)
    return end - index
  } catch (error) {
    throw locate(error, buf, index)
  }
}

/** The levels are in a chain of our own. @param {Utf8Plan} plan */
function validateElements(buf, pos, end, plan, maxDepth) {
  let level = { end, isArray: false, utf8: plan.utf8, depth: 1, parent: null }
  while (true) {
    if (pos === level.end) {
      if (level.parent === null) return
      pos = level.end + 1
      level = level.parent
      continue
    }
    const type = buf[pos]
    const value = scanName(buf, pos + 1, level.end) + 1
    if (level.utf8 && !level.isArray) checkUtf8(buf, pos + 1, value - 1)
    const next = scanElement(type, buf, pos, value - 1, level.end)
    const utf8 = utf8Of(plan, level, buf, pos + 1, value - 1)
    if (utf8) checkText(type, buf, value, next)
    if (type === ELEMENT.REGEX) checkRegexOptions(buf, scanCString(buf, value, next) + 1, next - 1)
    const inner = innerDocument(type, buf, value)
    pos = inner === -1 ? next : inner + 4
    if (inner === -1) continue
    if (level.depth >= maxDepth) throw errorAtOffset(tooDeep(maxDepth), inner)
    level = { end: next - 1, isArray: type === ELEMENT.ARRAY, utf8, depth: level.depth + 1, parent: level }
  }
}

/** Whether text in an element is checked: at the top level its name may say otherwise. */
function utf8Of({ utf8Except }, { utf8, depth }, buf, name, nameEnd) {
  const isOther = utf8Except !== null && depth === 1 && utf8Except.has(getUtf8Lossy(buf, name, nameEnd))
  return isOther ? !utf8 : utf8
}

/** @param {number} maxDepth */
function tooDeep(maxDepth) {
  return `document is nested deeper than ${maxDepth} levels`
}

/**
 * As `scanValue`, for an element of which the type may be none at all: reported where it stands, with the name.
 *
 * @param {number} type
 * @param {Uint8Array} buf
 * @param {number} pos of the type byte
 * @param {number} nameEnd offset of the 0x00 after the name
 * @param {number} end
 * @returns {number} the offset after the value
 * @throws {BSONError}
 */
function scanElement(type, buf, pos, nameEnd, end) {
  if (type === 0) throw closedEarly(pos)
  if (FIXED_SIZE[type] === -1 && type > ELEMENT.CODE_WITH_SCOPE) throw unknownType(buf, pos, nameEnd)
  return scanValue(type, buf, nameEnd + 1, end)
}

/** @param {Uint8Array} buf @param {number} pos of the type byte @param {number} nameEnd */
function unknownType(buf, pos, nameEnd) {
  const name = getUtf8Lossy(buf, pos + 1, nameEnd)
  return errorAtOffset(`Detected unknown BSON type ${buf[pos].toString(16)} for fieldname "${name}"`, pos)
}

/** Where the document inside a value begins, or -1. */
function innerDocument(type, buf, value) {
  if (type === ELEMENT.DOCUMENT || type === ELEMENT.ARRAY) return value
  if (type === ELEMENT.CODE_WITH_SCOPE) return value + 8 + getInt32(buf, value + 4)
  return -1
}

/** Checks that what a value holds of text is UTF-8. */
function checkText(type, buf, value, next) {
  switch (type) {
    case ELEMENT.STRING:
    case ELEMENT.CODE:
    case ELEMENT.SYMBOL:
      return checkUtf8(buf, value + 4, next - 1)
    case ELEMENT.REGEX:
      return checkUtf8(buf, value, next)
    case ELEMENT.DB_POINTER:
      return checkUtf8(buf, value + 4, next - 13)
    case ELEMENT.CODE_WITH_SCOPE:
      return checkUtf8(buf, value + 8, value + 7 + getInt32(buf, value + 4))
  }
}

/** The options that BSON's regular expressions have. */
const REGEX_OPTIONS = 'ilmsux'

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

/**
 * Completes an error about bytes with the path and puts both into its message.
 *
 * @template E
 * @param {E} error
 * @param {Uint8Array} buf
 * @param {number} start of the document
 * @returns {E} the same error
 */
function locate(error, buf, start) {
  if (error instanceof BSONError && error.offset !== undefined && error.path === undefined) {
    error.path = pathAt(buf, start, error.offset)
  }
  return describePlace(error)
}

/** Keys of a deep path that are named, at each end. */
const NAMED_KEYS = 20

/**
 * The path of the element that holds the byte at `offset`, as far as the bytes before it can be read.
 *
 * @param {Uint8Array} buf
 * @param {number} start of the document
 * @param {number} offset
 * @returns {string} `''` for the document itself
 */
function pathAt(buf, start, offset) {
  const keys = []
  let pos = start + 4
  let index = 0
  let isArray = false
  let end = start + getInt32(buf, start) - 1
  while (pos <= offset && pos !== end) {
    const nameEnd = buf.indexOf(0, pos + 1)
    if (nameEnd === -1 || buf[pos] === 0) break
    const type = buf[pos]
    const value = nameEnd + 1
    const next = tryScan(type, buf, value)
    if (offset >= next) {
      pos = next
      index++
      continue
    }
    keys.push(isArray ? index : getUtf8Lossy(buf, pos + 1, nameEnd))
    const inner = innerDocument(type, buf, value)
    // A code's own length may be what is wrong.
    if (inner < value || offset < inner + 4) break
    if (type === ELEMENT.CODE_WITH_SCOPE) keys.push('$scope')
    pos = inner + 4
    end = inner + getInt32(buf, inner) - 1
    index = 0
    isArray = type === ELEMENT.ARRAY
  }
  return pathOf(keys)
}

/** The end of a value that may be broken: then it holds all that follows. */
function tryScan(type, buf, value) {
  try {
    return scanValue(type, buf, value, buf.length)
  } catch {
    return Infinity
  }
}

/** @param {(string | number)[]} keys */
function pathOf(keys) {
  const named = keys.length <= 2 * NAMED_KEYS ? [...keys] : [...keys.slice(0, NAMED_KEYS), '\u2026', ...keys.slice(-NAMED_KEYS)]
  let path = ''
  for (const key of named.reverse()) path = joinPath(key, path)
  return path
}

module.exports = {
  scanValue,
  scanName,
  scanCString,
  scanString,
  scanDocument,
  scanRoot,
  innerDocument,
  scanElement,
  tooDeep,
  checkText,
  checkRegexOptions,
  utf8Plan,
  validate,
  locate,
  pathAt
}
