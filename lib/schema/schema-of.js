'use strict'

// Infers the $jsonSchema of existing documents from statistics of them.

const { ELEMENT } = require('../spec')
const { setOwn } = require('../properties')
const { isIterable, ownOptionsOf, truthy } = require('../options')
const { getUtf8 } = require('../bytes')
const { BSONError, shownKind } = require('../errors')
const { NAME_BY_TYPE } = require('./allowed')
const { NO_BOUNDS } = require('./bounds')
const { DocumentStats } = require('./document-stats')
const { countOf, makeMaps, timesOf } = require('./field-stats')

/** Mean occurrences of the strings of an enum; fewer prove nothing. */
const MIN_REPEATS = 10

/** @typedef {import('./field-stats').FieldStats} FieldStats */

/**
 * @typedef {object} SchemaOptions
 * @property {boolean} [bounds] whether to include minimum, maximum, lengths, numbers of items, and few
 *   strings as an enum; default true
 * @property {boolean} [descriptions] whether to include how often everything occurs; default true
 */

const readOptions = ownOptionsOf('schemaOf', { bounds: truthy(true), descriptions: truthy(true) })

/** @param {DocumentStats} stats @param {SchemaOptions} [options] @returns {Record<string, any>} */
function schemaOfStats(stats, options) {
  const how = readOptions(options)
  makeMaps(stats.root, stats.how)
  return schemaOfField(stats.root, how, undefined)
}

/** @param {FieldStats} field @param {any} options @param {number} [around] documents that could have had it */
function schemaOfField(field, options, around) {
  const { firsts } = field
  const times = timesOf(field)
  const types = field.types.map((type, i) => ({ name: NAME_BY_TYPE.get(type), times: times[i], first: firsts[i] }))
  const names = types.sort((a, b) => b.times - a.times || a.first - b.first).map(({ name }) => name)
  const schema = { bsonType: names.length === 0 ? 'object' : names.length === 1 ? names[0] : names }
  if (options.descriptions) schema.description = describe(field, types, around)
  if (options.bounds) Object.assign(schema, boundsOf(field))
  const documents = countOf(field, ELEMENT.DOCUMENT)
  if (documents > 0) Object.assign(schema, fieldsOf(field, documents, options))
  if (field.items !== null && field.items.count > 0) schema.items = schemaOfField(field.items, options, undefined)
  return schema
}

function fieldsOf(field, documents, options) {
  if (field.values !== null) return { additionalProperties: schemaOfField(field.values, options, undefined) }
  const fields = [...field.fields ?? []].sort(([, a], [, b]) => a.first - b.first)
  if (fields.length === 0) return {}
  const required = fields.filter(([, each]) => each.count - each.repeated === documents).map(([name]) => name)
  const properties = {}
  for (const [name, field] of fields) setOwn(properties, name, schemaOfField(field, options, documents))
  return required.length > 0 ? { required, properties } : { properties }
}

function describe({ count, repeated, facts }, types, around) {
  const { earliest, latest } = facts ?? NO_BOUNDS
  const often = around === undefined ? `${count} values` : `in ${count - repeated} of ${around}`
  const each = types.length > 1 ? `: ${types.map(({ name, times }) => `${name} ${times}`).join(', ')}` : ''
  const dates = earliest <= latest ? `, from ${day(earliest)} to ${day(latest)}` : ''
  return often + each + dates
}

function day(time) {
  return new Date(time).toISOString().replace(/T.*/, '')
}

function boundsOf(field) {
  const { least, most, shortest, longest, fewest, fullest } = field.facts ?? NO_BOUNDS
  const values = enumOf(field)
  return {
    ...(values === null ? {} : { enum: values }),
    ...(least <= most ? { minimum: least, maximum: most } : {}),
    ...(shortest <= longest && values === null ? { minLength: shortest, maxLength: longest } : {}),
    ...(fewest <= fullest ? { minItems: fewest, maxItems: fullest } : {})
  }
}

/** The values of a field that holds only strings and null. */
function enumOf(field) {
  const { types, facts } = field
  const count = countOf(field, ELEMENT.STRING)
  const hasNull = types.includes(ELEMENT.NULL)
  const isText = count > 0 && types.length === (hasNull ? 2 : 1)
  const texts = facts?.texts ?? null
  if (!isText || texts === null || count < MIN_REPEATS * texts.length) return null
  const ordered = texts.sort((a, b) => a.first - b.first)
  return [...ordered.map(({ bytes }) => getUtf8(bytes, 0, bytes.length)), ...(hasNull ? [null] : [])]
}

/**
 * The $jsonSchema of documents. Descriptions tell how often each field and type occurs. Fields that all documents have
 * are required. Of dynamic keys, the values are described. The result can be passed to `compile` and to MongoDB.
 *
 * @param {Iterable<any> | AsyncIterable<any>} documents objects or, better, bytes, which distinguish int from double
 * @param {SchemaOptions} [options]
 * @returns {any} the schema, or a promise of it for an asynchronous iterable
 * @throws {import('../errors').BSONError} on bytes that are not BSON, and on what is no iterable of documents
 */
function schemaOf(documents, options) {
  const isList = !ArrayBuffer.isView(documents) && isIterable(documents, true)
  if (!isList) throw new BSONError(`schemaOf needs an iterable of documents, each an object or bytes, not ${shownKind(documents)}`)
  const how = readOptions(options)
  const stats = new DocumentStats()
  if (Symbol.asyncIterator in documents) return addAll(stats, documents, how)
  for (const document of documents) stats.add(document)
  return schemaOfStats(stats, how)
}

async function addAll(stats, documents, how) {
  for await (const document of documents) stats.add(document)
  return schemaOfStats(stats, how)
}

module.exports = { schemaOf, schemaOfStats }
