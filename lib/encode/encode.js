'use strict'

// The encoder for every value and every option, without code generated at run time. One function walks the elements of
// a document, one those of an array, and one writes an element by the type of its value. Rare cases have functions of
// their own. Errors are thrown where they occur and get their path as they propagate.

const { ELEMENT } = require('../spec')
const { setDouble, putUtf8, putIndexName } = require('../bytes')
const { Long, Int32, Decimal128, Binary, UUID, Timestamp, Code, dbRefDocument } = require('../types')
const { NO_LIMIT, tooLarge, acquireOutput, releaseOutput, writeInto } = require('./output')
const {
  objectPrototype, datePrototype, objectIdPrototype, getPrototypeOf, OMIT, ELEMENT_BY_PROTOTYPE, typeOf, typeOfInstance,
  isMap, entriesOf, isDBRef, rawBytes
} = require('./value-type')
const put = require('./put')
const { SHORT_STRING, checkName, int32Of, putLong, putDecimal128, putBinary } = require('./put')
const { ROOM, putName, putOddName, checkNul, putIndex } = require('./names')
const { DEFAULT_PLAN, planOf, dbRefPlan } = require('./options')
const containers = require('./containers')
const { enter, leave, prependPath, isGone } = require('./containers')
const { LEARNS, learning } = require('./learning')
const { sampleRoot, sampleList, shapeFor, evictAll } = require('./learn')

const longPrototype = Long.prototype
const int32Prototype = Int32.prototype
const decimalPrototype = Decimal128.prototype
const binaryPrototype = Binary.prototype
const uuidPrototype = UUID.prototype
const timestampPrototype = Timestamp.prototype
const codePrototype = Code.prototype

/**
 * Writes a document as BSON.
 *
 * @param {object} doc its own enumerable string keys are written in order, as are the entries of a Map
 * @param {import('./options').EncodeOptions} [options]
 * @returns {Buffer} the document's bytes, a Uint8Array where there is no Buffer
 * @throws {import('../errors').BSONError} on a value that BSON cannot represent, with the path to it
 */
function encode(doc, options) {
  const out = acquireOutput()
  const bytes = out.finish(appendDocument(out, doc, out.begin(), planOf(options)))
  releaseOutput(out)
  return /** @type {any} */ (bytes)
}

/**
 * Writes a document as BSON into memory of the caller.
 *
 * @param {object} doc
 * @param {Uint8Array} target
 * @param {number} [offset] where to begin, in bytes
 * @param {import('./options').EncodeOptions} [options]
 * @returns {number} the offset after the document; no byte outside the document is changed
 * @throws {import('../errors').BSONError} as `encode`, and when the document does not fit; the contents of `target` are
 *   then undefined
 */
function encodeInto(doc, target, offset = 0, options) {
  return writeInto(target, offset, appendDocument, doc, planOf(options))
}

/**
 * Appends a document to the output. Used for messages that hold many documents in one buffer.
 *
 * @param {import('./output').Output} out
 * @param {object} doc
 * @param {number} pos where to begin
 * @param {import('./options').EncodePlan} [plan]
 * @returns {number} the offset after the document
 * @throws {import('../errors').BSONError} with the path
 */
function appendDocument(out, doc, pos, plan = DEFAULT_PLAN) {
  containers.begin(out, plan)
  out.limit = pos + plan.maxSize
  try {
    const end = putRoot(out, doc, pos)
    if (end - pos > plan.maxSize) throw tooLarge(plan.maxSize)
    out.limit = NO_LIMIT
    if (LEARNS) countDocument(out, pos, end)
    return end
  } catch (error) {
    throw containers.describeError(error)
  }
}

function countDocument(out, pos, end) {
  learning.written += end - pos
  if (--learning.wait < 0) sampleRoot(out.buf, pos, end, LEARNED)
}

function putRoot(out, doc, pos) {
  if (isPlainObject(doc)) return !LEARNS || learning.root === null ? putPlain(out, doc, pos) : putLearned(out, doc, pos)
  return putContainer(out, containers.checkRoot(doc), pos)
}

/** A document of the kind that the process mostly writes, if it is one. */
function putLearned(out, doc, pos) {
  const { use, write } = learning.root
  const isDropped = use.names > use.documents++
  if (isDropped) evictAll()
  if (isDropped || out.plan.checkKeys) return putPlain(out, doc, pos)
  return write(out, doc, pos, false)
}

/** int32 size | elements | 0x00, of an object with Object.prototype. */
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
 * The same for any other object and for a Map: a function of its own, so that V8 optimizes putPlain for plain objects.
 * `source` identifies the document for cycle detection, and `putField` writes a field.
 */
function putDocument(out, doc, pos, source = doc, putField = putElement) {
  const cycleCheckpoint = enter(out, source)
  const start = pos
  out.reserve(pos, 5)
  pos += 4
  /** @type {string | null} */
  let key = null
  try {
    if (isMap(doc)) {
      for (const [name, value] of entriesOf(doc)) {
        key = null // a key that is not a string does not appear in the path
        key = containers.checkMapKey(name)
        pos = putField(out, key, value, pos)
      }
    } else {
      for (const name of Object.keys(doc)) {
        key = name
        const value = doc[name]
        if (!isGone(doc, name, value)) pos = putField(out, name, value, pos)
      }
    }
  } catch (error) {
    throw prependPath(error, source, key)
  }
  leave(out, cycleCheckpoint)
  if (pos === start + 4) out.plan.refuse?.(doc) // it is written as {}, but may be a Set
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
  /** @type {import('./learning').Shape | null} */
  let shape = null
  // of the first item: when it is an instance of a class, the others mostly are too
  let prototype, type
  try {
    for (; i < array.length; i++) {
      const item = array[i]
      if (typeof item === 'number') {
        // inlined, so that V8 does not box doubles: 1,000 take 11.1 us instead of 15.9
        const int = item | 0
        const isInt = int === item && (int !== 0 || 1 / item > 0)
        pos = putIndex(out, isInt ? ELEMENT.INT32 : ELEMENT.DOUBLE, i, pos)
        if (isInt) out.view.setInt32(pos, int, true)
        else setDouble(out.view, pos, item)
        pos += isInt ? 4 : 8
      } else {
        if (i === 0 && item instanceof Object) {
          prototype = getPrototypeOf(item)
          if (prototype === codePrototype) type = ELEMENT.CODE
          else if (prototype !== objectPrototype) type = ELEMENT_BY_PROTOTYPE.get(prototype)
          if (LEARNS && learning.lists !== null) shape = itemShape(out, item, array.length)
        }
        if (LEARNS && shape !== null && isPlainObject(item)) {
          pos = shape.write(out, item, putIndex(out, ELEMENT.DOCUMENT, i, pos), false)
        } else if (type !== undefined && isInstance(item, prototype) && !(type === ELEMENT.CODE && item.scope)) {
          pos = putValue(out, type, item, putIndex(out, type, i, pos))
        } else pos = putElement(out, i, item, pos)
      }
    }
  } catch (error) {
    throw prependPath(error, array, i)
  }
  leave(out, cycleCheckpoint)
  pos = closeDocument(out, start, pos)
  if (LEARNS && i >= learning.long) countList(out, start, pos, i)
  return pos
}

/** Whether a value is written by its own fields: no class, no `toBSON`. */
function isPlainObject(value) {
  return typeof value === 'object' && value !== null && typeof value.toBSON !== 'function' &&
    getPrototypeOf(value) === objectPrototype && !Array.isArray(value)
}

/**
 * Whether a value is an instance of exactly this class, without a `toBSON`. It is called for items of lists only, which
 * mostly are of one class: V8 then compiles the test of the prototype inline. In putElement, which sees all classes, it
 * calls `getPrototypeOf`, and an Int32 takes 16 ns instead of 10.
 */
function isInstance(value, prototype) {
  return typeof value === 'object' && value !== null && typeof value.toBSON !== 'function' &&
    getPrototypeOf(value) === prototype && !Array.isArray(value)
}

/** What has been learned of items like the first of a long array. */
function itemShape(out, item, count) {
  const isLearned = count >= learning.long && !out.plan.checkKeys && isPlainObject(item)
  return isLearned ? shapeFor(item, count) : null
}

function countList(out, start, pos, count) {
  learning.listed += pos - start
  learning.items -= count
  if (learning.items < 0) sampleList(out.buf, start, pos, LEARNED)
}

/** Writes the terminator, and the size at `start`. */
function closeDocument(out, start, pos) {
  let { buf } = out
  if (pos === buf.length) buf = out.grow(pos, 1)
  buf[pos++] = 0
  out.view.setInt32(start, pos - start, true)
  return pos
}

/**
 * type | name 0x00 | value. `key` is a number in arrays. The name is written first, and the type before it once it is
 * known. Values that may be left out are recognised earlier, so that no byte after the document changes.
 *
 * It is one long function because the first documents of a process then run few functions: with separate ones for
 * names, numbers, strings and objects, the first 3,000 orders took 2.5 times as long.
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

/**
 * An instance of another class, after its name. Frequent ones are told by their prototypes one after the other: when
 * lists were written here, too, an Int32 took 35 ns, with a look-up 45. V8 inlines this function, and then has room
 * left for those that it calls: with what is in putOther here, a Long took 1.1 times as long.
 */
function putInstance(out, value, prototype, start, pos) {
  const { buf } = out
  if (prototype === longPrototype || prototype === timestampPrototype) {
    buf[start] = prototype === timestampPrototype ? ELEMENT.TIMESTAMP : ELEMENT.INT64
    return putLong(out, value, pos)
  }
  if (prototype === int32Prototype) {
    buf[start] = ELEMENT.INT32
    out.view.setInt32(pos, int32Of(value), true)
    return pos + 4
  }
  if (prototype === decimalPrototype) {
    buf[start] = ELEMENT.DECIMAL128
    return putDecimal128(value, buf, pos)
  }
  if (prototype === binaryPrototype || prototype === uuidPrototype) {
    buf[start] = ELEMENT.BINARY
    return putBinary(out, value, pos)
  }
  return putOther(out, value, prototype, start, pos)
}

/** An instance of a class that is less frequent. */
function putOther(out, value, prototype, start, pos) {
  const type = prototype === codePrototype && value.scope === null ? ELEMENT.CODE : typeOfInstance(value, prototype)
  out.buf[start] = type
  // directly, so that a level of Maps or of class instances uses little stack
  if (type === ELEMENT.DOCUMENT && rawBytes(value) === undefined && !isDBRef(value)) return putDocument(out, value, pos)
  return putValue(out, type, value, pos)
}

/** A value of any type. Its `toBSON`, if any, has already been called. */
function putResolved(out, key, value, pos) {
  const type = typeOf(value, out.plan.serializeFunctions)
  if (type === OMIT) out.plan.refuse?.(value)
  if (value === undefined) {
    const isLeftOut = out.plan.ignoreUndefined && typeof key === 'string'
    return isLeftOut ? leaveOut(out, key, pos) : putName(out, ELEMENT.NULL, key, pos)
  }
  return type === OMIT ? leaveOut(out, key, pos) : putValue(out, type, value, putName(out, type, key, pos))
}

/** Writes nothing, but still checks the name. */
function leaveOut(out, key, pos) {
  if (typeof key !== 'string') return pos
  if (out.plan.checkKeys) checkName(key)
  checkNul(key)
  return pos
}

/**
 * The bytes of a value of any type. `putName` has reserved 24 bytes, which is enough for every type of fixed length.
 */
function putValue(out, type, value, pos) {
  switch (type) {
    case 0x02: // STRING
      return put.putString(out, value, pos)
    case 0x10: // INT32
      out.view.setInt32(pos, int32Of(value), true)
      return pos + 4
    case 0x01: // DOUBLE
      setDouble(out.view, pos, put.numberOf(value))
      return pos + 8
    case 0x07: // OBJECT_ID
      return put.putObjectId(out, value, pos)
    case 0x03: // DOCUMENT
      if (isDBRef(value)) return putDBRef(out, value, pos)
    // falls through
    case 0x04: // ARRAY
      return putContainer(out, value, pos)
    case 0x09: // DATETIME
      return put.putDate(out, value, pos)
    case 0x08: // BOOLEAN
      out.buf[pos] = value ? 1 : 0
      return pos + 1
    case 0x05: // BINARY
      return putBinary(out, value, pos)
    case 0x12: // INT64
      if (typeof value === 'bigint') return put.putBigInt(value, out.buf, pos)
    // falls through
    case 0x11: // TIMESTAMP
      return putLong(out, value, pos)
    case 0x13: // DECIMAL128
      return putDecimal128(value, out.buf, pos)
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
  if (raw === undefined) return Array.isArray(doc) ? putArray(out, doc, pos) : putDocument(out, doc, pos)
  out.reserve(pos, raw.length).set(raw, pos)
  return pos + raw.length
}

function putDBRef(out, ref, pos) {
  const { plan } = out
  out.plan = dbRefPlan(plan)
  pos = putDocument(out, containers.withoutId(dbRefDocument(ref)), pos, ref)
  out.plan = plan
  return pos
}

/** int32 total size | string | document */
function putCodeWithScope(out, value, pos) {
  const start = pos
  pos = put.putString(out, put.codeText(value), pos + 4)
  try {
    pos = putValue(out, ELEMENT.DOCUMENT, containers.scopeDocument(value), pos)
  } catch (error) {
    throw prependPath(error, value, '$scope')
  }
  out.view.setInt32(start, pos - start, true)
  return pos
}

/** What generated writers use. */
const WRITING = {
  objectPrototype, objectIdPrototype, datePrototype, getPrototypeOf, isGone, enter, leave, prependPath,
  checkLength: containers.checkLength, setDouble, putIndexName, putString: put.putString, putObjectId: put.putObjectId,
  putDate: put.putDate, putArray, putValue, ELEMENT_BY_PROTOTYPE
}

/** The same for learned writers, which have no rules. */
const LEARNED = {
  ...WRITING,
  putDocument,
  endDocument: (out, shape, start, pos) => closeDocument(out, start, pos),
  writer: {
    putElement: (out, node, name, value, pos) => putElement(out, name, value, pos),
    putItem: (out, node, i, item, pos) => putElement(out, i, item, pos),
    endList: (out, node, count, start, pos) => closeDocument(out, start, pos)
  }
}

module.exports = {
  WRITING, encode, encodeInto, appendDocument, isPlainObject, putDocument, putElement, leaveOut, putName, putValue,
  closeDocument
}
