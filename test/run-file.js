'use strict'

// Runs the tests of one file, in a process of its own:
//
//     node test/run-file.js test/test-decode.js            all of them
//     node test/run-file.js test/test-decode.js 'an array'  those whose name holds this text
//
// A file exports an object of tests: functions, or objects of more tests. A test gets `t`: the assertions of
// node:assert/strict, `t.name`, `t.skip(reason)`, and `t.done()`, by which it says that it is over; an async function need
// not. A group may have `setUp` and `tearDown`, run before and after each test in it, and `before` and `after`, run once
// around them all; each may take a callback or be async.
//
// For each test run.js hears { name, ms, error?, skipped? }, and { isLast: true } in the end.

const assert = require('node:assert/strict')
const path = require('node:path')
const { inspect } = require('node:util')

/** ms; a test may take this long, on a machine that is busy with other things. */
const TIME_LIMIT = 300_000

/** Lines of a stack that are told of a failure. */
const FRAMES = 4

const HOOKS = new Set(['before', 'setUp', 'tearDown', 'after'])

class Skip extends Error {}

/** @typedef {{name: string, setUps: Function[], test: Function, tearDowns: Function[]}} Test */

/** Runs the tests of a group and of those inside it, one after the other. */
async function runGroup(group, only, outer = { name: '', setUps: [], tearDowns: [] }) {
  const setUps = [...outer.setUps, group.setUp].filter(Boolean)
  const tearDowns = [group.tearDown, ...outer.tearDowns].filter(Boolean)
  if (group.before) await finished(group.before)
  for (const [key, test] of Object.entries(group)) {
    const name = outer.name ? `${outer.name} - ${key}` : key
    if (HOOKS.has(key)) continue
    if (typeof test !== 'function') await runGroup(test, only, { name, setUps, tearDowns })
    else if (name.includes(only)) await runTest({ name, setUps, test, tearDowns })
  }
  if (group.after) await finished(group.after)
}

/** @param {Test} test */
async function runTest({ name, setUps, test, tearDowns }) {
  const started = Date.now()
  const result = { name }
  try {
    for (const setUp of setUps) await finished(setUp)
    let times = 0
    await inTime(new Promise((resolve, reject) => {
      const done = () => resolve(++times)
      const promise = test({ ...assert, name, skip, done })
      if (typeof promise?.then === 'function') promise.then(resolve, reject)
    }))
    assert.ok(times < 2, 'done() was called twice')
  } catch (error) {
    if (error instanceof Skip) result.skipped = error.message
    else result.error = told(error)
  }
  for (const tearDown of tearDowns) await finished(tearDown)
  tell({ ...result, ms: Date.now() - started })
}

function skip(reason) {
  throw new Skip(reason)
}

/** Resolves when a hook is over: one that takes a callback when that is called. */
function finished(hook) {
  if (hook.length === 0) return hook()
  return new Promise((resolve, reject) => {
    const promise = hook(error => (error ? reject(error) : resolve()))
    promise?.then?.(undefined, reject)
  })
}

/** As the promise, but an error when that takes too long, or when nothing is left to do that could settle it. */
function inTime(promise) {
  let timer
  let onIdle
  const late = new Promise((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${TIME_LIMIT} ms`)), TIME_LIMIT).unref()
    onIdle = () => reject(new Error('it never called done()'))
    process.once('beforeExit', onIdle)
  })
  return Promise.race([promise, late]).finally(() => {
    clearTimeout(timer)
    process.removeListener('beforeExit', onIdle)
  })
}

/** What is printed of a failure: the message, the difference, and the place in the project's own files. */
function told(error) {
  if (!(error instanceof Error)) return `it threw ${inspect(error)}`
  const stack = /\n {4}at [^]*$/.exec(error.stack)?.[0] ?? ''
  const own = stack.split('\n').filter(line => line && !/\bnode:|node_modules|run-file\.js|<anonymous>\)$/.test(line))
  const what = error instanceof assert.AssertionError ? error.message : `${error.name}: ${error.message}`
  const cause = error.cause instanceof Error ? [`caused by ${told(error.cause)}`] : []
  return [what, ...own.slice(0, FRAMES), ...cause].join('\n')
}

function tell(message) {
  if (process.send) process.send(message)
  else if (!message.isLast) {
    const { name, ms, error, skipped = `${ms} ms` } = message
    console.log(error ? 'FAIL' : 'ok  ', name, error ?? `(${skipped})`)
  }
}

async function main(file, only = '') {
  await runGroup(require(path.resolve(file)), only)
  tell({ isLast: true })
  if (process.connected) process.disconnect()
}

main(process.argv[2], process.argv[3])
