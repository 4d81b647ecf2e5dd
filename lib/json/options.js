'use strict'

const { ELEMENT } = require('../spec')
const { ownFields } = require('../properties')
const { JSON_OPTIONS, kept, levels, noIndex, oneOf, onlyOptions } = require('../options')
const { FORM, fromBytes, gapOf, ordering } = require('../text')
const { utf8Plan } = require('../elements')
const { FORMS, putDigits, putQuotedDigits, putDecimalText, putDecimalNumber } = require('./forms')

/**
 * How to write values; by default as JSON.stringify writes the values that `decode` returns.
 *
 * @typedef {object} ValueOptions
 * @property {'number' | 'string'} [int64] all digits, even beyond 2^53, as a number or in quotes; default a number, and
 *   beyond 2^53 the fields of a Long
 * @property {'hex' | 'extended'} [objectId] its hex digits, or `{"$oid":"..."}`; default 'hex'
 * @property {'iso' | 'number'} [date] ISO 8601, with null for values out of Date's range, or ms since 1970; default
 *   'iso'
 * @property {'extended' | 'string' | 'number'} [decimal] `{"$numberDecimal":"..."}`, or the digits in quotes, or as a
 *   number, with null for NaN and the infinities; default 'extended'
 * @property {'base64' | 'extended'} [binary] base64 (for a UUID its text), or `{"$binary":...}`; default 'base64'
 * @property {string | number} [indent] per level, like JSON.stringify's `space`; default none, which gives one line
 */

/**
 * How to read documents, as in the options of `decode`.
 *
 * @typedef {object} ReadOptions
 * @property {import('../decode/options').DecodeOptions['validation']} [validation] whether to check that text is UTF-8,
 *   for all fields or for none; default for all
 * @property {number} [maxDepth] levels of nesting; default 1,000
 */

/**
 * @typedef {object} PlaceOptions
 * @property {number} [index] where the document starts in the bytes; default 0
 * @property {boolean} [allowObjectSmallerThanBufferSize] whether other bytes may follow it; default false
 */

/** @typedef {ValueOptions & ReadOptions} ListOptions */
/** @typedef {ListOptions & Pick<import('../batch/documents').SplitOptions, 'maxDocumentSize'>} StreamOptions */
/** @typedef {ListOptions & PlaceOptions} JSONOptions */
/** @typedef {import('../text').TextPlan} TextPlan */

/** The choices of each option, and the forms that write each type then. */
const CHOICES = {
  int64: { number: { [ELEMENT.INT64]: putDigits }, string: { [ELEMENT.INT64]: putQuotedDigits } },
  objectId: { hex: {}, extended: { [ELEMENT.OBJECT_ID]: fromBytes.putId } },
  date: { iso: {}, number: { [ELEMENT.DATETIME]: putDigits } },
  decimal: {
    extended: {}, string: { [ELEMENT.DECIMAL128]: putDecimalText }, number: { [ELEMENT.DECIMAL128]: putDecimalNumber }
  },
  binary: { base64: {}, extended: { [ELEMENT.BINARY]: fromBytes.putBinary } }
}

/** The types with an arm in putDocument(). */
const ARMS = [
  ELEMENT.DOUBLE, ELEMENT.STRING, ELEMENT.DOCUMENT, ELEMENT.ARRAY, ELEMENT.UNDEFINED, ELEMENT.OBJECT_ID,
  ELEMENT.BOOLEAN, ELEMENT.DATETIME, ELEMENT.NULL, ELEMENT.CODE_WITH_SCOPE, ELEMENT.INT32, ELEMENT.INT64
]

/** @type {TextPlan} */
const DEFAULT_PLAN = {
  arms: armsWithout({}), forms: FORMS, ordering, utf8: true, isValidated: false, maxDepth: levels(undefined, 'maxDepth')
}

const DEFAULT = { plan: DEFAULT_PLAN, gap: gapOf(undefined), where: ownFields({}) }

/** @param {object} forms that replace arms */
function armsWithout(forms) {
  const arms = new Uint8Array(256).fill(FORM)
  for (const type of ARMS) if (!(type in forms)) arms[type] = type
  return arms
}

/** @typedef {{plan: TextPlan, gap: Uint8Array, where: StreamOptions & PlaceOptions, isArray: boolean}} Plan */

/**
 * @param {string} owner the function whose options these are
 * @param {{isArray?: boolean, isStream?: boolean}} [how] `isArray`: how it writes many documents, if it does;
 *   `isStream`: whether it makes a stream, which has one more option and needs them after the call
 * @returns {(options?: StreamOptions & PlaceOptions) => Plan} throws a BSONError on what is not allowed
 */
function planner(owner, { isArray, isStream = false } = {}) {
  const only = onlyOptions(owner, isStream ? [...JSON_OPTIONS, 'maxDocumentSize'] : JSON_OPTIONS)
  const read = isStream ? kept : ownFields
  const otherwise = { ...DEFAULT, isArray }
  return options => {
    if (options === undefined || options === null) return otherwise
    const own = read(only(options))
    const plan = { plan: textPlan(own), gap: gapOf(own.indent), where: own, isArray }
    if (isArray !== undefined) noIndex(own.index)
    return plan
  }
}

function textPlan(own) {
  const { utf8, utf8Except } = utf8Plan(own.validation)
  const forms = {}
  for (const name of Object.keys(CHOICES)) {
    if (own[name] !== undefined) Object.assign(forms, CHOICES[name][oneOf(Object.keys(CHOICES[name]))(own[name], name)])
  }
  const isDefault = Object.keys(forms).length === 0 && utf8 && utf8Except === null && own.maxDepth === undefined
  if (isDefault) return DEFAULT_PLAN
  return {
    arms: armsWithout(forms),
    forms: { ...FORMS, ...forms },
    ordering,
    utf8: utf8 && utf8Except === null,
    isValidated: !utf8 || utf8Except !== null, // including values overwritten by a later field of the same name
    maxDepth: levels(own.maxDepth, 'maxDepth')
  }
}

module.exports = { planner }
