'use strict'

// What columns need to know about the values of a field beyond their types.

const { ELEMENT, SUBTYPE } = require('../../spec')
const { getInt32, isExactInt64 } = require('../../bytes')
const { NULLS } = require('../../schema')
const { DecimalStats } = require('../layout/decimal')
const { MAX_LEVELS } = require('../layout/kinds')

/** A subtype that stands for several; it is -1 before the first one. */
const VARIED = -2

class ColumnFacts {
  constructor() {
    /** Whether each int64 is exact as a double. */
    this.isExact = true
    /** The subtype of binary values, and whether all of them are UUIDs. */
    this.subtype = -1
    this.isUuid = true
    /** @type {DecimalStats | null} */
    this.decimals = null
  }
}

/** What nothing is known of. */
const NO_FACTS = Object.freeze(new ColumnFacts())

/** @type {import('../../schema/field-stats').ValueStats} */
const COLUMN_STATS = {
  maxLevels: MAX_LEVELS,
  maxNames: 2000,
  types: [ELEMENT.INT64, ELEMENT.DECIMAL128, ELEMENT.BINARY],

  add(field, type, buf, value, next) {
    if (type === ELEMENT.INT64) {
      if (!isExactInt64(getInt32(buf, value), getInt32(buf, value + 4))) factsOf(field).isExact = false
    } else if (type === ELEMENT.DECIMAL128) (factsOf(field).decimals ??= new DecimalStats()).note(buf, value)
    else if (type === ELEMENT.BINARY) addBinary(factsOf(field), buf[value + 4], next - value - 5)
  },

  addArray(field) {
    if (haveMixedDepth(field.items)) field.isText = true
  },

  merge(into, from) {
    into.isExact &&= from.isExact
    into.isUuid &&= from.isUuid
    if (from.subtype !== -1) into.subtype = into.subtype === -1 || into.subtype === from.subtype ? from.subtype : VARIED
    if (into.decimals === null) into.decimals = from.decimals
    else if (from.decimals !== null) into.decimals.merge(from.decimals)
  }
}

/**
 * Whether lists of different depth are in one, such as the coordinates of points and lines: they become one text with
 * all lists around them. `items`: of a list, or null.
 */
function haveMixedDepth(items) {
  if (items === null || !items.types.includes(ELEMENT.ARRAY)) return false
  const isMixed = items.types.some(type => type !== ELEMENT.ARRAY && !NULLS.has(type))
  return isMixed || items.isText || haveMixedDepth(items.items)
}

/** @param {ColumnFacts} facts */
function copyFacts(facts) {
  const { decimals } = facts
  return Object.assign(new ColumnFacts(), facts, { decimals: decimals && Object.assign(new DecimalStats(), decimals) })
}

function factsOf(field) {
  return (field.facts ??= new ColumnFacts())
}

function addBinary(facts, subtype, size) {
  if (subtype !== SUBTYPE.UUID || size !== 16) facts.isUuid = false
  if (facts.subtype !== subtype) facts.subtype = facts.subtype === -1 ? subtype : VARIED
}

module.exports = { COLUMN_STATS, ColumnFacts, copyFacts, NO_FACTS, VARIED, haveMixedDepth }
