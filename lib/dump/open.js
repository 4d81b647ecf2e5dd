'use strict'

// Reads any output of mongodump as blocks of documents.

const fs = require('node:fs')
const { BSONError, BSONRuntimeError } = require('../errors')
const { ownFields } = require('../properties')
const { isUint8Array } = require('../bytes')
const { ArchiveBlocks, isArchive } = require('./archive')
const { compressionOf, decompressed, peek } = require('./compression')
const { DocumentBlocks } = require('./documents')
const { readFile, readFolder, namespaceOfFile } = require('./files')
const { Namespace, parseNamespace } = require('./namespace')
const { Window } = require('./window')

/**
 * @typedef {import('./block').Block} Block
 * @typedef {string | URL | Uint8Array | AsyncIterable<Uint8Array> | Iterable<Uint8Array>} Source a file or folder, or
 *   its bytes: a Node or web stream, any iterable of chunks
 *
 * @typedef {object} DumpOptions
 * @property {string[] | ((name: string) => boolean)} [namespaces] the only ones to read, such as 'shop.orders'
 * @property {number} [maxDocumentSize] the most bytes of a document; default 2 147 483 647, the limit of the format
 * @property {string} [namespace] the namespace of a source that does not give one: 'shop.orders'
 * @property {import('./files').ByteRange} [range] the part of a plain .bson file to read; it starts at a document
 * @property {(bytes: number) => void} [onRead] called with the number of bytes of each read
 * @property {boolean} [sync] whether to read files with blocking calls, for a program that does nothing else: saves 0.1
 *   ms per 256 kB
 * @property {boolean} [reuse] whether the next block or document may overwrite the bytes of the one before, for a
 *   program that keeps none
 */

class Dump {
  /** @param {Source} source @param {DumpOptions} [options] @throws {BSONError} on any other source */
  constructor(source, options) {
    const { namespaces, maxDocumentSize, namespace, range, onRead, sync, reuse } = ownFields(options)
    this.source = source instanceof URL ? require('node:url').fileURLToPath(source) : source
    this.wants = wanted(namespaces)
    this.reading = { maxDocumentSize, wants: this.wants }
    this.as = namespace === undefined ? undefined : parseNamespace(namespace)
    this.range = range
    this.onRead = onRead
    this.sync = sync
    this.reuse = reuse
    /** The header of an archive. @type {Record<string, any> | undefined} */
    this.header = undefined
    /** The namespaces known so far: all those of an archive after its first block. @type {Namespace[]} */
    this.namespaces = []
  }

  /** @returns {AsyncGenerator<Block, void>} @throws {BSONError} */
  async *blocks() {
    const { source } = this
    const window = new Window(this.reuse)
    if (typeof source !== 'string') yield* this.read(chunksOf(source), this.as ?? new Namespace('', ''), window)
    else if (fs.statSync(source).isDirectory()) yield* this.readFolder(source)
    else yield* this.read(readFile(source, this, window), this.as ?? namespaceOfFile(source), window)
  }

  /** @param {string} folder */
  async *readFolder(folder) {
    if (this.range !== undefined) throw new BSONRuntimeError('a range needs a file, not a folder')
    this.namespaces = readFolder(folder)
    for (const namespace of this.namespaces) {
      if (!this.wants(namespace)) continue
      const { file } = namespace
      try {
        const window = new Window(this.reuse)
        yield* this.read(file === undefined ? nothing() : readFile(file, this, window), namespace, window)
      } catch (error) {
        if (file !== undefined && error instanceof BSONError) error.message = `${file}: ${error.message}`
        throw error
      }
    }
  }

  /**
   * @param {AsyncIterable<Uint8Array>} chunks
   * @param {Namespace} namespace used if this is not an archive
   * @param {Window} window the one that files are read into
   */
  async *read(chunks, namespace, window) {
    const packed = await peek(this.counted(chunks))
    const isPacked = compressionOf(packed.head) !== undefined
    const { head, rest } = isPacked ? await peek(decompressed(packed.rest)) : packed
    const own = isPacked ? new Window(this.reuse) : window // the other one still gets what is read
    try {
      if (this.range !== undefined && (isPacked || isArchive(head))) {
        throw new BSONRuntimeError(`a range needs a plain .bson file, not ${isArchive(head) ? 'an archive' : 'a compressed one'}`)
      }
      yield* isArchive(head) ? this.readArchive(rest, own) : this.readDocuments(rest, namespace, own)
    } finally {
      await rest.return()
      await packed.rest.return()
    }
  }

  async *readArchive(chunks, window) {
    const archive = new ArchiveBlocks(this.reading)
    this.namespaces = archive.namespaces // one shared list: there may be a namespace per block
    for await (const block of blocksOf(chunks, archive, window)) {
      this.header = archive.header
      yield block
    }
    this.header = archive.header
  }

  async *readDocuments(chunks, namespace, window) {
    if (!this.namespaces.includes(namespace)) this.namespaces.push(namespace)
    if (!this.wants(namespace)) return
    window.base = this.range?.offset ?? 0
    yield* blocksOf(chunks, new DocumentBlocks(namespace, this.reading), window)
  }

  /** @param {AsyncIterable<Uint8Array>} chunks of a file, or a stream */
  async *counted(chunks) {
    for await (const chunk of chunks) {
      this.onRead?.(chunk.length)
      yield chunk
    }
  }

  /** @returns {AsyncGenerator<Part, void>} */
  async *[Symbol.asyncIterator]() {
    const blocks = this.blocks()
    try {
      const first = await blocks.next()
      for (let block = first.value || null; block !== null; ) {
        const part = new Part(block, blocks)
        yield part
        block = await part.rest()
      }
    } finally {
      await blocks.return()
    }
  }
}

/** Consecutive documents of one collection. */
class Part {
  /** @param {Block} first @param {AsyncGenerator<Block, void>} blocks */
  constructor(first, blocks) {
    /** The same object for every part of a collection. */
    this.namespace = first.namespace
    this.from = blocks
    /** The first unread block; null after the last block of the dump. @type {Block | null} */
    this.next = first
  }

  /** `db.collection` */
  get name() {
    return this.namespace.name
  }

  /** @returns {string | undefined} options and indexes as mongodump writes them: Extended JSON */
  get metadata() {
    return this.namespace.metadata
  }

  /** @returns {AsyncGenerator<Block, void>} the documents, many at a time, which is fastest */
  async *blocks() {
    while (this.next?.namespace === this.namespace) {
      yield this.next
      await this.advance()
    }
  }

  /** @returns {AsyncGenerator<Uint8Array, void>} each document as a view, unchecked */
  async *[Symbol.asyncIterator]() {
    for await (const block of this.blocks()) {
      for (const document of block) yield document
    }
  }

  /** Skips what has not been read. @returns {Promise<Block | null>} the first block of the next part */
  async rest() {
    while (this.next?.namespace === this.namespace) await this.advance()
    return this.next
  }

  async advance() {
    this.next = (await this.from.next()).value || null
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
 * The bytes of a file or stream that is not a dump, such as text.
 *
 * @param {Source} source
 * @param {Pick<DumpOptions, 'onRead' | 'sync'>} [options]
 * @returns {AsyncGenerator<Uint8Array, void>} decompressed if gzip or zstd
 * @throws {BSONError} on broken compressed data; errors of reading
 */
async function* readChunks(source, options) {
  const dump = new Dump(source, options)
  const chunks = typeof dump.source === 'string' ? readFile(dump.source, dump, new Window(true)) : chunksOf(dump.source)
  yield* decompressed(dump.counted(chunks))
}

/** @param {DumpOptions['namespaces']} namespaces @returns {(namespace: Namespace) => boolean} */
function wanted(namespaces) {
  if (namespaces === undefined) return () => true
  if (typeof namespaces === 'function') return namespace => namespaces(namespace.name)
  if (!Array.isArray(namespaces)) throw new BSONError('namespaces must be an array of names, or a function')
  const names = new Set(namespaces)
  return namespace => names.has(namespace.name)
}

/** @param {any} source @returns {AsyncIterable<Uint8Array>} */
function chunksOf(source) {
  if (isUint8Array(source)) return iterate([source])
  if (typeof source?.[Symbol.asyncIterator] === 'function') return source
  if (typeof source?.[Symbol.iterator] === 'function') return iterate(source)
  throw new BSONError('a dump must be a path, bytes, or a stream or iterable of chunks of bytes')
}

async function* iterate(chunks) {
  yield* chunks
}

async function* nothing() {}

/**
 * @param {AsyncIterable<Uint8Array>} chunks
 * @param {import('./documents').BlockReader} reader
 * @param {Window} window empty
 */
async function* blocksOf(chunks, reader, window) {
  for await (const chunk of placed(chunks, error => reader.place(error, window))) {
    if (!isUint8Array(chunk)) throw new BSONError('the chunks of a dump must be bytes')
    window.push(chunk)
    yield* reader.read(window)
  }
  yield* reader.end(window)
}

/** The same chunks. @param {(error: any) => any} place returns what is thrown for an error */
async function* placed(chunks, place) {
  try {
    yield* chunks
  } catch (error) {
    throw place(error)
  }
}

module.exports = { openDump, readChunks, Dump }
