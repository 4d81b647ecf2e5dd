'use strict'

// The header of every message, int32 messageLength | int32 requestID | int32 responseTo | int32 opCode, and the errors
// that name the message by it.

const { BSONError, shownName } = require('../errors')
const { getInt32, putInt32, toBytes } = require('../bytes')
const { wholeNumber } = require('../options')
const { HEADER_SIZE, OPCODE, nameOf } = require('./opcodes')

/**
 * A message is wrong or cannot be built. The text names the message (`OP_MSG 17 in reply to 5`) and ends with the
 * place. `offset` counts from the first byte of the message; if the message was compressed and could be decompressed,
 * it is the offset before compression.
 */
class WireError extends BSONError {
  /** @param {string} message @param {{cause?: unknown}} [options] */
  constructor(message, options) {
    super(message, options)
    /** @type {number | undefined} */
    this.requestId
    /** @type {number | undefined} */
    this.responseTo
    /** @type {number | undefined} */
    this.opCode
  }

  get name() {
    return 'WireError'
  }
}

/**
 * @typedef {object} MessageHeader
 * @property {number} length bytes, these 16 included
 * @property {number} requestId
 * @property {number} responseTo the requestId this answers; 0 in requests
 * @property {number} opCode
 */

function titleOf({ opCode, requestId, responseTo }) {
  const name = nameOf(OPCODE, opCode)
  return `${name ? `OP_${name}` : `opcode ${opCode}`} ${requestId}${responseTo === 0 ? '' : ` in reply to ${responseTo}`}`
}

/** An error about a byte of a message. @param {MessageHeader | null} header null if it has not been read yet */
function wireError(header, what, offset, cause) {
  const place = offset === undefined ? '' : ` (at offset ${offset})`
  const text = header === null ? what : `${titleOf(header)}: ${what}`
  const error = new WireError(text + place, cause === undefined ? undefined : { cause })
  if (offset !== undefined) error.offset = offset
  if (header !== null) {
    error.requestId = header.requestId
    error.responseTo = header.responseTo
    error.opCode = header.opCode
  }
  return error
}

/** @param {string} name @param {number} [index] among several documents @returns {string} as errors show it */
function documentName(name, index) {
  return index === undefined ? name : `${shownName(name)}[${index}]`
}

/**
 * Reads the 16 bytes that every message begins with.
 *
 * @param {Uint8Array} bytes
 * @param {number} [offset] where the message begins
 * @returns {MessageHeader} unchecked
 * @throws {WireError} when there are fewer than 16 bytes
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

/** @param {MessageHeader} header @param {number} max bytes @throws {WireError} on another length */
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

module.exports = { WireError, wireError, documentName, decodeHeader, checkLength, putHeader }
