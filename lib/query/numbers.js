'use strict'

// Numbers of BSON's four types against each other, by their exact values: a double counts as what it is, not as the
// decimal it is printed as.

const { ELEMENT } = require('../spec')
const { getInt32, getInt64, getDouble } = require('../bytes')
const { getDecimal128 } = require('../decode')
const { compareTexts, doubleAt, partsOf } = require('../schema')

/** @typedef {import('./order').Element} Element */

/** Below this, a double holds every integer, and nothing else rounds to one. */
const SAFE = 2 ** 53

/** The nearest double; NaN for NaN only. */
function nearestDouble(type, buf, pos) {
  const double = doubleAt(type, buf, pos)
  if (double === double || type === ELEMENT.DOUBLE) return double
  return Number(type === ELEMENT.INT64 ? getInt64(buf, pos) : getDecimal128(buf, pos).toString())
}

/**
 * Whether a number is sure to be its nearest double. Of the decimals of up to 15 digits each has its own double, so one
 * of them is its double if that has no more digits.
 */
function isExact(type, buf, pos, double) {
  if (type === ELEMENT.INT64) return Math.abs(double) < SAFE
  if (type !== ELEMENT.DECIMAL128) return true
  if (doubleAt(type, buf, pos) !== double) return false
  return Number.isInteger(double) ? Math.abs(double) < 1e15 : Math.abs(double) < 1e5 && Number.isInteger(double * 1024)
}

/** The exact value as decimal text. */
function exactText(type, buf, pos) {
  if (type === ELEMENT.DOUBLE) return textOfDouble(getDouble(buf, pos))
  if (type === ELEMENT.DECIMAL128) return getDecimal128(buf, pos).toString()
  return String(type === ELEMENT.INT64 ? getInt64(buf, pos) : getInt32(buf, pos))
}

/** All digits of a double. @param {number} double @returns {string} */
function textOfDouble(double) {
  let halvings = 0
  if (!Number.isFinite(double)) return String(double)
  for (; !Number.isInteger(double); double *= 2) halvings++
  return `${BigInt(double) * 5n ** BigInt(halvings)}e-${halvings}`
}

/** NaN equals itself and is less than all others. @param {Element} a @param {Element} b @returns {number} */
function compareNumbers(a, b) {
  const x = nearestDouble(a.type, a.buf, a.value)
  const y = nearestDouble(b.type, b.buf, b.value)
  if (x < y) return -1
  if (x > y) return 1
  if (x !== y) return Number(x === x) - Number(y === y)
  if (isExact(a.type, a.buf, a.value, x) && isExact(b.type, b.buf, b.value, y)) return 0
  return compareTexts(exactText(a.type, a.buf, a.value), exactText(b.type, b.buf, b.value))
}

/** Equal numbers of all types have the same key. @returns {number | string} a number that is a double itself */
function numberKey(type, buf, pos) {
  const near = nearestDouble(type, buf, pos)
  if (near !== near || isExact(type, buf, pos, near)) return near
  const short = doubleAt(type, buf, pos)
  if (short === short && !Number.isInteger(short * 4194304)) return `${short}` // no double has so few digits
  const text = exactText(type, buf, pos)
  const parts = partsOf(text)
  if (parts === null || compareTexts(text, textOfDouble(near)) === 0) return near
  const isShort = parts.digits.length <= 15 && Math.abs(near) > 1e-300 && Math.abs(near) < 1e300
  return isShort ? `${near}` : `${parts.sign}:${parts.digits}:${parts.scale}`
}

const INT64_END = 2 ** 63

/** Truncated towards zero. @returns {bigint | null} null when it does not fit into an int64 */
function truncated(type, buf, pos) {
  if (type === ELEMENT.INT64) return getInt64(buf, pos)
  const near = nearestDouble(type, buf, pos)
  if (!(Math.abs(near) <= INT64_END)) return null
  if (type !== ELEMENT.DECIMAL128) return near === INT64_END ? null : BigInt(Math.trunc(near))
  const { sign, digits, scale } = partsOf(exactText(type, buf, pos))
  const whole = BigInt(sign) * BigInt(scale > 0 ? digits.slice(0, scale).padEnd(scale, '0') : 0)
  return BigInt.asIntN(64, whole) === whole ? whole : null
}

/** Whether it is a whole number, of any size. */
function isWhole(type, buf, pos) {
  if (type === ELEMENT.INT32 || type === ELEMENT.INT64) return true
  if (type === ELEMENT.DOUBLE) return Number.isInteger(getDouble(buf, pos))
  const parts = partsOf(exactText(type, buf, pos))
  return parts !== null && parts.digits.length <= Math.max(parts.scale, 0)
}

module.exports = { nearestDouble, isExact, compareNumbers, numberKey, truncated, isWhole }
