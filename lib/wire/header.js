'use strict'

// The header of every message: int32 messageLength | int32 requestID | int32 responseTo | int32 opCode

const { getInt32, putInt32, toBytes } = require('../bytes')
const { wholeNumber } = require('../options')
const { wireError } = require('./errors')
const { HEADER_SIZE } = require('./opcodes')

/** @typedef {import('./errors').MessageHeader} MessageHeader */

/**
 * Reads the 16 bytes that every message begins with.
 *
 * @param {Uint8Array} bytes
 * @param {number} [offset] where the message begins
 * @returns {MessageHeader} unchecked
 * @throws {import('./errors').WireError} when there are fewer than 16 bytes
 */
function decodeHeader(bytes, offset = 0) {
  wholeNumber(offset, 'offset')
  const buf = toBytes(bytes)
  if (buf.length - offset < HEADER_SIZE) {
    throw wireError(null, `a message header needs ${HEADER_SIZE} bytes, only ${buf.length - offset} are left`, 0)
  }
  return {
    length: getInt32(buf, offset),
    requestId: getInt32(buf, offset + 4),
    responseTo: getInt32(buf, offset + 8),
    opCode: getInt32(buf, offset + 12)
  }
}

/** @param {MessageHeader} header @param {number} max bytes @throws {import('./errors').WireError} on another length */
function checkLength(header, max) {
  const { length } = header
  if (length >= HEADER_SIZE && length <= max) return
  throw wireError(header, `length ${length} is not between ${HEADER_SIZE} and ${max}`, 0)
}

/** @param {MessageHeader} header @param {Uint8Array} buf @param {number} offset @returns {number} offset after it */
function putHeader({ length, requestId, responseTo, opCode }, buf, offset) {
  putInt32(length, buf, offset)
  putInt32(requestId, buf, offset + 4)
  putInt32(responseTo, buf, offset + 8)
  return putInt32(opCode, buf, offset + 12)
}

module.exports = { decodeHeader, checkLength, putHeader }
