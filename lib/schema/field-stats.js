'use strict'

// What occurs under a field, for schemas and for columns: how often it is there, with which types, and what is below
// it. Statistics of parts can be merged: what is listed remembers where it first occurred, so that the order in which
// the parts were read makes no difference.

const { ELEMENT } = require('../spec')

/** With at least MAP_NAMES names, documents are maps if the mean name is in less than MAP_SHARE of them. */
const MAP_NAMES = 12
const MAP_SHARE = 0.25

/** Names that are data: numbers, ObjectIds, UUIDs. */
const DATA_KEY = /^(\d+|[0-9a-f]{24}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** Types that tell nothing about the other values, and those that count as one. */
const NULLS = /** @type {Set<number>} */ (new Set([ELEMENT.NULL, ELEMENT.UNDEFINED]))
const NUMBERS = new Set([ELEMENT.INT32, ELEMENT.INT64, ELEMENT.DOUBLE])

/**
 * @typedef {object} ValueStats what is of interest about values beyond their types
 * @property {number} maxLevels levels of documents that are described
 * @property {number} maxNames of fields in one place; more make it a map
 * @property {number[]} types that `add` is called for
 * @property {(field: FieldStats, type: number, buf: Uint8Array, value: number, end: number, base: number) => void} add
 *   a value that is no document and no array, at an offset in `buf`, which starts `base` bytes after the first document
 * @property {(field: FieldStats, items: number) => void} addArray an array of so many items
 * @property {(into: any, from: any) => void} merge adds one `facts` to another
 */

class FieldStats {
  /** @param {number} first where it first occurred, in bytes from the start of all documents */
  constructor(first) {
    /** Values, and those of a document that already had the field: a document may hold a name twice. */
    this.count = 0
    this.repeated = 0
    /** The last document that had the field. */
    this.document = -1
    /** The type of the first value; -1 before it. */
    this.type = -1
    /**
     * @type {number[]} the element types, the number of values of each, and where the first one occurred. All values of
     * no other type have the first, so the number of these is not kept.
     */
    this.types = []
    this.times = []
    this.firsts = []
    this.first = first
    /** What ValueStats adds; null if there is nothing to tell. @type {any} */
    this.facts = null
    /** @type {FieldStats | null} the items of arrays */
    this.items = null
    /** @type {Map<string, FieldStats> | null} the fields of documents; null if there are none, or keys are dynamic */
    this.fields = null
    /** @type {FieldStats | null} the values, if keys are dynamic */
    this.values = null
    /** Whether others were merged into it since `makeMaps` looked at it. */
    this.isMerged = false
    /** Whether documents or arrays are nested too deeply to be described. */
    this.isDeep = false
    /** Whether the fields have columns of their own, and are no data. */
    this.isTable = false
    /** Whether all it holds becomes a text, and is not described. */
    this.isText = false
    /** Fields of interest, and those that become text; null for all, and none. @type {Map<string, any> | null} */
    this.selection = null
    /** @type {Map<string, any> | null} */
    this.texts = null
    /** The fields by the bytes of their names. @type {import('../elements').Names | null} */
    this.names = null
  }
}

/**
 * Counts values of a type, in addition to `count`.
 *
 * @param {FieldStats} field
 * @param {number} first where the first of them occurred
 */
function addType(field, type, more, first) {
  const { types, times, firsts } = field
  let i = 0
  while (i < types.length && types[i] !== type) i++
  if (i === types.length) {
    types.push(type)
    times.push(0)
    firsts.push(first)
    field.type = types[0]
  }
  if (i > 0) times[i] += more
  if (first < firsts[i]) firsts[i] = first
}

/** @param {FieldStats} field @returns {number[]} the number of values of each type */
function timesOf({ count, times }) {
  return times.map((some, i) => (i === 0 ? times.reduce((left, others) => left - others, count) : some))
}

/** @returns {number} the number of its values */
function countOf(field, type) {
  const i = field.types.indexOf(type)
  return i === -1 ? 0 : timesOf(field)[i]
}

/** @returns {FieldStats[]} those right below it */
function below({ fields, values, items }) {
  return [...(fields === null ? [] : fields.values()), values, items].filter(each => each !== null)
}

/** @param {FieldStats} field @returns {number} how many there are below it */
function countBelow(field) {
  return below(field).reduce((sum, each) => sum + 1 + countBelow(each), 0)
}

/**
 * Whether the keys of the documents in a field are data, such as ids. Each may say so itself; otherwise they are too
 * rare to be those of fields, and all values have one type.
 */
function isMap(field) {
  const { fields, isTable } = field
  if (fields === null || isTable || fields.size < 2) return false
  if ([...fields.keys()].every(name => DATA_KEY.test(name))) return true
  const seen = [...fields.values()].reduce((sum, { count, repeated }) => sum + count - repeated, 0)
  const isRare = seen / fields.size < MAP_SHARE * countOf(field, ELEMENT.DOCUMENT)
  return fields.size >= MAP_NAMES && isRare && haveOneType(fields)
}

function haveOneType(fields) {
  const all = new Set()
  for (const { types } of fields.values()) {
    for (const type of types) if (!NULLS.has(type)) all.add(NUMBERS.has(type) ? ELEMENT.DOUBLE : type)
  }
  return all.size <= 1
}

/** Treats keys as data from now on. One that a document has twice counts twice. */
function makeMap(field, how) {
  const values = new FieldStats(field.first)
  for (const each of field.fields?.values() ?? []) merge(values, each, how)
  values.repeated = 0
  field.fields = null
  field.values = values
  field.names = null
}

/**
 * A copy, where statistics that are still needed would be changed. It lacks what only reading documents needs.
 *
 * @param {FieldStats} field
 * @param {(facts: any) => any} copyFacts
 * @returns {FieldStats}
 */
function copyStats(field, copyFacts) {
  const { types, times, firsts, facts, items, values, fields } = field
  const copy = Object.assign(new FieldStats(field.first), field)
  const inner = each => each && copyStats(each, copyFacts)
  copy.types = types.slice()
  copy.times = times.slice()
  copy.firsts = firsts.slice()
  copy.facts = facts && copyFacts(facts)
  copy.items = inner(items)
  copy.values = inner(values)
  copy.fields = fields && new Map(Array.from(fields, ([name, each]) => [name, inner(each)]))
  copy.document = -1
  copy.selection = copy.texts = copy.names = null
  return copy
}

/**
 * Adds the statistics of one field to another, which takes over those below it that it lacks. So each call does away
 * with one, and maps within maps take no longer than there are fields. `from` is no longer valid then.
 */
function merge(into, from, how) {
  into.isMerged = true
  into.first = Math.min(into.first, from.first)
  into.count += from.count
  into.repeated += from.repeated
  const times = timesOf(from)
  from.types.forEach((type, i) => addType(into, type, times[i], from.firsts[i]))
  if (into.facts === null) into.facts = from.facts
  else if (from.facts !== null) how.merge(into.facts, from.facts)
  into.isDeep ||= from.isDeep
  into.isText ||= from.isText
  into.isTable ||= from.isTable
  if (into.items === null) into.items = from.items
  else if (from.items !== null) merge(into.items, from.items, how)
  mergeFields(into, from, how)
}

function mergeFields(into, from, how) {
  if (into.values !== null || from.values !== null) {
    if (into.values === null) makeMap(into, how)
    if (from.values === null) makeMap(from, how)
    return merge(into.values, from.values, how)
  }
  if (into.fields === null) into.fields = from.fields
  else {
    for (const [name, field] of from.fields ?? []) {
      const known = into.fields.get(name)
      if (known === undefined) into.fields.set(name, field)
      else merge(known, field, how)
    }
  }
  if (!into.isTable && into.fields !== null && into.fields.size > how.maxNames) makeMap(into, how)
}

/**
 * Makes maps of all documents with dynamic keys, as far as is known, from the inside out: documents in a map are maps
 * if some of them are.
 *
 * @param {FieldStats} field
 * @param {ValueStats} how
 * @param {boolean} [isAgain] whether all but what has been merged since is known to be done
 */
function makeMaps(field, how, isAgain = false) {
  if (isAgain && !field.isMerged) return // nothing below it has changed
  field.isMerged = false
  for (const each of below(field)) makeMaps(each, how, isAgain)
  if (field.values !== null || !isMap(field)) return
  makeMap(field, how)
  makeMaps(field.values, how, true)
}

module.exports = {
  NULLS, FieldStats, addType, timesOf, countOf, below, countBelow, copyStats, makeMap, makeMaps, merge
}
