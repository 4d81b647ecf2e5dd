'use strict'

// The types of columns. A type is a plain tree: `{ kind, fields?, items?, subtype? }`.

/** Names of the kinds, by their numbers. */
const KIND_NAMES = Object.freeze([
  'null', 'bool', 'int32', 'int64', 'double', 'date', 'timestamp', 'objectId', 'decimal128', 'uuid', 'string', 'json',
  'binary', 'regex', 'struct', 'list', 'map'
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
  /** Text of which each value is checked to be UTF-8. */
  CHECKED: 17
})

/** 32-bit words of a value, by kind; 0 if the size varies. */
const WORDS = Object.freeze([0, 0, 1, 2, 2, 2, 2, 3, 4, 4, 0, 0, 0, 0, 0, 0, 0])

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
 * @property {boolean} [isWhole] whether it was inferred from documents without other fields; the values of other fields
 *   are then checked too
 * @property {boolean} [isChosen] whether fields of the documents were left out on purpose
 */

module.exports = { KIND, KIND_NAMES, WORDS, MAX_COLUMNS, MAX_LEVELS }
