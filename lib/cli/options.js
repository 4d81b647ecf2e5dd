'use strict'

// The options that several commands have, and what their values may be.

const os = require('node:os')
const { pathOf } = require('../errors')
const { alternatives } = require('../options')
const { UsageError } = require('./terminal/messages')

/** Bytes: the length in a broken file may be 2 GB, which would all be read before the error is found. */
const MAX_DOCUMENT_SIZE = 128 * 1024 * 1024

/** The most threads to start: each takes about 10 MB. */
const MAX_WORKERS = 64

/**
 * @typedef {object} Option
 * @property {string} [value] a name for its argument, if it takes one
 * @property {string} [short]
 * @property {boolean} [multiple] whether it may be repeated
 * @property {string} help
 * @property {boolean | '@'} [isRead] whether its argument is a file that is read; '@': if an @ precedes it
 * @property {string[]} [needs] options without which it has no effect: one of them is enough
 * @property {string[]} [excludes] options that it cannot be combined with
 * @property {number} [least] the smallest number allowed
 *
 * @typedef {Record<string, Option>} Options
 */

/** @type {Options} */
const COMMON_OPTIONS = {
  help: { short: 'h', help: 'show help' },
  version: { short: 'v', help: 'show the version' }
}

/** For commands that read items in order, such as documents or lines. @type {Options} */
const READING_OPTIONS = {
  skip: { value: 'N', help: 'skip the first N documents' },
  limit: { short: 'n', value: 'N', help: 'stop after N documents' },
  'max-document-size': { value: 'SIZE', help: 'a longer document, or line, is an error (default 128MiB)' }
}

/** The same for commands that print results, not documents. @type {Options} */
const FINDING_OPTIONS = { ...READING_OPTIONS, limit: { ...READING_OPTIONS.limit, least: 1 } }

/** For commands that read BSON. @type {Options} */
const CHOOSING_OPTIONS = {
  ns: { value: 'DB.COLL', multiple: true, help: 'only this collection; may be repeated; DB.* for all of DB' },
  'ns-from': { value: 'PATTERN', multiple: true, help: 'rename these collections: shop.*; may be repeated' },
  'ns-to': { value: 'PATTERN', multiple: true, needs: ['ns-from'], help: 'the new names, one for each --ns-from: copy.*' },
  match: {
    short: 'q', value: 'QUERY', isRead: '@',
    help: 'only documents that match, as in MongoDB: {price: {$gt: 5}}; @FILE: the query in FILE'
  },
  sort: { value: 'A,B:-1', help: 'sort by these fields, descending with :-1; in memory, so use --limit' },
  fields: { short: 'f', value: 'A,B.C', help: 'only these fields, also of documents in arrays' },
  sample: { value: 'N', excludes: ['tail', 'largest', 'sort'], help: 'N documents chosen at random, in their order' },
  seed: { value: 'N', needs: ['sample'], help: 'for --sample: the same seed chooses the same documents (default 1)' },
  tail: { value: 'N', excludes: ['largest', 'sort'], help: 'the last N documents' },
  range: { value: 'OFFSET:LENGTH', help: 'only this part of a file, or of FILE:OFFSET:LENGTH: see split' },
  offset: { value: 'N', help: 'where in a file standard input begins, for the offsets in messages' },
  name: {
    value: 'DB.COLL', excludes: ['ns-from'], help: 'the name of the collection in a file or standard input, or a new one'
  },
  workers: { value: 'N', least: 1, help: 'threads for large files (default: one per core; to-parquet: 1)' },
  'keep-going': { help: 'leave out invalid documents and damage, and count them' },
  'replace-invalid': { help: 'replace what is not UTF-8 in strings by U+FFFD, and count such strings' },
  rejects: { value: 'FILE', needs: ['keep-going'], help: 'with --keep-going: write what is left out to FILE' },
  search: { value: 'SIZE', needs: ['keep-going'], help: 'with --keep-going: how far to look for the next document (default 64MiB)' }
}

/** For all commands but those that talk to a terminal or a shell. @type {Options} */
const OUT_OPTIONS = {
  out: { short: 'o', value: 'FILE', help: 'write to FILE, which is renamed when it is complete; .gz and .zst compress' },
  gzip: { help: 'compress the output' }
}

/** For commands that can write a folder. @type {Options} */
const FOLDER_OPTIONS = {
  ...OUT_OPTIONS,
  out: { ...OUT_OPTIONS.out, help: 'write to FILE, or to FOLDER/ a file for each collection; .gz and .zst compress' }
}

/** All options of a group but some. @param {Options} group @param {string[]} names @returns {Options} */
function except(group, names) {
  return only(group, Object.keys(group).filter(name => !names.includes(name)))
}

/** Picks some options of a group. @param {Options} group @param {string[]} names @returns {Options} */
function only(group, names) {
  return Object.fromEntries(names.map(name => [name, group[name]]))
}

// ---- values; all throw a UsageError on others

/** @returns {number} a whole number; for the smallest one allowed, see `least` in Option */
function countOf(options, name, otherwise) {
  const text = options[name]
  if (text === undefined) return otherwise
  if (!/^\d+$/.test(text)) throw new UsageError(`--${name} needs a whole number, not ${JSON.stringify(text)}`)
  return Number(text)
}

/** @template {string} T @param {T[]} choices @returns {T | undefined} */
function choiceOf(options, name, choices) {
  const choice = options[name]
  if (choice === undefined || choices.includes(choice)) return choice
  const hint = name === 'to' && /^(csv|arrow|parquet)$/.test(choice) ? `: qbson to-${choice} FILE writes it` : ''
  throw new UsageError(`--${name} must be one of ${choices.join(', ')}, not ${JSON.stringify(choice)}${hint}`)
}

/** A name in brackets: `["a.b"]`. */
const BRACKETED = /\[("(?:[^"\\]|\\.)*")\]/

/** A step of a path: a name in brackets, or one with the dot before it. */
const STEP = new RegExp(`${BRACKETED.source}|(?:^|(?<!^)\\.)((?:(?!${BRACKETED.source})[^.])+)`, 'sy')

/**
 * A path as headings of CSV and messages show it: `a.b`, or `a["b.c"].d` if a name has a dot in it.
 *
 * @param {string} text
 * @returns {string | string[]} the names if one is in brackets; otherwise the text
 * @throws {UsageError}
 */
function parsedPath(text) {
  if (!BRACKETED.test(text)) return text
  const keys = []
  for (STEP.lastIndex = 0; STEP.lastIndex < text.length;) {
    const [step, bracketed, name] = STEP.exec(text) ?? []
    if (step === undefined) throw new UsageError(`${text} is not a path such as a["b.c"].d`)
    keys.push(bracketed === undefined ? name : nameIn(bracketed))
  }
  return keys
}

/** @param {string} json @returns {string} */
function nameIn(json) {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new UsageError(`[${json}] is not the name of a field: ${error.message}`)
  }
}

/** What may divide a list, and what does not, such as a comma in brackets. */
const PIECE = new RegExp(`${BRACKETED.source}|.`, 'gs')

/** @param {string} text @returns {string[]} what is between its commas */
function itemsOf(text) {
  const items = ['']
  for (const [piece] of text.matchAll(PIECE)) {
    if (piece === ',') items.push('')
    else items[items.length - 1] += piece
  }
  return items.map(item => item.trim())
}

/** @param {string | string[]} path @returns {string[]} its names */
function keysOf(path) {
  return typeof path === 'string' ? path.split('.') : path
}

/** @param {string | string[]} path @returns {string} as messages show it */
function shownPath(path) {
  return typeof path === 'string' ? path : pathOf(path)
}

/** @returns {(string | string[])[] | undefined} the paths in `a,b.c`, without those in another one */
function fieldsOf(options, name) {
  if (options[name] === undefined) return undefined
  const items = itemsOf(options[name]).filter(item => item !== '')
  if (items.length === 0) throw new UsageError(`--${name} needs names such as a,b.c`)
  const isOdd = /^\s*(?:\{|\$\.)/.test(options[name]) // a projection of the shell, or a path of JSONPath
  if (isOdd) throw new UsageError(`--${name} needs names such as a,b.c, not ${JSON.stringify(options[name])}`)
  const idOf = keys => JSON.stringify(keys)
  const paths = new Map(items.map(parsedPath).map(path => [idOf(keysOf(path)), path]))
  const isInOther = path => keysOf(path).some((_, i, keys) => i > 0 && paths.has(idOf(keys.slice(0, i))))
  return [...paths.values()].filter(path => !isInOther(path))
}

/** An equals sign in brackets belongs to a name. */
const PATH_AND_JSON = new RegExp(`^((?:${BRACKETED.source}|[^=])+)=(.*)$`, 's')

/** @param {string} text of --set @returns {{path: string, json: string}} */
function setPartsOf(text) {
  const [, path, , json] = PATH_AND_JSON.exec(text) ?? []
  if (path === undefined) throw new UsageError(`--set needs PATH=JSON, not ${JSON.stringify(text)}`)
  return { path, json }
}

/** @returns {number} threads */
function workersOf(options, otherwise = os.availableParallelism()) {
  return Math.min(MAX_WORKERS, countOf(options, 'workers', otherwise))
}

const UNITS = { '': 1, k: 1e3, m: 1e6, g: 1e9, kb: 1e3, mb: 1e6, gb: 1e9, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30 }

/** @returns {number} bytes: `128MB`, `64MiB`, `1000` */
function sizeOf(options, name, otherwise) {
  const text = options[name] ?? String(otherwise)
  const [, number, unit] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text) ?? []
  const size = Math.floor(Number(number) * (UNITS[unit?.toLowerCase()] ?? NaN))
  if (!(size > 0)) throw new UsageError(`--${name} needs a size such as 64MB, not ${JSON.stringify(text)}`)
  return size
}

/** @returns {number} bytes */
function maxDocumentSizeOf(options) {
  return sizeOf(options, 'max-document-size', MAX_DOCUMENT_SIZE)
}

/** @param {any} options @param {string[]} files */
function byteRangeOf({ range }, files) {
  if (range === undefined) return undefined
  if (files.includes('-')) {
    throw new UsageError('--range needs the name of a file; of a part in standard input, --offset says where it begins')
  }
  const [, offset, length] = /^(?:.+:)?(\d+):(\d+)$/s.exec(range) ?? []
  if (offset === undefined) throw new UsageError(`--range needs OFFSET:LENGTH in bytes, not ${JSON.stringify(range)}`)
  if (!Number.isSafeInteger(Number(offset) + Number(length))) throw new UsageError(`--range ${range} is beyond any file`)
  return { offset: Number(offset), length: Number(length) }
}

/** @returns {number} bytes before standard input in the file that it is a part of */
function byteOffsetOf(options, files) {
  const offset = countOf(options, 'offset', 0)
  if (options.offset === undefined || files.join() === '-') return offset
  throw new UsageError('--offset is for standard input: of a file, --range reads a part')
}

/** Options whose values could be meant together: that of other ones which are repeated is the last. */
const ONCE = ['match', 'sort', 'fields', 'json', 'geo', 'unwind', 'out', 'range', 'rejects', 'schema', 'name']

/** @param {any[]} tokens of parseArgs @throws {UsageError} when a value would be dropped silently */
function checkTokens(tokens) {
  const given = new Map()
  for (const { name, value } of tokens) {
    if (!ONCE.includes(name)) continue
    if ((given.get(name) ?? value) !== value) throw new UsageError(`--${name} is given twice, with different values`)
    given.set(name, value)
  }
}

/** Options that need the name of something. */
const NAMED = ['ns', 'unwind', 'out', 'rejects']

/**
 * @param {Record<string, any>} options as given
 * @param {Options} known those of the command
 * @throws {UsageError} when an option would have no effect, or does not go with another one
 */
function checkOptions(options, known) {
  for (const [name, { needs, excludes, least }] of Object.entries(known)) {
    if (options[name] === undefined) continue
    const other = excludes?.find(each => options[each] !== undefined)
    if (other !== undefined) throw new UsageError(`--${name} and --${other} cannot be combined`)
    const hasNone = needs?.every(needed => options[needed] === undefined)
    if (hasNone) throw new UsageError(`--${name} needs ${alternatives(needs.map(each => `--${each}`))}`)
    const isLess = least !== undefined && countOf(options, name, least) < least
    if (isLess) throw new UsageError(`--${name} needs at least ${least}, not ${options[name]}`)
  }
  const nameless = NAMED.find(name => [options[name]].flat().includes(''))
  if (nameless !== undefined) throw new UsageError(`--${nameless} needs a name`)
}

/** The items that --skip and --limit select, counted over all files. */
class Range {
  constructor(options) {
    this.skip = countOf(options, 'skip', 0)
    this.limit = countOf(options, 'limit', Infinity)
  }

  /** Whether no more items are wanted. */
  get isOver() {
    return this.limit === 0
  }

  /** Whether all items are wanted. */
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
}

module.exports = {
  COMMON_OPTIONS, READING_OPTIONS, FINDING_OPTIONS, CHOOSING_OPTIONS, OUT_OPTIONS, FOLDER_OPTIONS, MAX_DOCUMENT_SIZE,
  Range, only, except, countOf, choiceOf, parsedPath, keysOf, shownPath, itemsOf, fieldsOf, setPartsOf, workersOf,
  sizeOf, maxDocumentSizeOf, byteRangeOf, byteOffsetOf, checkOptions, checkTokens
}
