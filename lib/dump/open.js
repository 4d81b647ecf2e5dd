'use strict'

// Reads any output of mongodump as batches of documents.

const fs = require('node:fs')
const { MAX_DOCUMENT_SIZE } = require('../spec')
const { BSONError, BSONRuntimeError, shownName } = require('../errors')
const { callback, limit, onlyOptions, ownOptionsOf, predicate, refusal, string, truthy, wholeNumber } = require('../options')
const { isMemory, toBytes } = require('../bytes')
const { ClosableIterator, closing, itemsOf } = require('../iterators')
const { Batch, checkSource, chunksOf } = require('../batch')
const { ArchiveReader, isArchive } = require('./archive')
const { compressionOf, decompressedSync, unpacked } = require('./compression')
const { DocumentReader } = require('./reader')
const { SEARCH_SIZE } = require('./recovery')
const { ENOUGH, refuseOther, refuseOtherThanJson } = require('./other')
const { MISSING, readFile, readSmall, readFolder, headOfFile, withFile, namespaceOfFile } = require('./files')
const { memberAt } = require('./members')
const { Namespace, parseNamespace } = require('./namespace')
const { ByteSource, READ_SIZE, Window } = require('./window')

/**
 * @typedef {string | URL | Uint8Array | ArrayBufferLike | AsyncIterable<Uint8Array> | Iterable<Uint8Array>} Source a
 *   file or folder, or its bytes: a Node or web stream, any iterable of chunks
 *
 * @typedef {object} DumpOptions
 * @property {string[] | ((name: string) => boolean)} [namespaces] the only ones to read, such as 'shop.orders'
 * @property {number} [maxDocumentSize] the most bytes of a document; default 2 147 483 647, the limit of the format
 * @property {string} [namespace] the namespace of a source that does not give one: 'shop.orders'
 * @property {import('./files').ByteRange} [range] the part of a file to read, as `splits` finds it: documents, segments
 *   of an archive, or all of a compressed file
 * @property {number} [offset] bytes before the source, if it is not a file but a part of one, for messages; default 0
 * @property {(bytes: number) => void} [onRead] called with the number of bytes of each read
 * @property {boolean} [sync] whether to read files with blocking calls, for a program that does nothing else: saves 0.1
 *   ms per 256 kB
 * @property {boolean} [reuse] whether the next batch or document may overwrite the bytes of the one before, for a
 *   program that keeps none
 * @property {(error: BSONError, bytes: Batch) => void} [onError] gets what holds no valid document, and why; reading
 *   goes on with the next document or file then. Without it, the first error is thrown, and documents are not validated
 * @property {boolean} [utf8] with `onError`: whether text that is not UTF-8 makes a document invalid; default true
 * @property {number} [searchSize] with `onError`: how far to search for the next document; default 64 MiB
 */

const OPTIONS = {
  namespaces: wanted,
  maxDocumentSize: limit(MAX_DOCUMENT_SIZE),
  namespace: string,
  range: byteRange,
  offset: wholeNumber,
  onRead: callback,
  sync: truthy(false),
  reuse: truthy(false),
  onError: callback,
  searchSize: limit(Infinity, SEARCH_SIZE),
  utf8: truthy(true)
}

const readOptions = ownOptionsOf('openDump', OPTIONS, { earlier: { onFault: 'onError' } })
const readChunkOptions = onlyOptions('readChunks', Object.keys(OPTIONS))

class Dump {
  /** @param {Source} source @param {DumpOptions} [options] @throws {BSONError} on any other source */
  constructor(source, options) {
    const { namespaces: wants, namespace, range, offset, onRead, sync, reuse, ...reading } = readOptions(options)
    this.source = source instanceof URL ? require('node:url').fileURLToPath(source) : source
    if (typeof this.source !== 'string') checkSource(this.source, SOURCES)
    this.wants = wants
    this.onError = reading.onError
    this.reading = { ...reading, wants, recovers: this.onError !== undefined }
    this.as = namespace === undefined ? undefined : parseNamespace(namespace)
    this.range = range
    this.offset = offset
    this.onRead = onRead
    this.sync = sync
    this.reuse = reuse
    /** What a source other than a file gives, once it is read. @type {AsyncGenerator<any, any, any> | null} */
    this.chunks = null
    /** The header of an archive. @type {Record<string, any> | undefined} */
    this.header = undefined
    /** Where the segment of an archive begins that is being read, in bytes. */
    this.segment = 0
    /** The plain .bson file that is being read, perhaps one of a folder. @type {string | null} */
    this.plainFile = null
    /** The namespaces known so far: all those of an archive after its first batch. @type {Namespace[]} */
    this.namespaces = []
    /** Those in it: to look them up there is quadratic. */
    this.listed = new Set()
  }

  /** @returns {AsyncGenerator<Batch, void>} @throws {BSONError} */
  batches() {
    const all = new ClosableIterator(() => this.withErrors(), () => this.release())
    return closing(this.reported(all), () => all.return())
  }

  /** Releases a stream that has not been read, or is waited for. A file is closed when its last read ends. */
  async release() {
    if (typeof this.source !== 'string') await (this.chunks ?? itemsOf(this.source)).return()
  }

  /** @param {AsyncIterable<Batch>} all @returns {AsyncGenerator<Batch, void>} those without an error */
  async *reported(all) {
    for await (const batch of all) {
      if (batch.error === undefined) yield batch
      else this.onError(batch.error, batch)
    }
  }

  /** `batches`, by an earlier name. */
  blocks() {
    return this.batches()
  }

  /** @returns {AsyncGenerator<Batch, void>} also what holds no document, with its `error` @throws errors of opening */
  withErrors() {
    const { source } = this
    const window = new Window(this.reuse)
    if (typeof source !== 'string' && this.range !== undefined) throw new BSONRuntimeError('a range needs a file, not its bytes')
    if (typeof source !== 'string') {
      this.chunks = chunksOf(source, SOURCES)
      return this.read(this.chunks, this.as ?? new Namespace('', ''), '', window, this.offset)
    }
    if (fs.statSync(source).isDirectory()) return this.readFolder(source)
    if (this.range !== undefined) return this.readRange(source, window)
    return this.read(readFile(source, this, window), this.as ?? namespaceOfFile(source), '', window)
  }

  /** A part of a file: documents, segments of an archive, or all of a compressed file. @param {Window} window */
  async *readRange(file, window) {
    const namespace = this.as ?? namespaceOfFile(file)
    const { offset, length } = this.range
    const { size } = fs.statSync(file) // 0 of a pipe, which is not opened
    if (offset + length > size) throw new BSONRuntimeError(`the file has ${size} bytes, the range ends at ${offset + length}`)
    const head = headOfFile(file)
    if (offset === 0 && length === size) {
      this.range = undefined
      return yield* this.read(readFile(file, this, window), namespace, '', window)
    }
    if (compressionOf(head) !== undefined) {
      const member = withFile(file, handle => memberAt(handle, offset))
      if (member === null) throw wrongRange('a compressed file has one range, 0 and its length, or those that split finds')
      return yield* this.read(readFile(file, this, window), namespace, '', window, member.before)
    }
    if (isArchive(head) && offset === 0) throw wrongRange('the ranges of an archive begin at a collection, see split')
    const chunks = this.counted(readFile(file, this, window))
    const source = new ByteSource(chunks, window)
    window.base = offset
    try {
      this.plainFile = isArchive(head) ? null : file
      yield* this.plainFile !== null ? this.readDocuments(source, head, namespace, '') : this.readArchive(source, true)
    } finally {
      await chunks.return()
    }
  }

  async *readFolder(folder) {
    if (this.range !== undefined) throw new BSONRuntimeError('a range needs a file, not a folder')
    const found = readFolder(folder)
    this.namespaces = found.filter(isCollection)
    this.listed = new Set(found)
    const memory = new Window(this.reuse)
    for (const namespace of found) {
      if (!this.wants(namespace)) continue
      const { file, fault } = namespace
      const isListed = isCollection(namespace)
      let window = memory.forStream()
      const from = namespace.collection === '' ? file : `${file}: ${shownName(namespace.name)}`
      try {
        if (fault !== undefined) throw fault
        const batch = file === undefined ? null : this.small(namespace, from, window)
        if (batch !== null) {
          yield batch
          continue
        }
        window = memory.forStream()
        yield* this.read(file === undefined ? [] : readFile(file, this, window), namespace, from, window)
      } catch (error) {
        const isUnread = error.syscall !== undefined
        if (file === undefined || !(isUnread || error instanceof BSONError)) throw error
        if (isUnread && !this.reading.recovers) throw Object.assign(error, { path: error.path ?? file })
        const known = isUnread ? new BSONError(`the ${error === fault ? 'folder' : 'file'} cannot be read: ${error.code}`, { cause: error }) : error
        if (known.document === undefined) known.message = `${from}: ${known.message}`
        if (!this.reading.recovers) throw known
        const nothing = window.bytes.subarray(0, 0)
        yield new Batch(nothing, { namespace, from, error: known })
        if (isListed) yield new Batch(nothing, { namespace, from }) // it still has its name and metadata
      }
    }
  }

  /**
   * The documents of a small file at once: counting those of 20,000 files takes a quarter less time. null for what has
   * to be read in pieces, such as all that may be broken.
   */
  small(namespace, from, window) {
    if (!this.sync || !readSmall(namespace.file, window)) return null
    const { bytes } = window
    const plain = decompressedSync(bytes, READ_SIZE)
    if (plain === null) return null
    const own = plain === bytes ? window : window.forStream()
    if (plain !== bytes) own.push(plain)
    const reader = new DocumentReader(new ByteSource([].values(), own), namespace, { ...this.reading, from })
    const { length, count } = reader.complete()
    if (length < plain.length) return null
    refuseOther(plain)
    this.onRead?.(bytes.length)
    this.plainFile = plain === bytes ? namespace.file : null
    return reader.take(length, count)
  }

  /**
   * @param {Namespace} namespace used if this is not an archive
   * @param {string} from as in Batch
   * @param {Window} window the one that files are read into
   * @param {number} [before] uncompressed bytes before the chunks
   */
  async *read(chunks, namespace, from, window, before = 0) {
    const file = typeof this.source === 'string' ? (namespace.file ?? this.source) : null
    const { head, rest, isPacked } = await unpacked(this.counted(chunks), () => this.again(chunks, file, window))
    try {
      this.plainFile = isPacked || isArchive(head) ? null : file
      const own = isPacked ? new Window(this.reuse) : window // the other one still gets what is read
      own.base += before
      const source = new ByteSource(rest, own)
      yield* isArchive(head) ? this.readArchive(source) : this.readDocuments(source, head, namespace, from)
    } finally {
      await rest.return()
    }
  }

  /** @returns {(() => import('./compression').Chunks) | undefined} gives chunks of a file or an array once more */
  again(chunks, file, window) {
    const { source } = this
    const pieces = isMemory(source) ? [source] : source
    if (chunks === this.chunks && Array.isArray(pieces)) return () => pieces.map(toBytes)
    const isFile = file !== null && fs.statSync(file).isFile()
    return isFile ? () => readFile(file, this, window) : undefined
  }

  async *readArchive(source, isPart = false) {
    const archive = new ArchiveReader(source, { ...this.reading, isPart })
    this.namespaces = archive.namespaces // one shared list: there may be a namespace per batch
    for await (const batch of archive.batches()) {
      this.header = archive.header
      this.segment = archive.segment
      yield batch
    }
    this.header = archive.header
  }

  async *readDocuments(source, head, namespace, from) {
    if (!this.listed.has(namespace)) this.namespaces.push(namespace)
    this.listed.add(namespace)
    if (!this.wants(namespace)) return
    const { recovers } = this.reading
    if (recovers) await source.need(ENOUGH + 1) // text before documents is damage
    if (this.range === undefined) refuseOther(recovers ? source.window.bytes : head, recovers && !source.isOver)
    const reader = new DocumentReader(source, namespace, { ...this.reading, from })
    let isEmpty = true
    for await (const batch of reader.batches()) {
      isEmpty &&= batch.error !== undefined
      yield batch
    }
    if (isEmpty) yield reader.batch(0, 0)
  }

  /** @param {AsyncIterable<any> | Iterable<any>} chunks @throws {BSONError} on other than bytes */
  async *counted(chunks) {
    for await (const chunk of chunks) {
      const bytes = toBytes(chunk)
      this.onRead?.(bytes.length)
      yield bytes
    }
  }

  /** @returns {AsyncGenerator<Part, void>} */
  [Symbol.asyncIterator]() {
    const batches = this.batches()
    return closing(partsOf(batches), () => batches.return())
  }
}

/** @param {AsyncGenerator<Batch, void>} batches of a dump @returns {AsyncGenerator<Part, void>} */
async function* partsOf(batches) {
  /** @type {Part | null} */
  let part = null
  try {
    const first = await batches.next()
    for (let batch = first.value || null; batch !== null; ) {
      part = new Part(batch, batches)
      yield part
      batch = await part.drain()
    }
  } finally {
    if (part !== null) part.isOver = true
    await batches.return()
  }
}

/** Consecutive documents of one collection. */
class Part {
  /** @param {Batch} first @param {AsyncGenerator<Batch, void>} batches */
  constructor(first, batches) {
    /** The same object for every part of a collection. */
    this.namespace = first.namespace
    this.from = batches
    /** The first unread batch; null after the last one of the dump. @type {Batch | null} */
    this.next = first
    this.isRead = false
    /** Whether the next part was asked for, or the dump was closed. */
    this.isOver = false
    /** The next batch that is awaited. @type {Promise<void> | null} */
    this.waiting = null
  }

  /** `db.collection` */
  get name() {
    return this.namespace.name
  }

  /** @returns {string | undefined} options and indexes as mongodump writes them: Extended JSON */
  get metadata() {
    return this.namespace.metadata
  }

  /** `batches`, by an earlier name. */
  blocks() {
    return this.batches()
  }

  /** The documents, many at a time: fastest. @returns {AsyncGenerator<Batch, void>} @throws {BSONError} if over */
  async *batches() {
    const { isRead } = this
    this.isRead = true
    while (!isRead && !this.isOver && this.next?.namespace === this.namespace) {
      yield this.next
      if (!this.isOver) await this.advance()
    }
    if (isRead || this.isOver) {
      throw new BSONError(`a part of ${shownName(this.name)} is over: it can be read once, before the next part`)
    }
  }

  /** @returns {AsyncGenerator<Uint8Array, void>} each document as a view, unchecked */
  async *[Symbol.asyncIterator]() {
    for await (const batch of this.batches()) {
      for (const document of batch) yield document
    }
  }

  /** Passes over what has not been read. @returns {Promise<Batch | null>} the first batch of the next part */
  async drain() {
    this.isOver = true
    while (this.next?.namespace === this.namespace) await this.advance()
    return this.next
  }

  /** One at a time: a reader may still wait when the next part is asked for. @returns {Promise<void>} */
  advance() {
    const take = ({ value }) => { this.next = value || null }
    this.waiting ??= this.from.next().then(take).finally(() => { this.waiting = null })
    return this.waiting
  }
}

/**
 * Opens the output of mongodump: a .bson file, an archive or a folder. gzip and zstd are detected by their first bytes.
 * Parts come in the order of the dump, so that memory stays small for a dump of any size: in an archive, a collection
 * may have several parts, with parts of other collections between them. An unread part is skipped.
 *
 * @param {Source} source
 * @param {DumpOptions} [options]
 * @returns {Dump} an async iterable of parts, each an async iterable of documents' bytes
 * @throws {BSONError} when options or source make no sense; while reading, on data that is cut short or broken
 */
function openDump(source, options) {
  return new Dump(source, options)
}

/**
 * The bytes of a file or stream of JSON.
 *
 * @param {Source} source
 * @param {Pick<DumpOptions, 'onRead' | 'sync'>} [options]
 * @returns {AsyncGenerator<Uint8Array, void>} decompressed if gzip or zstd
 * @throws {BSONError} on broken compressed data, or on a file of another format; errors of reading
 */
function readChunks(source, options) {
  const dump = new Dump(source, readChunkOptions(options))
  return new ClosableIterator(() => chunksOfText(dump), () => dump.release())
}

async function* chunksOfText(dump) {
  const file = typeof dump.source === 'string' ? dump.source : null
  const window = new Window(true)
  if (file === null) dump.chunks = chunksOf(dump.source, SOURCES)
  const chunks = dump.chunks ?? readFile(/** @type {string} */ (file), dump, window)
  const { head, rest } = await unpacked(dump.counted(chunks), () => dump.again(chunks, file, window))
  try {
    refuseOtherThanJson(head)
    yield* rest
  } finally {
    await rest.return()
  }
}

/** Whether it is one of the dump, although its file may be missing. @param {Namespace} namespace */
function isCollection({ fault }) {
  return fault === undefined || fault.message === MISSING
}

function wrongRange(why) {
  return new BSONRuntimeError(`this range cannot be read: ${why}`)
}

/** @type {import('../options').OptionReader<(namespace: Namespace) => boolean>} */
function wanted(namespaces, name) {
  if (namespaces === undefined) return () => true
  if (typeof namespaces === 'function') {
    const isWanted = predicate(namespaces, name)
    return namespace => isWanted(namespace.name)
  }
  if (!Array.isArray(namespaces) || namespaces.some(each => typeof each !== 'string')) throw refusal(name, namespaces, 'an array of names, or a function')
  const names = new Set(namespaces)
  return namespace => names.has(namespace.name)
}

/** @type {import('../options').OptionReader<import('./files').ByteRange | undefined>} */
function byteRange(range, name) {
  const isSize = size => Number.isSafeInteger(size) && size >= 0
  const { offset, length } = range ?? {}
  if (range === undefined || isSize(offset) && isSize(length)) return range && { offset, length }
  throw refusal(name, range, '{ offset, length } in bytes')
}

/** What a source may be, in words. */
const SOURCES = 'a path, bytes, or a stream or iterable of chunks of bytes'

module.exports = { openDump, readChunks, Dump }
