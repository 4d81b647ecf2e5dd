'use strict'

// Extended JSON text -> BSON bytes. The parsed JSON is written as it is, so that types which have no JavaScript value
// survive: undefined, DBPointers, dates beyond a Date.

const { ELEMENT, INT32_MIN, INT32_MAX } = require('../spec')
const { BSONError, prependPath, describePlace } = require('../errors')
const { putInt64, putInt32 } = require('../bytes')
const { acquireOutput, releaseOutput } = require('../output')
const { ObjectId } = require('../types')
const { putName, putValue, closeDocument } = require('../encode')
const { DEFAULT_PLAN } = require('../walk')
const put = require('../put')
const { Reader, checkName } = require('./parse')
const { readWrapper } = require('./wrappers')
const { markInt64, markDoubles, parseMarked } = require('./numbers')

/**
 * @param {string} text one document in Extended JSON, canonical or relaxed
 * @param {{legacy?: boolean, relaxed?: boolean, maxDepth?: number}} [options] `legacy`: version 1 may be in it too
 * @returns {Uint8Array} a Buffer on Node
 * @throws {SyntaxError} when it is not JSON
 * @throws {BSONError} when it is not Extended JSON, with the path to what is wrong
 */
function toBSON(text, options) {
  const string = String(text)
  const root = parseMarked(string, markInt64(markDoubles(string)))
  if (typeof root !== 'object' || root === null || Array.isArray(root)) {
    throw new BSONError('Extended JSON must be a document to become BSON')
  }
  const reader = new Reader({ ...options, relaxed: false, useBigInt64: true }, string.includes('\\u0000'))
  const out = acquireOutput()
  try {
    return out.finish(putRoot(out, root, out.begin(), reader))
  } catch (error) {
    throw describePlace(error)
  } finally {
    releaseOutput(out)
  }
}

/** A document that is open: its levels are in a chain of these. */
class Frame {
  constructor(doc, start, codeStart, parent) {
    this.doc = doc
    this.names = Array.isArray(doc) ? null : Object.keys(doc)
    this.size = this.names === null ? doc.length : this.names.length
    this.next = 0
    /** Offset of the document's size. */
    this.start = start
    /** Offset of the size of the code that it is the scope of, or -1. */
    this.codeStart = codeStart
    this.depth = parent === null ? 1 : parent.depth + 1
    this.parent = parent
  }
}

function putRoot(out, root, pos, reader) {
  let frame = open(out, root, pos, -1, null, reader)
  pos += 4
  try {
    while (true) {
      if (frame.next === frame.size) {
        pos = closeDocument(out, frame.start, pos)
        if (frame.codeStart !== -1) putInt32(pos - frame.codeStart, out.buf, frame.codeStart)
        if (frame.parent === null) return pos
        frame = frame.parent
        continue
      }
      const index = frame.next++
      const name = frame.names === null ? index : frame.names[index]
      if (reader.hasNul && typeof name === 'string') checkName(name)
      const { type, value } = elementOf(frame.doc[name], reader)
      pos = putName(out, type, name, pos, DEFAULT_PLAN)
      if (type !== ELEMENT.DOCUMENT && type !== ELEMENT.ARRAY && type !== ELEMENT.CODE_WITH_SCOPE) {
        pos = putLeaf(out, type, value, pos, reader)
        continue
      }
      const isScope = type === ELEMENT.CODE_WITH_SCOPE
      const codeStart = isScope ? pos : -1
      if (isScope) pos = put.putString(out, value.code, pos + 4)
      frame = open(out, isScope ? value.scope : value, pos, codeStart, frame, reader)
      pos += 4
    }
  } catch (error) {
    throw prependKeys(error, frame)
  }
}

function open(out, doc, start, codeStart, parent, reader) {
  const frame = new Frame(doc, start, codeStart, parent)
  if (frame.depth > reader.maxDepth) throw new BSONError(`Extended JSON is nested deeper than ${reader.maxDepth} levels`)
  out.reserve(start, 5)
  return frame
}

const PLAIN = {
  string: ELEMENT.STRING,
  boolean: ELEMENT.BOOLEAN
}

/** @param {any} value parsed JSON @returns {import('./wrappers').Wrapped} */
function elementOf(value, reader) {
  if (value === null) return { type: ELEMENT.NULL, value }
  if (typeof value === 'number') return numberOf(value)
  if (typeof value !== 'object') return { type: PLAIN[typeof value], value }
  if (Array.isArray(value)) return { type: ELEMENT.ARRAY, value }
  const names = Object.keys(value)
  const wrapped = names.some(name => name[0] === '$') ? readWrapper(value, names, reader) : undefined
  return wrapped ?? { type: ELEMENT.DOCUMENT, value }
}

/** The smallest type that holds the number exactly, as `parse` says in canonical mode. */
function numberOf(value) {
  const isInt32 = Number.isInteger(value) && value >= INT32_MIN && value <= INT32_MAX && !Object.is(value, -0)
  if (isInt32) return { type: ELEMENT.INT32, value }
  const isInt64 = Number.isInteger(value) && value !== 0 && Math.abs(value) <= 2 ** 63 && value !== 2 ** 63
  return isInt64 ? { type: ELEMENT.INT64, value } : { type: ELEMENT.DOUBLE, value }
}

/** `putName` has reserved the room for everything of fixed length. */
function putLeaf(out, type, value, pos, reader) {
  switch (type) {
    case ELEMENT.DATETIME:
    case ELEMENT.INT64:
      return putInt64(BigInt(value), out.buf, pos)
    case ELEMENT.UNDEFINED:
      return pos
    case ELEMENT.DB_POINTER:
      pos = put.putString(out, value.$ref, pos)
      return put.putObjectId(new ObjectId(value.$id), out.buf, pos)
    case ELEMENT.INT32:
    case ELEMENT.DOUBLE:
    case ELEMENT.STRING:
    case ELEMENT.BOOLEAN:
    case ELEMENT.NULL:
      return putValue(out, type, value, pos, DEFAULT_PLAN, 0)
    default:
      return putValue(out, type, reader.wrapped({ type, value }, 0), pos, DEFAULT_PLAN, 0)
  }
}

/** How many keys of a deep path, from its end, an error names. */
const NAMED_KEYS = 20

function prependKeys(error, frame) {
  let named = 0
  for (; frame !== null && named < NAMED_KEYS; frame = frame.parent, named++) {
    prependPath(error, frame.names === null ? frame.next - 1 : frame.names[frame.next - 1])
  }
  return frame === null ? error : prependPath(error, '\u2026')
}

module.exports = { toBSON }
