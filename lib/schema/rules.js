'use strict'

// Rules of a schema about a value beyond its type: enum, bounds, lengths, patterns, and other schemas that it must or
// must not match. A rule gets the bytes of a value whose type the rule applies to.

const { ELEMENT } = require('../spec')
const { BSONError } = require('../errors')
const { encode } = require('../encode')
const { scanName } = require('../elements')
const { NUMBERS, numberAt, partsOf, compareNumbers, compareAt, numberKey, isMultiple } = require('./numbers')

/**
 * @typedef {object} Rule
 * @property {string} keyword
 * @property {any} value its value in the schema
 * @property {(checker: import('./check').Checker, type: number, value: number, next: number, depth: number) => boolean}
 *   test whether the value from `value` to `next` in the checker's bytes is allowed
 * @property {boolean} [isExclusive] for bounds
 * @property {boolean} [hasParts] whether it consists of schemas
 * @property {string} text what was expected
 *
 * @typedef {(message: string) => Error} Refusal
 *
 * @typedef {{test: (text: string) => boolean}} Pattern
 */

/** Maximum number of characters of a value in a message. */
const MAX_SHOWN = 60

/** A value, for a message. @param {unknown} value */
function show(value) {
  const isText = typeof value === 'string' || (typeof value === 'object' && value !== null && !(value instanceof RegExp))
  const text = (isText ? JSON.stringify(value) : undefined) ?? String(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text
}

const BOUNDS = [
  { keyword: 'minimum', other: 'exclusiveMinimum', sign: 1, texts: ['at least', 'more than'] },
  { keyword: 'maximum', other: 'exclusiveMaximum', sign: -1, texts: ['at most', 'less than'] }
]

/** minimum, maximum, multipleOf */
function readBounds(schema, refusalAt) {
  const found = BOUNDS.flatMap(bound => readBound(schema, bound, refusalAt))
  if (schema.multipleOf === undefined) return found
  const multipleOf = finiteNumber(schema.multipleOf)
  const isPositive = multipleOf !== undefined && compareNumbers(multipleOf, 0) > 0
  if (!isPositive) throw refusalAt('multipleOf')('multipleOf must be a positive number')
  const factor = partsOf(multipleOf)
  const test = ({ buf }, type, value) => isMultiple(numberAt(type, buf, value), factor)
  return [...found, { keyword: 'multipleOf', value: multipleOf, test, text: `a multiple of ${multipleOf}` }]
}

function readBound(schema, { keyword, other, sign, texts }, refusalAt) {
  const exclusive = schema[other]
  if (schema[keyword] === undefined && exclusive === undefined) return []
  if (schema[keyword] === undefined) throw refusalAt(other)(`${other} has no effect without ${keyword}`)
  const bound = finiteNumber(schema[keyword])
  if (bound === undefined) throw refusalAt(keyword)(`${keyword} must be a number`)
  if (typeof (exclusive ?? false) !== 'boolean') throw refusalAt(other)(`${other} must be true or false`)
  const isExclusive = exclusive === true
  const least = isExclusive ? 1 : 0
  const test = ({ buf }, type, value) => compareAt(type, buf, value, bound) * sign >= least
  return [{ keyword, value: bound, isExclusive, test, text: `${texts[least]} ${bound}` }]
}

/** A decimal of this many digits has a double of its own. */
const SAFE_DIGITS = 15

/** A number if one is exact, otherwise a bigint or the text of a decimal. Undefined for anything that is not finite. */
function finiteNumber(value) {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'bigint' && (typeof value !== 'object' || value === null)) return undefined
  const { type, bytes, start } = elementOf(value, () => new BSONError('it cannot be encoded'))
  const parts = NUMBERS.includes(type) ? partsOf(numberAt(type, bytes, start)) : null
  if (parts === null) return undefined
  const number = numberAt(type, bytes, start)
  const near = Number(number)
  return parts.digits.length <= SAFE_DIGITS && compareNumbers(number, near) === 0 ? near : number
}

/** Counts characters as code points, as JSON Schema and MongoDB do. @param {string} string */
function lengthOf(string) {
  let length = string.length
  for (let i = 0; i < string.length - 1; i++) {
    const isPair = (string.charCodeAt(i) & 0xfc00) === 0xd800 && (string.charCodeAt(i + 1) & 0xfc00) === 0xdc00
    if (isPair) length--, i++
  }
  return length
}

/** @returns {number | undefined} undefined if the keyword is absent */
function readCount(schema, keyword, refusalAt) {
  if (schema[keyword] === undefined) return undefined
  const value = finiteNumber(schema[keyword])
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  throw refusalAt(keyword)(`${keyword} must be a non-negative integer`)
}

/** minLength, maxLength, pattern */
function readText(schema, refusalAt, patternOf) {
  const found = []
  const add = (keyword, value, text, isAllowed) => found.push({
    keyword, value, text, test: ({ read, buf }, type, at, next) => isAllowed(read(buf, at + 4, next - 1))
  })
  const least = readCount(schema, 'minLength', refusalAt)
  const most = readCount(schema, 'maxLength', refusalAt)
  if (least !== undefined) add('minLength', least, `at least ${least} characters`, text => lengthOf(text) >= least)
  if (most !== undefined) add('maxLength', most, `at most ${most} characters`, text => lengthOf(text) <= most)
  if (schema.pattern !== undefined) {
    const pattern = readPattern(schema.pattern, refusalAt('pattern'), patternOf)
    add('pattern', schema.pattern, `text that matches ${show(schema.pattern)}`, text => pattern.test(text))
  }
  return found
}

function readPattern(pattern, refusal, patternOf) {
  if (typeof pattern !== 'string') throw refusal('pattern must be a string')
  try {
    return patternOf(pattern)
  } catch (error) {
    throw refusal(`invalid regular expression: ${error.message.replace(/^invalid regular expression: /i, '')}`)
  }
}

/** Maximum number of enum values listed in a message. */
const MAX_NAMED = 10

/** @returns {{types: Set<number>, rule: Rule}} the types that occur, and the rule for each of them */
function readEnum(values, refusal) {
  if (!Array.isArray(values) || values.length === 0) throw refusal('enum must be a non-empty array')
  const elements = Array.from(values, value => elementOf(value, refusal))
  const types = new Set(elements.flatMap(({ type }) => (NUMBERS.includes(type) ? NUMBERS : [type])))
  const texts = new Set(values.filter(value => typeof value === 'string'))
  const numbers = new Set(elements.filter(({ type }) => NUMBERS.includes(type))
    .map(({ type, bytes, start }) => numberKey(numberAt(type, bytes, start))))
  const others = elements.filter(({ type }) => type !== ELEMENT.STRING && !NUMBERS.includes(type))
  const test = ({ read, buf, keys }, type, value, next, depth) => {
    if (type === ELEMENT.STRING) return texts.has(read(buf, value + 4, next - 1))
    if (NUMBERS.includes(type)) return numbers.has(numberKey(numberAt(type, buf, value)))
    return keys.keysOf(others).has(keys.keyOf(type, buf, value, next, depth))
  }
  const named = elements.slice(0, MAX_NAMED).map(({ type, bytes, start }, i) => {
    return NUMBERS.includes(type) ? String(numberAt(type, bytes, start)) : show(values[i])
  })
  const text = `one of ${named.join(', ')}${values.length > MAX_NAMED ? ', ...' : ''}`
  return { types, rule: { keyword: 'enum', value: [...values], test, text } }
}

/** The element that a value is encoded as. */
function elementOf(value, refusal) {
  try {
    const bytes = encode({ v: value }, { ignoreUndefined: true })
    if (bytes.length > 5) return { type: bytes[4], bytes, start: scanName(bytes, 5, bytes.length) + 1 }
  } catch (error) {
    if (!(error instanceof BSONError)) throw error
  }
  throw refusal(`enum cannot hold ${show(value)}`)
}

/** anyOf, oneOf, allOf and not, when they do not select a type: the bytes are matched against each schema. */
function rulesOfParts(keyword, nodes) {
  function count(checker, type, value, next, depth) {
    let found = 0
    for (const node of nodes) if (checker.matches(node, type, value, next, depth)) found++
    return found
  }
  function followsAll(checker, type, value, next, depth) {
    let isAllowed = true
    for (const node of nodes) if (!checker.follows(node, type, value, next, depth)) isAllowed = false
    return isAllowed
  }
  const { test, text } = {
    anyOf: { test: (...of) => count(...of) > 0, text: 'what one of the schemas of anyOf describes' },
    oneOf: { test: (...of) => count(...of) === 1, text: 'what exactly one of the schemas of oneOf describes' },
    not: { test: (...of) => count(...of) === 0, text: 'what the schema of not does not describe' },
    allOf: { test: followsAll, text: '' }
  }[keyword]
  return { keyword, value: nodes, test, text, hasParts: true }
}

module.exports = { show, lengthOf, readBounds, readCount, readText, readPattern, readEnum, rulesOfParts }
