'use strict'

// The types of columns. A type is a plain tree: `{ kind, fields?, items?, subtype?, form? }`.

const { ELEMENT } = require('../../spec')

/**
 * @typedef {object} Kind
 * @property {number} [element] the element type of its values
 * @property {number} [words] 32-bit words of a value; default 0: the size varies
 * @property {any} [array] the class for these values
 * @property {boolean} [hasOffsets] whether there are offsets of its values
 * @property {string} [bson] MongoDB's name, which Arrow fields state where Arrow has no such type
 */

/** All kinds, in the order of their numbers. @satisfies {Record<string, Kind>} */
const KINDS = {
  NULL: {},
  BOOL: { element: ELEMENT.BOOLEAN },
  INT32: { element: ELEMENT.INT32, words: 1, array: Int32Array },
  INT64: { element: ELEMENT.INT64, words: 2, array: BigInt64Array },
  DOUBLE: { element: ELEMENT.DOUBLE, words: 2, array: Float64Array },
  DATE: { element: ELEMENT.DATETIME, words: 2, array: BigInt64Array },
  TIMESTAMP: { element: ELEMENT.TIMESTAMP, words: 2, array: BigUint64Array, bson: 'timestamp' },
  OBJECT_ID: { element: ELEMENT.OBJECT_ID, words: 3, array: Uint8Array, bson: 'objectId' },
  DECIMAL128: { element: ELEMENT.DECIMAL128, words: 4, array: Uint8Array, bson: 'decimal' },
  UUID: { element: ELEMENT.BINARY, words: 4, array: Uint8Array, bson: 'uuid' },
  STRING: { element: ELEMENT.STRING, hasOffsets: true },
  JSON: { hasOffsets: true, bson: 'json' },
  BINARY: { element: ELEMENT.BINARY, hasOffsets: true, bson: 'binData' },
  REGEX: { element: ELEMENT.REGEX, bson: 'regex' },
  STRUCT: { element: ELEMENT.DOCUMENT },
  LIST: { element: ELEMENT.ARRAY, hasOffsets: true },
  MAP: { element: ELEMENT.DOCUMENT, hasOffsets: true },
  /** Text of which each value is checked to be UTF-8, while reading. */
  CHECKED: {}
}

/** The numbers. @type {Readonly<Record<keyof typeof KINDS, number>>} */
const KIND = /** @type {any} */ (Object.freeze(Object.fromEntries(Object.keys(KINDS).map((name, i) => [name, i]))))

/** By number: the names that users see, such as `objectId`, and what is in the table. */
const KIND_NAMES = Object.freeze(Object.keys(KINDS).map(name => {
  return name.toLowerCase().replace(/_./, ([, letter]) => letter.toUpperCase())
}))
const ROWS = Object.freeze(/** @type {Kind[]} */ (Object.values(KINDS)))

/** 32-bit words of a value, by kind. */
const WORDS = ROWS.map(({ words = 0 }) => words)

/**
 * A table with a row for each kind, by number, out of one by name. Kinds that are not named get `others`.
 *
 * @template T
 * @param {Record<string, T>} rows
 * @param {T} [others]
 * @returns {T[]}
 */
function byKind(rows, others) {
  const unknown = Object.keys(rows).find(name => !KIND_NAMES.includes(name))
  if (unknown !== undefined) throw new Error(`there is no kind ${unknown}`)
  return KIND_NAMES.map(name => (Object.hasOwn(rows, name) ? rows[name] : others))
}

/** The kind of a column for values of one type, by their element type. @type {Map<number, number>} */
const KIND_OF = new Map(ROWS.map(({ element }, kind) => /** @type {[number, number]} */ ([element ?? -1, kind])))

/** @type {number[]} */
const NUMBERS = [ELEMENT.INT32, ELEMENT.INT64, ELEMENT.DOUBLE]

/** What a column of decimals can hold. */
const DECIMALS = [...NUMBERS, ELEMENT.DECIMAL128]

/** A column of all of these. @type {Type} */
const DECIMALS_AND_NUMBERS = Object.freeze({ kind: KIND.DECIMAL128, takesNumbers: true })

/** The kind of a column for numbers. @param {number[]} types of NUMBERS @returns {number} */
function widest(types) {
  if (types.includes(ELEMENT.DOUBLE)) return KIND.DOUBLE
  return types.includes(ELEMENT.INT64) ? KIND.INT64 : KIND.INT32
}

/**
 * How values can be shown to others, if not as they are: ids as hexadecimal digits, decimals as integers of 128 bits
 * with a fixed number of digits after the point, geometry as Well-Known Binary.
 */
const FORM = Object.freeze({ HEX: 'hex', BYTES: 'bytes', DECIMAL: 'decimal', DOUBLE: 'double', STRING: 'string', WKB: 'wkb' })

/** The most columns of a table, including nested ones. */
const MAX_COLUMNS = 10_000

/**
 * The most levels of columns; deeper values are Extended JSON. Arrow readers take 64 levels, a map counts as two, and
 * one of these readers writes Parquet.
 */
const MAX_LEVELS = 30

/**
 * @typedef {object} Type
 * @property {number} kind of KIND
 * @property {Map<string, Type>} [fields] of a struct, in order
 * @property {Type} [items] of a list; the values of a map
 * @property {number | null} [subtype] of a binary column; null when they differ or may differ
 * @property {string} [form] of FORM; default: the values as they are
 * @property {{precision: number, scale: number}} [decimal] digits, and digits after the point, of the form `decimal`
 * @property {boolean} [takesNumbers] whether a column of decimals takes other numbers, too
 * @property {boolean} [isWhole] whether it was inferred from documents without other fields; the values of other fields
 *   are then checked too
 * @property {boolean} [isChosen] whether fields of the documents were left out on purpose
 * @property {import('./fields').Selection} [selection] the only fields that are wanted of documents in it
 */

module.exports = {
  KIND, KIND_NAMES, KIND_OF, ROWS, WORDS, FORM, NUMBERS, DECIMALS, DECIMALS_AND_NUMBERS, byKind, widest, MAX_COLUMNS,
  MAX_LEVELS
}
