'use strict'

// Extended JSON text -> BSON bytes. The parsed JSON is written as it is, so that types which have no JavaScript value
// survive: undefined, DBPointers, dates beyond a Date.

const { ELEMENT } = require('../spec')
const { BSONError, NAMED_KEYS, prependKey, describePlace } = require('../errors')
const { putInt64, putInt32 } = require('../bytes')
const { acquireOutput, releaseOutput } = require('../encode/output')
const { ObjectId } = require('../types')
const { putName, putValue, closeDocument } = require('../encode/encode')
const { DEFAULT_PLAN } = require('../encode/options')
const { begin } = require('../encode/containers')
const put = require('../encode/put')
const { typeOfNumber } = require('../text')
const { Reader, checkName } = require('./parse')
const { wrapperOf } = require('./wrappers')
const { markInt64, markDoubles, markIndexKeys, parseMarked } = require('./numbers')

/**
 * @param {string} text one document in Extended JSON, canonical or relaxed
 * @param {import('.').EJSONOptionsBase} [options] `legacy`: version 1 may be in it too
 * @returns {Uint8Array} a Buffer on Node
 * @throws {SyntaxError} when it is not JSON
 * @throws {BSONError} when it is not Extended JSON, with the path to what is wrong
 */
function toBSON(text, options) {
  const string = String(text)
  const { text: marked, mark } = markIndexKeys(string)
  const root = parseMarked(string, markInt64(markDoubles(marked)))
  if (typeof root !== 'object' || root === null || Array.isArray(root)) {
    throw new BSONError('Extended JSON must be a document to become BSON')
  }
  const reader = new Reader({ ...options, relaxed: false, useBigInt64: true }, string.includes('\\u0000'))
  reader.isExact = true
  const out = acquireOutput()
  try {
    return out.finish(putRoot(out, root, out.begin(), reader, mark))
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

function putRoot(out, root, pos, reader, mark) {
  begin(out, DEFAULT_PLAN)
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
      pos = putName(out, type, unmarked(name, mark), pos)
      if (type !== ELEMENT.DOCUMENT && type !== ELEMENT.ARRAY && type !== ELEMENT.CODE_WITH_SCOPE) {
        pos = putLeaf(out, type, value, pos)
        continue
      }
      const isScope = type === ELEMENT.CODE_WITH_SCOPE
      const codeStart = isScope ? pos : -1
      if (isScope) pos = put.putString(out, value.code, pos + 4)
      frame = open(out, isScope ? value.scope : value, pos, codeStart, frame, reader)
      pos += 4
    }
  } catch (error) {
    throw prependKeys(error, frame, mark)
  }
}

/** @param {string | number} name of a field, or an index @param {string} mark */
function unmarked(name, mark) {
  return mark !== '' && typeof name === 'string' && name[0] === mark ? name.slice(1) : name
}

function open(out, doc, start, codeStart, parent, reader) {
  const frame = new Frame(doc, start, codeStart, parent)
  if (frame.depth > reader.maxDepth) throw reader.tooDeep()
  out.reserve(start, 5)
  return frame
}

/** @param {any} value parsed JSON @param {Reader} reader @returns {{type: number, value: any}} as `putLeaf` wants it */
function elementOf(value, reader) {
  if (typeof value === 'string') return { type: ELEMENT.STRING, value }
  if (typeof value === 'number') return { type: typeOfNumber(value), value }
  if (typeof value === 'boolean') return { type: ELEMENT.BOOLEAN, value }
  if (value === null) return { type: ELEMENT.NULL, value }
  if (Array.isArray(value)) return { type: ELEMENT.ARRAY, value }
  const names = Object.keys(value)
  const wrapper = names.some(name => name[0] === '$') ? wrapperOf(value, names, reader) : undefined
  if (wrapper === undefined) return { type: ELEMENT.DOCUMENT, value }
  const read = wrapper.read(value, reader)
  const hasScope = wrapper.type === ELEMENT.CODE && read.scope !== null
  return { type: hasScope ? ELEMENT.CODE_WITH_SCOPE : wrapper.type, value: read }
}

/** `putName` has reserved the room for everything of fixed length. */
function putLeaf(out, type, value, pos) {
  switch (type) {
    case ELEMENT.DATETIME:
    case ELEMENT.INT64:
      return putInt64(BigInt(value), out.buf, pos)
    case ELEMENT.UNDEFINED:
      return pos
    case ELEMENT.DB_POINTER:
      pos = put.putString(out, value.$ref, pos)
      return put.putObjectId(out, ObjectId.fromExtendedJSON(value.$id), pos)
    default:
      return putValue(out, type, value, pos)
  }
}

function prependKeys(error, frame, mark) {
  let named = 0
  for (; frame !== null && named < NAMED_KEYS; frame = frame.parent, named++) {
    prependKey(error, frame.names === null ? frame.next - 1 : unmarked(frame.names[frame.next - 1], mark))
  }
  return frame === null ? error : prependKey(error, '\u2026')
}

module.exports = { toBSON }
