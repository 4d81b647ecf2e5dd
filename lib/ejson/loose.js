'use strict'

// Documents that have the key of a BSON type and not its form: other keys beside it, a value of another type. bson
// takes most of them, and so does what has its names: what bson makes of them, from values that have been read.

const { BSONError } = require('../errors')
const types = require('../types')
const { isDBRefKey } = require('../types')
const { WRAPPERS, saysNothing } = require('./wrappers')
const { unexpected } = require('./unexpected')

/** Where there are several keys the first counts, and these after all others. */
const LAST = ['$date', '$code', '$dbPointer']

/** And this before them. */
const FIRST = '$undefined'

/**
 * @param {any} doc with the key of a type; its values have been read, and may be null now
 * @param {string[]} names its keys
 * @param {import('./wrappers').Rules} rules
 * @returns {string | undefined} the key that bson would go by
 */
function keyOf(doc, names, rules) {
  const said = names.filter(name => WRAPPERS.has(name) && !saysNothing(doc[name], WRAPPERS.get(name), rules))
  if (said.includes(FIRST)) return FIRST
  return said.find(name => !LAST.includes(name)) ?? LAST.find(name => said.includes(name))
}

/**
 * @param {string} key that `keyOf` gave
 * @param {any} doc whose values have been read, but for a `$scope` and, of a time, the `$date`
 * @param {import('./wrappers').Rules} rules
 * @returns {any} the value
 * @throws {BSONError} where bson throws
 */
function readLoosely(key, doc, rules) {
  const { name, read } = WRAPPERS.get(key)
  try {
    if (key === '$dbPointer') return readPointer(doc)
    if (name === 'BSONRegExp' && !isRegex(doc)) throw unexpected(name, doc)
    if (name === 'Long' && typeof doc[key] !== 'string' && !rules.useBigInt64) throw unexpected(name, doc)
    return read(doc, rules)
  } catch (error) {
    throw error instanceof BSONError ? error : unexpected(name, doc)
  }
}

/** What its class would tell with all of the document. */
function isRegex({ $regex, $regularExpression }) {
  return typeof $regex === 'string' || $regex?._bsontype === 'BSONRegExp' || $regularExpression?.pattern !== undefined
}

function readPointer(doc) {
  const { $ref, $dbPointer: pointer } = doc
  if (pointer instanceof types.DBRef) return pointer
  if ($ref || Object.keys(pointer).some(name => name[0] === '$' && !isDBRefKey(name))) return doc
  return types.DBRef.fromExtendedJSON(pointer)
}

module.exports = { keyOf, readLoosely }
