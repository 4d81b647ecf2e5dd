'use strict'

const { BSONType, bsonType } = require('./lib/spec')
const { BSONError, BSONVersionError, BSONRuntimeError, BSONOffsetError } = require('./lib/errors')
const {
  BSONValue,
  ObjectId,
  Long,
  Decimal128,
  Double,
  Int32,
  Timestamp,
  Binary,
  UUID,
  Code,
  DBRef,
  BSONRegExp,
  BSONSymbol,
  MinKey,
  MaxKey
} = require('./lib/types')
const { sizeOf } = require('./lib/size')
const { validate } = require('./lib/elements')
const { encodeInto } = require('./lib/shapes')
const { RawDocument } = require('./lib/raw')
const { EJSON } = require('./lib/ejson')
const { documents, documentStream, createDecodeStream, createEncodeStream } = require('./lib/stream')
const { encode, decode, ObjectID, DbRef } = require('./lib/qmongo')
const {
  BSON,
  serialize,
  deserialize,
  serializeWithBufferAndIndex,
  deserializeStream,
  calculateObjectSize,
  setInternalBufferSize,
  onDemand,
  ByteUtils,
  NumberUtils
} = require('./lib/compat')

// The types of the bson package.
/** @typedef {import('./lib/compat/bson').BSONRegExpExtended} BSONRegExpExtended */
/** @typedef {import('./lib/compat/bson').BSONRegExpExtendedLegacy} BSONRegExpExtendedLegacy */
/** @typedef {import('./lib/compat/bson').BSONSymbolExtended} BSONSymbolExtended */
/** @typedef {import('./lib/compat/bson').BSONTypeTag} BSONTypeTag */
/** @typedef {import('./lib/compat/bson').BinaryExtended} BinaryExtended */
/** @typedef {import('./lib/compat/bson').BinaryExtendedLegacy} BinaryExtendedLegacy */
/** @typedef {import('./lib/compat/bson').BinarySequence} BinarySequence */
/** @typedef {import('./lib/compat/bson').CalculateObjectSizeOptions} CalculateObjectSizeOptions */
/** @typedef {import('./lib/compat/bson').CodeExtended} CodeExtended */
/** @typedef {import('./lib/compat/bson').DBRefLike} DBRefLike */
/** @typedef {import('./lib/compat/bson').Decimal128Extended} Decimal128Extended */
/** @typedef {import('./lib/compat/bson').DeserializeOptions} DeserializeOptions */
/** @typedef {import('./lib/compat/bson').Document} Document */
/** @typedef {import('./lib/compat/bson').DoubleExtended} DoubleExtended */
/** @typedef {import('./lib/compat/bson').EJSONOptions} EJSONOptions */
/** @typedef {import('./lib/compat/bson').EJSONOptionsBase} EJSONOptionsBase */
/** @typedef {import('./lib/compat/bson').EJSONParseOptions} EJSONParseOptions */
/** @typedef {import('./lib/compat/bson').EJSONSerializeOptions} EJSONSerializeOptions */
/** @typedef {import('./lib/compat/bson').Int32Extended} Int32Extended */
/** @typedef {import('./lib/compat/bson').LongExtended} LongExtended */
/** @typedef {import('./lib/compat/bson').LongWithoutOverrides} LongWithoutOverrides */
/** @typedef {import('./lib/compat/bson').MaxKeyExtended} MaxKeyExtended */
/** @typedef {import('./lib/compat/bson').MinKeyExtended} MinKeyExtended */
/** @typedef {import('./lib/compat/bson').ObjectIdExtended} ObjectIdExtended */
/** @typedef {import('./lib/compat/bson').ObjectIdLike} ObjectIdLike */
/** @typedef {import('./lib/compat/bson').OnDemand} OnDemand */
/** @typedef {import('./lib/compat/bson').SerializeOptions} SerializeOptions */
/** @typedef {import('./lib/compat/bson').TimestampExtended} TimestampExtended */
/** @typedef {import('./lib/compat/bson').TimestampOverrides} TimestampOverrides */
/** @typedef {import('./lib/compat/bson').UUIDExtended} UUIDExtended */

module.exports = {
  encode,
  encodeInto,
  decode,
  sizeOf,
  validate,
  EJSON,
  RawDocument,
  documents,
  documentStream,
  createDecodeStream,
  createEncodeStream,
  BSONValue,
  ObjectId,
  Long,
  Decimal128,
  Double,
  Int32,
  Timestamp,
  Binary,
  UUID,
  Code,
  DBRef,
  BSONRegExp,
  BSONSymbol,
  MinKey,
  MaxKey,
  BSONError,
  BSONVersionError,
  BSONRuntimeError,
  BSONOffsetError,
  BSONType,
  bsonType,
  BSON,
  serialize,
  deserialize,
  serializeWithBufferAndIndex,
  deserializeStream,
  calculateObjectSize,
  setInternalBufferSize,
  onDemand,
  ByteUtils,
  NumberUtils,
  ObjectID,
  DbRef
}
