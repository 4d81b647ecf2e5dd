'use strict'

// Structs of Thrift's compact protocol, which describe the content of a Parquet file, read and written without their
// meaning. https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md

const { GrowingBytes } = require('../../bytes')

const TRUE = 1
const FALSE = 2
const BYTE = 3
const I16 = 4
const I64 = 6
const DOUBLE = 7
const BINARY = 8
const LIST = 9
const SET = 10
const STRUCT = 12

/** A list with this size in its first byte has it in a varint. */
const LONG_LIST = 15

/**
 * @typedef {Map<number, Field>} Struct its fields, by number
 * @typedef {{type: number, value: any}} Field `value`: a number for integers, a Struct, a List, and bytes for all else;
 *   to be written, also the bytes of a struct
 * @typedef {{of: number, items: any[]}} List `of`: the type of the items
 */

/** Bytes being read. */
class Input {
  constructor(bytes) {
    this.bytes = bytes
    this.pos = 0
  }

  byte() {
    return this.bytes[this.pos++]
  }

  /** Sizes and offsets are far below 2^53. */
  varint() {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte()
      value += (byte & 0x7f) * factor
      if (!(byte & 0x80)) return value // also after the end
    }
  }

  integer() {
    const value = this.varint()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  take(size) {
    this.pos += size
    return this.bytes.slice(this.pos - size, this.pos)
  }

  value(type) {
    if (type === TRUE || type === FALSE) return NOTHING
    if (type === BYTE) return this.take(1)
    if (type >= I16 && type <= I64) return this.integer()
    if (type === DOUBLE) return this.take(8)
    if (type === BINARY) return this.take(this.varint())
    return type === STRUCT ? this.struct() : this.list()
  }

  list() {
    const head = this.byte()
    const size = head >> 4 === LONG_LIST ? this.varint() : head >> 4
    const of = head & 0xf
    return { of, items: Array.from({ length: size }, () => this.value(isBool(of) ? BYTE : of)) }
  }

  struct() {
    const fields = new Map()
    for (let head = this.byte(), id = 0; head; head = this.byte()) {
      id = head >> 4 === 0 ? this.integer() : id + (head >> 4)
      fields.set(id, { type: head & 0xf, value: this.value(head & 0xf) })
    }
    return fields
  }
}

const NOTHING = new Uint8Array(0)

function isBool(type) {
  return type === TRUE || type === FALSE
}

class Output extends GrowingBytes {
  /** @param {number} value not negative */
  varint(value) {
    for (; value >= 128; value = Math.floor(value / 128)) this.byte((value % 128) | 0x80)
    this.byte(value)
  }

  integer(value) {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value)
  }

  value(type, value) {
    if (type >= I16 && type <= I64) this.integer(value)
    else if (type === STRUCT && value instanceof Map) this.struct(value)
    else if (type === LIST || type === SET) this.list(value)
    else {
      if (type === BINARY) this.varint(value.length)
      this.copy(value, 0, value.length)
    }
  }

  list({ of, items }) {
    this.byte((Math.min(items.length, LONG_LIST) << 4) | of)
    if (items.length >= LONG_LIST) this.varint(items.length)
    for (const item of items) this.value(isBool(of) ? BYTE : of, item)
  }

  struct(fields) {
    let before = 0
    for (const [id, { type, value }] of fields) {
      const step = id - before
      const isShort = step > 0 && step < 16
      this.byte(((isShort ? step : 0) << 4) | type)
      if (!isShort) this.integer(id)
      this.value(type, value)
      before = id
    }
    this.byte(0)
  }
}

function readStruct(bytes) {
  return new Input(bytes).struct()
}

function structBytes(struct) {
  const out = new Output(1024)
  out.struct(struct)
  return out.bytes
}

module.exports = { STRUCT, readStruct, structBytes }
