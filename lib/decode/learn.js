'use strict'

// Learns to read recurring documents. One document in a thousand is sampled. When nine of ten roots of a kind are
// alike, or when every other document is an item of one list, a reader of them is generated as for a schema
// (codegen/generate.js). What differs is read by readElements(). What readers may hold is bounded.

const { canCompile, DECODE, Window, nextSample, compileReader } = require('../codegen')
const { NEVER, learning } = require('./learning')
const { kinds, addKind, endStreak, isRoot, useKinds } = require('./kinds')
const { fallbacksBy } = require('./fallback')

/** @typedef {import('./keys').Key} Key */

/** Limit on the keys whose documents are compared, at most some 30 kB each. */
const MAX_PROFILES = 128

/** Places of all readers. Each takes some 2 kB with what the engine generates. */
const MAX_PLACES = 1024

/** Types of items, as bits, for which an array gets a reader: all. */
const LISTED = -1

/**
 * What is known of the documents under one key: those that are compared now; the numbers of all samples and of the
 * reader's documents when that began; and how many windows to wait, one more for each reader that has been made.
 * @typedef {{window: InstanceType<typeof Window>, since: number, runs: number, made: number, wait: number}} Profile
 */

/** Keys that have a profile. @type {Set<Key>} */
const known = new Set()

/** Places of all readers. */
let places = 0

/** Number of samples, and what it was when readers that do not run were last forgotten. */
let samples = 0
let aged = 0

/**
 * Samples a document under a key after readElements() has read it. A root is noted under its kind.
 *
 * @param {Key} key @param {Record<string, any>} reading
 */
function sample(buf, key, pos, end, reading) {
  learning.wait = NEVER.wait
  if (!canCompile) return
  if (known.size >= MAX_PROFILES) forget()
  samples++
  const own = isRoot(key) ? addKind(buf, pos, end) : key
  if (own !== key) endStreak()
  if (own.size !== -1) note(own, buf, pos, end, reading)
  learning.wait = nextSample(DECODE.sampleEvery)
}

/** @param {Key} key */
function note(key, buf, pos, end, reading) {
  const profile = (key.profile ??= newProfile(key))
  const { window } = profile
  if (!window.note(buf, pos - 4, end + 1)) return
  const isKind = window.alike >= DECODE.alike && isFrequent(key, profile) && --profile.wait < 0
  const made = profile.made + (isKind ? 1 : 0)
  if (isKind) key.reader = readerOf(key, window.observed, reading)
  key.profile = newProfile(key, made, isKind ? made : profile.wait)
}

/** @param {Key} key @returns {Profile} */
function newProfile(key, made = 0, wait = 0) {
  known.add(key)
  return { window: new Window(DECODE.window), since: samples, runs: key.reader?.runs ?? 0, made, wait }
}

/** Whether the documents under a key are most of all that are read, and mostly not those of its reader. */
function isFrequent({ size, reader }, { since, runs }) {
  if (reader !== null && DECODE.window * DECODE.sampleEvery < (reader.runs - runs) * DECODE.share) return false
  return size === 0 || DECODE.window >= (samples - since) * DECODE.share
}

/**
 * @param {Key} key
 * @param {InstanceType<typeof Window>['observed']} observed
 * @param {Record<string, any>} reading
 * @returns {Key['reader']} null if nothing can be gained, or other readers leave no place
 */
function readerOf(key, observed, reading) {
  const schema = observed.toSchema(LISTED)
  if (schema === null) return key.reader
  if (places + observed.places > MAX_PLACES) forget()
  if (places + observed.places > MAX_PLACES) return key.reader
  const run = compileReader(schema, { ...reading, ...fallbacksBy(reading, plan => plan, key) })
  if (run === undefined) return key.reader
  places += observed.places - (key.reader?.places ?? 0)
  if (isRoot(key)) useKinds()
  return { run, places: observed.places, runs: 0, aged: -1 }
}

/** Forgets documents without a reader if there are many and, from time to time, readers that no longer run. */
function forget() {
  const isFull = known.size >= MAX_PROFILES
  const isDue = samples - aged >= MAX_PROFILES
  if (isDue) aged = samples
  for (const key of known) {
    const { reader } = key
    const isKept = reader === null ? !isFull : !isDue || reader.runs > reader.aged
    if (isDue && reader !== null) reader.aged = reader.runs
    if (isKept) continue
    places -= reader?.places ?? 0
    key.profile = key.reader = null
    known.delete(key)
  }
  for (const [hash, key] of kinds) if (!known.has(key)) kinds.delete(hash)
  endStreak() // of a kind that may be forgotten
}

module.exports = { sample }
