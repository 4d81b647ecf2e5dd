'use strict'

// The only module that creates code at run time. Where that is forbidden (Content-Security-Policy, edge workers,
// Hermes) `canCompile` is false and nothing is lost but speed.

/** Whether the runtime lets code be created now; it may forbid it later, and `compile` then answers nothing. */
const canCompile = probe()

function probe() {
  try {
    return new Function('return 1')() === 1
  } catch {
    return false
  }
}

/** Characters of source of one function: V8 does not optimise functions beyond 60 KB of bytecode. */
const MAX_SOURCE = 100_000

/** Workers at the edge let code be created while they load and not later, pages until they say so: then never again. */
let isForbidden = false

/**
 * @param {Record<string, unknown>} scope the names that the source may use
 * @param {string} source an expression; every string in it that came from a document must have gone through `quote`
 * @returns {Function | undefined} its value, or nothing where no code may be created, or so long
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
 * A string literal. JSON's is one, but for U+2028 and U+2029, which older engines end a line at.
 *
 * @param {string} string
 */
function quote(string) {
  return JSON.stringify(string).replace(/[\u2028\u2029]/g, char => (char === '\u2028' ? '\\u2028' : '\\u2029'))
}

/** Four constants as one, the little-endian int32 at `i`; beyond the end are zeros. @param {number[]} bytes */
function wordAt(bytes, i) {
  return bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24)
}

module.exports = { canCompile, MAX_SOURCE, compile, quote, wordAt }
