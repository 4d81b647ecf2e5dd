'use strict'

// The options that several commands have. Their values are read once, before anything else happens: see values.js.

const os = require('node:os')
const { alternatives } = require('../../options')
const { UsageError } = require('../terminal/messages')
const { collectionName, keysOf, shownPath, valueOf } = require('./values')

/** Bytes: the length in a broken file may be 2 GB, which would all be read before the error is found. */
const MAX_DOCUMENT_SIZE = 128 * 1024 * 1024

/** Bytes: how far to search for a document after damage. */
const SEARCH = 64 * 1024 * 1024

/**
 * @typedef {object} Option
 * @property {string} [value] a name for its argument, if it takes one, which tells how it is read: see values.js
 * @property {string[]} [choices] what its argument may be
 * @property {(text: string, name: string) => any} [read] its argument; throws a UsageError
 * @property {any} [default] its value when it is not given
 * @property {string} [short]
 * @property {boolean} [multiple] whether it may be repeated
 * @property {string} help
 * @property {boolean | '@'} [isRead] whether its argument is a file that is read; '@': if an @ precedes it
 * @property {string[]} [needs] options without which it has no effect: one of them is enough
 * @property {string[]} [excludes] options that it cannot be combined with, but for the one that its argument names
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
  'max-document-size': {
    value: 'SIZE', default: MAX_DOCUMENT_SIZE, help: 'a longer document, or line, is an error (default 128MiB)'
  }
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
  seed: { value: 'N', default: 1, needs: ['sample'], help: 'for --sample: the same seed chooses the same documents (default 1)' },
  tail: { value: 'N', excludes: ['largest', 'sort'], help: 'the last N documents' },
  range: { value: 'OFFSET:LENGTH', help: 'only this part of a file, or of FILE:OFFSET:LENGTH: see split' },
  offset: { value: 'N', help: 'where in a file standard input begins, for the offsets in messages' },
  name: {
    value: 'DB.COLL', excludes: ['ns-from'], read: collectionName,
    help: 'the name of the collection in a file or standard input, or a new one'
  },
  workers: {
    value: 'N', least: 1, default: os.availableParallelism(), help: 'threads for large files (default: one per core; to-parquet: 1)'
  },
  'keep-going': { help: 'leave out invalid documents and damage, and count them' },
  'replace-invalid': { help: 'replace what is not UTF-8 in strings by U+FFFD, and count such strings' },
  rejects: { value: 'FILE', needs: ['keep-going'], help: 'with --keep-going: write what is left out to FILE' },
  search: {
    value: 'SIZE', default: SEARCH, needs: ['keep-going'],
    help: 'with --keep-going: how far to look for the next document (default 64MiB)'
  }
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

/** Arguments that could be meant together: of other ones that are repeated, such as numbers, the last counts. */
const ONCE = ['QUERY', 'A,B:-1', 'A,B.C', 'A,B', 'FIELD', 'FILE', 'OFFSET:LENGTH', 'DB.COLL']

/** @param {any[]} tokens of parseArgs @throws {UsageError} when a value would be dropped silently */
function checkTokens(tokens, known) {
  const given = new Map()
  for (const { name, value } of tokens) {
    if (!ONCE.includes(known[name]?.value) || known[name].multiple) continue
    if ((given.get(name) ?? value) !== value) throw new UsageError(`--${name} is given twice, with different values`)
    given.set(name, value)
  }
}

/**
 * @param {Record<string, any>} given texts
 * @param {Options} known the options of the command
 * @returns {Record<string, any>} their values, and the defaults of others
 * @throws {UsageError} when an option makes no sense, would have no effect, or does not go with another one
 */
function readOptions(given, known) {
  const values = {}
  for (const [name, row] of Object.entries(known)) {
    const { needs, excludes, multiple } = row
    const text = given[name]
    if (text === undefined) {
      if (row.default !== undefined) values[name] = row.default
      continue
    }
    const other = excludes?.find(each => given[each] !== undefined && text !== each)
    if (other !== undefined) throw new UsageError(`--${name} and --${other} cannot be combined`)
    const hasNone = needs?.every(needed => given[needed] === undefined)
    if (hasNone) throw new UsageError(`--${name} needs ${alternatives(needs.map(each => `--${each}`))}`)
    const read = each => each === true ? true : valueOf(each, name, row)
    values[name] = multiple ? text.map(read) : read(text)
  }
  return values
}

module.exports = {
  COMMON_OPTIONS, READING_OPTIONS, FINDING_OPTIONS, CHOOSING_OPTIONS, OUT_OPTIONS, FOLDER_OPTIONS,
  collectionName, only, except, keysOf, shownPath, checkTokens, readOptions
}
