'use strict'

// The BSON specification as constants: https://bsonspec.org/spec.html, version 1.1.
// Nothing here computes. Every other module takes its constants from this one.

/** Element types, named as on bsonspec.org. MIN_KEY is -1 in the specification: 255 as an unsigned byte. */
const ELEMENT = Object.freeze({
  DOUBLE: 0x01,
  STRING: 0x02,
  DOCUMENT: 0x03,
  ARRAY: 0x04,
  BINARY: 0x05,
  UNDEFINED: 0x06,
  OBJECT_ID: 0x07,
  BOOLEAN: 0x08,
  DATETIME: 0x09,
  NULL: 0x0a,
  REGEX: 0x0b,
  DB_POINTER: 0x0c,
  CODE: 0x0d,
  SYMBOL: 0x0e,
  CODE_WITH_SCOPE: 0x0f,
  INT32: 0x10,
  TIMESTAMP: 0x11,
  INT64: 0x12,
  DECIMAL128: 0x13,
  MAX_KEY: 0x7f,
  MIN_KEY: 0xff
})

/** Sizes of values of fixed length, by element type; -1 for other types and for types that do not exist. */
const FIXED_SIZE = Object.assign(new Int8Array(256).fill(-1), {
  [ELEMENT.DOUBLE]: 8,
  [ELEMENT.DATETIME]: 8,
  [ELEMENT.TIMESTAMP]: 8,
  [ELEMENT.INT64]: 8,
  [ELEMENT.INT32]: 4,
  [ELEMENT.OBJECT_ID]: 12,
  [ELEMENT.DECIMAL128]: 16,
  [ELEMENT.UNDEFINED]: 0,
  [ELEMENT.NULL]: 0,
  [ELEMENT.MIN_KEY]: 0,
  [ELEMENT.MAX_KEY]: 0
})

/** Binary subtypes. */
const SUBTYPE = Object.freeze({
  GENERIC: 0x00,
  FUNCTION: 0x01,
  BYTE_ARRAY: 0x02, // old layout: int32 length | 0x02 | int32 length - 4 | bytes
  UUID_OLD: 0x03,
  UUID: 0x04,
  MD5: 0x05,
  ENCRYPTED: 0x06,
  COLUMN: 0x07,
  SENSITIVE: 0x08,
  VECTOR: 0x09,
  USER_DEFINED: 0x80
})

/** Data types of a vector (subtype 9): https://github.com/mongodb/specifications, bson-binary-vector. */
const VECTOR = Object.freeze({ INT8: 0x03, PACKED_BIT: 0x10, FLOAT32: 0x27 })

/** @typedef {(typeof BSONType)[keyof typeof BSONType]} BSONType */

/** The aliases that MongoDB's `$type` operator uses for the element types. */
const BSONType = Object.freeze({
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binData: 5,
  undefined: 6,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  dbPointer: 12,
  javascript: 13,
  symbol: 14,
  javascriptWithScope: 15,
  int: 16,
  timestamp: 17,
  long: 18,
  decimal: 19,
  minKey: -1,
  maxKey: 127
})

/** The options of a regular expression, in the order in which they are stored. */
const REGEX_OPTIONS = 'ilmsux'

/** The range of a JavaScript Date, in ms before or after 1970. A BSON int64 has a larger range. */
const MAX_TIME = 8.64e15

const INT32_MAX = 0x7fffffff
const INT32_MIN = -0x80000000

/** int32 length and the closing 0x00. */
const MIN_DOCUMENT_SIZE = 5

/** A document's length is an int32, in bytes. */
const MAX_DOCUMENT_SIZE = INT32_MAX

/**
 * Default limit of nesting, in levels; MongoDB allows 100. On Node's default stack of 984 kB, arrays can be read 1,500
 * levels deep before the engine has optimised anything.
 */
const MAX_DEPTH = 1000

/** The major version of the `bson` package that these values match. Its own serialize checks it. */
const BSON_MAJOR_VERSION = 7
const BSON_VERSION_SYMBOL = Symbol.for('@@mdb.bson.version')

/** Every BSON value returns its type name under this symbol. */
const bsonType = Symbol.for('@@mdb.bson.type')

module.exports = {
  ELEMENT, FIXED_SIZE, SUBTYPE, VECTOR, BSONType, REGEX_OPTIONS, MAX_TIME, INT32_MAX, INT32_MIN, MIN_DOCUMENT_SIZE,
  MAX_DOCUMENT_SIZE, MAX_DEPTH, BSON_MAJOR_VERSION, BSON_VERSION_SYMBOL, bsonType
}
