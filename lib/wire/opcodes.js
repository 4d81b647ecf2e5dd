'use strict'

// The MongoDB wire protocol as constants: "MongoDB Wire Protocol" in the server's manual, and the OP_MSG and
// OP_COMPRESSED specifications of the drivers.

/** Operation codes: the fourth int32 of every message. */
const OPCODE = Object.freeze({
  REPLY: 1,
  QUERY: 2004,
  GET_MORE: 2005,
  KILL_CURSORS: 2007,
  COMPRESSED: 2012,
  MSG: 2013
})

/** Flag bits of OP_MSG. A reader must refuse an unknown bit among the lower sixteen, and ignore the upper ones. */
const MSG_FLAG = Object.freeze({ CHECKSUM_PRESENT: 1, MORE_TO_COME: 2, EXHAUST_ALLOWED: 1 << 16 })

/** Flag bits of OP_QUERY. */
const QUERY_FLAG = Object.freeze({
  TAILABLE_CURSOR: 2,
  SECONDARY_OK: 4,
  NO_CURSOR_TIMEOUT: 16,
  AWAIT_DATA: 32,
  EXHAUST: 64,
  PARTIAL: 128
})

/** Flag bits of OP_REPLY. */
const REPLY_FLAG = Object.freeze({ CURSOR_NOT_FOUND: 1, QUERY_FAILURE: 2, SHARD_CONFIG_STALE: 4, AWAIT_CAPABLE: 8 })

/** Compressor ids of OP_COMPRESSED. Node has no snappy; it is listed so that errors can name it. */
const COMPRESSOR = Object.freeze({ noop: 0, snappy: 1, zlib: 2, zstd: 3 })

/** The kinds of the sections of an OP_MSG. */
const SECTION = Object.freeze({ BODY: 0, SEQUENCE: 1 })

/** int32 messageLength | int32 requestID | int32 responseTo | int32 opCode */
const HEADER_SIZE = 16

/** @param {Record<string, number>} codes one of these tables @param {number} code @returns {string | undefined} */
function nameOf(codes, code) {
  return Object.keys(codes).find(name => codes[name] === code)
}

module.exports = { OPCODE, MSG_FLAG, QUERY_FLAG, REPLY_FLAG, COMPRESSOR, SECTION, HEADER_SIZE, nameOf }
