'use strict'

// Extended JSON. The code is a third of the library and many programs never use it, so it is loaded at the first call:
// loading it takes as long as loading half of the rest.

/**
 * @typedef {object} EJSONOptionsBase
 * @property {boolean} [legacy] the forms of Extended JSON version 1; default false
 * @property {boolean} [relaxed] use JavaScript's own types where possible; default true
 * @property {number} [maxDepth] levels of nesting; default 1,000
 */

/**
 * @typedef {object} EJSONInt64Option
 * @property {boolean} [useBigInt64] int64 as bigint; default false
 *
 * @typedef {object} EJSONUndefinedOption
 * @property {boolean} [ignoreUndefined] leave undefined fields out instead of writing null; default false
 */

/** @typedef {EJSONOptionsBase & EJSONInt64Option} EJSONParseOptions */
/** @typedef {EJSONOptionsBase & EJSONUndefinedOption} EJSONSerializeOptions */

/** @typedef {EJSONSerializeOptions & EJSONParseOptions} EJSONOptions */

/**
 * As JSON.stringify's.
 *
 * @typedef {(number | string)[] | ((this: any, key: string, value: any) => any) | null} Replacer
 */

/** @typedef {typeof import('./functions')} Functions */
/** @typedef {import('./from-bson').FromBSONOptions} FromBSONOptions */

/** @type {Functions | undefined} */
let loaded

/** @returns {Functions} */
function load() {
  return (loaded ??= require('./functions'))
}

/** @type {Readonly<Omit<Functions, 'extendedJSONBytes' | 'extendedJSONLines' | 'extendedJSONValues'>>} */
const EJSON = Object.freeze({
  __proto__: null,
  parse: (text, options) => load().parse(text, options),
  stringify: (value, replacer, space, options) => load().stringify(value, replacer, space, options),
  serialize: (value, options) => load().serialize(value, options),
  deserialize: (ejson, options) => load().deserialize(ejson, options),
  fromBSON: (bytes, options) => load().fromBSON(bytes, options),
  toBSON: (text, options) => load().toBSON(text, options)
})

/**
 * `EJSON.fromBSON`, but returns UTF-8 and makes no string.
 *
 * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} bytes one document
 * @param {FromBSONOptions} [options]
 * @returns {Uint8Array} a Buffer on Node
 * @throws {import('../errors').BSONError} as `fromBSON`
 */
function extendedJSONBytes(bytes, options) {
  return load().extendedJSONBytes(bytes, options)
}

/**
 * Documents that follow one another as lines of Extended JSON, in UTF-8; with `space` a document takes several.
 *
 * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | Iterable<Uint8Array>} documents in one buffer, one after the
 *   other, or each in a buffer of its own
 * @param {EJSONOptionsBase & {space?: string | number}} [options]
 * @param {boolean} [isShared] whether the returned memory may be overwritten by the next text; default false
 * @returns {Uint8Array} a Buffer on Node
 * @throws {import('../errors').BSONError} as `fromBSON`, with `document`, its number from 1
 */
function extendedJSONLines(documents, options, isShared) {
  return load().extendedJSONLines(documents, options, isShared)
}

/**
 * The values of documents with one field each, whose name is empty, as a column of Extended JSON.
 *
 * @param {Uint8Array} documents valid ones
 * @param {Int32Array} starts of each, and the end of the last
 * @param {number} count
 * @returns {{offsets: Int32Array, values: Uint8Array}} where each text starts and the last one ends; UTF-8
 * @throws {import('../errors').BSONError} when they take more than 2 GB
 */
function extendedJSONValues(documents, starts, count) {
  return load().extendedJSONValues(documents, starts, count)
}

module.exports = { EJSON, extendedJSONBytes, extendedJSONLines, extendedJSONValues }
