'use strict'

// Tests of one value against those of a query: comparisons, and lists as sets.

const { ELEMENT } = require('../spec')
const { BSONError } = require('../errors')
const { compareBytes, getUtf8 } = require('../bytes')
const { scanCString } = require('../elements')
const { doubleAt } = require('../schema')
const { keyOf } = require('./keys')
const { compareNumbers, isExact, nearestDouble } = require('./numbers')
const { GROUPS, GROUP, NUMBER, compareElements } = require('./order')
const { patternTest } = require('./pattern')

/** @typedef {import('./path').Test} Test */

/** By operator, which results of a comparison it accepts. @type {Record<string, (order: number) => boolean>} */
const COMPARISONS = {
  $eq: order => order === 0,
  $gt: order => order > 0,
  $gte: order => order >= 0,
  $lt: order => order < 0,
  $lte: order => order <= 0
}

/** Only values of its own group match, except null, and the bounds of all values. @returns {Test} */
function comparison(operator, literal) {
  const holds = COMPARISONS[operator]
  const { type: own } = literal
  const group = GROUP[own]
  if (own === ELEMENT.UNDEFINED) throw new BSONError(`${operator} cannot compare to undefined`)
  if (own === ELEMENT.NULL) return holds(0) ? isNull : () => false
  if (group === NUMBER) return comparisonOfNumbers(holds, literal)
  if (group === GROUP[ELEMENT.STRING]) return comparisonOfStrings(holds, literal)
  if ((own === ELEMENT.MIN_KEY || own === ELEMENT.MAX_KEY) && operator !== '$eq') {
    const beyond = holds(own === ELEMENT.MIN_KEY ? 1 : -1)
    return type => (type === own ? holds(0) : beyond)
  }
  return (type, buf, value, end) => GROUP[type] === group && holds(compareElements({ type, buf, value, end }, literal))
}

/** Missing fields, and the undefined of earlier drivers, count as null. @param {number} type */
function isNull(type) {
  return type === ELEMENT.NULL || type === 0 || type === ELEMENT.UNDEFINED
}

/** NaN is equal to NaN, but neither less nor greater than anything. @returns {Test} */
function comparisonOfNumbers(holds, literal) {
  const bound = nearestDouble(literal.type, literal.buf, literal.value)
  const isOwnDouble = isExact(literal.type, literal.buf, literal.value, bound)
  const [isLess, isEqual, isMore] = [-1, 0, 1].map(holds)
  const isUnordered = element => Number.isNaN(nearestDouble(element.type, element.buf, element.value))
  const exactly = element => {
    const order = compareNumbers(element, literal)
    return order === 0 ? isEqual : !Number.isNaN(bound) && !isUnordered(element) && holds(order)
  }
  return (type, buf, value, end) => {
    if (GROUP[type] !== NUMBER) return false
    const double = doubleAt(type, buf, value)
    if (double < bound) return isLess
    if (double > bound) return isMore
    if (double === bound && isOwnDouble && isExact(type, buf, value, double)) return isEqual
    return exactly({ type, buf, value, end })
  }
}

function comparisonOfStrings(holds, { buf: own, value: from, end: to }) {
  return (type, buf, value, end) => (type === ELEMENT.STRING || type === ELEMENT.SYMBOL) &&
    holds(compareBytes(buf, value + 4, end - 1, own, from + 4, to - 1))
}

/** Whether a value is one of a list, or matches a regular expression in it. @returns {Test} */
function oneOf(elements) {
  const patterns = elements.filter(({ type }) => type === ELEMENT.REGEX).map(matchesRegex)
  const others = elements.filter(({ type }) => type !== ELEMENT.REGEX)
  const hasNull = others.some(({ type }) => type === ELEMENT.NULL)
  if (others.some(({ type }) => type === ELEMENT.UNDEFINED)) throw new BSONError('undefined cannot be in a list')
  /** By group. @type {(Set<number | string> | undefined)[]} */
  const sets = Array(GROUPS.length).fill(undefined) // a hole would be looked up in the prototype of all objects
  for (const { type, buf, value, end } of others) (sets[GROUP[type]] ??= new Set()).add(keyOf(type, buf, value, end))
  return (type, buf, value, end) => {
    const set = sets[GROUP[type]]
    if (set !== undefined && set.has(keyOf(type, buf, value, end))) return true
    if (hasNull && isNull(type)) return true
    return patterns.length > 0 && patterns.some(pattern => pattern(type, buf, value, end))
  }
}

function matchesRegex({ buf, value, end }) {
  const middle = scanCString(buf, value, end)
  return matchesPattern(getUtf8(buf, value, middle), getUtf8(buf, middle + 1, end - 1))
}

/** @param {string} pattern @param {string} options @returns {Test} text that matches, or the same regular expression */
function matchesPattern(pattern, options) {
  const isMatch = patternTest(pattern, options)
  const own = `${pattern}\0${options}\0`
  return (type, buf, value, end) => {
    if (type === ELEMENT.STRING || type === ELEMENT.SYMBOL) return isMatch(getUtf8(buf, value + 4, end - 1))
    return type === ELEMENT.REGEX && getUtf8(buf, value, end) === own
  }
}

module.exports = { COMPARISONS, comparison, oneOf, matchesRegex, matchesPattern }
