'use strict'

// The names of the fields at one place, by their bytes. Fields mostly come in the same order, of which some are
// missing: the names are a chain in the order of the documents, and the next few are compared first. Any other name is
// found in a table by its hash, or else by binary search, which is fast for any choice of names.

const { copyOf, getInt32 } = require('../bytes')

/** From this many names on, they have a table; it has at least SLOTS_EACH slots for each. */
const TABLE_NAMES = 8
const SLOTS_EACH = 4

/** The most slots for each name: a table where names displace each other grows up to this. */
const MOST_SLOTS_EACH = 64

/** Names compared after the expected one: 203 fields, half of them missing, take a twelfth less time than with one. */
const AHEAD = 6

/** What a short name shares, and one without bytes. */
const NO_WORDS = new Int32Array(0)
const NO_BYTES = new Uint8Array(0)

/** The name of a field. Its target stands for the field: a place while inferring, a builder while reading. */
class Name {
  /** @param {Uint8Array} bytes with the 0x00 @param {any} target null when the field is not read */
  constructor(bytes, target) {
    /** @type {Name} the name expected next: that after it in the chain */
    this.next = this
    this.size = bytes.length
    /** The first eight bytes as two int32, compared at once, and masks for the bits in use. */
    this.low = getInt32(bytes, 0)
    this.lowBits = bitsOf(bytes.length)
    this.high = getInt32(bytes, 4)
    this.highBits = bitsOf(bytes.length - 4)
    /** The last four bytes of a longer name, and where its other words are in the words of all names. */
    this.last = getInt32(bytes, Math.max(0, bytes.length - 4))
    this.words = NO_WORDS
    this.at = 0
    this.target = target
    this.bytes = bytes
    /** @type {Name} the one before it in the chain */
    this.before = this
    /** Ascends along the chain. */
    this.order = 0
    /** The number of unread values of a name without a target. */
    this.count = 0
    /** @type {any} what a user of names keeps with it; null for nothing */
    this.note = null
  }
}

/** @param {number} size bytes of a word in use @returns {number} */
function bitsOf(size) {
  if (size >= 4) return -1
  return size <= 0 ? 0 : (1 << (8 * size)) - 1
}

class Names {
  constructor() {
    /** @type {Name[]} in the order of their bytes */
    this.sorted = []
    /** @type {Name[]} in the order of their first occurrence */
    this.list = []
    /** Comes before the first name. No field has its bytes. */
    this.start = noName()
    /** By hash: the name that was last looked up there. @type {(Name | null)[]} */
    this.slots = []
    /** @type {Name | null} stands for names not kept */
    this.more = null
    /** The whole words of long names, side by side: an array for each would be two more places in memory to read. */
    this.words = NO_WORDS
    this.used = 0
  }

  /**
   * @param {Uint8Array} bytes of a new name, with the 0x00: they are copied
   * @param {any} target
   * @param {Name} previous the one after which it is expected
   * @returns {Name}
   */
  add(bytes, target, previous) {
    const name = new Name(copyOf(bytes), target)
    this.link(name, previous)
    this.sorted.splice(this.search(bytes, 0, bytes.length), 0, name)
    this.list.push(name)
    this.addWords(name)
    const { size, slots } = this
    if (size >= TABLE_NAMES && slots.length < SLOTS_EACH * size) {
      this.addTable((2 * SLOTS_EACH) << (32 - Math.clz32(size - 1))) // a power of two
    }
    return name
  }

  /** @param {Name} name */
  addWords(name) {
    const count = name.size >> 2
    if (this.used + count > this.words.length) {
      const words = new Int32Array(2 * (this.used + count))
      words.set(this.words)
      for (const each of this.list) each.words = words
      this.words = words
    }
    name.words = this.words
    name.at = this.used
    for (let i = 0; i < count; i++) this.words[this.used++] = getInt32(name.bytes, 4 * i)
  }

  /** Puts a name into the chain, which is a ring from `start` to `start`. */
  link(name, previous) {
    const { start } = this
    const isInChain = previous === start || previous.next !== previous // one that stands for others is not
    const before = isInChain ? previous : start.before
    const { next } = before
    name.before = before
    name.next = next
    before.next = next.before = name
    name.order = next === start ? before.order + 1 : (before.order + next.order) / 2
  }

  /** @param {number} slots */
  addTable(slots) {
    this.slots = new Array(slots).fill(null)
  }

  get size() {
    return this.list.length
  }

  /** @returns {Name[]} all names, and the one that stands for others */
  get counting() {
    return this.more === null ? this.list : [...this.list, this.more]
  }

  /** Adds a name that is expected after all others. */
  append(bytes, target) {
    this.add(bytes, target, this.start.before)
  }

  /**
   * Finds the name at `pos` if it is not the expected one.
   *
   * @param {Uint8Array} buf
   * @param {DataView} view of it
   * @param {number} pos
   * @param {number} end of the document
   * @param {Name} previous the name before it, or `start`
   * @returns {Name | null} null when unknown
   */
  find(buf, view, pos, end, previous) {
    const ahead = pos + 8 > buf.length ? null : nameAhead(previous.next, buf, view, pos)
    if (ahead !== null) return ahead
    const found = this.slots.length === 0 ? this.named(buf, pos, end) : this.hashed(buf, view, pos, end)
    if (found !== null && found.order < previous.order) this.move(found, previous)
    return found
  }

  /** Moves a name that was seen after a later one: with other documents the chain comes into their order. */
  move(name, previous) {
    name.before.next = name.next
    name.next.before = name.before
    this.link(name, previous)
  }

  /** The same by the table, where each name has two slots. */
  hashed(buf, view, pos, end) {
    const { slots } = this
    const slot = hashAt(view, pos) & (slots.length - 1)
    const first = slots[slot]
    if (first !== null && isNameAt(first, buf, view, pos)) return first
    const second = slots[slot ^ 1]
    if (second !== null && isNameAt(second, buf, view, pos)) return second
    const name = this.named(buf, pos, end)
    if (name !== null) {
      slots[slot ^ 1] = first
      slots[slot] = name
      if (second !== null && 2 * slots.length <= MOST_SLOTS_EACH * this.size) this.addTable(2 * slots.length)
    }
    return name
  }

  /** @returns {Name | null} the name at `pos`; null when unknown */
  named(buf, pos, end) {
    const i = this.search(buf, pos, end)
    const name = i < this.sorted.length ? this.sorted[i] : null
    return name !== null && isAt(name, buf, pos) ? name : null
  }

  /** @returns {number} the index of the first name not before the bytes */
  search(buf, pos, end) {
    const { sorted } = this
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(sorted[middle], buf, pos, end)) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** A placeholder that matches no bytes. */
function noName() {
  const name = new Name(NO_BYTES, null)
  name.size = -1
  name.low = 1 // impossible under a mask without bits
  return name
}

/** Masks for the bytes of a word before its first zero byte, by their number. */
const BEFORE_ZERO = [0, 0xff, 0xffff, 0xffffff]

/** @returns {Name | null} the name at `pos`, if it is one of the next after `name` */
function nameAhead(name, buf, view, pos) {
  const low = view.getInt32(pos, true)
  const high = view.getInt32(pos + 4, true)
  for (let i = 0; i < AHEAD; i++) {
    name = name.next
    if ((low & name.lowBits) !== name.low || (high & name.highBits) !== name.high) continue
    if (name.size <= 8 || isRestAt(name, buf, view, pos)) return name
  }
  return null
}

/** The hash of the name at `pos`; of one near the end of the memory, any. @param {DataView} view @param {number} pos */
function hashAt(view, pos) {
  let hash = 0
  for (const last = view.byteLength - 4; pos <= last; pos += 4) {
    const word = view.getInt32(pos, true)
    const zero = (word - 0x01010101) & ~word & 0x80808080
    if (zero !== 0) {
      hash = Math.imul(hash ^ (word & BEFORE_ZERO[(31 - Math.clz32(zero & -zero)) >> 3]), 0x9e3779b1)
      break
    }
    hash = Math.imul(hash ^ word, 0x9e3779b1)
    hash ^= hash >>> 15
  }
  return hash ^ (hash >>> 15)
}

/** @param {Name} name @param {Uint8Array} buf @param {number} pos */
function isAt({ bytes, size }, buf, pos) {
  let i = 0
  while (i < size && bytes[i] === buf[pos + i]) i++
  return i === size
}

/** The same, faster. @param {Name} name @param {Uint8Array} buf @param {DataView} view @param {number} pos */
function isNameAt(name, buf, view, pos) {
  if (pos + 8 > buf.length) return isAt(name, buf, pos)
  if ((view.getInt32(pos, true) & name.lowBits) !== name.low) return false
  if ((view.getInt32(pos + 4, true) & name.highBits) !== name.high) return false
  return name.size <= 8 || isRestAt(name, buf, view, pos)
}

/** Whether the bytes after the first eight are those of a name. */
function isRestAt({ size, last, words, at }, buf, view, pos) {
  if (pos + size > buf.length || view.getInt32(pos + size - 4, true) !== last) return false
  for (let i = 2; i < size >> 2; i++) if (view.getInt32(pos + 4 * i, true) !== words[at + i]) return false
  return true
}

/** @param {Name} name @param {Uint8Array} buf @param {number} pos @param {number} end */
function isBefore({ bytes, size }, buf, pos, end) {
  let i = 0
  while (i < size && pos + i < end && bytes[i] === buf[pos + i]) i++
  return i < size && pos + i < end && bytes[i] < buf[pos + i]
}

module.exports = { Name, Names, noName, isNameAt }
