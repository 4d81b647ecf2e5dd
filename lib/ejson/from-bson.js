'use strict'

// BSON bytes -> Extended JSON text, element by element: no value is made but for the rare types. What BSON can say and
// JavaScript's values can't stays as it is: undefined, DBPointers, dates beyond a Date, the order of keys.

const { ELEMENT } = require('../spec')
const { errorAtOffset } = require('../errors')
const { ownFields, levelsOf } = require('../own')
const { getInt32, getUint32, toBytes } = require('../bytes')
const { getDouble } = require('../float')
const { getUtf8 } = require('../utf8')
const { getInt24 } = require('../types/object-id')
const { scanName, scanElement, scanRoot, innerDocument, tooDeep } = require('../scan')
const { locate } = require('../locate')
const get = require('../get')
const { binaryOverhead } = require('../types/binary')
const { SHORT, FIRST, NEXT, PLAIN, putString, putMark } = require('./quote')
const forms = require('./forms')
const { acquireText, releaseText, explain } = require('./text-output')
const { gapOf, indent } = require('./indent')

/**
 * @typedef {object} FromBSONOptions
 * @property {boolean} [relaxed] default true; `false` keeps every type (canonical)
 * @property {boolean} [legacy] the forms of Extended JSON version 1; default false
 * @property {string | number} [space] as JSON.stringify's; default none
 * @property {number} [index] where in `bytes` the document begins; default 0
 * @property {boolean} [allowObjectSmallerThanBufferSize] other bytes may follow it; default false
 * @property {number} [maxDepth] levels of nesting; default 1,000,000
 */

/** How regular expressions are read. */
const AS_BSON = { utf8Names: true, bsonRegExp: true, isLenient: false }

/**
 * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} bytes one document
 * @param {FromBSONOptions} [options]
 * @returns {string}
 * @throws {import('../errors').BSONError} on bytes that are not BSON, with the offset and the path
 */
function fromBSON(bytes, options) {
  const own = ownFields({ relaxed: true, legacy: false, index: 0, ...options })
  const maxDepth = levelsOf(own.maxDepth)
  const buf = toBytes(bytes)
  const mode = { relaxed: Boolean(own.relaxed), legacy: Boolean(own.legacy) }
  const out = acquireText()
  try {
    const end = scanRoot(buf, own.index, Boolean(own.allowObjectSmallerThanBufferSize))
    const text = out.finish(putDocument(buf, own.index + 4, end - 1, mode, maxDepth, out))
    const gap = gapOf(own.space)
    return gap === '' ? text : indent(text, gap)
  } catch (error) {
    throw locate(explain(error), buf, own.index)
  } finally {
    releaseText(out)
  }
}

/** A document that is open: its levels are in a chain of these. */
class Frame {
  /** @param {number} end offset of its closing 0x00 @param {string} closing @param {Frame | null} parent */
  constructor(end, isArray, closing, depth, parent) {
    this.end = end
    this.isArray = isArray
    this.opening = isArray ? OPEN_ARRAY : FIRST
    this.closing = closing
    this.depth = depth
    this.parent = parent
    this.isEmpty = true
  }
}

/**
 * @param {Uint8Array} buf
 * @param {number} from of the first element
 * @param {number} end of the closing 0x00
 * @param {forms.Mode} mode
 * @param {number} maxDepth
 * @param {TextOutput} out
 * @returns {number} the offset after it in `out`
 */
function putDocument(buf, from, end, mode, maxDepth, out) {
  let frame = new Frame(end, false, '}', 1, null)
  let pos = 0
  while (true) {
    if (from === frame.end) {
      if (frame.isEmpty) pos = putMark(frame.opening, out, pos)
      pos = forms.putText(frame.closing, out, pos)
      if (frame.parent === null) return pos
      from = frame.end + 1
      frame = frame.parent
      continue
    }
    const type = buf[from]
    const nameEnd = scanName(buf, from + 1, frame.end)
    pos = putMark(frame.isEmpty ? frame.opening : NEXT, out, pos)
    frame.isEmpty = false
    if (!frame.isArray) pos = putMark(COLON, out, putUtf8Text(buf, from + 1, nameEnd, out, pos))
    const next = scanElement(type, buf, from, nameEnd, frame.end)
    const inner = innerDocument(type, buf, nameEnd + 1)
    if (inner === -1) {
      pos = putValue(type, buf, nameEnd + 1, next, mode, out, pos)
      from = next
      continue
    }
    if (frame.depth >= maxDepth) throw errorAtOffset(tooDeep(maxDepth), inner)
    if (type === ELEMENT.CODE_WITH_SCOPE) pos = putScopedCode(buf, nameEnd + 9, inner - 1, out, pos)
    frame = new Frame(next - 1, type === ELEMENT.ARRAY, CLOSING[type], frame.depth + 1, frame)
    from = inner + 4
  }
}

const OPEN_ARRAY = 0x5b
const COLON = 0x3a
const QUOTE = 0x22

/** What ends a document, by the type of its element. */
const CLOSING = { [ELEMENT.DOCUMENT]: '}', [ELEMENT.ARRAY]: ']', [ELEMENT.CODE_WITH_SCOPE]: '}}' }

/** What stands in JSON as it is goes from bytes to bytes. */
function putUtf8Text(buf, start, end, out, pos) {
  const length = end - start
  if (length > SHORT) return putString(getUtf8(buf, start, end), out, pos)
  pos = out.reserve(pos, length + 2)
  const { view } = out
  const shift = pos + 1 - start
  for (let i = start; i < end; i++) {
    const byte = buf[i]
    if (byte >= 0x80 || PLAIN[byte] === 0) return putString(getUtf8(buf, start, end), out, pos)
    view.setUint8(i + shift, byte)
  }
  view.setUint8(pos, QUOTE)
  view.setUint8(pos + length + 1, QUOTE)
  return pos + length + 2
}

function putScopedCode(buf, start, end, out, pos) {
  pos = putUtf8Text(buf, start, end, out, forms.putText('{"$code":', out, pos))
  return forms.putText(',"$scope":', out, pos)
}

/** @param {number} type of a value that holds no others @param {number} start @param {number} next offset after it */
function putValue(type, buf, start, next, mode, out, pos) {
  switch (type) {
    case ELEMENT.STRING:
      return putUtf8Text(buf, start + 4, next - 1, out, pos)
    case ELEMENT.INT32:
      return forms.putInt32(getInt32(buf, start), mode, out, pos)
    case ELEMENT.DOUBLE:
      return putDouble(getDouble(buf, start), mode, out, pos)
    case ELEMENT.OBJECT_ID:
      return putObjectId(buf, start, out, pos)
    case ELEMENT.DATETIME:
      return putDate(forms.int64Of(getInt32(buf, start), getInt32(buf, start + 4)), mode, out, pos)
    case ELEMENT.BOOLEAN:
      return forms.putBoolean(buf[start] === 1, out, pos)
    case ELEMENT.NULL:
      return forms.putNull(out, pos)
    case ELEMENT.INT64:
      return forms.putInt64(forms.int64Of(getInt32(buf, start), getInt32(buf, start + 4)), mode, out, pos)
    case ELEMENT.BINARY:
      return putBinary(buf, start, next, mode, out, pos)
    case ELEMENT.TIMESTAMP:
      return forms.putTimestamp(getUint32(buf, start + 4), getUint32(buf, start), out, pos)
    default:
      return putRare(type, buf, start, next, mode, out, pos)
  }
}

function putRare(type, buf, start, next, mode, out, pos) {
  switch (type) {
    case ELEMENT.DECIMAL128:
      return forms.putDecimal(get.getDecimal128(buf, start).toString(), out, pos)
    case ELEMENT.REGEX:
      return putRegex(buf, start, next, mode, out, pos)
    case ELEMENT.UNDEFINED:
      return forms.putText(forms.UNDEFINED, out, pos)
    case ELEMENT.CODE:
      return forms.putCode(getUtf8(buf, start + 4, next - 1), out, pos)
    case ELEMENT.SYMBOL:
      return forms.putSymbol(getUtf8(buf, start + 4, next - 1), out, pos)
    case ELEMENT.DB_POINTER:
      return putDBPointer(buf, start, next, out, pos)
    case ELEMENT.MIN_KEY:
      return forms.putText(forms.MIN_KEY, out, pos)
    default:
      return forms.putText(forms.MAX_KEY, out, pos)
  }
}

/** Relaxed, a double without a fraction is told from an integer by its `.0`. */
function putDouble(value, mode, out, pos) {
  const end = forms.putDouble(value, mode, out, pos)
  if (!(mode.relaxed || mode.legacy) || !Number.isInteger(value)) return end
  return Math.abs(value) >= 1e21 || Object.is(value, -0) ? end : forms.putText('.0', out, end)
}

function putDBPointer(buf, start, next, out, pos) {
  pos = putUtf8Text(buf, start + 4, next - 13, out, forms.putText('{"$dbPointer":{"$ref":', out, pos))
  pos = putObjectId(buf, next - 12, out, forms.putText(',"$id":', out, pos))
  return forms.putText('}}', out, pos)
}

function putObjectId(buf, start, out, pos) {
  const a = getInt24(buf, start)
  const b = getInt24(buf, start + 3)
  return forms.putObjectId(a, b, getInt24(buf, start + 6), getInt24(buf, start + 9), out, pos)
}

/** @param {number | bigint} time ms since 1970; a bigint is beyond every Date */
function putDate(time, mode, out, pos) {
  return typeof time === 'bigint' ? forms.putLongDate(time, out, pos) : forms.putDate(time, mode, out, pos)
}

function putBinary(buf, start, next, mode, out, pos) {
  const subtype = buf[start + 4]
  return forms.putBinary(buf, start + binaryOverhead(subtype), next, subtype, mode, out, pos)
}

function putRegex(buf, start, next, mode, out, pos) {
  const { pattern, options } = /** @type {any} */ (get.getRegex(buf, start, next, AS_BSON))
  return forms.putRegex(pattern, options, mode, out, pos)
}

/** @typedef {import('./text-output').TextOutput} TextOutput */

module.exports = { fromBSON }
