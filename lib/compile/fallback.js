'use strict'

// The fallbacks of generated readers: they read the rest of a document or an array, and values of types that the reader
// does not know. Uses the loop of `decode`, or read.js if the result would differ from that of `decode`.

const {
  currentPlan, rootKey, cursor, REST, ITEMS, VALUE, readDocument, readElements, asDBRef
} = require('../decode')

/** The offset after the last value that `readOther` read. */
const place = { pos: 0 }

/** After CHECK_AFTER bail-outs a reader pauses if more than one in SHARE of its documents bailed out. */
const CHECK_AFTER = 32
const SHARE = 8

/** Number of documents for which it pauses; `decode` learns their shape in the meantime. */
const PAUSE = 2048

/** Decides whether a generated reader is worth using. It is not if many documents differ from the schema. */
class Cooldown {
  constructor() {
    /** Documents that the reader has begun since bail-outs were last reset. */
    this.entries = 0
    this.bailOuts = 0
    /** Documents still to be read by `decode`. */
    this.left = 0
  }

  count() {
    if (++this.bailOuts < CHECK_AFTER) return
    if (this.bailOuts * SHARE > this.entries) this.left = PAUSE
    this.bailOuts = 0
    this.entries = 0
  }
}

/**
 * @typedef {object} Fallbacks
 * @property {Function} readRemainder reads the rest of a document of shape `id`; `doc`, if any, is what has been read
 * @property {Function} readRemainingItems reads the rest of an array of list `id`
 * @property {Function} readOther reads the value of the element at `pos`
 * @property {(name: string) => Cooldown} [cooldownOf] of a reader
 */

/**
 * @param {() => import('../decode/decode').DecodePlan} planOf
 * @returns {Fallbacks} to `decode`'s own loop
 */
function toDecode(planOf) {
  /** @type {import('../decode/decode').DecodePlan | undefined} */
  let plan
  const shapes = []
  const lists = []
  let other
  /** @type {Map<string, Cooldown>} */
  const cooldowns = new Map()

  function cooldownOf(name) {
    if (!cooldowns.has(name)) cooldowns.set(name, new Cooldown())
    return cooldowns.get(name)
  }

  function readRemainder(id, doc, buf, view, pos, end, depth) {
    plan ??= planOf()
    const key = shapes[id] ??= rootKey()
    const current = currentPlan(plan, end - pos)
    if (doc === null) return readDocument(buf, current, key, pos, end, depth)
    return asDBRef(readElements(buf, current, key, REST, doc, pos, end, depth), doc)
  }

  function readRemainingItems(id, items, buf, view, pos, end, depth) {
    plan ??= planOf()
    readElements(buf, currentPlan(plan, end - pos), lists[id] ??= rootKey(), ITEMS, items, pos, end, depth)
    return items
  }

  function readOther(buf, view, pos, value, end, depth) {
    plan ??= planOf()
    const item = readElements(buf, currentPlan(plan, end - pos), other ??= rootKey(), VALUE, null, pos, end, depth)
    place.pos = cursor.pos
    return item
  }

  return { readRemainder, readRemainingItems, readOther, cooldownOf }
}

/** @param {() => import('./core').Core} coreOf @returns {Fallbacks} to read.js */
function toReader(coreOf) {
  const { readOther } = toDecode(() => coreOf().plan.plansAs.get(null))
  return {
    readRemainder(id, doc, buf, view, pos, end, depth) {
      const { schema, reader } = coreOf()
      return reader.readDocument(schema.shapes[id], doc ?? {}, buf, pos, end, depth)
    },
    readRemainingItems(id, items, buf, view, pos, end, depth) {
      const { schema, reader } = coreOf()
      return reader.readItems(schema.lists[id], items, buf, pos, end, depth)
    },
    readOther
  }
}

/** Ends the reading of positional bytes; what they hold is then read with names. */
const BAILED_OUT = new Error('bailed out')

function bailOut() {
  throw BAILED_OUT
}

/** @param {() => import('../decode/decode').DecodePlan} planOf @returns {Fallbacks} that leave to `readPositional` */
function toNames(planOf) {
  return { readRemainder: bailOut, readRemainingItems: bailOut, readOther: toDecode(planOf).readOther }
}

/**
 * @param {() => import('./core').Core} core
 * @param {Function | undefined} fast reads positional bytes; it may fail
 * @param {Function} slow reads all bytes, with names
 * @returns {any} the reader of a document
 */
function readPositional(core, fast, slow) {
  const cooldown = new Cooldown()
  return (buf, index, end) => {
    if (fast === undefined || !core().positional.isOwn(buf, index, end)) return slow(buf, index, end)
    if (cooldown.left > 0) {
      cooldown.left--
      return slow(buf, index, end)
    }
    cooldown.entries++
    try {
      return fast(buf, index, end)
    } catch {
      cooldown.count()
      return slow(buf, index, end)
    }
  }
}

module.exports = { toNames, readPositional, place, toDecode, toReader }
