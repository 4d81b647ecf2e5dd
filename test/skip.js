'use strict'

// A test that needs something missing (a data set, a server, a tool) says so and is counted as skipped. This throws, so
// that nothing after it runs; qnit only sees the rejection of a promise through `t.done`: `test(t).catch(t.done)`.

/**
 * @param {any} t the test's argument
 * @param {string} reason printed above the name of the test
 * @returns {never}
 */
function skip(t, reason) {
  console.log(`    skipped: ${reason}`)
  return t.skip()
}

/** A test of what nyc changes: time, memory, the files that are loaded. @param {Function} test */
function notCovered(test) {
  return process.env.NYC_CONFIG ? t => skip(t, 'nyc changes what is measured') : test
}

module.exports = { skip, notCovered }
