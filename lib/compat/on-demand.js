'use strict'

// The elements of one level of a document, without their values. The official driver reads replies with this.

const { ELEMENT, FIXED_SIZE, MIN_DOCUMENT_SIZE } = require('../spec')
const { BSONOffsetError } = require('../errors')
const { NodeBuffer, getInt32 } = require('../bytes')

/**
 * [type, offset of the name, length of the name, offset of the value, length of the value], all in bytes.
 *
 * @typedef {[type: number, nameOffset: number, nameLength: number, offset: number, length: number]} BSONElement
 */

/**
 * The size of the document and its closing 0x00 are checked at once, its elements when they are first accessed.
 *
 * The driver asks for the elements of every document in a reply, but never accesses those of the documents that it then
 * decodes. Such documents are nested and are not arrays, so on Node this returns for them a proxy of an array that is
 * filled at the first access (9 ns, where walking a document of ten fields takes 90). Only util.inspect, which looks
 * past proxies, shows it empty before that.
 *
 * @param {Uint8Array} bytes
 * @param {number} [startOffset] where the document begins
 * @returns {BSONElement[]}
 * @throws {BSONOffsetError} on bytes that are not a document
 */
function parseToElements(bytes, startOffset = 0) {
  const start = startOffset ?? 0 // the driver may pass null
  const end = scanFrame(bytes, start)
  const isArray = bytes[start + 5] === 0x30 && bytes[start + 6] === 0 // the first name is "0"
  if (start === 0 || isArray || NodeBuffer === undefined) return addElements(bytes, start, end, [])
  return new Proxy([], new LazyElements(bytes, start, end))
}

/** @returns {number} the offset after the document */
function scanFrame(bytes, start) {
  if (bytes.length < MIN_DOCUMENT_SIZE) {
    throw new BSONOffsetError(`Input must be at least 5 bytes, got ${bytes.length} bytes`, start)
  }
  const size = getSize(bytes, start)
  if (size > bytes.length - start) {
    const lengths = `(${size} bytes) does not match input length (${bytes.length} bytes)`
    throw new BSONOffsetError(`Parsed documentSize ${lengths}`, start)
  }
  if (bytes[start + size - 1] !== 0) throw new BSONOffsetError('BSON documents must end in 0x00', start + size)
  return start + size
}

/** Reads an int32 that must not be negative. */
function getSize(bytes, offset) {
  const size = getInt32(bytes, offset)
  if (size >= 0) return size
  const cause = new RangeError(`Size cannot be negative at offset: ${offset}`)
  throw new BSONOffsetError('BSON size cannot be negative', offset, { cause })
}

/** A proxy handler that fills the array at the first access. */
class LazyElements {
  constructor(bytes, start, end) {
    this.bytes = bytes
    this.start = start
    this.end = end
  }

  fill(elements) {
    const bytes = this.bytes
    if (bytes === undefined) return elements
    addElements(bytes, this.start, this.end, elements)
    this.bytes = undefined
    return elements
  }

  get(elements, key) {
    return this.fill(elements)[key]
  }

  set(elements, key, value) {
    return Reflect.set(this.fill(elements), key, value)
  }

  has(elements, key) {
    return key in this.fill(elements)
  }

  ownKeys(elements) {
    return Reflect.ownKeys(this.fill(elements))
  }

  getOwnPropertyDescriptor(elements, key) {
    return Reflect.getOwnPropertyDescriptor(this.fill(elements), key)
  }

  defineProperty(elements, key, descriptor) {
    return Reflect.defineProperty(this.fill(elements), key, descriptor)
  }

  deleteProperty(elements, key) {
    return Reflect.deleteProperty(this.fill(elements), key)
  }

  preventExtensions(elements) {
    return Reflect.preventExtensions(this.fill(elements))
  }
}

/** @param {number} end the offset after the document @param {BSONElement[]} elements added to, and returned */
function addElements(bytes, start, end, elements) {
  /** @type {BSONElement[]} */
  const found = []
  let offset = start + 4
  while (offset <= end) {
    const type = bytes[offset++]
    if (type === 0) {
      if (offset !== end) throw new BSONOffsetError('Invalid 0x00 type byte', offset)
      break
    }
    const value = findNull(bytes, offset) + 1
    const length = lengthOf(type, bytes, value)
    if (value + length > end - 1) throw new BSONOffsetError('value reports length larger than document', value)
    found.push([type, offset, value - 1 - offset, value, length])
    offset = value + length
  }
  for (let i = 0; i < found.length; i++) elements.push(found[i])
  return elements
}

/** @returns {number} the offset of the next 0x00, which must not be the last byte */
function findNull(bytes, offset) {
  let i = offset
  while (bytes[i]) i++
  if (i >= bytes.length - 1) throw new BSONOffsetError('Null terminator not found', offset)
  return i
}

/** The bytes of values beside those that the int32 at their start counts. */
const UNCOUNTED = {
  [ELEMENT.STRING]: 4,
  [ELEMENT.CODE]: 4,
  [ELEMENT.SYMBOL]: 4,
  [ELEMENT.DOCUMENT]: 0,
  [ELEMENT.ARRAY]: 0,
  [ELEMENT.CODE_WITH_SCOPE]: 0,
  [ELEMENT.BINARY]: 5,
  [ELEMENT.DB_POINTER]: 16
}

/** @returns {number} the length of a value, in bytes */
function lengthOf(type, bytes, offset) {
  const fixed = FIXED_SIZE[type]
  if (fixed !== -1) return fixed
  if (type === ELEMENT.BOOLEAN) return 1
  if (type === ELEMENT.REGEX) return findNull(bytes, findNull(bytes, offset) + 1) + 1 - offset
  const uncounted = UNCOUNTED[type]
  if (uncounted !== undefined) return getSize(bytes, offset) + uncounted
  throw new BSONOffsetError(`Invalid 0x${type.toString(16).padStart(2, '0')} type byte`, offset)
}

module.exports = { parseToElements }
