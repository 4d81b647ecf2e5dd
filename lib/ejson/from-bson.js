'use strict'

// BSON bytes -> Extended JSON text, element by element: no value is made but for the rare types. What BSON can say and
// JavaScript's values can't stays as it is: undefined, DBPointers, dates beyond a Date, the order of keys.

const { ELEMENT, SUBTYPE, MAX_DEPTH } = require('../spec')
const { errorAtOffset } = require('../errors')
const { getInt32, getUint32, toBytes } = require('../bytes')
const { getDouble } = require('../float')
const { getUtf8 } = require('../utf8')
const { scanName, scanElement, scanRoot, innerDocument, tooDeep, locate } = require('../elements')
const get = require('../get')
const { quote, keyAfter, start: startKey } = require('./quote')
const forms = require('./forms')
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

/**
 * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} bytes one document
 * @param {FromBSONOptions} [options]
 * @returns {string}
 * @throws {import('../errors').BSONError} on bytes that are not BSON, with the offset and the path
 */
function fromBSON(bytes, options) {
  const own = { relaxed: true, legacy: false, index: 0, maxDepth: MAX_DEPTH, ...options }
  const buf = toBytes(bytes)
  const mode = { relaxed: Boolean(own.relaxed), legacy: Boolean(own.legacy) }
  try {
    const end = scanRoot(buf, own.index, Boolean(own.allowObjectSmallerThanBufferSize))
    const text = documentText(buf, own.index + 4, end - 1, mode, own.maxDepth)
    const gap = gapOf(own.space)
    return gap === '' ? text : indent(text, gap)
  } catch (error) {
    throw locate(error, buf, own.index)
  }
}

/** A document that is open: its levels are in a chain of these. */
class Frame {
  /** @param {number} end offset of its closing 0x00 @param {string} closing @param {Frame | null} parent */
  constructor(end, isArray, closing, depth, parent) {
    this.end = end
    this.isArray = isArray
    this.closing = closing
    this.depth = depth
    this.parent = parent
    this.isEmpty = true
    /** The key before. */
    this.key = startKey
  }
}

/** @param {Uint8Array} buf @param {number} pos of the first element @param {number} end of the closing 0x00 */
function documentText(buf, pos, end, mode, maxDepth) {
  let frame = new Frame(end, false, '}', 1, null)
  let text = ''
  while (true) {
    if (pos === frame.end) {
      text += frame.isEmpty ? (frame.isArray ? '[]' : '{' + frame.closing) : frame.closing
      if (frame.parent === null) return text
      pos = frame.end + 1
      frame = frame.parent
      continue
    }
    const type = buf[pos]
    const nameEnd = scanName(buf, pos + 1, frame.end)
    text += frame.isArray ? (frame.isEmpty ? '[' : ',') : keyText(frame, buf, pos + 1, nameEnd)
    frame.isEmpty = false
    const next = scanElement(type, buf, pos, nameEnd, frame.end)
    const inner = innerDocument(type, buf, nameEnd + 1)
    if (inner === -1) {
      text += valueText(type, buf, nameEnd + 1, next, mode)
      pos = next
      continue
    }
    if (frame.depth >= maxDepth) throw errorAtOffset(tooDeep(maxDepth), inner)
    if (type === ELEMENT.CODE_WITH_SCOPE) text += `{"$code":${quote(getUtf8(buf, nameEnd + 9, inner - 1))},"$scope":`
    frame = new Frame(next - 1, type === ELEMENT.ARRAY, CLOSING[type], frame.depth + 1, frame)
    pos = inner + 4
  }
}

/** What ends a document, by the type of its element. */
const CLOSING = { [ELEMENT.DOCUMENT]: '}', [ELEMENT.ARRAY]: ']', [ELEMENT.CODE_WITH_SCOPE]: '}}' }

/** `{"name":` or `,"name":` */
function keyText(frame, buf, start, end) {
  const next = frame.key.next
  const key = isName(next.bytes, buf, start, end) ? next : keyAfter(frame.key, getUtf8(buf, start, end))
  frame.key = key
  return frame.isEmpty ? key.first : key.rest
}

function isName(bytes, buf, start, end) {
  const length = end - start
  if (bytes.length !== length) return false
  for (let i = 0; i < length; i++) if (buf[start + i] !== bytes[i]) return false
  return true
}

/** @param {number} type of a value that holds no others @param {number} pos @param {number} next offset after it */
function valueText(type, buf, pos, next, mode) {
  switch (type) {
    case ELEMENT.STRING:
      return quote(getUtf8(buf, pos + 4, next - 1))
    case ELEMENT.INT32:
      return forms.int32Text(getInt32(buf, pos), mode)
    case ELEMENT.DOUBLE:
      return doubleText(getDouble(buf, pos), mode)
    case ELEMENT.OBJECT_ID:
      return objectIdText(buf, pos)
    case ELEMENT.DATETIME:
      return dateText(forms.int64Of(getInt32(buf, pos), getInt32(buf, pos + 4)), mode)
    case ELEMENT.BOOLEAN:
      return buf[pos] === 1 ? 'true' : 'false'
    case ELEMENT.NULL:
      return 'null'
    case ELEMENT.INT64:
      return forms.int64Text(forms.int64Of(getInt32(buf, pos), getInt32(buf, pos + 4)), mode)
    case ELEMENT.BINARY:
      return binaryText(buf, pos, next, mode)
    case ELEMENT.TIMESTAMP:
      return forms.timestampText(getUint32(buf, pos + 4), getUint32(buf, pos))
    default:
      return rareText(type, buf, pos, next, mode)
  }
}

function rareText(type, buf, pos, next, mode) {
  switch (type) {
    case ELEMENT.DECIMAL128:
      return forms.decimalText(get.getDecimal128(buf, pos).toString())
    case ELEMENT.REGEX:
      return regexText(buf, pos, next, mode)
    case ELEMENT.UNDEFINED:
      return forms.UNDEFINED
    case ELEMENT.CODE:
      return forms.codeText(getUtf8(buf, pos + 4, next - 1))
    case ELEMENT.SYMBOL:
      return forms.symbolText(getUtf8(buf, pos + 4, next - 1))
    case ELEMENT.DB_POINTER:
      return `{"$dbPointer":{"$ref":${quote(getUtf8(buf, pos + 4, next - 13))},"$id":${objectIdText(buf, next - 12)}}}`
    case ELEMENT.MIN_KEY:
      return forms.MIN_KEY
    default:
      return forms.MAX_KEY
  }
}

/** Relaxed, a double without a fraction is told from an integer by its `.0`. */
function doubleText(value, mode) {
  const text = forms.doubleText(value, mode)
  return Number.isInteger(value) && /^-?\d+$/.test(text) ? text + '.0' : text
}

function objectIdText(buf, pos) {
  return forms.objectIdText(int24(buf, pos), int24(buf, pos + 3), int24(buf, pos + 6), int24(buf, pos + 9))
}

/** big-endian */
function int24(buf, pos) {
  return (buf[pos] << 16) | (buf[pos + 1] << 8) | buf[pos + 2]
}

/** @param {number | bigint} time ms since 1970; a bigint is beyond every Date */
function dateText(time, mode) {
  return typeof time === 'bigint' ? forms.longDateText(time) : forms.dateText(time, mode)
}

/** int32 length | subtype | bytes */
function binaryText(buf, pos, next, mode) {
  const subtype = buf[pos + 4]
  const bytes = buf.subarray(subtype === SUBTYPE.BYTE_ARRAY ? pos + 9 : pos + 5, next)
  return forms.binaryText(bytes, subtype, mode)
}

function regexText(buf, pos, next, mode) {
  const { pattern, options } = /** @type {any} */ (get.getRegex(buf, pos, next, true, true))
  return forms.regexText(pattern, options, mode)
}

module.exports = { fromBSON }
