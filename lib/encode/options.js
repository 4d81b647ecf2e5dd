'use strict'

// The options of encoding, resolved once.

const { MAX_DEPTH, MAX_DOCUMENT_SIZE } = require('../spec')
const { BSONError } = require('../errors')
const { levelsOf, ownField, ownsAll } = require('../properties')

/**
 * @typedef {object} EncodeOptions
 * @property {boolean} [checkKeys] refuse keys that start with `$` or hold a `.`; default false
 * @property {boolean} [serializeFunctions] write functions as code instead of leaving them out; default false
 * @property {boolean} [ignoreUndefined] leave undefined fields out instead of writing null; default true
 * @property {number} [maxDepth] levels of nesting; default 1,000
 * @property {number} [maxSize] bytes of the document; default 2,147,483,647, the format's own limit
 */

/** @typedef {Required<EncodeOptions>} EncodePlan */

/** @type {EncodePlan} */
const DEFAULT_PLAN = Object.freeze({
  checkKeys: false,
  serializeFunctions: false,
  ignoreUndefined: true,
  maxDepth: MAX_DEPTH,
  maxSize: MAX_DOCUMENT_SIZE
})

/** Options that are true or false, in the order of their bits. */
const SWITCHES = /** @type {const} */ (['checkKeys', 'serializeFunctions', 'ignoreUndefined'])

/** Plans of which switches say all, for the next document. @type {EncodePlan[]} */
const plans = [DEFAULT_PLAN]

/**
 * Options that say what the default says are the default.
 *
 * @param {EncodeOptions | null} [options]
 * @returns {EncodePlan}
 * @throws {BSONError} on a limit that is none
 */
function planOf(options) {
  if (options === undefined || options === null) return DEFAULT_PLAN
  const { checkKeys, serializeFunctions, ignoreUndefined, maxDepth, maxSize } = options
  const hasLimits = (maxDepth ?? maxSize ?? null) !== null
  const switches =
    (checkKeys === true ? 1 : 0) | (serializeFunctions === true ? 2 : 0) | (ignoreUndefined === false ? 4 : 0)
  if (hasLimits || !ownsAll(options, SWITCHES, switches)) return makePlan(options)
  return (plans[switches] ??= Object.freeze(makePlan(options)))
}

/** @param {EncodeOptions} options its own fields count, nothing that was put on the prototype of all objects */
function makePlan(options) {
  return {
    checkKeys: ownField(options, 'checkKeys') === true,
    serializeFunctions: ownField(options, 'serializeFunctions') === true,
    ignoreUndefined: ownField(options, 'ignoreUndefined') !== false,
    maxDepth: levelsOf(ownField(options, 'maxDepth')),
    maxSize: sizeLimitOf(ownField(options, 'maxSize'))
  }
}

/** @param {unknown} maxSize as the option says it @returns {number} bytes @throws {BSONError} */
function sizeLimitOf(maxSize) {
  if (maxSize === undefined || maxSize === null) return MAX_DOCUMENT_SIZE
  const size = typeof maxSize === 'number' && maxSize > 0 ? maxSize : NaN
  if (Number.isInteger(size) || size === Infinity) return Math.min(size, MAX_DOCUMENT_SIZE)
  throw new BSONError('maxSize must be a positive integer')
}

/**
 * For the document that a DBRef is written as: its keys start with `$`, and an id that is undefined is left out,
 * whatever the options say. @param {EncodePlan} plan @returns {EncodePlan}
 */
function dbRefPlan(plan) {
  return plan.checkKeys || !plan.ignoreUndefined ? { ...plan, checkKeys: false, ignoreUndefined: true } : plan
}

module.exports = { DEFAULT_PLAN, planOf, dbRefPlan }
