'use strict'

// A test that needs what is not there (a data set, a server, a tool) says so and is counted:
//
//   'reads the dump': function (t) {
//     if (!fs.existsSync(dump)) skip(t, 'no ../shared/dumps')
//     …

/**
 * Ends the running test as skipped. It throws, so nothing after it runs.
 *
 * @param {any} t the test's argument
 * @param {string} reason
 * @returns {never}
 */
function skip(t, reason) {
  return t.skip(reason)
}

module.exports = { skip }
