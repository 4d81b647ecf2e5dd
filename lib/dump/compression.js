'use strict'

// Reads streams of bytes, and decompresses those whose first bytes say gzip or zstd.

const zlib = require('node:zlib')
const { BSONError } = require('../errors')
const { concat, copyOf } = require('../bytes')

/** Bytes that tell what a stream or a file is. */
const HEAD_SIZE = 10

/** How often a file may be compressed. */
const MAX_LAYERS = 3

/** Size of decompressed pieces, in bytes. */
const PIECE_SIZE = 256 * 1024

/** @typedef {AsyncIterable<Uint8Array> | Uint8Array[]} Chunks */

/**
 * Decompresses what is gzip or zstd, also if it is compressed several times.
 *
 * @param {Chunks} chunks
 * @param {() => (() => Chunks) | undefined} againOf if they are compressed, returns what gives them from the start;
 *   without it, the first 16 MiB are kept
 * @param {number} [layers] how often they may be compressed
 * @returns {Promise<{head: Uint8Array, rest: AsyncIterableIterator<Uint8Array>, isPacked: boolean}>} as `peek`. `rest`
 *   throws a BSONError on compressed data that is broken or cut short, after everything that precedes the fault
 * @throws {BSONError} the same, and on zstd if Node does not support it
 */
async function unpacked(chunks, againOf, layers = MAX_LAYERS) {
  const { head, rest } = await peek(chunks)
  const kind = layers === 0 ? undefined : compressionOf(head)
  if (kind === undefined) return { head, rest, isPacked: layers < MAX_LAYERS }
  const again = againOf()
  const kept = again === undefined ? new Kept(rest) : null
  const plain = unpack(kind, kept ?? rest, again ?? (() => kept.chunks))
  try {
    return await unpacked(plain, () => again && (() => unpack(kind, again(), again)), layers - 1)
  } catch (error) {
    await rest.return()
    throw error
  }
}

/**
 * @returns {Promise<{head: Uint8Array, rest: AsyncIterableIterator<Uint8Array>}>} `head`: the first bytes; `rest`: all
 *   bytes, which the caller has to read or to return
 */
async function peek(chunks) {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = []
  let size = 0
  while (size < HEAD_SIZE) {
    const { done, value } = await iterator.next()
    if (done) break
    if (size === 0 && value.length >= HEAD_SIZE) return { head: value, rest: after(value, iterator) }
    first.push(copyOf(value))
    size += value.length
  }
  const head = concat(first)
  return { head, rest: after(head, iterator) }
}

/** Not a generator: if it were never started, it would not return its iterator, and a file would stay open. */
function after(head, iterator) {
  let isHead = head.length > 0
  return {
    async next() {
      if (!isHead) return iterator.next()
      isHead = false
      return { done: false, value: head }
    },
    async return() {
      await iterator.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    }
  }
}

/**
 * A document of 559,903 bytes starts like gzip, but then its first field is probably `_id`, or the bytes after that are
 * not gzip's.
 */
function compressionOf(head) {
  if (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd) return 'zstd'
  const isGzip = head[0] === 0x1f && head[1] === 0x8b && head[2] === 8 && head[3] < 0x20
  const beginsWithId = head[5] === 0x5f && head[6] === 0x69 && head[7] === 0x64 && head[8] === 0
  return isGzip && !beginsWithId ? 'gzip' : undefined
}

/**
 * Decompresses a few bytes at once: a stream for them takes a millisecond.
 *
 * @param {number} most bytes that may come out
 * @returns {Uint8Array | null} the same if they are not compressed; null if more come out, or bytes may
 *   be broken or follow
 */
function decompressedSync(bytes, most) {
  const kind = compressionOf(bytes)
  if (kind === undefined) return bytes
  if (kind === 'zstd' && !seesCuts()) return null
  try {
    const { buffer, engine } = UNPACK_SYNC[kind](bytes, { maxOutputLength: most, info: true })
    return engine.bytesWritten === bytes.length ? buffer : null
  } catch {
    return null
  }
}

/** The latter is missing in Node 20. @type {Record<'gzip' | 'zstd', any>} */
const UNPACK_SYNC = { gzip: zlib.gunzipSync, zstd: /** @type {any} */ (zlib).zstdDecompressSync }

/** The result of trying it once. @type {boolean | undefined} */
let areCutsSeen

/** Whether Node notices that zstd data end within a frame: Node 22 does not. */
function seesCuts() {
  if (areCutsSeen !== undefined) return areCutsSeen
  try {
    UNPACK_SYNC.zstd(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd))
    return (areCutsSeen = false)
  } catch {
    return (areCutsSeen = true)
  }
}

/**
 * zlib and zstd drop what came of the input that the fault is in. So it is given again in smaller pieces, each time a
 * 256th of those before, until the byte is found: 128 kB take two times, and nothing but those times.
 *
 * @param {() => Chunks | null} again null: no longer known
 */
async function* unpack(kind, chunks, again) {
  let known = new Unpacker(kind)
  yield* known.all(chunks)
  while (known.failure !== undefined && known.step > 1) {
    const same = again()
    if (same === null) break
    const next = new Unpacker(kind, known)
    yield* next.all(same)
    known = next
  }
  if (known.failure !== undefined) throw brokenData(kind, known.failure, known.size)
}

/** Decompresses piece by piece. */
class Unpacker {
  /** @param {'gzip' | 'zstd'} kind @param {Unpacker} [before] has decompressed the same as far as it could */
  constructor(kind, before) {
    this.kind = kind
    /** @type {Uint8Array[]} */
    this.output = []
    /** Bytes that came in and out. */
    this.taken = 0
    this.size = 0
    /** How many of them came in and out before, and the bytes to decompress at a time from there on. */
    this.from = before?.taken ?? 0
    this.known = before?.size ?? 0
    this.finest = before === undefined ? Infinity : Math.ceil(before.step / FINER)
    /** Bytes to decompress next; after a fault, those that it is in. @type {number} */
    this.step = INPUT_SIZE
    this.failure = undefined
    this.wake = () => {}
    this.stream = this.begun()
  }

  /** @returns {any} a stream that decompresses what comes next */
  begun() {
    const stream = this.kind === 'gzip' ? zlib.createGunzip({ chunkSize: PIECE_SIZE }) : createUnzstd()
    stream.on('data', piece => this.output.push(piece))
    for (const event of ['error', 'end', 'close']) stream.on(event, error => stream === this.stream && this.stop(error))
    return stream
  }

  /** Bytes to decompress next at most. */
  get most() {
    return this.taken < this.from ? this.from - this.taken : this.finest
  }

  stop(error) {
    this.failure ??= error
    this.wake()
  }

  /** @param {Chunks} chunks @returns {AsyncGenerator<Uint8Array, void>} up to the fault */
  async *all(chunks) {
    try {
      for await (const chunk of withoutChecksum(chunks)) {
        for (let pos = 0; pos < chunk.length; ) {
          const piece = chunk.subarray(pos, pos + Math.min(this.step, this.most))
          pos += yield* this.add(piece)
          if (this.failure !== undefined) return
        }
      }
      if (this.kind === 'gzip' || seesCuts()) yield* this.given(() => this.stream.end())
      else await this.findCut()
      this.step = 0
    } finally {
      this.stream.destroy()
    }
  }

  /**
   * zstd data are frames, and before Node 26 a stream ends with one of them, without the bytes after it.
   *
   * @returns {AsyncGenerator<Uint8Array, number>} returns how many bytes of it were decompressed
   */
  async *add(piece) {
    const { kind, size, stream } = this
    const before = stream.bytesWritten
    yield* this.given(done => stream.write(piece, done))
    if (this.failure !== undefined) {
      this.step = piece.length
      return 0
    }
    const taken = kind === 'gzip' ? piece.length : stream.bytesWritten - before
    if (taken < piece.length) {
      this.stream = this.begun()
      stream.destroy()
    }
    this.taken += taken
    this.step = this.size - size > MUCH ? INPUT_SIZE : Math.min(MOST_INPUT, 2 * this.step)
    return taken
  }

  /** @param {(done: () => void) => void} give @returns {Promise<void>} resolves when all that came of it is there */
  async passed(give) {
    await new Promise(resolve => {
      this.wake = () => resolve(undefined)
      give(this.wake)
    })
  }

  /** Zeros after a frame are an error of its own. Within one, they are no error, another one, or some output. */
  async findCut() {
    await this.passed(done => this.stream.write(ZEROS, done))
    const isWhole = this.failure?.code === 'ZSTD_error_prefix_unknown' && this.output.length === 0
    this.failure = isWhole ? undefined : new Error(CUT)
  }

  /** @param {(done: () => void) => void} give @returns {AsyncGenerator<Uint8Array, void>} what came out newly */
  async *given(give) {
    await this.passed(give)
    for (const piece of this.output.splice(0)) {
      const old = Math.max(0, this.known - this.size)
      this.size += piece.length
      if (old < piece.length) yield piece.subarray(old)
    }
  }
}

/** What remembers the bytes that pass, while they are few. */
class Kept {
  constructor(all) {
    this.all = all
    /** All of them; null when they are more. @type {Uint8Array[] | null} */
    this.chunks = []
  }

  async *[Symbol.asyncIterator]() {
    let size = 0
    for await (const chunk of this.all) {
      size += chunk.length
      if (size > MOST_KEPT) this.chunks = null
      this.chunks?.push(copyOf(chunk))
      yield chunk
    }
  }
}

/** What Node says of data that are cut short. */
const CUT = 'unexpected end of file'

/** No frame of zstd begins so. */
const ZEROS = new Uint8Array(5)

/** Compressed bytes of a stream that are kept, in case that there is a fault. */
const MOST_KEPT = 16 * 1024 * 1024

/** The last bytes of gzip and zstd data have its checksum. What comes before them is decompressed first. */
const CHECKSUM_SIZE = 8

/** Bytes to decompress at a time, at first and at most: a thousand times as many may come out. */
const INPUT_SIZE = 4 * 1024
const MOST_INPUT = 128 * 1024

/** By how much smaller the pieces are that are decompressed again. */
const FINER = 256

/** Bytes that may come out before less is given. */
const MUCH = 1024 * 1024

/** Copies, because the next piece of a file overwrites the one before: see files.js. The last one is the checksum. */
async function* withoutChecksum(chunks) {
  /** @type {Uint8Array} */
  let held = new Uint8Array(0)
  let failure
  try {
    for await (const chunk of chunks) {
      const all = concat([held, chunk])
      const end = Math.max(0, all.length - CHECKSUM_SIZE)
      yield all.subarray(0, end)
      held = all.subarray(end)
    }
  } catch (error) {
    failure = error
  }
  yield held
  if (failure !== undefined) throw failure
}

function createUnzstd() {
  // @ts-ignore: missing in Node 20
  const { createZstdDecompress } = zlib
  if (createZstdDecompress === undefined) {
    throw new BSONError(`zstd needs Node.js 22.15 or later, this is ${process.version}: decompress it first, for example with zstd -dc FILE | qbson`)
  }
  return createZstdDecompress({ chunkSize: PIECE_SIZE })
}

function brokenData(kind, cause, size) {
  const what = cause.message === CUT ? 'the compressed data is truncated' : cause.message
  return new BSONError(`${kind}: ${what}, after ${size} decompressed bytes`, { cause })
}

module.exports = { HEAD_SIZE, unpacked, decompressedSync, compressionOf }
