'use strict'

const { BSONError } = require('./errors')

/** @type {ReturnType<typeof load> | undefined} */
let loaded

/** The files of this room, at the first call: `require('qbson')` takes 1.05 MB without them, 1.5 with (Node 20). */
function room() {
  return (loaded ??= load())
}

function load() {
  return {
    ...require('./ejson/parse'),
    ...require('./ejson/stringify'),
    ...require('./ejson/from-bson'),
    ...require('./ejson/to-bson'),
    ...require('./ejson/tree'),
    ...require('./ejson/indent')
  }
}

/**
 * @typedef {object} EJSONOptionsBase
 * @property {boolean} [legacy] the forms of Extended JSON version 1; default false
 * @property {boolean} [relaxed] JavaScript's own types where there is one; default true
 * @property {number} [maxDepth] levels of nesting; default 1,000,000
 */

/**
 * @typedef {EJSONOptionsBase & {useBigInt64?: boolean}} EJSONParseOptions `useBigInt64`: int64 as bigint; default false
 */

/**
 * @typedef {EJSONOptionsBase & {ignoreUndefined?: boolean}} EJSONSerializeOptions `ignoreUndefined`: leave undefined
 *   fields out instead of writing null; default false
 */

/** @typedef {EJSONSerializeOptions & EJSONParseOptions} EJSONOptions */

/**
 * As JSON.stringify's.
 *
 * @typedef {(number | string)[] | ((this: any, key: string, value: any) => any) | null} Replacer
 */

/**
 * @param {any} value
 * @param {Replacer | EJSONSerializeOptions} [replacer] sees the Extended JSON, not the values
 * @param {string | number | EJSONSerializeOptions} [space] as JSON.stringify's
 * @param {EJSONSerializeOptions} [options]
 * @returns {string}
 * @throws {import('./errors').BSONError} on a value that Extended JSON has no form for, with the path to it
 */
function stringify(value, replacer, space, options) {
  if (typeof space === 'object' && space !== null) {
    options = space
    space = undefined
  }
  if (typeof replacer === 'object' && replacer !== null && !Array.isArray(replacer)) {
    options = replacer
    replacer = undefined
  }
  const { OWN_TO_JSON, write, treeOf, gapOf, indent } = room()
  const resolved = { relaxed: true, legacy: false, ...options }
  const isReplaced = typeof replacer === 'function' || Array.isArray(replacer)
  const text = isReplaced ? OWN_TO_JSON : write(value, resolved)
  if (typeof text === 'symbol') return stringifyTree(treeOf(value, resolved), replacer, space)
  const gap = gapOf(space)
  return gap === '' || text === undefined ? /** @type {string} */ (text) : indent(text, gap)
}

/** @param {unknown} tree @param {any} replacer @param {any} space @returns {string} */
function stringifyTree(tree, replacer, space) {
  return JSON.stringify(tree, replacer, space)
}

/**
 * @param {any} value
 * @param {EJSONSerializeOptions} [options]
 * @returns {any} its Extended JSON as plain objects
 * @throws {import('./errors').BSONError} as `stringify`
 */
function serialize(value, options) {
  return JSON.parse(stringify(value, options || {}))
}

/**
 * @param {any} ejson Extended JSON as plain objects
 * @param {EJSONParseOptions} [options]
 * @returns {any}
 * @throws {import('./errors').BSONError} as `parse`
 */
function deserialize(ejson, options) {
  return parse(textOf(ejson), options || {})
}

/** @param {any} ejson @returns {string} */
function textOf(ejson) {
  try {
    return JSON.stringify(ejson)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new BSONError('Extended JSON objects are too deep or too large for JSON.stringify', { cause })
  }
}

/**
 * @param {string} text
 * @param {EJSONParseOptions} [options]
 * @returns {any}
 * @throws {import('./errors').BSONError} when it is not Extended JSON, with the path to what is wrong
 */
function parse(text, options) {
  return room().parse(text, options)
}

/**
 * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} bytes one document
 * @param {import('./ejson/from-bson').FromBSONOptions} [options]
 * @returns {string}
 * @throws {import('./errors').BSONError} on bytes that are not BSON, with the offset and the path
 */
function fromBSON(bytes, options) {
  return room().fromBSON(bytes, options)
}

/**
 * @param {string} text one document in Extended JSON, canonical or relaxed
 * @param {EJSONOptionsBase} [options] `legacy`: version 1 may be in it too
 * @returns {Uint8Array} a Buffer on Node
 * @throws {import('./errors').BSONError} when it is not Extended JSON, with the path to what is wrong
 */
function toBSON(text, options) {
  return room().toBSON(text, options)
}

const functions = { parse, stringify, serialize, deserialize, fromBSON, toBSON }

/** @type {Readonly<typeof functions>} */
const EJSON = Object.freeze(Object.assign(Object.create(null), functions))

module.exports = { EJSON }
