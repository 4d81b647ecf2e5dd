'use strict'

// The classes of BSON values, and related functions.

const { BSONValue } = require('./bson-value')
const { ObjectId } = require('./object-id')
const { Long } = require('./long')
const { isInt64, checkInt64 } = require('./int64')
const { Timestamp } = require('./timestamp')
const { Decimal128 } = require('./decimal128')
const { Binary, UUID, binaryOverhead } = require('./binary')
const { Int32 } = require('./int32')
const { Double } = require('./double')
const { Code } = require('./code')
const { DBRef, toDBRef, isDBRefKey, isDBRefLike, dbRefDocument } = require('./db-ref')
const { BSONRegExp, checkedOptions } = require('./regexp')
const { BSONSymbol } = require('./symbol')
const { MinKey, MaxKey } = require('./min-max-key')
const { validateVector, swapped, IS_BIG_ENDIAN } = require('./vector')
const { randomBytes } = require('./random-bytes')
const { toLocalBytes, fromNumberArray, allocateZeroed, allocateUnsafe } = require('./local-bytes')

module.exports = {
  BSONValue, ObjectId, Long, isInt64, checkInt64, Timestamp, Decimal128, Binary, UUID, binaryOverhead, Int32, Double,
  Code, DBRef, toDBRef, isDBRefKey, isDBRefLike, dbRefDocument, BSONRegExp, checkedOptions, BSONSymbol, MinKey, MaxKey,
  validateVector, swapped, IS_BIG_ENDIAN, randomBytes, toLocalBytes, fromNumberArray, allocateZeroed,
  allocateUnsafe
}
