'use strict'

// Which parts of a JavaScript object become a document's elements, and how deep the object is nested. The encoder and
// the size function share this code so that they cannot disagree.

const { ELEMENT, INT32_MAX } = require('../spec')
const { hasOwn } = require('../properties')
const { BSONError, shownName, tagOf, explainRevoked, stackError, atKey, pathOf, describePlace } = require('../errors')
const { dbRefDocument } = require('../types')
const { tooDeep } = require('../elements')
const { typeOf, isMap, checkScope, bsonTypeName } = require('./value-type')

/**
 * The position of the encoder (or the size function) in a document.
 *
 * @typedef {object} Place
 * @property {import('./options').EncodePlan} plan
 * @property {number} depth number of open documents
 * @property {object | null} cycleCheckpoint one of the open documents, used to detect a cycle
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
 * Enters a document. Remembers the one at each power of two of the depth: a cycle returns to it before the depth has
 * doubled again (Brent). This costs one comparison per document.
 *
 * @param {Place} at
 * @param {object} doc
 * @returns {object | null} to pass to `leave`
 * @throws {BSONError} when the document is nested too deeply or contains itself
 */
function enter(at, doc) {
  const { cycleCheckpoint } = at
  const depth = at.depth + 1
  if (depth > at.plan.maxDepth) throw new BSONError(tooDeep(at.plan.maxDepth))
  if (doc === cycleCheckpoint) throw circularError(doc)
  if ((depth & (depth - 1)) === 0) at.cycleCheckpoint = doc
  at.depth = depth
  return cycleCheckpoint
}

/** @param {Place} at @param {object | null} cycleCheckpoint as returned by `enter` */
function leave(at, cycleCheckpoint) {
  at.depth--
  at.cycleCheckpoint = cycleCheckpoint
}

/**
 * The way to each document that was found again: [document, key, document, key, ...], outwards, starting with it. Not a
 * class of its own: programs see the class of an error.
 *
 * @type {WeakMap<BSONError, any[]>}
 */
const stepsOf = new WeakMap()

/** @param {object} doc @returns {BSONError} */
function circularError(doc) {
  const error = new BSONError('Cannot convert circular structure to BSON')
  stepsOf.set(error, [doc])
  return error
}

/** Notes the document and key that an error came through. `key` is null when the key itself is at fault. */
function prependPath(error, doc, key) {
  if (key === null) return error
  const steps = stepsOf.get(error)
  if (steps === undefined) return atKey(explainRevoked(error), key)
  steps.push(key, doc)
  return error
}

/** Adds the path to the message. The path of a cycle leads to the first place where a document contains itself. */
function describeError(error) {
  const steps = stepsOf.get(error)
  if (steps !== undefined) {
    error.path = cyclePath(steps)
    stepsOf.delete(error) // it is described, and must not keep the documents alive
  }
  return describePlace(stackError(explainRevoked(error)))
}

/** @param {any[]} steps */
function cyclePath(steps) {
  const open = new Set()
  const keys = []
  for (let i = steps.length - 1; i >= 0 && !open.has(steps[i]); i -= 2) {
    open.add(steps[i])
    keys.push(steps[i - 1])
  }
  return pathOf(keys)
}

/**
 * @param {any} doc
 * @returns {object} what to encode: null and undefined count as an empty document, and decode makes a DBRef of a
 *   document that looks like one
 * @throws {BSONError} on anything that is not a document
 */
function checkRoot(doc) {
  if (doc === null || doc === undefined) return {}
  if (typeof doc !== 'object' || Array.isArray(doc)) throw rootError(doc, 'encode')
  const name = bsonTypeName(doc)
  if (name === 'DBRef') return withoutId(dbRefDocument(doc))
  if (name !== undefined) throw new BSONError(`BSON types cannot be serialized as a document (this is of type ${shownName(name)})`)
  const type = typeOf(doc, false)
  if (type === ELEMENT.ARRAY) throw rootError([], 'encode') // a raw one
  if (type !== ELEMENT.DOCUMENT) {
    throw new BSONError(`date, regexp, typedarray, and arraybuffer cannot be BSON documents (this is of class ${tagOf(doc)})`)
  }
  return typeof doc.toBSON === 'function' ? toBSON(doc) : doc
}

/** @param {unknown} doc neither an object nor a Map @param {string} name of the function @returns {BSONError} */
function rootError(doc, name) {
  if (!Array.isArray(doc)) return new BSONError(`${name} does not support non-object as the root input (this is of type ${typeof doc})`)
  return new BSONError(`${name} does not support an array as the root input (make it the field of a document)`)
}

/** A reference without an id is written without `$id`, also where undefined fields are null. */
function withoutId(doc) {
  if (doc.$id === undefined) delete doc.$id
  return doc
}

/**
 * Returns the result of the value's `toBSON`, if it has one, otherwise the value. If the result is an object with a
 * `toBSON` of its own, that is called once more and its result is final.
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

/** The document to write as the scope of a Code. @throws {BSONError} when its `toBSON` does not return one */
function scopeDocument({ scope }) {
  if (typeof scope.toBSON !== 'function') return scope
  const doc = toBSON(scope)
  checkScope(doc)
  return doc
}

/**
 * Whether a getter has deleted a field of its own document since the keys were listed. Such a field is left out, as in
 * a `for ... in` loop.
 */
function isGone(doc, key, value) {
  return value === undefined && !hasOwn.call(doc, key)
}

/** Each item takes at least three bytes: type, index, 0x00. An array may claim more items than it has. */
function checkLength(array) {
  const { length } = array
  if (typeof length !== 'number') throw new BSONError('the length of an array must be a number')
  if (length > INT32_MAX / 3) throw new BSONError(`an array of ${length} items is larger than ${INT32_MAX} bytes`)
}

function checkMapKey(key) {
  if (typeof key === 'string') return key
  throw new BSONError(`the keys of a Map must be strings to become field names, not ${key === null ? 'null' : typeof key}`)
}

const EMPTY = Object.freeze({})

/** Whether the prototype of all objects has an enumerable property: `for ... in` then finds it in every object. */
function isPolluted() {
  for (const _ in EMPTY) return true
  return false
}

module.exports = {
  begin, enter, leave, prependPath, describeError, checkRoot, rootError, withoutId, applyToBSON, scopeDocument, isGone,
  checkLength, checkMapKey, isPolluted
}
