'use strict'

// The options that several commands have, and the exit codes.

const os = require('node:os')
const { BSONError, BSONRuntimeError } = require('../errors')
const { printable } = require('./printable')

/** All documents are valid. */
const OK = 0

/** Some documents are invalid. */
const BAD_DATA = 1

/** The usage is wrong, or a file cannot be read or written. */
const UNUSABLE = 2

/** Bytes: the length in a broken file may be 2 GB, which would all be read before the error is found. */
const MAX_DOCUMENT_SIZE = 128 * 1024 * 1024

/** How far to search for a document after damage. */
const SEARCH = 64 * 1024 * 1024

/** The most threads to start: each takes about 10 MB. */
const MAX_WORKERS = 64

/**
 * An option of `util.parseArgs`, with two strings for the help.
 *
 * @typedef {object} Option
 * @property {'boolean' | 'string'} type
 * @property {string} [short]
 * @property {boolean} [multiple] whether it may be repeated
 * @property {string} [value] a name for its argument
 * @property {string} help
 * @property {boolean | '@'} [isRead] whether its argument is a file that is read; '@': if an @ precedes it
 */

/** @type {Record<string, Option>} */
const COMMON_OPTIONS = {
  help: { type: 'boolean', short: 'h', help: 'show help' },
  version: { type: 'boolean', short: 'v', help: 'show the version' }
}

/** For commands that read items in order, such as documents or lines. @type {Record<string, Option>} */
const READING_OPTIONS = {
  skip: { type: 'string', value: 'N', help: 'skip the first N documents' },
  limit: { type: 'string', short: 'n', value: 'N', help: 'stop after N documents' },
  'max-document-size': {
    type: 'string',
    value: 'SIZE',
    help: 'a longer document, or line, is an error: 64MB (default 128MiB)'
  }
}

/** For commands that read BSON. @type {Record<string, Option>} */
const CHOOSING_OPTIONS = {
  ns: { type: 'string', value: 'DB.COLL', multiple: true, help: 'only this collection; may be repeated; DB.* for all of DB' },
  'ns-from': { type: 'string', value: 'PATTERN', multiple: true, help: 'collections to rename: shop.*; may be repeated' },
  'ns-to': { type: 'string', value: 'PATTERN', multiple: true, help: 'their new names, for each --ns-from: copy.*' },
  match: {
    type: 'string',
    short: 'q',
    value: 'QUERY',
    help: 'only documents that match, as in MongoDB: {price: {$gt: 5}}; @FILE: the query in FILE',
    isRead: '@'
  },
  sort: { type: 'string', value: 'A,B:-1', help: 'in the order of these fields, down with :-1; in memory, so use --limit' },
  fields: { type: 'string', short: 'f', value: 'A,B.C', help: 'only these fields, also of documents in arrays' },
  sample: { type: 'string', value: 'N', help: 'N documents chosen at random, in their order' },
  seed: { type: 'string', value: 'N', help: 'for --sample: the same seed chooses the same documents (default 1)' },
  tail: { type: 'string', value: 'N', help: 'the last N documents' },
  range: { type: 'string', value: 'OFFSET:LENGTH', help: 'only this part of a file, or of FILE:OFFSET:LENGTH: see split' },
  offset: { type: 'string', value: 'N', help: 'standard input is a part of a file that begins there, for messages and rejects' },
  name: { type: 'string', value: 'DB.COLL', help: 'the name of the collection in a file or standard input, or a new one' },
  workers: { type: 'string', value: 'N', help: 'threads for large files (default: one per core; to-parquet: 1)' },
  'keep-going': { type: 'boolean', help: 'leave out invalid documents and damage, and count them' },
  'replace-invalid': { type: 'boolean', help: 'U+FFFD for bytes of strings that are not UTF-8, and count such strings' },
  rejects: { type: 'string', value: 'FILE', help: 'with --keep-going: write what is left out to FILE' },
  search: { type: 'string', value: 'SIZE', help: 'with --keep-going: how far to look for the next document (default 64MiB)' }
}

/** For all commands but those that talk to a terminal or a shell. @type {Record<string, Option>} */
const OUT_OPTIONS = {
  out: { type: 'string', short: 'o', value: 'FILE', help: 'write to FILE, which is renamed when it is complete; .gz and .zst compress' },
  gzip: { type: 'boolean', help: 'compress the output' }
}

/** For commands that can write a folder. @type {Record<string, Option>} */
const FOLDER_OPTIONS = {
  ...OUT_OPTIONS,
  out: { ...OUT_OPTIONS.out, help: 'write to FILE, or to FOLDER/ a file for each collection; .gz and .zst compress' }
}

/** All options of a group but some. @param {Record<string, Option>} group @param {string[]} names */
function except(group, names) {
  return only(group, Object.keys(group).filter(name => !names.includes(name)))
}

/** Picks some options of a group. @param {Record<string, Option>} group @param {string[]} names */
function only(group, names) {
  return Object.fromEntries(names.map(name => [name, group[name]]))
}

/** Options or arguments that make no sense; reported with a hint at the help. */
class UsageError extends Error {
  /** @param {string} message @param {string} [command] whose help describes it, if it is not the one that runs */
  constructor(message, command) {
    super(message)
    this.command = command
  }
}

/** A query that cannot be evaluated. */
class QueryError extends Error {}

/** An output that cannot be written. */
class FileError extends Error {
  /** @param {string} message @param {string} [code] of the operating system: EPIPE */
  constructor(message, code) {
    super(message)
    this.code = code
  }
}

/** An error of a document that another thread has found. */
class DocumentError extends Error {
  /** @param {string} message @param {number} [offset] of the document */
  constructor(message, offset) {
    super(message)
    this.offset = offset
  }
}

/** @param {any} error @returns {number | undefined} the exit code it leads to; undefined for a mistake of our own */
function exitCodeOf(error) {
  if ([UsageError, QueryError, FileError, BSONRuntimeError].some(Unusable => error instanceof Unusable)) return UNUSABLE
  if (error instanceof BSONError || error instanceof DocumentError) return BAD_DATA
  return error.syscall === undefined ? undefined : UNUSABLE
}

/**
 * For what only looks at options, before anything is read.
 *
 * @template T
 * @param {() => T} work
 * @returns {T}
 * @throws {UsageError} instead of a BSONError
 */
function asUsage(work) {
  try {
    return work()
  } catch (error) {
    throw error instanceof BSONError ? new UsageError(printable(error.message)) : error
  }
}

/** @param {any} error of the operating system @returns {string} `no space left on device` */
function reasonOf(error) {
  if (error.code === 'EISDIR') return 'a folder, but a file is needed here'
  const [, reason] = /^[A-Z][A-Z\d]+: (.*?)(?:, \w+)?(?: '.*)?$/s.exec(error.message) ?? []
  return reason ?? error.message
}

/** @param {string} name of the output @param {any} error @returns {FileError} */
function fileError(name, error) {
  return new FileError(printable(`${name}: ${reasonOf(error)}`), error.code)
}

/** @returns {number} @throws {UsageError} when it is not a whole number, or below `least` */
function countOf(options, name, otherwise, least = 0) {
  const text = options[name]
  if (text === undefined) return otherwise
  if (!/^\d+$/.test(text)) throw new UsageError(`--${name} needs a whole number, not ${JSON.stringify(text)}`)
  if (Number(text) < least) throw new UsageError(`--${name} needs at least ${least}, not ${text}`)
  return Number(text)
}

/** @template {string} T @param {T[]} choices @returns {T | undefined} @throws {UsageError} on any other value */
function choiceOf(options, name, choices) {
  const choice = options[name]
  if (choice === undefined || choices.includes(choice)) return choice
  throw new UsageError(`--${name} must be one of ${choices.join(', ')}, not ${JSON.stringify(choice)}`)
}

/** @returns {string[] | undefined} the paths in `a,b.c` @throws {UsageError} on an empty list */
function fieldsOf(options, name) {
  const fields = options[name]?.split(',').map(field => field.trim()).filter(field => field !== '')
  if (fields?.length === 0) throw new UsageError(`--${name} needs names such as a,b.c`)
  return fields
}

/** @param {Record<string, any>} options @returns {number} bytes */
function maxDocumentSizeOf(options) {
  return sizeOf(options, 'max-document-size', MAX_DOCUMENT_SIZE)
}

/** @param {Record<string, any>} options @returns {number} bytes */
function searchSizeOf(options) {
  return sizeOf(options, 'search', SEARCH)
}

/** @param {Record<string, any>} options @param {number} [otherwise] the default @returns {number} threads */
function workersOf(options, otherwise = os.availableParallelism()) {
  return Math.min(MAX_WORKERS, countOf(options, 'workers', otherwise, 1))
}

const UNITS = { '': 1, k: 1e3, m: 1e6, g: 1e9, kb: 1e3, mb: 1e6, gb: 1e9, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30 }

/** @param {string} text `128MB`, `64MiB`, `1000` @returns {number} bytes; NaN for other text */
function bytesOf(text) {
  const [, number, unit] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text) ?? []
  return Math.floor(Number(number) * (UNITS[unit?.toLowerCase()] ?? NaN))
}

/** @param {Record<string, any>} options @param {string} name @param {number} otherwise @returns {number} bytes */
function sizeOf(options, name, otherwise) {
  const text = options[name]
  const size = text === undefined ? otherwise : bytesOf(text)
  if (!(size > 0)) throw new UsageError(`--${name} needs a size such as 64MB, not ${JSON.stringify(text)}`)
  return size
}

/**
 * @param {Record<string, any>} options
 * @param {string[]} files
 * @returns {import('../dump/files').ByteRange | undefined}
 * @throws {UsageError}
 */
function byteRangeOf({ range }, files) {
  if (range === undefined) return undefined
  if (files.includes('-')) throw new UsageError('--range needs the name of a file; of a part in standard input, --offset says where it begins')
  const [, offset, length] = /^(?:.+:)?(\d+):(\d+)$/s.exec(range) ?? []
  if (offset === undefined) throw new UsageError(`--range needs OFFSET:LENGTH in bytes, not ${JSON.stringify(range)}`)
  return { offset: Number(offset), length: Number(length) }
}

/**
 * @param {Record<string, any>} options
 * @param {string[]} files
 * @returns {number} bytes before standard input in the file that it is a part of
 * @throws {UsageError}
 */
function byteOffsetOf(options, files) {
  const offset = countOf(options, 'offset', 0)
  if (options.offset !== undefined && files.join() !== '-') throw new UsageError('--offset is for standard input: of a file, --range reads a part')
  return offset
}

/** The items that --skip and --limit select, counted over all files. */
class Range {
  /** @param {Record<string, any>} options */
  constructor(options) {
    this.skip = countOf(options, 'skip', 0)
    this.limit = countOf(options, 'limit', Infinity)
  }

  /** @returns {boolean} whether no more items are wanted */
  get isOver() {
    return this.limit === 0
  }

  /** @returns {boolean} whether all items are wanted */
  get isAll() {
    return this.skip === 0 && this.limit === Infinity
  }

  /** Counts an item. @returns {boolean} whether it is wanted */
  takes() {
    if (this.skip > 0) this.skip--
    else if (this.limit > 0) return this.limit-- > 0
    return false
  }

  /** Uncounts a wanted item that turned out to be broken. */
  giveBack() {
    this.limit++
  }

  /** @template T @param {Iterable<T>} items @returns {Generator<T, void>} */
  *of(items) {
    for (const item of items) {
      if (!this.takes()) continue
      yield item
      if (this.isOver) return
    }
  }
}

module.exports = {
  OK, BAD_DATA, UNUSABLE, COMMON_OPTIONS, READING_OPTIONS, CHOOSING_OPTIONS, OUT_OPTIONS, FOLDER_OPTIONS,
  MAX_DOCUMENT_SIZE,
  UsageError, QueryError, FileError, DocumentError, Range, asUsage, exitCodeOf, reasonOf, fileError,
  only, except, maxDocumentSizeOf, searchSizeOf, countOf, choiceOf, fieldsOf, workersOf, bytesOf, sizeOf, byteRangeOf,
  byteOffsetOf
}
