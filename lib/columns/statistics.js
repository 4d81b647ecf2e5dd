'use strict'

// What was found in documents, as JSON that can be stored and merged, so that each range of a dump can be read
// where it lies and all of them get the same columns.

const { BSONType } = require('../spec')
const { BSONError, shownValue } = require('../errors')
const { putUtf8, utf8Length } = require('../bytes')
const { DecimalStats } = require('./decimal')
const { MAX_LEVELS } = require('./kinds')
const { Names } = require('../elements')
const { Place, DEEP, VARIED, bitOf, merge, typeOf } = require('./place')

/** Names the format, and tells it from a $jsonSchema. */
const FORMAT = 'columns'

/** The names of element types by their bit. MinKey and MaxKey share one. @type {Map<number, string>} */
const TYPES = new Map(/** @type {[number, string][]} */ ([
  ...Object.entries(BSONType).map(([name, type]) => [bitOf(type & 0xff), name]), [DEEP, 'deep']
]))

const BITS = new Map(Array.from(TYPES, ([bit, name]) => [name, bit]))

/** Statistics of documents, from which the types of columns follow. */
class ColumnStatistics {
  /** @param {Place} [root] of the documents */
  constructor(root = newRoot()) {
    /** @internal */
    this.root = root
  }

  /**
   * Adds those of other documents. It does not matter how documents were divided: the statistics of `a` merged with
   * those of `b` are the ones of `a` followed by `b`.
   *
   * @param {ColumnStatistics} other
   * @returns {this}
   */
  merge(other) {
    merge(this.root, other.root)
    return this
  }

  /** @returns {any} plain data for JSON.stringify */
  toJSON() {
    return { [FORMAT]: stored(this.root) }
  }

  /** @param {any} json what `toJSON` returned @returns {boolean} whether it looks like it */
  static is(json) {
    return Object.hasOwn(Object(json), FORMAT)
  }

  /**
   * @param {any} json what `toJSON` returned
   * @returns {ColumnStatistics}
   * @throws {BSONError} when it is something else
   */
  static from(json) {
    if (!ColumnStatistics.is(json)) throw new BSONError('no statistics of columns: they are made by `qbson schema --statistics`')
    const root = newRoot()
    restore(json[FORMAT], root)
    return new ColumnStatistics(root)
  }

  /** @internal @param {{mixedTypes: string}} options @returns {import('./kinds').Type} */
  type(options) {
    return typeOf(this.root, { ...options, isSample: false })
  }
}

function newRoot() {
  const root = new Place(null, '')
  root.types = bitOf(BSONType.object)
  root.names = new Names()
  return root
}

/** @param {Place} place */
function stored({ types, count, documents, isExact, isUuid, subtype, isJson, decimals, names, items, values }) {
  const isBinary = subtype !== -1
  return {
    types: Array.from(TYPES).filter(([bit]) => (types & bit) !== 0).map(([, name]) => name),
    count,
    ...(documents > 0 && { documents }),
    ...(!isExact && { isExact }),
    ...(isBinary && { subtype: subtype === VARIED ? 'several' : subtype, isUuid }),
    ...(isJson && { isJson }),
    ...(decimals !== null && { decimals: { ...decimals } }),
    ...(names !== null && { fields: fieldsOf(names) }),
    ...(items !== null && { items: stored(items) }),
    ...(values !== null && { values: stored(values) })
  }
}

/** @param {Names} names */
function fieldsOf({ list }) {
  return list.filter(({ target }) => target !== null).map(({ target }) => [target.name, stored(target)])
}

/** @param {any} json @param {Place} place that is new */
function restore(json, place) {
  const { types, count, documents = 0, isExact = true, subtype = -1, isUuid = true, isJson = false } = Object(json)
  if (!Array.isArray(types) || !isCount(count) || !isCount(documents)) throw broken(json)
  for (const name of types) {
    if (!BITS.has(name)) throw new BSONError(`statistics of columns: unknown type ${shownValue(name)}`)
    place.types |= BITS.get(name)
  }
  if (place.level > MAX_LEVELS + 1) throw new BSONError('statistics of columns: too many levels')
  Object.assign(place, { count, documents })
  Object.assign(place, { isExact: Boolean(isExact), isUuid: Boolean(isUuid), isJson: Boolean(isJson) })
  place.subtype = subtype === 'several' ? VARIED : subtype
  if (!Number.isInteger(place.subtype)) throw broken(json)
  restoreBelow(json, place)
}

function restoreBelow({ decimals, fields, items, values }, place) {
  if (decimals !== undefined) place.decimals = restoreDecimals(decimals)
  if (fields !== undefined) {
    if (!Array.isArray(fields)) throw broken(fields)
    place.names = new Names()
    for (const field of fields) restoreField(field, place)
  }
  if (items !== undefined) restore(items, (place.items = new Place(place, '[]')))
  if (values !== undefined) restore(values, (place.values = new Place(place, '{}')))
}

function restoreField(field, place) {
  const [name, json] = Array.isArray(field) ? field : []
  if (typeof name !== 'string' || name.includes('\0')) throw broken(field)
  const bytes = new Uint8Array(utf8Length(name) + 1)
  putUtf8(name, bytes, 0)
  if (place.names.named(bytes, 0, bytes.length) !== null) throw broken(field)
  const own = new Place(place, name)
  restore(json, own)
  place.names.append(bytes, own)
}

function restoreDecimals(json) {
  const { whole, scale, leastScale } = Object(json)
  if (![whole, scale, leastScale].every(isCount)) throw broken(json)
  return Object.assign(new DecimalStats(), { isFinite: Boolean(json.isFinite), whole, scale, leastScale })
}

function isCount(value) {
  return Number.isSafeInteger(value) && value >= 0
}

function broken(json) {
  return new BSONError(`these are no statistics of columns: ${shownValue(json)}`)
}

module.exports = { ColumnStatistics }
