'use strict'

const bson = require('bson')
const spec = require('../lib/spec')

const { ELEMENT, SUBTYPE, VECTOR, BSONType, INT32_MAX, INT32_MIN, MIN_DOCUMENT_SIZE, MAX_DOCUMENT_SIZE } = spec

/** ELEMENT's names by those that `$type` has. */
const NAMES = {
  double: 'DOUBLE', string: 'STRING', object: 'DOCUMENT', array: 'ARRAY', binData: 'BINARY', undefined: 'UNDEFINED', objectId: 'OBJECT_ID',
  bool: 'BOOLEAN', date: 'DATETIME', null: 'NULL', regex: 'REGEX', dbPointer: 'DB_POINTER', javascript: 'CODE', symbol: 'SYMBOL',
  javascriptWithScope: 'CODE_WITH_SCOPE', int: 'INT32', timestamp: 'TIMESTAMP', long: 'INT64', decimal: 'DECIMAL128', maxKey: 'MAX_KEY'
}

module.exports = {
  'element types are those of bson': t => {
    t.deepStrictEqual({ ...BSONType }, { ...bson.BSONType })
    for (const [alias, name] of Object.entries(NAMES)) t.strictEqual(ELEMENT[name], bson.BSONType[alias], name)
    t.strictEqual(ELEMENT.MIN_KEY, bson.BSONType.minKey & 0xff)
    t.strictEqual(Object.keys(ELEMENT).length, Object.keys(NAMES).length + 1)
    t.done()
  },

  'subtypes are those of bson': t => {
    const names = {
      GENERIC: 'DEFAULT', FUNCTION: 'FUNCTION', BYTE_ARRAY: 'BYTE_ARRAY', UUID_OLD: 'UUID_OLD', UUID: 'UUID', MD5: 'MD5', ENCRYPTED: 'ENCRYPTED',
      COLUMN: 'COLUMN', SENSITIVE: 'SENSITIVE', VECTOR: 'VECTOR', USER_DEFINED: 'USER_DEFINED'
    }
    for (const [ours, theirs] of Object.entries(names)) t.strictEqual(SUBTYPE[ours], bson.Binary[`SUBTYPE_${theirs}`], ours)
    t.deepStrictEqual(Object.keys(SUBTYPE), Object.keys(names))
    const { Int8, Float32, PackedBit } = bson.Binary.VECTOR_TYPE
    t.deepStrictEqual([VECTOR.INT8, VECTOR.FLOAT32, VECTOR.PACKED_BIT], [Int8, Float32, PackedBit])
    t.done()
  },

  'limits': t => {
    t.deepStrictEqual([INT32_MIN, INT32_MAX], [-(2 ** 31), 2 ** 31 - 1])
    t.strictEqual(MIN_DOCUMENT_SIZE, bson.serialize({}).length)
    t.strictEqual(MAX_DOCUMENT_SIZE, INT32_MAX)
    t.done()
  },

  'nothing can be changed': t => {
    for (const name of ['ELEMENT', 'SUBTYPE', 'VECTOR', 'BSONType']) t.ok(Object.isFrozen(spec[name]), name)
    t.done()
  }
}
