'use strict'

// Queries on the bytes of documents: comparisons of scalars. query.js runs all other queries.

const { ELEMENT } = require('../spec')
const { getInt32, getInt64, compare, getDouble } = require('../bytes')
const { encode } = require('../encode')
const { getDecimal128, scanName } = require('../decode')
const { findElement, skipElement, parsePath } = require('../raw')
const { compareNumbers } = require('../schema')

/**
 * @typedef {(buf: Uint8Array, start: number, end: number) => boolean} Predicate `end`: the offset of the closing 0x00
 *
 * @typedef {object} Test of one value
 * @property {boolean} missing its result for a missing field
 * @property {(type: number, buf: Uint8Array, value: number, next: number) => boolean} of
 */

/** Types of the same class can be compared; others never match. @type {Map<number, string>} */
const CLASS = new Map([
  [ELEMENT.DOUBLE, 'number'], [ELEMENT.INT32, 'number'], [ELEMENT.INT64, 'number'], [ELEMENT.DECIMAL128, 'number'],
  [ELEMENT.STRING, 'text'], [ELEMENT.SYMBOL, 'text'], [ELEMENT.OBJECT_ID, 'id'], [ELEMENT.BOOLEAN, 'id'],
  [ELEMENT.DATETIME, 'date'], [ELEMENT.NULL, 'null'], [ELEMENT.UNDEFINED, 'null']
])

/** @type {Record<string, (order: number) => boolean>} tests an order of -1, 0, 1 or NaN */
const COMPARISONS = {
  $eq: order => order === 0,
  $gt: order => order > 0,
  $gte: order => order >= 0,
  $lt: order => order < 0,
  $lte: order => order <= 0
}

/**
 * @param {any} query
 * @returns {Predicate | null} null when the query needs more than this module supports
 */
function compileMatch(query) {
  if (!isPlain(query)) return null
  return all(Object.entries(query).map(([name, condition]) => partOf(name, condition)))
}

/** @returns {Predicate | null} */
function partOf(name, condition) {
  if (name === '$and' || name === '$or' || name === '$nor') {
    if (!Array.isArray(condition) || condition.length === 0) return null
    const parts = condition.map(compileMatch)
    if (parts.includes(null)) return null
    if (name === '$and') return all(parts)
    return (buf, start, end) => parts.some(part => part(buf, start, end)) === (name === '$or')
  }
  if (name[0] === '$') return null
  const keys = parsePath(name)
  const tests = isPlain(condition) ? Object.entries(condition) : [['$eq', condition]]
  if (tests.length === 0 || tests.some(([operator]) => operator[0] !== '$')) return null
  return all(tests.map(([operator, value]) => operation(keys, operator, value)))
}

/** @param {(Predicate | null)[]} parts @returns {Predicate | null} */
function all(parts) {
  if (parts.includes(null)) return null
  return parts.length === 1 ? parts[0] : (buf, start, end) => parts.every(part => part(buf, start, end))
}

/** @returns {Predicate | null} */
function operation(keys, operator, value) {
  if (operator === '$exists') return value ? exists(keys) : not(exists(keys))
  if (operator === '$ne') return not(found(keys, comparison('$eq', value)))
  if (operator !== '$in' && operator !== '$nin') return found(keys, comparison(operator, value))
  if (!Array.isArray(value)) return null
  const tests = value.map(each => comparison('$eq', each))
  if (tests.includes(null)) return null
  const any = found(keys, {
    missing: tests.some(test => test.missing),
    of: (type, buf, pos, next) => tests.some(test => test.of(type, buf, pos, next))
  })
  return operator === '$in' ? any : not(any)
}

function exists(keys) {
  return found(keys, { missing: false, of: () => true }, true)
}

/** @param {Predicate | null} predicate */
function not(predicate) {
  return predicate === null ? null : (buf, start, end) => !predicate(buf, start, end)
}

/** @param {string} operator @param {any} value @returns {Test | null} */
function comparison(operator, value) {
  if (!Object.hasOwn(COMPARISONS, operator)) return null
  const holds = COMPARISONS[operator]
  const sample = sampleOf(value)
  if (sample === null) return null
  const kind = CLASS.get(sample[4])
  const order = ORDERS[kind](sample, value)
  const of = (type, buf, pos, next) => CLASS.get(type) === kind && holds(order(type, buf, pos, next))
  return { missing: kind === 'null' && holds(0), of }
}

/**
 * @returns {Uint8Array | null} a document of one element without a name, with the value from byte 6 on; null for other
 *   types
 */
function sampleOf(value) {
  if (value === undefined || typeof value === 'number' && Number.isNaN(value)) return null
  const sample = encode({ '': value })
  return CLASS.has(sample[4]) && sample[4] !== ELEMENT.DECIMAL128 ? sample : null
}

/** Compares a value with the sample's, by class. */
const ORDERS = {
  number: (sample, value) => {
    const bound = sample[4] === ELEMENT.INT64 ? exactly(getInt64(sample, 6)) : Number(value)
    return (type, buf, pos) => orderOf(numberAt(type, buf, pos), bound)
  },
  text: sample => {
    const text = sample.subarray(10, sample.length - 2)
    return (type, buf, pos, next) => compare(buf.subarray(pos + 4, next - 1), text)
  },
  id: sample => {
    const [type, ...bytes] = sample.subarray(4, sample.length - 1)
    bytes.shift() // the end of the name
    return (other, buf, pos) => (other === type ? orderOfBytes(buf, pos, bytes) : NaN)
  },
  date: sample => {
    const time = exactly(getInt64(sample, 6))
    return (type, buf, pos) => orderOf(numberAt(ELEMENT.INT64, buf, pos), time)
  },
  null: () => () => 0
}

function orderOfBytes(buf, pos, bytes) {
  for (let i = 0; i < bytes.length; i++) {
    if (buf[pos + i] !== bytes[i]) return buf[pos + i] < bytes[i] ? -1 : 1
  }
  return 0
}

/** @param {bigint} value @returns {number | bigint} */
function exactly(value) {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

function numberAt(type, buf, pos) {
  switch (type) {
    case ELEMENT.INT32:
      return getInt32(buf, pos)
    case ELEMENT.DOUBLE:
      return getDouble(buf, pos)
    case ELEMENT.INT64: {
      const high = getInt32(buf, pos + 4)
      const isSmall = high >= -0x100000 && high < 0x100000
      return isSmall ? high * 4294967296 + (getInt32(buf, pos) >>> 0) : getInt64(buf, pos)
    }
    default:
      return getDecimal128(buf, pos)
  }
}

function orderOf(value, bound) {
  if (typeof value === 'object') return compareNumbers(value.toString(), bound)
  return value < bound ? -1 : value > bound ? 1 : value == bound ? 0 : NaN // eslint-disable-line eqeqeq -- 1n == 1
}

/**
 * Whether some value at a path passes a test. A path goes through arrays, and if the value is an array, its items count
 * too.
 *
 * @param {import('../raw/path').Key[]} keys
 * @param {Test | null} test
 * @param {boolean} [isWhole] whether an array counts only as itself
 * @returns {Predicate | null}
 */
function found(keys, test, isWhole = false) {
  if (test === null) return null
  const { missing, of } = test
  const last = keys.length - 1

  function inDocument(buf, start, end, i) {
    const pos = findElement(buf, start, end, false, keys[i])
    return pos === -1 ? missing : atElement(buf, pos, scanName(buf, pos + 1, end), end, i)
  }

  function atElement(buf, pos, nameEnd, end, i) {
    const type = buf[pos]
    const value = nameEnd + 1
    const next = skipElement(buf, pos, nameEnd, end)
    if (i < last && type === ELEMENT.DOCUMENT) return inDocument(buf, value, next - 1, i + 1)
    if (type === ELEMENT.ARRAY && !(i === last && isWhole)) return inArray(buf, value, next - 1, i)
    return i === last ? of(type, buf, value, next) : missing
  }

  function inArray(buf, start, end, i) {
    let index = 0
    for (let pos = start + 4; pos < end; index++) {
      const nameEnd = scanName(buf, pos + 1, end)
      const next = skipElement(buf, pos, nameEnd, end)
      const type = buf[pos]
      if (i === last) {
        if (of(type, buf, nameEnd + 1, next)) return true
      } else {
        if (keys[i + 1].index === index && atElement(buf, pos, nameEnd, end, i + 1)) return true
        if (type === ELEMENT.DOCUMENT && inDocument(buf, nameEnd + 1, next - 1, i + 1)) return true
      }
      pos = next
    }
    return false
  }

  return (buf, start, end) => inDocument(buf, start, end, 0)
}

function isPlain(value) {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

module.exports = { compileMatch }
