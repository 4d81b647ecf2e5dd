'use strict'

// Turns the bytes of every document into an object. This code only notices that bytes are wrong; scan.js finds out what
// is wrong. Every loop ends at the end of the memory, because shared memory may change while it is read:
// `undefined > 0` is false.

const { ELEMENT } = require('../spec')
const { hasOwn, setOwn, isInherited } = require('../properties')
const { errorAtOffset } = require('../errors')
const { getInt32, getUint32, getDouble, doubleOf, getUtf8Lossy, getText } = require('../bytes')
const { BSONSymbol, Code, Double, Int32, MaxKey, MinKey, ObjectId, toDBRef } = require('../types')
const { itemAt, scanName, scanElement, innerDocument, tooDeep } = require('../elements')
const get = require('./get')
const { DBREF, DOLLAR_NAME, INHERITED, store: names, cursor, lookUp } = require('./keys')
const { WIDE, makeWide } = require('./wide')
const { MAX_LEVEL, LEARNS, learning, isSampling } = require('./learning')
const { sample } = require('./learn')

/** @typedef {import('./options').DecodePlan} DecodePlan */
/** @typedef {import('./keys').Key} Key */

const TWO_POW_32 = 4294967296

/** What readElements() reads: the fields of a document, or the rest of them; items of an array; or a single value. */
const FIELDS = 0
const REST = 1
const ITEMS = 2
const VALUE = 3

const objectPrototype = Object.prototype

/**
 * The fields from `pos` to `end`, as an object.
 *
 * @param {Uint8Array} buf
 * @param {DecodePlan} plan
 * @param {Key} parent the key of the document
 * @param {number} pos
 * @param {number} end offset of the 0x00 after them
 * @param {number} depth the root's is 1
 * @returns {any} the object, or a DBRef
 * @throws {import('../errors').BSONError} with the offset
 */
function readDocument(buf, plan, parent, pos, end, depth) {
  if (depth > plan.maxDepth) throw errorAtOffset(tooDeep(plan.maxDepth), pos - 4)
  if (LEARNS) {
    const { reader } = parent
    if (reader !== null && plan.isPlain && depth < MAX_LEVEL) {
      reader.runs++
      return reader.run(buf, plan, pos, end, depth)
    }
  }
  const out = parent.width > WIDE ? makeWide() : {}
  const specials = readElements(buf, plan, parent, FIELDS, out, pos, end, depth)
  return (LEARNS && --learning.wait < 0) || specials !== 0 ? finish(buf, parent, out, specials, pos, end) : out
}

/** Samples a document, except when its first fields have been read elsewhere, or turns it into a DBRef. */
function finish(buf, parent, out, specials, pos, end) {
  if (LEARNS && learning.wait < 0 && parent !== null && isSampling()) sample(buf, parent, pos, end, READING)
  return asDBRef(specials, out)
}

/**
 * Reads elements: one loop for fields, items and single values, which reads at most two int32s of an element, in one
 * place each, so that V8 has only one function to optimize, and soon.
 *
 * @param {Uint8Array} buf
 * @param {DecodePlan} plan
 * @param {Key} parent the key of the document, array or value or, for the rest of a document, the key before it
 * @param {number} kind
 * @param {any} out receives the fields or items
 * @param {number} pos of the first element
 * @param {number} end offset of the 0x00 after the elements of the document
 * @param {number} depth of the document
 * @returns {any} the special properties of the keys, as bits, or the value; `cursor.pos` is then after it
 * @throws {import('../errors').BSONError} with the offset
 */
function readElements(buf, plan, parent, kind, out, pos, end, depth) {
  let key = parent
  let expected = kind === FIELDS ? parent.first : parent.next
  let text = ''
  let special = 0
  let specials = 0
  let width = 0
  while (pos < end) {
    const at = pos
    const type = buf[pos++]
    if (kind >= ITEMS) {
      while (buf[pos++] > 0);
    } else {
      const { at: name, size } = expected
      let i = 0
      while (i < size && names[name + i] === buf[pos + i]) i++
      if (i === size) {
        key = expected
        pos += size
      } else {
        key = lookUp(buf, plan.utf8Names, key, width === 0 && kind === FIELDS, pos, end)
        pos = cursor.pos
      }
      expected = key.next
      text = key.text // now, because the key may be evicted while the value is read
      special = key.special
      specials |= special
      width++
    }
    if (pos > end) throw broken(buf, at, end)
    const low = pos + 4 > end ? 0 : int32At(buf, pos) // most types begin with an int32
    let value
    switch (type) { // literal numbers, for which V8 generates a jump table
      case 0x02: { // STRING
        const next = pos + 4 + low
        if (low <= 0 || next > end || buf[next - 1] !== 0) throw broken(buf, at, end)
        value = plan.utf8 ? getText(buf, pos + 4, next - 1) : getUtf8Lossy(buf, pos + 4, next - 1)
        pos = next
        break
      }
      case 0x03: // DOCUMENT
      case 0x04: { // ARRAY
        const next = pos + low
        if (low < 5 || next > end || buf[next - 1] !== 0) throw broken(buf, at, end)
        if (plan.fieldsAsRaw !== null || plan.raw) {
          // the name of an array in an array is its index
          const name = kind === ITEMS ? String(out.length) : key.text
          value = readPartlyRaw(buf, plan, key, name, type, pos, next, depth)
        } else if (type === 0x03) {
          value = readDocument(buf, plan, key, pos + 4, next - 1, depth + 1)
        } else {
          value = readArray(buf, plan, key, pos + 4, next - 1, depth + 1)
        }
        pos = next
        break
      }
      case 0x10: // INT32
        if (pos + 4 > end) throw broken(buf, at, end)
        value = plan.promoteValues ? low : new Int32(low)
        pos += 4
        break
      case 0x01: // DOUBLE
      case 0x09: // DATETIME
      case 0x12: { // INT64
        if (pos + 8 > end) throw broken(buf, at, end)
        const high = int32At(buf, pos + 4)
        if (type === 0x01) value = plan.promoteValues ? doubleOf(low, high) : new Double(doubleOf(low, high))
        else if (type === 0x09) value = new Date(high * TWO_POW_32 + (low >>> 0))
        else value = int64Of(low, high, plan)
        pos += 8
        break
      }
      case 0x07: // OBJECT_ID
        if (pos + 12 > end) throw broken(buf, at, end)
        value = new ObjectId(buf, pos)
        pos += 12
        break
      case 0x0a: // NULL
        value = null
        break
      case 0x08: // BOOLEAN
        if (pos >= end || buf[pos] > 1) throw broken(buf, at, end)
        value = buf[pos++] === 1
        break
      default:
        value = readRare(buf, plan, key, at, pos, end, depth)
        pos = cursor.pos
    }
    if (kind === ITEMS) {
      out.push(value)
    } else if (kind === VALUE) {
      cursor.pos = pos
      return value
    } else {
      const isInherited = special >= INHERITED || (plan.checksNames && hasOwn.call(objectPrototype, text))
      if (isInherited) setOwn(out, text, value)
      else out[text] = value
    }
  }
  if (kind === FIELDS) parent.width = width
  return specials
}

/** @param {number} specials the special properties of the document's keys */
function asDBRef(specials, doc) {
  return (specials & (DBREF | DOLLAR_NAME)) === DBREF ? toDBRef(doc) : doc
}

/** A document or an array where documents, or those in some arrays, stay bytes. @param {string} name of the element */
function readPartlyRaw(buf, plan, key, name, type, pos, next, depth) {
  if (type === 0x04) return readArray(buf, itemPlan(plan, name), key, pos + 4, next - 1, depth + 1)
  return plan.raw ? buf.subarray(pos, next) : readDocument(buf, plan, key, pos + 4, next - 1, depth + 1)
}

/** The plan for the items of the array with the given name, in which documents may have to stay bytes. */
function itemPlan(plan, name) {
  const { fieldsAsRaw } = plan
  if (fieldsAsRaw === null || plan.raw) return plan
  const isNamed = Boolean(fieldsAsRaw[name]) && (Object.hasOwn(fieldsAsRaw, name) || !isInherited(name))
  return isNamed ? { ...plan, raw: true, outside: plan } : plan
}

function int32At(buf, pos) {
  return buf[pos] | (buf[pos + 1] << 8) | (buf[pos + 2] << 16) | (buf[pos + 3] << 24)
}

/**
 * The items of an array.
 *
 * @param {Uint8Array} buf
 * @param {DecodePlan} plan
 * @param {Key} key the key of the array
 * @param {number} pos
 * @param {number} end offset of the 0x00 after the items
 * @param {number} depth
 * @returns {any[]}
 * @throws {import('../errors').BSONError} with the offset
 */
function readArray(buf, plan, key, pos, end, depth) {
  if (depth > plan.maxDepth) throw errorAtOffset(tooDeep(plan.maxDepth), pos - 4)
  const areNumbers = plan.promoteValues && (startsWithNumbers(buf, pos, end) || isEarly(pos, end))
  if (areNumbers) return readNumbers(buf, plan, key, pos, end, depth)
  const out = []
  readElements(buf, plan, key, ITEMS, out, pos, end, depth)
  return out
}

/**
 * Half of the first arrays are read by readNumbers(), whatever they hold. V8 would otherwise drop the optimized code of
 * readElements() at its first call: the first 1,000 documents of nine kinds then take Node 20 1.2 times as long.
 */
let early = 64

/** Whether this array is one of them. An empty one would be filled by others, and change what readNumbers() creates. */
function isEarly(pos, end) {
  return early > 0 && pos < end && (--early & 1) === 0
}

/** Size of an int32 item with a one-digit index: type, digit, 0x00, value. */
const INT32_ITEM = 7

/** Whether the first item is a double, the first two are int32s, or the only item is an int32. */
function startsWithNumbers(buf, pos, end) {
  const type = buf[pos]
  return type === 0x01 || (type === 0x10 && (buf[pos + INT32_ITEM] === 0x10 || end - pos === INT32_ITEM))
}

/** From this many bytes a DataView pays for the 60 ns that it takes to create: 1 ns per double instead of 4. */
const LONG = 160

/**
 * An array that begins with numbers, which mostly holds only these. The engine then stores them unboxed: each `[]` here
 * creates arrays of one kind. One function for both kinds is too much for V8 to inline in readElements().
 */
function readNumbers(buf, plan, key, pos, end, depth) {
  let out
  if (buf[pos] === 0x01) {
    out = []
    const view = end - pos < LONG ? null : new DataView(buf.buffer, buf.byteOffset, buf.length)
    while (buf[pos] === 0x01) {
      const at = pos++
      while (buf[pos++] > 0);
      if (pos + 8 > end) throw broken(buf, at, end)
      out.push(view === null ? doubleOf(int32At(buf, pos), int32At(buf, pos + 4)) : view.getFloat64(pos, true))
      pos += 8
    }
  } else {
    out = []
    while (buf[pos] === 0x10) {
      const at = pos++
      while (buf[pos++] > 0);
      if (pos + 4 > end) throw broken(buf, at, end)
      out.push(int32At(buf, pos))
      pos += 4
    }
  }
  if (pos === end) return out
  const all = out.slice() // a copy, because otherwise this place would from then on create arrays of a different kind
  readElements(buf, plan, key, ITEMS, all, pos, end, depth)
  return all
}

/**
 * Finds out what is wrong with the element at `at`.
 *
 * @returns {import('../errors').BSONError} or throws a more specific one
 */
function broken(buf, at, end) {
  scanElement(buf[at], buf, at, scanName(buf, at + 1, end), end)
  return errorAtOffset('the bytes changed while they were being read', at)
}

/** An int64 as the options require. By default -2^53 ... 2^53, inclusive, becomes a number. */
function int64Of(low, high, plan) {
  if (plan.useBigInt64) return (BigInt(high) << 32n) | BigInt(low >>> 0)
  return plan.promoteLongs ? get.promoted(low, high) : get.longOf(low, high)
}

function getInt64(buf, pos, plan) {
  return int64Of(int32At(buf, pos), int32At(buf, pos + 4), plan)
}

/** Reads a value of a less frequent type. Sets `cursor.pos` to the offset after it. */
function readRare(buf, plan, key, at, pos, end, depth) {
  const { utf8 } = plan
  const next = scanElement(buf[at], buf, at, pos - 1, end)
  cursor.pos = next
  switch (buf[at]) {
    case 0x05: // BINARY
      return get.getBinary(buf, pos, next, plan.promoteBuffers)
    case 0x13: // DECIMAL128
      return get.getDecimal128(buf, pos)
    case 0x11: // TIMESTAMP
      return get.getTimestamp(buf, pos)
    case 0x0b: // REGEX
      return get.getRegex(buf, pos, next, plan)
    case 0x06: // UNDEFINED
      return undefined
    case 0x0d: // CODE
      return new Code(get.getString(buf, pos, next, utf8))
    case 0x0e: { // SYMBOL
      const text = get.getString(buf, pos, next, utf8)
      return plan.promoteValues ? text : new BSONSymbol(text)
    }
    case 0x0f: // CODE_WITH_SCOPE
      return readCodeWithScope(buf, plan, key, pos, next, depth)
    case 0x0c: // DB_POINTER
      return get.getDBPointer(buf, pos, next, utf8)
    case 0xff: // MIN_KEY
      return new MinKey()
    default:
      return new MaxKey()
  }
}

/** int32 total size | string | document. A scope is never a DBRef, regardless of its fields. */
function readCodeWithScope(buf, plan, key, pos, next, depth) {
  const inner = innerDocument(ELEMENT.CODE_WITH_SCOPE, buf, pos)
  const text = get.getString(buf, pos + 4, inner, plan.utf8)
  if (depth >= plan.maxDepth) throw errorAtOffset(tooDeep(plan.maxDepth), inner)
  const scope = {}
  readElements(buf, plan.outside ?? plan, key, FIELDS, scope, inner + 4, next - 1, depth + 1)
  cursor.pos = next
  return new Code(text, scope)
}

/** What generated readers use. */
const READING = {
  FIELDS, REST, ITEMS, VALUE, cursor, readDocument, readArray, readElements, finish, getInt32, getUint32, getDouble,
  getText, getInt64, getBinary: get.getBinary, getDecimal128: get.getDecimal128, getTimestamp: get.getTimestamp,
  ObjectId, itemAt,
  /** @param {number} maxDepth @param {number} pos of the first element of the document or array that is too deep */
  tooDeep(maxDepth, pos) {
    throw errorAtOffset(tooDeep(maxDepth), pos - 4)
  }
}

module.exports = { FIELDS, ITEMS, VALUE, READING, readDocument, readElements, itemPlan, broken, asDBRef }
