'use strict'

// The options that all commands have, and the exit codes.

/** All documents are good. */
const OK = 0

/** Some documents are not. */
const BAD_DATA = 1

/** Wrong usage, or a file cannot be read or written. */
const UNUSABLE = 2

/** A length in a broken file can say 2 GB, and all of that would be read to find out: bytes. */
const MAX_DOCUMENT_SIZE = 128 * 1024 * 1024

/**
 * As `util.parseArgs` takes it, and two words for the help.
 *
 * @typedef {object} Option
 * @property {'boolean' | 'string'} type
 * @property {string} [short]
 * @property {boolean} [multiple] whether it may be repeated
 * @property {string} [value] a name for what follows it
 * @property {string} help
 */

/** @type {Record<string, Option>} */
const COMMON_OPTIONS = {
  skip: { type: 'string', value: 'N', help: 'leave out the first N documents' },
  limit: { type: 'string', value: 'N', help: 'stop after N documents' },
  'max-document-size': {
    type: 'string',
    value: 'BYTES',
    help: `a longer document, or line, is a fault (default ${MAX_DOCUMENT_SIZE})`
  },
  help: { type: 'boolean', short: 'h', help: 'print this' },
  version: { type: 'boolean', short: 'v', help: 'print the version' }
}

/** Options or arguments that make no sense: said with a hint at the help. */
class UsageError extends Error {}

/** @returns {number} @throws {UsageError} when it is no whole number */
function countOf(options, name, otherwise) {
  const text = options[name]
  if (text === undefined) return otherwise
  if (!/^\d+$/.test(text)) throw new UsageError(`--${name} needs a whole number, not ${JSON.stringify(text)}`)
  return Number(text)
}

/** @param {Record<string, any>} options @returns {number} bytes */
function maxDocumentSizeOf(options) {
  return countOf(options, 'max-document-size', MAX_DOCUMENT_SIZE)
}

/** What --skip and --limit leave, of all files together. */
class Range {
  /** @param {Record<string, any>} options */
  constructor(options) {
    this.skip = countOf(options, 'skip', 0)
    this.limit = countOf(options, 'limit', Infinity)
  }

  /** @returns {boolean} whether nothing more is wanted */
  get isOver() {
    return this.limit === 0
  }

  /** @template T @param {Iterable<T>} items @returns {Generator<T, void>} */
  *of(items) {
    for (const item of items) {
      if (this.skip > 0) this.skip--
      else {
        yield item
        if (--this.limit === 0) return
      }
    }
  }
}

module.exports = {
  OK, BAD_DATA, UNUSABLE, COMMON_OPTIONS, MAX_DOCUMENT_SIZE, UsageError, Range, countOf, maxDocumentSizeOf
}
