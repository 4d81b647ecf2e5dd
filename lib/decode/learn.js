'use strict'

// What recurring documents look like, in a process that reads one kind of them. One document in a thousand is looked
// at; when every other root is of one shape, a sequence of keys, a function is compiled that reads it
// (codegen/reader.js), and then for the documents inside it. It hands over what is of another shape to readFields(),
// and is dropped if it does that often. A kind alone is read at 1.0 to 2.2 of the rate then; functions for each of
// seven or twelve kinds that took turns gained nothing. There is a bounded number of them; then all are forgotten.

const { canCompile, compileReader } = require('../codegen')
const { SPECIAL, isMatch, findKey } = require('./keys')
const { scanName, scanElement } = require('./scan')

/** @typedef {import('./keys').Key} Key */
/** @typedef {import('../codegen/reader').Shape & {count: number}} Candidate */

/** An object, so that tests can learn quickly: see hurry(). */
const LEARN = {
  /** One document in so many is looked at, on average, those in others included. */
  sampleEvery: 1024,
  /** Documents of one shape before it is compiled: V8 takes 10 to 20 ms of a core for such a function. */
  compileAfter: 32_768,
  /** And one of them in so many, of those under its key that no reader reads; before any root's, of all documents. */
  share: 2,
  /** Documents that a reader has not finished before it is dropped: it may have been met before others. */
  trial: 65_536
}

/** Documents before the first sample. */
const EARLIEST = 8192

/** Fields of a shape: V8 takes much longer to optimise long functions. */
const MAX_FIELDS = 32

/** Shapes compiled under one key, and shapes in all, some 20 kB each with what the engine makes of them. */
const MAX_READERS = 8
const MAX_TOTAL = 128

/** Shapes that are counted in all, at most some 1 kB each. */
const MAX_CANDIDATES = 512

/** The levels of a document that are read by what is compiled: a function of many fields takes much of the stack. */
const MAX_LEVEL = 64

/** A reader that does not finish one in so many of its documents is dropped. */
const DEPARTED = 4

/**
 * What is known of the documents under one key: how many there were, as far as the samples tell, and whether a reader
 * has been dropped, so that nothing is compiled here any more.
 * @typedef {{count: number, readers: Reader[], candidates: Candidate[], isClosed: boolean}} Profile
 */

/** @param {Key} key @returns {Profile} */
function profileOf(key) {
  known.add(key)
  return (key.profile ??= { count: 0, readers: [], candidates: [], isClosed: false })
}

/**
 * A compiled shape: under which key its documents stand, their keys, what reads them, the readers under that key, and
 * how many documents it was given and has not finished.
 * @typedef {{key: Key, keys: Key[], run: Function, readers: Reader[], runs: number, departed: number}} Reader
 */

/** Keys of which something is known. @type {Set<Key>} */
const known = new Set()

/** Keys that compiled code relies on. @type {Key[]} */
const kept = []

let readers = 0
let candidates = 0

/** Documents of any kind, by those that were looked at. */
let looked = 0

/** Documents before the next that is looked at, where none is: Infinity is no small integer, and takes longer. */
const NEVER = 2 ** 30 - 1

const state = { wait: canCompile ? EARLIEST : NEVER }

/**
 * Samples a document under a key, which readFields() has read.
 *
 * @param {Uint8Array} buf
 * @param {Key} key
 * @param {number} pos of its first element
 * @param {number} end offset of its closing 0x00
 * @param {Record<string, any>} scope the functions that read, for the source of readers
 */
function sample(buf, key, pos, end, scope) {
  // at random: no sequence of documents can be in step with it
  state.wait = canCompile ? Math.ceil(LEARN.sampleEvery * (0.5 + Math.random())) : NEVER
  if (!canCompile || key.size === -1) return // a key that is not kept
  looked += LEARN.sampleEvery
  const shape = key.profile?.isClosed ? null : shapeOf(buf, pos, end)
  if (shape === null) return
  const profile = profileOf(key)
  const candidate = candidateFor(profile, shape)
  candidate.count += LEARN.sampleEvery
  profile.count += LEARN.sampleEvery
  shape.types.forEach((bits, i) => (candidate.types[i] |= bits))
  const all = key.size === 0 || readers > 0 ? profile.count : looked
  if (candidate.count >= Math.max(LEARN.compileAfter, all / LEARN.share)) compileFor(key, profile, candidate, scope)
}

/** The keys of a document and the types of their values; null where a literal would not do. */
function shapeOf(buf, pos, end) {
  const keys = []
  const types = []
  while (pos < end) {
    const type = buf[pos]
    const nameEnd = scanName(buf, pos + 1, end)
    const key = findKey(buf, pos + 1, nameEnd)
    if (key === null || key.special !== SPECIAL.NONE || keys.length === MAX_FIELDS || keys.includes(key)) return null
    keys.push(key)
    types.push(type < 32 ? 1 << type : 0)
    pos = scanElement(type, buf, pos, nameEnd, end)
  }
  return keys.length === 0 ? null : { keys, types }
}

/** @param {Profile} profile @returns {Candidate} that is the same shape, or a new one in the place of the rarest */
function candidateFor(profile, { keys, types }) {
  const { length } = keys
  const same = profile.candidates.find(one => one.keys.length === length && startsAlike(one.keys, keys, length))
  if (same !== undefined) return same
  if (++candidates > MAX_CANDIDATES) forgetAll()
  if (profile.candidates.length === MAX_READERS) {
    profile.candidates.sort((a, b) => b.count - a.count).pop()
    candidates--
  }
  const candidate = { keys, types, count: 0 }
  profile.candidates.push(candidate)
  return candidate
}

/** @param {Key} key @param {Profile} profile @param {Candidate} candidate @param {Record<string, any>} scope */
function compileFor(key, profile, candidate, scope) {
  profile.candidates.splice(profile.candidates.indexOf(candidate), 1)
  profile.count = 0
  for (const one of profile.candidates) one.count = 0
  candidates--
  if (profile.readers.length === MAX_READERS || readers === MAX_TOTAL) return forgetAll()
  /** @type {Reader} */
  const reader = { key, keys: candidate.keys, run: undefined, readers: profile.readers, runs: 0, departed: 0 }
  const leave = (n, values, ...place) => depart(reader, scope.readOn, n, values, ...place)
  reader.run = compileReader(candidate, { ...scope, leave })
  if (reader.run === undefined) return
  for (const one of [key, ...candidate.keys]) {
    one.isKept = true
    kept.push(one)
  }
  profile.readers.push(reader)
  readers++
  key.reader = reader
}

/** A document of another shape than a reader's, of which the first `n` fields have been read. */
function depart(reader, readOn, n, values, buf, plan, start, pos, end, depth) {
  const { key, keys, readers } = reader
  const isOther = pos === end || n === keys.length || !isMatch(keys[n], buf, pos + 1)
  const other = isOther ? readerFrom(readers, keys, n, buf, pos, end) : null
  if (other !== null) {
    if (key.reader !== null) key.reader = other // documents of one kind often come in a row
    if (n === 0) return other.run(buf, plan, pos, end, depth)
  }
  if (++reader.departed > LEARN.trial + reader.runs / DEPARTED) drop(reader)
  return readOn(key, keys, n, values, buf, plan, start, pos, end, depth)
}

/** @param {Reader} reader that departs too often */
function drop({ key, readers: own }) {
  if (key.profile?.readers !== own) return // forgotten
  if (key.size === 0) forgetAll()
  Object.assign(profileOf(key), { isClosed: true, readers: [] })
  key.reader = null
}

/** The reader, if there is one, for documents that begin with `n` keys of another and then differ. */
function readerFrom(readers, keys, n, buf, pos, end) {
  for (let i = 0; i < readers.length; i++) {
    const other = readers[i]
    const { length } = other.keys
    const isNext = pos === end ? length === n : length > n && isMatch(other.keys[n], buf, pos + 1)
    if (!isNext || !startsAlike(other.keys, keys, n)) continue
    readers[i] = readers[0] // what has been used last is found first
    return (readers[0] = other)
  }
  return null
}

function startsAlike(a, b, n) {
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return false
  return true
}

function forgetAll() {
  for (const key of known) {
    key.profile = null
    key.reader = null
  }
  known.clear()
  for (const key of kept.splice(0)) key.isKept = false
  readers = candidates = looked = 0
}

/** Learns at once: for tests. @param {Partial<typeof LEARN>} settings */
function hurry(settings) {
  Object.assign(LEARN, settings)
  state.wait = canCompile ? 1 : NEVER
}

module.exports = { MAX_TOTAL, MAX_LEVEL, LEARN, state, sample, hurry }
