'use strict'

// `qbson/wire`: MongoDB wire messages, for authors of drivers.

const { OPCODE, MSG_FLAG, QUERY_FLAG, REPLY_FLAG, COMPRESSOR } = require('./opcodes')
const { crc32c } = require('./crc32c')
const { compressors } = require('./compression')
const { MessageSplitter } = require('./splitter')
const { PendingRequests } = require('./pending')
const { WireError, decodeHeader } = require('./header')
const { decodeMessage } = require('./read')
const { decodeBatch, decodeDocuments } = require('./batch')
const {
  encodeMsg, encodeBatches, compressMessage, encodeQuery, encodeGetMore, encodeKillCursors, encodeReply
} = require('./build')
const { RawDocument } = require('../raw')

module.exports = {
  OPCODE, MSG_FLAG, QUERY_FLAG, REPLY_FLAG, COMPRESSOR, WireError, crc32c, compressors, MessageSplitter,
  PendingRequests, decodeHeader, decodeMessage, decodeBatch, decodeDocuments, compressMessage, encodeMsg,
  encodeBatches, encodeQuery, encodeGetMore, encodeKillCursors, encodeReply, RawDocument
}
