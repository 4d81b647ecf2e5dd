'use strict'

// Reads streams of bytes, and decompresses those whose first bytes say gzip or zstd.

const zlib = require('node:zlib')
const { Readable } = require('node:stream')
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
 * @param {Uint8Array} head
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
  const unpacker = kind === 'gzip' ? zlib.createGunzip({ chunkSize: PIECE_SIZE }) : createUnzstd()
  const source = Readable.from(copies(chunks), { objectMode: false, highWaterMark: PIECE_SIZE })
  source.on('error', error => unpacker.destroy(error))
  source.pipe(unpacker)
  let size = 0
  try {
    for await (const piece of unpacker) {
      size += piece.length
      yield piece
    }
  } catch (error) {
    throw typeof error.code === 'string' && /^(Z_|ZSTD_)/.test(error.code) ? brokenData(kind, error, size) : error
  } finally {
    source.destroy()
  }
}

/** Copies the pieces, because the next piece of a file overwrites the one before: see files.js. */
async function* copies(chunks) {
  for await (const chunk of chunks) yield copyOf(chunk)
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
