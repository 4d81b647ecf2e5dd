'use strict'

// What --set, --unset, --hash and --mask do to values, as edits of lib/raw/rewrite.js.

const { locateInCopy } = require('../../elements')
const { editTree, Rewriter } = require('../../raw')
const { UsageError, asUsage, readFile, say } = require('../terminal/messages')
const { parsedPath, setPartsOf } = require('../options')
const { MASK } = require('./mask')

/**
 * @typedef {import('./documents').Sink} Sink
 *
 * @typedef {{set?: string[], unset?: string[], hash?: string[], mask?: string[], key?: Uint8Array,
 *   match?: string}} Edits `key`: of hashes; `match`: the query of documents to change, default all
 */

/**
 * The edits with their key, in a form that can be sent to another thread.
 *
 * @param {Record<string, any>} options
 * @returns {Edits | undefined}
 */
function editsOf({ set, unset, hash, mask, 'key-file': file }, io) {
  if ((set ?? unset ?? hash ?? mask) === undefined) return undefined
  if (hash === undefined) return { set, unset, mask }
  if (file === undefined) say(io, '--hash uses a new random key, so another run produces other hashes (see --key-file)')
  const key = file === undefined ? require('node:crypto').randomBytes(32) : readFile(file, '--key-file: ')
  if (key.length < 16) throw new UsageError(`${file}: a key must have at least 16 bytes`)
  return { set, unset, hash, mask, key: new Uint8Array(key) }
}

/** @typedef {{option: string, path: string, edit: import('../../raw/rewrite').Edit}} NamedEdit with its option */

/** @param {Edits} edits @returns {NamedEdit[]} @throws {UsageError} */
function listOf({ set = [], unset = [], hash = [], mask = [], key }) {
  const hashing = hash.length > 0 ? require('./hash').hashEdit(key) : null // loads queries
  return [
    ...set.map(setEdit),
    ...unset.map(path => ({ option: 'unset', path, edit: { of: () => null } })),
    ...hash.map(path => ({ option: 'hash', path, edit: { ...hashing, derives: true } })),
    ...mask.map(path => ({ option: 'mask', path, edit: { ...MASK, derives: true } }))
  ]
}

/** Writes edited documents, and counts what each edit meets. @implements {Sink} */
class Editor extends Rewriter {
  /** @param {Edits} edits @param {Sink | null} [picker] of fields, before the edits @throws {UsageError} */
  constructor(edits, picker = null) {
    const list = listOf(edits)
    super(asUsage(() => editTree(list.map(({ path, edit }) => ({ path: parsedPath(path), edit })))))
    this.list = list
    this.picker = picker
    this.match = edits.match === undefined ? null : require('./match').matcherOf(edits.match)
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

/** @param {string} text `path=json` */
function setEdit(text) {
  const { path, json } = setPartsOf(text)
  try {
    if (!/[({'/]/.test(json)) JSON.parse(json) // refuses a word of the shell, such as undefined
    const extendedJSON = require('./match').extendedJSONOf(json)
    const bytes = require('../../ejson').EJSON.toBSON(`{${JSON.stringify(path)}:${extendedJSON}}`)
    const added = { type: bytes[4], buf: bytes, start: bytes.indexOf(0, 5) + 1, end: bytes.length - 1 }
    return { option: 'set', path, edit: { of: () => added, added } }
  } catch (error) {
    throw new UsageError(`--set ${text}: ${error.message}${error instanceof SyntaxError ? ` (text needs quotes: name='"x"')` : ''}`)
  }
}

module.exports = { editsOf, Editor }
