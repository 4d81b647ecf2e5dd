'use strict'

// The names of earlier documents. They are found by their bytes, so that no string is created twice. Each name also
// refers to the one that followed it last time, which is compared first. The table has a fixed size.

const { getUtf8Lossy, getText } = require('../bytes')
const { isInherited, mayBeInherited } = require('../properties')
const { isDBRefKey } = require('../types')
const { LEARNS } = require('./learning')

/** Number of keys that are remembered, a power of two. Each takes some 200 bytes plus its text. */
const MAX_KEYS = 8192

/** Size of the longest name that is remembered, including its 0x00. */
const MAX_SIZE = 64

/** The bytes of all names: a separate array for each would take twice the memory, and a new key five times as long. */
const store = new Uint8Array(MAX_KEYS * MAX_SIZE)

/** Special properties of a key, as bits. */
const DBREF = 1 // $ref, $id or $db
const DOLLAR_NAME = 2 // another name that begins with $
const INHERITED = 4 // a property of every object when the library was loaded: `toString`, `__proto__`

const DOLLAR = 0x24

/** A name, with what is known about the names after it. An evicted key is reused for the new name. */
class Key {
  /**
   * @param {number} at offset of its bytes in `store`
   * @param {Key | null} unknown placeholder for the keys that may come next
   */
  constructor(at, unknown) {
    this.text = ''
    this.at = at
    /** Size of the name including its 0x00, or -1 if it is not a name. */
    this.size = -1
    this.hash = 0
    /** @type {number} */
    this.special = 0
    /** Number of fields in the last document under this key. */
    this.width = 0
    if (LEARNS) {
      /** @type {any} what is known of the documents under this key, and their reader; see learn.js */
      this.profile = null
      /** @type {{run: Function, places: number, runs: number, aged: number} | null} */
      this.reader = null
    }
    /** @type {Key} the key that followed last time */
    this.next = unknown
    /** @type {Key} the first key of the last document under this one */
    this.first = unknown
  }
}

function specialOf(text) {
  const inherited = isInherited(text) ? INHERITED : 0
  if (text.charCodeAt(0) !== DOLLAR) return inherited
  return inherited | (isDBRefKey(text) ? DBREF : DOLLAR_NAME)
}

/** @type {Key} placeholder for an unknown key: no name has its size, and no key follows it */
const NOBODY = nobody()

/** @type {Key} the last name that is not kept; an object for each would take memory and time */
const TRANSIENT = nobody()

/** @returns {Key} a key that matches no name */
function nobody() {
  const key = new Key(0, null)
  key.next = key.first = key
  return key
}

/** The end of a name or a value: a second result of the functions that read one. */
const cursor = { pos: 0 }

/** @type {Key[]} by the hash of the bytes, each in one of two slots */
const table = new Array(MAX_KEYS).fill(NOBODY)

let keys = 0

/**
 * The hashes of the last two new names of each slot, as each key has two slots. A name becomes a key when it is met
 * again: the ids that are names in a dictionary mostly are not. Kept at once, they evict names that recur, and garbage
 * collections copy them: with twelve kinds in turn, one of dictionaries, decoding takes 1.08 (Node 24) to 1.17 times
 * (Node 20) as long.
 */
const seen = new Int32Array(2 * MAX_KEYS)

/** Whether one of the last two new names of its slot had this hash. */
function isSecond(slot, hash) {
  const at = 2 * slot
  if (seen[at] === hash || seen[at + 1] === hash) return true
  seen[at + 1] = seen[at]
  seen[at] = hash
  return false
}

/**
 * Finds the key whose name begins at `start` when it was not the expected one, or adds it. Sets `cursor.pos` to the
 * offset after its 0x00, which is beyond `end` if the name is not terminated. Long enough for V8 not to inline it, as
 * getText is.
 *
 * @param {Uint8Array} buf
 * @param {boolean} isStrict whether the name must be UTF-8
 * @param {Key} previous the key before it, or the key of its document
 * @param {boolean} isFirst whether it is the first in its document
 * @param {number} start
 * @param {number} end of the document
 * @returns {Key} its text must be read before the next look-up
 * @throws {import('../errors').BSONError} on a name that is not valid UTF-8
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
  let key = keyIn(slot, hash, buf, start)
  if (key === null) {
    const text = isStrict ? getText(buf, start, pos) : getUtf8Lossy(buf, start, pos)
    const place = placeIn(slot)
    key = table[place]
    const isFit = isSecond(slot, hash) && pos - start < MAX_SIZE && (isStrict || !text.includes('\ufffd')) &&
      !hasReader(key)
    if (!isFit) key = TRANSIENT
    else if (key === NOBODY) key = table[place] = new Key(MAX_SIZE * keys++, NOBODY)
    key.text = text
    key.special = text.charCodeAt(0) === DOLLAR || mayBeInherited(text) ? specialOf(text) : 0
    if (!isFit) return key
    key.hash = hash
    key.size = pos + 1 - start
    key.next = key.first = NOBODY
    key.width = 0
    if (LEARNS) key.profile = null
    for (let i = 0, { at, size } = key; i < size; i++) store[at + i] = buf[start + i]
  }
  if (key.size === -1 || previous.size === -1) return key
  if (isFirst) previous.first = key
  else previous.next = key
  return key
}

/** @param {Key} key */
function hasReader(key) {
  return LEARNS && key.reader !== null
}

/** The slot for a new key: a free one, or that of the key that is evicted. One with a reader is not. */
function placeIn(slot) {
  const first = table[slot]
  return hasReader(first) || (first !== NOBODY && table[slot ^ 1] === NOBODY) ? slot ^ 1 : slot
}

/** The key whose name is at `start`, if it is in one of its two slots. @returns {Key | null} */
function keyIn(slot, hash, buf, start) {
  for (let i = 0; i < 2; i++) {
    const key = table[slot ^ i]
    if (key.hash === hash && isMatch(key, buf, start)) return key
  }
  return null
}

/** Whether the bytes at `pos`, which include a 0x00, are a key and its 0x00. */
function isMatch({ at, size }, buf, pos) {
  let i = 0
  while (i < size && store[at + i] === buf[pos + i]) i++
  return i === size
}

/** A separate key for root documents. */
function rootKey() {
  const key = new Key(0, NOBODY)
  key.size = 0
  return key
}

module.exports = { MAX_KEYS, DBREF, DOLLAR_NAME, INHERITED, Key, store, cursor, lookUp, rootKey }
