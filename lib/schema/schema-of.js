'use strict'

// Infers the $jsonSchema of existing documents from statistics of them.

const { ELEMENT } = require('../spec')
const { ownFields } = require('../properties')
const { getUtf8 } = require('../bytes')
const { BSONError, shownName } = require('../errors')
const { NAME_BY_TYPE } = require('./allowed')
const { areDataKeys, areRare } = require('./map')
const { DocumentStats, makeMap, timesOf } = require('./statistics')

/** Mean occurrences of the texts of an enum; fewer prove nothing. */
const MIN_REPEATS = 10

/** @typedef {import('./statistics').FieldStats} FieldStats */

/**
 * @typedef {object} SchemaOptions
 * @property {boolean} [bounds] whether to include minimum, maximum, lengths, numbers of items, and few
 *   texts as an enum; default true
 * @property {boolean} [descriptions] whether to include how often everything occurs; default true
 */

/** @param {DocumentStats} stats @param {SchemaOptions} [options] @returns {Record<string, any>} */
function schemaOfStats(stats, options) {
  const { bounds = true, descriptions = true, ...others } = ownFields(options)
  for (const name of Object.keys(others)) throw new BSONError(`schemaOf has no option ${shownName(name)}`)
  return schemaOfPlace(stats.root, { bounds, descriptions }, undefined)
}

/** Whether the keys at a place are data. @param {FieldStats} place @param {number} documents how many are there */
function isMap({ fields, values }, documents) {
  if (values !== null) return true
  const seen = [...fields.values()].reduce((sum, field) => sum + field.count, 0)
  return areDataKeys([...fields.keys()]) || areRare(fields.size, seen, documents)
}

/** @param {FieldStats} place @param {any} options @param {number} [around] documents that could have had it */
function schemaOfPlace(place, options, around) {
  const { times, firsts } = place
  const types = place.types.map((type, i) => ({ name: NAME_BY_TYPE.get(type), times: times[i], first: firsts[i] }))
  const names = types.sort((a, b) => b.times - a.times || a.first - b.first).map(({ name }) => name)
  const schema = { bsonType: names.length === 0 ? 'object' : names.length === 1 ? names[0] : names }
  if (options.descriptions) schema.description = describe(place, types, around)
  if (options.bounds) Object.assign(schema, boundsOf(place))
  const documents = timesOf(place, ELEMENT.DOCUMENT)
  if (documents > 0) Object.assign(schema, fieldsOf(place, documents, options))
  if (place.items !== null && place.items.count > 0) schema.items = schemaOfPlace(place.items, options, undefined)
  return schema
}

function fieldsOf(place, documents, options) {
  if (isMap(place, documents)) {
    if (place.values === null) makeMap(place)
    return { additionalProperties: schemaOfPlace(place.values, options, undefined) }
  }
  const fields = [...place.fields].sort(([, a], [, b]) => a.first - b.first)
  if (fields.length === 0) return {}
  const required = fields.filter(([, field]) => field.count === documents).map(([name]) => name)
  const properties = {}
  for (const [name, field] of fields) {
    const value = schemaOfPlace(field, options, documents)
    Object.defineProperty(properties, name, { value, enumerable: true, writable: true, configurable: true })
  }
  return required.length > 0 ? { required, properties } : { properties }
}

function describe({ count: seen, earliest, latest }, types, around) {
  const often = around === undefined ? `${seen} values` : `in ${seen} of ${around}`
  const each = types.length > 1 ? `: ${types.map(({ name, times }) => `${name} ${times}`).join(', ')}` : ''
  const dates = earliest <= latest ? `, from ${day(earliest)} to ${day(latest)}` : ''
  return often + each + dates
}

function day(time) {
  return new Date(time).toISOString().replace(/T.*/, '')
}

function boundsOf(place) {
  const { least, most, shortest, longest, fewest, fullest } = place
  const values = enumOf(place)
  return {
    ...(values === null ? {} : { enum: values }),
    ...(least <= most ? { minimum: least, maximum: most } : {}),
    ...(shortest <= longest && values === null ? { minLength: shortest, maxLength: longest } : {}),
    ...(fewest <= fullest ? { minItems: fewest, maxItems: fullest } : {})
  }
}

/** The texts of a place that holds only strings and null. @param {FieldStats} place @returns {any[] | null} */
function enumOf(place) {
  const { texts, types } = place
  const count = timesOf(place, ELEMENT.STRING)
  const hasNull = types.includes(ELEMENT.NULL)
  const isText = count > 0 && types.length === (hasNull ? 2 : 1)
  if (!isText || texts === null || count < MIN_REPEATS * texts.length) return null
  const ordered = texts.sort((a, b) => a.first - b.first)
  return [...ordered.map(({ bytes }) => getUtf8(bytes, 0, bytes.length)), ...(hasNull ? [null] : [])]
}

/**
 * The $jsonSchema of documents. Descriptions tell how often each field and type occurs. Fields that every document has
 * are required. Where keys are data, their values are described. The result can be passed to `compile` and to MongoDB.
 *
 * @param {Iterable<any> | AsyncIterable<any>} documents objects or, better, bytes, which distinguish int from double
 * @param {SchemaOptions} [options]
 * @returns {any} the schema, or a promise of it for an asynchronous iterable
 * @throws {import('../errors').BSONError} on bytes that are not BSON, and on what is no iterable of documents
 */
function schemaOf(documents, options) {
  if (!isList(documents)) throw new BSONError('schemaOf needs an iterable of documents, each an object or bytes')
  const stats = new DocumentStats()
  if (Symbol.asyncIterator in documents) return addAll(stats, documents, options)
  for (const document of documents) stats.add(document)
  return schemaOfStats(stats, options)
}

/** @param {any} documents @returns {boolean} whether it iterates over documents: bytes and texts do over their parts */
function isList(documents) {
  if (typeof documents !== 'object' || documents === null || ArrayBuffer.isView(documents)) return false
  return Symbol.iterator in documents || Symbol.asyncIterator in documents
}

async function addAll(stats, documents, options) {
  for await (const document of documents) stats.add(document)
  return schemaOfStats(stats, options)
}

module.exports = { schemaOf, schemaOfStats }
