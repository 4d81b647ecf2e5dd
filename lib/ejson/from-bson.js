'use strict'

// BSON bytes -> Extended JSON, without making values. This keeps what JavaScript values would lose: undefined,
// DBPointers, dates outside the range of a Date, and the order of keys.

const { ELEMENT } = require('../spec')
const { levels, noIndex, onlyOptions } = require('../options')
const { getUint32, getDouble } = require('../bytes')
const { getRegex } = require('../decode')
const {
  forms, fromBytes, quote, putAscii, putInt, putInt64At, putDoubleAt, putIsoTimeAt, NONE, FORM, gapOf, convert,
  asText, asBytes, listBytes, valueTexts
} = require('../text')

const { putWords } = quote

/** @typedef {import('../text').Writer & {plan: Plan}} Writer */
/** @typedef {import('../text').TextPlan & import('../text/forms').Mode} Plan */

/**
 * @typedef {object} Layout
 * @property {string | number} [space] as JSON.stringify's; default none
 * @property {number} [index] where in `bytes` the document begins; default 0
 * @property {boolean} [allowObjectSmallerThanBufferSize] other bytes may follow it; default false
 */

/** @typedef {import('.').EJSONOptionsBase & Layout} FromBSONOptions */

const { putEnd } = forms
const { int64At, putBinary, putDecimal, putId, putUtf8, scopedForm, textForm } = fromBytes

/** Little-endian. */
const POINT_ZERO = 0x302e

/** Decode options for regular expressions. */
const AS_BSON = { utf8Names: true, bsonRegExp: true, isLenient: false }

/** What writes the types whose text differs from plain JSON. @type {Record<number, import('../text').Form>} */
const FORMS = {
  [ELEMENT.DOUBLE]: putDouble,
  [ELEMENT.BINARY]: putBinary,
  [ELEMENT.UNDEFINED]: ({ out }, start, next, pos) => forms.putForm(forms.UNDEFINED, out, pos),
  [ELEMENT.OBJECT_ID]: putId,
  [ELEMENT.DATETIME]: putDate,
  [ELEMENT.REGEX]: putRegex,
  [ELEMENT.DB_POINTER]: putDBPointer,
  [ELEMENT.CODE]: textForm('{"$code":'),
  [ELEMENT.SYMBOL]: textForm('{"$symbol":'),
  [ELEMENT.CODE_WITH_SCOPE]: scopedForm('{"$code":', ',"$scope":'),
  [ELEMENT.INT32]: putInt32,
  [ELEMENT.TIMESTAMP]: ({ buf, out }, start, next, pos) => {
    return forms.putTimestamp(getUint32(buf, start + 4), getUint32(buf, start), out, pos)
  },
  [ELEMENT.INT64]: putInt64,
  [ELEMENT.DECIMAL128]: putDecimal,
  [ELEMENT.MAX_KEY]: ({ out }, start, next, pos) => forms.putForm(forms.MAX_KEY, out, pos),
  [ELEMENT.MIN_KEY]: ({ out }, start, next, pos) => forms.putForm(forms.MIN_KEY, out, pos)
}

/** Types that are written as in plain JSON with any options. */
const PLAIN = [
  ELEMENT.STRING, ELEMENT.DOCUMENT, ELEMENT.ARRAY, ELEMENT.BOOLEAN, ELEMENT.NULL, ELEMENT.CODE_WITH_SCOPE
]

/** @type {Plan[]} one for each combination of `relaxed` and `legacy` */
const PLANS = [0, 1, 2, 3].map(bits => makePlan((bits & 1) !== 0, (bits & 2) !== 0))

function makePlan(relaxed, legacy) {
  const arms = new Uint8Array(256).fill(FORM)
  for (const type of PLAIN) arms[type] = type
  if (relaxed || legacy) arms[ELEMENT.INT32] = ELEMENT.INT32
  if (relaxed) arms[ELEMENT.INT64] = ELEMENT.INT64
  const how = { ordering: null, utf8: true, isValidated: false, maxDepth: levels(undefined, 'maxDepth') }
  return { arms, forms: FORMS, ...how, relaxed, legacy }
}

/** @param {FromBSONOptions} own options @returns {Plan} */
function planOf({ relaxed = true, legacy = false, maxDepth }) {
  const plan = PLANS[(relaxed ? 1 : 0) | (legacy ? 2 : 0)]
  return maxDepth === undefined ? plan : { ...plan, maxDepth: levels(maxDepth, 'maxDepth') }
}

const OPTIONS = ['relaxed', 'legacy', 'space', 'index', 'allowObjectSmallerThanBufferSize', 'maxDepth']

/** Options of other functions of EJSON and of `decode` that make no difference here. */
const OTHERS = ['ignoreUndefined', 'useBigInt64', 'validation']

const only = {
  fromBSON: onlyOptions('EJSON.fromBSON', OPTIONS, OTHERS),
  bytes: onlyOptions('extendedJSONBytes', OPTIONS, OTHERS),
  lines: onlyOptions('extendedJSONLines', OPTIONS, OTHERS)
}

/**
 * Each document comes with options, and a literal with all names takes a third of the time of `ownFields`. Text is
 * always checked, because JSON must be valid UTF-8.
 */
function ownOptions(options) {
  return {
    relaxed: undefined,
    legacy: undefined,
    space: undefined,
    index: undefined,
    allowObjectSmallerThanBufferSize: undefined,
    maxDepth: undefined,
    ...options,
    validation: undefined
  }
}

/**
 * Writes BSON as a text of Extended JSON, without making objects.
 *
 * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} bytes one document
 * @param {FromBSONOptions} [options]
 * @returns {string}
 * @throws {import('../errors').BSONError} on bytes that are not BSON, with the offset and the path
 */
function fromBSON(bytes, options) {
  const own = ownOptions(only.fromBSON(options))
  return convert(bytes, own, planOf(own), gapOf(own.space), asText)
}

/**
 * `EJSON.fromBSON`, but returns UTF-8 and makes no string.
 *
 * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | number[]} bytes one document
 * @param {FromBSONOptions} [options]
 * @returns {Buffer} a Uint8Array where there is no Buffer
 * @throws {import('../errors').BSONError} as `fromBSON`
 */
function extendedJSONBytes(bytes, options) {
  const own = ownOptions(only.bytes(options))
  return convert(bytes, own, planOf(own), gapOf(own.space), asBytes)
}

/**
 * Documents that follow one another as lines of Extended JSON, in UTF-8; with `space` a document takes several.
 *
 * @param {Uint8Array | ArrayBufferLike | ArrayBufferView | Iterable<Uint8Array>} documents in one buffer, one after the
 *   other, or each in a buffer of its own
 * @param {import('.').EJSONOptionsBase & {space?: string | number}} [options]
 * @param {boolean} [isShared] whether the returned memory may be overwritten by the next text; default false
 * @returns {Buffer} a Uint8Array where there is no Buffer
 * @throws {import('../errors').BSONError} as `fromBSON`, with `document`, its number from 1
 */
function extendedJSONLines(documents, options, isShared) {
  const own = ownOptions(only.lines(options))
  noIndex(own.index)
  const where = { maxDepth: own.maxDepth }
  return listBytes(documents, { plan: planOf(own), gap: gapOf(own.space), where, isArray: false, isShared })
}

/**
 * The values of documents with one field each, whose name is empty, as a column of Extended JSON.
 *
 * @param {Uint8Array} documents valid ones
 * @param {Int32Array} starts of each, and the end of the last
 * @param {number} count
 * @returns {{offsets: Int32Array, values: Uint8Array}} where each text starts and the last one ends; UTF-8
 * @throws {import('../errors').BSONError} when they take more than 2 GB
 */
function extendedJSONValues(documents, starts, count) {
  return valueTexts(documents, starts, count, PLANS[1])
}

/** Usually reads the number in place: V8 allocates an object for a double that is passed to a function. */
function putDouble(w, start, next, pos) {
  const { view, plan, out: { view: text } } = w
  const value = view.getFloat64(start, true)
  const int = value | 0
  const isInt = int === value && int !== 0
  if (!isInt && Number.isInteger(value)) return putRareDouble(w, start, pos)
  if (plan.relaxed || plan.legacy) {
    if (isInt) return putPointZero(text, putInt(int, text, pos))
    return value - value === 0 ? putDoubleAt(view, start, text, pos) : putRareDouble(w, start, pos)
  }
  if (value - value !== 0) return putRareDouble(w, start, pos)
  pos = putWords(forms.NUMBER_DOUBLE, text, pos)
  return putEnd(text, isInt ? putPointZero(text, putInt(int, text, pos)) : putDoubleAt(view, start, text, pos))
}

function putPointZero(text, pos) {
  text.setUint16(pos, POINT_ZERO, true)
  return pos + 2
}

/** Without type wrappers, `.0` tells an integral double from an int32. */
function putRareDouble({ buf, plan, out }, start, pos) {
  const value = getDouble(buf, start)
  const end = forms.putDouble(value, plan, out, pos)
  if (!(plan.relaxed || plan.legacy) || !Number.isInteger(value) || forms.isLongDouble(value)) return end
  return Math.abs(value) >= 1e21 || Object.is(value, -0) ? end : forms.putText('.0', out, end)
}

function putDBPointer(w, start, next, pos) {
  pos = putUtf8(w, start + 4, next - 13, forms.putText('{"$dbPointer":{"$ref":', w.out, pos))
  return forms.putText('}}', w.out, putId(w, next - 12, next, forms.putText(',"$id":', w.out, pos)))
}

function putInt32({ view, out: { view: text } }, start, next, pos) {
  pos = putInt(view.getInt32(start, true), text, putWords(forms.NUMBER_INT, text, pos))
  return putEnd(text, pos)
}

function putInt64({ view, plan, out: { view: text } }, start, next, pos) {
  if (plan.relaxed) return putInt64At(view, start, text, pos)
  return putEnd(text, putInt64At(view, start, text, putWords(forms.NUMBER_LONG, text, pos)))
}

function putDate(w, start, next, pos) {
  const { view, plan, out: { view: text } } = w
  if (plan.legacy) return putRareDate(w, start, pos)
  if (plan.relaxed) {
    const end = putIsoTimeAt(view, start, text, putWords(forms.ISO_DATE, text, pos))
    return end === NONE ? putRareDate(w, start, pos) : putEnd(text, end)
  }
  return putAscii('"}}', text, putInt64At(view, start, text, putWords(forms.LONG_DATE, text, pos)))
}

/** A time that is no exact number is beyond every Date. */
function putRareDate({ buf, plan, out }, start, pos) {
  const time = int64At(buf, start)
  return typeof time === 'bigint' ? forms.putLongDate(time, out, pos) : forms.putDate(time, plan, out, pos)
}

function putRegex({ buf, plan, out }, start, next, pos) {
  const { pattern, options } = /** @type {any} */ (getRegex(buf, start, next, AS_BSON))
  return forms.putRegex(pattern, options, plan, out, pos)
}

module.exports = { fromBSON, extendedJSONBytes, extendedJSONLines, extendedJSONValues }
