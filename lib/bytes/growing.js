'use strict'

const { BSONError } = require('../errors')
const { INT32_MAX } = require('../spec')
const { allocate, copyBytes, putInt32 } = require('./memory')

/** Memory that grows as bytes are written to it. */
class GrowingBytes {
  /** @param {number} size bytes at first */
  constructor(size) {
    this.out = allocate(size)
    /** The end of the written bytes; set it to 0 to reuse the memory. */
    this.pos = 0
  }

  /** Lets go of the memory, which others may still read. */
  release() {
    this.out = allocate(0)
    this.pos = 0
  }

  /** @returns {Uint8Array} the written bytes, as a view */
  get bytes() {
    return this.out.subarray(0, this.pos)
  }

  /** @param {number} value */
  byte(value) {
    this.reserve(1)
    this.out[this.pos++] = value
  }

  /** @param {Uint8Array} buf @param {number} from @param {number} to */
  copy(buf, from, to) {
    this.reserve(to - from)
    this.pos = copyBytes(buf, from, to, this.out, this.pos)
  }

  /** Leaves room for an int32 that is written later. @returns {number} its offset */
  hole() {
    this.reserve(4)
    this.pos += 4
    return this.pos - 4
  }

  /** Writes the 0x00 at the end of a frame. @param {number} hole for its length @throws {BSONError} if too long */
  endFrame(hole) {
    this.byte(0)
    if (this.pos - hole > INT32_MAX) throw new BSONError('the document has become too long')
    putInt32(this.pos - hole, this.out, hole)
  }

  /** @param {number} length bytes for which there is room then */
  reserve(length) {
    if (this.pos + length <= this.out.length) return
    const larger = allocate(Math.max(2 * this.out.length, this.pos + length))
    larger.set(this.bytes)
    this.out = larger
  }
}

module.exports = { GrowingBytes }
