'use strict'

// What a schema says about values beyond their type: enum, bounds, lengths, patterns. A rule is asked with the value as
// it is encoded or as it has been decoded, which may be of any of the classes that say the same.

const { ELEMENT } = require('../spec')

/**
 * @typedef {object} Rule
 * @property {string} keyword
 * @property {any} value what the schema says
 * @property {boolean} [isExclusive] of bounds
 * @property {(value: any) => boolean} test whether a value of the type that the rule is about is allowed
 * @property {string} text what was expected
 *
 * @typedef {(message: string) => Error} Fault
 */

/** Characters of a value in a message. */
const MAX_SHOWN = 60

/** A value in a message. @param {unknown} value */
function show(value) {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text
}

/**
 * A number, bigint or number's class as a number or a bigint, which compare exactly; a decimal as its text.
 *
 * @param {any} value
 * @returns {number | bigint | string}
 */
function numberOf(value) {
  if (typeof value !== 'object') return value
  if (typeof value.high === 'number') return (BigInt(value.high) << 32n) | BigInt(value.low >>> 0)
  return value._bsontype === 'Decimal128' ? value.toString() : value.value
}

/** -1, 0, 1; NaN with what has no order. @param {any} value @param {number} bound */
function compareNumbers(value, bound) {
  const number = numberOf(value)
  if (typeof number === 'string') return compareDecimal(number, bound)
  return number < bound ? -1 : number > bound ? 1 : number == bound ? 0 : NaN // eslint-disable-line eqeqeq -- 1n == 1
}

/** The text of a decimal with the text of a number: both exact. */
function compareDecimal(text, bound) {
  if (text === 'NaN') return NaN
  if (text.endsWith('Infinity')) return text[0] === '-' ? -1 : 1
  const a = partsOf(text)
  const b = partsOf(String(bound))
  const exponent = a.exponent < b.exponent ? a.exponent : b.exponent
  const left = a.digits * 10n ** BigInt(a.exponent - exponent)
  const right = b.digits * 10n ** BigInt(b.exponent - exponent)
  return left < right ? -1 : left > right ? 1 : 0
}

/** @param {string} text @returns {{digits: bigint, exponent: number}} */
function partsOf(text) {
  const [, sign, whole, fraction, exponent = '0'] = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text)
  const digits = BigInt(whole + fraction)
  return { digits: sign === '-' ? -digits : digits, exponent: Number(exponent) - fraction.length }
}

const BOUNDS = [
  { keyword: 'minimum', other: 'exclusiveMinimum', sign: 1, texts: ['at least', 'more than'] },
  { keyword: 'maximum', other: 'exclusiveMaximum', sign: -1, texts: ['at most', 'less than'] }
]

/**
 * @param {any} schema
 * @param {(keyword: string) => Fault} faultAt
 * @returns {Rule[]}
 */
function readBounds(schema, faultAt) {
  const found = []
  for (const { keyword, other, sign, texts } of BOUNDS) {
    const value = schema[keyword]
    const exclusive = schema[other]
    if (value === undefined && exclusive === undefined) continue
    if (value === undefined) throw faultAt(other)(`${other} must be true or false, beside ${keyword}`)
    if (!Number.isFinite(value)) throw faultAt(keyword)(`${keyword} must be a number`)
    if (typeof (exclusive ?? false) !== 'boolean') throw faultAt(other)(`${other} must be true or false`)
    const isExclusive = exclusive === true
    const least = isExclusive ? 1 : 0
    const test = number => compareNumbers(number, value) * sign >= least
    found.push({ keyword, value, isExclusive, test, text: `${texts[least]} ${value}` })
  }
  return found
}

/** Characters are code points, as JSON Schema and MongoDB count. @param {string} string */
function lengthOf(string) {
  let length = string.length
  for (let i = 0; i < string.length - 1; i++) {
    const isPair = (string.charCodeAt(i) & 0xfc00) === 0xd800 && (string.charCodeAt(i + 1) & 0xfc00) === 0xdc00
    if (isPair) length--, i++
  }
  return length
}

/**
 * @param {any} schema
 * @param {string} keyword
 * @param {(keyword: string) => Fault} faultAt
 * @returns {number | undefined} nothing where nothing is said
 */
function readCount(schema, keyword, faultAt) {
  const value = schema[keyword]
  if (value === undefined || (Number.isInteger(value) && value >= 0)) return value
  throw faultAt(keyword)(`${keyword} must be a whole number from 0 on`)
}

/**
 * minLength, maxLength, pattern
 *
 * @param {any} schema
 * @param {(keyword: string) => Fault} faultAt
 * @returns {Rule[]}
 */
function readText(schema, faultAt) {
  const found = []
  const { pattern } = schema
  for (const keyword of ['minLength', 'maxLength']) {
    const value = readCount(schema, keyword, faultAt)
    if (value === undefined) continue
    const isLeast = keyword === 'minLength'
    const test = isLeast ? string => lengthOf(string) >= value : string => lengthOf(string) <= value
    found.push({ keyword, value, test, text: `${isLeast ? 'at least' : 'at most'} ${value} characters` })
  }
  if (pattern !== undefined) {
    const regexp = toRegExp(pattern, faultAt('pattern'))
    found.push({ keyword: 'pattern', value: pattern, test: string => regexp.test(string), text: `text that matches ${show(pattern)}` })
  }
  return found
}

/** @param {unknown} pattern @param {Fault} fault @returns {RegExp} */
function toRegExp(pattern, fault) {
  if (typeof pattern !== 'string') throw fault('pattern must be a string')
  try {
    return new RegExp(pattern, 'u')
  } catch (error) {
    throw fault(`this pattern is none in JavaScript: ${error.message}`)
  }
}

/** Values of an enum that a message names. */
const MAX_NAMED = 10

const NUMBERS = [ELEMENT.INT32, ELEMENT.DOUBLE, ELEMENT.INT64, ELEMENT.DECIMAL128]

/** Element types by the `typeof` of a value of an enum. */
const ENUM_TYPES = { string: [ELEMENT.STRING], number: NUMBERS, boolean: [ELEMENT.BOOLEAN], object: [ELEMENT.NULL] }

/**
 * Strings, numbers, booleans and null.
 *
 * @param {unknown} values
 * @param {Fault} fault
 * @returns {{types: Set<number>, rule: Rule}} the types that are left, and the rule for each of them
 */
function readEnum(values, fault) {
  if (!Array.isArray(values) || values.length === 0) throw fault('enum must be a list of values')
  const types = new Set()
  for (const value of values) {
    const isKnown = value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
    if (!isKnown) throw fault(`enum is supported for strings, numbers, booleans and null, not ${show(value)}`)
    for (const type of ENUM_TYPES[typeof value]) types.add(type)
  }
  const plain = new Set(values)
  const numbers = values.filter(value => typeof value === 'number')
  const test = value => {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return plain.has(value)
    return numbers.some(number => compareNumbers(value, number) === 0)
  }
  const text = `one of ${values.slice(0, MAX_NAMED).map(show).join(', ')}${values.length > MAX_NAMED ? ', ...' : ''}`
  return { types, rule: { keyword: 'enum', value: [...values], test, text } }
}

module.exports = { NUMBERS, show, compareNumbers, lengthOf, readBounds, readCount, readText, readEnum }
