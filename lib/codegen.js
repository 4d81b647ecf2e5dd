'use strict'

// The only room that creates code at run time. Where that is forbidden (Content-Security-Policy, edge workers, Hermes)
// `canCompile` is false and nothing is lost but speed: the shapes are then read and written by interpretation.

/** Whether the runtime lets code be created. */
const canCompile = probe()

function probe() {
  try {
    return new Function('return 1')() === 1
  } catch {
    return false
  }
}

/**
 * Functions that may be compiled in the life of a process. Each keeps a few kilobytes; a process that has seen so many
 * shapes goes on with the interpreted paths.
 */
const MAX_COMPILED = 1000

/** Characters of source of one function: V8 does not optimise functions beyond 60 KB of bytecode. */
const MAX_SOURCE = 100_000

let compiled = 0

/**
 * @param {Record<string, unknown>} scope the names that the source may use
 * @param {string} source an expression; every string in it that came from a document must have gone through `quote`
 * @returns {Function | undefined} its value, or nothing when there is no room for more
 */
function compile(scope, source) {
  if (!canCompile || compiled >= MAX_COMPILED || source.length > MAX_SOURCE) return undefined
  compiled++
  return new Function(...Object.keys(scope), `'use strict'; return ${source}`)(...Object.values(scope))
}

/**
 * A string literal. JSON's is one, but for U+2028 and U+2029, which older engines end a line at.
 *
 * @param {string} string
 */
function quote(string) {
  return JSON.stringify(string).replace(/[\u2028\u2029]/g, char => (char === '\u2028' ? '\\u2028' : '\\u2029'))
}

/**
 * Four constants as one, the little-endian int32 at `i`; beyond the end are zeros.
 *
 * @param {number[]} bytes
 * @param {number} i
 */
function wordAt(bytes, i) {
  return bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24)
}

module.exports = { canCompile, MAX_COMPILED, MAX_SOURCE, compile, quote, wordAt }
