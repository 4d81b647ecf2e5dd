'use strict'

// Writes a message into one buffer, its documents one after the other, so that no document is copied.

const { BSONError, shownValue, shownName } = require('../errors')
const { putInt32, putInt64, putUtf8 } = require('../bytes')
const { isInt64 } = require('../types')
const { appendDocument } = require('../encode')
const { ownField } = require('../properties')
const { int32, isIterable, refusal } = require('../options')
const { documentName, wireError, putHeader } = require('./header')
const { tooMany } = require('./limits')
const { HEADER_SIZE } = require('./opcodes')

/**
 * @typedef {import('../encode/options').EncodeOptions & import('./limits').Limits} BuildOptions
 * @typedef {import('../encode/output').Output} Output
 *
 * @typedef {bigint | number | {toString(): string}} CursorId an int64; may be a Long
 *
 * @typedef {object} MessageIds
 * @property {number} requestId
 * @property {number} [responseTo] the requestId that a reply answers; default 0
 */

/** One message being written. */
class MessageWriter {
  /** @param {Output} out @param {number} opCode @param {MessageIds} message */
  constructor(out, opCode, message, limits, plan) {
    const requestId = int32()(ownField(message, 'requestId'), 'requestId')
    const responseTo = int32(0)(ownField(message, 'responseTo'), 'responseTo')
    this.out = out
    this.header = { length: 0, requestId, responseTo, opCode }
    this.limits = limits
    this.plan = plan
    this.start = out.begin()
    this.pos = putHeader(this.header, out.reserve(this.start, HEADER_SIZE), this.start)
    this.counts = { documents: 0, sequences: 0 }
    /** Bytes that will follow the sections. */
    this.trailer = 0
  }

  int32(value) {
    const buf = this.out.reserve(this.pos, 4)
    this.pos = putInt32(value, buf, this.pos)
  }

  int64(value) {
    const buf = this.out.reserve(this.pos, 8)
    this.pos = putInt64(toInt64(value), buf, this.pos)
  }

  byte(value) {
    this.out.reserve(this.pos, 1)[this.pos++] = value
  }

  bytes(bytes) {
    this.out.reserve(this.pos, bytes.length).set(bytes, this.pos)
    this.pos += bytes.length
  }

  /** @param {string} name of the field, for the error @param {string} text */
  cstring(name, text) {
    if (typeof text !== 'string' || text.includes('\0')) throw this.error(`${name} must be a string without a 0x00`)
    const buf = this.out.reserve(this.pos, 3 * text.length + 1)
    this.pos = putUtf8(text, buf, this.pos)
    this.byte(0)
  }

  /** @param {object} doc @param {string} name what it is, for the error @param {number} [index] of several */
  document(doc, name, index) {
    if (typeof doc !== 'object' || doc === null) throw this.error(`${documentName(name, index)} must be a document`)
    const start = this.pos
    try {
      this.pos = appendDocument(this.out, doc, start, this.plan)
    } catch (error) {
      if (!(error instanceof BSONError)) throw error // of a `toBSON`
      const wrapped = wireError(this.header, `${documentName(name, index)}: ${error.message}`, undefined, error)
      throw Object.assign(wrapped, { path: error.path })
    }
    const size = this.pos - start
    const { document: limit } = this.limits
    if (size > limit) {
      throw this.error(`${documentName(name, index)} is ${size} bytes, maxBsonObjectSize allows ${limit}`)
    }
  }

  countOne(what) {
    if (++this.counts[what] > this.limits.batch) throw this.error(tooMany(what, this.limits))
  }

  /** @returns {number} bytes written so far */
  get length() {
    return this.pos - this.start
  }

  /** @returns {boolean} whether the message is within the limit */
  fits() {
    return this.length + this.trailer <= this.limits.message
  }

  /** @throws when it does not fit */
  checkLength() {
    if (!this.fits()) throw this.error(`is longer than maxMessageSizeBytes, ${this.limits.message} bytes`)
  }

  /** @returns {Buffer} the message */
  finish() {
    this.checkLength()
    putInt32(this.length, this.out.buf, this.start)
    return this.out.finish(this.pos)
  }

  error(what) {
    return wireError(this.header, what)
  }
}

function toInt64(value) {
  const text = ArrayBuffer.isView(value) || Array.isArray(value) ? shownValue(value) : textOf(value)
  const int = /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined
  if (int === undefined || !isInt64(int)) throw new BSONError(`a cursorId must be an int64, not ${shownName(text)}`)
  return int
}

/** A Long of any library says its digits. @returns {string} */
function textOf(value) {
  try {
    return String(value)
  } catch {
    return shownValue(value)
  }
}

/** @param {string} name for the error @param {any} items @throws {BSONError} when they are not iterable */
function checkIterable(name, items) {
  if (!isIterable(items)) throw refusal(name, items, 'an array, or an iterable')
  return items
}

module.exports = { MessageWriter, checkIterable }
