'use strict'

// The keys that documents had before: from the bytes of a name to its string, so that no string is made twice. What is
// kept is bounded: a table of fixed size, in which a key gives way to the next one that falls on its place, unless a
// function was made for it.

const { isInherited } = require('../properties')
const { getUtf8Lossy } = require('../bytes/utf8')
const { isDBRefKey } = require('../types/db-ref')
const { getText } = require('../bytes/utf8/text')
const { WIDE } = require('./wide')

/** Keys that are remembered, a power of two: some 150 bytes each and their text. */
const MAX_KEYS = 4096

/** Bytes of a name that is worth remembering. */
const MAX_KEY_LENGTH = 64

/** Keys under which the first documents are read in ways that are rare later, for the engine to meet: see learn.js. */
const FIRST_KEYS = 64

/** What is special about a key, as bits. */
const SPECIAL = Object.freeze({
  NONE: 0,
  DBREF: 1, // $ref, $id or $db
  DOLLAR: 2, // another that begins with $
  INHERITED: 4 // an object has something of that name already: `__proto__`, `toString`
})

const DOLLAR = 0x24

/** Keys made. */
let count = 0

/** A name, with what is known of the names after it. */
class Key {
  /**
   * @param {string} text
   * @param {Uint8Array} bytes of the text, and a 0x00
   * @param {number} hash of its bytes
   * @param {Key} [expected] what is expected where nothing is known; default itself
   */
  constructor(text, bytes, hash, expected) {
    this.text = text
    this.bytes = bytes
    this.size = bytes.length
    this.hash = hash
    this.special = specialOf(text)
    /** Whether it is not in the table, or no more: then nothing is learned of what follows it. */
    this.isGone = bytes === UNKNOWN
    /** Whether documents that stand under it are read by what is learned of them, as the first ones are. */
    this.isLearned = count++ < FIRST_KEYS
    /** Functions that read it, or what stands under it: as long as there are any it stays in the table. */
    this.uses = 0
    /** @type {Key} the key that came next last time */
    this.next = expected ?? this
    /** @type {Key} the first key of the document that stood under this one last time */
    this.first = expected ?? this
    /** Fields of the document that stood under this one last time; of the first ones many, see FIRST_KEYS. */
    this.width = count < FIRST_KEYS ? WIDE + 1 : 0
    /** @type {import('./learn').Point | null} what is learned of documents that stand under this key */
    this.point = null
  }
}

/** The bytes of names that are not kept: no name has none. */
const UNKNOWN = new Uint8Array(0)

/** @param {string} text */
function specialOf(text) {
  if (text.charCodeAt(0) === DOLLAR) return isDBRefKey(text) ? SPECIAL.DBREF : SPECIAL.DOLLAR
  return isInherited(text) ? SPECIAL.INHERITED : SPECIAL.NONE
}

/** The key without a name: expected where nothing is known. */
const EMPTY = new Key('', new Uint8Array(1), 0)

/**
 * Stands where there is no key: no name has these bytes and this hash. It is forgotten at once, for the engine takes a
 * field for a constant until it changes, and then drops the code that it has made.
 */
const NOBODY = forget(new Key('', Uint8Array.of(0xff, 0), 0))

/** @type {Key[]} by the hash of the bytes, each in one of two places */
const table = new Array(MAX_KEYS).fill(NOBODY)

/** Hashes of the names that were met last, by the same places: the last one first. */
const seen = new Int32Array(MAX_KEYS)

/**
 * The key whose name begins at `start`, where another was expected; `r.pos` is then the offset after its 0x00. The key
 * before it, or under which its document stands, is `previous`; the name is not read when no 0x00 is before `end`.
 *
 * @returns {Key}
 * @throws {import('../errors').BSONError} on a name that is not UTF-8
 */
function lookUp(r, previous, isFirst, start, end) {
  const { buf } = r
  let hash = 0
  let bits = 0
  let pos = start
  for (let byte = buf[pos]; byte > 0; byte = buf[++pos]) {
    hash = (Math.imul(hash, 31) + byte) | 0
    bits |= byte
  }
  r.pos = pos + 1
  if (pos >= end) return EMPTY
  hash ^= hash >>> 15
  const slot = hash & (MAX_KEYS - 1)
  const key = keyAt(slot, hash, buf, start) ?? keyAt(slot ^ 1, hash, buf, start) ??
    meet(r, hash, start, pos, bits < 0x80)
  if (key.isGone || previous.isGone) return key
  if (isFirst) previous.first = key
  else previous.next = key
  return key
}

/** The key of that name, if it is remembered; nothing is learned of having asked. @returns {Key | null} */
function findKey(buf, start, end) {
  let hash = 0
  for (let pos = start; pos < end; pos++) hash = (Math.imul(hash, 31) + buf[pos]) | 0
  hash ^= hash >>> 15
  const slot = hash & (MAX_KEYS - 1)
  return keyAt(slot, hash, buf, start) ?? keyAt(slot ^ 1, hash, buf, start)
}

/** The key in that place, if its name stands at `start`. @returns {Key | null} */
function keyAt(slot, hash, buf, start) {
  const key = table[slot]
  return key.hash === hash && isMatch(key, buf, start) ? key : null
}

/** Whether the bytes at `pos`, among which there is a 0x00, are a key and its 0x00. */
function isMatch({ bytes, size }, buf, pos) {
  let i = 0
  while (i < size && bytes[i] === buf[pos + i]) i++
  return i === size
}

/** A name that is in neither of its places: the second time it is put into one. */
function meet(r, hash, start, end, isAscii) {
  const { buf, plan } = r
  const slot = hash & (MAX_KEYS - 1)
  const isText = isAscii || plan.utf8Names
  const text = isText ? getText(buf, start, end) : getUtf8Lossy(buf, start, end)
  const isFit = end - start < MAX_KEY_LENGTH && (isText || !text.includes('\ufffd'))
  const place = wasSeen(slot, hash) && isFit ? placeFor(slot) : -1
  if (place === -1) return new Key(text, UNKNOWN, 0, EMPTY)
  const key = new Key(text, Uint8Array.prototype.slice.call(buf, start, end + 1), hash, EMPTY)
  forget(table[place])
  table[place] = key
  return key
}

/** Whether it is one of the two names that were met last at its places; now it is. */
function wasSeen(slot, hash) {
  const first = slot & ~1
  if (seen[first] === hash || seen[first + 1] === hash) return true
  seen[first + 1] = seen[first]
  seen[first] = hash
  return false
}

/** The one of two places that is free, or whose key gives way; -1 when both are kept. */
function placeFor(slot) {
  const other = slot ^ 1
  if (table[slot].uses > 0) return table[other].uses > 0 ? -1 : other
  return table[other] === NOBODY && table[slot] !== NOBODY ? other : slot
}

/**
 * Keys that it followed may still expect it: no name is its own any more, so that it is looked for in the table. It
 * expects none itself, or chains of them would grow without end.
 */
function forget(key) {
  key.isGone = true
  key.isLearned = false
  key.size = -1
  key.next = key.first = EMPTY
  key.point = null
  return key
}

/** @type {Set<Key>} */
const kept = new Set()

/** A function uses keys. @param {Key[]} keys @returns {number} how many stay in the table */
function keepKeys(keys) {
  for (const key of keys) {
    key.uses++
    kept.add(key)
  }
  return kept.size
}

/** It does no longer. @param {Key[]} keys */
function releaseKeys(keys) {
  for (const key of keys) if (--key.uses === 0) kept.delete(key)
}

/** None does, and what was learned of documents that stand under them is gone. */
function releaseAll() {
  for (const key of kept) {
    key.uses = 0
    key.point = null
  }
  kept.clear()
}

/** A key of its own that has no name. */
function noKey() {
  return new Key('', new Uint8Array(1), 0, EMPTY)
}

module.exports = { MAX_KEYS, SPECIAL, Key, isMatch, lookUp, findKey, keepKeys, releaseKeys, releaseAll, noKey }
