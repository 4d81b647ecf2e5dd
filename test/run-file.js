'use strict'

// Runs one test file with qnit, in a process of its own, and sends the counts to the parent (run.js).

const path = require('node:path')
const qnit = require('qnit')

const TEST_TIMEOUT = 600_000 // ms: some talk to a real server, on a machine that may be busy
const HOOKS = ['setUp', 'tearDown', 'before', 'after', 'beforeEach', 'afterEach']

const file = path.resolve(process.argv[2])
const stats = {
  _depth: 0, _beforeThis: {}, assertionCount: 0, fileCount: 0, testCount: 0, skippedCount: 0, errors: []
}

/** Lets tests be async functions: qnit itself does not look at what a test returns. */
function allowPromises(tests) {
  const wrapped = {}
  for (const [name, test] of Object.entries(tests)) {
    if (HOOKS.includes(name)) wrapped[name] = test
    else if (typeof test === 'function') wrapped[name] = testOf(test)
    else wrapped[name] = allowPromises(test)
  }
  return wrapped
}

function testOf(test) {
  return function run(t) {
    limitTime(t)
    const result = test.call(this, t)
    if (!result || typeof result.then !== 'function') return
    result.then(
      () => t._doneCount === 0 && t.done(),
      error => t._onDone(error || new Error('the test was rejected without a reason'))
    )
  }
}

/** As qnit's own limit, but what a test does after it harms no other. */
function limitTime(t) {
  const onDone = t._onDone
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    onDone(new Error(`not done after ${TEST_TIMEOUT} ms`))
  }, TEST_TIMEOUT)
  t._onDone = error => {
    clearTimeout(timer)
    if (!isLate) onDone(error)
  }
}

// qnit prints most errors twice: by console.log with all that is known, then only their stack.
const print = qnit.QUnit.prototype.printf
qnit.QUnit.prototype.printf = function printf(format, ...args) {
  if (format !== '%s\n\n') print.call(this, format, ...args)
}

process.on('unhandledRejection', error => {
  throw error
})
// qnit waits for callbacks without holding the process: a test that nothing will ever finish would end it silently.
const alive = setInterval(() => {}, 3_200)

qnit.runTest(allowPromises(require(file)), '', { testTimeout: 2 * TEST_TIMEOUT, noColor: true }, [], [], stats, error => {
  clearInterval(alive)
  if (error) {
    console.log(error)
    stats.errors.push(error)
  }
  const failed = stats.errors.length
  const skipped = stats.skippedCount
  process.send({ passed: stats.testCount - failed - skipped, failed, skipped }, () => process.disconnect())
})
