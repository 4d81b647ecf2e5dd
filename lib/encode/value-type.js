'use strict'

// Maps a JavaScript value to its BSON element type. The encoder, the size function and Extended JSON share this code so
// that they cannot disagree.

const { ELEMENT, MIN_DOCUMENT_SIZE, bsonType } = require('../spec')
const { hasOwn } = require('../properties')
const { BSONError, shownName, explainRevoked, atKey } = require('../errors')
const { NodeBuffer, getInt32, isAnyArrayBuffer, isUint8Array } = require('../bytes')
const types = require('../types')

/** What `typeOf` returns for a value that is left out: a function, a symbol, undefined. */
const OMIT = 0

const objectPrototype = Object.prototype
const arrayPrototype = Array.prototype
const datePrototype = Date.prototype
const objectIdPrototype = types.ObjectId.prototype
const { getPrototypeOf } = Object

/**
 * The element type and name of each class. Reading `_bsontype` of each class takes 0.1 ms of the start-up time. The
 * type of a Code depends on its scope.
 *
 * @type {[{prototype: any}, string, number][]}
 */
const CLASSES = [
  [types.ObjectId, 'ObjectId', ELEMENT.OBJECT_ID],
  [types.Long, 'Long', ELEMENT.INT64],
  [types.Timestamp, 'Timestamp', ELEMENT.TIMESTAMP],
  [types.Binary, 'Binary', ELEMENT.BINARY],
  [types.UUID, 'UUID', ELEMENT.BINARY],
  [types.Decimal128, 'Decimal128', ELEMENT.DECIMAL128],
  [types.Double, 'Double', ELEMENT.DOUBLE],
  [types.Int32, 'Int32', ELEMENT.INT32],
  [types.DBRef, 'DBRef', ELEMENT.DOCUMENT],
  [types.BSONRegExp, 'BSONRegExp', ELEMENT.REGEX],
  [types.BSONSymbol, 'BSONSymbol', ELEMENT.SYMBOL],
  [types.MinKey, 'MinKey', ELEMENT.MIN_KEY],
  [types.MaxKey, 'MaxKey', ELEMENT.MAX_KEY]
]

/** By the name in `_bsontype`, including the names of earlier major versions. */
const ELEMENT_BY_NAME = withClasses(row => row[1], [
  ['Code', ELEMENT.CODE],
  ['ObjectID', ELEMENT.OBJECT_ID],
  ['Symbol', ELEMENT.SYMBOL]
])

/** Classes that always have the same type. A look-up takes 8 ns, reading the name 30, and the tag of a built-in 60. */
const ELEMENT_BY_PROTOTYPE = withClasses(row => row[0].prototype, [
  [RegExp.prototype, ELEMENT.REGEX],
  [Uint8Array.prototype, ELEMENT.BINARY],
  [(NodeBuffer ?? Uint8Array).prototype, ELEMENT.BINARY],
  [Map.prototype, ELEMENT.DOCUMENT]
])

/**
 * @template T
 * @param {(row: (typeof CLASSES)[number]) => T} keyOf returns the key for a class
 * @param {[T, number][]} others
 * @returns {Map<T, number>}
 */
function withClasses(keyOf, others) {
  const elements = new Map(others)
  for (let i = 0; i < CLASSES.length; i++) elements.set(keyOf(CLASSES[i]), CLASSES[i][2]) // a spread takes 0.1 ms more
  return elements
}

/**
 * @param {unknown} value after its `toBSON`, if it has one
 * @param {boolean} withFunctions whether functions are written as code
 * @returns {number} an element type, or OMIT
 * @throws {BSONError} on an object that claims a BSON type that does not exist
 */
function typeOf(value, withFunctions) {
  switch (typeof value) {
    case 'string':
      return ELEMENT.STRING
    case 'number':
      return isInt32(value) ? ELEMENT.INT32 : ELEMENT.DOUBLE
    case 'boolean':
      return ELEMENT.BOOLEAN
    case 'object':
      return value === null ? ELEMENT.NULL : typeOfObject(value)
    case 'bigint':
      return ELEMENT.INT64
    case 'function':
      return withFunctions ? ELEMENT.CODE : OMIT
    default:
      return OMIT
  }
}

/** -0 is a double, because an int32 cannot represent it. @param {number} value */
function isInt32(value) {
  return (value | 0) === value && (value !== 0 || 1 / value > 0)
}

function typeOfObject(value) {
  if (Array.isArray(value)) return ELEMENT.ARRAY
  const prototype = getPrototypeOf(value)
  if (prototype === objectPrototype) return ELEMENT.DOCUMENT
  if (prototype === objectIdPrototype) return ELEMENT.OBJECT_ID
  if (prototype === datePrototype) return ELEMENT.DATETIME
  return typeOfInstance(value, prototype)
}

/** The type of an object whose class is not one of the most frequent. */
function typeOfInstance(value, prototype) {
  const own = ELEMENT_BY_PROTOTYPE.get(prototype)
  if (own !== undefined) return own
  const name = bsonTypeName(value)
  if (name !== undefined) return elementOfName(name, value)
  return typeOfBuiltIn(value)
}

/**
 * The name of a BSON type. A plain object that happens to have a `_bsontype` field is an ordinary document.
 *
 * @param {object} value
 * @returns {string | undefined}
 */
function bsonTypeName(value) {
  const name = /** @type {any} */ (value)[bsonType] ?? /** @type {any} */ (value)._bsontype
  if (typeof name !== 'string') return undefined
  return isPlain(getPrototypeOf(value)) ? undefined : name
}

/** Whether it is the prototype of plain objects, in this realm or another. @param {object | null} prototype */
function isPlain(prototype) {
  if (prototype === objectPrototype || prototype === null) return true
  return getPrototypeOf(prototype) === null && hasOwn.call(prototype, 'isPrototypeOf')
}

function elementOfName(name, value) {
  const type = ELEMENT_BY_NAME.get(name)
  if (type === undefined) throw new BSONError(`Unrecognized or invalid _bsontype: ${shownName(name)}`)
  return type === ELEMENT.CODE && hasScope(value.scope) ? ELEMENT.CODE_WITH_SCOPE : type
}

/** @param {any} scope of code @returns {boolean} @throws {BSONError} on an object that is no document */
function hasScope(scope) {
  if (typeof scope !== 'object' || scope === null) return false
  try {
    checkScope(scope)
    return true
  } catch (error) {
    throw atKey(explainRevoked(error), '$scope')
  }
}

/** @param {object} scope @throws {BSONError} on an object that is no document */
function checkScope(scope) {
  if (getPrototypeOf(scope) === objectPrototype) return
  const type = typeOfObject(scope)
  if (type !== ELEMENT.DOCUMENT && type !== ELEMENT.ARRAY) throw new BSONError('the scope of a Code must be a document')
}

/** A raw document returns its bytes under this symbol; they are copied unchanged. */
const RAW = Symbol.for('qbson.raw')

/** Built-in objects, of this realm or another. @param {any} value */
function typeOfBuiltIn(value) {
  if (value[RAW] !== undefined) return value.isArray ? ELEMENT.ARRAY : ELEMENT.DOCUMENT
  if (ArrayBuffer.isView(value)) return ELEMENT.BINARY
  if (value instanceof Date || tagOf.call(value) === '[object Date]') return ELEMENT.DATETIME
  if (isRegExp(value)) return ELEMENT.REGEX
  if (isAnyArrayBuffer(value)) return ELEMENT.BINARY
  return ELEMENT.DOCUMENT
}

const tagOf = objectPrototype.toString

/** @param {unknown} value @returns {value is RegExp} */
function isRegExp(value) {
  return value instanceof RegExp || tagOf.call(value) === '[object RegExp]'
}

/**
 * A plain object is not a Map, whatever its tag says.
 *
 * @param {unknown} value
 * @returns {value is Map<unknown, unknown>}
 */
function isMap(value) {
  return value instanceof Map || (tagOf.call(value) === '[object Map]' && getPrototypeOf(value) !== objectPrototype)
}

/**
 * @param {Map<unknown, unknown>} map accepted by `isMap`
 * @returns {Iterable<[unknown, unknown]>}
 * @throws {BSONError} when it only claims to be a Map
 */
function entriesOf(map) {
  try {
    const entries = map.entries()
    return map.entries === mapEntries ? entries : pairsOf(entries)
  } catch (cause) {
    throw new BSONError('Map cannot be read: entries() throws', { cause })
  }
}

const mapEntries = Map.prototype.entries

/** Checks the pairs of a custom `entries` function. @param {any} entries @returns {Generator<[unknown, unknown]>} */
function* pairsOf(entries) {
  if (typeof entries?.[Symbol.iterator] !== 'function') throw new BSONError('Map cannot be read: entries() is not iterable')
  for (const entry of entries) {
    if (!Array.isArray(entry)) throw new BSONError('Map cannot be read: an entry is not a pair')
    yield /** @type {[unknown, unknown]} */ (entry)
  }
}

/** @param {object} value of element type DOCUMENT */
function isDBRef(value) {
  return getPrototypeOf(value) !== objectPrototype && bsonTypeName(value) === 'DBRef'
}

/**
 * @param {any} value of element type DOCUMENT or ARRAY
 * @returns {Uint8Array | undefined} the bytes of a raw document
 * @throws {BSONError} when they are no document, as far as its size and its last byte say
 */
function rawBytes(value) {
  const prototype = getPrototypeOf(value)
  if (prototype === objectPrototype || prototype === arrayPrototype) return undefined
  const bytes = value[RAW]
  if (bytes === undefined) return undefined
  const isWhole = isUint8Array(bytes) && bytes.length >= MIN_DOCUMENT_SIZE && getInt32(bytes, 0) === bytes.length
  if (!isWhole || bytes[bytes.length - 1] !== 0) throw new BSONError('a raw document must be the bytes of one document')
  return bytes
}

module.exports = {
  objectPrototype, datePrototype, objectIdPrototype, getPrototypeOf, OMIT, ELEMENT_BY_NAME, ELEMENT_BY_PROTOTYPE,
  typeOf, typeOfInstance, isInt32, bsonTypeName, isPlain, checkScope, isRegExp, isMap, entriesOf, isDBRef, rawBytes
}
