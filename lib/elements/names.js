'use strict'

// The names of the fields at one place, by their bytes. Fields mostly come in the same order, of which some are
// missing: the names are a chain in the order of the documents, and the next few are compared first. Any other name is
// found in a table by its hash, or else by binary search, which is fast for any choice of names.

const { getInt32 } = require('../bytes')

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

/** The name of a field. Its target stands for the field: a place, or a builder while reading; null for one not read. */
class Name {
  /** @param {Uint8Array} buf @param {number} start @param {number} end after the 0x00 @param {any} target */
  constructor(buf, start, end, target) {
    /** @type {Name} the name expected next: that after it in the chain */
    this.next = this
    this.size = end - start
    /** The first eight bytes as two int32, compared at once, and masks for the bits in use. */
    this.lowBits = bitsOf(this.size)
    this.low = getInt32(buf, start) & this.lowBits
    this.highBits = bitsOf(this.size - 4)
    this.high = getInt32(buf, start + 4) & this.highBits
    /** The last four bytes of a longer name, and where all are in the words of all names. */
    this.last = this.size > 8 ? getInt32(buf, end - 4) : 0
    this.words = NO_WORDS
    this.at = 0
    this.target = target
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

function bitsOf(size) {
  if (size >= 4) return -1
  return size <= 0 ? 0 : (1 << (8 * size)) - 1
}

class Names {
  /** @param {[bytes: Uint8Array, target: any][]} [names] the first ones, with the 0x00, in the expected order */
  constructor(names = []) {
    /** @type {Name[]} in the order of their first occurrence */
    this.list = []
    /** Comes before the first name. No field has its bytes. */
    this.start = noName()
    /** By hash: the name that was last looked up there. @type {(Name | null)[]} */
    this.slots = []
    /** @type {Name | null} stands for names not kept */
    this.more = null
    /** The bytes of all names, side by side: an array for each would be two more places in memory to read. */
    this.words = NO_WORDS
    this.used = 0
    for (const [bytes, target] of names) this.include(bytes, 0, bytes.length, target, this.start.before)
    /** @type {Name[]} in the order of their bytes */
    this.sorted = [...this.list].sort(compare)
  }

  /**
   * @param {Uint8Array} buf
   * @param {number} start of a new name
   * @param {number} end after its 0x00
   * @param {any} target
   * @param {Name} previous the one after which it is expected
   * @returns {Name}
   */
  add(buf, start, end, target, previous) {
    const index = this.search(buf, start, end)
    const name = this.include(buf, start, end, target, previous)
    this.sorted.splice(index, 0, name)
    return name
  }

  include(buf, start, end, target, previous) {
    const name = new Name(buf, start, end, target)
    this.link(name, previous)
    this.list.push(name)
    this.addWords(name, buf, start)
    const { size, slots } = this
    if (size >= TABLE_NAMES && slots.length < SLOTS_EACH * size) {
      this.addTable((2 * SLOTS_EACH) << (32 - Math.clz32(size - 1))) // a power of two
    }
    return name
  }

  /** Copies the bytes of a name. */
  addWords(name, buf, start) {
    const count = (name.size + 3) >> 2
    if (this.used + count > this.words.length) {
      const words = new Int32Array(2 * (this.used + count))
      words.set(this.words)
      for (const each of this.list) each.words = words
      this.words = words
    }
    name.words = this.words
    name.at = this.used
    for (let i = 0; i < name.size; i += 4) this.words[this.used++] = getInt32(buf, start + i) & bitsOf(name.size - i)
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
  const name = new Name(NO_BYTES, 0, 0, null)
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

function byteOf({ words, at }, i) {
  return (words[at + (i >> 2)] >> (8 * (i & 3))) & 0xff
}

/** How many bytes at `pos` are those of a name. @param {Name} name @param {Uint8Array} buf @param {number} pos */
function bytesAlike(name, buf, pos, end = buf.length) {
  const { words, at } = name
  const most = Math.min(name.size, end - pos)
  let i = 0
  while (i + 4 <= most && getInt32(buf, pos + i) === words[at + (i >> 2)]) i += 4
  while (i < most && byteOf(name, i) === buf[pos + i]) i++
  return i
}

function isAt(name, buf, pos) {
  return bytesAlike(name, buf, pos) === name.size
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

function isBefore(name, buf, pos, end) {
  const i = bytesAlike(name, buf, pos, end)
  return i < name.size && pos + i < end && byteOf(name, i) < buf[pos + i]
}

/** @param {Name} a @param {Name} b none is the beginning of another, as each ends at its 0x00 */
function compare(a, b) {
  let i = 0
  while (i < a.size && byteOf(a, i) === byteOf(b, i)) i++
  return i === a.size ? 0 : byteOf(a, i) - byteOf(b, i)
}

module.exports = { Names, noName, isNameAt }
