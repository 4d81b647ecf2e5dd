'use strict'

// The names of the bson package 7.3, on top of this library; as a module, because TypeScript knows BSON as a namespace.

const { bsonType, BSONType } = require('../spec')
const { BSONError, BSONVersionError, BSONRuntimeError, BSONOffsetError } = require('../errors')
const { getInt32 } = require('../bytes')
const {
  toLocalBytes, BSONValue, ObjectId, Long, Timestamp, Decimal128, Binary, UUID, Int32, Double, Code, DBRef,
  BSONRegExp, BSONSymbol, MinKey, MaxKey
} = require('../types')
const { ownFields } = require('../properties')
const { sizeOf, encode, encodeInto } = require('../encode')
const { ownOptions, resolvePlan, quickPlan, decodeAt } = require('../decode')
const { EJSON } = require('../ejson')
const { parseToElements } = require('./on-demand')
const { readOptions } = require('./read-options')
const { ByteUtils } = require('./byte-utils')
const { NumberUtils } = require('./number-utils')

/** Bytes of bson's internal buffer, which no document exceeds there. */
const BUFFER_SIZE = 17 * 1024 * 1024

/** Bytes of a document: what setInternalBufferSize has said, if it was called. */
let largest = Infinity

/**
 * @param {Document} object
 * @param {SerializeOptions & SerializeLimits} [options]
 * @returns {Uint8Array} a Buffer on Node
 * @throws {BSONError}
 */
function serialize(object, options = {}) {
  const bytes = encode(object, options)
  if (bytes.length > largest) throw new BSONError(`document is larger than ${largest} bytes`)
  return bytes
}

/**
 * @param {Document} object
 * @param {Uint8Array} finalBuffer is written into, from `options.index` on
 * @param {SerializeOptions & SerializeLimits} [options]
 * @returns {number} the offset of the last byte written
 * @throws {BSONError} also when there is no room
 */
function serializeWithBufferAndIndex(object, finalBuffer, options = {}) {
  const { index } = ownFields(options)
  return encodeInto(object, finalBuffer, typeof index === 'number' ? index : 0, options) - 1
}

/**
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
      // what is wrong may be text that is not to be checked
    }
  }
  const own = ownOptions(options)
  const allowTrailing = Boolean(own.allowObjectSmallerThanBufferSize)
  return decodeAt(buf, own.index || 0, allowTrailing, resolvePlan(own, true))
}

const NO_OPTIONS = {}

/**
 * Whether text is checked everywhere but in one field at most, as the official driver says: then all may be checked,
 * for text that passes is the same text.
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
 * @param {Uint8Array | ArrayBuffer} data documents, one after the other
 * @param {number} startIndex where the first one begins, in bytes
 * @param {number} numberOfDocuments
 * @param {Document[]} documents is written into
 * @param {number} docStartIndex from there on
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
 * @param {Document} object
 * @param {CalculateObjectSizeOptions} [options]
 * @returns {number} bytes
 * @throws {BSONError}
 */
function calculateObjectSize(object, options = {}) {
  // an array is no document of its own; as a field of one it costs 7 bytes more
  return Array.isArray(object) ? sizeOf({ '': object }, options) - 7 : sizeOf(object, options)
}

/**
 * There is no buffer of a fixed size here. But `serialize` then refuses what does not fit into one, as bson does: for
 * programs that have no other way to say so, as those that use the driver.
 *
 * @param {number} size bytes; less than 17 MB count as 17 MB
 */
function setInternalBufferSize(size) {
  largest = size > BUFFER_SIZE ? size : BUFFER_SIZE
}

/** @type {any} the type has a property that is only a type */
const onDemandFunctions = Object.freeze({ __proto__: null, parseToElements, ByteUtils, NumberUtils })

/** @type {OnDemand} */
const onDemand = onDemandFunctions

/** @typedef {import('../types/bson-value').Document} Document */
/** @typedef {Pick<import('../encode/options').EncodeOptions, 'maxDepth' | 'maxSize'>} SerializeLimits */

/**
 * @typedef {object} SerializeOptions
 * @property {boolean} [checkKeys] refuse keys that start with `$` or hold a `.`; default false
 * @property {boolean} [serializeFunctions] write functions as code; default false
 * @property {boolean} [ignoreUndefined] leave undefined fields out; default true
 * @property {number} [index] where to begin, for serializeWithBufferAndIndex; default 0
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
 * @property {import('./on-demand').BSONElement} BSONElement a type only: no such property is there
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

// as the namespace object of an ES module is
Object.freeze(Object.setPrototypeOf(module.exports, null))
