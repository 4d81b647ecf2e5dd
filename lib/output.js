'use strict'

// Where encoded documents are written. Small results share a slab and are handed out as views on it, as Node's own
// pool does: making memory for each would cost more than encoding it. A document that outgrows its slab moves to a
// scratch, at the same offsets, and is copied out at the end.

const { INT32_MAX } = require('./spec')
const { BSONError } = require('./errors')
const { BufferView, allocate, isResizable } = require('./bytes')
const { utf8Length } = require('./utf8')

/** Bytes of a slab: chosen by benchmark/thresholds/slab.js. */
const SLAB_SIZE = 16384

/** A document starts on a slab only where so many bytes are left. */
const SLAB_RESERVE = 512

/** Results up to this size, in bytes, may live on a slab; larger ones get memory of their own. */
const SLAB_MAX_RESULT = 4096

/** Strings up to so many UTF-16 units reserve three bytes each; longer ones are measured. */
const MEASURED_STRING = 4096

/** A scratch or a caller's target larger than this, in bytes, is not kept for the next document. */
const SCRATCH_KEEP = 1 << 20

class Output {
  constructor() {
    /** @type {Uint8Array} what is written to: the slab, the scratch, or the caller's target */
    this.buf = EMPTY
    /** Of the same bytes as `buf`: a store of four bytes takes a quarter of the time. */
    this.view = EMPTY_VIEW
    /** The first byte of the document, in `buf`. */
    this.start = 0
    /** @type {Uint8Array} */
    this.slab = EMPTY
    this.slabView = EMPTY_VIEW
    /** @type {ArrayBufferLike} the slab's memory */
    this.memory = EMPTY.buffer
    this.slabUsed = SLAB_SIZE
    /** @type {Uint8Array} */
    this.scratch = EMPTY
    /** @type {Uint8Array} the last target of a caller, for making a view of it takes 55 ns */
    this.target = EMPTY
    this.targetView = EMPTY_VIEW
  }

  /** Starts a document on the slab. @returns {number} the offset to write at */
  begin() {
    if (this.slabUsed > SLAB_SIZE - SLAB_RESERVE) this.renewSlab()
    this.buf = this.slab
    this.view = this.slabView
    return (this.start = this.slabUsed)
  }

  /** Starts a document in the caller's memory. @param {Uint8Array} target @param {number} offset */
  beginInto(target, offset) {
    this.buf = target
    this.view = target === this.target ? this.targetView : this.viewTarget(target)
    this.start = offset
    return offset
  }

  viewTarget(target) {
    const view = viewOf(target)
    const mayKeep = target.buffer.byteLength <= SCRATCH_KEEP && !isResizable(target.buffer)
    this.target = mayKeep ? target : EMPTY
    this.targetView = mayKeep ? view : EMPTY_VIEW
    return view
  }

  /**
   * Makes sure that `need` bytes can be written at `pos`; `buf` may be another one afterwards.
   *
   * @param {number} pos
   * @param {number} need bytes
   * @returns {Uint8Array} `buf`
   * @throws {BSONError} when the document cannot be that long
   */
  reserve(pos, need) {
    return pos + need <= this.buf.length ? this.buf : this.grow(pos, need)
  }

  /**
   * As `reserve`, for a string and what follows it: three bytes a unit, unless it is so long that measuring it pays.
   *
   * @param {number} pos
   * @param {string} string
   * @param {number} rest bytes
   * @returns {Uint8Array} `buf`
   */
  makeRoom(pos, string, rest) {
    return this.reserve(pos, (string.length > MEASURED_STRING ? utf8Length(string) : 3 * string.length) + rest)
  }

  /** @param {number} pos @param {number} need */
  grow(pos, need) {
    const size = pos - this.start
    if (size + need > INT32_MAX) throw new BSONError(`document is larger than ${INT32_MAX} bytes`)
    let scratch = this.scratch
    if (scratch.length < pos + need) scratch = allocate(Math.max(SLAB_SIZE * 2, (pos + need) * 2))
    // An earlier, smaller scratch is this.buf itself; either way the offsets stay as they are.
    scratch.set(this.buf.subarray(this.start, pos), this.start)
    this.scratch = scratch
    this.buf = scratch
    this.view = viewOf(scratch)
    return scratch
  }

  /**
   * Ends a document that `begin` started.
   *
   * @param {number} end offset after its last byte
   * @returns {Uint8Array} its bytes, the caller's to keep; a Buffer on Node
   */
  finish(end) {
    const start = this.start
    if (this.buf !== this.slab) return this.finishScratch(start, end)
    this.slabUsed = (end + 7) & ~7
    return new BufferView(this.memory, start, end - start)
  }

  /** @param {number} start @param {number} end */
  finishScratch(start, end) {
    const size = end - start
    const result = size <= SLAB_MAX_RESULT ? this.takeFromSlab(size) : allocate(size)
    result.set(this.buf.subarray(start, end))
    this.releaseScratch()
    return result
  }

  /**
   * Ends a document that `beginInto` started.
   *
   * @param {Uint8Array} target
   * @param {number} end offset after its last byte
   * @returns {number} the offset after it in `target`
   * @throws {BSONError} when `target` is too short; nothing has been promised of its bytes then
   */
  finishInto(target, end) {
    if (this.buf !== target) this.moveInto(target, end)
    this.buf = EMPTY
    this.view = EMPTY_VIEW
    return end
  }

  moveInto(target, end) {
    const start = this.start
    const written = this.buf
    this.releaseScratch()
    if (end > target.length) {
      throw new BSONError(`document of ${end - start} bytes does not fit into ${target.length} bytes at offset ${start}`)
    }
    target.set(written.subarray(start, end), start)
  }

  takeFromSlab(size) {
    if (this.slabUsed + size > SLAB_SIZE) this.renewSlab()
    const offset = this.slabUsed
    this.slabUsed = (offset + size + 7) & ~7
    return new BufferView(this.memory, offset, size)
  }

  renewSlab() {
    this.memory = new ArrayBuffer(SLAB_SIZE)
    this.slab = new BufferView(this.memory, 0, SLAB_SIZE)
    this.slabView = new DataView(this.memory)
    this.slabUsed = 0
  }

  releaseScratch() {
    this.buf = EMPTY
    this.view = EMPTY_VIEW
    if (this.scratch.length > SCRATCH_KEEP) this.scratch = EMPTY
  }
}

/** Of the class of all others: one more would slow every access to `buf` down. */
const EMPTY = allocate(0)

const EMPTY_VIEW = viewOf(EMPTY)

/** @param {Uint8Array} bytes */
function viewOf({ buffer, byteOffset, length }) {
  return new DataView(buffer, byteOffset, length)
}

/** @type {Output | null} the output that is not in use; a `toBSON` that encodes finds none and gets its own */
let idle = null

/** @returns {Output} to be given back with `releaseOutput`, whatever happens */
function acquireOutput() {
  const output = idle
  idle = null
  return output === null ? new Output() : output
}

/** @param {Output} output */
function releaseOutput(output) {
  idle = output
}

module.exports = { SLAB_SIZE, SLAB_MAX_RESULT, SCRATCH_KEEP, Output, acquireOutput, releaseOutput }
