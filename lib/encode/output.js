'use strict'

// Where documents are written, and where in them the encoder is. Small documents are written into a chunk of Node's own
// pool and handed out as views on it, as shared as any small Buffer of Node's is and no more; what outgrows the chunk
// moves to a scratch, at the same offsets, and is copied out at the end. Where there is no pool every result is a copy.

const { INT32_MAX } = require('../spec')
const { BSONError, shownValue } = require('../errors')
const { NodeBuffer, BufferView, allocate, copyOf, isResizable, isUint8Array } = require('../bytes')

/**
 * Bytes of a chunk. Node takes what is smaller than half its pool, 4096 bytes, from the pool: memory that nobody can
 * transfer. So a small result keeps a pool alive at most, 8 kB or, on Node 24, 64, as one of `Buffer.from` does.
 */
const CHUNK_SIZE = 4088

/** A document starts in a chunk only where so many bytes are left. */
const CHUNK_RESERVE = 512

/**
 * After a result of more bytes than this the next document starts in the scratch: to copy 700 bytes takes less than
 * what chunks lose by documents that do not fit in.
 */
const CHUNK_RESULT = 512

/**
 * Bytes of the first scratch: few, so that every place that may have to make it larger has done so before V8 optimises
 * it, and is not thrown back later.
 */
const SCRATCH_SIZE = 256

/**
 * A scratch larger than this, in bytes, is kept for the next document only until memory is collected. Without it,
 * documents of 3 MB took 1.4 times as long: their memory grew by copying, each time.
 */
const SCRATCH_KEEP = 1 << 20

/** Where a scratch must grow to so many bytes, the large one is taken that was kept. */
const LARGE = 1 << 16

/** A caller's target in memory larger than this, in bytes, is not kept for the next document. */
const TARGET_KEEP = 1 << 16

/** An offset that nothing is written at. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER

class Output {
  constructor() {
    /** @type {Uint8Array} what is written to: the chunk, the scratch, or the caller's target */
    this.buf = EMPTY
    /** Of the same bytes as `buf`: a store of four bytes takes a quarter of the time. */
    this.view = EMPTY_VIEW
    /** The first byte of the document, in `buf`. */
    this.start = 0
    /** @type {any} the EncodePlan */
    this.plan = null
    /** Where the document that is being written must end, in `buf`; a message holds several, and no limit between. */
    this.limit = NO_LIMIT
    /** Documents that are open. */
    this.depth = 0
    /** @type {object | null} one of the open documents: see containers.js */
    this.cycleCheckpoint = null
    /** See containers.js. */
    this.forIn = true
    /** @type {Uint8Array} */
    this.chunk = EMPTY
    this.chunkView = EMPTY_VIEW
    /** Whether Buffers are views on a pool; asked for no more once they are not: each answer costs a chunk. */
    this.hasPool = NodeBuffer !== undefined
    this.memory = EMPTY.buffer
    this.base = 0
    /** The chunk's bytes that results have. */
    this.used = 0
    /** Bytes of the last result. */
    this.last = 0
    /** @type {Uint8Array} */
    this.scratch = EMPTY
    this.scratchView = EMPTY_VIEW
    /** @type {WeakRef<Uint8Array> | undefined} a scratch larger than SCRATCH_KEEP, while it is not used */
    this.large = undefined
    /** @type {Uint8Array} the last target of a caller, for making a view of it takes 55 ns */
    this.target = EMPTY
    this.targetView = EMPTY_VIEW
    /** Bytes of the caller's target that are before `buf`, and its length when writing began. */
    this.skipped = 0
    this.length = 0
    /** What is remembered of the document that is being written, and of no other. @type {any} */
    this.memo = null
  }

  /** Starts a document. @returns {number} the offset to write at */
  begin() {
    this.limit = NO_LIMIT
    if (this.last > CHUNK_RESULT) return this.beginScratch()
    if (this.used + CHUNK_RESERVE > this.chunk.length && !this.renewChunk()) return this.beginScratch()
    this.buf = this.chunk
    this.view = this.chunkView
    return (this.start = this.used)
  }

  /** @returns {boolean} whether there is a pool, and a new chunk of it */
  renewChunk() {
    if (!this.hasPool) return false
    const chunk = NodeBuffer.allocUnsafe(CHUNK_SIZE)
    this.hasPool = chunk.buffer.byteLength > CHUNK_SIZE // Bun has none, and an application may have switched it off
    if (!this.hasPool) return false
    this.chunk = chunk
    this.chunkView = viewOf(chunk)
    this.memory = chunk.buffer
    this.base = chunk.byteOffset
    this.used = 0
    return true
  }

  beginScratch() {
    if (this.scratch.length === 0) this.renewScratch(SCRATCH_SIZE)
    this.buf = this.scratch
    this.view = this.scratchView
    return (this.start = 0)
  }

  /** @param {number} size bytes @throws {BSONError} when there is no such memory */
  renewScratch(size) {
    try {
      this.scratch = (size > LARGE ? this.takeLarge(size) : undefined) ?? allocate(size)
    } catch (cause) {
      throw new BSONError(`not enough memory to encode ${size} bytes`, { cause })
    }
    this.scratchView = viewOf(this.scratch)
  }

  /** @param {number} size bytes @returns {Uint8Array | undefined} the large scratch, if there is one of so many */
  takeLarge(size) {
    const scratch = this.large?.deref()
    this.large = undefined
    return scratch !== undefined && scratch.length >= size ? scratch : undefined
  }

  /** Keeps a large scratch no longer than until memory is collected. */
  keepLarge() {
    this.large = typeof WeakRef === 'function' ? new WeakRef(this.scratch) : undefined
    this.buf = this.scratch = EMPTY
    this.view = this.scratchView = EMPTY_VIEW
  }

  /**
   * Starts a document in the caller's memory.
   *
   * @param {Uint8Array} target
   * @param {number} offset inside it
   * @returns {number} the offset to write at
   */
  beginInto(target, offset) {
    this.limit = NO_LIMIT
    this.length = target.length
    if (target !== this.target && isResizable(target.buffer)) return this.beginCopy(offset)
    // A scratch has the offsets of what it takes over: they must not begin far behind.
    this.skipped = offset > SCRATCH_KEEP ? offset : 0
    if (this.skipped > 0) {
      this.buf = target.subarray(offset)
      this.view = viewOf(this.buf)
    } else {
      this.buf = target
      this.view = target === this.target ? this.targetView : this.viewTarget(target)
    }
    return (this.start = offset - this.skipped)
  }

  /**
   * Memory that can shrink is written at the end: a getter that makes it smaller and as large again leaves zeros.
   *
   * @param {number} offset inside the target
   */
  beginCopy(offset) {
    this.skipped = offset
    return this.beginScratch()
  }

  /** @param {Uint8Array} target */
  viewTarget(target) {
    const view = viewOf(target)
    const mayKeep = target.buffer.byteLength <= TARGET_KEEP
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

  /** @type {Output['reserve']} */
  grow(pos, need) {
    const { buf, start, scratch } = this
    if (pos > this.limit) throw tooLarge(this.plan.maxSize)
    if (pos - start + need > INT32_MAX) throw tooLarge(INT32_MAX)
    if (scratch.length < pos + need) {
      this.renewScratch(Math.max(SCRATCH_SIZE, Math.min(2 * (pos + need), start + INT32_MAX)))
    }
    // An earlier, smaller scratch is `buf` itself; either way the offsets stay as they are.
    this.scratch.set(buf.subarray(start, pos), start)
    this.buf = this.scratch
    this.view = this.scratchView
    return this.scratch
  }

  /**
   * Ends a document that `begin` started.
   *
   * @param {number} end offset after its last byte
   * @returns {Uint8Array} its bytes, the caller's to keep; a Buffer on Node
   */
  finish(end) {
    const { start, chunk } = this
    this.last = end - start
    if (this.buf !== chunk) return copyOf(this.buf, start, end)
    this.used = (end + 7) & ~7
    return new BufferView(this.memory, this.base + start, end - start)
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
    const { buf, start, skipped, scratch } = this
    this.buf = EMPTY
    this.view = EMPTY_VIEW
    if (target.length !== this.length) throw new BSONError('target was detached or resized while it was written to')
    if (buf !== scratch) return skipped + end
    if (skipped + end > target.length) {
      const place = `${target.length} bytes at offset ${skipped + start}`
      throw new BSONError(`document of ${end - start} bytes does not fit into ${place}`)
    }
    target.set(buf.subarray(start, end), skipped + start)
    return skipped + end
  }
}

/** @param {number} maxSize bytes */
function tooLarge(maxSize) {
  return new BSONError(`document is larger than ${maxSize} bytes`)
}

/** Of the class of all others: one more would slow every access to `buf` down. */
const EMPTY = allocate(0)

const EMPTY_VIEW = viewOf(EMPTY)

/**
 * @param {Uint8Array} bytes
 * @returns {DataView}
 * @throws {BSONError} when their memory is detached: optimised code of V8 11 still sees their length
 */
function viewOf({ buffer, byteOffset, length }) {
  try {
    return new DataView(buffer, byteOffset, length)
  } catch (cause) {
    throw new BSONError('the target ArrayBuffer is detached or has shrunk', { cause })
  }
}

/** @type {Output | null} the output that is not in use; a `toBSON` that encodes finds none and gets its own */
let idle = null

/** @returns {Output} to be given back with `releaseOutput`: one that is not, because of a failure, is forgotten */
function acquireOutput() {
  const output = idle
  idle = null
  return output === null ? new Output() : output
}

/** @param {Output} output */
function releaseOutput(output) {
  output.cycleCheckpoint = null
  output.memo = null
  if (output.scratch.length > SCRATCH_KEEP) output.keepLarge()
  idle = output
}

/**
 * A document in the caller's memory.
 *
 * @param {Uint8Array} target
 * @param {number} offset where to begin, in bytes
 * @template T
 * @param {(out: Output, doc: object, pos: number, how: T) => number} append writes it and returns the offset after it
 * @param {object} doc
 * @param {T} how for `append`: a function made for each call takes 12 ns more
 * @returns {number} the offset after it in `target`
 * @throws {BSONError} when it does not fit; `target` is then in no defined state
 */
function writeInto(target, offset, append, doc, how) {
  checkTarget(target, offset)
  const out = acquireOutput()
  const start = out.beginInto(target, offset)
  let end
  try {
    end = append(out, doc, start, how)
  } catch (error) {
    out.finishInto(target, start) // says so when it was detached
    throw error
  }
  end = out.finishInto(target, end)
  releaseOutput(out)
  return end
}

/** @throws {BSONError} */
function checkTarget(target, offset) {
  if (!isUint8Array(target)) throw new BSONError('target must be a Buffer or Uint8Array')
  if (!(Number.isInteger(offset) && offset >= 0)) throw new BSONError(`offset must be a non-negative integer: ${shownValue(offset)}`)
  if (offset + 5 > target.length) {
    throw new BSONError(`a document does not fit into ${target.length} bytes at offset ${offset}`)
  }
}

module.exports = {
  CHUNK_SIZE, SCRATCH_KEEP, TARGET_KEEP, NO_LIMIT, Output, tooLarge, acquireOutput, releaseOutput, writeInto
}
