'use strict'

// The fallbacks of generated readers: they read the rest of a document or an array, and values of types that the reader
// does not know. Uses the loop of `decode`, or read.js if the result would differ from that of `decode`.

const {
  currentPlan, rootKey, cursor, REST, ITEMS, VALUE, readDocument, read, asDBRef
} = require('../decode')

/** The offset after the last value that `readOther` read. */
const place = { pos: 0 }

/** After CHECK_AFTER bail-outs a reader steps aside if more than one in SHARE of its documents bailed out. */
const CHECK_AFTER = 32
const SHARE = 8

/** Number of documents for which it steps aside; `decode` learns their shape in the meantime. */
const ASIDE = 2048

/** Decides whether a generated reader is worth using. It is not if many documents differ from the schema. */
class Gate {
  constructor() {
    /** Documents that the reader has begun since bail-outs were last reset. */
    this.entries = 0
    this.bailOuts = 0
    /** Documents still to be read by `decode`. */
    this.aside = 0
  }

  count() {
    if (++this.bailOuts < CHECK_AFTER) return
    if (this.bailOuts * SHARE > this.entries) this.aside = ASIDE
    this.bailOuts = 0
    this.entries = 0
  }
}

/**
 * @typedef {object} Departures
 * @property {Function} rest reads the rest of a document of shape `id`; `doc`, if any, is the part already read
 * @property {Function} restItems reads the rest of an array of list `id`
 * @property {Function} readOther reads the value of the element at `pos`
 * @property {(name: string) => Gate} [gateOf] the gate of a reader
 */

/**
 * @param {() => import('../decode/decode').DecodePlan} planOf
 * @returns {Departures} to `decode`'s own loop
 */
function toDecode(planOf) {
  /** @type {import('../decode/decode').DecodePlan | undefined} */
  let plan
  const shapes = []
  const lists = []
  let other
  /** @type {Map<string, Gate>} */
  const gates = new Map()

  function gateOf(name) {
    if (!gates.has(name)) gates.set(name, new Gate())
    return gates.get(name)
  }

  function rest(id, doc, buf, view, pos, end, depth) {
    plan ??= planOf()
    const key = shapes[id] ??= rootKey()
    const current = currentPlan(plan, end - pos)
    if (doc === null) return readDocument(buf, current, key, pos, end, depth)
    return asDBRef(read(buf, current, key, REST, doc, pos, end, depth), doc)
  }

  function restItems(id, items, buf, view, pos, end, depth) {
    plan ??= planOf()
    read(buf, currentPlan(plan, end - pos), lists[id] ??= rootKey(), ITEMS, items, pos, end, depth)
    return items
  }

  function readOther(buf, view, pos, value, end, depth) {
    plan ??= planOf()
    const item = read(buf, currentPlan(plan, end - pos), other ??= rootKey(), VALUE, null, pos, end, depth)
    place.pos = cursor.pos
    return item
  }

  return { rest, restItems, readOther, gateOf }
}

/** @param {() => import('./core').Core} coreOf @returns {Departures} to read.js */
function toReader(coreOf) {
  const { readOther } = toDecode(() => coreOf().plan.plansAs.get(null))
  return {
    rest(id, doc, buf, view, pos, end, depth) {
      const { schema, reader } = coreOf()
      return reader.readDocument(schema.shapes[id], doc ?? {}, buf, pos, end, depth)
    },
    restItems(id, items, buf, view, pos, end, depth) {
      const { schema, reader } = coreOf()
      return reader.readItems(schema.lists[id], items, buf, pos, end, depth)
    },
    readOther
  }
}

/** Ends the reading of bytes without names; what they hold is then read with names. */
const DEPARTED = new Error('departed')

function depart() {
  throw DEPARTED
}

/** @param {() => import('../decode/decode').DecodePlan} planOf @returns {Departures} that leave to `readPositional` */
function toNames(planOf) {
  return { rest: depart, restItems: depart, readOther: toDecode(planOf).readOther }
}

/**
 * @param {() => import('./core').Core} core
 * @param {Function | undefined} fast reads bytes without names; it may fail
 * @param {Function} slow reads all bytes, with names
 * @returns {any} the reader of a document
 */
function readPositional(core, fast, slow) {
  const gate = new Gate()
  return (buf, index, end) => {
    if (fast === undefined || !core().positional.isOwn(buf, index, end)) return slow(buf, index, end)
    if (gate.aside > 0) {
      gate.aside--
      return slow(buf, index, end)
    }
    gate.entries++
    try {
      return fast(buf, index, end)
    } catch {
      gate.count()
      return slow(buf, index, end)
    }
  }
}

module.exports = { toNames, readPositional, place, toDecode, toReader }
