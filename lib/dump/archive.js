'use strict'

// The layout of mongodump --archive:
//
//   archive   = 0x8199e26d | header | metadata of each collection | terminator | (segment | end)*
//   segment   = {db, collection, EOF: false, CRC: 0} | document* | terminator
//   end       = {db, collection, EOF: true, CRC: of all its documents} | terminator
//
// Segments of several collections alternate. A terminator is 0xffffffff, and no document starts with that.

const { BSONError, errorAtOffset, describePlace, shownName } = require('../errors')
const { getInt32 } = require('../bytes')
const { decode } = require('../decode')
const { Batch } = require('../batch')
const { Crc64 } = require('./crc64')
const { DocumentReader, isWrong } = require('./reader')
const { Recovery } = require('./recovery')
const { Namespace, faultOfMetadata } = require('./namespace')

/** As an int32. */
const MAGIC = 0x8199e26d | 0
const TERMINATOR = -1

/** The most bytes of a header: a collection's metadata holds its indexes and its validator, each below 16 MB. */
const MAX_HEADER_SIZE = 64 * 1024 * 1024

/** The fields of a segment's header, and the most bytes of one that is sought: names are shorter. */
const HEADER_FIELDS = ['\x02db\0', '\x02collection\0', '\bEOF\0', '\x12CRC\0']
const NEAR = 1024

/**
 * A collection being read.
 *
 * @typedef {object} Open
 * @property {Namespace} namespace
 * @property {DocumentReader} reader
 * @property {Crc64 | null} crc null if the documents are not wanted
 * @property {boolean} isMentioned whether it has had a segment
 * @property {boolean} isOver
 */

/** @param {Uint8Array} bytes the first of a file @returns {boolean} */
function isArchive(bytes) {
  return bytes.length >= 4 && getInt32(bytes, 0) === MAGIC
}

class ArchiveReader {
  /**
   * @param {import('./window').ByteSource} source
   * @param {import('./reader').ReadingOptions & {
   *   wants: (namespace: Namespace) => boolean, isPart: boolean
   * }} options
   *   `wants`: whether a namespace's documents are wanted; documents of other namespaces are neither returned nor
   *   checked; `isPart`: whether it is a range of an archive, of whole segments without the prelude
   */
  constructor(source, { wants, isPart, ...reading }) {
    this.source = source
    this.isPart = isPart
    /** Where the segment begins that is being read, in bytes. */
    this.segment = 0
    this.window = source.window
    this.wants = wants
    this.reading = { ...reading, isMark: at => this.isMark(at) }
    /** How the documents of a segment end. @type {import('./reader').Ends} */
    this.ends = { isTerminator: at => this.isTerminator(at), isHeader: at => this.isHeader(at) }
    this.recovers = reading.recovers
    /** The header of the archive. @type {Record<string, any> | undefined} */
    this.header = undefined
    /** @type {Map<string, Open>} by db, 0x00 and collection */
    this.all = new Map()
    /** The namespaces read so far; all of them from the first batch on. @type {Namespace[]} */
    this.namespaces = []
  }

  /** @returns {AsyncGenerator<Batch, void>} @throws {BSONError} when it is broken, unless it recovers */
  async *batches() {
    if (!this.isPart) yield* this.guarded(() => this.readPrelude())
    while (await this.source.need(1)) yield* this.guarded(() => this.readSegment())
    yield* this.guarded(() => this.checkEnd())
    for (const open of this.all.values()) {
      if (!open.isMentioned && open.crc !== null) yield open.reader.batch(0, 0) // a view has no segment
    }
  }

  /** Goes on at the next segment after an error. @param {() => AsyncGenerator<Batch, void>} part */
  async *guarded(part) {
    try {
      yield* part()
    } catch (error) {
      if (!this.recovers || !(error instanceof BSONError)) throw error
      const recovery = new Recovery(this.source, { ...this.reading, maxDocumentSize: 0, onlyMarks: true })
      const { length, isFound } = await recovery.find()
      const { offset, size } = this.window
      const bytes = this.window.take(Math.min(isFound ? length + 4 : length, size))
      yield new Batch(bytes, { namespace: new Namespace('', ''), offset, error })
    }
  }

  async *readPrelude() {
    await this.source.need(8)
    this.window.take(4)
    if (await this.isTerminated()) throw broken('it has no header', this.window.offset)
    this.header = await this.readHeader(() => true)
    while (!(await this.isTerminated())) {
      const { metadata, type, ...about } = await this.readHeader(isNamed)
      const { namespace } = this.openOf(about)
      if (typeof metadata === 'string' && metadata !== '') namespace.metadata = metadata
      namespace.metadataFault = typeof metadata === 'string' ? faultOfMetadata(namespace.metadata) : 'are missing'
      if (typeof type === 'string') namespace.type = type
    }
    this.window.take(4)
    yield* []
  }

  /** The documents of a segment, or an end. */
  async *readSegment() {
    const { offset } = this.window
    this.segment = offset
    if (await this.isTerminated()) throw broken('there is a terminator where a collection should begin', offset)
    if (isArchive(this.window.bytes)) throw broken('another archive begins here: read each from a file of its own', offset)
    const header = await this.readHeader(isNamed)
    const open = this.openOf(header)
    const isFirst = !open.isMentioned
    open.isMentioned = true
    if (open.isOver) yield* this.report(open, broken(`there is more of ${open.reader.from} after its end`, offset))
    if (header.EOF === true) yield* this.finish(open, header.CRC, offset)
    if (isFirst && open.crc !== null) yield open.reader.batch(0, 0)
    if (header.EOF !== true) yield* this.readDocuments(open)
    if (await this.isTerminated()) this.window.take(4)
    else if (header.EOF === true) {
      const { from } = open.reader
      const what = this.window.size < 4 ? `it ends before the terminator of ${from}` : `there is more of ${from} after its end`
      throw broken(what, this.window.offset)
    } else if (!open.reader.isDamaged || (this.window.size > 0 && !(await this.isHeader(0)))) {
      throw broken(`it ends in the middle of ${open.reader.from}`, this.window.offset)
    }
  }

  async *readDocuments({ crc, reader }) {
    for await (const batch of reader.batches()) {
      crc?.update(batch.bytes)
      if (crc !== null) yield batch
    }
  }

  /** @param {Open} open @param {any} stated its checksum, an int64 @param {number} offset of the header */
  *finish(open, stated, offset) {
    open.isOver = true
    const { crc, reader } = open
    if (crc === null || stated === crc.value || reader.isDamaged || this.isPart) return
    const text = typeof stated === 'bigint' ? hex(stated) : 'not a number'
    const own = `that of its ${reader.count} documents is ${hex(crc.value)}`
    yield* this.report(open, broken(`the checksum of ${reader.from} is ${text}, but ${own}`, offset))
  }

  /** @param {Open} open @param {BSONError} error after which reading may go on */
  *report({ reader }, error) {
    if (!this.recovers) throw error
    yield reader.batch(0, 0, error)
  }

  async *checkEnd() {
    const { failure } = this.source
    const { offset } = this.window
    if (failure !== undefined) throw failure
    if (this.isPart) return
    for (const open of this.all.values()) {
      const { namespace, isOver, isMentioned, reader } = open
      if (isOver || (!isMentioned && namespace.type !== 'collection')) continue
      const what = `it ends before the end of ${reader.from}, after ${reader.count} of its documents`
      yield* this.report(open, broken(what, offset))
    }
  }

  /** @returns {Promise<boolean>} whether a terminator comes next; false also at the end */
  async isTerminated() {
    return (await this.source.need(4)) && getInt32(this.window.buf, this.window.start) === TERMINATOR
  }

  /** Whether a terminator lies there, and the header of a segment after it. @param {number} at bytes */
  async isMark(at) {
    const { source, window } = this
    if (!(await source.need(at + 4)) || getInt32(window.buf, window.start + at) !== TERMINATOR) return false
    return (await source.need(at + 8)) ? this.isHeader(at + 4) : window.size === at + 4
  }

  /** Whether a -1 is a terminator, perhaps before a broken header: nobody knows whose documents follow that. */
  async isTerminator(at) {
    if (!this.recovers || (await this.isMark(at))) return true
    await this.source.need(at + NEAR)
    const near = Buffer.from(this.window.bytes.subarray(at, at + NEAR)).toString('latin1')
    return HEADER_FIELDS.filter(field => near.includes(field)).length > 1
  }

  /** Whether the header of a segment lies there. @param {number} at bytes */
  async isHeader(at) {
    const { source, window } = this
    if (!(await source.need(at + 4))) return false
    const size = getInt32(window.buf, window.start + at)
    if (isWrong(size, NEAR) || !(await source.need(at + size))) return false
    try {
      const header = decode(window.bytes.subarray(at, at + size))
      return isNamed(header) && typeof header.EOF === 'boolean'
    } catch {
      return false
    }
  }

  /** @param {(header: any) => boolean} isRight @returns {Promise<Record<string, any>>} @throws {BSONError} */
  async readHeader(isRight) {
    const { source, window } = this
    if (!(await source.need(4))) throw this.cut()
    const { buf, start, offset } = window
    const size = getInt32(buf, start)
    if (isWrong(size, MAX_HEADER_SIZE)) throw broken(`${size} is not a valid size of a header`, offset)
    if (!(await source.need(size))) throw this.cut()
    const header = decoded(window.bytes.subarray(0, size), offset)
    if (!isRight(header)) throw broken('a header names no collection', offset)
    window.take(size)
    return header
  }

  /** The error about a header that is cut short. */
  cut() {
    const { failure } = this.source
    this.source.failure = undefined
    const what = this.namespaces.length === 0 ? 'it ends before its first collection' : 'it ends in a header'
    return failure ?? broken(what, this.window.offset)
  }

  /** @param {any} header @returns {Open} */
  openOf({ db, collection }) {
    const key = `${db}\0${collection}`
    const known = this.all.get(key)
    if (known !== undefined) return known
    const namespace = new Namespace(db, collection)
    const crc = this.wants(namespace) ? new Crc64() : null
    const reader = new DocumentReader(this.source, namespace, {
      ...this.reading, from: shownName(namespace.name), isValidated: this.recovers && crc !== null, ends: this.ends
    })
    const open = { namespace, reader, crc, isMentioned: false, isOver: false }
    this.all.set(key, open)
    this.namespaces.push(namespace)
    return open
  }
}

/** @param {any} header */
function isNamed({ db, collection }) {
  return typeof db === 'string' && typeof collection === 'string'
}

function decoded(bytes, offset) {
  try {
    return decode(bytes, { useBigInt64: true })
  } catch (cause) {
    throw broken(`a header cannot be read: ${cause.message}`, offset, cause)
  }
}

function hex(value) {
  return BigInt.asUintN(64, value).toString(16).padStart(16, '0')
}

function broken(what, offset, cause = undefined) {
  return describePlace(errorAtOffset(`broken archive: ${what}`, offset, cause))
}

module.exports = { isArchive, ArchiveReader, MAGIC, TERMINATOR }
