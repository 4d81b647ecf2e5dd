'use strict'

// BSON bytes -> Extended JSON text, element by element: no value is made but for the rare types. What BSON can say and
// JavaScript's values can't stays as it is: undefined, DBPointers, dates beyond a Date, the order of keys.

const { ELEMENT } = require('../spec')
const { errorAtOffset } = require('../errors')
const { ownFields, levelsOf } = require('../properties')
const { getInt24, getInt32, getUint32, toBytes } = require('../bytes')
const { getDouble } = require('../bytes/float')
const { getUtf8 } = require('../bytes/utf8')
const { scanName, scanElement, scanRoot, innerDocument, tooDeep } = require('../decode/scan')
const { locate } = require('../decode/locate')
const get = require('../decode/get')
const { binaryOverhead } = require('../types/binary')
const { QUOTE, COLON, OPEN_ARRAY, FIRST, NEXT, SHORT, PLAIN, putString, putMark } = require('./quote')
const forms = require('./forms')
const { acquireText, releaseText, explain } = require('./text-output')
const { gapOf, indent } = require('./indent')

/**
 * @typedef {object} Where
 * @property {string | number} [space] as JSON.stringify's; default none
 * @property {number} [index] where in `bytes` the document begins; default 0
 * @property {boolean} [allowObjectSmallerThanBufferSize] other bytes may follow it; default false
 */

/** @typedef {import('.').EJSONOptionsBase & Where} FromBSONOptions */

/** How regular expressions are read. */
const AS_BSON = { utf8Names: true, bsonRegExp: true, isLenient: false }

/**
 * One call of fromBSON: a mode of forms.js, and from where to where.
 *
 * @typedef {forms.Mode & {buf: Uint8Array, out: TextOutput, maxDepth: number}} Way
 */

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
  const out = acquireText()
  const way = { relaxed: Boolean(own.relaxed), legacy: Boolean(own.legacy), buf, out, maxDepth }
  try {
    const end = scanRoot(buf, own.index, Boolean(own.allowObjectSmallerThanBufferSize))
    const text = out.finish(putDocument(own.index + 4, end - 1, way))
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

/** @param {number} from of the first element @param {number} end of the closing 0x00 @param {Way} way */
function putDocument(from, end, way) {
  const { buf, out, maxDepth } = way
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
      pos = PUT[type](way, nameEnd + 1, next, pos)
      from = next
      continue
    }
    if (frame.depth >= maxDepth) throw errorAtOffset(tooDeep(maxDepth), inner)
    if (type === ELEMENT.CODE_WITH_SCOPE) pos = putScopedCode(buf, nameEnd + 9, inner - 1, out, pos)
    frame = new Frame(next - 1, type === ELEMENT.ARRAY, CLOSING[type], frame.depth + 1, frame)
    from = inner + 4
  }
}

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

/**
 * What to put a value with that holds no others, by its element type.
 *
 * @type {Record<number, (way: Way, start: number, next: number, pos: number) => number>}
 */
const PUT = {
  [ELEMENT.DOUBLE]: putDouble,
  [ELEMENT.STRING]: ({ buf, out }, start, next, pos) => putUtf8Text(buf, start + 4, next - 1, out, pos),
  [ELEMENT.BINARY]: putBinary,
  [ELEMENT.UNDEFINED]: ({ out }, start, next, pos) => forms.putForm(forms.UNDEFINED, out, pos),
  [ELEMENT.OBJECT_ID]: ({ buf, out }, start, next, pos) => putObjectId(buf, start, out, pos),
  [ELEMENT.BOOLEAN]: ({ buf, out }, start, next, pos) => forms.putBoolean(buf[start] === 1, out, pos),
  [ELEMENT.DATETIME]: putDate,
  [ELEMENT.NULL]: ({ out }, start, next, pos) => forms.putForm(forms.NULL, out, pos),
  [ELEMENT.REGEX]: putRegex,
  [ELEMENT.DB_POINTER]: putDBPointer,
  [ELEMENT.CODE]: ({ buf, out }, start, next, pos) => forms.putCode(getUtf8(buf, start + 4, next - 1), out, pos),
  [ELEMENT.SYMBOL]: ({ buf, out }, start, next, pos) => forms.putSymbol(getUtf8(buf, start + 4, next - 1), out, pos),
  [ELEMENT.INT32]: (way, start, next, pos) => forms.putInt32(getInt32(way.buf, start), way, way.out, pos),
  [ELEMENT.TIMESTAMP]: ({ buf, out }, start, next, pos) => {
    return forms.putTimestamp(getUint32(buf, start + 4), getUint32(buf, start), out, pos)
  },
  [ELEMENT.INT64]: (way, start, next, pos) => forms.putInt64(int64At(way.buf, start), way, way.out, pos),
  [ELEMENT.DECIMAL128]: ({ buf, out }, start, next, pos) => {
    return forms.putDecimal(get.getDecimal128(buf, start).toString(), out, pos)
  },
  [ELEMENT.MAX_KEY]: ({ out }, start, next, pos) => forms.putForm(forms.MAX_KEY, out, pos),
  [ELEMENT.MIN_KEY]: ({ out }, start, next, pos) => forms.putForm(forms.MIN_KEY, out, pos)
}

/** Relaxed, a double without a fraction is told from an integer by its `.0`. */
function putDouble(way, start, next, pos) {
  const value = getDouble(way.buf, start)
  const end = forms.putDouble(value, way, way.out, pos)
  if (!(way.relaxed || way.legacy) || !Number.isInteger(value)) return end
  return Math.abs(value) >= 1e21 || Object.is(value, -0) ? end : forms.putText('.0', way.out, end)
}

function putDBPointer({ buf, out }, start, next, pos) {
  pos = putUtf8Text(buf, start + 4, next - 13, out, forms.putText('{"$dbPointer":{"$ref":', out, pos))
  pos = putObjectId(buf, next - 12, out, forms.putText(',"$id":', out, pos))
  return forms.putText('}}', out, pos)
}

function putObjectId(buf, start, out, pos) {
  const a = getInt24(buf, start)
  const b = getInt24(buf, start + 3)
  return forms.putObjectId(a, b, getInt24(buf, start + 6), getInt24(buf, start + 9), out, pos)
}

/** A time that is no exact number is beyond every Date. */
function putDate(way, start, next, pos) {
  const time = int64At(way.buf, start)
  return typeof time === 'bigint' ? forms.putLongDate(time, way.out, pos) : forms.putDate(time, way, way.out, pos)
}

function int64At(buf, pos) {
  return forms.int64Of(getInt32(buf, pos), getInt32(buf, pos + 4))
}

function putBinary(way, start, next, pos) {
  const subtype = way.buf[start + 4]
  return forms.putBinary(way.buf, start + binaryOverhead(subtype), next, subtype, way, pos)
}

function putRegex(way, start, next, pos) {
  const { pattern, options } = /** @type {any} */ (get.getRegex(way.buf, start, next, AS_BSON))
  return forms.putRegex(pattern, options, way, way.out, pos)
}

/** @typedef {import('./text-output').TextOutput} TextOutput */

module.exports = { fromBSON }
