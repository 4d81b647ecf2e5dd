'use strict'

// The type of the column for what occurs under a field.

const { ELEMENT } = require('../../spec')
const { BSONError } = require('../../errors')
const { NAME_BY_TYPE, NULLS, makeMaps } = require('../../schema')
const { MAX_PRECISION } = require('../layout/decimal')
const { KIND, KIND_OF, NUMBERS, DECIMALS, DECIMALS_AND_NUMBERS, widest, MAX_COLUMNS } = require('../layout/kinds')
const { showPath } = require('../read/report')
const { COLUMN_STATS, NO_FACTS, VARIED, haveMixedDepth } = require('./value-stats')

/**
 * @typedef {import('../../schema/field-stats').FieldStats} FieldStats
 * @typedef {import('../layout/kinds').Type} Type
 * @typedef {{mixedTypes: string, isSample: boolean, forms: Pick<import('../layout/forms').Forms, 'decimals'>}} Options
 */

/** What no documents have, whatever is chosen: every collection has ids, and a file needs a column. @type {Type} */
const EMPTY = { kind: KIND.STRUCT, fields: new Map([['_id', { kind: KIND.OBJECT_ID }]]), isWhole: true }

/**
 * The type of the documents of `root`, in which fields with many names become maps.
 *
 * @throws {BSONError} on mixed types, or too many columns
 */
function typeOf(root, options) {
  if (root.count === 0) return EMPTY
  makeMaps(root, COLUMN_STATS)
  const type = structType(root, options, [])
  if (countColumns(type) > MAX_COLUMNS + 1) throw tooManyColumns(root)
  return type
}

/** @param {FieldStats} field @param {Options} options @param {string[]} keys the path of the field */
function typeOfField(field, options, keys) {
  const types = field.types.filter(type => !NULLS.has(type))
  if (field.isDeep || (field.isText && !haveMixedDepth(field.items))) return { kind: KIND.JSON }
  if (types.length === 0) return unknownType(field.selection, options)
  if (types.every(type => NUMBERS.includes(type))) return numberType(field, types, options, keys)
  const areNumbers = options.forms.decimals !== null && types.every(type => DECIMALS.includes(type))
  if (areNumbers && (types.length > 1 || options.isSample)) return DECIMALS_AND_NUMBERS // others may follow a sample
  if (types.length > 1) return mixedType(types, options, keys)
  const typed = TYPE_OF.get(types[0])
  if (typed !== undefined) return typed(field, options, keys)
  return { kind: KIND_OF.get(types[0]) ?? KIND.JSON }
}

function numberType({ facts }, types, options, keys) {
  const isExact = types.length === 1 || !types.includes(ELEMENT.DOUBLE) || (facts ?? NO_FACTS).isExact
  return isExact ? { kind: widest(types) } : mixedType(types, options, keys)
}

function mixedType(types, { mixedTypes }, keys) {
  if (mixedTypes !== 'error') return { kind: KIND.JSON }
  const names = Array.from(NAME_BY_TYPE).filter(([type]) => types.includes(type)).map(([, name]) => name)
  const error = new BSONError(`values of different types: ${names.join(', ')}`)
  error.path = showPath(keys)
  error.message += ` (in field ${error.path})`
  throw error
}

function documentType(field, options, keys) {
  if (field.values !== null) return { kind: KIND.MAP, items: typeOfField(field.values, options, [...keys, '{}']) }
  return !field.fields?.size && !field.isTable ? { kind: KIND.JSON } : structType(field, options, keys)
}

function structType({ fields: found, selection }, options, keys) {
  const fields = new Map()
  for (const [name, field] of found ?? []) fields.set(name, typeOfField(field, options, [...keys, name]))
  for (const [name, inner] of selection ?? []) {
    if (!fields.has(name)) fields.set(name, unknownType(inner, options))
  }
  return { kind: KIND.STRUCT, fields, isWhole: selection === null, isChosen: selection !== null }
}

/** Of a field without values. @param {Map<string, any> | null} selection of fields inside it; null for all */
function unknownType(selection, options) {
  if (selection !== null) return structType({ fields: null, selection }, options, [])
  return { kind: options.isSample ? KIND.JSON : KIND.NULL } // later documents may have values
}

function listType({ items }, options, keys) {
  if (items === null) return { kind: KIND.LIST, items: unknownType(null, options) }
  const type = typeOfField(items, options, [...keys, '[]'])
  return haveMixedDepth(items) ? { kind: KIND.JSON } : { kind: KIND.LIST, items: type }
}

/** In a sample, as many digits as can be before the point. */
function decimalType({ facts: { decimals } }, { isSample }) {
  const fit = decimals?.fit ?? null // none in statistics that were changed by hand
  if (fit === null) return { kind: KIND.DECIMAL128 }
  return { kind: KIND.DECIMAL128, decimal: isSample ? { ...fit, precision: MAX_PRECISION } : fit }
}

function binaryType({ facts: { isUuid, subtype } }) {
  return isUuid ? { kind: KIND.UUID } : { kind: KIND.BINARY, subtype: subtype === VARIED ? null : subtype }
}

/** Where the element type does not say all. @type {Map<number, (field: any, options: Options, keys: any) => Type>} */
const TYPE_OF = new Map(/** @type {any} */ ([
  [ELEMENT.DOCUMENT, documentType],
  [ELEMENT.ARRAY, listType],
  [ELEMENT.BINARY, binaryType],
  [ELEMENT.DECIMAL128, decimalType]
]))

/** @param {Type} type @returns {number} it and those in it */
function countColumns({ kind, fields, items }) {
  if (kind === KIND.LIST || kind === KIND.MAP) return 1 + countColumns(items)
  return kind === KIND.STRUCT ? Array.from(fields.values(), countColumns).reduce((sum, inner) => sum + inner, 1) : 1
}

function tooManyColumns(root) {
  const keys = []
  for (let field = root; field.fields?.size > 0;) {
    const [name, last] = [...field.fields].at(-1)
    keys.push(name)
    field = last
  }
  return new BSONError(`the documents have more than ${MAX_COLUMNS} columns, one of them is ${showPath(keys)}: ` +
    'choose some with the option fields, or pass a schema, where additionalProperties describes documents with dynamic keys')
}

module.exports = { typeOf, countColumns, tooManyColumns }
