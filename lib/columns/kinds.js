'use strict'

// What a column holds. A type is a plain tree: `{ kind, fields?, items?, subtype? }`.

/** Names of the kinds, by number. */
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
  /** Text while each is checked to be UTF-8. */
  CHECKED: 17
})

/** 32-bit words of a value, by kind; 0 where the size differs from value to value. */
const WORDS = Object.freeze([0, 0, 1, 2, 2, 2, 2, 3, 4, 4, 0, 0, 0, 0, 0, 0, 0])

/** Columns of a table, nested ones included. */
const MAX_COLUMNS = 10_000

/**
 * Levels of columns; what is deeper is Extended JSON. The readers of Arrow take 64 levels, of which a map is two, and
 * Parquet is written by one of them.
 */
const MAX_LEVELS = 30

/**
 * @typedef {object} Type
 * @property {number} kind of KIND
 * @property {Map<string, Type>} [fields] of a struct, in order
 * @property {Type} [items] of a list; the values of a map
 * @property {number | null} [subtype] of a binary column; null when they differ, or may
 * @property {boolean} [isWhole] whether the documents that it was found in have no other fields: what others hold is
 *   checked, too
 * @property {boolean} [isChosen] whether fields of the documents were left out on purpose
 */

module.exports = { KIND, KIND_NAMES, WORDS, MAX_COLUMNS, MAX_LEVELS }
