'use strict'

// The only module that creates code at run time. Where that is forbidden (Content-Security-Policy, edge workers,
// Hermes) `canCompile` is false, which costs only speed.

/** Whether the runtime allows code to be created now. It may forbid it later; `compile` then returns undefined. */
const canCompile = probe()

function probe() {
  try {
    return new Function('return 1')() === 1
  } catch {
    return false
  }
}

/** Maximum length of the source of one function: V8 does not optimise functions beyond 60 KB of bytecode. */
const MAX_SOURCE = 100_000

/** Edge workers allow new code only while they load, pages until they forbid it. Once forbidden, it stays so. */
let isForbidden = false

/**
 * @param {Record<string, unknown>} scope the names available to the source
 * @param {string} source an expression; every string in it that comes from a document must be passed through `quote`
 * @returns {Function | undefined} its value, or undefined if code may not be created or the source is too long
 */
function compile(scope, source) {
  if (!canCompile || isForbidden || source.length > MAX_SOURCE) return undefined
  const make = functionOf(Object.keys(scope), `'use strict'; return ${source}`)
  return make && make(...Object.values(scope))
}

function functionOf(names, source) {
  try {
    return new Function(...names, source)
  } catch (error) {
    isForbidden = error.name === 'EvalError'
    if (!isForbidden) throw error
    return undefined
  }
}

/**
 * A string literal. JSON strings are literals, except for U+2028 and U+2029, which end a line in older engines.
 *
 * @param {string} string
 */
function quote(string) {
  return JSON.stringify(string).replace(/[\u2028\u2029]/g, char => (char === '\u2028' ? '\\u2028' : '\\u2029'))
}

/** Four constants as one, the little-endian int32 at `i`. Bytes beyond the end are zeros. @param {number[]} bytes */
function wordAt(bytes, i) {
  return bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24)
}

module.exports = { canCompile, MAX_SOURCE, compile, quote, wordAt }
