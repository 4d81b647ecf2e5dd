'use strict'

const { BSONError, shownName } = require('../errors')
const { OPCODE, nameOf } = require('./opcodes')

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

module.exports = { WireError, wireError, documentName }
