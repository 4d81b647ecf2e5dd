'use strict'

// When codecs learn, and when a reader pauses. These are objects and not constants so that tests can change them.

/** How `decode` learns. */
const DECODE = {
  /** One in this many documents is sampled, on average, nested ones included. */
  sampleEvery: 1024,
  /** Samples under one key that are compared, and how many must be alike: V8 needs 10 to 20 ms for a reader. */
  window: 32,
  alike: 29,
  /** The share of documents under another key than the root's among all. */
  share: 0.5
}

/** How `encode` learns. */
const ENCODE = {
  /** One in this many documents is sampled, on average, and a long array for every so many items. */
  sampleEvery: 512,
  itemsEvery: 8192,
  /** Samples that are compared, and how many of them must be alike. */
  window: 32,
  alike: 29,
  /** The share of long arrays among all bytes, and samples of them with like items, before these are learned. */
  share: 0.5,
  lists: 8,
  /** Names that a writer may meet without knowing them, besides one per document. */
  trial: 4096
}

/** A reader that has bailed out `checkAfter` times, of more than one in `share` documents, pauses for `pause`. */
const COOLDOWN = { checkAfter: 32, share: 8, pause: 2048 }

module.exports = { DECODE, ENCODE, COOLDOWN }
