'use strict'

// Learns the shape of recurring documents, for a process that reads mostly one kind of them. One document in a thousand
// is sampled. When nine of ten roots have one shape (a sequence of keys), or when every other document is an item of
// that shape in one list, a function that reads it is compiled (codegen/reader.js), then some for the documents in
// it. For a document of another shape it falls back to readElements(), and is dropped if it does so often. Only a
// process that reads mostly one kind gains. The number of functions is bounded; beyond it all are evicted.

const { canCompile, compileReader } = require('../codegen')
const { SPECIAL, isMatch, findKey } = require('./keys')
const { scanName, scanElement } = require('../elements')
const { NEVER, learning } = require('./learning')

/** @typedef {import('./keys').Key} Key */
/** @typedef {import('../codegen/reader').Shape & {count: number}} Candidate */

/** An object, so that tests can change it: see configure(). */
const LEARN = {
  /** One in this many documents is sampled, on average, nested ones included. */
  sampleEvery: 1024,
  /** Documents of one shape before it is compiled: V8 needs 10 to 20 ms of a core for such a function. */
  compileAfter: 32_768,
  /** The share of the shape among all roots. */
  rootShare: 0.9,
  /**
   * Its share among the documents under another key that no reader reads. Before the first reader of a root, all
   * documents count.
   */
  share: 0.5,
  /** Documents that a reader may fail to finish before it is dropped, since others may come first. */
  trial: 65_536
}

/** Most fields of a shape: V8 takes much longer to optimise long functions. */
const MAX_FIELDS = 32

/** Limits on compiled shapes under one key and in total. Each takes some 20 kB including what the engine generates. */
const MAX_READERS = 8
const MAX_TOTAL = 128

/** Limit on the shapes that are counted, at most some 1 kB each. */
const MAX_CANDIDATES = 512

/** A reader that fails to finish one in this many of its documents is dropped. */
const BAILED_OUT = 4

/**
 * What is known of the documents under one key: their number, as estimated from the samples, and whether a reader has
 * been dropped, so that nothing more is compiled for this key.
 * @typedef {{count: number, readers: Reader[], candidates: Candidate[], isClosed: boolean}} Profile
 */

/** @param {Key} key @returns {Profile} */
function profileOf(key) {
  known.add(key)
  return (key.profile ??= { count: 0, readers: [], candidates: [], isClosed: false })
}

/**
 * A compiled shape: the key of its documents, their keys, the function that reads them, the readers under that key, and
 * how many documents it was given and has not finished.
 * @typedef {{key: Key, keys: Key[], run: Function, readers: Reader[], runs: number, bailedOut: number}} Reader
 */

/** Keys that have a profile. @type {Set<Key>} */
const known = new Set()

/** Keys that compiled code relies on. @type {Key[]} */
const kept = []

let readers = 0
let candidates = 0

/** Number of documents of any kind, estimated from the samples. */
let looked = 0

/**
 * Samples a document under a key after readElements() has read it.
 *
 * @param {Uint8Array} buf
 * @param {Key} key
 * @param {number} pos of its first element
 * @param {number} end offset of its closing 0x00
 * @param {Record<string, any>} scope the functions that generated readers call
 */
function sample(buf, key, pos, end, scope) {
  // at random, so that no sequence of documents can be in step with it
  learning.wait = canCompile ? Math.ceil(LEARN.sampleEvery * (0.5 + Math.random())) : NEVER.wait
  if (!canCompile || key.size === -1) return // a key that is not kept
  looked += LEARN.sampleEvery
  const shape = key.profile?.isClosed ? null : shapeOf(buf, pos, end)
  if (shape === null) return
  const profile = profileOf(key)
  const candidate = candidateFor(profile, shape)
  candidate.count += LEARN.sampleEvery
  profile.count += LEARN.sampleEvery
  shape.types.forEach((bits, i) => (candidate.types[i] |= bits))
  const least = key.size === 0 ? profile.count * LEARN.rootShare : (readers > 0 ? profile.count : looked) * LEARN.share
  if (candidate.count >= Math.max(LEARN.compileAfter, least)) compileFor(key, profile, candidate, scope)
}

/** The keys of a document and the types of their values, or null if an object literal cannot represent it. */
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

/**
 * @param {Profile} profile
 * @returns {Candidate} the candidate of the same shape, or a new one that replaces the rarest
 */
function candidateFor(profile, { keys, types }) {
  const { length } = keys
  const same = profile.candidates.find(one => one.keys.length === length && startsAlike(one.keys, keys, length))
  if (same !== undefined) return same
  if (++candidates > MAX_CANDIDATES) evictAll()
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
  if (profile.readers.length === MAX_READERS || readers === MAX_TOTAL) return evictAll()
  /** @type {Reader} */
  const reader = { key, keys: candidate.keys, run: undefined, readers: profile.readers, runs: 0, bailedOut: 0 }
  const leaveReader = (n, values, ...place) => bailOut(reader, scope.readOn, n, values, ...place)
  reader.run = compileReader(candidate, { ...scope, bailOut: leaveReader })
  if (reader.run === undefined) return
  for (const one of [key, ...candidate.keys]) {
    one.isKept = true
    kept.push(one)
  }
  profile.readers.push(reader)
  readers++
  key.reader = reader
}

/** Handles a document whose shape is not the reader's. Its first `n` fields have been read. */
function bailOut(reader, readOn, n, values, buf, plan, start, pos, end, depth) {
  const { key, keys, readers } = reader
  const isOther = pos === end || n === keys.length || !isMatch(keys[n], buf, pos + 1)
  const other = isOther ? readerFrom(readers, keys, n, buf, pos, end) : null
  if (other !== null) {
    if (key.reader !== null) key.reader = other // documents of one kind often come in a row
    if (n === 0) return other.run(buf, plan, pos, end, depth)
  }
  if (++reader.bailedOut > LEARN.trial + reader.runs / BAILED_OUT) drop(reader)
  return readOn(key, keys, n, values, buf, plan, start, pos, end, depth)
}

/** @param {Reader} reader one that bails out too often */
function drop({ key, readers: own }) {
  if (key.profile?.readers !== own) return // forgotten
  if (key.size === 0) evictAll()
  Object.assign(profileOf(key), { isClosed: true, readers: [] })
  key.reader = null
}

/** The reader, if any, for documents that share the first `n` keys of another reader and then differ. */
function readerFrom(readers, keys, n, buf, pos, end) {
  for (let i = 0; i < readers.length; i++) {
    const other = readers[i]
    const { length } = other.keys
    const isNext = pos === end ? length === n : length > n && isMatch(other.keys[n], buf, pos + 1)
    if (!isNext || !startsAlike(other.keys, keys, n)) continue
    readers[i] = readers[0] // the last one used is found first
    return (readers[0] = other)
  }
  return null
}

function startsAlike(a, b, n) {
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return false
  return true
}

function evictAll() {
  for (const key of known) {
    key.profile = null
    key.reader = null
  }
  known.clear()
  for (const key of kept.splice(0)) key.isKept = false
  readers = candidates = looked = 0
}

/** Makes learning start at once, for tests. @param {Partial<typeof LEARN>} settings */
function configure(settings) {
  Object.assign(LEARN, settings)
  learning.wait = canCompile ? 1 : NEVER.wait
}

module.exports = { MAX_TOTAL, LEARN, sample, configure }
