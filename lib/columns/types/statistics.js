'use strict'

// What was found in documents, as JSON that can be stored and merged, so that each range of a dump can be read
// where it lies and all of them get the same columns.

const { BSONError, shownValue } = require('../../errors')
const { refusal } = require('../../options')
const { DocumentStats, FieldStats, NAME_BY_TYPE, addType, copyStats, countBelow, timesOf } = require('../../schema')
const { DecimalStats } = require('../layout/decimal')
const { MAX_LEVELS } = require('../layout/kinds')
const { tooManyColumns, typeOf } = require('./type-of')
const { COLUMN_STATS, ColumnFacts, copyFacts, NO_FACTS, VARIED } = require('./value-stats')

/** Names the format, and tells it from a $jsonSchema. */
const FORMAT = 'columns'

/** Element types by name. */
const TYPES = new Map(Array.from(NAME_BY_TYPE, ([type, name]) => [name, type]))

/** Statistics of documents, from which the types of columns follow. */
class ColumnStatistics {
  constructor(stats = newStats()) {
    /** @internal */
    this.stats = stats
  }

  /**
   * Adds those of other documents. It does not matter how documents were divided: the statistics of `a` merged with
   * those of `b` are the ones of `a` followed by `b`.
   *
   * @param {ColumnStatistics} other
   * @returns {this}
   * @throws {BSONError} on too many columns
   */
  merge(other) {
    if (!(other instanceof ColumnStatistics)) throw refusal('other', other, 'ColumnStatistics')
    return this.take(other.copy())
  }

  /** @internal As `merge`, without a copy. @param {ColumnStatistics} other no longer valid */
  take({ stats }) {
    this.stats.join(stats)
    if (this.stats.isFull) throw tooManyColumns(this.stats.root)
    return this
  }

  /** @internal */
  copy() {
    const { root, described, isExact } = this.stats
    return new ColumnStatistics(Object.assign(newStats(), { root: copyStats(root, copyFacts), described, isExact }))
  }

  /** @returns {any} plain data for JSON.stringify */
  toJSON() {
    return { [FORMAT]: stored(this.stats.root) }
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
    return new ColumnStatistics(restored(json[FORMAT]))
  }

  /** @internal @returns {import('../layout/kinds').Type} */
  type(options) {
    return typeOf(this.copy().stats.root, { ...options, isSample: false })
  }
}

function newStats() {
  const stats = new DocumentStats(COLUMN_STATS)
  stats.root.isTable = true
  return stats
}

function stored(field) {
  const { types, count, repeated, facts, isDeep, isText, isTable, fields, items, values } = field
  const { isExact, isUuid, subtype, decimals } = facts ?? NO_FACTS
  return {
    types: types.map(type => NAME_BY_TYPE.get(type)),
    count,
    ...(types.length > 1 && { times: timesOf(field) }),
    ...(repeated > 0 && { repeated }),
    ...(!isExact && { isExact }),
    ...(subtype !== -1 && { subtype: subtype === VARIED ? 'several' : subtype, isUuid }),
    ...(isDeep && { isDeep }),
    ...(isText && { isJson: isText }),
    ...(isTable && { isTable }),
    ...(decimals !== null && { decimals: { ...decimals } }),
    ...(fields !== null && { fields: Array.from(fields, ([name, each]) => [name, stored(each)]) }),
    ...(items !== null && { items: stored(items) }),
    ...(values !== null && { values: stored(values) })
  }
}

/** @param {any} json what `stored` returned @throws {BSONError} when it is something else */
function restored(json) {
  const stats = newStats()
  stats.root = restore(json, 1, true)
  stats.described = countBelow(stats.root)
  return stats
}

/** @param {any} json @param {number} level @returns {FieldStats} */
function restore(json, level, isRoot = false) {
  const { types, count, times = [count], repeated = 0, isDeep, isJson, isTable = isRoot } = Object(json)
  if (![types, times].every(Array.isArray) || ![count, repeated, ...times].every(isCount)) throw broken(json)
  if (level > MAX_LEVELS + 1) throw new BSONError('statistics of columns: too many levels')
  const unknown = types.find(name => !TYPES.has(name))
  if (unknown !== undefined) throw new BSONError(`statistics of columns: unknown type ${shownValue(unknown)}`)
  const field = Object.assign(new FieldStats(0), { count, repeated, facts: restoreFacts(json) })
  types.forEach((name, i) => addType(field, TYPES.get(name), times[i] ?? 0, 0))
  Object.assign(field, { isDeep: Boolean(isDeep), isText: Boolean(isJson), isTable: Boolean(isTable) })
  const { fields, items, values } = json
  if (fields !== undefined) field.fields = restoreFields(fields, level + 1)
  if (items !== undefined) field.items = restore(items, level + 1)
  if (values !== undefined) field.values = restore(values, level + 1)
  return field
}

function restoreFields(entries, level) {
  const fields = new Map()
  if (!Array.isArray(entries)) throw broken(entries)
  for (const entry of entries) {
    const [name, json] = Array.isArray(entry) ? entry : []
    if (typeof name !== 'string' || name.includes('\0') || fields.has(name)) throw broken(entry)
    fields.set(name, restore(json, level))
  }
  return fields
}

/** @param {any} json */
function restoreFacts({ isExact = true, isUuid = true, subtype = -1, decimals }) {
  const facts = new ColumnFacts()
  Object.assign(facts, { isExact: Boolean(isExact), isUuid: Boolean(isUuid) })
  facts.subtype = subtype === 'several' ? VARIED : subtype
  if (!Number.isInteger(facts.subtype)) throw broken(subtype)
  if (decimals !== undefined) facts.decimals = restoreDecimals(decimals)
  return facts
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
  return new BSONError(`this is not the output of columnStatistics or schema --statistics: ${shownValue(json)}`)
}

module.exports = { ColumnStatistics }
