'use strict'

// Documents with the key of a BSON type but not its form: with other keys beside it, or a value of another type. The
// bson package accepts most of them, so the functions with its names do too. This file makes the same values of them;
// the values inside have been read already.

const { BSONError } = require('../errors')
const types = require('../types')
const { WRAPPERS, isIgnored } = require('./wrappers')
const { unexpected } = require('./unexpected')

/** Of several type keys the first one counts, but these count only if there is no other. */
const LAST = ['$date', '$code', '$dbPointer']

/** This key takes precedence over all others. */
const FIRST = '$undefined'

/** The key by which bson tells the type. The values of `doc` have already been read, so that they may be null. */
function keyOf(doc, names, rules) {
  const said = names.filter(name => WRAPPERS.has(name) && !isIgnored(doc[name], WRAPPERS.get(name), rules))
  if (said.includes(FIRST)) return FIRST
  return said.find(name => !LAST.includes(name)) ?? LAST.find(name => said.includes(name))
}

/** What bson makes of `doc`. Its values have been read, but for `$scope` and the `$date` of a time. Throws as bson. */
function readLoosely(key, doc, rules) {
  const { name, read, accepts } = WRAPPERS.get(key)
  try {
    if (key === '$dbPointer') return readPointer(doc)
    if (name === 'BSONRegExp' && !isRegex(doc)) throw unexpected(name, doc)
    if ((name === 'Int32' || name === 'Double') && !accepts(doc[key])) throw unexpected(name, doc)
    if (name === 'Long' && typeof doc[key] !== 'string' && !rules.useBigInt64) throw unexpected(name, doc)
    return read(doc, rules)
  } catch (error) {
    throw error instanceof BSONError ? error : unexpected(name, doc)
  }
}

/** Checked here because the error message of the class would contain the whole document. */
function isRegex({ $regex, $regularExpression }) {
  return typeof $regex === 'string' || $regex?._bsontype === 'BSONRegExp' || $regularExpression?.pattern !== undefined
}

function readPointer(doc) {
  const { $ref, $dbPointer: pointer } = doc
  if ($ref) return doc
  if (pointer instanceof types.DBRef) return pointer
  if (Object.keys(pointer).some(name => name[0] === '$' && !types.isDBRefKey(name))) return doc
  return ofPointer(pointer)
}

/** A DBPointer names the database before the collection. @param {any} pointer its document */
function ofPointer({ $ref, $id, $db, ...fields }) {
  return new types.DBRef($ref, $id, $db, fields)
}

module.exports = { keyOf, readLoosely, ofPointer }
