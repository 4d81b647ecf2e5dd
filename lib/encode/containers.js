'use strict'

// What of a JavaScript object becomes a document's elements, and how far down it is. The encoder and the size share it,
// so that they cannot differ.

const { ELEMENT, INT32_MAX } = require('../spec')
const { BSONError, NAMED_KEYS, explainRevoked, prependPath, pathOf, describePlace } = require('../errors')
const { OMIT, typeOf, isMap, entriesOf, isDBRef, rawBytes, bsonTypeName } = require('./value-type')
const { dbRefDocument } = require('../types/db-ref')
const { dbRefPlan } = require('./options')

const hasOwn = Object.prototype.hasOwnProperty

/** Levels on the JavaScript stack, some 200 bytes each; deeper ones are gone through by a loop. */
const RECURSION_DEPTH = 100

/**
 * Where in a document the encoder (or the size) is.
 *
 * @typedef {object} Place
 * @property {import('./options').EncodePlan} plan
 * @property {number} depth documents that are open
 * @property {object | null} landmark one of them, by which a cycle is noticed
 * @property {boolean} [forIn] whether `for ... in` finds the fields of a plain object: faster than a list of its keys
 */

/** @param {Place} at @param {import('./options').EncodePlan} plan */
function begin(at, plan) {
  at.plan = plan
  at.depth = 0
  at.landmark = null
  at.forIn = !isPolluted()
}

/**
 * A document is entered. The one at each power of two of the depth is remembered: a cycle comes back to it before the
 * depth has doubled once more (Brent), at the price of one comparison a document.
 *
 * @param {Place} at
 * @param {object} doc
 * @returns {object | null} for `leave`
 * @throws {BSONError} when it is too deep, or inside itself
 */
function enter(at, doc) {
  const { landmark } = at
  const depth = at.depth + 1
  if (depth > at.plan.maxDepth) throw new BSONError(`document is nested deeper than ${at.plan.maxDepth} levels`)
  if (doc === landmark) throw new CircularError(doc)
  if ((depth & (depth - 1)) === 0) at.landmark = doc
  at.depth = depth
  return landmark
}

/** @param {Place} at @param {object | null} landmark what `enter` gave */
function leave(at, landmark) {
  at.depth--
  at.landmark = landmark
}

class CircularError extends BSONError {
  /** @type {any[]} [document, key, document, key, ...], outwards, from the one that was met again */
  way

  /** @param {object} doc */
  constructor(doc) {
    super('Cannot convert circular structure to BSON')
    Object.defineProperty(this, 'way', { value: [doc], enumerable: false })
  }
}

/** Notes, on the way out, which document and key an error came through; no key when that is what is wrong. */
function cameThrough(error, doc, key) {
  if (key === null) return error
  if (!(error instanceof CircularError)) return prependPath(explainRevoked(error), key)
  const { way } = /** @type {CircularError} */ (error)
  way.push(key, doc)
  return error
}

/** As `cameThrough`, for all frames of a deep document. */
function cameThroughFrames(error, frame) {
  const isCircular = error instanceof CircularError
  for (let named = 0; frame !== null; frame = frame.parent, named++) {
    if (isCircular || named < NAMED_KEYS) cameThrough(error, frame.doc, frame.key)
    else return prependPath(error, '\u2026')
  }
  return error
}

/** Ends the message with the path; a cycle's leads to where a document stands inside itself for the first time. */
function describeError(error) {
  if (error instanceof CircularError) error.path = cyclePath(/** @type {CircularError} */ (error).way)
  return describePlace(explainRevoked(error))
}

/** @param {any[]} way */
function cyclePath(way) {
  const open = new Set()
  const keys = []
  for (let i = way.length - 1; i >= 0 && !open.has(way[i]); i -= 2) {
    open.add(way[i])
    keys.push(way[i - 1])
  }
  return pathOf(keys)
}

/**
 * @param {any} doc
 * @returns {object} what to encode: nothing at all counts as an empty document
 * @throws {BSONError} on anything that is not a document
 */
function checkRoot(doc) {
  if (doc === null || doc === undefined) return {}
  if (Array.isArray(doc)) throw new BSONError('serialize does not support an array as the root input')
  if (typeof doc !== 'object') throw new BSONError('serialize does not support non-object as the root input')
  if (bsonTypeName(doc) !== undefined) throw new BSONError('BSON types cannot be serialized as a document')
  if (typeOf(doc, false) !== ELEMENT.DOCUMENT) {
    throw new BSONError('date, regexp, typedarray, and arraybuffer cannot be BSON documents')
  }
  return typeof doc.toBSON === 'function' ? toBSON(doc) : doc
}

/**
 * What stands for a value: what its `toBSON` answers, where it has one. An object among the answers that has a `toBSON`
 * itself is asked once more, and that answer counts as it is.
 *
 * @param {any} value
 */
function answerOf(value) {
  if (typeof value === 'object' ? value === null : typeof value !== 'function') return value
  return typeof value.toBSON === 'function' ? answerAgain(value.toBSON()) : value
}

function answerAgain(answer) {
  const hasOne = typeof answer === 'object' && answer !== null && typeof answer.toBSON === 'function'
  return hasOne && typeOf(answer, false) === ELEMENT.DOCUMENT && !isMap(answer) ? toBSON(answer) : answer
}

function toBSON(doc) {
  const answer = doc.toBSON()
  if (typeof answer !== 'object' || answer === null) throw new BSONError('toBSON function did not return an object')
  return answer
}

/**
 * Whether a getter has deleted a field of its own document since the keys were listed: it is left out, as `for ... in`
 * leaves it out.
 */
function isGone(doc, key, value) {
  return value === undefined && !hasOwn.call(doc, key)
}

/** Every item takes three bytes at least: type, index, 0x00. An array may claim more items than it has. */
function checkLength(array) {
  const { length } = array
  if (typeof length !== 'number') throw new BSONError('the length of an array must be a number')
  if (length > INT32_MAX / 3) throw new BSONError(`an array of ${length} items is larger than ${INT32_MAX} bytes`)
}

function checkMapKey(key) {
  if (typeof key === 'string') return key
  throw new BSONError(`the keys of a Map must be strings to become field names, not ${typeof key}`)
}

/**
 * A document below the recursion depth that is open.
 *
 * @typedef {object} Frame
 * @property {object} doc what it is known by: a DBRef is written as a document that is new each time
 * @property {Iterator<[string | number, any]>} elements
 * @property {string | number} key of the element that is being written
 * @property {number} start offset of its size
 * @property {number} codeStart offset of the size of the code that it is the scope of, or -1
 * @property {import('./options').EncodePlan} plan of what is around it
 * @property {object | null} landmark for `leave`
 * @property {Frame | null} parent
 */

/** @param {Place} at @param {Frame | null} parent @returns {Frame} with the plan of its elements in `at` */
function openFrame(at, fields, parent, plan = at.plan, doc = fields) {
  const landmark = enter(at, doc)
  const elements = elementsOf(fields)
  const frame = { doc, elements, key: '', start: 0, codeStart: -1, plan: at.plan, landmark, parent }
  at.plan = plan
  return frame
}

/** @param {Place} at @param {Frame} frame @returns {Frame | null} the one around it */
function closeFrame(at, frame) {
  leave(at, frame.landmark)
  at.plan = frame.plan
  return frame.parent
}

/** @param {any} doc @returns {Generator<[string | number, any]>} */
function* elementsOf(doc) {
  if (Array.isArray(doc)) {
    checkLength(doc)
    for (let i = 0; i < doc.length; i++) yield [i, doc[i]]
  } else if (isMap(doc)) {
    for (const [key, value] of entriesOf(doc)) yield [checkMapKey(key), value]
  } else {
    for (const key of Object.keys(doc)) {
      const value = doc[key]
      if (!isGone(doc, key, value)) yield [key, value]
    }
  }
}

/**
 * The document inside a value, when it has one to go through; raw documents are bytes already.
 *
 * @param {any} value as `answerOf` gives it
 * @param {import('./options').EncodePlan} plan
 * @returns {{type: number, doc: object, plan: import('./options').EncodePlan, source: object} | null} `source` is what
 *   the document is known by
 */
function innerOf(value, plan) {
  const type = typeof value === 'object' && value !== null ? typeOf(value, false) : OMIT
  if (type === ELEMENT.CODE_WITH_SCOPE) return { type, doc: value.scope, plan, source: value.scope }
  if ((type !== ELEMENT.DOCUMENT && type !== ELEMENT.ARRAY) || rawBytes(value) !== undefined) return null
  if (!isDBRef(value)) return { type, doc: value, plan, source: value }
  return { type, doc: dbRefDocument(value), plan: dbRefPlan(plan), source: value }
}

const EMPTY = Object.freeze({})

/** Whether something enumerable has been put on the prototype of all objects: `for ... in` finds it in every one. */
function isPolluted() {
  for (const _ in EMPTY) return true
  return false
}

module.exports = {
  RECURSION_DEPTH, begin, enter, leave, cameThrough, cameThroughFrames, describeError, checkRoot, answerOf, isGone,
  checkLength, checkMapKey, openFrame, closeFrame, innerOf, isPolluted
}
