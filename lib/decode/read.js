'use strict'

// The way of every document from bytes to an object: one function with a loop and a switch, so that the engine has
// optimised it after few documents. That bytes are wrong is only noticed here; scan.js says what it is. Every loop ends
// where the memory does, for others may change shared memory while it is read: `undefined > 0` is false.

const { ELEMENT } = require('../spec')
const { setOwn, isInherited } = require('../properties')
const { errorAtOffset } = require('../errors')
const { getUtf8Lossy } = require('../bytes/utf8')
const { scanName, scanElement, innerDocument } = require('./scan')
const { BSONSymbol, Code, Double, Int32, MaxKey, MinKey, ObjectId } = require('../types')
const get = require('./get')
const { SPECIAL, lookUp } = require('./keys')
const { getText } = require('../bytes/utf8/text')
const { WIDE, makeWide } = require('./wide')
const { toDBRef } = require('../types/db-ref')

const TWO_POW_32 = 4294967296

/** What is read: the fields of a document, all or the rest, or of a scope; items of an array, or of one of raw ones. */
const REST = -1
const FIELDS = 0
const SCOPE = 1
const ITEMS = 2
const RAW_ITEMS = 3

/** Bytes of items after which read() returns, for readItems() to go on. */
const PIECE = 512

/**
 * The elements from `pos` to `end`; of items a piece. `r.pos` is then the offset after what was read, and `r.width` the
 * number of fields.
 *
 * @param {import('./reader').Reader} r with the key in `r.site` under which they stand
 * @param {any} target the object that they become fields of, or the array that they are appended to; null for a new one
 * @param {number} pos
 * @param {number} end offset of the 0x00 after them
 * @param {number} kind
 * @param {number} depth the root's is 1
 * @returns {any} the target, or the DBRef that the fields are
 * @throws {import('../errors').BSONError} with the offset
 */
function read(r, target, pos, end, kind, depth) {
  const { buf, view, plan } = r
  const isArray = kind >= ITEMS
  const { site } = r
  // made here, and nowhere else: the engine expects arrays that are made in one place to become alike
  const out = target ?? (isArray ? [] : site.width > WIDE ? makeWide() : {})
  let key = site
  let expected = kind === REST ? key.next : key.first
  let isFirst = kind !== REST
  let specials = 0
  let width = 0
  const stop = isArray && end - pos > PIECE ? pos + PIECE : end
  while (pos < stop) {
    const at = pos
    const type = buf[pos++]
    let value
    if (isArray) {
      while (buf[pos++] > 0);
    } else {
      const { bytes, size } = expected
      let i = 0
      while (i < size && bytes[i] === buf[pos + i]) i++
      if (i === size) {
        key = expected
        pos += size
      } else {
        key = lookUp(r, key, isFirst, pos, end)
        pos = r.pos
      }
      isFirst = false
      width++
      expected = key.next
      specials |= key.special
    }
    if (pos > end) throw broken(buf, at, end)
    // numbers, which V8 makes a table of: names of an object are looked up one after the other until it is optimised
    switch (type) {
      case 0x01: // DOUBLE
        if (pos + 8 > end) throw broken(buf, at, end)
        value = view.getFloat64(pos, true)
        if (!plan.promoteValues) value = new Double(value)
        pos += 8
        break
      case 0x02: { // STRING
        const start = pos + 4
        const next = start < end ? start + view.getInt32(pos, true) : 0
        if (next <= start || next > end || buf[next - 1] !== 0) throw broken(buf, at, end)
        value = plan.utf8 ? getText(buf, start, next - 1) : getUtf8Lossy(buf, start, next - 1)
        pos = next
        break
      }
      case 0x03: { // DOCUMENT
        const next = pos + 4 < end ? pos + view.getInt32(pos, true) : 0
        if (next < pos + 5 || next > end || buf[next - 1] !== 0) throw broken(buf, at, end)
        r.site = key
        if (kind === RAW_ITEMS || plan.raw) value = buf.subarray(pos, next)
        else if (depth >= plan.recursionDepth) value = r.readDeep(r, pos, next, FIELDS, depth)
        else if (key.isLearned && plan.isPlain) value = r.readDocument(r, key, pos, next, depth + 1)
        else value = read(r, null, pos + 4, next - 1, FIELDS, depth + 1)
        pos = next
        break
      }
      case 0x04: { // ARRAY
        const next = pos + 4 < end ? pos + view.getInt32(pos, true) : 0
        if (next < pos + 5 || next > end || buf[next - 1] !== 0) throw broken(buf, at, end)
        r.site = key
        const items = plan.fieldsAsRaw === null ? ITEMS : itemsOf(plan, kind, isArray ? out.length : key.text)
        if (depth >= plan.recursionDepth) value = r.readDeep(r, pos, next, items, depth)
        else if (buf[pos + 4] === ELEMENT.DOUBLE) value = readDoubles(r, pos, next, items, depth + 1)
        else value = readItems(r, null, pos + 4, next - 1, items, depth + 1)
        pos = next
        break
      }
      case 0x07: // OBJECT_ID
        if (pos + 12 > end) throw broken(buf, at, end)
        value = new ObjectId(buf, pos)
        pos += 12
        break
      case 0x08: // BOOLEAN
        if (pos >= end || buf[pos] > 1) throw broken(buf, at, end)
        value = buf[pos++] === 1
        break
      case 0x09: // DATETIME
        if (pos + 8 > end) throw broken(buf, at, end)
        value = new Date(view.getInt32(pos + 4, true) * TWO_POW_32 + view.getUint32(pos, true))
        pos += 8
        break
      case 0x0a: // NULL
        value = null
        break
      case 0x10: // INT32
        if (pos + 4 > end) throw broken(buf, at, end)
        value = view.getInt32(pos, true)
        if (!plan.promoteValues) value = new Int32(value)
        pos += 4
        break
      case 0x12: // INT64
        if (pos + 8 > end) throw broken(buf, at, end)
        value = getInt64(view, pos, plan)
        pos += 8
        break
      default:
        value = readRare(r, key, at, pos, end, depth)
        pos = r.pos
    }
    if (isArray) out.push(value)
    else if (key.special < SPECIAL.INHERITED) out[key.text] = value
    else setOwn(out, key.text, value)
  }
  r.pos = pos
  r.width = width
  if (target === null && !isArray) site.width = width
  return specials === 0 || kind > FIELDS ? out : asDBRef(out, specials)
}

/**
 * The items of an array, read in pieces: in V8 11 a call that is in its loop while read() is compiled can leave it
 * entered through that loop from then on, at half the speed. 9 of 25 processes that read many kinds ended so, with
 * pieces 2.
 */
function readItems(r, target, pos, end, kind, depth) {
  const { site, plan } = r
  if (target === null && isLongOfInts(r.buf, pos, end) && plan.promoteValues && plan.fieldsAsRaw === null) {
    const ints = readInts(r, pos, end)
    // not a part of them: read() would meet arrays of another kind, and what is next took 1.2 times as long
    return r.pos === end ? ints : ints.concat(readItems(r, null, r.pos, end, kind, depth))
  }
  const items = read(r, target, pos, end, kind, depth)
  while (r.pos < end) {
    r.site = site
    read(r, items, r.pos, end, kind, depth)
  }
  return items
}

/** Bytes of a list for which the time to put something else behind int32s, 200 ns, does not matter. */
const LONG = 256

/** Bytes of an item that is an int32, of the first ones: type, digit, 0x00, value. */
const INT32_ITEM = 7

/** Whether it seems to be a long list of int32s. */
function isLongOfInts(buf, pos, end) {
  return end - pos > LONG && buf[pos] === ELEMENT.INT32 && buf[pos + INT32_ITEM] === ELEMENT.INT32
}

/**
 * The int32s at `pos`, in a loop of their own: 9 instead of 13 ns each. `r.pos` is then the offset after them. Not one
 * function with readDoubles: the engine makes arrays of one kind in each place.
 */
function readInts(r, pos, end) {
  const { buf, view } = r
  const out = []
  for (let i = 0; buf[pos] === ELEMENT.INT32; i++) {
    const at = pos++
    while (buf[pos++] > 0);
    if (pos + 4 > end) throw broken(buf, at, end)
    out[i] = view.getInt32(pos, true)
    pos += 4
  }
  r.pos = pos
  return out
}

/** An array at `pos` under a key; `next` is the offset after it. */
function readArray(r, site, pos, next, depth) {
  r.site = site
  const type = r.buf[pos + 4]
  if (type === ELEMENT.DOUBLE) return readDoubles(r, pos, next, ITEMS, depth)
  const isLearned = type === ELEMENT.DOCUMENT && site.isLearned && depth < r.plan.recursionDepth
  return isLearned ? readDocuments(r, pos + 4, next - 1, depth) : readItems(r, null, pos + 4, next - 1, ITEMS, depth)
}

/** Documents of which something is learned, and what stands behind them: orders take 1.2 times as long in read(). */
function readDocuments(r, pos, end, depth) {
  const { buf, view, site } = r
  const out = []
  while (buf[pos] === ELEMENT.DOCUMENT) {
    const at = pos++
    while (buf[pos++] > 0);
    const next = pos + 4 < end ? pos + view.getInt32(pos, true) : 0
    if (next < pos + 5 || next > end || buf[next - 1] !== 0) throw broken(buf, at, end)
    out.push(r.readDocument(r, site, pos, next, depth + 1))
    pos = next
  }
  if (pos === end) return out
  r.site = site
  return readItems(r, out, pos, end, ITEMS, depth)
}

/**
 * An array that begins with a double, mostly one of doubles. Made in a place of its own it holds them as they are,
 * where others hold an object for each: half the time, and half the memory.
 */
function readDoubles(r, start, next, kind, depth) {
  const { buf, view, plan } = r
  const end = next - 1
  let pos = start + 4
  if (!plan.promoteValues) return readItems(r, null, pos, end, kind, depth)
  const out = []
  for (let i = 0; buf[pos] === ELEMENT.DOUBLE; i++) {
    const at = pos++
    while (buf[pos++] > 0);
    if (pos + 8 > end) throw broken(buf, at, end)
    out[i] = view.getFloat64(pos, true)
    pos += 8
  }
  // a copy, or that place would make other arrays from then on
  return pos === end ? out : readItems(r, out.slice(), pos, end, kind, depth)
}

/** Whether documents in an array stay bytes. */
function itemsOf({ fieldsAsRaw }, kind, name) {
  return kind === RAW_ITEMS || isNamed(fieldsAsRaw, name) ? RAW_ITEMS : ITEMS
}

/** `constructor` and the like are there in every object. */
function isNamed(fields, name) {
  return Boolean(fields[name]) && (Object.hasOwn(fields, name) || !isInherited(name))
}

/** What is wrong with the element at `at`. @throws {import('../errors').BSONError} */
function broken(buf, at, end) {
  scanElement(buf[at], buf, at, scanName(buf, at + 1, end), end)
  return errorAtOffset('the bytes were changed while they were read', at)
}

function asDBRef(doc, specials) {
  return (specials & (SPECIAL.DBREF | SPECIAL.DOLLAR)) === SPECIAL.DBREF ? toDBRef(doc) : doc
}

/** As the options say; by default what is -2^53 ... 2^53, both included, is a number. */
function getInt64(view, pos, plan) {
  if (plan.useBigInt64) return view.getBigInt64(pos, true)
  const low = view.getInt32(pos, true)
  const high = view.getInt32(pos + 4, true)
  return plan.promoteLongs ? get.promoted(low, high) : get.longOf(low, high)
}

/** A value of a type that is not frequent; `r.pos` is then the offset after it. */
function readRare(r, key, at, pos, end, depth) {
  const { buf, plan } = r
  const { utf8 } = plan
  const next = scanElement(buf[at], buf, at, pos - 1, end)
  r.pos = next
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
    case 0x0e: // SYMBOL
      return asSymbol(get.getString(buf, pos, next, utf8), plan)
    case 0x0f: // CODE_WITH_SCOPE
      return readCodeWithScope(r, key, pos, next, depth)
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

/** int32 size of it all | string | document. A scope is never a DBRef, whatever its fields. */
function readCodeWithScope(r, key, pos, next, depth) {
  const inner = innerDocument(ELEMENT.CODE_WITH_SCOPE, r.buf, pos)
  const text = get.getString(r.buf, pos + 4, inner, r.plan.utf8)
  r.site = key
  const scope = depth >= r.plan.recursionDepth
    ? r.readDeep(r, inner, next, SCOPE, depth)
    : read(r, null, inner + 4, next - 1, SCOPE, depth + 1)
  r.pos = next
  return new Code(text, scope)
}

module.exports = { REST, FIELDS, SCOPE, ITEMS, RAW_ITEMS, read, readItems, readArray, itemsOf, getInt64, asDBRef }
