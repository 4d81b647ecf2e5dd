'use strict'

// Bytes -> objects: the entry points. read.js has the one path for every document and every option.

const { ELEMENT } = require('../spec')
const { toBytes, allocate, getInt32, getUtf8Lossy } = require('../bytes')
const { BSONError, stackError } = require('../errors')
const { scanRoot, scanName, scanElement, locate } = require('../elements')
const { DEFAULT_PLAN, ownOptions, resolvePlan, quickPlan, currentPlan, planOf } = require('./options')
const { LEARNS } = require('./learning')
const { ROOT, rootKeyOf } = require('./kinds')
const { getText } = require('./get')
const { FIELDS, ITEMS, VALUE, readDocument, readElements, itemPlan, asDBRef } = require('./read')

/** @typedef {import('./options').DecodeOptions} DecodeOptions */
/** @typedef {import('./options').DecodePlan} DecodePlan */

/**
 * Reads a document.
 *
 * @template [T=Record<string, any>] what the document is taken to be; it is not checked
 * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} bytes one document
 * @param {DecodeOptions} [options]
 * @returns {T}
 * @throws {BSONError} on bytes that are not BSON, with the offset and the path
 */
function decode(bytes, options) {
  const buf = toBytes(bytes)
  if (options === undefined || options === null) return decodeAt(buf, 0, false, DEFAULT_PLAN)
  const own = ownOptions(options)
  return decodeAt(buf, own.index ?? 0, Boolean(own.allowObjectSmallerThanBufferSize), resolvePlan(own, false))
}

/**
 * Decodes the document at `index`.
 *
 * @param {Uint8Array} buf
 * @param {number} index
 * @param {boolean} allowTrailing whether other bytes may follow it
 * @param {DecodePlan} plan
 * @returns {any}
 * @throws {BSONError} with the offset and the path
 */
function decodeAt(buf, index, allowTrailing, plan) {
  try {
    const end = frameOf(buf, index, allowTrailing)
    if (plan.utf8Except !== null) return decodeExcept(buf, index, end, plan)
    const key = LEARNS ? rootKeyOf(buf, index + 4, end - 1) : ROOT
    return readDocument(buf, currentPlan(plan, end - index), key, index + 4, end - 1, 1)
  } catch (error) {
    throw locate(stackError(error), buf, index)
  }
}

/**
 * @param {Uint8Array} buf
 * @param {number} index
 * @param {boolean} allowTrailing whether other bytes may follow the document
 * @returns {number} the offset after it
 * @throws {BSONError} with the offset
 */
function frameOf(buf, index, allowTrailing) {
  const { length } = buf
  const isWhole = index === 0 && length > 4 && getInt32(buf, 0) === length && buf[length - 1] === 0
  return isWhole ? length : scanRoot(buf, index, allowTrailing)
}

/**
 * When some fields are excepted from the UTF-8 check, usually all text passes it, and the result is then the same.
 * Otherwise the document is read a second time.
 */
function decodeExcept(buf, index, end, plan) {
  const strict = { ...plan, utf8: true, utf8Names: !plan.isLenient, utf8Except: null }
  try {
    return readDocument(buf, strict, ROOT, index + 4, end - 1, 1)
  } catch {
    return readExcept(buf, index + 4, end - 1, plan)
  }
}

/** Reads the fields of a root one by one: each name determines how its text is read. */
function readExcept(buf, pos, end, plan) {
  const out = {}
  const exception = { ...plan, utf8: !plan.utf8, utf8Except: null }
  const field = { ...plan, utf8Except: null }
  let specials = 0
  while (pos < end) {
    const nameEnd = scanName(buf, pos + 1, end)
    const name = getText(buf, pos + 1, nameEnd, plan.utf8Names)
    const next = scanElement(buf[pos], buf, pos, nameEnd, end)
    const { utf8 } = plan.utf8Except.has(name) ? exception : field
    const fieldPlan = { ...field, utf8, utf8Names: utf8 && !plan.isLenient, isPlain: plan.isPlain && utf8 }
    specials |= readElements(buf, fieldPlan, ROOT, FIELDS, out, pos, next, 1)
    pos = next
  }
  return asDBRef(specials, out)
}

/**
 * Elements without a document around them: no size before them, no 0x00 after them.
 *
 * @template {Record<string, any> | any[]} T
 * @param {Uint8Array} buf
 * @param {number} base offset of the first element
 * @param {number} bound offset after the last
 * @param {T} target receives the values
 * @param {boolean} [asArray] whether `target` is an array to append to
 * @param {DecodeOptions} [options]
 * @returns {T}
 * @throws {BSONError} with the offset and the path
 */
function decodeElements(buf, base, bound, target, asArray = Array.isArray(target), options = undefined) {
  const plan = currentPlan(planOf(options), bound - base)
  const closed = buf[bound] === 0 ? buf : closedCopy(buf, base, bound)
  const moved = closed === buf ? 0 : base
  try {
    readElements(closed, plan, ROOT, asArray ? ITEMS : FIELDS, target, base - moved, bound - moved, 1)
    return target
  } catch (error) {
    const own = stackError(error)
    if (own instanceof BSONError && own.offset !== undefined) own.offset += moved
    throw locate(own, buf, base - 4, asArray)
  }
}

/** A copy of the bytes from `base` to `bound`, followed by a 0x00. */
function closedCopy(buf, base, bound) {
  const copy = allocate(bound - base + 1)
  copy.set(buf.subarray(base, bound))
  copy[bound - base] = 0
  return copy
}

/** The value of the element at `offset`, which must not extend past `end`. @param {DecodeOptions} [options] */
function decodeElement(buf, offset, end, options) {
  const plan = planOf(options)
  const isNamed = plan.fieldsAsRaw !== null && buf[offset] === ELEMENT.ARRAY
  const name = isNamed ? getUtf8Lossy(buf, offset + 1, scanName(buf, offset + 1, end)) : ''
  return decodeElementBy(isNamed ? itemPlan(plan, name) : plan, buf, offset, end)
}

/**
 * The same with resolved options, in a document at the given depth.
 *
 * @param {DecodePlan} plan
 * @param {Uint8Array} buf
 * @param {number} offset
 * @param {number} end
 * @param {number} [depth]
 * @returns {any}
 * @throws {BSONError} with the offset
 */
function decodeElementBy(plan, buf, offset, end, depth = 1) {
  scanName(buf, offset + 1, end)
  try {
    return readElements(buf, currentPlan(plan, end - offset), ROOT, VALUE, null, offset, end, depth)
  } catch (error) {
    throw stackError(error)
  }
}

module.exports = {
  ownOptions, resolvePlan, quickPlan, planOf, decode, decodeAt, frameOf, decodeElements, decodeElement, decodeElementBy
}
