'use strict'

// Mutates bytes in memory that is reused, so that making a mutant takes less time than reading it.

const { below, pick } = require('../test/fixtures/random-document')
const { BYTES, LENGTHS } = require('../test/fixtures/mutate')

/** The most bytes that a change adds. */
const LARGEST_CHANGE = 20

class Mutator {
  /** @param {number} capacity bytes of the largest mutant */
  constructor(capacity) {
    this.memory = Buffer.alloc(capacity)
    /** Views of the first bytes, by their number. @type {Buffer[]} */
    this.views = []
    this.length = 0
  }

  /**
   * @param {() => number} random
   * @param {Uint8Array} bytes not modified
   * @param {Uint8Array} other bytes that may be inserted
   * @returns {Buffer} the bytes with one to three changes, valid until the next call; the length in front mostly agrees
   */
  mutate(random, bytes, other) {
    this.memory.set(bytes)
    this.length = bytes.length
    for (let i = 1 + below(random, 3) * below(random, 2); i > 0 && this.length > 0; i--) this.change(random, other)
    if (this.length >= 4 && random() < 0.97) this.memory.writeInt32LE(this.length)
    this.views[this.length] ??= this.memory.subarray(0, this.length)
    return this.views[this.length]
  }

  change(random, other) {
    const { memory, length } = this
    const at = below(random, length)
    switch (below(random, 12)) {
      case 0:
      case 1:
        memory[at] ^= 1 << below(random, 8)
        break
      case 2:
      case 3:
      case 4:
        memory[at] = pick(random, BYTES)
        break
      case 5:
        if (at + 4 <= length) memory.writeInt32LE(pick(random, LENGTHS), at)
        break
      case 6:
      case 7:
        this.addToLength(at, pick(random, [-4, -1, 1, 1, 2, 4]))
        break
      case 8:
        this.length = at
        if (at > 0 && random() < 0.5) memory[at - 1] = 0
        break
      case 9:
        this.move(at + 1 + below(random, 5), at)
        break
      case 10:
        this.insert(at, other, below(random, other.length), 1 + below(random, LARGEST_CHANGE))
        break
      default:
        this.move(at, Math.min(length, at + 1 + below(random, LARGEST_CHANGE)))
    }
  }

  /** Adds to the first small number at or after `from`, which is probably a length. */
  addToLength(from, number) {
    const { memory, length } = this
    for (let at = from; at + 4 <= length; at++) {
      if (memory[at + 1] === 0 && memory[at + 2] === 0 && memory[at + 3] === 0 && memory[at] > 0) {
        memory.writeInt32LE(memory[at] + number, at)
        return
      }
    }
  }

  /** Moves the bytes that begin at `from`: those between are removed or duplicated. */
  move(from, to) {
    if (from > this.length || this.length + to - from > this.memory.length) return
    this.memory.copyWithin(to, from, this.length)
    this.length += to - from
  }

  insert(at, other, start, size) {
    const part = other.subarray(start, start + size)
    if (this.length + part.length > this.memory.length) return
    this.memory.copyWithin(at + part.length, at, this.length)
    this.memory.set(part, at)
    this.length += part.length
  }
}

module.exports = { Mutator, LARGEST_CHANGE }
