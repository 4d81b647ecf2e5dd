'use strict'

const { toBytes, putInt32, concat, allocate } = require('../bytes')
const { wireError } = require('./errors')
const { decodeHeader, putHeader } = require('./header')
const { compress } = require('./compression')
const { COMPRESSOR, HEADER_SIZE, OPCODE } = require('./opcodes')

/** header | int32 originalOpcode | int32 uncompressedSize | uint8 compressorId */
const PREFIX_SIZE = HEADER_SIZE + 9

/**
 * Wraps a message in OP_COMPRESSED. `hello` and authentication commands must not be compressed.
 *
 * @param {Uint8Array} message complete
 * @param {import('./compression').Compressor} compressor one of `compressors()` that the server's `hello` lists too
 * @param {number} [level] of zlib, -1 to 9, or of zstd, 1 to 22; default: the library's own
 * @returns {Uint8Array}
 * @throws {import('../errors').BSONError} on a compressor that is not available here
 */
function compressMessage(message, compressor, level) {
  const bytes = toBytes(message)
  const header = decodeHeader(bytes)
  if (header.opCode === OPCODE.COMPRESSED) throw wireError(header, 'is already compressed', HEADER_SIZE - 4)
  const data = compress(bytes.subarray(HEADER_SIZE), compressor, level)
  const prefix = allocate(PREFIX_SIZE)
  const outer = { ...header, length: PREFIX_SIZE + data.length, opCode: OPCODE.COMPRESSED }
  let pos = putHeader(outer, prefix, 0)
  pos = putInt32(header.opCode, prefix, pos)
  pos = putInt32(bytes.length - HEADER_SIZE, prefix, pos)
  prefix[pos] = COMPRESSOR[compressor]
  return concat([prefix, data])
}

module.exports = { compressMessage }
