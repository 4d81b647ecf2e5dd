'use strict'

// Computes the exact encoded size without encoding.

const { ELEMENT, FIXED_SIZE, MIN_DOCUMENT_SIZE, INT32_MAX } = require('../spec')
const { BSONError } = require('../errors')
const { utf8Length } = require('../bytes')
const { ObjectId, binaryOverhead, dbRefDocument } = require('../types')
const { OMIT, typeOf, isInt32, isMap, entriesOf, isDBRef, rawBytes } = require('./value-type')
const { isMemory, lengthOf, checkBinary, regexTexts, codeText, symbolText } = require('./put')
const { DEFAULT_PLAN, planOf, dbRefPlan } = require('./options')
const containers = require('./containers')
const { enter, leave, prependPath, applyToBSON, isGone } = require('./containers')

const { getPrototypeOf } = Object
const objectPrototype = Object.prototype
const datePrototype = Date.prototype
const objectIdPrototype = ObjectId.prototype

/**
 * The size of a document as BSON, without writing it.
 *
 * @param {object} doc
 * @param {import('./options').EncodeOptions} [options]
 * @returns {number} the bytes that `encode` would write
 * @throws {BSONError} on nesting that is too deep or circular; values are checked only as far as their size requires
 */
function sizeOf(doc, options) {
  try {
    const at = { plan: DEFAULT_PLAN, depth: 0, cycleCheckpoint: null, forIn: true }
    containers.begin(at, planOf(options))
    const size = sizeOfDocument(containers.checkRoot(doc), at)
    if (size > INT32_MAX) throw new BSONError(`document is larger than ${INT32_MAX} bytes`)
    return size
  } catch (error) {
    throw containers.describeError(error)
  }
}

/**
 * @param {any} doc
 * @param {import('./containers').Place} at
 * @param {object} [source] identifies the document for cycle detection
 */
function sizeOfDocument(doc, at, source = doc) {
  const isPlain = getPrototypeOf(doc) === objectPrototype
  const raw = isPlain ? undefined : rawBytes(doc)
  if (raw !== undefined) return raw.length
  const cycleCheckpoint = enter(at, source)
  let size = MIN_DOCUMENT_SIZE
  /** @type {string | number | null} */
  let key = null
  try {
    if (Array.isArray(doc)) {
      containers.checkLength(doc)
      for (key = 0; key < doc.length; key++) size += sizeOfElement(key, doc[key], at)
    } else if (isPlain && at.forIn) {
      for (const name in doc) {
        key = name
        const value = doc[name]
        if (value !== undefined || !isGone(doc, name, value)) size += sizeOfElement(name, value, at)
      }
    } else if (isMap(doc)) {
      for (const [name, value] of entriesOf(doc)) {
        key = null // a key that is not a string does not appear in the path
        key = containers.checkMapKey(name)
        size += sizeOfElement(key, value, at)
      }
    } else {
      for (const name of Object.keys(doc)) {
        key = name
        const value = doc[name]
        if (!isGone(doc, name, value)) size += sizeOfElement(name, value, at)
      }
    }
  } catch (error) {
    throw prependPath(error, source, key)
  }
  leave(at, cycleCheckpoint)
  return size
}

/**
 * type | name 0x00 | value. `key` is a number in arrays. Frequent types are tested first, as in the encoder: with one
 * path for all values the first 3,000 documents take 1.1 times as long.
 */
function sizeOfElement(key, value, at) {
  switch (typeof value) {
    case 'string':
      return headSize(key) + sizeOfString(value)
    case 'number':
      return headSize(key) + (isInt32(value) ? 4 : 8)
    case 'boolean':
      return headSize(key) + 1
    case 'object': {
      if (value === null) return headSize(key)
      if (typeof value.toBSON === 'function') break
      const prototype = getPrototypeOf(value)
      if (prototype === objectPrototype || Array.isArray(value)) return headSize(key) + sizeOfDocument(value, at)
      if (prototype === objectIdPrototype) return headSize(key) + FIXED_SIZE[ELEMENT.OBJECT_ID]
      if (prototype === datePrototype) return headSize(key) + FIXED_SIZE[ELEMENT.DATETIME]
    }
  }
  return sizeOfResolved(key, applyToBSON(value), at)
}

/** A value whose `toBSON`, if any, has already been called. */
function sizeOfResolved(key, value, at) {
  if (value === undefined) return at.plan.ignoreUndefined && typeof key === 'string' ? 0 : headSize(key)
  const type = typeOf(value, at.plan.serializeFunctions)
  return type === OMIT ? 0 : headSize(key) + sizeOfValue(type, value, at)
}

function headSize(key) {
  return (typeof key === 'number' ? digitsOf(key) : utf8Length(key)) + 2
}

/** @param {number} index */
function digitsOf(index) {
  return index < 10 ? 1 : index < 100 ? 2 : index < 1000 ? 3 : String(index).length
}

function sizeOfValue(type, value, at) {
  const fixed = FIXED_SIZE[type]
  if (fixed !== -1) return fixed
  switch (type) {
    case ELEMENT.STRING:
      return sizeOfString(value)
    case ELEMENT.BOOLEAN:
      return 1
    case ELEMENT.DOCUMENT:
      return isDBRef(value) ? sizeOfDBRef(value, at) : sizeOfDocument(value, at)
    case ELEMENT.ARRAY:
      return sizeOfDocument(value, at)
    case ELEMENT.BINARY:
      return sizeOfBinary(value)
    case ELEMENT.REGEX:
      return sizeOfRegex(value)
    case ELEMENT.SYMBOL:
      return sizeOfString(symbolText(value))
    case ELEMENT.CODE_WITH_SCOPE:
      return sizeOfCodeWithScope(value, at)
    default:
      return sizeOfString(codeText(value))
  }
}

function sizeOfString(string) {
  return 5 + utf8Length(string)
}

function sizeOfDBRef(ref, at) {
  const { plan } = at
  at.plan = dbRefPlan(plan)
  const size = sizeOfDocument(dbRefDocument(ref), at, ref)
  at.plan = plan
  return size
}

function sizeOfCodeWithScope(value, at) {
  const size = 4 + sizeOfString(codeText(value))
  try {
    return size + sizeOfDocument(value.scope, at)
  } catch (error) {
    throw prependPath(error, value, '$scope')
  }
}

function sizeOfBinary(value) {
  if (ArrayBuffer.isView(value)) return 5 + (value instanceof Uint8Array ? lengthOf(value) : value.byteLength)
  if (isMemory(value)) return 5 + value.byteLength
  return binaryOverhead(value.sub_type) + checkBinary(value)
}

function sizeOfRegex(value) {
  const { pattern, options } = regexTexts(value)
  return utf8Length(pattern) + utf8Length(options) + 2
}

module.exports = { sizeOf }
