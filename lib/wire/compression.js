'use strict'

// Compresses and decompresses the body of OP_COMPRESSED: https://github.com/mongodb/specifications, "Wire Compression".

const { COMPRESSOR, nameOf } = require('./opcodes')
const { BSONError, shownValue } = require('../errors')
const { refusal } = require('../options')

/** @typedef {'noop' | 'zlib' | 'zstd'} Compressor */

/** The most memory in bytes allocated at once because a message announces its size: 1 MB. */
const LARGEST_CHUNK = 1 << 20

/** The functions of node:zlib. A compressor is only offered if the version of Node has its functions. */
const FUNCTIONS = Object.freeze({
  zlib: { compress: 'deflateSync', decompress: 'inflateSync' },
  zstd: { compress: 'zstdCompressSync', decompress: 'zstdDecompressSync' }
})

let zlib
/** Loaded by name, like a stream's Transform, because bundlers for browsers would try to resolve a `require`. */
function loadZlib() {
  return (zlib ??= globalThis.process?.getBuiltinModule?.('node:zlib') ?? {})
}

/**
 * The compressors that this runtime has.
 *
 * @returns {Compressor[]} as `hello` lists them; zstd is in Node 22.15, 23.8 and later
 */
function compressors() {
  const there = Object.entries(FUNCTIONS).filter(([, { compress }]) => typeof loadZlib()[compress] === 'function')
  return /** @type {Compressor[]} */ (['noop', ...there.map(([name]) => name)])
}

function compressorName(id) {
  return nameOf(COMPRESSOR, id) ?? String(id)
}

/** @param {string} name @returns {Compressor} @throws {BSONError} when this runtime does not have it */
function checkCompressor(name) {
  const known = compressors()
  if (!known.includes(/** @type {Compressor} */ (name))) {
    throw new BSONError(`compressor ${shownValue(name)} is not available here, only ${known.join(', ')}`)
  }
  return /** @type {Compressor} */ (name)
}

/** @throws {BSONError} on a compressor that is not available or a level that it does not have */
function compress(bytes, compressor, level) {
  const functions = FUNCTIONS[checkCompressor(compressor)]
  try {
    return functions === undefined ? bytes : loadZlib()[functions.compress](bytes, levelOptions(level))
  } catch (cause) {
    throw new BSONError(`${compressor} cannot compress: ${cause.message}`, { cause })
  }
}

/** zlib reads `level`, zstd reads `params`. @throws {BSONError} */
function levelOptions(level) {
  if (level !== undefined && !Number.isInteger(level)) throw refusal('level', level, 'an integer') // zlib rounds it
  return level === undefined ? {} : { level, params: { [loadZlib().constants.ZSTD_c_compressionLevel]: level } }
}

/** Undoes `compress`. It stops at the size that the message announces, so that a bomb costs no more. */
function decompress(bytes, compressorId, size) {
  const compressor = checkCompressor(compressorName(compressorId))
  if (compressor === 'noop') return checkSize(bytes, size)
  const { buffer, engine } = inflate(compressor, bytes, size)
  if (engine.bytesWritten !== bytes.length) {
    throw new BSONError(`${bytes.length - engine.bytesWritten} bytes follow the ${compressor} data`)
  }
  return checkSize(buffer, size)
}

function inflate(compressor, bytes, size) {
  // One byte more than needed, so that one chunk is enough: a chunk that is completely filled is followed by another.
  const chunkSize = Math.max(64, Math.min(size + 1, LARGEST_CHUNK))
  const options = { info: true, maxOutputLength: Math.max(1, size), chunkSize }
  try {
    return loadZlib()[FUNCTIONS[compressor].decompress](bytes, options)
  } catch (cause) {
    if (cause.code === 'ERR_BUFFER_TOO_LARGE') throw new BSONError(`decompresses to more than the stated ${size} bytes`)
    throw new BSONError(`invalid ${compressor} data: ${cause.message}`, { cause })
  }
}

function checkSize(bytes, size) {
  if (bytes.length === size) return bytes
  throw new BSONError(`decompresses to ${bytes.length} bytes instead of the stated ${size}`)
}

module.exports = { compressors, compressorName, compress, decompress }
