'use strict'

// The layout of mongodump --archive:
//
//   archive   = 0x8199e26d | header | metadata of each collection | terminator | (segment | end)*
//   segment   = {db, collection, EOF: false, CRC: 0} | document* | terminator
//   end       = {db, collection, EOF: true, CRC: of all its documents} | terminator
//
// Segments of several collections alternate. A terminator is 0xffffffff, and no document starts with that.

const { MAX_DOCUMENT_SIZE } = require('../spec')
const { errorAtOffset, describePlace, shownName } = require('../errors')
const { getInt32 } = require('../bytes')
const { decode } = require('../decode')
const { Block } = require('./block')
const { Crc64 } = require('./crc64')
const { walk, isWrong, sizeError, cutShortError, placeHere } = require('./documents')
const { Namespace } = require('./namespace')

/** As an int32. */
const MAGIC = 0x8199e26d | 0
const TERMINATOR = -1

/** The most bytes of a header: a collection's metadata holds its indexes and its validator, each below 16 MB. */
const MAX_HEADER_SIZE = 64 * 1024 * 1024

/**
 * The state of a collection being read.
 *
 * @typedef {object} Open
 * @property {Namespace} namespace
 * @property {number} count documents so far
 * @property {Crc64 | null} crc null if the documents are not wanted
 * @property {boolean} isMentioned whether it has had a segment
 * @property {boolean} isOver
 */

/**
 * @typedef {import('./documents').BlockReader} BlockReader
 * @typedef {import('./window').Window} Window
 * @typedef {(window: Window) => Block | null | undefined} Step
 */

/** @param {Uint8Array} bytes the first of a file @returns {boolean} */
function isArchive(bytes) {
  return bytes.length >= 4 && getInt32(bytes, 0) === MAGIC
}

/** @implements {BlockReader} */
class ArchiveBlocks {
  /**
   * @param {{maxDocumentSize?: number, wants?: (namespace: Namespace) => boolean}} [options] `wants`: whether a
   *   namespace's documents are wanted; documents of other namespaces are neither returned nor checked
   */
  constructor({ maxDocumentSize = MAX_DOCUMENT_SIZE, wants = () => true } = {}) {
    this.maxDocumentSize = maxDocumentSize
    this.wants = wants
    /** The header of the archive. @type {Record<string, any> | undefined} */
    this.header = undefined
    /** Whether all metadata has been read. */
    this.hasPrelude = false
    /** @type {Map<string, Open>} by db, 0x00 and collection */
    this.all = new Map()
    /** The namespaces read so far; all of them from the first block on. @type {Namespace[]} */
    this.namespaces = []
    /** @type {Open | null} the collection of the current segment */
    this.current = null
    /**
     * Reads the next part; returns undefined when it needs more bytes.
     *
     * @type {Step}
     */
    this.next = this.readMagic
  }

  /** @param {Window} window @throws {BSONError} when it is not an archive */
  *read(window) {
    for (let block = this.next(window); block !== undefined; block = this.next(window)) {
      if (block !== null) yield block
    }
  }

  /** @param {Window} window @throws {BSONError} when the archive is cut short */
  *end(window) {
    if (window.size > 0) throw this.named(cutShortError(window, this.current?.count ?? 0))
    if (!this.hasPrelude) throw broken('it ends before its first collection', window.offset)
    if (this.current !== null) throw broken(`it ends in the middle of ${this.currentName}`, window.offset)
    for (const { namespace, isOver, isMentioned, count } of this.all.values()) {
      if (isOver || (!isMentioned && namespace.type !== 'collection')) continue
      const name = shownName(namespace.name)
      throw broken(`it ends before the end of ${name}, after ${count} of its documents`, window.offset)
    }
    for (const open of this.all.values()) {
      if (!open.isMentioned && open.crc !== null) yield this.blockOf(open, window, 0, 0) // a view has no segment
    }
  }

  /** @type {import('./documents').BlockReader['place']} */
  place(error, window) {
    return this.current === null ? error : this.named(placeHere(error, window, this.current.count))
  }

  get currentName() {
    return shownName(/** @type {Open} */ (this.current).namespace.name)
  }

  /** @param {Window} window */
  readMagic(window) {
    if (window.size < 4) return undefined
    window.take(4)
    this.next = this.readHeader
    return null
  }

  /** @param {Window} window */
  readHeader(window) {
    if (this.isTerminated(window)) throw broken('it has no header', window.offset)
    const header = this.readDocument(window)
    if (header === undefined) return undefined
    this.header = header
    this.next = this.readMetadata
    return null
  }

  /** The metadata of one collection. @param {Window} window */
  readMetadata(window) {
    if (this.isTerminated(window)) {
      window.take(4)
      this.hasPrelude = true
      this.next = this.readSegment
      return null
    }
    const { offset } = window
    const about = this.readDocument(window)
    if (about === undefined) return undefined
    const { namespace } = this.openOf(about, offset)
    if (typeof about.metadata === 'string' && about.metadata !== '') namespace.metadata = about.metadata
    if (typeof about.type === 'string') namespace.type = about.type
    return null
  }

  /** The header of a segment, or of an end. @param {Window} window */
  readSegment(window) {
    const { offset } = window
    if (this.isTerminated(window)) throw broken('there is a terminator where a collection should begin', offset)
    const header = this.readDocument(window)
    if (header === undefined) return undefined
    const open = this.openOf(header, offset)
    if (open.isOver) throw broken(`there is more of ${shownName(open.namespace.name)} after its end`, offset)
    this.current = open
    this.next = header.EOF === true ? this.readEnd : this.readDocuments
    if (header.EOF === true) finish(open, header.CRC, offset)
    if (open.isMentioned) return null
    open.isMentioned = true
    return open.crc === null ? null : this.blockOf(open, window, 0, 0)
  }

  /** @param {Window} window */
  readEnd(window) {
    if (window.size < 4) return undefined
    if (!this.isTerminated(window)) throw broken(`there is more of ${this.currentName} after its end`, window.offset)
    window.take(4)
    this.current = null
    this.next = this.readSegment
    return null
  }

  /** The complete documents of a segment. @param {Window} window */
  readDocuments(window) {
    if (this.isTerminated(window)) return this.readEnd(window)
    const open = /** @type {Open} */ (this.current)
    const { maxDocumentSize } = this
    const { length, count, size } = walk(window, maxDocumentSize)
    if (length === 0) {
      if (isWrong(size, maxDocumentSize)) throw this.named(sizeError(size, maxDocumentSize, window, open.count))
      return undefined
    }
    const block = this.blockOf(open, window, length, count)
    open.crc?.update(block.bytes)
    return open.crc === null ? null : block
  }

  /** @param {Open} open @param {Window} window @param {number} length @param {number} count */
  blockOf(open, window, length, count) {
    const { offset } = window
    const before = open.count
    open.count += count
    return new Block(open.namespace, window.take(length), offset, before, count)
  }

  /** @param {Window} window */
  isTerminated({ buf, start, size }) {
    return size >= 4 && getInt32(buf, start) === TERMINATOR
  }

  /** A header. @param {Window} window @returns {Record<string, any> | undefined} undefined until it is complete */
  readDocument(window) {
    if (window.size < 4) return undefined
    const { buf, start, offset } = window
    const size = getInt32(buf, start)
    if (isWrong(size, MAX_HEADER_SIZE)) throw broken(`${size} is not a valid size of a header`, offset)
    if (size > window.size) return undefined
    try {
      return decode(window.take(size), { useBigInt64: true })
    } catch (cause) {
      throw broken(`a header cannot be read: ${cause.message}`, offset, cause)
    }
  }

  /** @param {Record<string, any>} header @param {number} offset of it @returns {Open} */
  openOf({ db, collection }, offset) {
    if (typeof db !== 'string' || typeof collection !== 'string') throw broken('a header names no collection', offset)
    const key = `${db}\0${collection}`
    const known = this.all.get(key)
    if (known !== undefined) return known
    const namespace = new Namespace(db, collection)
    const crc = this.wants(namespace) ? new Crc64() : null
    const open = { namespace, count: 0, crc, isMentioned: false, isOver: false }
    this.all.set(key, open)
    this.namespaces.push(namespace)
    return open
  }

  /** @template E @param {E & Error} error about a document of the current segment @returns {E} */
  named(error) {
    if (this.current !== null) error.message = `${this.currentName}: ${error.message}`
    return error
  }
}

/** @param {Open} open @param {any} stated its checksum, an int64 @param {number} offset of the header */
function finish(open, stated, offset) {
  open.isOver = true
  if (open.crc === null) return
  const { value } = open.crc
  if (stated === value) return
  const name = shownName(open.namespace.name)
  const text = typeof stated === 'bigint' ? hex(stated) : 'not a number'
  throw broken(`the checksum of ${name} is ${text}, but that of its ${open.count} documents is ${hex(value)}`, offset)
}

/** @param {bigint} value */
function hex(value) {
  return BigInt.asUintN(64, value).toString(16).padStart(16, '0')
}

/** @param {string} what @param {number} offset */
function broken(what, offset, cause = undefined) {
  return describePlace(errorAtOffset(`broken archive: ${what}`, offset, cause))
}

module.exports = { isArchive, ArchiveBlocks, MAGIC, TERMINATOR }
