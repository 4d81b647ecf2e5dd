'use strict'

// Infers the $jsonSchema of existing documents: what occurs at each place, how often, and within which bounds.
// Documents are read as bytes, because only bytes distinguish int from double. No document is kept.

const { ELEMENT, MAX_DEPTH, MAX_TIME } = require('../spec')
const { ownFields } = require('../properties')
const { getUtf8, getInt32, getUint32, toBytes, getDouble } = require('../bytes')
const { BSONError, shownName } = require('../errors')
const { validate } = require('../decode')
const { encode } = require('../encode')
const { skipElement } = require('../raw')
const { NAME_BY_TYPE } = require('./allowed')
const { numberAt, compareNumbers } = require('./numbers')

/** Levels that are described. Anything deeper is just an object or an array. */
const MAX_LEVELS = 40

/** Maximum number of field names at one place. More make it a map. */
const MAX_NAMES = 500

/** Maximum number of places. Later fields are not named, which a schema allows. */
const MAX_PLACES = 10_000

/** With at least MAP_NAMES names, a place is a map if the mean field is in less than MAP_SHARE of its documents. */
const MAP_NAMES = 12
const MAP_SHARE = 0.25

/** Maximum number of names found by their bytes at each place. */
const SLOTS = 128

/** Limits of an enum: texts, characters per text, and mean occurrences per text, fewer of which prove nothing. */
const MAX_TEXTS = 8
const MAX_TEXT = 40
const MIN_REPEATS = 10

/** Keys that are data: numbers, ObjectIds, UUIDs. */
const DATA_KEY = /^(\d+|[0-9a-f]{24}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** What has occurred at a place. */
class Place {
  constructor() {
    this.count = 0
    /** @type {number[]} the element types, in order of first occurrence */
    this.types = []
    /** @type {number[]} number of occurrences of each */
    this.times = []
    /** For numbers. NaN once a number occurs that no bound can represent. */
    this.least = Infinity
    this.most = -Infinity
    /** For dates, in ms. */
    this.earliest = Infinity
    this.latest = -Infinity
    /** For strings, in characters. */
    this.shortest = Infinity
    this.longest = 0
    /**
     * @type {{bytes: Uint8Array, times: number}[] | null} texts in UTF-8 and their occurrences; null once there are too
     * many
     */
    this.texts = []
    /** For arrays, in items. */
    this.fewest = Infinity
    this.fullest = 0
    /** @type {Place | null} the items of arrays */
    this.items = null
    /** @type {Map<string, Place> | null} the fields of documents; null if keys are data */
    this.fields = new Map()
    /** @type {Place | null} the values, if keys are data */
    this.values = null
    /** The latest fields, by `slotOf` their names. @type {{name: Uint8Array, field: Place}[] | null} */
    this.recent = null
    /** The last document that had the field, because a document may hold a name twice. */
    this.document = -1
  }
}

/** Options for checking documents. */
const WHOLE = { maxDepth: MAX_DEPTH }

class Survey {
  constructor() {
    this.root = new Place()
    this.documents = 0
    this.places = 0
    /** Number of documents entered, including nested ones. */
    this.entered = 0
  }

  /** @param {any} document bytes, or an object @throws {import('../errors').BSONError} on bytes that are not BSON */
  add(document) {
    const isBytes = ArrayBuffer.isView(document) || document instanceof ArrayBuffer
    const buf = isBytes ? toBytes(document) : encode(document)
    validate(buf, WHOLE)
    this.documents++
    this.root.count++
    countType(this.root, ELEMENT.DOCUMENT, 1)
    this.walk(buf, 4, buf.length - 1, this.root, false, 1)
  }

  /** Visits the elements of a valid document or array. */
  walk(buf, pos, end, place, isArray, level) {
    const document = this.entered++
    let items = 0
    for (; pos < end; items++) {
      const type = buf[pos]
      const name = pos + 1
      let nameEnd = name
      while (buf[nameEnd] !== 0) nameEnd++
      pos = skipElement(buf, pos, nameEnd, end)
      const at = isArray ? this.itemsOf(place) : this.fieldAt(place, buf, name, nameEnd)
      if (at === null) continue
      if (isArray || at === place.values) at.count++
      else countIn(at, document)
      countType(at, type, 1)
      const value = nameEnd + 1
      if (type !== ELEMENT.DOCUMENT && type !== ELEMENT.ARRAY) noteBounds(at, type, buf, value, pos)
      else if (level < MAX_LEVELS) this.walk(buf, value + 4, pos - 1, at, type === ELEMENT.ARRAY, level + 1)
    }
    if (isArray) {
      place.fewest = Math.min(place.fewest, items)
      place.fullest = Math.max(place.fullest, items)
    }
  }

  itemsOf(place) {
    place.items ??= this.newPlace()
    return place.items
  }

  /** The field with a name. Creating a string and looking it up in the Map takes ten times as long. */
  fieldAt(place, buf, start, end) {
    const slot = slotOf(buf, start, end)
    place.recent ??= Array(SLOTS).fill(undefined)
    const known = place.recent[slot]
    if (known !== undefined && place.fields !== null && isName(known.name, buf, start, end)) return known.field
    const field = this.fieldOf(place, getUtf8(buf, start, end))
    const isNamed = field !== null && field !== place.values
    if (isNamed) place.recent[slot] = { name: new Uint8Array(buf.subarray(start, end)), field }
    return field
  }

  /** @returns {Place | null} null if there are too many places */
  fieldOf(place, name) {
    if (place.fields === null) return place.values
    const known = place.fields.get(name)
    if (known !== undefined) return known
    if (place.fields.size >= MAX_NAMES) {
      makeMap(place)
      return place.values
    }
    const field = this.newPlace()
    if (field !== null) place.fields.set(name, field)
    return field
  }

  newPlace() {
    return this.places++ < MAX_PLACES ? new Place() : null
  }

  /** @param {SchemaOptions} options @returns {Record<string, any>} */
  schema(options) {
    const { bounds = true, descriptions = true, ...others } = ownFields(options)
    for (const name of Object.keys(others)) throw new BSONError(`schemaOf has no option ${shownName(name)}`)
    return schemaOfPlace(this.root, { bounds, descriptions }, undefined)
  }
}

/**
 * @typedef {object} SchemaOptions
 * @property {boolean} [bounds] whether to include minimum, maximum, lengths, numbers of items, and few
 *   texts as an enum; default true
 * @property {boolean} [descriptions] whether to include how often everything occurs; default true
 */

/** @param {Place} place @param {number} type @param {number} more */
function countType(place, type, more) {
  const { types, times } = place
  let i = 0
  while (i < types.length && types[i] !== type) i++
  if (i === types.length) {
    types.push(type)
    times.push(0)
  }
  times[i] += more
}

/** @param {Place} place @param {number} type @returns {number} how often it occurred */
function timesOf({ types, times }, type) {
  const i = types.indexOf(type)
  return i === -1 ? 0 : times[i]
}

function countIn(place, document) {
  if (place.document !== document) place.count++
  place.document = document
}

function noteBounds(place, type, buf, value, next) {
  switch (type) {
    case ELEMENT.INT32:
      return noteNumber(place, getInt32(buf, value))
    case ELEMENT.DOUBLE:
      return noteNumber(place, finite(getDouble(buf, value)))
    case ELEMENT.INT64:
    case ELEMENT.DECIMAL128:
      return noteNumber(place, exactOf(numberAt(type, buf, value)))
    case ELEMENT.STRING:
      if (place.texts !== null) noteText(place, buf, value + 4, next - 1, 1)
      return noteLength(place, buf, value + 4, next - 1)
    case ELEMENT.DATETIME: {
      const time = getInt32(buf, value + 4) * 4294967296 + getUint32(buf, value)
      return noteTime(place, Math.abs(time) > MAX_TIME ? NaN : time)
    }
  }
}

/** Counts characters only if the result could change: a character has up to four bytes. */
function noteLength(place, buf, start, end) {
  const size = end - start
  if (size <= place.longest && size >= 4 * place.shortest) return
  const length = lengthOfText(buf, start, end)
  if (length < place.shortest) place.shortest = length
  if (length > place.longest) place.longest = length
}

/** @param {Place} place @param {number} time ms; NaN where a Date cannot hold it */
function noteTime(place, time) {
  if (time >= place.earliest && time <= place.latest) return
  place.earliest = Math.min(place.earliest, time)
  place.latest = Math.max(place.latest, time)
}

/** @param {number} number @returns {number} NaN if no bound can represent it */
function finite(number) {
  return Number.isFinite(number) ? number : NaN
}

/**
 * The number as a bound can hold it; NaN if JavaScript cannot represent it exactly.
 *
 * @param {number | bigint | string} value
 */
function exactOf(value) {
  const number = finite(Number(value))
  return compareNumbers(value, number) === 0 ? number : NaN
}

function noteNumber(place, number) {
  if (number >= place.least && number <= place.most) return
  place.least = Math.min(place.least, number)
  place.most = Math.max(place.most, number)
}

/** The slot of a name, below SLOTS. */
function slotOf(buf, start, end) {
  return (end - start + 3 * buf[start] + 5 * buf[(start + end) >> 1] + 17 * buf[end - 1]) & (SLOTS - 1)
}

function isName(name, buf, start, end) {
  if (name.length !== end - start) return false
  for (let i = 0; i < name.length; i++) if (name[i] !== buf[start + i]) return false
  return true
}

/** The number of code points in valid UTF-8: all bytes except continuation bytes. */
function lengthOfText(buf, start, end) {
  let length = 0
  for (let i = start; i < end; i++) if ((buf[i] & 0xc0) !== 0x80) length++
  return length
}

/** @param {Place} place a place whose texts are still counted */
function noteText(place, buf, start, end, times) {
  const { texts } = place
  let i = 0
  while (i < texts.length && !isName(texts[i].bytes, buf, start, end)) i++
  if (i < texts.length) texts[i].times += times
  else if (texts.length === MAX_TEXTS || lengthOfText(buf, start, end) > MAX_TEXT) place.texts = null
  else texts.push({ bytes: new Uint8Array(buf.subarray(start, end)), times })
}

/** Treats the keys at a place as data from now on. */
function makeMap(place) {
  const values = new Place()
  for (const field of place.fields.values()) merge(values, field)
  place.fields = null
  place.values = values
}

/** Adds the statistics of one place to another. @param {Place} into @param {Place} from */
function merge(into, from) {
  into.count += from.count
  from.types.forEach((type, i) => countType(into, type, from.times[i]))
  into.least = Math.min(into.least, from.least)
  into.most = Math.max(into.most, from.most)
  into.earliest = Math.min(into.earliest, from.earliest)
  into.latest = Math.max(into.latest, from.latest)
  into.shortest = Math.min(into.shortest, from.shortest)
  into.longest = Math.max(into.longest, from.longest)
  if (from.texts === null) into.texts = null
  else for (const { bytes, times } of from.texts) if (into.texts !== null) noteText(into, bytes, 0, bytes.length, times)
  into.fewest = Math.min(into.fewest, from.fewest)
  into.fullest = Math.max(into.fullest, from.fullest)
  if (from.items !== null) merge((into.items ??= new Place()), from.items)
  mergeFields(into, from)
}

function mergeFields(into, from) {
  if (from.fields === null && into.fields !== null) makeMap(into)
  if (into.fields === null) {
    for (const field of from.fields === null ? [from.values] : from.fields.values()) merge(into.values, field)
    return
  }
  for (const [name, field] of from.fields) {
    if (!into.fields.has(name)) into.fields.set(name, new Place())
    merge(into.fields.get(name), field)
  }
}

/** Whether the keys at a place are data. @param {Place} place @param {number} documents how many are at the place */
function isMap({ fields, values }, documents) {
  if (values !== null) return true
  const names = [...fields.keys()]
  if (names.length > 1 && names.every(name => DATA_KEY.test(name))) return true
  const met = [...fields.values()].reduce((sum, field) => sum + field.count, 0)
  return names.length >= MAP_NAMES && met / names.length < MAP_SHARE * documents
}

/** @param {Place} place @param {any} options @param {number} [around] number of documents that could have had it */
function schemaOfPlace(place, options, around) {
  const types = place.types.map((type, i) => ({ name: NAME_BY_TYPE.get(type), times: place.times[i] }))
  const names = types.sort((a, b) => b.times - a.times).map(({ name }) => name)
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
  const fields = [...place.fields]
  if (fields.length === 0) return {}
  const required = fields.filter(([, field]) => field.count === documents).map(([name]) => name)
  const properties = {}
  for (const [name, field] of fields) {
    const value = schemaOfPlace(field, options, documents)
    Object.defineProperty(properties, name, { value, enumerable: true, writable: true, configurable: true })
  }
  return required.length > 0 ? { required, properties } : { properties }
}

function describe({ count: met, earliest, latest }, types, around) {
  const often = around === undefined ? `${met} values` : `in ${met} of ${around}`
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

/** The texts of a place that holds only strings and null. @param {Place} place @returns {any[] | null} */
function enumOf(place) {
  const { texts, types } = place
  const count = timesOf(place, ELEMENT.STRING)
  const hasNull = types.includes(ELEMENT.NULL)
  const isText = count > 0 && types.length === (hasNull ? 2 : 1)
  if (!isText || texts === null || count < MIN_REPEATS * texts.length) return null
  return [...texts.map(({ bytes }) => getUtf8(bytes, 0, bytes.length)), ...(hasNull ? [null] : [])]
}

/**
 * The $jsonSchema of documents. Descriptions tell how often each field and type occurs. Fields that every document has
 * are required. Where keys are data, their values are described. The result can be passed to `compile` and to MongoDB.
 *
 * @param {Iterable<any> | AsyncIterable<any>} documents objects or, better, bytes, which distinguish int from double
 * @param {SchemaOptions} [options]
 * @returns {any} the schema, or a promise of it for an asynchronous iterable
 * @throws {import('../errors').BSONError} on bytes that are not BSON
 */
function schemaOf(documents, options) {
  const survey = new Survey()
  if (Symbol.asyncIterator in documents) return surveyAll(survey, documents, options)
  for (const document of documents) survey.add(document)
  return survey.schema(options)
}

async function surveyAll(survey, documents, options) {
  for await (const document of documents) survey.add(document)
  return survey.schema(options)
}

module.exports = { schemaOf, Survey }
