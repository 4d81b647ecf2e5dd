'use strict'

// Checks that hold for every call with any input.

const assert = require('node:assert')
const { BSONError } = require('../qbson')
const { describe } = require('../test/fixtures/describe')
const { outcome } = require('../test/fixtures/outcome')
const { same } = require('./same')

/** The longest that a call may take on a busy machine; ms. */
const HANG_MS = 20_000

/** The most characters of a value in a message. */
const TOLD = 400

/**
 * The outcome of a call: a value or a BSONError, without hanging.
 *
 * @param {() => any} run
 * @param {(error: any) => boolean} [isExpected] whether another error than a BSONError is right too
 * @returns {{value?: any, error?: any}}
 * @throws {Error} on any other outcome
 */
function attempt(run, isExpected = () => false) {
  const start = performance.now()
  const result = outcome(run)
  const { error } = result
  if (error !== undefined && !(error instanceof BSONError) && !isExpected(error)) {
    throw new Error(`not a BSONError but ${error?.name}: ${error?.message}`, { cause: error })
  }
  const took = performance.now() - start
  if (took > HANG_MS) throw new Error(`it took ${took} ms`)
  return result
}

/**
 * Checks that an error about bytes has an offset within them, and that its path, if any, is text.
 *
 * @param {any} error
 * @param {number} length of the bytes
 */
function checkPlace(error, length) {
  const { offset, path } = error
  assert.ok(Number.isInteger(offset) && offset >= 0 && offset <= length, `offset ${offset} of ${length}: ${error.message}`)
  assert.ok(path === undefined || typeof path === 'string', `path ${typeof path}: ${error.message}`)
}

/** A short text for an outcome. */
function brief({ value, error }) {
  const text = error === undefined ? `gives ${describe(value)}` : `throws ${error.name}: ${error.message}`
  return text.length > TOLD ? `${text.slice(0, TOLD)}…` : text
}

/** Whether two outcomes are the same: equal values, or errors with the same message, offset and path. */
function sameOutcome(a, b) {
  if (a.error === undefined || b.error === undefined) return a.error === b.error && same(a.value, b.value)
  return a.error.message === b.error.message && a.error.offset === b.error.offset && a.error.path === b.error.path
}

/**
 * @param {{value?: any, error?: any}} ours
 * @param {{value?: any, error?: any}} theirs
 * @param {string} what the name of the other
 * @throws {Error} when they differ
 */
function checkSameOutcome(ours, theirs, what) {
  if (!sameOutcome(ours, theirs)) throw new Error(`${what}\n  ${brief(ours)}\n  ${brief(theirs)}`)
}

/**
 * Compares our outcome with bson's: the same value, an error from both, or a known difference.
 *
 * @param {{value?: any, error?: any}} ours
 * @param {{value?: any, error?: any}} theirs
 * @param {{name: string, explains: (ours: any, theirs: any, name?: any) => boolean}[]} differences
 * @returns {string} which of these it is
 */
function compareWithBson(ours, theirs, differences) {
  if (ours.error && theirs.error) return 'both err'
  if (!ours.error && !theirs.error && same(ours.value, theirs.value)) return 'same'
  const known = differences.find(({ explains }) => explains(ours, theirs, ''))
  if (known) return known.name
  throw new Error(`ours ${brief(ours)}\n  bson ${brief(theirs)}`)
}

const PROTOTYPES = [Object, Array, Function, Map, Buffer, Uint8Array, String, Number, Date].map(({ prototype }) => prototype)
const told = () => PROTOTYPES.map(prototype => Reflect.ownKeys(prototype).map(String).join()).join('\n')
const untouched = told()

/** Checks that no built-in prototype has got new properties. */
function checkPrototypes() {
  assert.strictEqual(told(), untouched, 'a prototype was changed')
}

module.exports = { attempt, checkPlace, brief, sameOutcome, checkSameOutcome, compareWithBson, checkPrototypes, outcome }
