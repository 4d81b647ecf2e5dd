'use strict'

// The types of columns. A type is a plain tree: `{ kind, fields?, items?, subtype?, form? }`.

/** Names of the kinds, by their numbers. */
const KIND_NAMES = Object.freeze([
  'null', 'bool', 'int32', 'int64', 'double', 'date', 'timestamp', 'objectId', 'decimal128', 'uuid', 'string', 'json',
  'binary', 'regex', 'struct', 'list', 'map', 'checked'
])

const KIND = Object.freeze({
  NULL: 0,
  BOOL: 1,
  INT32: 2,
  INT64: 3,
  DOUBLE: 4,
  DATE: 5,
  TIMESTAMP: 6,
  OBJECT_ID: 7,
  DECIMAL128: 8,
  UUID: 9,
  STRING: 10,
  JSON: 11,
  BINARY: 12,
  REGEX: 13,
  STRUCT: 14,
  LIST: 15,
  MAP: 16,
  /** Text of which each value is checked to be UTF-8, while reading. */
  CHECKED: 17
})

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

/** 32-bit words of a value; 0 if the size varies. @type {number[]} */
const WORDS = byKind({ int32: 1, int64: 2, double: 2, date: 2, timestamp: 2, objectId: 3, decimal128: 4, uuid: 4 }, 0)

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
 * @property {boolean} [isWhole] whether it was inferred from documents without other fields; the values of other fields
 *   are then checked too
 * @property {boolean} [isChosen] whether fields of the documents were left out on purpose
 */

module.exports = { KIND, KIND_NAMES, FORM, WORDS, byKind, MAX_COLUMNS, MAX_LEVELS }
