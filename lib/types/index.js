'use strict'

const { BSONValue } = require('./bson-value')
const { ObjectId } = require('./object-id')
const { Long } = require('./long')
const { Timestamp } = require('./timestamp')
const { Decimal128 } = require('./decimal128')
const { Binary, UUID } = require('./binary')
const { Int32 } = require('./int32')
const { Double } = require('./double')
const { Code } = require('./code')
const { DBRef, isDBRefLike, dbRefDocument } = require('./db-ref')
const { BSONRegExp } = require('./regexp')
const { BSONSymbol } = require('./symbol')
const { MinKey, MaxKey } = require('./min-max-key')
const { validateVector } = require('./vector')

module.exports = {
  BSONValue, ObjectId, Long, Timestamp, Decimal128, Binary, UUID, Int32, Double, Code, DBRef, isDBRefLike,
  dbRefDocument, BSONRegExp, BSONSymbol, MinKey, MaxKey, validateVector
}
