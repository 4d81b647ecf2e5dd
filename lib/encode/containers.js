'use strict'

// What of a JavaScript object becomes a document's elements, and how far down it is. The encoder and the size share it,
// so that they cannot differ.

const { ELEMENT, INT32_MAX } = require('../spec')
const { BSONError, explainRevoked, stackError, noteKey, pathOf, describePlace } = require('../errors')
const { typeOf, isMap, bsonTypeName } = require('./value-type')

const hasOwn = Object.prototype.hasOwnProperty

/**
 * Where in a document the encoder (or the size) is.
 *
 * @typedef {object} Place
 * @property {import('./options').EncodePlan} plan
 * @property {number} depth documents that are open
 * @property {object | null} cycleCheckpoint one of them, by which a cycle is noticed
 * @property {boolean} [forIn] whether `for ... in` finds the fields of a plain object: faster than a list of its keys
 */

/** @param {Place} at @param {import('./options').EncodePlan} plan */
function begin(at, plan) {
  at.plan = plan
  at.depth = 0
  at.cycleCheckpoint = null
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
  const { cycleCheckpoint } = at
  const depth = at.depth + 1
  if (depth > at.plan.maxDepth) throw new BSONError(`document is nested deeper than ${at.plan.maxDepth} levels`)
  if (doc === cycleCheckpoint) throw new CircularError(doc)
  if ((depth & (depth - 1)) === 0) at.cycleCheckpoint = doc
  at.depth = depth
  return cycleCheckpoint
}

/** @param {Place} at @param {object | null} cycleCheckpoint what `enter` gave */
function leave(at, cycleCheckpoint) {
  at.depth--
  at.cycleCheckpoint = cycleCheckpoint
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
function prependPath(error, doc, key) {
  if (key === null) return error
  if (!(error instanceof CircularError)) return noteKey(explainRevoked(error), key)
  error.way.push(key, doc)
  return error
}

/** Ends the message with the path; a cycle's leads to where a document stands inside itself for the first time. */
function describeError(error) {
  if (error instanceof CircularError) error.path = cyclePath(error.way)
  return describePlace(stackError(explainRevoked(error)))
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
function applyToBSON(value) {
  if (typeof value === 'object' ? value === null : typeof value !== 'function') return value
  return typeof value.toBSON === 'function' ? applyAgain(value.toBSON()) : value
}

function applyAgain(answer) {
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

const EMPTY = Object.freeze({})

/** Whether something enumerable has been put on the prototype of all objects: `for ... in` finds it in every one. */
function isPolluted() {
  for (const _ in EMPTY) return true
  return false
}

module.exports = {
  begin, enter, leave, prependPath, describeError, checkRoot, applyToBSON, isGone,
  checkLength, checkMapKey, isPolluted
}
