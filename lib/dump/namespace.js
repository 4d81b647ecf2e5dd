'use strict'

// The names of collections, and the names of their files.

/** @typedef {'collection' | 'view' | 'timeseries' | string} CollectionType */

/** A collection of a dump. */
class Namespace {
  /**
   * @param {string} db `''` where nothing says it
   * @param {string} collection `''` where nothing says it
   * @param {{metadata?: string, type?: CollectionType, file?: string}} [known]
   */
  constructor(db, collection, { metadata, type, file } = {}) {
    this.db = db
    this.collection = collection
    /** What mongodump writes about its options and indexes: Extended JSON text. @type {string | undefined} */
    this.metadata = metadata
    /** @type {CollectionType | undefined} */
    this.type = type
    /** Where its documents lie. @type {string | undefined} */
    this.file = file
  }

  /** `db.collection` */
  get name() {
    return this.db === '' ? this.collection : `${this.db}.${this.collection}`
  }
}

/**
 * @param {string} text `db.collection`; a collection's name may hold dots
 * @returns {Namespace}
 */
function parseNamespace(text) {
  const dot = text.indexOf('.')
  return dot === -1 ? new Namespace('', text) : new Namespace(text.slice(0, dot), text.slice(dot + 1))
}

/** `orders.bson`, `orders.bson.gz`: the second is how it is compressed. */
const FILE = /^(.*)\.bson(\.gz|\.zst)?$/s

/** @param {string} file without folders @returns {string | undefined} a collection's name; undefined for other files */
function collectionOfFile(file) {
  const match = FILE.exec(file)
  return match === null ? undefined : unescapeName(match[1])
}

/** As mongodump names files: what a path may not hold is written as %2F. */
function escapeName(name) {
  return encodeURIComponent(name).replace(/[!'()*~]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%(3A|40|26|3D|2B|24|7E)/g, decodeURIComponent)
}

function unescapeName(name) {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

module.exports = { Namespace, parseNamespace, collectionOfFile, escapeName }
