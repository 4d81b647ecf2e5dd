'use strict'

// How ids, decimals and chosen fields are shown to other programs: the options of `columns`, applied to types, and the
// memory of such columns, made on first use. Columns keep the values as they are in the documents.

const { BSONError } = require('../../errors')
const { GrowingBytes, utf8Bytes } = require('../../bytes')
const { oneOf, refusal, truthy } = require('../../options')
const { extendedJSONValues } = require('../../ejson')
const { putIdDigits, putUuidCell } = require('../../text')
const { doubleAt } = require('../../schema')
const { ELEMENT } = require('../../spec')
const { isSet } = require('./bits')
const { MAX_PRECISION, putScaled, decimalText } = require('./decimal')
const { selectedBy } = require('./fields')
const { geometryOf } = require('./geometry')
const { KIND, FORM } = require('./kinds')

/** @typedef {import('./kinds').Type} Type */
/** @typedef {import('./fields').Selection} Selection */

/**
 * @typedef {object} Forms
 * @property {string} ids
 * @property {{form: string, decimal?: {precision: number, scale: number}} | null} decimals null: by what they need
 * @property {Selection | null} json
 * @property {Selection | null} geo
 * @property {boolean} flat
 */

/** The options of `columns` that these are. */
const FORM_OPTIONS = {
  ids: oneOf([FORM.BYTES, FORM.HEX]),
  decimals: decimalForm,
  json: selectedBy,
  geo: topLevelPaths,
  flat: truthy(false)
}

/** @type {import('../../options').OptionReader<Forms['decimals']>} */
function decimalForm(decimals = FORM.DECIMAL, name) {
  if (decimals === FORM.DECIMAL) return null
  if ([FORM.DOUBLE, FORM.STRING, FORM.BYTES].includes(decimals)) return { form: decimals }
  const [, ...digits] = /^decimal\( *(\d+) *, *(\d+) *\)$/.exec(typeof decimals === 'string' ? decimals : '') ?? []
  const [precision, scale] = digits.map(Number)
  const isDecimal = precision > 0 && precision <= MAX_PRECISION && scale <= precision
  if (isDecimal) return { form: FORM.DECIMAL, decimal: { precision, scale } }
  throw refusal(name, decimals, "'decimal', 'decimal(p,s)' with at most 38 digits, 'double', 'string' or 'bytes'")
}

/** As GeoParquet asks. @type {import('../../options').OptionReader<Selection | null>} */
function topLevelPaths(paths, name) {
  const selection = selectedBy(paths, name)
  for (const [field, inner] of selection ?? []) {
    if (inner !== null) throw refusal(name, field, 'a list of fields that are not inside others')
  }
  return selection
}

/** A type with the forms that the options ask for. @param {Type} type of the documents @param {Forms} forms */
function inForm(type, { ids, decimals, json, geo, flat }) {
  const withJson = json === null ? type : asJson(type, json, { kind: KIND.JSON })
  const whole = geo === null ? withJson : asJson(withJson, geo, { kind: KIND.JSON, form: FORM.WKB })
  return formed(flat ? flatten(whole) : whole, { ids, decimals })
}

/** @returns {Type} with JSON in place of lists, and of documents with dynamic keys */
function flatten(type) {
  if (type.kind === KIND.LIST || type.kind === KIND.MAP) return { kind: KIND.JSON, selection: type.selection }
  if (type.kind !== KIND.STRUCT) return type
  return { ...type, fields: new Map([...type.fields].map(([name, field]) => [name, flatten(field)])) }
}

function asJson(type, selection, target) {
  if (type.kind === KIND.LIST) return { ...type, items: asJson(type.items, selection, target) }
  if (type.kind !== KIND.STRUCT) return type
  const fields = new Map(type.fields)
  for (const [name, inner] of selection) {
    const known = fields.get(name)
    if (known === undefined && type.isChosen) continue
    if (inner === null) fields.set(name, target.form === FORM.WKB ? target : { ...target, selection: known?.selection })
    else if (known !== undefined) fields.set(name, asJson(known, inner, target))
  }
  return { ...type, fields }
}

function formed(type, how) {
  switch (type.kind) {
    case KIND.OBJECT_ID:
    case KIND.UUID:
      return { ...type, form: how.ids }
    case KIND.DECIMAL128:
      if (how.decimals !== null) return { ...type, decimal: undefined, ...how.decimals }
      return { ...type, form: type.decimal === undefined ? FORM.STRING : FORM.DECIMAL }
    case KIND.STRUCT:
      return { ...type, fields: new Map(Array.from(type.fields, ([name, field]) => [name, formed(field, how)])) }
    case KIND.LIST:
    case KIND.MAP:
      return { ...type, items: formed(type.items, how) }
    default:
      return type
  }
}

/** @typedef {{values: any, offsets: Int32Array | null}} Shown the values of a column as other programs get them */

/** @returns {Shown} */
function shownOf(column) {
  const { kind, form, memory, starts } = column
  if (form === FORM.WKB) return joined(column, row => geometryOf(memory, starts[row] + 4, starts[row + 1] - 1))
  if (kind === KIND.JSON) return extendedJSONValues(memory, starts, column.length)
  if (form === FORM.HEX) return hexTexts(column)
  if (form === FORM.DECIMAL) return { values: integers(column), offsets: null }
  if (form === FORM.DOUBLE) return { values: doubles(column), offsets: null }
  if (form === FORM.STRING) return joined(column, row => utf8Bytes(decimalText(memory, 16 * row)))
  return { values: memory, offsets: starts }
}

/** The offsets of strings of one size. */
function offsetsOf({ validity, length }, size) {
  if (length * size > 0x7fffffff) throw new BSONError('ids take more than 2 GB as text: read fewer rows at a time')
  const offsets = new Int32Array(length + 1)
  for (let row = 0; row < length; row++) offsets[row + 1] = offsets[row] + (isSet(validity, row) ? size : 0)
  return offsets
}

function hexTexts(column) {
  const { kind, memory, length } = column
  const [put, width, size] = kind === KIND.UUID ? [putUuidCell, 16, 36] : [putIdDigits, 12, 24]
  const offsets = offsetsOf(column, size)
  const values = new Uint8Array(offsets[length])
  const view = new DataView(values.buffer)
  for (let row = 0; row < length; row++) {
    if (offsets[row] < offsets[row + 1]) put(memory, row * width, view, offsets[row])
  }
  return { values, offsets }
}

function integers(column) {
  const { memory, validity, length } = column
  const words = new Int32Array(4 * length)
  for (let row = 0; row < length; row++) if (isSet(validity, row)) putScaled(memory, 16 * row, column, words, 4 * row)
  return new Uint8Array(words.buffer)
}

function doubles({ memory, validity, length }) {
  return Float64Array.from({ length }, (_, row) => {
    if (!isSet(validity, row)) return 0
    const double = doubleAt(ELEMENT.DECIMAL128, memory, 16 * row)
    return double === double ? double : Number(decimalText(memory, 16 * row))
  })
}

/** @param {any} column @param {(row: number) => Uint8Array} bytesOf a row with a value */
function joined({ validity, length }, bytesOf) {
  const offsets = new Int32Array(length + 1)
  const out = new GrowingBytes(64)
  for (let row = 0; row < length; row++) {
    if (isSet(validity, row)) {
      const bytes = bytesOf(row)
      out.copy(bytes, 0, bytes.length)
    }
    offsets[row + 1] = out.pos
  }
  return { values: out.bytes, offsets }
}

module.exports = { FORM_OPTIONS, inForm, shownOf }
