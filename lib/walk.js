'use strict'

// What of a JavaScript object becomes a document's elements, and how to go through it level by level. The encoder and
// the size share it, so that they cannot differ.

const { ELEMENT, INT32_MAX, MAX_DEPTH } = require('./spec')
const { BSONError, prependPath, joinPath, describePlace } = require('./errors')
const { OMIT, typeOf, isMap, entriesOf, isDBRef, rawBytes, bsonTypeName } = require('./type-of')

/**
 * @typedef {object} EncodeOptions
 * @property {boolean} [checkKeys] refuse keys that start with `$` or hold a `.`; default false
 * @property {boolean} [serializeFunctions] write functions as code instead of leaving them out; default false
 * @property {boolean} [ignoreUndefined] leave undefined fields out instead of writing null; default true
 * @property {number} [maxDepth] levels of nesting; default 1,000,000
 */

/**
 * Options, resolved once.
 *
 * @typedef {object} EncodePlan
 * @property {boolean} checkKeys
 * @property {boolean} serializeFunctions
 * @property {boolean} ignoreUndefined
 * @property {number} maxDepth
 * @property {number} recursionDepth levels handled by recursion; deeper ones by a loop with a stack of its own
 */

/** Levels on the JavaScript stack, some 200 bytes each. */
const RECURSION_DEPTH = 100

/** @type {EncodePlan} */
const DEFAULT_PLAN = Object.freeze(makePlan({}))

/** @param {EncodeOptions} [options] @returns {EncodePlan} */
function planOf(options) {
  return options === undefined || options === null ? DEFAULT_PLAN : makePlan(options)
}

/** @param {EncodeOptions} options @returns {EncodePlan} */
function makePlan({ checkKeys, serializeFunctions, ignoreUndefined, maxDepth }) {
  const depth = typeof maxDepth === 'number' ? maxDepth : MAX_DEPTH
  return {
    checkKeys: checkKeys === true,
    serializeFunctions: serializeFunctions === true,
    ignoreUndefined: ignoreUndefined !== false,
    maxDepth: depth,
    recursionDepth: Math.min(depth, RECURSION_DEPTH)
  }
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

/** What `toBSON` answers, where there is one. */
function unwrap(value) {
  if (typeof value === 'object' ? value === null : typeof value !== 'function') return value
  return typeof value.toBSON === 'function' ? unwrapAgain(value.toBSON()) : value
}

/** The answer may be an object that has a `toBSON` itself; then that one's answer counts, as it is. */
function unwrapAgain(answer) {
  const hasOne = typeof answer === 'object' && answer !== null && typeof answer.toBSON === 'function'
  return hasOne && typeOf(answer, false) === ELEMENT.DOCUMENT && !isMap(answer) ? toBSON(answer) : answer
}

function toBSON(doc) {
  const answer = doc.toBSON()
  if (typeof answer !== 'object' || answer === null) throw new BSONError('toBSON function did not return an object')
  return answer
}

/** Undefined fields are left out or null; in arrays, where leaving out would move the others, null. */
function elementType(value, plan, isItem) {
  if (value === undefined) return isItem || !plan.ignoreUndefined ? ELEMENT.NULL : OMIT
  return typeOf(value, plan.serializeFunctions)
}

function checkMapKey(key) {
  if (typeof key === 'string') return key
  throw new BSONError(`the keys of a Map must be strings to become field names, not ${typeof key}`)
}

/** The document a DBRef is written as: $ref, $id, $db, then its other fields. */
function dbRefDocument({ collection, namespace, oid, db, fields }) {
  const head = { $ref: collection ?? namespace, $id: oid }
  return db === undefined || db === null ? { ...head, ...fields } : { ...head, $db: db, ...fields }
}

function dbRefPlan(plan) {
  return { ...plan, checkKeys: false, ignoreUndefined: true }
}

/** Whether a value has elements of its own to go through; raw documents are bytes already. */
function isContainer(type, value) {
  if (type === ELEMENT.CODE_WITH_SCOPE) return true
  return (type === ELEMENT.DOCUMENT || type === ELEMENT.ARRAY) && rawBytes(value) === undefined
}

function openChild(type, value, frame, open) {
  const depth = frame.depth + 1
  if (type === ELEMENT.CODE_WITH_SCOPE) return openFrame(value.scope, frame.plan, depth, frame, open)
  if (type === ELEMENT.ARRAY || !isDBRef(value)) return openFrame(value, frame.plan, depth, frame, open)
  return openFrame(dbRefDocument(value), dbRefPlan(frame.plan), depth, frame, open)
}

function openFrame(doc, plan, depth, parent, open) {
  if (depth > plan.maxDepth) throw new BSONError(`document is nested deeper than ${plan.maxDepth} levels`)
  if (open.has(doc)) throw new CircularError()
  open.add(doc)
  const isMapDoc = isMap(doc)
  const keys = Array.isArray(doc) ? null : isMapDoc ? Array.from(entriesOf(doc), ([key]) => key) : Object.keys(doc)
  if (keys === null) checkLength(doc)
  const size = keys === null ? doc.length : keys.length
  return { doc, isMap: isMapDoc, keys, size, next: 0, start: 0, codeStart: -1, plan, depth, parent }
}

/** Every item takes three bytes at least: type, index, 0x00. An array may claim more items than it has. */
function checkLength(array) {
  if (array.length > INT32_MAX / 3) throw new BSONError(`an array of ${array.length} items is larger than ${INT32_MAX} bytes`)
}

function keyOf({ keys, isMap }, i) {
  return keys === null ? i : isMap ? checkMapKey(keys[i]) : keys[i]
}

function valueOf({ doc, isMap }, key) {
  return isMap ? doc.get(key) : doc[key]
}

/** How many keys of a deep path, from its end, an error names. */
const NAMED_KEYS = 20

function prependPaths(error, frame) {
  for (let named = 0; frame !== null && named < NAMED_KEYS; frame = frame.parent, named++) {
    prependPath(error, frame.keys === null ? frame.next - 1 : String(frame.keys[frame.next - 1]))
  }
  if (frame !== null) prependPath(error, '\u2026')
  return error
}

class CircularError extends BSONError {
  constructor() {
    super('Cannot convert circular structure to BSON')
  }
}

/** Ends the message with the path; a cycle's is the shortest one that leads back to where it has been. */
function describeError(error, root) {
  if (error instanceof CircularError) error.path = cyclePath(root) ?? error.path
  return describePlace(error)
}

/** @returns {string | undefined} nothing when only a `toBSON` or a getter makes the cycle */
function cyclePath(root) {
  const open = new Set()
  const done = new Set()
  const stack = [enter(undefined, root)]
  open.add(root)
  while (stack.length > 0) {
    const top = stack[stack.length - 1]
    if (top.next === top.children.length) {
      stack.pop()
      open.delete(top.doc)
      done.add(top.doc)
      continue
    }
    const [key, child] = top.children[top.next++]
    if (open.has(child)) return [...stack.slice(1).map(({ key }) => key), key].reduceRight((path, key) => joinPath(key, path), '')
    if (typeof child !== 'object' || child === null || done.has(child)) continue
    open.add(child)
    stack.push(enter(key, child))
  }
  return undefined
}

function enter(key, doc) {
  const children = Array.isArray(doc) ? [...doc.entries()] : isMap(doc) ? [...entriesOf(doc)] : Object.entries(doc)
  return { key, doc, children, next: 0 }
}

module.exports = {
  RECURSION_DEPTH,
  DEFAULT_PLAN,
  planOf,
  checkRoot,
  unwrap,
  elementType,
  checkLength,
  checkMapKey,
  dbRefDocument,
  dbRefPlan,
  isContainer,
  openFrame,
  openChild,
  keyOf,
  valueOf,
  prependPaths,
  describeError
}
