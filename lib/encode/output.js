'use strict'

// Where documents are written, and the encoder's position in them. Small documents are written into a chunk of Node's
// own pool and returned as views of it, so they share memory just as any small Buffer of Node does. A document that
// outgrows the chunk moves to a scratch buffer, at the same offsets, and is copied out at the end. Without a pool every
// result is a copy.

const { INT32_MAX } = require('../spec')
const { BSONError } = require('../errors')
const { refusal, wholeNumber } = require('../options')
const { NodeBuffer, BufferView, allocate, copyOf, isResizable, isUint8Array } = require('../bytes')

/**
 * Bytes of a chunk. Node takes buffers smaller than half its pool, 4096 bytes, from the pool, whose memory cannot be
 * transferred. A small result therefore keeps at most one pool alive, 8 kB or, on Node 24, 64 kB, like a Buffer made by
 * `Buffer.from`.
 */
const CHUNK_SIZE = 4088

/** A document starts in a chunk only if at least this many bytes are left. */
const CHUNK_RESERVE = 512

/**
 * After a result larger than this many bytes the next document starts in the scratch: copying 700 bytes costs less than
 * the part of a chunk that is wasted when a document does not fit.
 */
const CHUNK_RESULT = 512

/**
 * Bytes of the first scratch. It is small, so that every place that may grow it has done so before V8 optimises the
 * code, and V8 does not deoptimise it later.
 */
const SCRATCH_SIZE = 256

/**
 * A scratch larger than this, in bytes, is kept for the next document only until the next garbage collection. Without
 * it documents of 3 MB took 1.4 times as long, because the buffer grew by copying each time.
 */
const SCRATCH_KEEP = 1 << 20

/** A scratch that must grow to at least this many bytes reuses the large one that was kept. */
const LARGE = 1 << 16

/** A caller's target whose memory is larger than this, in bytes, is not remembered for the next document. */
const TARGET_KEEP = 1 << 16

/** An offset that no document reaches. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER

class Output {
  constructor() {
    /** @type {Uint8Array} the current buffer: the chunk, the scratch, or the caller's target */
    this.buf = EMPTY
    /** A view of the same bytes as `buf`: storing four bytes through it takes a quarter of the time. */
    this.view = EMPTY_VIEW
    /** Offset of the document's first byte in `buf`. */
    this.start = 0
    /** @type {any} the EncodePlan */
    this.plan = null
    /** The offset in `buf` that the document must end by. Between the documents of a message there is no limit. */
    this.limit = NO_LIMIT
    /** Number of open documents. */
    this.depth = 0
    /** @type {object | null} one of the open documents; see containers.js */
    this.cycleCheckpoint = null
    /** See containers.js. */
    this.forIn = true
    if (NodeBuffer !== undefined) {
      /** @type {Uint8Array} */
      this.chunk = EMPTY
      this.chunkView = EMPTY_VIEW
      /** Whether Buffers are views of a pool. Once they are not, this is not tested again: each test costs a chunk. */
      this.hasPool = true
      this.memory = EMPTY.buffer
      this.base = 0
      /** Bytes of the chunk that results already use. */
      this.used = 0
      /** Bytes of the last result. */
      this.last = 0
    }
    /** @type {Uint8Array} */
    this.scratch = EMPTY
    this.scratchView = EMPTY_VIEW
    /** A WeakRef to a scratch larger than SCRATCH_KEEP. @type {{deref(): Uint8Array | undefined} | undefined} */
    this.large = undefined
    /** @type {Uint8Array} the last target of a caller; creating a view of it takes 55 ns */
    this.target = EMPTY
    this.targetView = EMPTY_VIEW
    /** Bytes of the caller's target before `buf`, and the target's length when writing began. */
    this.skipped = 0
    this.length = 0
    /** State of the current document only. @type {any} */
    this.memo = null
  }

  /** Starts a document. @returns {number} the offset to write at */
  begin() {
    this.limit = NO_LIMIT
    if (NodeBuffer === undefined || this.last > CHUNK_RESULT) return this.beginScratch()
    if (this.used + CHUNK_RESERVE > this.chunk.length && !renewChunk(this)) return this.beginScratch()
    this.buf = this.chunk
    this.view = this.chunkView
    return (this.start = this.used)
  }

  beginScratch() {
    if (this.scratch.length === 0) this.renewScratch(SCRATCH_SIZE)
    this.buf = this.scratch
    this.view = this.scratchView
    return (this.start = 0)
  }

  /** @param {number} size bytes @throws {BSONError} when the memory cannot be allocated */
  renewScratch(size) {
    try {
      this.scratch = (size > LARGE ? this.takeLarge(size) : undefined) ?? allocate(size)
    } catch (cause) {
      throw new BSONError(`not enough memory to encode ${size} bytes`, { cause })
    }
    this.scratchView = viewOf(this.scratch)
  }

  /** @param {number} size bytes @returns {Uint8Array | undefined} the large scratch, if it is large enough */
  takeLarge(size) {
    const scratch = this.large?.deref()
    this.large = undefined
    return scratch !== undefined && scratch.length >= size ? scratch : undefined
  }

  /** Keeps a large scratch only until the next garbage collection. */
  keepLarge() {
    this.large = typeof WeakRef === 'function' ? new WeakRef(this.scratch) : undefined
    this.buf = this.scratch = EMPTY
    this.view = this.scratchView = EMPTY_VIEW
  }

  /**
   * Makes sure that `need` bytes can be written at `pos`; `buf` may be a different buffer afterwards.
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
    // An earlier, smaller scratch is `buf` itself. In either case the offsets stay the same.
    this.scratch.set(buf.subarray(start, pos), start)
    this.buf = this.scratch
    this.view = this.scratchView
    return this.scratch
  }

  /**
   * Ends a document that `begin` started.
   *
   * @param {number} end offset after its last byte
   * @returns {Buffer} its bytes, the caller's to keep
   */
  finish(end) {
    const { start } = this
    if (NodeBuffer === undefined) return copyOf(this.buf, start, end)
    this.last = end - start
    if (this.buf !== this.chunk) return copyOf(this.buf, start, end)
    this.used = (end + 7) & ~7
    return /** @type {any} */ (new BufferView(this.memory, this.base + start, end - start))
  }
}

/** @param {Output} out @returns {boolean} whether there is a pool; if so, `chunk` is a new chunk of it */
function renewChunk(out) {
  if (!out.hasPool) return false
  const chunk = NodeBuffer.allocUnsafe(CHUNK_SIZE)
  out.hasPool = chunk.buffer.byteLength > CHUNK_SIZE // Bun has no pool, and an application may disable it
  if (!out.hasPool) return false
  out.chunk = chunk
  out.chunkView = viewOf(chunk)
  out.memory = chunk.buffer
  out.base = chunk.byteOffset
  out.used = 0
  return true
}

/** @param {number} maxSize bytes */
function tooLarge(maxSize) {
  return new BSONError(`document is larger than ${maxSize} bytes`)
}

/** Of the same class as all other buffers: another class would slow down every access to `buf`. */
const EMPTY = allocate(0)

const EMPTY_VIEW = viewOf(EMPTY)

/** @param {Uint8Array} bytes @returns {DataView} */
function viewOf({ buffer, byteOffset, length }) {
  return new DataView(buffer, byteOffset, length)
}

/**
 * @type {Output | null} the output that is not in use; null while encoding, so that a `toBSON` that encodes gets its
 * own
 */
let idle = null

/** @returns {Output} to be returned with `releaseOutput`; after a failure it is dropped instead */
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
 * Starts a document in the caller's memory. These are functions, no methods, so that bundles can leave them out.
 *
 * @returns {number} the offset to write at
 */
function beginInto(out, target, offset) {
  out.limit = NO_LIMIT
  out.length = target.length
  if (target !== out.target && isResizable(target.buffer)) return beginCopy(out, offset)
  // A scratch uses the same offsets as the buffer it replaces, so these must not start far in.
  out.skipped = offset > SCRATCH_KEEP ? offset : 0
  if (out.skipped > 0) {
    out.buf = target.subarray(offset)
    out.view = viewOfTarget(out.buf)
  } else {
    out.buf = target
    out.view = target === out.target ? out.targetView : viewTarget(out, target)
  }
  return (out.start = offset - out.skipped)
}

/** Resizable memory is written only at the end: if a getter shrinks it and grows it back, the bytes become zero. */
function beginCopy(out, offset) {
  out.skipped = offset
  return out.beginScratch()
}

/** @throws {BSONError} when its memory is detached: code optimised by V8 11 still sees the old length */
function viewOfTarget(target) {
  try {
    return viewOf(target)
  } catch (cause) {
    throw new BSONError('the target ArrayBuffer is detached or has shrunk', { cause })
  }
}

/** @param {Output} out @param {Uint8Array} target @returns {DataView} */
function viewTarget(out, target) {
  const view = viewOfTarget(target)
  const mayKeep = target.buffer.byteLength <= TARGET_KEEP
  out.target = mayKeep ? target : EMPTY
  out.targetView = mayKeep ? view : EMPTY_VIEW
  return view
}

/**
 * Ends a document that `beginInto` started.
 *
 * @param {Output} out
 * @param {Uint8Array} target
 * @param {number} end offset after its last byte
 * @returns {number} the offset after it in `target`
 * @throws {BSONError} when `target` is too short; its contents are then undefined
 */
function finishInto(out, target, end) {
  const { buf, start, skipped, scratch } = out
  out.buf = EMPTY
  out.view = EMPTY_VIEW
  if (target.length !== out.length) throw new BSONError('target was detached or resized while it was written to')
  if (buf !== scratch) return skipped + end
  if (skipped + end > target.length) {
    const place = `${target.length} bytes at offset ${skipped + start}`
    throw new BSONError(`document of ${end - start} bytes does not fit into ${place}`)
  }
  target.set(buf.subarray(start, end), skipped + start)
  return skipped + end
}

/**
 * Writes a document into the caller's memory.
 *
 * @param {Uint8Array} target
 * @param {number} offset where to begin, in bytes
 * @template T
 * @param {(out: Output, doc: object, pos: number, how: T) => number} append writes it and returns the offset after it
 * @param {object} doc
 * @param {T} how passed to `append`; a closure for each call takes 12 ns more
 * @returns {number} the offset after it in `target`
 * @throws {BSONError} when it does not fit; the contents of `target` are then undefined
 */
function writeInto(target, offset, append, doc, how) {
  checkTarget(target, offset)
  const out = acquireOutput()
  const start = beginInto(out, target, offset)
  let end
  try {
    end = append(out, doc, start, how)
  } catch (error) {
    finishInto(out, target, start) // throws when it was detached
    throw error
  }
  end = finishInto(out, target, end)
  releaseOutput(out)
  return end
}

function checkTarget(target, offset) {
  if (!isUint8Array(target)) throw refusal('target', target, 'a Buffer or Uint8Array')
  wholeNumber(offset, 'offset')
  if (offset + 5 > target.length) {
    throw new BSONError(`a document does not fit into ${target.length} bytes at offset ${offset}`)
  }
}

module.exports = {
  CHUNK_SIZE, SCRATCH_KEEP, TARGET_KEEP, NO_LIMIT, Output, tooLarge, acquireOutput, releaseOutput, beginInto,
  finishInto, writeInto
}
