'use strict'

const { BSONError } = require('../errors')
const { isPrototypeChanged, levelsOf, ownsAll } = require('../properties')
const { utf8Plan } = require('./validate')

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
 * @property {number} [maxDepth] levels of nesting; default 1,000
 */

/**
 * Options, resolved once.
 *
 * @typedef {object} DecodePlan
 * @property {boolean} useBigInt64
 * @property {boolean} promoteLongs
 * @property {boolean} promoteBuffers
 * @property {boolean} promoteValues
 * @property {Record<string, any> | null} fieldsAsRaw
 * @property {boolean} bsonRegExp
 * @property {boolean} raw
 * @property {DecodePlan | null} outside what holds in a scope, where documents stay bytes for the name of their array
 * @property {boolean} utf8 whether strings are checked to be UTF-8
 * @property {boolean} utf8Names whether names and regular expressions are
 * @property {Set<string> | null} utf8Except top-level fields for which the opposite holds
 * @property {boolean} isLenient whether names, and options of regular expressions, are read as bson reads them
 * @property {boolean} isPlain whether values are read as without options, but for int64, binary and regex
 * @property {boolean} checksNames whether each name is looked for on the prototype of all objects
 * @property {DecodePlan | null} checked the same with that, once it has been needed
 * @property {number} maxDepth
 */

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

/** Without options. */
const DEFAULT_PLAN = makePlan(ownOptions(), false)

/** Options that are true or false, in the order of their flags. */
const FLAGS = ['useBigInt64', 'promoteBuffers', 'bsonRegExp', 'promoteLongs', 'promoteValues']

/** What options say, but for `validation`, where flags do not say it all. */
const COMPLEX = -1

/**
 * What options say, but for `validation`: a flag for each option that differs from its default, or COMPLEX.
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
 * @param {DecodeOptions} options own ones
 * @param {boolean} isLenient
 * @returns {DecodePlan}
 * @throws {BSONError}
 */
function resolvePlan(options, isLenient) {
  const flags = (options.validation ?? null) === null ? flagsOf(options) : COMPLEX
  return flags === COMPLEX ? makePlan(options, isLenient) : planWith(flags, isLenient)
}

/** Plans of options that are all flags: making one takes 100 to 200 ns. @type {DecodePlan[][]} */
const plans = [[DEFAULT_PLAN], []]

/** @param {number} flags @param {boolean} isLenient @returns {DecodePlan} @throws {BSONError} */
function planWith(flags, isLenient) {
  return (plans[isLenient ? 1 : 0][flags] ??= makePlan(optionsWith(flags), isLenient))
}

/**
 * The plan of options that are all flags, but for `validation`.
 *
 * @param {DecodeOptions} options
 * @param {DecodeOptions} read the same, quicker to read, and what is inherited
 * @param {boolean} isLenient
 * @returns {DecodePlan | undefined}
 * @throws {BSONError}
 */
function quickPlan(options, read, isLenient) {
  const flags = flagsOf(read)
  if (flags === 0) return planWith(0, isLenient)
  return flags !== COMPLEX && ownsAll(options, FLAGS, flags) ? planWith(flags, isLenient) : undefined
}

/** @param {number} flags @returns {DecodeOptions} */
function optionsWith(flags) {
  return Object.fromEntries(FLAGS.map((name, i) => [name, DEFAULT_PLAN[name] !== ((flags & (1 << i)) !== 0)]))
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
    outside: null,
    utf8,
    utf8Names: utf8 && !isLenient,
    utf8Except,
    isLenient,
    isPlain: Boolean(promoteValues === true && !raw && fieldsAsRaw === null && utf8),
    checksNames: false,
    checked: null,
    maxDepth
  }
}

/** Bytes after which the prototype of all objects is looked at again, and documents of which each looks at it. */
const SELDOM = 1 << 16
let early = 2000

let unseen = 0
let isChanged = false

/**
 * The plan for the next bytes. Something that was put on the prototype of all objects since the library was loaded may
 * be a setter, or read-only: then each name is looked for there. To look whether there is anything takes 340 ns, and
 * for each name 8 to 30: done for every document, all were read at 0.6 to 0.9 of the rate. Programs that change that
 * prototype do it while they start.
 *
 * @param {DecodePlan} plan
 * @param {number} size bytes to be read
 * @returns {DecodePlan}
 */
function currentPlan(plan, size) {
  if (early > 0) early--
  else if (!isChanged && (unseen -= size) >= 0) return plan
  unseen = SELDOM
  isChanged = isPrototypeChanged()
  return isChanged ? (plan.checked ??= { ...plan, checksNames: true }) : plan
}

/** @param {DecodeOptions} [options] @returns {DecodePlan} */
function planOf(options) {
  return options === undefined || options === null ? DEFAULT_PLAN : resolvePlan(ownOptions(options), false)
}

module.exports = { DEFAULT_PLAN, ownOptions, resolvePlan, quickPlan, currentPlan, planOf }
