'use strict'

const { BSONValue } = require('./types/bson-value')
const { ObjectId } = require('./types/object-id')
const { Long } = require('./types/long')
const { Timestamp } = require('./types/timestamp')
const { Decimal128 } = require('./types/decimal128')
const { Binary, UUID } = require('./types/binary')
const { Int32 } = require('./types/int32')
const { Double } = require('./types/double')
const { Code } = require('./types/code')
const { DBRef, isDBRefLike, dbRefDocument } = require('./types/db-ref')
const { BSONRegExp } = require('./types/regexp')
const { BSONSymbol } = require('./types/symbol')
const { MinKey, MaxKey } = require('./types/min-max-key')
const { validateVector } = require('./types/vector')

module.exports = {
  BSONValue, ObjectId, Long, Timestamp, Decimal128, Binary, UUID, Int32, Double, Code, DBRef, isDBRefLike,
  dbRefDocument, BSONRegExp, BSONSymbol, MinKey, MaxKey, validateVector
}
