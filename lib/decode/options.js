'use strict'

const { BSONError } = require('../errors')
const { isPrototypeChanged, ownsAll } = require('../properties')
const { levels, noIndex } = require('../options')
const { utf8Plan } = require('../elements')

/**
 * @typedef {object} DecodeOptions
 * @property {boolean} [useBigInt64] int64 as bigint; default false
 * @property {boolean} [promoteLongs] int64 as number if that is exact; default true
 * @property {boolean} [promoteBuffers] binary as Buffer; default false
 * @property {boolean} [promoteValues] values as native JavaScript types where possible; default true
 * @property {Record<string, any>} [fieldsAsRaw] arrays whose documents stay bytes, by field name; default none
 * @property {boolean} [bsonRegExp] regex as BSONRegExp; default false
 * @property {boolean} [raw] nested documents stay bytes, as views of the input; default false
 * @property {boolean} [allowObjectSmallerThanBufferSize] other bytes may follow the document; default false
 * @property {number} [index] where in `bytes` the document begins; default 0
 * @property {{utf8: boolean | Record<string, true> | Record<string, false>}} [validation] whether text is checked to be
 *   UTF-8, everywhere or by top-level field; default everywhere
 * @property {number} [maxDepth] levels of nesting; default 1,000
 */

/**
 * Resolved options.
 *
 * @typedef {object} DecodePlan
 * @property {boolean} useBigInt64
 * @property {boolean} promoteLongs
 * @property {boolean} promoteBuffers
 * @property {boolean} promoteValues
 * @property {Record<string, any> | null} fieldsAsRaw
 * @property {boolean} bsonRegExp
 * @property {boolean} raw
 * @property {DecodePlan | null} outside the plan for a scope, when documents stay bytes because of the name of their
 *   array
 * @property {boolean} utf8 whether strings are checked to be UTF-8
 * @property {boolean} utf8Names whether names and regular expressions are checked to be UTF-8
 * @property {Set<string> | null} utf8Except top-level fields for which the opposite applies
 * @property {boolean} isLenient whether names, and options of regular expressions, are read as bson reads them
 * @property {boolean} isPlain whether the options affect at most int64, binary and regex values
 * @property {boolean} checksNames whether each name is looked up on Object.prototype
 * @property {DecodePlan | null} checked the same plan with checksNames, once it has been needed
 * @property {number} maxDepth
 */

/**
 * The own options of an object, ignoring Object.prototype. A literal with all names takes 40 to 80 ns, one with
 * `__proto__: null` 80 to 190, and every document needs a new object.
 *
 * @param {DecodeOptions | null} [options]
 * @returns {DecodeOptions}
 */
function ownOptions(options) {
  return {
    index: undefined,
    allowObjectSmallerThanBufferSize: undefined,
    useBigInt64: undefined,
    promoteLongs: undefined,
    promoteBuffers: undefined,
    promoteValues: undefined,
    fieldsAsRaw: undefined,
    bsonRegExp: undefined,
    raw: undefined,
    validation: undefined,
    maxDepth: undefined,
    ...options
  }
}

/** The plan without options. */
const DEFAULT_PLAN = makePlan(ownOptions(), false)

/** Boolean options, in the order of their flags. */
const FLAGS = ['useBigInt64', 'promoteBuffers', 'bsonRegExp', 'promoteLongs', 'promoteValues']

/** What flagsOf() returns for options that flags cannot express. */
const COMPLEX = -1

/**
 * The options, except `validation`, as flags: one for each option that differs from its default, or COMPLEX.
 *
 * @param {DecodeOptions} options
 * @returns {number}
 */
function flagsOf(options) {
  if (options.raw || !isEmpty(options.fieldsAsRaw) || (options.maxDepth ?? null) !== null) return COMPLEX
  const longs = options.promoteLongs ?? true
  const values = options.promoteValues ?? true
  if (typeof longs !== 'boolean' || typeof values !== 'boolean') return COMPLEX
  return (options.useBigInt64 ? 1 : 0) | (options.promoteBuffers ? 2 : 0) | (options.bsonRegExp === true ? 4 : 0) |
    (longs ? 0 : 8) | (values ? 0 : 16)
}

/** @param {object | null | undefined} object */
function isEmpty(object) {
  for (const _ in object) return false
  return object === undefined || object === null || Object.getPrototypeOf(object) === Object.prototype
}

/**
 * @param {DecodeOptions} options own options
 * @param {boolean} isLenient
 * @returns {DecodePlan}
 * @throws {BSONError}
 */
function resolvePlan(options, isLenient) {
  const flags = (options.validation ?? null) === null ? flagsOf(options) : COMPLEX
  return flags === COMPLEX ? makePlan(options, isLenient) : planWith(flags, options, isLenient)
}

/** Plans of options that flags can express: making one takes 100 to 200 ns. @type {DecodePlan[][]} */
const plans = [[DEFAULT_PLAN], []]

/** @param {number} flags of the options @returns {DecodePlan} ignoring `validation` @throws {BSONError} */
function planWith(flags, options, isLenient) {
  return (plans[isLenient ? 1 : 0][flags] ??= makePlan({ ...options, validation: null }, isLenient))
}

/**
 * The plan of options that flags can express, ignoring `validation`.
 *
 * @param {DecodeOptions} options
 * @param {DecodeOptions} read the same options including inherited ones, faster to read
 * @param {boolean} isLenient
 * @returns {DecodePlan | undefined}
 * @throws {BSONError}
 */
function quickPlan(options, read, isLenient) {
  const flags = flagsOf(read)
  return flags !== COMPLEX && ownsAll(options, FLAGS, flags) ? planWith(flags, options, isLenient) : undefined
}

/** @param {DecodeOptions} options @param {boolean} isLenient @returns {DecodePlan} @throws {BSONError} */
function makePlan(options, isLenient) {
  const useBigInt64 = options.useBigInt64 ?? false
  const promoteLongs = options.promoteLongs ?? true
  const promoteValues = options.promoteValues ?? true
  if (useBigInt64 && !(promoteLongs && promoteValues)) {
    throw new BSONError('Must either request bigint or Long for int64 deserialization')
  }
  const fieldsAsRaw = isEmpty(options.fieldsAsRaw) ? null : options.fieldsAsRaw
  const { utf8, utf8Except } = utf8Plan(options.validation)
  const raw = Boolean(options.raw ?? false)
  return {
    useBigInt64: Boolean(useBigInt64),
    promoteLongs: Boolean(promoteLongs && promoteValues === true),
    promoteBuffers: Boolean((options.promoteBuffers ?? false) && promoteValues),
    promoteValues: promoteValues !== false,
    fieldsAsRaw,
    bsonRegExp: options.bsonRegExp === true,
    raw,
    outside: null,
    utf8,
    utf8Names: utf8 && !isLenient,
    utf8Except,
    isLenient,
    isPlain: Boolean(promoteValues === true && !raw && fieldsAsRaw === null && utf8),
    checksNames: false,
    checked: null,
    maxDepth: levels(options.maxDepth, 'maxDepth')
  }
}

/** Bytes read between two checks of Object.prototype, and documents at the start that each check it. */
const SELDOM = 1 << 16
let early = 2000

let unseen = 0
let isChanged = false

/**
 * The plan for the next bytes. A property added to Object.prototype since the library was loaded may be a setter or
 * read-only, so each name is then looked up there. Checking for such a property takes 340 ns, and each name 8 to 30:
 * done for every document, it reduced the rate to 0.6 to 0.9. Programs that change that prototype do so at start-up.
 *
 * @param {DecodePlan} plan
 * @param {number} size number of bytes to read
 * @returns {DecodePlan}
 */
function currentPlan(plan, size) {
  if (early > 0) early--
  else if (!isChanged && (unseen -= size) >= 0) return plan
  unseen = SELDOM
  isChanged = isPrototypeChanged()
  return isChanged ? (plan.checked ??= { ...plan, checksNames: true, isPlain: false }) : plan
}

/** The plan of a function that knows where its documents begin. @param {DecodeOptions} [options] @throws {BSONError} */
function planOf(options) {
  if (options === undefined || options === null) return DEFAULT_PLAN
  const own = ownOptions(options)
  noIndex(own.index)
  return resolvePlan(own, false)
}

module.exports = { DEFAULT_PLAN, ownOptions, resolvePlan, quickPlan, currentPlan, planOf }
