'use strict'

// Reads a message field by field. Every size in it is checked before it is used.

const { getInt32, getInt64, getUtf8 } = require('../bytes')
const { MIN_DOCUMENT_SIZE } = require('../spec')
const { scanCString, scanDocument } = require('../elements')
const { RawDocument } = require('../raw')
const { documentName, wireError } = require('./errors')
const { tooMany } = require('./limits')

class MessageReader {
  /** Reads from `pos` to `end`; `shift`, added to an offset in `buf`, gives the offset in the message. */
  constructor(header, buf, pos, end, shift, limits) {
    this.header = header
    this.buf = buf
    this.pos = pos
    this.end = end
    this.shift = shift
    this.limits = limits
    this.counts = { documents: 0, sequences: 0 }
  }

  /** @param {string} what @param {number} [offset] in `buf` @param {unknown} [cause] */
  error(what, offset = this.pos, cause = undefined) {
    return wireError(this.header, what, offset + this.shift, cause)
  }

  /** Skips a field of fixed size. @param {number} size @param {string} name @returns {number} its offset */
  field(size, name) {
    const pos = this.pos
    if (size > this.end - pos) throw this.error(`${name} needs ${size} bytes, only ${this.end - pos} are left`)
    this.pos = pos + size
    return pos
  }

  byte(name) {
    return this.buf[this.field(1, name)]
  }

  int32(name) {
    return getInt32(this.buf, this.field(4, name))
  }

  int64(name) {
    return getInt64(this.buf, this.field(8, name))
  }

  /** @returns {Uint8Array} all that are left */
  bytes() {
    const start = this.pos
    this.pos = this.end
    return this.buf.subarray(start, this.end)
  }

  /** @param {string} name @param {number} end it must end before */
  cstring(name, end) {
    const start = this.pos
    try {
      this.pos = scanCString(this.buf, start, end) + 1
    } catch (cause) {
      throw this.error(`${name} is not terminated`, start, cause)
    }
    try {
      return getUtf8(this.buf, start, this.pos - 1)
    } catch (cause) {
      throw this.error(`${name} is not UTF-8`, start, cause)
    }
  }

  /** @param {string} name @param {number} end it must end before @param {number} [index] of several */
  document(name, end, index) {
    const start = this.pos
    try {
      this.pos = scanDocument(this.buf, start, end, '')
    } catch (cause) {
      throw this.documentError(documentName(name, index), end, cause)
    }
    if (this.pos - start > this.limits.document) {
      const size = `${this.pos - start} bytes, maxBsonObjectSize allows ${this.limits.document}`
      throw this.error(`${documentName(name, index)} is ${size}`, start)
    }
    return new RawDocument(this.buf, start)
  }

  documentError(name, end, cause) {
    const { buf, pos } = this
    const room = end - pos
    if (room < MIN_DOCUMENT_SIZE) return this.error(`${name} needs at least ${MIN_DOCUMENT_SIZE} bytes, only ${room} are left`, pos, cause)
    if (cause.offset !== pos) return this.error(`${name} does not end with a 0x00`, cause.offset, cause)
    return this.error(`${name} has the length ${getInt32(buf, pos)}, but ${room} bytes are left`, pos, cause)
  }

  /** @param {string} name @param {number} end @returns {RawDocument[]} all until there */
  documents(name, end) {
    const list = []
    while (this.pos < end) {
      this.countOne('documents')
      list.push(this.document(name, end, list.length))
    }
    return list
  }

  /** Seven bytes of a message can become objects of some hundred bytes. @param {'documents' | 'sequences'} what */
  countOne(what) {
    if (++this.counts[what] > this.limits.batch) throw this.error(tooMany(what, this.limits))
  }

  /** @throws when there are bytes left */
  checkEnd() {
    if (this.pos !== this.end) throw this.error(`${this.end - this.pos} bytes are left at its end`)
  }
}

module.exports = { MessageReader }
