'use strict'

// The parts of compiled codecs: primitives of qbson for code generated at run time and for modules generated ahead of
// time. Those modules are meant to start fast: only what their schema needs is loaded; the writing part is loaded with
// the first document that is written, the checking part when a check is requested.

const { getInt64, getUtf8Lossy } = require('../bytes')
const { Int32, Double } = require('../types')
const { planOf, currentPlan, decodeAt, longOf, promoted, READING, Cooldown, fallbacksBy } = require('../decode')
const { getText, readFrom, readSmall } = require('./input')
const { makeDecoder } = require('./codec')

const DEFAULT_PLAN = planOf()

/** Whether each name must be looked up on Object.prototype, as `decode` then does. */
function isChanged(size) {
  return currentPlan(DEFAULT_PLAN, size).checksNames
}

function getInt32Object(value) {
  return new Int32(value)
}

function getDoubleObject(value) {
  return new Double(value)
}

/** What readers use, by name. */
const PARTS = {
  ...READING, getInt64, getText, readFrom, readSmall, getUtf8Lossy, longOf, promoted, getInt32Object, getDoubleObject,
  isChanged
}

/** @typedef {import('./codec').Codec} Codec */

/**
 * A codec whose reader is code. Its `core` is made on first use.
 *
 * @typedef {object} Compiled
 * @property {() => import('./core').Core} core
 * @property {() => import('../decode/decode').DecodePlan} decodePlan
 * @property {boolean} isOwn whether the schema makes the result differ from that of `decode`
 * @property {boolean} isPositional whether documents are arrays of their values
 * @property {string[]} names that the reader needs
 * @property {(scope: any) => any} makeReader undefined where code cannot be generated
 */

/** Ends the reading of positional bytes; what they hold is then read with names. */
const BAILED_OUT = new Error('bailed out')

function bailOut() {
  throw BAILED_OUT
}

/**
 * The functions that the reader needs. What it leaves is read by the loop of `decode`, or by `core` if the result would
 * differ from that of `decode`.
 */
function scopeOf({ core, decodePlan, isOwn, isPositional, names }) {
  /** @type {import('../decode/decode').DecodePlan | undefined} */
  let plan
  const byCore = name => (...args) => core()[name](...args)
  const own = {
    ...fallbacksBy(READING, (view, size) => currentPlan(plan ??= decodePlan(), size)),
    readFallback: isOwn ? byCore('readRoot') : (buf, index) => decodeAt(buf, index, true, plan ??= decodePlan()),
    ...(isOwn ? { readRemainder: byCore('readRemainder'), readRemainingItems: byCore('readRemainingItems') } : {}),
    ...(isPositional ? { readFallback: bailOut, readRemainder: bailOut, readRemainingItems: bailOut } : {})
  }
  return Object.fromEntries(names.map(name => [name, own[name] ?? PARTS[name]]))
}

/** @param {Compiled} compiled @returns {import('./codec').Codec} */
function codecFrom(compiled) {
  const { core, isPositional } = compiled
  const made = compiled.makeReader(scopeOf(compiled))
  const slow = (buf, index, end) => core().readRoot(buf, index, end)
  const check = (buf, index, end, violations) => core().check(buf, index, end, violations)
  /** @type {ReturnType<typeof import('./encoder').makeEncoder> | undefined} */
  let encoding
  const encoder = () => (encoding ??= require('./encoder').makeEncoder(core()))
  return {
    ...(isPositional ? unnamed(core, made, slow, check) : makeDecoder({ readRoot: made ?? slow, check, core })),
    encode: (doc, options) => encoder().encode(doc, options),
    encodeInto: (doc, target, offset, options) => encoder().encodeInto(doc, target, offset, options),
    sizeOf: (doc, options) => encoder().sizeOf(doc, options),
    isCompiled: made !== undefined
  }
}

/** The decoder of documents that are arrays of their values. What `made` bails out of is read with names. */
function unnamed(core, made, slow, check) {
  const { withNames } = require('./core')
  const readNamed = withNames(core, slow)
  const cooldown = new Cooldown()
  const readRoot = (buf, index, end) => {
    if (made === undefined || !core().positional.isOwn(buf, index, end)) return readNamed(buf, index, end)
    if (cooldown.left > 0) {
      cooldown.left--
      return readNamed(buf, index, end)
    }
    cooldown.entries++
    try {
      return made(buf, index, end)
    } catch {
      cooldown.count()
      return readNamed(buf, index, end)
    }
  }
  return makeDecoder({ readRoot, check: withNames(core, check), core })
}

/**
 * The codec of a module generated ahead of time.
 *
 * @param {{schema: any, options: any, isOwn: boolean, names: string[], makeReader: (scope: any) => any}} module
 * @returns {import('./codec').Codec}
 */
function codecOf({ schema, options, ...generated }) {
  const { layout, upgrade, ...others } = options
  let made
  const core = () => (made ??= require('./core').makeCore(schema, options))
  return codecFrom({ ...generated, core, decodePlan: () => planOf(others), isPositional: layout === 'array' })
}

module.exports = { codecOf, codecFrom }
