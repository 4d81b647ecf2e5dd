'use strict'

const { MAX_DEPTH } = require('./spec')
const { BSONError } = require('./errors')

/**
 * An object's own fields, and nothing that was put on the prototype of all objects: of options, a polluted prototype
 * must say nothing.
 *
 * @template T
 * @param {T} object nothing at all has no fields
 * @returns {T}
 */
function ownFields(object) {
  // @ts-ignore: __proto__ in a literal is not a field
  return { __proto__: null, ...object }
}

const hasOwn = Object.prototype.hasOwnProperty

/**
 * One of them: where an object is small and often new, this takes a third of the time.
 *
 * @template T
 * @template {keyof T} K
 * @param {T} object
 * @param {K} name
 * @param {T[K]} [otherwise] what an undefined field counts as
 * @returns {T[K]}
 */
function ownField(object, name, otherwise) {
  const value = hasOwn.call(object, name) ? object[name] : undefined
  return value === undefined ? otherwise : value
}

/**
 * Whether the fields whose bits are set are the object's own.
 *
 * @param {object} object
 * @param {readonly string[]} names in the order of the bits
 * @param {number} bits
 */
function ownsAll(object, names, bits) {
  for (let i = 0; 1 << i <= bits; i++) {
    if ((bits & (1 << i)) !== 0 && !hasOwn.call(object, names[i])) return false
  }
  return true
}

/**
 * An own property whatever its name: `__proto__` must not reach the prototype.
 *
 * @param {object} object
 * @param {string} key
 * @param {any} value
 */
function setOwn(object, key, value) {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

/**
 * The option maxDepth of every function.
 *
 * @param {unknown} maxDepth nothing at all is the default
 * @returns {number} levels
 * @throws {BSONError} on what is neither a non-negative integer nor Infinity: to round it would be to guess
 */
function levelsOf(maxDepth) {
  if (maxDepth === undefined || maxDepth === null) return MAX_DEPTH
  const levels = typeof maxDepth === 'number' && maxDepth >= 0 ? maxDepth : NaN
  if (Number.isInteger(levels) || levels === Infinity) return levels
  throw new BSONError('maxDepth must be a non-negative integer')
}

/**
 * Whether every object has something of that name: `toString`, `__proto__`, or what somebody has put there. Not by
 * `in`: for names that are new V8 looks long, and documents of 100 new keys took 1.1 to 1.3 times as long.
 *
 * @param {string} key
 */
function isInherited(key) {
  return hasOwn.call(Object.prototype, key)
}

/** The names on the prototype of all objects when the library was loaded. */
const inheritedNames = Object.getOwnPropertyNames(Object.prototype)

/** By their first character, the lengths of these names, as bits. */
const inheritedLengths = inheritedNames.reduce((lengths, name) => {
  lengths[name.charCodeAt(0) & 127] |= 1 << name.length
  return lengths
}, new Uint32Array(128))

/** Whether a name can be one of those, which is quicker to say than that it is. @param {string} name */
function mayBeInherited(name) {
  return (inheritedLengths[name.charCodeAt(0) & 127] & (1 << name.length)) !== 0
}

/**
 * Whether something has been put on the prototype of all objects since the library was loaded, or taken from it. It
 * takes 340 ns. A new name is the last one.
 */
function isPrototypeChanged() {
  const names = Object.getOwnPropertyNames(Object.prototype)
  const { length } = inheritedNames
  return names.length !== length || names[length - 1] !== inheritedNames[length - 1]
}

module.exports = {
  ownFields, ownField, ownsAll, setOwn, isInherited, mayBeInherited, isPrototypeChanged, levelsOf
}
