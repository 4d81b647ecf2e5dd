'use strict'

const fc = require('fast-check')
const { seededRandom } = require('../test/fixtures/random-document')
const { knownFault } = require('./known')
const { checkPrototypes } = require('./oracle')
const { shrink } = require('./shrink')

/** A line of progress so often, in milliseconds. */
const PROGRESS_EVERY = 10_000

/** Inputs of one round of a target whose inputs fast-check makes. */
const ARBITRARY_RUNS = 200

/**
 * What is fuzzed. Its inputs are either made from a seed, and made smaller by `smaller`, or described to fast-check,
 * which does both.
 *
 * @typedef {object} Target
 * @property {string} name
 * @property {number} [rounds] so many are the rounds of `--fixed`
 * @property {(random: () => number) => Iterable<any>} [inputs] those of one round
 * @property {(input: any) => Iterable<any>} [smaller]
 * @property {any} [arbitrary] of fast-check
 * @property {(input: any) => string | Promise<string>} check throws when something is wrong; says what came out
 * @property {(input: any) => any} [withHistory] the input with all that came before it
 * @property {(input: any) => any} [alone] the input without what binds it to its round
 * @property {(input: any) => any} [checkAlone] the check of an input by itself, where `check` keeps state
 */

/** Found: what failed, on which input, in the round of which seed. */
class Found extends Error {
  constructor(target, input, seed, cause) {
    super(String(cause?.message ?? cause), { cause })
    Object.assign(this, { target: target.name, input, seed, history: input && target.withHistory?.(input) })
  }
}

/** Counts, and says so now and then. */
function counter(name, log) {
  const started = Date.now()
  let printed = started
  const labels = new Map()
  let inputs = 0
  const text = () => {
    const seconds = (Date.now() - started) / 1000
    const parts = [...labels].sort((a, b) => b[1] - a[1]).slice(0, 6).map(([label, count]) => `${label} ${count.toLocaleString('en-US')}`)
    return `${name}: ${inputs.toLocaleString('en-US')} inputs in ${seconds.toFixed(0)} s, ` +
      `${Math.round(inputs / Math.max(seconds, 0.001)).toLocaleString('en-US')} a second (${parts.join(', ')})`
  }
  return {
    text,
    count(label) {
      inputs++
      labels.set(label, (labels.get(label) ?? 0) + 1)
    },
    progress(seed) {
      if (Date.now() - printed < PROGRESS_EVERY) return
      printed = Date.now()
      log(`${text()}, seed ${seed}`)
    },
    get inputs() {
      return inputs
    }
  }
}

/** One round of inputs from a seed. */
async function seededRound(target, seed, count) {
  for (const input of target.inputs(seededRandom(seed))) {
    try {
      const label = target.check(input)
      count(typeof label === 'string' ? label : await label)
    } catch (error) {
      const fault = knownFault(target.name, input, error)
      if (fault === undefined) throw new Found(target, input, seed, error)
      count(fault)
    }
  }
}

/** The check, where a known fault is no failure. */
function checkKnown(target, input) {
  try {
    return target.check(input)
  } catch (error) {
    const fault = knownFault(target.name, input, error)
    if (fault === undefined) throw error
    return fault
  }
}

/** One round of inputs by fast-check, which makes what fails smaller. */
function arbitraryRound(target, seed, count) {
  const property = fc.property(target.arbitrary, input => count(checkKnown(target, input)))
  const { failed, counterexample, errorInstance } = fc.check(property, { seed, numRuns: ARBITRARY_RUNS })
  if (failed) throw new Found(target, counterexample[0], seed, errorInstance)
}

/**
 * Fuzzes one target until its time or its rounds are over.
 *
 * @param {Target} target
 * @param {{minutes: number, runs: number, seed: number}} plan
 * @param {(text: string) => void} log
 * @returns {Promise<{inputs: number, text: string}>}
 * @throws {Found}
 */
async function fuzz(target, { minutes, runs, seed }, log) {
  const counts = counter(target.name, log)
  const end = Date.now() + minutes * 60_000
  for (let round = 0; round < runs && Date.now() < end; round++) {
    if (target.arbitrary) arbitraryRound(target, seed + round, counts.count)
    else await seededRound(target, seed + round, counts.count)
    try {
      checkPrototypes()
    } catch (error) {
      throw new Found(target, null, seed + round, error)
    }
    counts.progress(seed + round)
  }
  return { inputs: counts.inputs, text: counts.text() }
}

/** Whether an input fails by itself. */
async function failsAlone(target, input) {
  const { check, checkAlone = check } = target
  try {
    await checkAlone(input)
    return false
  } catch {
    return true
  }
}

/**
 * The smallest input that fails by itself; where it needs what came before in its round, the one that was found.
 *
 * @param {Target} target
 * @param {any} input
 * @param {any} [history] the same with what came before, as the target says when the input has just been found
 * @returns {Promise<{input: any, isAlone: boolean}>}
 */
async function minimise(target, input, history) {
  const alone = target.alone?.(input) ?? input
  for (const each of history === undefined ? [alone] : [alone, history]) {
    if (await failsAlone(target, each)) return { input: await smallest(target, each), isAlone: true }
  }
  return { input: alone, isAlone: false }
}

const smallest = (target, input) => target.smaller ? shrink(input, target.smaller, each => failsAlone(target, each)) : input

module.exports = { fuzz, minimise, Found }
