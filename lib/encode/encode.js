'use strict'

// The encoder: every value, every option, without any code made at run time. One function goes through the elements of
// a document, one through an array's, one writes an element by the type of its value; what is rare has functions of
// its own. What is wrong is thrown where it is noticed, and gets its path on the way out.

const { ELEMENT } = require('../spec')
const { BSONError, shownName } = require('../errors')
const { setDouble, putUtf8, putIndexName } = require('../bytes')
const { Long, ObjectId, dbRefDocument } = require('../types')
const { NO_LIMIT, tooLarge, acquireOutput, releaseOutput, writeInto } = require('./output')
const { OMIT, typeOf, typeOfInstance, isMap, entriesOf, isDBRef, rawBytes } = require('./value-type')
const put = require('./put')
const { DEFAULT_PLAN, planOf, dbRefPlan } = require('./options')
const containers = require('./containers')
const { enter, leave, prependPath, isGone } = require('./containers')

const { getPrototypeOf } = Object
const objectPrototype = Object.prototype
const datePrototype = Date.prototype
const objectIdPrototype = ObjectId.prototype
const longPrototype = Long.prototype

/**
 * @param {object} doc own enumerable string keys are written, in their order; a Map's entries likewise
 * @param {import('./options').EncodeOptions} [options]
 * @returns {Uint8Array} the document's bytes, a Buffer on Node
 * @throws {BSONError} on a value that BSON has no form for, with the path to it
 */
function encode(doc, options) {
  const out = acquireOutput()
  const bytes = out.finish(appendDocument(out, doc, out.begin(), planOf(options)))
  releaseOutput(out)
  if (untilShown > 0 && (untilShown -= bytes.length) <= 0) showZero()
  return bytes
}

/** How often V8 has to see it to remember, and bytes that are written before, for it remembers nothing earlier. */
const REMEMBERED = 16
let untilShown = 2048

/**
 * V8 drops what it has compiled when it meets a way that it has not seen: in putElement() that was most often the first
 * zero, which might be -0. The first 10,000 orders took 10 of 70 ms for that. Not in an array: V8 would expect all to
 * hold integers, and lists of doubles took 1.3 times as long.
 */
function showZero() {
  for (let i = 0; i < REMEMBERED; i++) encode({ zero: 0 })
}

/**
 * @param {object} doc
 * @param {Uint8Array} target
 * @param {number} [offset] where to begin, in bytes
 * @param {import('./options').EncodeOptions} [options]
 * @returns {number} the offset after the document; no byte outside of the document is changed
 * @throws {BSONError} as `encode`, and when the document does not fit; `target` is then in no defined state
 */
function encodeInto(doc, target, offset = 0, options) {
  return writeInto(target, offset, appendDocument, doc, planOf(options))
}

/**
 * Appends a document to what is being written: for messages of many documents in one buffer.
 *
 * @param {import('./output').Output} out
 * @param {object} doc
 * @param {number} pos where to begin
 * @param {import('./options').EncodePlan} [plan]
 * @returns {number} the offset after the document
 * @throws {BSONError} with the path
 */
function appendDocument(out, doc, pos, plan = DEFAULT_PLAN) {
  containers.begin(out, plan)
  out.limit = pos + plan.maxSize
  try {
    const end = putRoot(out, doc, pos)
    if (end - pos > plan.maxSize) throw tooLarge(plan.maxSize)
    out.limit = NO_LIMIT
    return end
  } catch (error) {
    throw containers.describeError(error)
  }
}

function putRoot(out, doc, pos) {
  const isPlain = typeof doc === 'object' && doc !== null && typeof doc.toBSON !== 'function' &&
    getPrototypeOf(doc) === objectPrototype && !Array.isArray(doc)
  if (isPlain) return putPlain(out, doc, pos)
  return putContainer(out, containers.checkRoot(doc), pos)
}

/** A document that is bytes already. */
function putRaw(out, raw, pos) {
  out.reserve(pos, raw.length).set(raw, pos)
  return pos + raw.length
}

/** int32 size | elements | 0x00, of an object whose prototype is that of all. */
function putPlain(out, doc, pos) {
  if (!out.forIn) return putDocument(out, doc, pos)
  const cycleCheckpoint = enter(out, doc)
  const start = pos
  if (pos + 5 > out.buf.length) out.grow(pos, 5)
  pos += 4
  let key = ''
  try {
    for (const name in doc) {
      key = name
      const value = doc[name]
      if (value !== undefined || !isGone(doc, name, value)) pos = putElement(out, name, value, pos)
    }
  } catch (error) {
    throw prependPath(error, doc, key)
  }
  leave(out, cycleCheckpoint)
  return closeDocument(out, start, pos)
}

/**
 * The same, of any object and of a Map. As one function with putPlain the first 3,000 log entries took 1.2 times as
 * long, orders 1.1. `source` is what it is known by where the same document may be met again.
 */
function putDocument(out, doc, pos, source = doc) {
  const cycleCheckpoint = enter(out, source)
  const start = pos
  out.reserve(pos, 5)
  pos += 4
  /** @type {string | null} */
  let key = null
  try {
    if (isMap(doc)) {
      for (const [name, value] of entriesOf(doc)) {
        key = null // until it is known to be a string, it has no name in a path
        key = containers.checkMapKey(name)
        pos = putElement(out, key, value, pos)
      }
    } else {
      for (const name of Object.keys(doc)) {
        key = name
        const value = doc[name]
        if (!isGone(doc, name, value)) pos = putElement(out, name, value, pos)
      }
    }
  } catch (error) {
    throw prependPath(error, source, key)
  }
  leave(out, cycleCheckpoint)
  return closeDocument(out, start, pos)
}

/** The same, with the indexes as names. */
function putArray(out, array, pos) {
  const cycleCheckpoint = enter(out, array)
  containers.checkLength(array)
  const start = pos
  if (pos + 5 > out.buf.length) out.grow(pos, 5)
  pos += 4
  let i = 0
  try {
    for (; i < array.length; i++) {
      const item = array[i]
      if (typeof item === 'number') {
        // in line, where V8 does not make an object of a double: 1,000 doubles 11.1 us instead of 15.9
        const int = item | 0
        const isInt = int === item && (int !== 0 || 1 / item > 0)
        pos = putIndex(out, isInt ? ELEMENT.INT32 : ELEMENT.DOUBLE, i, pos)
        if (isInt) out.view.setInt32(pos, int, true)
        else setDouble(out.view, pos, item)
        pos += isInt ? 4 : 8
      } else pos = putElement(out, i, item, pos)
    }
  } catch (error) {
    throw prependPath(error, array, i)
  }
  leave(out, cycleCheckpoint)
  return closeDocument(out, start, pos)
}

/** Writes the terminator and, at `start`, the size. */
function closeDocument(out, start, pos) {
  let { buf } = out
  if (pos === buf.length) buf = out.grow(pos, 1)
  buf[pos++] = 0
  out.view.setInt32(start, pos - start, true)
  return pos
}

/** Strings up to so many UTF-16 units are written by a loop: see utf8.js. */
const SHORT_STRING = 24

/**
 * type | name 0x00 | value. `key` is a number in arrays. The name is written first and the type before it when it is
 * known; what may be left out is told before, so that no byte behind the document changes.
 *
 * It is long because the first documents of a process need few functions: with one each for names, numbers, strings and
 * objects the first 3,000 orders took 2.5 times as long.
 */
function putElement(out, key, value, pos) {
  if (typeof value === 'object') {
    if (value !== null && typeof value.toBSON === 'function') return putResolved(out, key, containers.applyToBSON(value), pos)
  } else if (value === undefined || typeof value === 'function' || typeof value === 'symbol') {
    return putResolved(out, key, containers.applyToBSON(value), pos)
  }
  const start = pos
  let { buf } = out
  if (typeof key === 'number') {
    pos = putIndex(out, 0, key, pos)
    buf = out.buf
  } else {
    const { length } = key
    if (pos + 3 * length + ROOM > buf.length) buf = out.grow(pos, 3 * length + ROOM)
    if (out.plan.checkKeys) checkName(key)
    pos++
    for (let i = 0; i < length; i++) {
      const unit = key.charCodeAt(i)
      if (unit > 0x7f || unit === 0) {
        pos = putOddName(key, buf, start + 1)
        break
      }
      buf[pos++] = unit
    }
    buf[pos++] = 0
  }
  switch (typeof value) {
    case 'string': {
      const { length } = value
      if (pos + 3 * length + 5 > buf.length) buf = out.reserve(pos, put.roomOf(value))
      buf[start] = ELEMENT.STRING
      let end = pos + 4
      if (length > SHORT_STRING) end = putUtf8(value, buf, end)
      else {
        for (let i = 0; i < length; i++) {
          const unit = value.charCodeAt(i)
          if (unit > 0x7f) {
            end = putUtf8(value, buf, pos + 4)
            break
          }
          buf[end++] = unit
        }
      }
      out.view.setInt32(pos, end - pos - 3, true)
      buf[end] = 0
      return end + 1
    }
    case 'number': {
      const int = value | 0
      if (int === value && (int !== 0 || 1 / value > 0)) {
        buf[start] = ELEMENT.INT32
        out.view.setInt32(pos, int, true)
        return pos + 4
      }
      buf[start] = ELEMENT.DOUBLE
      setDouble(out.view, pos, value)
      return pos + 8
    }
    case 'object': {
      if (value === null) {
        buf[start] = ELEMENT.NULL
        return pos
      }
      if (Array.isArray(value)) {
        buf[start] = ELEMENT.ARRAY
        return putArray(out, value, pos)
      }
      const prototype = getPrototypeOf(value)
      if (prototype === objectPrototype) {
        buf[start] = ELEMENT.DOCUMENT
        return putPlain(out, value, pos)
      }
      if (prototype === objectIdPrototype) {
        buf[start] = ELEMENT.OBJECT_ID
        return put.putObjectId(out, value, pos)
      }
      if (prototype === datePrototype) {
        buf[start] = ELEMENT.DATETIME
        return put.putDate(out, value, pos)
      }
      return putInstance(out, value, prototype, start, pos)
    }
    case 'boolean':
      buf[start] = ELEMENT.BOOLEAN
      buf[pos] = value ? 1 : 0
      return pos + 1
    default:
      return putResolved(out, key, value, start)
  }
}

/** A value of another class, whose name has been written. Longs first: a thousand take 46 us so, else 57. */
function putInstance(out, value, prototype, start, pos) {
  if (prototype === longPrototype) {
    out.buf[start] = ELEMENT.INT64
    return put.putLong(out, value, pos)
  }
  const type = typeOfInstance(value, prototype)
  out.buf[start] = type
  // at once, so that a level of Maps, or of instances of a class, takes little of the stack
  if (type === ELEMENT.DOCUMENT && rawBytes(value) === undefined && !isDBRef(value)) return putDocument(out, value, pos)
  return putValue(out, type, value, pos)
}

/** A value of any type, but not asked for a `toBSON`: it has none, or has answered. */
function putResolved(out, key, value, pos) {
  if (value === undefined) {
    const isLeftOut = out.plan.ignoreUndefined && typeof key === 'string'
    return isLeftOut ? leaveOut(out, key, pos) : putName(out, ELEMENT.NULL, key, pos)
  }
  const type = typeOf(value, out.plan.serializeFunctions)
  return type === OMIT ? leaveOut(out, key, pos) : putValue(out, type, value, putName(out, type, key, pos))
}

/** Nothing; but names are checked whatever stands under them. */
function leaveOut(out, key, pos) {
  if (out.plan.checkKeys && typeof key === 'string') checkName(key)
  return pos
}

/** Bytes to reserve for an element beside its name, where they are of fixed length, or for all of an item. */
const ROOM = 40

/**
 * type | name 0x00, and room for a value of fixed length. `key` is a number in arrays.
 *
 * @returns {number} where the value begins
 * @throws {BSONError} on a name with a 0x00 in it, or one that the plan does not allow
 */
function putName(out, type, key, pos) {
  if (typeof key === 'number') return putIndex(out, type, key, pos)
  const buf = out.reserve(pos, 3 * key.length + ROOM)
  if (out.plan.checkKeys) checkName(key)
  buf[pos] = type
  const end = putOddName(key, buf, pos + 1)
  buf[end] = 0
  return end + 1
}

/** A name of any script. @throws {BSONError} on one with a 0x00 in it: they end with one */
function putOddName(key, buf, pos) {
  if (key.includes('\0')) throw new BSONError(`key ${shownName(key)} must not contain null bytes`)
  return putUtf8(key, buf, pos)
}

/** Names that DBRefs and the driver's commands need are allowed whatever `checkKeys` says. */
const ALLOWED_NAMES = new Set(['$db', '$ref', '$id', '$clusterTime'])

const DOLLAR = 0x24

function checkName(key) {
  if (key.charCodeAt(0) === DOLLAR) {
    if (!ALLOWED_NAMES.has(key)) throw new BSONError(`key ${shownName(key)} must not start with '$'`)
  } else if (key.includes('.')) throw new BSONError(`key ${shownName(key)} must not contain '.'`)
}

function putIndex(out, type, i, pos) {
  if (pos + ROOM > out.buf.length) out.grow(pos, ROOM)
  return putIndexName(type, i, out.view, pos)
}

/** The bytes of a value of any type. `putName` has reserved 24 bytes, enough for everything of fixed length. */
function putValue(out, type, value, pos) {
  switch (type) {
    case 0x02: // STRING
      return put.putString(out, value, pos)
    case 0x10: // INT32
      out.view.setInt32(pos, put.int32Of(value), true)
      return pos + 4
    case 0x01: // DOUBLE
      setDouble(out.view, pos, put.numberOf(value))
      return pos + 8
    case 0x07: // OBJECT_ID
      return put.putObjectId(out, value, pos)
    case 0x03: // DOCUMENT
      return isDBRef(value) ? putDBRef(out, value, pos) : putContainer(out, value, pos)
    case 0x04: // ARRAY
      return putContainer(out, value, pos)
    case 0x09: // DATETIME
      return put.putDate(out, value, pos)
    case 0x08: // BOOLEAN
      out.buf[pos] = value ? 1 : 0
      return pos + 1
    case 0x05: // BINARY
      return put.putBinary(out, value, pos)
    case 0x12: // INT64
      return typeof value === 'bigint' ? put.putBigInt(value, out.buf, pos) : put.putLong(out, value, pos)
    case 0x11: // TIMESTAMP
      return put.putLong(out, value, pos)
    case 0x13: // DECIMAL128
      return put.putDecimal128(value, out.buf, pos)
    case 0x0b: // REGEX
      return put.putRegex(out, value, pos)
    case 0x0d: // CODE
      return put.putString(out, put.codeText(value), pos)
    case 0x0e: // SYMBOL
      return put.putString(out, put.symbolText(value), pos)
    case 0x0f: // CODE_WITH_SCOPE
      return putCodeWithScope(out, value, pos)
    default: // null, min key, max key have no bytes
      return pos
  }
}

/** An array, a Map, a plain object, an instance of a class, a raw document. */
function putContainer(out, doc, pos) {
  const raw = rawBytes(doc)
  if (raw !== undefined) return putRaw(out, raw, pos)
  return Array.isArray(doc) ? putArray(out, doc, pos) : putDocument(out, doc, pos)
}

function putDBRef(out, ref, pos) {
  const { plan } = out
  out.plan = dbRefPlan(plan)
  pos = putDocument(out, dbRefDocument(ref), pos, ref)
  out.plan = plan
  return pos
}

/** int32 size of it all | string | document */
function putCodeWithScope(out, value, pos) {
  const start = pos
  pos = put.putString(out, put.codeText(value), pos + 4)
  try {
    pos = putContainer(out, value.scope, pos)
  } catch (error) {
    throw prependPath(error, value, '$scope')
  }
  out.view.setInt32(start, pos - start, true)
  return pos
}

module.exports = { encode, encodeInto, appendDocument, putElement, putName, putValue, closeDocument }
