'use strict'

// The generic encoder: complete, for every value and every option, without any code made at run time.

const { ELEMENT } = require('./spec')
const { BSONError, prependPath } = require('./errors')
const { putInt32, isUint8Array } = require('./bytes')
const { putDouble } = require('./float')
const { putUtf8 } = require('./utf8')
const { acquireOutput, releaseOutput } = require('./output')
const { OMIT, isMap, entriesOf, isDBRef, rawBytes } = require('./type-of')
const put = require('./put')
const walk = require('./walk')

const hasOwn = Object.prototype.hasOwnProperty

/**
 * @param {object} doc own enumerable string keys are written, in their order; a Map's entries likewise
 * @param {import('./walk').EncodeOptions} [options]
 * @returns {Uint8Array} the document's bytes, a Buffer on Node
 * @throws {BSONError} on a value that BSON has no form for, with the path to it
 */
function encode(doc, options) {
  const plan = walk.planOf(options)
  const out = acquireOutput()
  let end
  try {
    end = appendDocument(out, doc, out.begin(), plan)
  } finally {
    releaseOutput(out)
  }
  return out.finish(end) // outside of the try, where V8 makes the view in 7 ns less
}

/**
 * @param {object} doc
 * @param {Uint8Array} target
 * @param {number} [offset] where to begin, in bytes
 * @param {import('./walk').EncodeOptions} [options]
 * @returns {number} the offset after the document
 * @throws {BSONError} as `encode`, and when the document does not fit; `target` is then in no defined state
 */
function encodeInto(doc, target, offset = 0, options) {
  checkTarget(target, offset)
  const plan = walk.planOf(options)
  const out = acquireOutput()
  try {
    return out.finishInto(target, appendDocument(out, doc, out.beginInto(target, offset), plan))
  } finally {
    releaseOutput(out)
  }
}

/** @throws {BSONError} */
function checkTarget(target, offset) {
  if (!isUint8Array(target)) throw new BSONError('target must be a Buffer or Uint8Array')
  if (!(Number.isInteger(offset) && offset >= 0)) throw new BSONError(`offset must not be negative or broken: ${offset}`)
}

/**
 * Appends a document to what is being written: for messages of many documents in one buffer.
 *
 * @param {import('./output').Output} out
 * @param {object} doc
 * @param {number} pos where to begin
 * @param {import('./walk').EncodePlan} [plan]
 * @returns {number} the offset after the document
 * @throws {BSONError} with the path
 */
function appendDocument(out, doc, pos, plan = walk.DEFAULT_PLAN) {
  try {
    return putRoot(out, doc, pos, plan)
  } catch (error) {
    throw walk.describeError(error, doc)
  }
}

function putRoot(out, doc, pos, plan) {
  return putDocument(out, walk.checkRoot(doc), pos, plan, 1)
}

/** int32 size | elements | 0x00 */
function putDocument(out, doc, pos, plan, depth) {
  const raw = rawBytes(doc)
  if (raw !== undefined) return putRaw(out, raw, pos)
  if (depth > plan.recursionDepth) return putDeep(out, doc, pos, plan, depth)
  const start = pos
  out.reserve(pos, 5)
  pos += 4
  if (Array.isArray(doc)) pos = putItems(out, doc, pos, plan, depth)
  else if (isMap(doc)) pos = putEntries(out, doc, pos, plan, depth)
  else pos = putFields(out, doc, pos, plan, depth)
  return closeDocument(out, start, pos)
}

/** A document that is bytes already. */
function putRaw(out, raw, pos) {
  out.reserve(pos, raw.length + 24).set(raw, pos)
  return pos + raw.length
}

/** Writes the terminator and, at `start`, the size. */
function closeDocument(out, start, pos) {
  const buf = out.reserve(pos, 1)
  buf[pos++] = 0
  out.view.setInt32(start, pos - start, true)
  return pos
}

function putFields(out, doc, pos, plan, depth) {
  for (const key in doc) {
    if (hasOwn.call(doc, key)) pos = putElement(out, key, doc[key], pos, plan, depth, false)
  }
  return pos
}

function putItems(out, array, pos, plan, depth) {
  walk.checkLength(array)
  for (let i = 0; i < array.length; i++) pos = putElement(out, i, array[i], pos, plan, depth, true)
  return pos
}

function putEntries(out, map, pos, plan, depth) {
  for (const [key, value] of entriesOf(map)) {
    pos = putElement(out, walk.checkMapKey(key), value, pos, plan, depth, false)
  }
  return pos
}

/** type | name 0x00 | value. `key` is a number in arrays. */
function putElement(out, key, value, pos, plan, depth, isItem) {
  try {
    value = walk.unwrap(value)
    const type = walk.elementType(value, plan, isItem)
    if (type === OMIT) return pos
    return putValue(out, type, value, putName(out, type, key, pos, plan), plan, depth)
  } catch (error) {
    throw prependPath(error, key)
  }
}

/** type | name 0x00, with room for a value of fixed length after it */
function putName(out, type, key, pos, plan) {
  const name = typeof key === 'number' ? String(key) : key
  const buf = out.reserve(pos, 3 * name.length + 24)
  buf[pos] = type
  const start = pos + 1
  const end = putUtf8(name, buf, start)
  if (typeof key !== 'number') checkName(name, buf, start, end, plan)
  buf[end] = 0
  return end + 1
}

/** Names that DBRefs and the driver's commands need are allowed whatever `checkKeys` says. */
const ALLOWED_NAMES = new Set(['$db', '$ref', '$id', '$clusterTime'])

function checkName(name, buf, start, end, plan) {
  for (let i = start; i < end; i++) {
    if (buf[i] === 0) throw new BSONError(`key ${name} must not contain null bytes`)
  }
  if (!plan.checkKeys || ALLOWED_NAMES.has(name)) return
  if (name[0] === '$') throw new BSONError(`key ${name} must not start with '$'`)
  if (name.includes('.')) throw new BSONError(`key ${name} must not contain '.'`)
}

/** The value's bytes. `putName` has reserved the room for everything of fixed length. */
function putValue(out, type, value, pos, plan, depth) {
  switch (type) {
    case ELEMENT.STRING:
      return put.putString(out, value, pos)
    case ELEMENT.INT32:
      return putInt32(+value, out.buf, pos)
    case ELEMENT.DOUBLE:
      return putDouble(+value, out.buf, pos)
    case ELEMENT.OBJECT_ID:
      return put.putObjectId(value, out.buf, pos)
    case ELEMENT.DOCUMENT:
      return isDBRef(value)
        ? putDocument(out, walk.dbRefDocument(value), pos, walk.dbRefPlan(plan), depth + 1)
        : putDocument(out, value, pos, plan, depth + 1)
    case ELEMENT.ARRAY:
      return putDocument(out, value, pos, plan, depth + 1)
    case ELEMENT.DATETIME:
      return put.putDate(value, out.buf, pos)
    case ELEMENT.BOOLEAN:
      out.buf[pos] = value ? 1 : 0
      return pos + 1
    case ELEMENT.BINARY:
      return put.putBinary(out, value, pos)
    case ELEMENT.INT64:
      return typeof value === 'bigint' ? put.putBigInt(value, out.buf, pos) : put.putLong(value, out.buf, pos)
    case ELEMENT.TIMESTAMP:
      return put.putLong(value, out.buf, pos)
    case ELEMENT.DECIMAL128:
      return put.putDecimal128(value, out.buf, pos)
    case ELEMENT.REGEX:
      return put.putRegex(out, value, pos)
    case ELEMENT.CODE:
      return put.putString(out, put.codeText(value), pos)
    case ELEMENT.SYMBOL:
      return put.putString(out, put.symbolText(value), pos)
    case ELEMENT.CODE_WITH_SCOPE:
      return putCodeWithScope(out, value, pos, plan, depth)
    default: // null, min key, max key have no bytes
      return pos
  }
}

/** int32 size of it all | string | document */
function putCodeWithScope(out, value, pos, plan, depth) {
  const start = pos
  pos = put.putString(out, put.codeText(value), pos + 4)
  try {
    pos = putDocument(out, value.scope, pos, plan, depth + 1)
  } catch (error) {
    throw prependPath(error, '$scope')
  }
  putInt32(pos - start, out.buf, start)
  return pos
}

/** Documents below the recursion depth: the same elements, with the levels in a chain of frames. */
function putDeep(out, root, pos, plan, depth) {
  const open = new Set()
  let frame = openAt(out, pos, walk.openFrame(root, plan, depth, null, open))
  pos += 4
  try {
    while (true) {
      if (frame.next === frame.size) {
        pos = closeDocument(out, frame.start, pos)
        if (frame.codeStart !== -1) putInt32(pos - frame.codeStart, out.buf, frame.codeStart)
        open.delete(frame.doc)
        if (frame.parent === null) return pos
        frame = frame.parent
        continue
      }
      const key = walk.keyOf(frame, frame.next++)
      const value = walk.unwrap(walk.valueOf(frame, key))
      const type = walk.elementType(value, frame.plan, frame.keys === null)
      if (type === OMIT) continue
      pos = putName(out, type, key, pos, frame.plan)
      if (!walk.isContainer(type, value)) {
        pos = putValue(out, type, value, pos, frame.plan, 0)
        continue
      }
      const codeStart = type === ELEMENT.CODE_WITH_SCOPE ? pos : -1
      if (codeStart !== -1) pos = put.putString(out, put.codeText(value), pos + 4)
      frame = openAt(out, pos, walk.openChild(type, value, frame, open))
      frame.codeStart = codeStart
      pos += 4
    }
  } catch (error) {
    throw walk.prependPaths(error, frame)
  }
}

/** Reserves the place of the size and remembers it. */
function openAt(out, pos, frame) {
  out.reserve(pos, 5)
  frame.start = pos
  return frame
}

module.exports = {
  encode,
  encodeInto,
  checkTarget,
  appendDocument,
  putDocument,
  putElement,
  putName,
  putValue,
  closeDocument
}
