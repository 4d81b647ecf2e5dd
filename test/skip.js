'use strict'

// A test that needs something missing (a data set, a server, a tool) says so and is counted as skipped. This throws, so
// that nothing after it runs. qnit catches what a test throws, but not what an async test rejects with: see below.
// The runner in index.js fails a file that says `skipped:` more often than qnit counted.

/** What qnit throws in `t.skip`. */
const SKIPPED = '__skip'

/** The test that skipped last: qnit runs one at a time. */
let skipping

/**
 * @param {any} t the argument of the test, which may be an async function
 * @param {string} reason printed above the name of the test
 * @returns {never}
 */
function skip(t, reason) {
  console.log(`    skipped: ${reason}`)
  skipping = t
  return t.skip()
}

process.on('unhandledRejection', reason => {
  if (reason !== SKIPPED) throw reason // as Node would; qnit prints it and exits
  skipping.done(SKIPPED)
})

/** A test of what nyc changes: time, memory, the files that are loaded. @param {Function} test */
function notCovered(test) {
  return process.env.NYC_CONFIG ? t => skip(t, 'nyc changes what is measured') : test
}

module.exports = { skip, notCovered }
