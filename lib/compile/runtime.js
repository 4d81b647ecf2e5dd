'use strict'

// The parts of compiled codecs: primitives of qbson for code generated at run time and for modules generated ahead of
// time. Those modules are meant to start fast: only what their schema needs is loaded; the writing part is loaded with
// the first document that is written, the checking part when a check is requested.

const { errorAtOffset } = require('../errors')
const { getInt32, getUint32, getInt64, getDouble, getUtf8Lossy } = require('../bytes')
const { ObjectId, Int32, Double } = require('../types')
const { itemAt, tooDeep: tooDeepMessage } = require('../elements')
const { cursor, planOf, currentPlan, decodeAt, longOf, promoted, getTimestamp, getBinary, getDecimal128 } = require('../decode')
const { getText, readFrom, readSmall } = require('./input')
const { makeDecoder } = require('./codec')
const { toDecode, toReader, toNames, readPositional } = require('./fallback')

const DEFAULT_PLAN = planOf()

/** Whether each name must be looked up on Object.prototype, as `decode` then does. */
function isChanged(size) {
  return currentPlan(DEFAULT_PLAN, size).checksNames
}

/** @param {number} maxDepth @param {number} pos of the first element of the document or array that is too deep */
function tooDeep(maxDepth, pos) {
  throw errorAtOffset(tooDeepMessage(maxDepth), pos - 4)
}

function getInt32Object(value) {
  return new Int32(value)
}

function getDoubleObject(value) {
  return new Double(value)
}

/** What readers use, by name. */
const PARTS = {
  getInt32, getUint32, getInt64, getDouble, getText, readFrom, readSmall, getUtf8Lossy, itemAt, ObjectId, longOf,
  promoted, getTimestamp, getBinary, getDecimal128, getInt32Object, getDoubleObject, isChanged, tooDeep, cursor
}

/**
 * The input for code generation.
 *
 * @typedef {object} Compiled
 * @property {() => import('./core').Core} core created on first use
 * @property {boolean} isOwn whether the schema makes the result differ from that of `decode`
 * @property {boolean} isPositional whether documents are arrays of their values
 * @property {() => import('../decode/decode').DecodePlan} decodePlan
 */

/**
 * @param {string[]} names
 * @param {Compiled} compiled
 * @returns {Record<string, any>} the functions that the reading half needs
 */
function readingScope(names, { core, isOwn, isPositional, decodePlan }) {
  /** @type {import('../decode/decode').DecodePlan | undefined} */
  let plan
  const own = {
    ...(isPositional ? toNames(decodePlan) : isOwn ? toReader(core) : toDecode(decodePlan)),
    readFallback: isOwn ? (buf, index, end) => core().readRoot(buf, index, end) : (buf, index) => {
      plan ??= decodePlan()
      return decodeAt(buf, index, true, plan)
    }
  }
  return Object.fromEntries(names.map(name => [name, own[name] ?? PARTS[name]]))
}

/**
 * The reading half of a codec.
 *
 * @param {{readRoot: any, core: () => import('./core').Core, isPositional: boolean}} of
 * @returns {Pick<import('./codec').Codec, 'decode' | 'validate'>}
 */
function decoderOf({ readRoot, core, isPositional }) {
  const check = (buf, index, end, violations) => core().check(buf, index, end, violations)
  if (!isPositional) return makeDecoder({ readRoot, check, core })
  const { withNames } = require('./core')
  const slow = withNames(core, (buf, index, end) => core().readRoot(buf, index, end))
  return makeDecoder({ readRoot: readPositional(core, readRoot, slow), check: withNames(core, check), core })
}

/**
 * The codec of a module generated ahead of time.
 *
 * @param {object} module
 * @param {any} module.schema
 * @param {import('./core').CompileOptions & import('./core').BSONOptions} module.options
 * @param {boolean} module.isOwn
 * @param {string[]} module.names that the reader needs
 * @param {(scope: any) => any} module.makeReader
 * @returns {import('./codec').Codec}
 */
function codecOf({ schema, options, isOwn, names, makeReader }) {
  let made
  const core = () => (made ??= require('./core').makeCore(schema, options))
  const decodePlan = () => {
    const { layout, upgrade, ...others } = options
    return planOf(others)
  }
  const isPositional = options.layout === 'array'
  const readRoot = makeReader(readingScope(names, { core, isOwn, isPositional, decodePlan }))
  /** @type {ReturnType<typeof import('./encoder').makeEncoder> | undefined} */
  let encoding
  const encoder = () => (encoding ??= require('./encoder').makeEncoder(core()))
  return {
    ...decoderOf({ readRoot, core, isPositional }),
    encode: (doc, options) => encoder().encode(doc, options),
    encodeInto: (doc, target, offset, options) => encoder().encodeInto(doc, target, offset, options),
    sizeOf: (doc, options) => encoder().sizeOf(doc, options),
    isCompiled: true
  }
}

module.exports = { codecOf, decoderOf, readingScope }
