'use strict'

// What was found at a place in documents, and the type of the column for it.

const { ELEMENT, BSONType } = require('../spec')
const { BSONError, pathOf } = require('../errors')
const { areDataKeys, areRare } = require('../schema')
const { DecimalStats, MAX_PRECISION } = require('./decimal')
const { KIND } = require('./kinds')
const { Names } = require('../elements')

/** A subtype that stands for several; it is -1 before the first one. */
const VARIED = -2

/** The bit of values nested deeper than columns may be; no element type has it. */
const DEEP = 1 << 20

/** @param {number} type of an element @returns {number} its bit; types beyond 0x1f share one */
function bitOf(type) {
  return type < 0x20 ? 1 << type : 1
}

/** Bits that say nothing about the type. */
const NOTHING = bitOf(ELEMENT.NULL) | bitOf(ELEMENT.UNDEFINED)

const BIT = Object.freeze({
  INT32: bitOf(ELEMENT.INT32),
  INT64: bitOf(ELEMENT.INT64),
  DOUBLE: bitOf(ELEMENT.DOUBLE),
  DOCUMENT: bitOf(ELEMENT.DOCUMENT),
  ARRAY: bitOf(ELEMENT.ARRAY),
  BINARY: bitOf(ELEMENT.BINARY)
})

/** The kinds of places with a single element type. @type {Map<number, number>} by its bit */
const KIND_OF = new Map(/** @type {[number, number][]} */ ([
  [0, KIND.NULL],
  [bitOf(ELEMENT.BOOLEAN), KIND.BOOL],
  [BIT.INT32, KIND.INT32],
  [BIT.INT64, KIND.INT64],
  [BIT.INT32 | BIT.INT64, KIND.INT64],
  [BIT.DOUBLE, KIND.DOUBLE],
  [BIT.DOUBLE | BIT.INT32, KIND.DOUBLE],
  [bitOf(ELEMENT.DATETIME), KIND.DATE],
  [bitOf(ELEMENT.TIMESTAMP), KIND.TIMESTAMP],
  [bitOf(ELEMENT.OBJECT_ID), KIND.OBJECT_ID],
  [bitOf(ELEMENT.DECIMAL128), KIND.DECIMAL128],
  [bitOf(ELEMENT.STRING), KIND.STRING],
  [bitOf(ELEMENT.REGEX), KIND.REGEX]
]))

class Place {
  /** @param {Place | null} parent @param {string} name */
  constructor(parent, name) {
    this.parent = parent
    this.name = name
    /** @type {number} */
    this.level = parent === null ? 1 : parent.level + 1
    /** The bits of the element types found. */
    this.types = 0
    /** The number of values, and of documents among them. */
    this.count = 0
    this.documents = 0
    /** Whether each int64 is exact as a double. */
    this.isExact = true
    /** The subtype of binary values. */
    this.subtype = -1
    /** Whether all binary values are UUIDs. */
    this.isUuid = true
    /** @type {Names | null} the fields of documents */
    this.names = null
    /** @type {Place | null} the items of arrays */
    this.items = null
    /** @type {Place | null} the values of documents whose keys are data; `names` is then null */
    this.values = null
    /** @type {import('./fields').Selection | null} the selected fields; null for all */
    this.selection = null
    /** @type {import('./fields').Selection | null} the fields below that are to be JSON */
    this.json = null
    /** Whether it is to be JSON itself. */
    this.isJson = false
    /** @type {import('./decimal').DecimalStats | null} */
    this.decimals = null
  }

  /** @param {import('./fields').Selection | null | undefined} inner fields that are to be JSON; null for this one */
  setJson(inner) {
    this.isJson = inner === null
    this.json = inner ?? null
  }
}

/** Makes the keys at a place data. @param {Place} place */
function makeMap(place) {
  const values = new Place(place, '{}')
  for (const name of place.names.list) merge(values, name.target)
  place.names = null
  place.values = values
}

/** Adds what was found at one place to another. @param {Place} into @param {Place} from */
function merge(into, from) {
  into.types |= from.types
  into.count += from.count
  into.documents += from.documents
  into.isExact &&= from.isExact
  into.isUuid &&= from.isUuid
  into.isJson ||= from.isJson
  if (from.decimals !== null) (into.decimals ??= new DecimalStats()).merge(from.decimals)
  if (from.subtype !== -1) into.subtype = into.subtype === -1 || into.subtype === from.subtype ? from.subtype : VARIED
  if (from.items !== null) merge((into.items ??= new Place(into, '[]')), from.items)
  if (from.names !== null) mergeNames(into, from.names)
  if (from.values === null) return
  if (into.names !== null) makeMap(into)
  merge((into.values ??= new Place(into, '{}')), from.values)
}

/** @param {Place} into @param {Names} names */
function mergeNames(into, names) {
  if (into.values === null) into.names ??= new Names()
  for (const { bytes, target } of names.list) {
    if (target === null) continue
    const known = into.values ?? into.names.named(bytes, 0, bytes.length)?.target
    const place = known ?? new Place(into, target.name)
    if (known === undefined) into.names.append(bytes, place)
    merge(place, target)
  }
}

/**
 * Selects fields that have been found.
 *
 * @param {Place} place
 * @param {import('./fields').Selection} selection
 */
function select(place, selection) {
  place.selection = selection
  if (place.items !== null) select(place.items, selection)
  for (const { target } of place.names?.list ?? []) {
    const inner = target === null ? undefined : selection.get(target.name)
    if (inner) select(target, inner)
  }
}

/** Whether the keys at a place are data. @param {Place} place */
function isMap({ names, values, documents, parent, selection }) {
  if (values !== null) return true
  if (parent === null || selection !== null) return false
  if (areDataKeys(names.list.map(({ target }) => target.name))) return true
  const seen = names.list.reduce((sum, { target }) => sum + target.count, 0)
  const types = names.list.reduce((all, { target }) => all | target.types, 0) & ~NOTHING
  return areRare(names.size, seen, documents) && isOneType(types)
}

/** @param {number} types without NOTHING */
function isOneType(types) {
  return (types & (types - 1)) === 0 || KIND_OF.has(types)
}

/**
 * The type of a column for what was found.
 *
 * @param {Place} place
 * @param {{mixedTypes: string, isSample: boolean}} options
 * @returns {import('./kinds').Type}
 * @throws {BSONError} on mixed types, if they are not allowed
 */
function typeOf(place, options) {
  const types = place.types & ~NOTHING
  if (place.isJson) return { kind: KIND.JSON }
  const kind = KIND_OF.get(types)
  // later documents may have values
  if (kind === KIND.NULL && options.isSample) return { kind: KIND.JSON }
  if (kind === KIND.DECIMAL128) return decimalType(place, options)
  if (kind !== undefined) return { kind }
  if (types === BIT.DOCUMENT) return documentType(place, options)
  if (types === BIT.ARRAY) return listType(place, options)
  if (types === BIT.BINARY) return binaryType(place)
  const isNumber = (types & ~(BIT.INT32 | BIT.INT64 | BIT.DOUBLE)) === 0
  if (isNumber && place.isExact) return { kind: KIND.DOUBLE }
  if (options.mixedTypes === 'error' && !isOneType(types)) throw mixedTypes(place, types)
  return { kind: KIND.JSON }
}

/** What no documents have: every collection has ids, and a file needs a column. */
const EMPTY = { kind: KIND.STRUCT, fields: new Map([['_id', { kind: KIND.OBJECT_ID }]]), isWhole: true }

function documentType(place, options) {
  if (place.parent === null && place.documents === 0 && place.selection === null) return EMPTY
  if (place.parent !== null && place.names !== null && place.names.size === 0) return { kind: KIND.JSON }
  if (isMap(place)) {
    if (place.values === null) makeMap(place)
    return { kind: KIND.MAP, items: typeOf(place.values, options) }
  }
  const fields = new Map()
  for (const { target } of place.names.list) if (target !== null) fields.set(target.name, typeOf(target, options))
  for (const name of place.selection?.keys() ?? []) {
    if (!fields.has(name)) fields.set(name, { kind: options.isSample ? KIND.JSON : KIND.NULL })
  }
  return { kind: KIND.STRUCT, fields, isWhole: place.selection === null, isChosen: place.selection !== null }
}

/** Lists of different depth in one list, such as coordinates of points and lines, are one text with all around them. */
function listType({ items }, options) {
  const type = typeOf(items, options)
  const others = items.types & ~(NOTHING | BIT.ARRAY)
  const isMixedDepth = type.isMixedDepth || ((items.types & BIT.ARRAY) !== 0 && others !== 0)
  return isMixedDepth ? { kind: KIND.JSON, isMixedDepth } : { kind: KIND.LIST, items: type }
}

/** In a sample, as many digits as can be before the point. */
function decimalType({ decimals }, { isSample }) {
  const { fit } = decimals
  if (fit === null) return { kind: KIND.DECIMAL128 }
  return { kind: KIND.DECIMAL128, decimal: isSample ? { ...fit, precision: MAX_PRECISION } : fit }
}

function binaryType({ isUuid, subtype }) {
  return isUuid ? { kind: KIND.UUID } : { kind: KIND.BINARY, subtype: subtype === VARIED ? null : subtype }
}

function mixedTypes(place, types) {
  const names = Object.entries(BSONType).filter(([, type]) => type >= 0 && type < 0x20 && (types & bitOf(type)) !== 0)
  const error = new BSONError(`values of different types: ${names.map(([name]) => name).join(', ')}`)
  error.path = pathOf(keysTo(place))
  error.message += ` (in field ${error.path})`
  return error
}

/** @param {Place} place @returns {string[]} */
function keysTo(place) {
  const keys = []
  for (let at = place; at.parent !== null; at = at.parent) keys.unshift(at.name)
  return keys
}

module.exports = { Place, BIT, DEEP, VARIED, bitOf, makeMap, isMap, merge, select, typeOf, keysTo }
