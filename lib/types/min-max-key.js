'use strict'

const { BSONValue } = require('./bson-value')

/** Compares less than every other value. */
class MinKey extends BSONValue {
  /** @returns {'MinKey'} */ get _bsontype() { return 'MinKey' }
  /** @returns {MinKeyExtended} @internal */ toExtendedJSON() { return { $minKey: 1 } }
  /** @returns {MinKey} @internal */ static fromExtendedJSON() { return new MinKey() }
  /** @returns {string} as code */ inspect() { return 'new MinKey()' }
}

/** Compares greater than every other value. */
class MaxKey extends BSONValue {
  /** @returns {'MaxKey'} */ get _bsontype() { return 'MaxKey' }
  /** @returns {MaxKeyExtended} @internal */ toExtendedJSON() { return { $maxKey: 1 } }
  /** @returns {MaxKey} @internal */ static fromExtendedJSON() { return new MaxKey() }
  /** @returns {string} as code */ inspect() { return 'new MaxKey()' }
}

/** @typedef {{$minKey: 1}} MinKeyExtended */
/** @typedef {{$maxKey: 1}} MaxKeyExtended */

module.exports = { MinKey, MaxKey }
