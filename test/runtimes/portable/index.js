'use strict'

// The suite that runs in every runtime: every type both ways, the project's vectors, errors, Extended JSON, raw documents
// and memory of all kinds, before the library has learned anything and after. Bundled by ../bundle.js: it needs nothing
// but the language.

/** How often each row is run for the library to have learned it. */
const OFTEN = 12

/** Checks that some runtimes cannot run: of kinds of memory, and of the source of functions. */
const NOT_EVERYWHERE = /^memory |a function, where asked/

/**
 * @param {any} qbson the library under test
 * @param {any} json its `qbson/json`
 * @param {{often?: number, without?: RegExp}} [options] `often`: fewer times where the engine only interprets; `without`:
 *   names of checks that the digest leaves out
 * @returns {{passed: number, failed: number, failures: string[], digest: string}} the digest covers all resulting
 *   texts: it must be the same everywhere
 */
globalThis.runPortable = function runPortable(qbson, json, { often = OFTEN, without = /^$/ } = {}) {
  globalThis.qbsonUnderTest = qbson // the tables of vectors make their values with it
  const all = [...require('./vectors')(qbson), ...require('./text')(qbson), ...require('./json')(qbson, json), ...require('./memory')(qbson)]
  const checks = all.filter(({ name }) => !without.test(name))
  const result = { passed: 0, failed: 0, failures: [], digest: '' }
  const outputs = []
  for (const phase of ['cold', 'learned']) {
    if (phase === 'learned') learn(checks, often)
    for (const { name, check } of checks) {
      try {
        const output = check()
        if (!NOT_EVERYWHERE.test(name)) outputs.push(output)
        result.passed++
      } catch (error) {
        result.failed++
        result.failures.push(`${name}, ${phase}: ${error?.message ?? error}`)
      }
    }
  }
  result.digest = digestOf(outputs)
  return result
}

function learn(checks, often) {
  for (const { check, isLearned } of checks) {
    for (let i = 0; isLearned && i < often; i++) attempt(check)
  }
}

/** A failed check is run once more to describe the fault. */
function attempt(check) {
  try {
    check()
  } catch {}
}

/** FNV-1a, 32 bits. */
function digestOf(texts) {
  let hash = 0x811c9dc5
  for (const text of texts) {
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
    hash = Math.imul(hash ^ 0x1f, 0x01000193)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}
