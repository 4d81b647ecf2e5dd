'use strict'

// What generated readers leave to others: the rest of a document or an array, and values of types that they do not
// know. It is read by `decode`'s own loop, or by read.js where `decode` would read something else.

const {
  currentPlan, rootKey, cursor, readDocument, readFields, readItems, readValue, asDBRef
} = require('../decode')

/** The offset after the value that was read last by `readOther`. */
const place = { pos: 0 }

/** After so many departures a reader steps aside, if they are one in so many of its documents. */
const CHECK_AFTER = 32
const SHARE = 8

/** Documents for which it does: `decode` learns what they look like meanwhile. */
const ASIDE = 2048

/** Whether a generated reader is worth it: where documents are most often not as the schema says, it is not. */
class Gate {
  constructor() {
    /** Documents that it has begun since departures were counted. */
    this.entries = 0
    this.departures = 0
    /** Documents to be left to `decode`. */
    this.aside = 0
  }

  count() {
    if (++this.departures < CHECK_AFTER) return
    if (this.departures * SHARE > this.entries) this.aside = ASIDE
    this.departures = 0
    this.entries = 0
  }
}

/**
 * @typedef {object} Departures
 * @property {Function} rest the rest of a document of shape `id`, of which `doc` has been read, or nothing
 * @property {Function} restItems the rest of an array of list `id`
 * @property {Function} readOther the value of the element at `pos`
 * @property {(name: string) => Gate} [gateOf] the one of a reader
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
    return asDBRef(readFields(buf, current, key, true, doc, pos, end, depth), doc)
  }

  function restItems(id, items, buf, view, pos, end, depth) {
    plan ??= planOf()
    return readItems(buf, currentPlan(plan, end - pos), lists[id] ??= rootKey(), items, pos, end, depth)
  }

  function readOther(buf, view, pos, value, end, depth) {
    plan ??= planOf()
    const item = readValue(buf, currentPlan(plan, end - pos), other ??= rootKey(), buf[pos], pos, value, end, depth)
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

module.exports = { place, toDecode, toReader }
