'use strict'

// The generic decoder: complete, for every element type and every option, without any code made at run time.

const { ELEMENT, MAX_DEPTH } = require('./spec')
const { BSONError, errorAtOffset } = require('./errors')
const { getInt32, toBytes } = require('./bytes')
const { getDouble } = require('./float')
const { scanName, scanValue, scanElement, scanRoot, innerDocument, utf8Plan, tooDeep, locate } = require('./elements')
const { BSONSymbol, Code, DBRef, isDBRefLike, Double, Int32, MaxKey, MinKey, ObjectId } = require('./types')
const get = require('./get')

/**
 * @typedef {object} DecodeOptions
 * @property {boolean} [useBigInt64] int64 as bigint; default false
 * @property {boolean} [promoteLongs] int64 as number where that is exact; default true
 * @property {boolean} [promoteBuffers] binary as Buffer; default false
 * @property {boolean} [promoteValues] values as JavaScript's own types where there is one; default true
 * @property {Record<string, any>} [fieldsAsRaw] arrays whose documents stay bytes, by field name; default none
 * @property {boolean} [bsonRegExp] regex as BSONRegExp; default false
 * @property {boolean} [raw] nested documents stay bytes, as views on the input; default false
 * @property {boolean} [allowObjectSmallerThanBufferSize] other bytes may follow the document; default false
 * @property {number} [index] where in `bytes` the document begins; default 0
 * @property {{utf8: boolean | Record<string, true> | Record<string, false>}} [validation] whether text is checked to be
 *   UTF-8, everywhere or by top-level field; default everywhere
 * @property {number} [maxDepth] levels of nesting; default 1,000,000
 */

/**
 * Options, resolved once.
 *
 * @typedef {object} DecodePlan
 * @property {boolean} useBigInt64
 * @property {boolean} promoteLongs
 * @property {boolean} promoteBuffers
 * @property {boolean} promoteValues
 * @property {Record<string, any> | null} fieldsAsRaw
 * @property {boolean} bsonRegExp
 * @property {boolean} raw
 * @property {boolean} utf8 whether text is checked
 * @property {Set<string> | null} utf8Except top-level fields for which the opposite holds
 * @property {number} maxDepth
 * @property {number} recursionDepth levels handled by recursion; deeper ones by a loop with a stack of its own
 */

/** Levels on the JavaScript stack, some 200 bytes each. */
const RECURSION_DEPTH = 100

/** @param {DecodeOptions} options @returns {DecodePlan} */
function makePlan(options) {
  const useBigInt64 = options.useBigInt64 ?? false
  const promoteLongs = options.promoteLongs ?? true
  const promoteValues = options.promoteValues ?? true
  if (useBigInt64 && !(promoteLongs && promoteValues)) {
    throw new BSONError('Must either request bigint or Long for int64 deserialization')
  }
  const maxDepth = options.maxDepth ?? MAX_DEPTH
  return {
    useBigInt64,
    promoteLongs: promoteLongs && promoteValues === true,
    promoteBuffers: (options.promoteBuffers ?? false) && promoteValues,
    promoteValues: promoteValues !== false,
    fieldsAsRaw: options.fieldsAsRaw ?? null,
    bsonRegExp: options.bsonRegExp === true,
    raw: options.raw ?? false,
    ...utf8Plan(options.validation),
    maxDepth,
    recursionDepth: Math.min(maxDepth, RECURSION_DEPTH)
  }
}

/** @type {DecodePlan} */
const DEFAULT_PLAN = Object.freeze(makePlan({}))

/** What a polluted prototype says is no option. @param {DecodeOptions} options @returns {DecodeOptions} */
function ownOptions(options) {
  // @ts-ignore: __proto__ in a literal is not a field
  return { __proto__: null, ...options }
}

/** @param {DecodeOptions} [options] @returns {DecodePlan} */
function planOf(options) {
  return options === undefined || options === null ? DEFAULT_PLAN : makePlan(ownOptions(options))
}

/**
 * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} bytes one document
 * @param {DecodeOptions} [options]
 * @returns {Record<string, any>}
 * @throws {BSONError} on bytes that are not BSON, with the offset and the path
 */
function decode(bytes, options) {
  const buf = toBytes(bytes)
  if (options === undefined || options === null) return decodeAt(buf, 0, false, DEFAULT_PLAN)
  const own = ownOptions(options)
  return decodeAt(buf, own.index || 0, Boolean(own.allowObjectSmallerThanBufferSize), makePlan(own))
}

/**
 * @param {Uint8Array} buf
 * @param {number} index where the document begins
 * @param {boolean} mayBeSmaller whether other bytes may follow it
 * @param {DecodePlan} plan
 * @returns {Record<string, any>}
 * @throws {BSONError} with the offset and the path
 */
function decodeAt(buf, index, mayBeSmaller, plan) {
  try {
    const end = scanRoot(buf, index, mayBeSmaller)
    return getDocument(buf, index + 4, end - 1, plan, 1, plan.utf8, plan.utf8Except)
  } catch (error) {
    throw locate(error, buf, index)
  }
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
 * @throws {BSONError} with the offset and the path
 */
function decodeElements(buf, base, bound, target, asArray = Array.isArray(target), options = undefined) {
  const plan = planOf(options)
  try {
    if (asArray) getItems(/** @type {any[]} */ (target), buf, base, bound, plan, 1, plan.utf8, false)
    else getFields(target, buf, base, bound, plan, 1, plan.utf8, plan.utf8Except)
    return target
  } catch (error) {
    throw locate(error, buf, base - 4)
  }
}

/**
 * One element's value.
 *
 * @param {number} type
 * @param {Uint8Array} buf
 * @param {number} offset of the value
 * @param {number} end it must not go beyond
 * @param {DecodeOptions} [options]
 * @returns {any}
 * @throws {BSONError} with the offset
 */
function decodeValue(type, buf, offset, end, options) {
  const plan = planOf(options)
  const next = scanValue(type, buf, offset, end)
  return getValue(type, buf, offset, next, plan, 1, plan.utf8, false, false)
}

/**
 * @param {Uint8Array} buf
 * @param {number} pos of the first element
 * @param {number} end of the document: the offset of its closing 0x00
 * @param {DecodePlan} plan
 * @param {number} depth of this document, the root's being 1
 * @param {boolean} utf8 whether text in here is checked
 * @param {Set<string> | null} utf8Except fields for which the opposite holds
 */
function getDocument(buf, pos, end, plan, depth, utf8, utf8Except) {
  if (depth > plan.recursionDepth) return getDeep(ELEMENT.DOCUMENT, buf, pos, end, plan, depth, utf8, false)
  return getFields({}, buf, pos, end, plan, depth, utf8, utf8Except)
}

/** @param {boolean} rawItems whether documents in here stay bytes */
function getArray(buf, pos, end, plan, depth, utf8, rawItems) {
  if (depth > plan.recursionDepth) return getDeep(ELEMENT.ARRAY, buf, pos, end, plan, depth, utf8, rawItems)
  return getItems([], buf, pos, end, plan, depth, utf8, rawItems)
}

/** The elements between two offsets into `doc`; the result is another object when they are a DBRef. */
function getFields(doc, buf, pos, end, plan, depth, utf8, utf8Except) {
  let isDBRef = false
  let isOther = false
  while (pos < end) {
    const type = buf[pos]
    const nameEnd = scanName(buf, pos + 1, end)
    const key = get.getText(buf, pos + 1, nameEnd, utf8)
    if (buf[pos + 1] === DOLLAR) isDBRefKey(key) ? (isDBRef = true) : (isOther = true)
    const next = scanElement(type, buf, pos, nameEnd, end)
    const checked = utf8Except !== null && utf8Except.has(key) ? !utf8 : utf8
    setOwn(doc, key, getValue(type, buf, nameEnd + 1, next, plan, depth, checked, isRawField(plan, key), false))
    pos = next
  }
  return isDBRef && !isOther ? toDBRef(doc) : doc
}

/** The elements between two offsets onto the end of `array`; their names do not count. */
function getItems(array, buf, pos, end, plan, depth, utf8, rawItems) {
  while (pos < end) {
    const type = buf[pos]
    const nameEnd = scanName(buf, pos + 1, end)
    const next = scanElement(type, buf, pos, nameEnd, end)
    const raw = rawItems || isRawField(plan, array.length)
    array.push(getValue(type, buf, nameEnd + 1, next, plan, depth, utf8, raw, rawItems))
    pos = next
  }
  return array
}

const DOLLAR = 0x24

function isDBRefKey(key) {
  return key === '$ref' || key === '$id' || key === '$db'
}

function isRawField(plan, key) {
  return plan.fieldsAsRaw !== null && Boolean(plan.fieldsAsRaw[key])
}

/** An own property whatever its name: `__proto__` must not reach the prototype. */
function setOwn(doc, key, value) {
  if (key !== '__proto__') doc[key] = value
  else Object.defineProperty(doc, key, { value, writable: true, enumerable: true, configurable: true })
}

/** A document with the fields of a DBRef becomes one. */
function toDBRef(doc) {
  const { $ref, $id, $db, ...fields } = doc
  return isDBRefLike(doc) ? new DBRef($ref, $id, $db, fields) : doc
}

/**
 * @param {number} type
 * @param {Uint8Array} buf
 * @param {number} pos of the value
 * @param {number} next offset after it
 * @param {DecodePlan} plan
 * @param {number} depth of the document that holds it
 * @param {boolean} utf8
 * @param {boolean} rawItems whether documents in an array here stay bytes
 * @param {boolean} rawValue whether a document here stays bytes
 */
function getValue(type, buf, pos, next, plan, depth, utf8, rawItems, rawValue) {
  switch (type) {
    case ELEMENT.STRING:
      return get.getString(buf, pos, next, utf8)
    case ELEMENT.INT32:
      return plan.promoteValues ? getInt32(buf, pos) : new Int32(getInt32(buf, pos))
    case ELEMENT.DOUBLE:
      return plan.promoteValues ? getDouble(buf, pos) : new Double(getDouble(buf, pos))
    case ELEMENT.OBJECT_ID:
      return new ObjectId(buf, pos)
    case ELEMENT.DOCUMENT:
      if (plan.raw || rawValue) return buf.subarray(pos, next)
      return getDocument(buf, pos + 4, next - 1, plan, depth + 1, utf8, null)
    case ELEMENT.ARRAY:
      return getArray(buf, pos + 4, next - 1, plan, depth + 1, utf8, rawItems)
    case ELEMENT.DATETIME:
      return get.getDate(buf, pos)
    case ELEMENT.BOOLEAN:
      return buf[pos] === 1
    case ELEMENT.NULL:
      return null
    case ELEMENT.INT64:
      return getInt64(buf, pos, plan)
    case ELEMENT.BINARY:
      return get.getBinary(buf, pos, next, plan.promoteBuffers)
    case ELEMENT.DECIMAL128:
      return get.getDecimal128(buf, pos)
    case ELEMENT.TIMESTAMP:
      return get.getTimestamp(buf, pos)
    case ELEMENT.REGEX:
      return get.getRegex(buf, pos, next, utf8, plan.bsonRegExp)
    case ELEMENT.UNDEFINED:
      return undefined
    case ELEMENT.CODE:
      return new Code(get.getString(buf, pos, next, utf8))
    case ELEMENT.SYMBOL:
      return getSymbol(get.getString(buf, pos, next, utf8), plan)
    case ELEMENT.CODE_WITH_SCOPE:
      return getCodeWithScope(buf, pos, next, plan, depth, utf8)
    case ELEMENT.DB_POINTER:
      return get.getDBPointer(buf, pos, next, utf8)
    case ELEMENT.MIN_KEY:
      return new MinKey()
    default:
      return new MaxKey()
  }
}

function getSymbol(text, plan) {
  return plan.promoteValues ? text : new BSONSymbol(text)
}

function getInt64(buf, pos, plan) {
  if (plan.useBigInt64) return get.getInt64(buf, pos)
  return plan.promoteLongs ? get.getPromotedInt64(buf, pos) : get.getLong(buf, pos)
}

/** int32 size of it all | string | document. A scope is never a DBRef, whatever its fields. */
function getCodeWithScope(buf, pos, next, plan, depth, utf8) {
  const type = ELEMENT.CODE_WITH_SCOPE
  if (depth + 1 > plan.recursionDepth) return getDeep(type, buf, pos + 4, next - 1, plan, depth + 1, utf8, false)
  const start = innerDocument(type, buf, pos)
  const text = get.getString(buf, pos + 4, start, utf8)
  const scope = {}
  getFields(scope, buf, start + 4, next - 1, plan, depth + 1, utf8, null)
  return new Code(text, scope)
}

/**
 * Documents below the recursion depth: the same elements, with the levels in a chain of frames.
 *
 * @param {number} rootType DOCUMENT, ARRAY or CODE_WITH_SCOPE
 * @param {number} pos four bytes into the value
 */
function getDeep(rootType, buf, pos, end, plan, depth, utf8, rawItems) {
  let frame = openFrame(rootType, buf, pos - 4, end, plan, depth, utf8, rawItems, null, '')
  pos = frame.pos
  while (true) {
    if (pos === frame.end) {
      const value = closeFrame(frame)
      if (frame.parent === null) return value
      pos = frame.end + 1
      setIn(frame.parent, frame.key, value)
      frame = frame.parent
      continue
    }
    const type = buf[pos]
    const nameEnd = scanName(buf, pos + 1, frame.end)
    const key = frame.isArray ? frame.doc.length : get.getText(buf, pos + 1, nameEnd, frame.utf8)
    if (buf[pos + 1] === DOLLAR && !frame.isArray) isDBRefKey(key) ? (frame.isDBRef = true) : (frame.isOther = true)
    const next = scanElement(type, buf, pos, nameEnd, frame.end)
    const raw = frame.rawItems || isRawField(plan, key)
    if (isOpened(type, frame, plan)) {
      frame = openFrame(type, buf, nameEnd + 1, next - 1, plan, frame.depth + 1, frame.utf8, raw, frame, key)
      pos = frame.pos
      continue
    }
    setIn(frame, key, getValue(type, buf, nameEnd + 1, next, plan, frame.depth, frame.utf8, raw, frame.rawItems))
    pos = next
  }
}

/** Whether a value is a document to go into, not one that stays bytes. */
function isOpened(type, frame, plan) {
  if (type === ELEMENT.DOCUMENT) return !plan.raw && !frame.rawItems
  return type === ELEMENT.ARRAY || type === ELEMENT.CODE_WITH_SCOPE
}

/** @param {number} value offset of the value that is, or ends with, the document */
function openFrame(type, buf, value, end, plan, depth, utf8, raw, parent, key) {
  if (depth > plan.maxDepth) throw errorAtOffset(tooDeep(plan.maxDepth), value)
  const isArray = type === ELEMENT.ARRAY
  const start = innerDocument(type, buf, value)
  const code = type === ELEMENT.CODE_WITH_SCOPE ? get.getString(buf, value + 4, start, utf8) : null
  const doc = isArray ? [] : {}
  const rawItems = isArray && raw
  return { doc, isArray, code, pos: start + 4, end, depth, utf8, rawItems, isDBRef: false, isOther: false, parent, key }
}

function closeFrame({ doc, code, isDBRef, isOther }) {
  if (code !== null) return new Code(code, doc)
  return isDBRef && !isOther ? toDBRef(doc) : doc
}

function setIn({ doc, isArray }, key, value) {
  if (isArray) doc.push(value)
  else setOwn(doc, key, value)
}

module.exports = {
  ownOptions,
  RECURSION_DEPTH,
  DEFAULT_PLAN,
  planOf,
  decode,
  decodeAt,
  decodeElements,
  decodeValue,
  getDocument,
  getArray,
  getFields,
  getItems,
  getValue,
  setOwn,
  toDBRef,
  isDBRefKey
}
