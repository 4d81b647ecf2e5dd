'use strict'

// What --set, --unset, --hash and --mask do to values, as edits of lib/raw/rewrite.js.

const { locateInCopy } = require('../../elements')
const { editTree, Rewriter } = require('../../raw')
const { QueryError, asUsage, say } = require('../terminal/messages')
const { MASK } = require('./mask')

/**
 * @typedef {import('./documents').Sink} Sink
 * @typedef {import('../options/values').Path} Path
 *
 * @typedef {{set?: {path: Path, added: import('../../raw/rewrite').RawValue}[], unset?: Path[], hash?: Path[],
 *   mask?: Path[], key?: Uint8Array, match?: Uint8Array}} Edits `key`: of hashes; `match`: the query of documents to
 *   change, default all
 */

/** In a form that can be sent to another thread. @param {any} options @returns {Edits | undefined} */
function editsOf({ set, unset, hash, mask, 'key-file': key }, io) {
  if ((set ?? unset ?? hash ?? mask) === undefined) return undefined
  if (hash === undefined) return { set, unset, mask }
  if (key === undefined) say(io, '--hash uses a new random key, so another run produces other hashes (see --key-file)')
  return { set, unset, hash, mask, key: new Uint8Array(key ?? require('node:crypto').randomBytes(32)) }
}

/** @typedef {{option: string, path: Path, edit: import('../../raw/rewrite').Edit}} NamedEdit with its option */

/** @param {Edits} edits @returns {NamedEdit[]} @throws {UsageError} */
function listOf({ set = [], unset = [], hash = [], mask = [], key }) {
  const hashing = hash.length > 0 ? require('./hash').hashEdit(key) : null // loads queries
  return [
    ...set.map(({ path, added }) => ({ option: 'set', path, edit: { of: () => added, added } })),
    ...unset.map(path => ({ option: 'unset', path, edit: { of: () => null } })),
    ...hash.map(path => ({ option: 'hash', path, edit: { ...hashing, derives: true } })),
    ...mask.map(path => ({ option: 'mask', path, edit: { ...MASK, derives: true } }))
  ]
}

/**
 * @param {Uint8Array} query of --match
 * @returns {(bytes: Uint8Array, start?: number, end?: number) => boolean} of a document in the bytes
 * @throws {QueryError} when it needs what is not supported
 */
function matcherOf(query) {
  const { matcher } = require('../../query')
  return asUsage(() => matcher(query), '--match: ', QueryError)
}

/** Writes edited documents, and counts what each edit meets. @implements {Sink} */
class Editor extends Rewriter {
  /** @param {Edits} edits @param {Sink | null} [picker] of fields, before the edits @throws {UsageError} */
  constructor(edits, picker = null) {
    const list = listOf(edits)
    super(asUsage(() => editTree(list)))
    this.list = list
    this.picker = picker
    this.match = edits.match === undefined ? null : matcherOf(edits.match)
    this.matched = 0
  }

  /** @param {Uint8Array} buf @param {number} [start] of a document @param {number} [end] @throws {BSONError} */
  write(buf, start = 0, end = buf.length) {
    const isMatch = this.match === null || this.match(buf, start, end)
    if (this.picker === null) return this.change(buf, start, end, isMatch)
    this.picker.pos = 0
    this.picker.write(buf, start, end)
    const { bytes } = this.picker
    try {
      this.change(bytes, 0, bytes.length, isMatch)
    } catch (error) {
      throw locateInCopy(error, bytes)
    }
  }

  /** @private */
  change(buf, start, end, isMatch) {
    if (!isMatch) return this.copy(buf, start, end)
    super.write(buf, start, end)
    this.matched++
  }

  /** @returns {number[]} the documents that matched and those that each edit changed, since the last call */
  takeCounts() {
    const counts = [this.matched, ...this.list.map(({ edit }) => edit.count ?? 0)]
    this.matched = 0
    for (const { edit } of this.list) edit.count = 0
    return counts
  }
}

module.exports = { editsOf, Editor, matcherOf }
