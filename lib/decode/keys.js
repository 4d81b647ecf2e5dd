'use strict'

// The names that documents had before: from the bytes of a name to its string, so that no string is made twice, and
// from each name to the one that followed it last time, which is compared first. The table has a fixed size.

const { getUtf8Lossy, getText } = require('../bytes')
const { isInherited, mayBeInherited } = require('../properties')
const { isDBRefKey } = require('../types')

/** Keys that are remembered, a power of two: some 200 bytes each and their text. */
const MAX_KEYS = 8192

/** Bytes of the longest name that is remembered, its 0x00 included. */
const MAX_SIZE = 64

/** The bytes of all of them: an array for each would take twice the memory, and a new key five times as long. */
const store = new Uint8Array(MAX_KEYS * MAX_SIZE)

/** What is special about a key, as bits. */
const SPECIAL = Object.freeze({
  NONE: 0,
  DBREF: 1, // $ref, $id or $db
  DOLLAR: 2, // another that begins with $
  INHERITED: 4 // every object had something of that name when the library was loaded: `toString`, `__proto__`
})

const DOLLAR = 0x24

/** A name, with what is known of the names after it. It gives way to another by becoming that other. */
class Key {
  /**
   * @param {number} at where in `store` its bytes are
   * @param {Key | null} unknown stands for the keys that may come next
   */
  constructor(at, unknown) {
    this.text = ''
    this.at = at
    /** Bytes of the name and its 0x00; -1 of what is no name. */
    this.size = -1
    this.hash = 0
    /** @type {number} */
    this.special = SPECIAL.NONE
    /** Fields of the document that stood under this key last time. */
    this.width = 0
    /** @type {any} what is known of the documents under this key: see learn.js */
    this.profile = null
    /** @type {any} what reads them, if they are of the same kind as the last one */
    this.reader = null
    /** Whether what has been compiled relies on it: it gives way to no other name then. */
    this.isKept = false
    /** @type {Key} the key that came next last time */
    this.next = unknown
    /** @type {Key} the first key of the document that stood under this one last time */
    this.first = unknown
  }

  /** Of the name, and a 0x00. */
  get bytes() {
    return store.slice(this.at, this.at + this.size)
  }
}

/** @param {string} text */
function specialOf(text) {
  const inherited = mayBeInherited(text) && isInherited(text) ? SPECIAL.INHERITED : SPECIAL.NONE
  if (text.charCodeAt(0) !== DOLLAR) return inherited
  return inherited | (isDBRefKey(text) ? SPECIAL.DBREF : SPECIAL.DOLLAR)
}

/** @type {Key} stands where no key is known: no name has its size, and none follows it */
const NOBODY = nobody()

/** @type {Key} the name that was met last and is not kept: an object for each would take memory and time */
const TRANSIENT = nobody()

/** @returns {Key} that no name is */
function nobody() {
  const key = new Key(0, null)
  key.next = key.first = key
  return key
}

/** Where a name, or a value, has ended: a second result of the functions that read one. */
const cursor = { pos: 0 }

/** @type {Key[]} by the hash of the bytes, each in one of two places */
const table = new Array(MAX_KEYS).fill(NOBODY)

let keys = 0

/**
 * The key whose name begins at `start`, where another was expected; `cursor.pos` is then the offset after its 0x00,
 * which is beyond `end` when the name has no end.
 *
 * @param {Uint8Array} buf
 * @param {boolean} isStrict whether the name must be UTF-8
 * @param {Key} previous the key before it, or under which its document stands
 * @param {boolean} isFirst whether it is the first of its document
 * @param {number} start
 * @param {number} end of the document
 * @returns {Key} to be asked for its text before the next name is looked up
 * @throws {import('../errors').BSONError} on a name that is not UTF-8
 */
function lookUp(buf, isStrict, previous, isFirst, start, end) {
  let hash = 0
  let pos = start
  for (let byte = buf[pos]; byte > 0; byte = buf[++pos]) hash = (Math.imul(hash, 31) + byte) | 0
  cursor.pos = pos + 1
  if (pos >= end) {
    cursor.pos = end + 1
    return NOBODY
  }
  const slot = (hash ^ (hash >>> 15)) & (MAX_KEYS - 1)
  const key = keyAt(slot, hash, buf, start) ?? keyAt(slot ^ 1, hash, buf, start) ??
    meet(buf, isStrict, slot, hash, start, pos)
  if (key.size === -1 || previous.size === -1) return key
  if (isFirst) previous.first = key
  else previous.next = key
  return key
}

/** The key of that name, if it is in the table. @returns {Key | null} */
function findKey(buf, start, end) {
  let hash = 0
  for (let pos = start; pos < end; pos++) hash = (Math.imul(hash, 31) + buf[pos]) | 0
  const slot = (hash ^ (hash >>> 15)) & (MAX_KEYS - 1)
  return keyAt(slot, hash, buf, start) ?? keyAt(slot ^ 1, hash, buf, start)
}

/** The key in that place, if its name stands at `start`. @returns {Key | null} */
function keyAt(slot, hash, buf, start) {
  const key = table[slot]
  return key.hash === hash && isMatch(key, buf, start) ? key : null
}

/** Whether the bytes at `pos`, among which there is a 0x00, are a key and its 0x00. */
function isMatch({ at, size }, buf, pos) {
  let i = 0
  while (i < size && store[at + i] === buf[pos + i]) i++
  return i === size
}

/** A name that is not in the table. It is put there at once: what is new is seldom frequent, but takes few places. */
function meet(buf, isStrict, slot, hash, start, end) {
  const text = isStrict ? getText(buf, start, end) : getUtf8Lossy(buf, start, end)
  const isFit = end - start < MAX_SIZE && (isStrict || !text.includes('\ufffd'))
  const key = isFit ? placeFor(slot) : TRANSIENT
  key.text = text
  key.special = specialOf(text)
  if (key === TRANSIENT) return key
  key.hash = hash
  key.size = end + 1 - start
  for (let i = 0, { at, size } = key; i < size; i++) store[at + i] = buf[start + i]
  return key
}

/** A new key in a place that is free, or the one that gives way. */
function placeFor(slot) {
  const place = table[slot] === NOBODY || (table[slot ^ 1] !== NOBODY && !table[slot].isKept) ? slot : slot ^ 1
  const key = table[place]
  if (key === NOBODY) return (table[place] = new Key(MAX_SIZE * keys++, NOBODY))
  if (key.isKept) return TRANSIENT
  key.next = key.first = NOBODY
  key.width = 0
  key.profile = null
  return key
}

/** A key of its own, under which the documents of a root stand. */
function rootKey() {
  const key = new Key(0, NOBODY)
  key.size = 0
  return key
}

module.exports = { MAX_KEYS, SPECIAL, Key, store, cursor, isMatch, lookUp, findKey, rootKey }
