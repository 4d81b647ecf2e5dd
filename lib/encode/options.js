'use strict'

// The options of encoding, resolved once.

const { MAX_DOCUMENT_SIZE } = require('../spec')
const { ownFields, ownsAll } = require('../properties')
const { levels, limit } = require('../options')

/**
 * @typedef {object} EncodeOptions
 * @property {boolean} [checkKeys] refuse keys that start with `$` or hold a `.`; default false
 * @property {boolean} [serializeFunctions] write functions as code instead of omitting them; default false
 * @property {boolean} [ignoreUndefined] omit undefined fields instead of writing null; default true
 * @property {number} [maxDepth] levels of nesting; default 1,000
 * @property {number} [maxSize] bytes of the document; default 2,147,483,647, the format's own limit
 */

/**
 * @typedef {Required<EncodeOptions> & {refuse?: (value: unknown) => void}} EncodePlan `refuse`: may throw for a
 *   value that would be left out or written as null because it is undefined, and for an object without fields
 */

const DEFAULT_PLAN = makePlan({})

/** The options, in the order of their bits: the boolean ones first. */
const NAMES = /** @type {const} */ (['checkKeys', 'serializeFunctions', 'ignoreUndefined', 'maxDepth', 'maxSize'])
const DEPTH = 8
const SIZE = 16

/** The last plan for each set of options: programs have the same limits in all calls. @type {EncodePlan[]} */
const plans = [DEFAULT_PLAN]

/** @param {EncodeOptions} options @returns {EncodePlan} */
function makePlan(options) {
  const { checkKeys, serializeFunctions, ignoreUndefined, maxDepth, maxSize } = ownFields(options)
  return Object.freeze({
    checkKeys: checkKeys === true,
    serializeFunctions: serializeFunctions === true,
    ignoreUndefined: ignoreUndefined !== false,
    maxDepth: levels(maxDepth, 'maxDepth'),
    maxSize: limit(MAX_DOCUMENT_SIZE)(maxSize, 'maxSize')
  })
}

/**
 * Returns the default plan if all options have their default values.
 *
 * @param {EncodeOptions | null} [options]
 * @returns {EncodePlan}
 * @throws {import('../errors').BSONError} on an invalid limit
 */
function planOf(options) {
  if (options === undefined || options === null) return DEFAULT_PLAN
  const { checkKeys, serializeFunctions, ignoreUndefined, maxDepth, maxSize } = options
  const switches =
    (checkKeys === true ? 1 : 0) | (serializeFunctions === true ? 2 : 0) | (ignoreUndefined === false ? 4 : 0)
  const given = switches | ((maxDepth ?? null) !== null ? DEPTH : 0) | ((maxSize ?? null) !== null ? SIZE : 0)
  if (!ownsAll(options, NAMES, given)) return makePlan(options)
  const plan = plans[given]
  const isSame = plan !== undefined && ((given & DEPTH) === 0 || plan.maxDepth === maxDepth) &&
    ((given & SIZE) === 0 || plan.maxSize === maxSize)
  return isSame ? plan : (plans[given] = makePlan(options))
}

/**
 * The plan for the document that a DBRef is written as. Its keys start with `$`, and an undefined id is left out,
 * regardless of the options. @param {EncodePlan} plan @returns {EncodePlan}
 */
function dbRefPlan(plan) {
  return plan.checkKeys || !plan.ignoreUndefined ? { ...plan, checkKeys: false, ignoreUndefined: true } : plan
}

module.exports = { DEFAULT_PLAN, planOf, dbRefPlan }
