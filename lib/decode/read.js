'use strict'

// Turns the bytes of every document into an object. This code only notices that bytes are wrong; scan.js finds out what
// is wrong. Every loop ends at the end of the memory, because shared memory may change while it is read:
// `undefined > 0` is false.

const { ELEMENT } = require('../spec')
const { setOwn, isInherited } = require('../properties')
const { errorAtOffset } = require('../errors')
const { getDouble, getUtf8Lossy, getText } = require('../bytes')
const { BSONSymbol, Code, Double, Int32, MaxKey, MinKey, ObjectId, toDBRef } = require('../types')
const { scanName, scanElement, innerDocument, tooDeep } = require('./scan')
const get = require('./get')
const { SPECIAL, store: names, cursor, lookUp } = require('./keys')
const { WIDE, makeWide } = require('./wide')
const { MAX_LEVEL, state: learning, sample } = require('./learn')

/** @typedef {import('./options').DecodePlan} DecodePlan */
/** @typedef {import('./keys').Key} Key */

const TWO_POW_32 = 4294967296

const objectPrototype = Object.prototype
const hasOwn = objectPrototype.hasOwnProperty

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
  const { reader } = parent
  if (reader !== null && plan.isPlain && depth < MAX_LEVEL) {
    reader.runs++
    return reader.run(buf, plan, pos, end, depth)
  }
  const out = parent.width > WIDE ? makeWide() : {}
  const specials = readFields(buf, plan, parent, false, out, pos, end, depth)
  if (--learning.wait < 0) sample(buf, parent, pos, end, READING)
  return specials === 0 ? out : asDBRef(specials, out)
}

/** Continues where a function for one shape has met another. The first `n` of its keys have been read. */
function readOn(parent, keys, n, values, buf, plan, start, pos, end, depth) {
  const out = {}
  for (let i = 0; i < n; i++) {
    if (hasOwn.call(objectPrototype, keys[i].text)) setOwn(out, keys[i].text, values[i])
    else out[keys[i].text] = values[i]
  }
  const specials = readFields(buf, plan, n === 0 ? parent : keys[n - 1], n > 0, out, pos, end, depth)
  if (--learning.wait < 0) sample(buf, parent, start, end, READING)
  return asDBRef(specials, out)
}

/**
 * Reads fields into an object. Frequent types are handled here as well as in readValue(): documents of many alternating
 * kinds are read 1.13 (Node 20) and 1.10 (Node 24) times as fast.
 *
 * @param {Key} parent the key of the document or, for the rest of a document, the key before it
 * @param {boolean} isRest
 * @param {Record<string, any>} out
 * @returns {number} the special properties of the keys, as bits of SPECIAL
 */
function readFields(buf, plan, parent, isRest, out, pos, end, depth) {
  let key = parent
  let expected = isRest ? parent.next : parent.first
  let specials = 0
  let width = 0
  while (pos < end) {
    const at = pos
    const type = buf[pos++]
    const { at: name, size } = expected
    let i = 0
    while (i < size && names[name + i] === buf[pos + i]) i++
    if (i === size) {
      key = expected
      pos += size
    } else {
      key = lookUp(buf, plan.utf8Names, key, width === 0 && !isRest, pos, end)
      pos = cursor.pos
    }
    if (pos > end) throw broken(buf, at, end)
    expected = key.next
    const { special, text } = key
    specials |= special
    width++
    let value
    switch (type) { // literal numbers, for which V8 generates a jump table
      case 0x02: { // STRING
        const start = pos + 4
        const next = start < end ? start + int32At(buf, pos) : 0
        if (next <= start || next > end || buf[next - 1] !== 0) throw broken(buf, at, end)
        value = plan.utf8 ? getText(buf, start, next - 1) : getUtf8Lossy(buf, start, next - 1)
        pos = next
        break
      }
      case 0x10: // INT32
        if (pos + 4 > end) throw broken(buf, at, end)
        value = int32At(buf, pos)
        if (!plan.promoteValues) value = new Int32(value)
        pos += 4
        break
      case 0x01: // DOUBLE
        if (pos + 8 > end) throw broken(buf, at, end)
        value = getDouble(buf, pos)
        if (!plan.promoteValues) value = new Double(value)
        pos += 8
        break
      case 0x03: { // DOCUMENT
        const next = endOfDocument(buf, at, pos, end)
        value = plan.raw ? buf.subarray(pos, next) : readDocument(buf, plan, key, pos + 4, next - 1, depth + 1)
        pos = next
        break
      }
      case 0x07: // OBJECT_ID
        if (pos + 12 > end) throw broken(buf, at, end)
        value = new ObjectId(buf, pos)
        pos += 12
        break
      case 0x09: // DATETIME
        if (pos + 8 > end) throw broken(buf, at, end)
        value = new Date(int32At(buf, pos + 4) * TWO_POW_32 + (int32At(buf, pos) >>> 0))
        pos += 8
        break
      case 0x0a: // NULL
        value = null
        break
      case 0x08: // BOOLEAN
        if (pos >= end || buf[pos] > 1) throw broken(buf, at, end)
        value = buf[pos++] === 1
        break
      default:
        value = readValue(buf, plan, key, type, at, pos, end, depth)
        pos = cursor.pos
    }
    const isInherited = special >= SPECIAL.INHERITED || (plan.checksNames && hasOwn.call(objectPrototype, text))
    if (isInherited) setOwn(out, text, value)
    else out[text] = value
  }
  if (!isRest) parent.width = width
  return specials
}

/** @param {number} specials the special properties of the document's keys */
function asDBRef(specials, doc) {
  return (specials & (SPECIAL.DBREF | SPECIAL.DOLLAR)) === SPECIAL.DBREF ? toDBRef(doc) : doc
}

/**
 * Reads the value of one element. Sets `cursor.pos` to the offset after it.
 *
 * @param {Uint8Array} buf
 * @param {DecodePlan} plan
 * @param {Key} key the key of the element
 * @param {number} type
 * @param {number} at offset of the element
 * @param {number} pos offset of the value
 * @param {number} end offset of the 0x00 after the elements of its document
 * @param {number} depth of its document
 * @returns {any}
 * @throws {import('../errors').BSONError} with the offset
 */
function readValue(buf, plan, key, type, at, pos, end, depth) {
  switch (type) {
    case 0x01: // DOUBLE
      if (pos + 8 > end) throw broken(buf, at, end)
      cursor.pos = pos + 8
      return plan.promoteValues ? getDouble(buf, pos) : new Double(getDouble(buf, pos))
    case 0x02: { // STRING
      const start = pos + 4
      const next = start < end ? start + int32At(buf, pos) : 0
      if (next <= start || next > end || buf[next - 1] !== 0) throw broken(buf, at, end)
      cursor.pos = next
      return plan.utf8 ? getText(buf, start, next - 1) : getUtf8Lossy(buf, start, next - 1)
    }
    case 0x03: { // DOCUMENT
      const next = endOfDocument(buf, at, pos, end)
      const value = plan.raw ? buf.subarray(pos, next) : readDocument(buf, plan, key, pos + 4, next - 1, depth + 1)
      cursor.pos = next
      return value
    }
    case 0x04: { // ARRAY
      const next = endOfDocument(buf, at, pos, end)
      const value = readArray(buf, itemPlan(plan, key.text), key, pos + 4, next - 1, depth + 1)
      cursor.pos = next
      return value
    }
    case 0x07: // OBJECT_ID
      if (pos + 12 > end) throw broken(buf, at, end)
      cursor.pos = pos + 12
      return new ObjectId(buf, pos)
    case 0x08: // BOOLEAN
      if (pos >= end || buf[pos] > 1) throw broken(buf, at, end)
      cursor.pos = pos + 1
      return buf[pos] === 1
    case 0x09: // DATETIME
      if (pos + 8 > end) throw broken(buf, at, end)
      cursor.pos = pos + 8
      return new Date(int32At(buf, pos + 4) * TWO_POW_32 + (int32At(buf, pos) >>> 0))
    case 0x0a: // NULL
      cursor.pos = pos
      return null
    case 0x10: // INT32
      if (pos + 4 > end) throw broken(buf, at, end)
      cursor.pos = pos + 4
      return plan.promoteValues ? int32At(buf, pos) : new Int32(int32At(buf, pos))
    case 0x12: // INT64
      if (pos + 8 > end) throw broken(buf, at, end)
      cursor.pos = pos + 8
      return getInt64(buf, pos, plan)
    case 0x13: // DECIMAL128
      if (pos + 16 > end) throw broken(buf, at, end)
      cursor.pos = pos + 16
      return get.getDecimal128(buf, pos)
    default:
      return readRare(buf, plan, key, at, pos, end, depth)
  }
}

/** int32 size | elements | 0x00. @returns {number} the offset after a document or an array */
function endOfDocument(buf, at, pos, end) {
  const next = pos + 4 < end ? pos + int32At(buf, pos) : 0
  if (next < pos + 5 || next > end || buf[next - 1] !== 0) throw broken(buf, at, end)
  return next
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

/** The items of an array. Arrays of numbers are read separately: each place creates arrays of one kind. */
function readArray(buf, plan, key, pos, end, depth) {
  if (depth > plan.maxDepth) throw errorAtOffset(tooDeep(plan.maxDepth), pos - 4)
  if (plan.promoteValues && buf[pos] === 0x01) return readDoubles(buf, plan, key, pos, end, depth)
  if (plan.promoteValues && startsWithInts(buf, pos, end)) return readInts(buf, plan, key, pos, end, depth)
  return readItems(buf, plan, key, [], pos, end, depth)
}

/** Appends the items from `pos` to `end` to `out`. */
function readItems(buf, plan, key, out, pos, end, depth) {
  while (pos < end) {
    const at = pos
    const type = buf[pos++]
    while (buf[pos++] > 0);
    if (pos > end) throw broken(buf, at, end)
    if (type === 0x10 && plan.promoteValues) { // int32s and arrays are inlined: arrays in arrays take 0.85 of the time
      if (pos + 4 > end) throw broken(buf, at, end)
      out.push(int32At(buf, pos))
      pos += 4
      continue
    }
    if (type === 0x04) {
      const next = endOfDocument(buf, at, pos, end)
      // the name of an array in an array is its index
      const inner = plan.fieldsAsRaw === null ? plan : itemPlan(plan, String(out.length))
      out.push(readArray(buf, inner, key, pos + 4, next - 1, depth + 1))
      pos = next
      continue
    }
    out.push(readValue(buf, plan, key, type, at, pos, end, depth))
    pos = cursor.pos
  }
  return out
}

/** Size of an int32 item with a one-digit index: type, digit, 0x00, value. */
const INT32_ITEM = 7

/** Whether the first two items are int32s, or the only item is one. */
function startsWithInts(buf, pos, end) {
  return buf[pos] === 0x10 && (buf[pos + INT32_ITEM] === 0x10 || end - pos === INT32_ITEM)
}

/** An array that begins with an int32, which mostly holds only int32s. */
function readInts(buf, plan, key, pos, end, depth) {
  const out = []
  while (buf[pos] === 0x10) {
    const at = pos++
    while (buf[pos++] > 0);
    if (pos + 4 > end) throw broken(buf, at, end)
    out.push(int32At(buf, pos))
    pos += 4
  }
  // a copy, because otherwise this place would from then on create arrays of a different kind
  return pos === end ? out : readItems(buf, plan, key, out.slice(), pos, end, depth)
}

/** From this many bytes a DataView pays for the 60 ns that it takes to create: 1 ns per double instead of 4. */
const LONG = 160

/** An array that begins with a double, which mostly holds only doubles. The engine then stores them unboxed. */
function readDoubles(buf, plan, key, pos, end, depth) {
  const view = end - pos < LONG ? null : new DataView(buf.buffer, buf.byteOffset, buf.length)
  const out = []
  while (buf[pos] === 0x01) {
    const at = pos++
    while (buf[pos++] > 0);
    if (pos + 8 > end) throw broken(buf, at, end)
    out.push(view === null ? getDouble(buf, pos) : view.getFloat64(pos, true))
    pos += 8
  }
  return pos === end ? out : readItems(buf, plan, key, out.slice(), pos, end, depth)
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
function getInt64(buf, pos, plan) {
  if (plan.useBigInt64) return get.getInt64(buf, pos)
  const low = int32At(buf, pos)
  const high = int32At(buf, pos + 4)
  return plan.promoteLongs ? get.promoted(low, high) : get.longOf(low, high)
}

/** Reads a value of a less frequent type. Sets `cursor.pos` to the offset after it. */
function readRare(buf, plan, key, at, pos, end, depth) {
  const { utf8 } = plan
  const next = scanElement(buf[at], buf, at, pos - 1, end)
  cursor.pos = next
  switch (buf[at]) {
    case 0x05: // BINARY
      return get.getBinary(buf, pos, next, plan.promoteBuffers)
    case 0x11: // TIMESTAMP
      return get.getTimestamp(buf, pos)
    case 0x0b: // REGEX
      return get.getRegex(buf, pos, next, plan)
    case 0x06: // UNDEFINED
      return undefined
    case 0x0d: // CODE
      return new Code(get.getString(buf, pos, next, utf8))
    case 0x0e: // SYMBOL
      return asSymbol(get.getString(buf, pos, next, utf8), plan)
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

function asSymbol(text, plan) {
  return plan.promoteValues ? text : new BSONSymbol(text)
}

/** int32 total size | string | document. A scope is never a DBRef, regardless of its fields. */
function readCodeWithScope(buf, plan, key, pos, next, depth) {
  const inner = innerDocument(ELEMENT.CODE_WITH_SCOPE, buf, pos)
  const text = get.getString(buf, pos + 4, inner, plan.utf8)
  if (depth >= plan.maxDepth) throw errorAtOffset(tooDeep(plan.maxDepth), inner)
  const scope = {}
  readFields(buf, plan.outside ?? plan, key, false, scope, inner + 4, next - 1, depth + 1)
  cursor.pos = next
  return new Code(text, scope)
}

/** The functions that generated readers call. */
const READING = {
  cursor, readDocument, readArray, readValue, readOn, int32At, getDouble, getText, getInt64, ObjectId
}

module.exports = { readDocument, readFields, readItems, readValue, broken, getInt64, asDBRef }
