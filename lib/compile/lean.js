'use strict'

// What generated readers leave to others: the rest of a document or an array, and values of types that they do not
// know. It is read by `decode`'s own loop, or by read.js where `decode` would read something else.

const { ELEMENT } = require('../spec')
const { getInt32 } = require('../bytes')
const { getDouble } = require('../bytes/float')

/** The offset after the value that was read last by `readOther`. */
const place = { pos: 0 }

/** Departures from a reader after which they are weighed: when they are one in so many documents, it steps aside. */
const WEIGHED = 32
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
    if (++this.departures < WEIGHED) return
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
  /** @type {Map<string, Gate>} */
  const gates = new Map()

  function gateOf(name) {
    if (!gates.has(name)) gates.set(name, new Gate())
    return gates.get(name)
  }

  function rest(id, index, doc, buf, view, pos, end, depth) {
    plan ??= planOf()
    const { FIELDS, REST, noKey, enter, exit, read } = load()
    const r = enter(plan, shapes[id] ??= noKey(), buf, view)
    return exit(r, read(r, doc, pos, end, doc === null ? FIELDS : REST, depth))
  }

  function restItems(id, items, buf, view, pos, end, depth) {
    plan ??= planOf()
    const { ITEMS, noKey, enter, exit, readItems } = load()
    const r = enter(plan, lists[id] ??= noKey(), buf, view)
    return exit(r, readItems(r, items, pos, end, ITEMS, depth))
  }

  function readOther(buf, view, pos, value, end, depth) {
    plan ??= planOf()
    return readValue(plan, buf, view, pos, value, end, depth)
  }

  return { rest, restItems, readOther, gateOf }
}

/** The frequent ones here, for to make an array for one takes as long as to read it. */
function readValue(plan, buf, view, pos, value, end, depth) {
  const { promoteValues } = plan
  switch (buf[pos]) {
    case ELEMENT.NULL:
      place.pos = value
      return null
    case ELEMENT.INT32:
      if (!promoteValues || value + 4 > end) break
      place.pos = value + 4
      return getInt32(buf, value)
    case ELEMENT.DOUBLE:
      if (!promoteValues || value + 8 > end) break
      place.pos = value + 8
      return getDouble(buf, value)
  }
  const { ITEMS, noKey, enter, exit, readItems, scanElement } = load()
  const next = scanElement(buf[pos], buf, pos, value - 1, end)
  const r = enter(plan, noKey(), buf, view)
  const [item] = exit(r, readItems(r, null, pos, next, ITEMS, depth))
  place.pos = next
  return item
}

/** @param {() => import('./core').Core} coreOf @returns {Departures} to read.js */
function toReader(coreOf) {
  const { readOther } = toDecode(() => coreOf().plan.plansAs.get(null))
  return {
    rest(id, index, doc, buf, view, pos, end, depth) {
      const { schema, reader } = coreOf()
      return reader.readDocument(schema.shapes[id], doc ?? {}, index, buf, pos, end, depth)
    },
    restItems(id, items, buf, view, pos, end, depth) {
      const { schema, reader } = coreOf()
      return reader.readItems(schema.lists[id], items, buf, pos, end, depth)
    },
    readOther
  }
}

let loaded

/** A module that was written ahead of time seldom needs it. */
function load() {
  return (loaded ??= require('./loop'))
}

module.exports = { place, toDecode, toReader }
