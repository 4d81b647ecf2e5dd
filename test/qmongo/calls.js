'use strict'

// The wire layer of the qmongo driver, with its calls to this package unchanged.

const { encode, decode, Long } = require('../../qbson')

const { encodeEntities, guessSize, putInt32 } = encode
const { getBsonEntities, getUInt32 } = decode

function buildQuery(requestId, namespace, { skip = 0, limit = 0 }, query, fields) {
  const size = 16 + 4 + Buffer.byteLength(namespace) + 1 + 8 + guessSize(query) + (fields ? guessSize(fields) : 0)
  const message = Buffer.alloc(size)
  let offset = putHeader(message, requestId, 2004)
  offset = putInt32(0, message, offset)
  offset += message.write(namespace + '\0', offset)
  offset = putInt32(skip, message, offset)
  offset = putInt32(limit, message, offset)
  offset = encodeEntities(query, message, offset)
  if (fields) offset = encodeEntities(fields, message, offset)
  putInt32(offset, message, 0)
  return message.subarray(0, offset)
}

function buildGetMore(requestId, namespace, limit, cursorId) {
  const message = Buffer.alloc(16 + 4 + Buffer.byteLength(namespace) + 1 + 12)
  let offset = putHeader(message, requestId, 2005)
  offset = putInt32(0, message, offset)
  offset += message.write(namespace + '\0', offset)
  offset = putInt32(limit, message, offset)
  offset = putInt32(cursorId.low, message, offset)
  offset = putInt32(cursorId.high, message, offset)
  putInt32(offset, message, 0)
  return message
}

function buildKillCursors(requestId, cursorIds) {
  const message = Buffer.alloc(16 + 8 + 8 * cursorIds.length)
  let offset = putInt32(cursorIds.length, message, putInt32(0, message, putHeader(message, requestId, 2007)))
  for (const { low, high } of cursorIds) offset = putInt32(high, message, putInt32(low, message, offset))
  putInt32(offset, message, 0)
  return message
}

function putHeader(message, requestId, opCode) {
  return putInt32(opCode, message, putInt32(0, message, putInt32(requestId, message, putInt32(0, message, 0))))
}

function decodeReply(buf) {
  const reply = {
    responseTo: getUInt32(buf, 8),
    flags: getUInt32(buf, 16),
    cursorId: new Long(getUInt32(buf, 20) | 0, getUInt32(buf, 24) | 0),
    numberReturned: getUInt32(buf, 32),
    documents: []
  }
  for (let base = 36; base < buf.length; ) {
    const size = getUInt32(buf, base)
    reply.documents.push(getBsonEntities(buf, base + 4, base + size - 1, {}))
    base += size
  }
  return reply
}

module.exports = { buildQuery, buildGetMore, buildKillCursors, decodeReply }
