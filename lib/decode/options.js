'use strict'

const { BSONError } = require('../errors')
const { levelsOf } = require('../own')
const { utf8Plan } = require('../validate')

/** Levels on the JavaScript stack, some 200 bytes each; deeper ones are read by a loop. */
const RECURSION_DEPTH = 200

/**
 * @typedef {object} DecodeOptions
 * @property {boolean} [useBigInt64] int64 as bigint; default false
 * @property {boolean} [promoteLongs] int64 as number where that is exact; default true
 * @property {boolean} [promoteBuffers] binary as Buffer; default false
 * @property {boolean} [promoteValues] values as JavaScript's own types where there is one; default true
 * @property {Record<string, any>} [fieldsAsRaw] arrays whose documents stay bytes, by field name; default none
 * @property {boolean} [bsonRegExp] regex as BSONRegExp; default false
 * @property {boolean} [raw] nested documents stay bytes, as views on the input; default false
 * @property {boolean} [allowObjectSmallerThanBufferSize] other bytes may follow the document; default false
 * @property {number} [index] where in `bytes` the document begins; default 0
 * @property {{utf8: boolean | Record<string, true> | Record<string, false>}} [validation] whether text is checked to be
 *   UTF-8, everywhere or by top-level field; default everywhere
 * @property {number} [maxDepth] levels of nesting; default 1,000,000
 */

/** @typedef {ReturnType<typeof makePlan>} DecodePlan options, resolved once */

/**
 * An object's own options, and nothing that was put on the prototype of all objects. By a literal with all names, which
 * takes 40 to 80 ns where `__proto__: null` takes 80 to 190: there is a new object for every document.
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

/**
 * Whether options, but for `validation`, only say what the default says.
 *
 * @param {DecodeOptions} options
 */
function saysNothing(options) {
  return (
    !(options.useBigInt64 || options.promoteBuffers || options.bsonRegExp || options.raw) &&
    (options.promoteLongs ?? true) === true &&
    (options.promoteValues ?? true) === true &&
    isEmpty(options.fieldsAsRaw) &&
    typeof options.maxDepth !== 'number'
  )
}

/** @param {object | null | undefined} object */
function isEmpty(object) {
  for (const _ in object) return false
  return object === undefined || object === null || Object.getPrototypeOf(object) === Object.prototype
}

/**
 * @param {DecodeOptions} options own ones
 * @param {boolean} isLenient
 * @returns {DecodePlan}
 * @throws {BSONError}
 */
function resolvePlan(options, isLenient) {
  if (!saysNothing(options) || (options.validation ?? null) !== null) return makePlan(options, isLenient)
  return isLenient ? LENIENT_PLAN : DEFAULT_PLAN
}

/** @param {DecodeOptions} options @param {boolean} isLenient @throws {BSONError} */
function makePlan(options, isLenient) {
  const useBigInt64 = options.useBigInt64 ?? false
  const promoteLongs = options.promoteLongs ?? true
  const promoteValues = options.promoteValues ?? true
  if (useBigInt64 && !(promoteLongs && promoteValues)) {
    throw new BSONError('Must either request bigint or Long for int64 deserialization')
  }
  const fieldsAsRaw = options.fieldsAsRaw ?? null
  const maxDepth = levelsOf(options.maxDepth)
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
    /** Whether values may be views on the input. */
    keepsBytes: raw || fieldsAsRaw !== null,
    /** Whether strings are checked to be UTF-8, and whether names and regular expressions are. */
    utf8,
    utf8Names: utf8 && !isLenient,
    /** Top-level fields for which the opposite holds. */
    utf8Except,
    /** Whether names, and options of regular expressions, are read as bson reads them. */
    isLenient,
    /** Whether the documents that are learned may be read as they were. */
    isPlain: Boolean(promoteLongs && promoteValues === true && !useBigInt64 && !raw && fieldsAsRaw === null && utf8),
    maxDepth,
    /** Levels that are read by recursion. */
    recursionDepth: Math.min(RECURSION_DEPTH, maxDepth)
  }
}

/** @type {DecodePlan} */
const DEFAULT_PLAN = Object.freeze(makePlan({}, false))

/** The default of the names of bson. @type {DecodePlan} */
const LENIENT_PLAN = Object.freeze(makePlan({}, true))

/** @param {DecodeOptions} [options] @returns {DecodePlan} */
function planOf(options) {
  return options === undefined || options === null ? DEFAULT_PLAN : resolvePlan(ownOptions(options), false)
}

module.exports = { DEFAULT_PLAN, LENIENT_PLAN, ownOptions, saysNothing, resolvePlan, planOf }
