'use strict'

// The fallbacks of generated readers: the loop of `decode`, read.js if the result would differ from that of `decode`,
// or bytes with names.

const { currentPlan, READING, Cooldown, fallbacksBy } = require('../decode')

/** @typedef {ReturnType<typeof fallbacksBy>} Fallbacks */

/** @param {() => import('../decode/decode').DecodePlan} planOf @returns {Fallbacks} with the loop of `decode` */
function toDecode(planOf) {
  /** @type {import('../decode/decode').DecodePlan | undefined} */
  let plan
  return fallbacksBy(READING, (view, size) => currentPlan(plan ??= planOf(), size))
}

/** @param {() => import('./core').Core} coreOf @returns {Fallbacks} with read.js */
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

/** @param {() => import('../decode/decode').DecodePlan} planOf @returns {Fallbacks} that leaves to `readPositional` */
function toNames(planOf) {
  return { ...toDecode(planOf), readRemainder: bailOut, readRemainingItems: bailOut }
}

/**
 * @param {() => import('./core').Core} core @param {Function | undefined} fast @returns {any} the reader of a document
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

module.exports = { toNames, readPositional, toDecode, toReader }
