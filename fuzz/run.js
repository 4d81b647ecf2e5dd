'use strict'

const fc = require('fast-check')
const { seededRandom } = require('../test/fixtures/random-document')
const { knownFault } = require('./known')
const { checkPrototypes } = require('./oracle')
const { shrink } = require('./shrink')

/** How often progress is printed; ms. */
const PROGRESS_EVERY = 10_000

/** Inputs per round of a target whose inputs are made by fast-check. */
const ARBITRARY_RUNS = 200

/**
 * A target. Its inputs are either made from a seed and shrunk by `smaller`, or described to fast-check, which does both.
 *
 * @typedef {object} Target
 * @property {string} name
 * @property {number} [rounds] the number of rounds with `--fixed`
 * @property {(random: () => number) => Iterable<any>} [inputs] the inputs of one round
 * @property {(input: any) => Iterable<any>} [smaller]
 * @property {any} [arbitrary] of fast-check
 * @property {(input: any) => string | Promise<string>} check throws when something is wrong; returns a word for the outcome
 * @property {(input: any) => any} [withHistory] the input with all inputs before it
 * @property {(input: any) => any} [alone] the input, made independent of its round
 * @property {(input: any) => any} [checkAlone] checks a single input, if `check` keeps state
 */

/** A finding: the failure, its input, and the seed of the round. */
class Found extends Error {
  constructor(target, input, seed, cause) {
    super(String(cause?.message ?? cause), { cause })
    Object.assign(this, { target: target.name, input, seed, history: input && target.withHistory?.(input) })
  }
}

/** Counts inputs and prints progress now and then. */
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

/** Runs one round of inputs from a seed. */
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

/** The check, in which a known fault is not a failure. */
function checkKnown(target, input) {
  try {
    return target.check(input)
  } catch (error) {
    const fault = knownFault(target.name, input, error)
    if (fault === undefined) throw error
    return fault
  }
}

/** Runs one round of inputs from fast-check, which shrinks those that fail. */
function arbitraryRound(target, seed, count) {
  const property = fc.property(target.arbitrary, input => count(checkKnown(target, input)))
  const { failed, counterexample, errorInstance } = fc.check(property, { seed, numRuns: ARBITRARY_RUNS })
  if (failed) throw new Found(target, counterexample[0], seed, errorInstance)
}

/**
 * Fuzzes one target until its time or its number of rounds is used up.
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
 * Finds the smallest input that fails by itself. If it only fails after others of its round, returns the one found.
 *
 * @param {Target} target
 * @param {any} input
 * @param {any} [history] the input with those before it, as returned by the target right after the finding
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
