'use strict'

// Reads streams of bytes, and decompresses those whose first bytes say gzip or zstd.

const zlib = require('node:zlib')
const { BSONError } = require('../errors')
const { concat, copyOf } = require('../bytes')

/** Bytes that identify a stream. */
const HEAD_SIZE = 10

/** Size of decompressed pieces, in bytes. */
const PIECE_SIZE = 256 * 1024

/** @typedef {AsyncIterable<Uint8Array>} Chunks */

/**
 * @param {Chunks} chunks
 * @returns {AsyncGenerator<Uint8Array, void>} the same, decompressed if they are gzip or zstd
 * @throws {BSONError} on compressed data that is broken or cut short, or on zstd if Node does not support it
 */
async function* decompressed(chunks) {
  const { head, rest } = await peek(chunks)
  const kind = compressionOf(head)
  if (kind === undefined) yield* rest
  else yield* unpack(kind, rest)
}

/**
 * @param {Chunks} chunks
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
 *
 * @returns {'gzip' | 'zstd' | undefined}
 */
function compressionOf(head) {
  if (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd) return 'zstd'
  const isGzip = head[0] === 0x1f && head[1] === 0x8b && head[2] === 8 && head[3] < 0x20
  const beginsWithId = head[5] === 0x5f && head[6] === 0x69 && head[7] === 0x64 && head[8] === 0
  return isGzip && !beginsWithId ? 'gzip' : undefined
}

/** @param {'gzip' | 'zstd'} kind @param {Chunks} chunks */
async function* unpack(kind, chunks) {
  const unpacker = new Unpacker(kind)
  try {
    for await (const chunk of withoutChecksum(chunks)) {
      for (let pos = 0; pos < chunk.length;) {
        const { step } = unpacker
        yield* unpacker.add(chunk.subarray(pos, pos + step))
        pos += step
      }
    }
    yield* unpacker.end()
  } finally {
    unpacker.close()
  }
}

/** Decompresses piece by piece, so that an error comes after everything that precedes it. */
class Unpacker {
  /** @param {'gzip' | 'zstd'} kind */
  constructor(kind) {
    this.kind = kind
    this.stream = kind === 'gzip' ? zlib.createGunzip({ chunkSize: PIECE_SIZE }) : createUnzstd()
    /** @type {Uint8Array[]} */
    this.output = []
    /** Bytes that came out. */
    this.size = 0
    /** All that was given, while that is little. @type {Uint8Array[] | null} */
    this.given = kind === 'gzip' ? [] : null
    this.givenSize = 0
    this.failure = undefined
    /** Bytes to decompress at a time. */
    this.step = INPUT_SIZE
    this.wake = () => {}
    this.stream.on('data', piece => this.output.push(piece))
    for (const event of ['error', 'end', 'close']) this.stream.on(event, error => this.stop(error))
  }

  stop(error) {
    this.failure ??= error
    this.wake()
  }

  /** @param {Uint8Array} chunk */
  async *add(chunk) {
    const { size } = this
    this.keep(chunk)
    await new Promise(resolve => {
      this.wake = () => resolve(undefined)
      this.stream.write(chunk, this.wake)
    })
    yield* this.taken()
    this.step = this.size - size > MUCH ? INPUT_SIZE : Math.min(MOST_INPUT, 2 * this.step)
  }

  async *end() {
    await new Promise(resolve => {
      this.wake = () => resolve(undefined)
      this.stream.end()
    })
    yield* this.taken()
  }

  /** @param {Uint8Array} chunk */
  keep(chunk) {
    this.givenSize += chunk.length
    if (this.givenSize > MOST_AGAIN || this.size > MOST_RESCUED) this.given = null
    this.given?.push(chunk)
  }

  /** @throws {BSONError} on broken data, after what precedes it */
  *taken() {
    const pieces = this.output.splice(0)
    const size = pieces.reduce((sum, { length }) => sum + length, this.size)
    if (this.failure !== undefined && this.given !== null) pieces.push(rescued(this.given, size))
    for (const piece of pieces) {
      this.size += piece.length
      if (piece.length > 0) yield piece
    }
    if (this.failure !== undefined) throw brokenData(this.kind, this.failure, this.size)
  }

  close() {
    this.stream.destroy()
  }
}

/**
 * What comes out of gzip data before its fault: the stream drops what came of the last bytes that it was given.
 *
 * @param {Uint8Array[]} given to the stream
 * @param {number} size bytes that came out of it
 * @returns {Uint8Array} those that follow
 */
function rescued(given, size) {
  const all = concat(given)
  const how = { finishFlush: zlib.constants.Z_SYNC_FLUSH, maxOutputLength: size + MOST_RESCUED }
  let found = new Uint8Array(0)
  for (let low = all.length - given.at(-1).length, high = all.length; low < high; ) {
    const middle = Math.ceil((low + high) / 2)
    try {
      found = zlib.gunzipSync(all.subarray(0, middle), how).subarray(size)
      low = middle
    } catch {
      high = middle - 1
    }
  }
  return found
}

/** Bytes of gzip data that may be decompressed again, up to 17 times, and the most that come out before and after. */
const MOST_AGAIN = 2 * 1024 * 1024
const MOST_RESCUED = 16 * 1024 * 1024

/** The last bytes of gzip and zstd data have its checksum. What comes before them is decompressed first. */
const CHECKSUM_SIZE = 8

/** Bytes to decompress at a time, at first and at most: a thousand times as many may come out. */
const INPUT_SIZE = 4 * 1024
const MOST_INPUT = 128 * 1024

/** Bytes that may come out before less is given. */
const MUCH = 1024 * 1024

/** Copies, because the next piece of a file overwrites the one before: see files.js. The last one is the checksum. */
async function* withoutChecksum(chunks) {
  /** @type {Uint8Array} */
  let held = new Uint8Array(0)
  for await (const chunk of chunks) {
    const all = concat([held, chunk])
    const end = Math.max(0, all.length - CHECKSUM_SIZE)
    yield all.subarray(0, end)
    held = all.subarray(end)
  }
  yield held
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
  const what = cause.message === 'unexpected end of file' ? 'the compressed data is truncated' : cause.message
  return new BSONError(`${kind}: ${what}, after ${size} decompressed bytes`, { cause })
}

module.exports = { decompressed, peek, compressionOf }
