'use strict'

// What generated readers leave to the loop of `decode`: the rest of a document or an array, values of types that a
// reader does not know, and all documents for a while where most differ.

const { COOLDOWN } = require('../codegen')
const { rootKey } = require('./keys')
const { endStreak } = require('./kinds')
const { learning } = require('./learning')
const { WIDE, makeWide } = require('./wide')

/** Decides whether a generated reader is worth using. It is not if many documents differ from its shape. */
class Cooldown {
  constructor() {
    /** Documents that the reader has begun since bail-outs were last reset. */
    this.entries = 0
    this.bailOuts = 0
    /** Documents still to be read by `decode`. */
    this.left = 0
  }

  count() {
    if (++this.bailOuts < COOLDOWN.checkAfter) return
    if (this.bailOuts * COOLDOWN.share > this.entries && !endStreak()) this.left = COOLDOWN.pause
    this.bailOuts = 0
    this.entries = 0
  }
}

/**
 * @typedef {object} Fallbacks
 * @property {Function} readRemainder reads the rest of a document of shape `id`; `doc`, if any, is what has been read
 * @property {Function} readRemainingItems reads the rest of an array of list `id`
 * @property {Function} readOther reads the value of the element at `pos`, and sets `cursor.pos` to the offset after it
 * @property {(name: string) => Cooldown} [cooldownOf] of a reader
 */

/**
 * @param {Record<string, any>} reading the functions of read.js
 * @param {(context: any, size: number) => import('./options').DecodePlan} planOf by the second argument of the reader's
 *   functions, and the number of bytes to read
 * @param {import('./keys').Key} [own] the key of the documents of shape 0, for which the reader has been learned
 * @returns {Fallbacks}
 */
function fallbacksBy({ FIELDS, REST, ITEMS, VALUE, readDocument, readArray, readElements, finish }, planOf, own) {
  /** The keys of shapes, of lists and of other values, which tell what the next name may be. */
  const shapes = own === undefined ? [] : [own]
  const lists = []
  const others = []
  return {
    cooldownOf: () => new Cooldown(),
    readRemainder(id, doc, buf, context, pos, end, depth) {
      const plan = planOf(context, end - pos)
      const key = shapes[id] ??= rootKey()
      if (doc === null && key !== own) return readDocument(buf, plan, key, pos, end, depth)
      const out = doc ?? (key.width > WIDE ? makeWide() : {})
      if (doc === null) learning.wait--
      const specials = readElements(buf, plan, key, doc === null ? FIELDS : REST, out, pos, end, depth)
      return finish(buf, doc === null ? key : null, out, specials, pos, end)
    },
    readRemainingItems(id, items, buf, context, pos, end, depth) {
      const plan = planOf(context, end - pos)
      const key = lists[id] ??= rootKey()
      if (items.length === 0) return readArray(buf, plan, key, pos, end, depth)
      readElements(buf, plan, key, ITEMS, items, pos, end, depth)
      return items
    },
    readOther(id, buf, context, pos, end, depth) {
      return readElements(buf, planOf(context, end - pos), others[id] ??= rootKey(), VALUE, null, pos, end, depth)
    }
  }
}

module.exports = { Cooldown, fallbacksBy }
