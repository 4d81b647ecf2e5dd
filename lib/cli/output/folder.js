'use strict'

const path = require('node:path')
const { createHash } = require('node:crypto')
const { escapeName } = require('../../dump')
const { folderNameOf, isView } = require('../../dump/namespace')
const { UsageError } = require('../terminal/messages')

/** Bytes from which on mongodump shortens the name of a file, to exactly as many. */
const MAX_NAME = 238

/**
 * @typedef {import('../../dump/namespace').Namespace} Namespace
 * @typedef {import('./target').Target} Target
 *
 * @typedef {{extension: string, isArray?: boolean, hasMetadata?: boolean}} FolderFormat `extension`: of the files, such
 *   as `.json`; `isArray`: see Target; `hasMetadata`: whether each file has its metadata beside it
 */

/** A folder with a file for each collection, as mongodump writes it: `db/collection.bson`. */
class Folder {
  /** @param {string} name @param {import('./targets').Targets} targets */
  constructor(name, targets) {
    this.name = name
    this.targets = targets
    this.ending = targets.options.gzip ? '.gz' : ''
    /** @type {Map<string, {base: string, from: string, target: Target | null}>} by namespace */
    this.entries = new Map()
    /** The one that was written last: of thousands, only this one is open. @type {Target | undefined} */
    this.last = undefined
    targets.makeFolder(name)
  }

  /**
   * @param {Namespace} namespace
   * @param {string} from the file it comes from
   * @param {FolderFormat} format
   * @param {Uint8Array | string | null} piece null: a file that may stay empty. A view or a time series has none
   *   unless it has documents
   * @throws {UsageError} when another input has a collection of the same name
   */
  async write(namespace, from, format, piece) {
    const entry = await this.entryOf(namespace, from, format)
    if (piece === null && isView(namespace)) return
    entry.target ??= await this.targets.claim(entry.base + format.extension + this.ending, { isArray: format.isArray })
    await this.writeTo(entry.target, piece ?? '')
  }

  async writeTo(target, piece) {
    if (this.last !== target) this.last?.sink.suspend()
    this.last = target
    await target.write(piece)
  }

  /** @param {Namespace} namespace @param {string} from @param {FolderFormat} format */
  async entryOf({ db, collection, name, metadata }, from, { hasMetadata }) {
    const key = JSON.stringify([db, collection])
    const known = this.entries.get(key)
    if (known?.from === from) return known
    if (known !== undefined) {
      throw new UsageError(`both ${known.from} and ${from} contain ${name}, and each needs an output of its own`)
    }
    if (db === '' && collection === '') throw new UsageError('the collection needs a name: --name db.collection')
    const folder = path.join(this.name, shortened(folderNameOf(db), db))
    this.targets.makeFolder(folder)
    const stem = shortened(escapeName(collection), collection)
    const base = path.join(folder, stem)
    const about = metadata ?? (stem.length >= MAX_NAME ? JSON.stringify({ collectionName: collection }) : undefined)
    if (hasMetadata && about !== undefined) {
      await this.writeTo(await this.targets.claim(`${base}.metadata.json${this.ending}`), about)
    }
    const entry = { base, from, target: null }
    this.entries.set(key, entry)
    return entry
  }
}

/** @param {string} escaped @param {string} name @returns {string} long ones are only in the metadata as a whole */
function shortened(escaped, name) {
  if (escaped.length < MAX_NAME) return escaped
  return `${escaped.slice(0, 208)}%24${createHash('sha1').update(name).digest('base64url')}`
}

module.exports = { Folder }
