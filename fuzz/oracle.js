'use strict'

// What holds for every call, whatever went in.

const assert = require('node:assert')
const { BSONError } = require('../qbson')
const { describe } = require('../test/fixtures/describe')
const { outcome } = require('../test/fixtures/outcome')
const { same } = require('./same')

/** One call may take so long at most, in milliseconds, on a machine that does much else. */
const HANG_MS = 20_000

/** Characters of a value in a message. */
const TOLD = 400

/**
 * The outcome of a call: a value or a BSONError, soon.
 *
 * @param {() => any} run
 * @param {(error: any) => boolean} [isExpected] whether an error that is no BSONError is right all the same
 * @returns {{value?: any, error?: any}}
 * @throws {Error} when it is anything else
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
 * An error about bytes says where: an offset within them, and a path that is text where there is one.
 *
 * @param {any} error
 * @param {number} length of the bytes
 */
function checkPlace(error, length) {
  const { offset, path } = error
  assert.ok(Number.isInteger(offset) && offset >= 0 && offset <= length, `offset ${offset} of ${length}: ${error.message}`)
  assert.ok(path === undefined || typeof path === 'string', `path ${typeof path}: ${error.message}`)
}

/** An outcome in few words. */
function brief({ value, error }) {
  const text = error === undefined ? `gives ${describe(value)}` : `throws ${error.name}: ${error.message}`
  return text.length > TOLD ? `${text.slice(0, TOLD)}…` : text
}

/** Whether two outcomes say the same: the same value, or errors with the same message, offset and path. */
function sameOutcome(a, b) {
  if (a.error === undefined || b.error === undefined) return a.error === b.error && same(a.value, b.value)
  return a.error.message === b.error.message && a.error.offset === b.error.offset && a.error.path === b.error.path
}

/**
 * @param {{value?: any, error?: any}} ours
 * @param {{value?: any, error?: any}} theirs
 * @param {string} what who they are
 * @throws {Error} when they differ
 */
function checkSameOutcome(ours, theirs, what) {
  if (!sameOutcome(ours, theirs)) throw new Error(`${what}\n  ${brief(ours)}\n  ${brief(theirs)}`)
}

/**
 * Ours against bson's: the same value, an error from both, or a difference that is known.
 *
 * @param {{value?: any, error?: any}} ours
 * @param {{value?: any, error?: any}} theirs
 * @param {{name: string, explains: (ours: any, theirs: any, name?: any) => boolean}[]} differences
 * @returns {string} which of these it was
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

/** No prototype of the language has another property than before. */
function checkPrototypes() {
  assert.strictEqual(told(), untouched, 'a prototype was changed')
}

module.exports = { attempt, checkPlace, brief, sameOutcome, checkSameOutcome, compareWithBson, checkPrototypes, outcome }
