'use strict'

/** @param {any} actual @param {any} expected @param {string} what */
function equal(actual, expected, what) {
  if (actual === expected) return
  const [a, b] = [actual, expected].map(value => String(value).slice(0, 200))
  throw new Error(`${what}: ${a} instead of ${b}`)
}

/** @param {() => any} run @param {string} what @returns {any} the BSONError that it throws */
function bsonError(run, what) {
  let result
  try {
    result = run()
  } catch (error) {
    if (error?.bsonError === true) return error
    throw new Error(`${what}: ${error?.name}: ${error?.message} instead of a BSONError`, { cause: error })
  }
  throw new Error(`${what}: no error, but ${String(result).slice(0, 100)}`)
}

module.exports = { equal, bsonError }
