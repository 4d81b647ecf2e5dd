'use strict'

// When learn.js takes its next sample. It is apart from learn.js because most processes end before that: builds for
// Node load learn.js with the first sample.

/**
 * Documents before the first call of finish() in read.js: at that, V8 drops the optimized code of readElements(), which
 * is there after some 100 documents. With 128, Node 20 takes 1.3 times as long for the first 1,000 orders.
 */
const EARLIEST = 24

/** Documents between that call and the first sample, which takes 2 ms: as much as the first 100 small documents. */
const DELAY = 1024

/** Nesting levels that compiled readers read: a function of many fields uses much stack. */
const MAX_LEVEL = 64

/** Whether anything is learned. In bundles false stands in its place: see scripts/plugins.js. */
const LEARNS = true

/** The wait when nothing is sampled. Infinity is not a small integer and would be slower. */
const NEVER = Object.freeze({ wait: 2 ** 30 - 1 })

/**
 * `wait` is the number of documents before the next sample; `streak` that of roots of one kind in a row after which the
 * next is expected to be one as well: to tell kinds apart takes 10 to 30 ns.
 */
const learning = { wait: EARLIEST, delay: DELAY, streak: 4096 }

/** Whether finish() is to take a sample. Its first call only makes the first sample wait. */
function isSampling() {
  const { delay } = learning
  if (delay > 0) learning.wait = delay
  learning.delay = 0
  return delay === 0
}

module.exports = { MAX_LEVEL, LEARNS, NEVER, learning, isSampling }
