'use strict'

// Bytes -> objects. One way for every document and every option: decode/read.js.

const { toBytes, allocate, getInt32 } = require('../bytes')
const { errorAtOffset } = require('../errors')
const { scanRoot, scanName, scanElement, tooDeep } = require('./scan')
const { locate } = require('./locate')
const { DEFAULT_PLAN, ownOptions, resolvePlan, quickPlan, planOf } = require('./options')
const { ROOT, acquireReader, releaseReader } = require('./reader')
const { FIELDS, ITEMS, read, readItems } = require('./read')
const { readRoot, learn, showBranches } = require('./learn')
const { readDeep } = require('./deep')
const { WIDE } = require('./wide')

/** @typedef {import('./options').DecodeOptions} DecodeOptions */
/** @typedef {import('./options').DecodePlan} DecodePlan */

/**
 * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} bytes one document
 * @param {DecodeOptions} [options]
 * @returns {Record<string, any>}
 * @throws {import('../errors').BSONError} on bytes that are not BSON, with the offset and the path
 */
function decode(bytes, options) {
  const buf = toBytes(bytes)
  if (options === undefined || options === null) return decodeAt(buf, 0, false, DEFAULT_PLAN)
  const own = ownOptions(options)
  const mayBeSmaller = Boolean(own.allowObjectSmallerThanBufferSize)
  return decodeAt(buf, own.index || 0, mayBeSmaller, resolvePlan(own, false), buf === bytes)
}

/**
 * The document at `index` of a Buffer (on Node), behind which other bytes may stand if it may be smaller than that.
 *
 * @param {DecodePlan} plan
 * @param {boolean} [mayComeAgain] whether the Buffer is the caller's, who may read another document in it
 */
function decodeAt(buf, index, mayBeSmaller, plan, mayComeAgain = true) {
  /** @type {import('./reader').Reader | null} */
  let r = null
  try {
    const { length } = buf
    const isWhole = index === 0 && length > 4 && getInt32(buf, 0) === length && buf[length - 1] === 0
    const end = isWhole ? length : scanRoot(buf, index, mayBeSmaller)
    if (plan.utf8Except !== null) return decodeExcept(buf, index, end, plan)
    if (untilShown > 0) showInTime(end - index)
    if (plan.maxDepth < 1) throw errorAtOffset(tooDeep(plan.maxDepth), index)
    r = acquireReader(buf, index, end, plan, mayComeAgain)
    const start = index + r.shift
    const next = end + r.shift
    const doc = ROOT.isLearned && plan.isPlain
      ? readRoot(r, ROOT, start, next)
      : read(r, null, start + 4, next - 1, FIELDS, 1)
    if (plan.isPlain) learn(r, ROOT, start, next)
    releaseReader(r)
    return doc
  } catch (error) {
    throw locate(shiftBack(error, r, 0), buf, index)
  }
}

/** An element for each way through read(). */
const EVERY_WAY = '\x10i\0\x01\0\0\0' + '\x01d\0\0\0\0\0\0\0\xf8?' + '\x02s\0\x02\0\0\0x\0' + '\x03o\0\x05\0\0\0\0' +
  '\x04a\0\x0c\0\0\0\x100\0\x01\0\0\0\0' + '\x04f\0\x10\0\0\0\x010\0\0\0\0\0\0\0\xf8?\0' + '\x07_id\0............' +
  '\x08b\0\x01' + '\x09t\0\0\0\0\0\0\0\0\0' + '\x0an\0' + '\x12l\0\x01\0\0\0\0\0\0\0' + '\xffm\0' +
  '\x10$x\0\x01\0\0\0' + '\x10toString\0\x01\0\0\0'

/** How often V8 has to see it to remember. */
const REMEMBERED = 8

/** Documents that come before, for the first one must not wait for it; a larger one counts as many. */
let untilShown = 8
const COUNTED = 2048

/** @param {number} size of a document that is read, in bytes */
function showInTime(size) {
  untilShown -= Math.ceil(size / COUNTED)
  if (untilShown <= 0) showEveryWay()
}

/**
 * V8 drops what it has compiled when it meets a way that it has not seen. In processes that read many kinds that always
 * happened, and left 11 of 51 on Node 20 with a read() that was entered through its loop for good, at half the speed.
 */
function showEveryWay() {
  const size = String.fromCharCode(EVERY_WAY.length + 5)
  const bytes = Uint8Array.from(`${size}\0\0\0${EVERY_WAY}\0`, char => char.charCodeAt(0))
  const { isLearned, width } = ROOT
  for (let i = 0; i < REMEMBERED; i++) {
    ROOT.isLearned = i % 2 === 0
    ROOT.width = i % 4 < 2 ? 0 : WIDE + 1
    decode(bytes)
  }
  Object.assign(ROOT, { isLearned, width })
  showBranches(REMEMBERED)
}

/**
 * Where fields are excepted from the check of text: most often all text passes it, and is then the same text. Else the
 * document is read a second time, and no more.
 */
function decodeExcept(buf, index, end, plan) {
  try {
    return decodeAt(buf, index, true, { ...plan, utf8: true, utf8Names: !plan.isLenient, utf8Except: null })
  } catch {
    const r = acquireReader(buf, index, end, { ...plan, keepsBytes: true })
    const doc = readDeep(r, index, end, FIELDS, 0)
    releaseReader(r)
    return doc
  }
}

/** Gives a reader back that has failed; its error about a copy of the bytes is one about the bytes. */
function shiftBack(error, r, moved) {
  if (r === null) return error
  releaseReader(r)
  if (error?.offset !== undefined && error.path === undefined) error.offset -= r.shift + moved
  return error
}

/**
 * Elements without a document around them: no size before, no 0x00 after.
 *
 * @template {Record<string, any> | any[]} T
 * @param {Uint8Array} buf
 * @param {number} base offset of the first element
 * @param {number} bound offset after the last
 * @param {T} target what the values are put into
 * @param {boolean} [asArray] whether `target` is an array, to be appended to
 * @param {DecodeOptions} [options]
 * @returns {T}
 * @throws {import('../errors').BSONError} with the offset and the path
 */
function decodeElements(buf, base, bound, target, asArray = Array.isArray(target), options = undefined) {
  const plan = planOf(options)
  const closed = buf[bound] === 0 ? buf : closedCopy(buf, base, bound)
  const moved = closed === buf ? 0 : 0 - base
  const r = acquireReader(closed, base + moved, bound + moved + 1, plan)
  const shift = moved + r.shift
  try {
    if (asArray) readItems(r, target, base + shift, bound + shift, ITEMS, 1)
    else read(r, target, base + shift, bound + shift, FIELDS, 1)
    releaseReader(r)
    return target
  } catch (error) {
    throw locate(shiftBack(error, r, moved), buf, base - 4)
  }
}

/** The bytes from `base` to `bound` and a 0x00. */
function closedCopy(buf, base, bound) {
  const copy = allocate(bound - base + 1)
  copy.set(buf.subarray(base, bound))
  copy[bound - base] = 0
  return copy
}

/** The value of the element at `offset`, which must not go beyond `end`. @param {DecodeOptions} [options] */
function decodeElement(buf, offset, end, options) {
  return decodeElementBy(planOf(options), buf, offset, end)
}

/** The same by options that have been resolved, in a document so deep. @param {DecodePlan} plan */
function decodeElementBy(plan, buf, offset, end, depth = 1) {
  const next = scanElement(buf[offset], buf, offset, scanName(buf, offset + 1, end), end)
  const r = acquireReader(buf, offset, next, plan)
  try {
    const [value] = read(r, null, offset + r.shift, next + r.shift, ITEMS, depth)
    releaseReader(r)
    return value
  } catch (error) {
    throw shiftBack(error, r, 0)
  }
}

module.exports = {
  DEFAULT_PLAN,
  ownOptions,
  resolvePlan,
  quickPlan,
  planOf,
  decode,
  decodeAt,
  decodeElements,
  decodeElement,
  decodeElementBy
}
