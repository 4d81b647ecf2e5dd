'use strict'

// `qbson/wire`: MongoDB wire messages, for those who write drivers.

const { OPCODE, MSG_FLAG, QUERY_FLAG, REPLY_FLAG, COMPRESSOR } = require('./wire/opcodes')
const { WireError } = require('./wire/errors')
const { crc32c } = require('./wire/crc32c')
const { compressors } = require('./wire/compression')
const { MessageSplitter } = require('./wire/splitter')
const { PendingRequests } = require('./wire/pending')
const { decodeHeader } = require('./wire/header')
const { decodeMessage } = require('./wire/read')
const { decodeBatch, decodeDocuments } = require('./wire/batch')
const { compressMessage } = require('./wire/compress')
const { encodeMsg, encodeBatches } = require('./wire/build-msg')
const { encodeQuery, encodeGetMore, encodeKillCursors, encodeReply } = require('./wire/build-legacy')
const { RawDocument } = require('./raw')

module.exports = {
  OPCODE, MSG_FLAG, QUERY_FLAG, REPLY_FLAG, COMPRESSOR, WireError, crc32c, compressors, MessageSplitter,
  PendingRequests, decodeHeader, decodeMessage, decodeBatch, decodeDocuments, compressMessage, encodeMsg,
  encodeBatches, encodeQuery, encodeGetMore, encodeKillCursors, encodeReply, RawDocument
}
