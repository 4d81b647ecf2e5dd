'use strict'

// Everything that decoding checks, without creating any values.

const { ELEMENT } = require('../spec')
const { DECODE_OPTIONS, ownOptionsOf, truthy, levels } = require('../options')
const { BSONError, errorAtOffset } = require('../errors')
const { getInt32, toBytes, getUtf8Lossy, checkUtf8 } = require('../bytes')
const { scanName, scanElement, scanCString, scanRoot, innerDocument, tooDeep, checkRegexOptions } = require('./scan')
const { locate, locateInside } = require('./locate')
const { utf8Plan, ALL_UTF8 } = require('./utf8-plan')
const { QUICK_DEPTH, quickValidate } = require('./quick-validate')

/**
 * @typedef {object} ValidateOptions
 * @property {number} [index] where in the bytes the document begins; default 0
 * @property {boolean} [allowObjectSmallerThanBufferSize] other bytes may follow the document; default false
 * @property {{utf8: boolean | Record<string, true> | Record<string, false>} | null} [validation] whether text is
 *   checked to be UTF-8, everywhere or by top-level field; default everywhere
 * @property {number} [maxDepth] levels of nesting; default 1,000
 */

const readOptions = ownOptionsOf('validate', {
  index: value => value ?? 0,
  allowObjectSmallerThanBufferSize: truthy(false),
  validation: utf8Plan,
  maxDepth: levels
}, { others: DECODE_OPTIONS })

/**
 * Checks everything that `decode` would check, without creating any values.
 *
 * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} bytes
 * @param {ValidateOptions} [options] as for `decode`
 * @returns {number} the document's size in bytes
 * @throws {BSONError} with offset and path
 */
function validate(bytes, options) {
  return validateAt(toBytes(bytes), options, false)
}

/** @param {Uint8Array} buf @param {ValidateOptions | undefined} options @param {boolean} isArray */
function validateAt(buf, options, isArray) {
  const { index, allowObjectSmallerThanBufferSize, validation: plan, maxDepth } = readOptions(options)
  try {
    const end = scanRoot(buf, index, allowObjectSmallerThanBufferSize)
    if (maxDepth < 1) throw errorAtOffset(tooDeep(maxDepth), index)
    const isPlain = plan.utf8 && plan.utf8Except === null && maxDepth > QUICK_DEPTH
    const isQuick = isPlain && quickValidate(buf, index, end)
    if (!isQuick) validateElements(buf, index + 4, end - 1, plan, maxDepth, { isArray })
    return end - index
  } catch (error) {
    throw locate(error, buf, index, isArray)
  }
}

/**
 * Visits nested documents without recursion: the levels form a linked list.
 *
 * @param {Uint8Array} buf
 * @param {number} pos of the first element
 * @param {number} end of the closing 0x00
 * @param {ReturnType<typeof utf8Plan>} plan
 * @param {number} maxDepth
 * @param {object} [how]
 * @param {number} [how.depth] level of the elements, from 1
 * @param {boolean} [how.isArray] whether they are items: decoders ignore their names
 * @param {(type: number, level: {isArray: boolean, count: number}, name: number, nameEnd: number) => void} [how.visit]
 *   is called with each valid element; `level.count` is the number of elements before it
 */
function validateElements(buf, pos, end, plan, maxDepth, { depth = 1, isArray = false, visit } = {}) {
  let level = { end, isArray, utf8: plan.utf8, depth, count: 0, parent: null }
  while (true) {
    if (pos === level.end) {
      if (level.parent === null) return
      pos = level.end + 1
      level = level.parent
      continue
    }
    const type = buf[pos]
    const value = scanName(buf, pos + 1, level.end) + 1
    if (level.utf8 && !level.isArray) checkUtf8(buf, pos + 1, value - 1)
    const next = scanElement(type, buf, pos, value - 1, level.end)
    const utf8 = utf8Of(plan, level, buf, pos + 1, value - 1)
    if (utf8) checkText(type, buf, value, next)
    if (type === ELEMENT.REGEX) checkRegexOptions(buf, scanCString(buf, value, next) + 1, next - 1)
    if (visit !== undefined) visit(type, level, pos + 1, value - 1)
    level.count++
    const inner = innerDocument(type, buf, value)
    pos = inner === -1 ? next : inner + 4
    if (inner === -1) continue
    if (level.depth >= maxDepth) throw errorAtOffset(tooDeep(maxDepth), inner)
    level = { end: next - 1, isArray: type === ELEMENT.ARRAY, utf8, depth: level.depth + 1, count: 0, parent: level }
  }
}

/**
 * What is wrong in a document or array that is a value of something else.
 *
 * @param {Uint8Array} buf
 * @param {number} start
 * @param {boolean} isArray
 * @param {{depth?: number, maxDepth?: number}} [how] `depth`: levels around it
 * @returns {unknown} an error with its place in there; undefined if all is right
 */
function errorInside(buf, start, isArray, { depth = 0, maxDepth = Infinity } = {}) {
  try {
    if (depth >= maxDepth) return new BSONError(tooDeep(maxDepth))
    const end = start + getInt32(buf, start) - 1
    validateElements(buf, start + 4, end, ALL_UTF8, maxDepth, { depth: depth + 1, isArray })
  } catch (error) {
    return locateInside(error, buf, start, isArray)
  }
}

/** Whether text in an element is checked. At the top level this may depend on the name. */
function utf8Of({ utf8Except }, { utf8, depth }, buf, name, nameEnd) {
  const isOther = utf8Except !== null && depth === 1 && utf8Except.has(getUtf8Lossy(buf, name, nameEnd))
  return isOther ? !utf8 : utf8
}

/** Where the text in a value lies: bytes before and after it. */
const TEXT = new Map([
  [ELEMENT.STRING, { before: 4, after: 1 }],
  [ELEMENT.CODE, { before: 4, after: 1 }],
  [ELEMENT.SYMBOL, { before: 4, after: 1 }],
  [ELEMENT.REGEX, { before: 0, after: 0 }],
  [ELEMENT.DB_POINTER, { before: 4, after: 13 }]
])

/** Checks that the text in a value is UTF-8. */
function checkText(type, buf, value, next) {
  const text = TEXT.get(type)
  if (text !== undefined) checkUtf8(buf, value + text.before, next - text.after)
  else if (type === ELEMENT.CODE_WITH_SCOPE) checkUtf8(buf, value + 8, value + 7 + getInt32(buf, value + 4))
}

module.exports = { validate, validateAt, validateElements, errorInside, checkText }
