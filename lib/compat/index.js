'use strict'

// The names of the bson package 7.3, implemented with this library. It is a module of its own because TypeScript knows
// BSON as a namespace.

const { bsonType, BSONType } = require('../spec')
const { BSONError, BSONVersionError, BSONRuntimeError, BSONOffsetError } = require('../errors')
const { getInt32 } = require('../bytes')
const {
  toLocalBytes, BSONValue, ObjectId, Long, Timestamp, Decimal128, Binary, UUID, Int32, Double, Code, DBRef,
  BSONRegExp, BSONSymbol, MinKey, MaxKey
} = require('../types')
const { ownFields } = require('../properties')
const { rootError, sizeOf, encode, encodeInto } = require('../encode')
const { ownOptions, resolvePlan, quickPlan, decodeAt } = require('../decode')
const { EJSON } = require('../ejson')
const { parseToElements } = require('./on-demand')
const { readOptions } = require('./read-options')
const { ByteUtils } = require('./byte-utils')
const { NumberUtils } = require('./number-utils')

/** The size of bson's internal buffer in bytes, which limits its documents. */
const BUFFER_SIZE = 17 * 1024 * 1024

/** The largest document in bytes, as set by setInternalBufferSize. */
let largest = Infinity

/**
 * Writes a document as BSON, with the options and the limits of the bson package.
 *
 * @param {Document} object
 * @param {SerializeOptions & SerializeLimits} [options]
 * @returns {Uint8Array} a Buffer on Node
 * @throws {BSONError}
 */
function serialize(object, options = {}) {
  checkRoot(object)
  const bytes = encode(object, options)
  if (bytes.length > largest) throw new BSONError(`document is larger than ${largest} bytes`)
  return bytes
}

/**
 * Writes a document as BSON into memory of the caller, with the options of the bson package.
 *
 * @param {Document} object
 * @param {Uint8Array} finalBuffer written to, from `options.index` on
 * @param {SerializeOptions & SerializeLimits} [options]
 * @returns {number} the offset of the last byte written
 * @throws {BSONError} also when there is no room
 */
function serializeWithBufferAndIndex(object, finalBuffer, options = {}) {
  checkRoot(object)
  const { index } = ownFields(options)
  return encodeInto(object, finalBuffer, typeof index === 'number' ? index : 0, options) - 1
}

/**
 * Reads a document, with the options of the bson package and as leniently.
 *
 * @param {Uint8Array} buffer
 * @param {DeserializeOptions & DeserializeLimits} [options]
 * @returns {Document}
 * @throws {BSONError} with offset and path
 */
function deserialize(buffer, options = {}) {
  const buf = toLocalBytes(buffer)
  const read = typeof options === 'object' && options !== null ? readOptions(options) : NO_OPTIONS
  const plan = checksMost(read.validation) ? quickPlan(options, read, true) : undefined
  if (plan !== undefined) {
    const allowTrailing = Boolean(read.allowObjectSmallerThanBufferSize)
    try {
      return decodeAt(buf, read.index || 0, allowTrailing, plan)
    } catch {
      // the error may be about text that is not to be checked
    }
  }
  const own = ownOptions(options)
  const allowTrailing = Boolean(own.allowObjectSmallerThanBufferSize)
  return decodeAt(buf, own.index || 0, allowTrailing, resolvePlan(own, true))
}

const NO_OPTIONS = {}

/**
 * Whether text is checked everywhere except in at most one field, as the official driver requests. Then all text can be
 * checked at first: text that passes is the same either way.
 *
 * @param {DeserializeOptions['validation']} option
 */
function checksMost(option) {
  if (option === undefined || option === null || option.utf8 === true) return true
  const { utf8 } = option
  if (typeof utf8 !== 'object' || utf8 === null) return false
  let fields = 0
  for (const field in utf8) {
    if (typeof utf8[field] !== 'boolean' || fields++ > 0) return false
  }
  return fields === 1
}

/**
 * Reads several documents that follow one another.
 *
 * @param {Uint8Array | ArrayBuffer} data documents, one after the other
 * @param {number} startIndex where the first one begins, in bytes
 * @param {number} numberOfDocuments
 * @param {Document[]} documents the documents are added to it
 * @param {number} docStartIndex index in `documents` of the first one
 * @param {DeserializeOptions & DeserializeLimits} options
 * @returns {number} the offset after the last one
 * @throws {BSONError} with offset and path
 */
function deserializeStream(data, startIndex, numberOfDocuments, documents, docStartIndex, options) {
  const buf = toLocalBytes(data)
  const each = { allowObjectSmallerThanBufferSize: true, ...options, index: startIndex }
  for (let i = 0; i < numberOfDocuments; i++) {
    documents[docStartIndex + i] = deserialize(buf, each)
    each.index += getInt32(buf, each.index)
  }
  return each.index
}

/**
 * The size of a document as BSON.
 *
 * @param {Document} object
 * @param {CalculateObjectSizeOptions} [options]
 * @returns {number} bytes
 * @throws {BSONError}
 */
function calculateObjectSize(object, options = {}) {
  if (!Array.isArray(object)) checkRoot(object, 'calculateObjectSize')
  // sizeOf does not take arrays; as the field of a document one takes 7 bytes more
  return Array.isArray(object) ? sizeOf({ '': object }, options) - 7 : sizeOf(object, options)
}

/** The name in the message is that of the function that was called. @throws {BSONError} */
function checkRoot(object, name = 'serialize') {
  if (Array.isArray(object) || (typeof object !== 'object' && object !== undefined)) throw rootError(object, name)
}

/**
 * There is no fixed-size buffer here. But after this call `serialize` refuses larger documents, as bson does: some
 * programs, such as those that use the driver, have no other way to limit them.
 *
 * @param {number} size bytes; less than 17 MB count as 17 MB
 */
function setInternalBufferSize(size) {
  largest = size > BUFFER_SIZE ? size : BUFFER_SIZE
}

/** @type {any} one property of OnDemand is only a type */
const onDemandFunctions = Object.freeze({ __proto__: null, parseToElements, ByteUtils, NumberUtils })

/**
 * Where the elements of a document lie, and work on bytes and numbers: an experimental part of `bson`.
 *
 * @type {OnDemand}
 */
const onDemand = onDemandFunctions

/** @typedef {import('../types/bson-value').Document} Document */
/** @typedef {Pick<import('../encode/options').EncodeOptions, 'maxDepth' | 'maxSize'>} SerializeLimits */

/**
 * @typedef {object} SerializeOptions
 * @property {boolean} [checkKeys] refuse keys that start with `$` or contain a `.`; default false
 * @property {boolean} [serializeFunctions] write functions as code; default false
 * @property {boolean} [ignoreUndefined] leave undefined fields out; default true
 * @property {number} [index] where serializeWithBufferAndIndex begins to write; default 0
 */

/** @typedef {Omit<import('../decode/decode').DecodeOptions, 'maxDepth'>} DeserializeOptions the names of bson */
/** @typedef {Pick<import('../decode/decode').DecodeOptions, 'maxDepth'>} DeserializeLimits */
/** @typedef {Pick<SerializeOptions, 'serializeFunctions' | 'ignoreUndefined'>} CalculateObjectSizeOptions */

/**
 * @typedef {object} OnDemand
 * @property {(bytes: Uint8Array, startOffset?: number) => Iterable<import('./on-demand').BSONElement>}
 *   parseToElements
 * @property {typeof ByteUtils} ByteUtils
 * @property {typeof NumberUtils} NumberUtils
 * @property {import('./on-demand').BSONElement} BSONElement only a type; there is no such property
 */

/** @typedef {import('../types/bson-value').BSONTypeTag} BSONTypeTag */
/** @typedef {import('../types/binary').BinaryExtended} BinaryExtended */
/** @typedef {import('../types/binary').BinaryExtendedLegacy} BinaryExtendedLegacy */
/** @typedef {import('../types/binary').BinarySequence} BinarySequence */
/** @typedef {import('../types/binary').UUIDExtended} UUIDExtended */
/** @typedef {import('../types/code').CodeExtended} CodeExtended */
/** @typedef {import('../types/db-ref').DBRefLike} DBRefLike */
/** @typedef {import('../types/decimal128').Decimal128Extended} Decimal128Extended */
/** @typedef {import('../types/double').DoubleExtended} DoubleExtended */
/** @typedef {import('../types/int32').Int32Extended} Int32Extended */
/** @typedef {import('../types/long').LongExtended} LongExtended */
/** @typedef {import('../types/min-max-key').MaxKeyExtended} MaxKeyExtended */
/** @typedef {import('../types/min-max-key').MinKeyExtended} MinKeyExtended */
/** @typedef {import('../types/object-id').ObjectIdExtended} ObjectIdExtended */
/** @typedef {import('../types/object-id').ObjectIdLike} ObjectIdLike */
/** @typedef {import('../types/regexp').BSONRegExpExtended} BSONRegExpExtended */
/** @typedef {import('../types/regexp').BSONRegExpExtendedLegacy} BSONRegExpExtendedLegacy */
/** @typedef {import('../types/symbol').BSONSymbolExtended} BSONSymbolExtended */
/** @typedef {import('../types/timestamp').TimestampExtended} TimestampExtended */
/** @typedef {import('../types/timestamp').TimestampOverrides} TimestampOverrides */
/** @typedef {import('../types/timestamp').LongWithoutOverrides} LongWithoutOverrides */
/** @typedef {import('../ejson').EJSONOptions} EJSONOptions */
/** @typedef {import('../ejson').EJSONOptionsBase} EJSONOptionsBase */
/** @typedef {import('../ejson').EJSONParseOptions} EJSONParseOptions */
/** @typedef {import('../ejson').EJSONSerializeOptions} EJSONSerializeOptions */

module.exports = {
  BSONError, BSONOffsetError, BSONRegExp, BSONRuntimeError, BSONSymbol, BSONType, BSONValue, BSONVersionError, Binary,
  ByteUtils, Code, DBRef, Decimal128, Double, EJSON, Int32, Long, MaxKey, MinKey, NumberUtils, ObjectId, Timestamp,
  UUID, bsonType, calculateObjectSize, deserialize, deserializeStream, onDemand, serialize,
  serializeWithBufferAndIndex, setInternalBufferSize
}

// like the namespace object of an ES module
Object.freeze(Object.setPrototypeOf(module.exports, null))
