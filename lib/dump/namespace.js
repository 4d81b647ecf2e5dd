'use strict'

// Names of collections and of their files.

/** @typedef {'collection' | 'view' | 'timeseries' | string} CollectionType */

/** A collection of a dump. */
class Namespace {
  /**
   * @param {string} db `''` if unknown
   * @param {string} collection `''` if unknown
   * @param {{metadata?: string, type?: CollectionType, file?: string}} [known]
   */
  constructor(db, collection, { metadata, type, file } = {}) {
    this.db = db
    this.collection = collection
    /** Its options and indexes as mongodump writes them: Extended JSON text. @type {string | undefined} */
    this.metadata = metadata
    /** @type {CollectionType | undefined} */
    this.type = type
    /** The file with its documents. @type {string | undefined} */
    this.file = file
  }

  /** `db.collection` */
  get name() {
    return this.db === '' ? this.collection : `${this.db}.${this.collection}`
  }
}

/**
 * Splits the name of a collection.
 *
 * @param {string} text `db.collection`; a collection's name may contain dots
 * @returns {Namespace}
 */
function parseNamespace(text) {
  const dot = text.indexOf('.')
  return dot === -1 ? new Namespace('', text) : new Namespace(text.slice(0, dot), text.slice(dot + 1))
}

/** `orders.bson`, `orders.bson.gz`: the second group is the compression. */
const FILE = /^(.*)\.bson(\.gz|\.zst)?$/s

/** @param {string} file without folders @returns {string | undefined} a collection's name; undefined for other files */
function collectionOfFile(file) {
  const match = FILE.exec(file)
  return match === null ? undefined : unescapeName(match[1])
}

/** The file name mongodump uses: characters not allowed in a path are percent-encoded, like %2F. */
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
