'use strict'

// The exact encoded size, without encoding.

const { ELEMENT, FIXED_SIZE, SUBTYPE, MIN_DOCUMENT_SIZE, INT32_MAX } = require('./spec')
const { BSONError, prependPath } = require('./errors')
const { isAnyArrayBuffer } = require('./bytes')
const { utf8Length } = require('./utf8')
const { OMIT, isMap, entriesOf, isDBRef, rawBytes } = require('./type-of')
const { checkBinary, regexTexts, codeText, symbolText } = require('./put')
const walk = require('./walk')

const hasOwn = Object.prototype.hasOwnProperty

/**
 * @param {object} doc
 * @param {import('./walk').EncodeOptions} [options]
 * @returns {number} the bytes that `encode` would write
 * @throws {BSONError} on nesting that is too deep or circular; values are not checked further than their size needs
 */
function sizeOf(doc, options) {
  try {
    const size = sizeOfDocument(walk.checkRoot(doc), walk.planOf(options), 1)
    if (size > INT32_MAX) throw new BSONError(`document is larger than ${INT32_MAX} bytes`)
    return size
  } catch (error) {
    throw walk.describeError(error, doc)
  }
}

function sizeOfDocument(doc, plan, depth) {
  const raw = rawBytes(doc)
  if (raw !== undefined) return raw.length
  if (depth > plan.recursionDepth) return sizeOfDeep(doc, plan, depth)
  let size = MIN_DOCUMENT_SIZE
  if (Array.isArray(doc)) {
    walk.checkLength(doc)
    for (let i = 0; i < doc.length; i++) size += sizeOfElement(i, doc[i], plan, depth)
  } else if (isMap(doc)) {
    for (const [key, value] of entriesOf(doc)) size += sizeOfElement(walk.checkMapKey(key), value, plan, depth)
  } else {
    for (const key in doc) if (hasOwn.call(doc, key)) size += sizeOfElement(key, doc[key], plan, depth)
  }
  return size
}

/** type | name 0x00 | value. `key` is a number in arrays. */
function sizeOfElement(key, value, plan, depth) {
  try {
    value = walk.unwrap(value)
    const type = walk.elementType(value, plan, typeof key === 'number')
    if (type === OMIT) return 0
    const head = headSize(key)
    if (!walk.isContainer(type, value)) return head + sizeOfValue(type, value)
    if (type === ELEMENT.CODE_WITH_SCOPE) {
      return head + 4 + sizeOfString(codeText(value)) + sizeOfDocument(value.scope, plan, depth + 1)
    }
    return isDBRef(value)
      ? head + sizeOfDocument(walk.dbRefDocument(value), walk.dbRefPlan(plan), depth + 1)
      : head + sizeOfDocument(value, plan, depth + 1)
  } catch (error) {
    throw prependPath(error, key)
  }
}

function headSize(key) {
  return (typeof key === 'number' ? String(key).length : utf8Length(key)) + 2
}

/** Documents below the recursion depth. */
function sizeOfDeep(root, plan, depth) {
  const open = new Set()
  let frame = walk.openFrame(root, plan, depth, null, open)
  let size = MIN_DOCUMENT_SIZE
  try {
    while (true) {
      if (frame.next === frame.size) {
        open.delete(frame.doc)
        if (frame.parent === null) return size
        frame = frame.parent
        continue
      }
      const key = walk.keyOf(frame, frame.next++)
      const value = walk.unwrap(walk.valueOf(frame, key))
      const type = walk.elementType(value, frame.plan, frame.keys === null)
      if (type === OMIT) continue
      size += headSize(key)
      if (!walk.isContainer(type, value)) {
        size += sizeOfValue(type, value)
        continue
      }
      if (type === ELEMENT.CODE_WITH_SCOPE) size += 4 + sizeOfString(codeText(value))
      frame = walk.openChild(type, value, frame, open)
      size += MIN_DOCUMENT_SIZE
    }
  } catch (error) {
    throw walk.prependPaths(error, frame)
  }
}

function sizeOfValue(type, value) {
  const fixed = FIXED_SIZE[type]
  if (fixed !== -1) return fixed
  switch (type) {
    case ELEMENT.STRING:
      return sizeOfString(value)
    case ELEMENT.BOOLEAN:
      return 1
    case ELEMENT.BINARY:
      return sizeOfBinary(value)
    case ELEMENT.REGEX:
      return sizeOfRegex(value)
    case ELEMENT.SYMBOL:
      return sizeOfString(symbolText(value))
    case ELEMENT.DOCUMENT:
    case ELEMENT.ARRAY:
      return rawBytes(value).length
    default:
      return sizeOfString(codeText(value))
  }
}

function sizeOfString(string) {
  return 5 + utf8Length(string)
}

function sizeOfBinary(value) {
  if (ArrayBuffer.isView(value) || isAnyArrayBuffer(value)) return 5 + value.byteLength
  return (value.sub_type === SUBTYPE.BYTE_ARRAY ? 9 : 5) + checkBinary(value)
}

function sizeOfRegex(value) {
  const { pattern, options } = regexTexts(value)
  return utf8Length(pattern) + utf8Length(options) + 2
}

module.exports = { sizeOf }
