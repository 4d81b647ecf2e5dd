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
