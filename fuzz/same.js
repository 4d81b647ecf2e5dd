'use strict'

const { describe } = require('../test/fixtures/describe')

/**
 * Whether two values are the same: types, classes by name, own keys in order, NaN and -0. A quick comparison settles
 * almost all; if it finds a difference, both are described and compared as text.
 *
 * @param {any} a
 * @param {any} b
 * @returns {boolean}
 */
function same(a, b) {
  return alike(a, b, 0) || describe(a) === describe(b)
}

/** Deeper values are compared as text, which fails with an error if it cannot be made. */
const DEEPEST = 500

function alike(a, b, depth) {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || depth > DEEPEST) return false
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.isBuffer(a) === Buffer.isBuffer(b) && Buffer.compare(a, b) === 0
  if (a instanceof Date) return b instanceof Date && Object.is(a.getTime(), b.getTime())
  if (a instanceof RegExp) return b instanceof RegExp && a.source === b.source && a.flags === b.flags
  if (Array.isArray(a)) return Array.isArray(b) && alikeArrays(a, b, depth)
  return !Array.isArray(b) && sameClass(a, b) && alikeKeys(a, b, depth)
}

function alikeArrays(a, b, depth) {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!alike(a[i], b[i], depth + 1) || (a[i] === undefined && i in a !== i in b)) return false
  return true
}

function sameClass(a, b) {
  const [one, other] = [Object.getPrototypeOf(a), Object.getPrototypeOf(b)]
  return one === other || (one !== null && other !== null && one.constructor.name === other.constructor.name)
}

function alikeKeys(a, b, depth) {
  const keys = Object.keys(a)
  const others = Object.keys(b)
  if (keys.length !== others.length) return false
  for (let i = 0; i < keys.length; i++) if (keys[i] !== others[i] || !alike(a[keys[i]], b[keys[i]], depth + 1)) return false
  return true
}

module.exports = { same }
