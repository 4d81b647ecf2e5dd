'use strict'

// What encode.js asks before it writes: whether a writer has been learned, and whether to sample. It is apart from
// learn.js because most processes end before the first sample: builds for Node load that file when they need it.

/** Whether anything is learned. In bundles false stands in its place: see scripts/plugins.js. */
const LEARNS = true

/** The waits when nothing is sampled. Infinity is not a small integer and would be slower. */
const NEVER = Object.freeze({ wait: 2 ** 30 - 1, items: 2 ** 30 - 1 })

/** @typedef {import('../codegen/fields').Shape} Shape */

const learning = {
  /** Documents before the next one is sampled. */
  wait: 512,
  /** @type {Shape | null} writes the documents of a process that writes mostly one kind */
  root: null,
  /** Items of a long array. */
  long: 16,
  /** Items of long arrays before the next such array is sampled. */
  items: 8192,
  /** Bytes in long arrays, and in all documents, since `items` were last counted. */
  listed: 0,
  written: 0,
  /** @type {Map<string, Shape[]> | null} writers for the items of long arrays, by the name of their first field */
  lists: null
}

module.exports = { LEARNS, NEVER, learning }
