'use strict'

const { BSONType, bsonType } = require('./lib/spec')
const { BSONError, BSONVersionError, BSONRuntimeError, BSONOffsetError } = require('./lib/errors')
const {
  BSONValue, ObjectId, Long, Decimal128, Double, Int32, Timestamp, Binary, UUID, Code, DBRef, BSONRegExp, BSONSymbol,
  MinKey, MaxKey
} = require('./lib/types')
const { sizeOf, encodeInto } = require('./lib/encode')
const { validate } = require('./lib/elements')
const { RawDocument } = require('./lib/raw')
const { EJSON } = require('./lib/ejson')
const { documents, documentStream, createDecodeStream, createEncodeStream } = require('./lib/batch')
const { encode, decode, ObjectID, DbRef } = require('./lib/compat/qmongo')
const BSON = require('./lib/compat')
const {
  serialize, deserialize, serializeWithBufferAndIndex, deserializeStream, calculateObjectSize, setInternalBufferSize,
  onDemand, ByteUtils, NumberUtils
} = require('./lib/compat')

/** @typedef {import('./lib/decode/options').DecodeOptions} DecodeOptions */
/** @typedef {import('./lib/encode/options').EncodeOptions} EncodeOptions */
/** @typedef {import('./lib/batch/documents').DocumentsOptions} DocumentsOptions */
/** @typedef {import('./lib/ejson').FromBSONOptions} FromBSONOptions */
/** @typedef {import('./lib/ejson').Replacer} Replacer */

// The types of the bson package.
/** @typedef {import('./lib/compat').BSONRegExpExtended} BSONRegExpExtended */
/** @typedef {import('./lib/compat').BSONRegExpExtendedLegacy} BSONRegExpExtendedLegacy */
/** @typedef {import('./lib/compat').BSONSymbolExtended} BSONSymbolExtended */
/** @typedef {import('./lib/compat').BSONTypeTag} BSONTypeTag */
/** @typedef {import('./lib/compat').BinaryExtended} BinaryExtended */
/** @typedef {import('./lib/compat').BinaryExtendedLegacy} BinaryExtendedLegacy */
/** @typedef {import('./lib/compat').BinarySequence} BinarySequence */
/** @typedef {import('./lib/compat').CalculateObjectSizeOptions} CalculateObjectSizeOptions */
/** @typedef {import('./lib/compat').CodeExtended} CodeExtended */
/** @typedef {import('./lib/compat').DBRefLike} DBRefLike */
/** @typedef {import('./lib/compat').Decimal128Extended} Decimal128Extended */
/** @typedef {import('./lib/compat').DeserializeOptions} DeserializeOptions */
/** @typedef {import('./lib/compat').Document} Document */
/** @typedef {import('./lib/compat').DoubleExtended} DoubleExtended */
/** @typedef {import('./lib/compat').EJSONOptions} EJSONOptions */
/** @typedef {import('./lib/compat').EJSONOptionsBase} EJSONOptionsBase */
/** @typedef {import('./lib/compat').EJSONParseOptions} EJSONParseOptions */
/** @typedef {import('./lib/compat').EJSONSerializeOptions} EJSONSerializeOptions */
/** @typedef {import('./lib/compat').Int32Extended} Int32Extended */
/** @typedef {import('./lib/compat').LongExtended} LongExtended */
/** @typedef {import('./lib/compat').LongWithoutOverrides} LongWithoutOverrides */
/** @typedef {import('./lib/compat').MaxKeyExtended} MaxKeyExtended */
/** @typedef {import('./lib/compat').MinKeyExtended} MinKeyExtended */
/** @typedef {import('./lib/compat').ObjectIdExtended} ObjectIdExtended */
/** @typedef {import('./lib/compat').ObjectIdLike} ObjectIdLike */
/** @typedef {import('./lib/compat').OnDemand} OnDemand */
/** @typedef {import('./lib/compat').SerializeOptions} SerializeOptions */
/** @typedef {import('./lib/compat').TimestampExtended} TimestampExtended */
/** @typedef {import('./lib/compat').TimestampOverrides} TimestampOverrides */
/** @typedef {import('./lib/compat').UUIDExtended} UUIDExtended */

module.exports = {
  encode, encodeInto, decode, sizeOf, validate, EJSON, RawDocument, documents, documentStream, createDecodeStream,
  createEncodeStream, BSONValue, ObjectId, Long, Decimal128, Double, Int32, Timestamp, Binary, UUID, Code, DBRef,
  BSONRegExp, BSONSymbol, MinKey, MaxKey, BSONError, BSONVersionError, BSONRuntimeError, BSONOffsetError, BSONType,
  bsonType, BSON, serialize, deserialize, serializeWithBufferAndIndex, deserializeStream, calculateObjectSize,
  setInternalBufferSize, onDemand, ByteUtils, NumberUtils, ObjectID, DbRef
}
