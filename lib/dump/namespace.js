'use strict'

// Names of collections and of their files.

const { nearest } = require('../nearest')
const { text } = require('../options')

/** @typedef {'collection' | 'view' | 'timeseries' | string} CollectionType */

/** A collection of a dump. */
class Namespace {
  /**
   * @param {string} db `''` if unknown
   * @param {string} collection `''` if unknown
   * @param {{metadata?: string, type?: CollectionType, file?: string, metadataFault?: string}} [known]
   */
  constructor(db, collection, known) {
    const { metadata, type, file, metadataFault } = known ?? {}
    this.db = text(db, 'db')
    this.collection = text(collection, 'collection')
    /** Its options and indexes as mongodump writes them: Extended JSON text. @type {string | undefined} */
    this.metadata = metadata
    /** What is wrong with them: they are no JSON, or cannot be read. @type {string | undefined} */
    this.metadataFault = metadataFault
    /** @type {CollectionType | undefined} */
    this.type = type
    /** The file with its documents. @type {string | undefined} */
    this.file = file
    /** Why that file is not read: it is missing, or holds what another one holds. @type {Error | undefined} */
    this.fault = undefined
  }

  /** `db.collection` */
  get name() {
    return this.db === '' ? this.collection : `${this.db}.${this.collection}`
  }
}

/** Before the name of a time series, that of the collection with its documents. */
const BUCKETS = 'system.buckets.'

/** Whether its documents, if any, are in other collections. @param {Namespace} namespace @returns {boolean} */
function isView({ type }) {
  return type === 'view' || type === 'timeseries'
}

/** @param {string} [text] @returns {Record<string, any> | null} null: it is not JSON */
function parseMetadata(text) {
  try {
    return Object(text === undefined ? {} : JSON.parse(text))
  } catch {
    return null
  }
}

/** What mongodump writes of a collection. */
const FIELDS = ['options', 'indexes', 'uuid', 'collectionName', 'type']

/** @param {string} [text] of metadata @returns {string | undefined} what is wrong with them, so far as they show it */
function faultOfMetadata(text) {
  const known = parseMetadata(text)
  if (known === null) return 'are no JSON'
  for (const name of Object.keys(known).slice(0, 2 * FIELDS.length)) {
    const meant = nearest(name, FIELDS)
    if (meant !== undefined && !Object.hasOwn(known, meant)) return `have ${JSON.stringify(name)} instead of "${meant}"`
  }
  const indexes = Array.isArray(known.indexes) ? known.indexes : []
  return indexes.every(index => index?.key && typeof index.name === 'string') ? undefined : 'hold an index without a key or a name'
}

/**
 * Splits the name of a collection.
 *
 * @param {string} name `db.collection`; a collection's name may contain dots
 * @returns {Namespace}
 * @throws {import('../errors').BSONError} on anything but a string
 */
function parseNamespace(name) {
  const dot = text(name, 'a namespace').indexOf('.')
  return dot === -1 ? new Namespace('', name) : new Namespace(name.slice(0, dot), name.slice(dot + 1))
}

/** `orders.bson`, `orders.bson.gz`: the second group is the compression. */
const FILE = /^(.*)\.bson(\.gz|\.zst)?$/s

/** @param {string} file without folders @returns {string | undefined} a collection's name; undefined for other files */
function collectionOfFile(file) {
  const match = FILE.exec(file)
  return match === null ? undefined : unescapeName(match[1])
}

/** Names that Windows reserves for devices, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/**
 * The name of the file or folder that mongodump uses: characters not allowed in a path are percent-encoded, like %2F.
 * So is what some platform does not allow, on all of them: no name leads out of its folder, or to a device.
 *
 * @param {string} name of a collection or database
 * @returns {string}
 * @throws {import('../errors').BSONError} on anything but a string
 */
function escapeName(name) {
  const whole = /** @type {any} */ (text(name, 'a name')).toWellFormed() // half a surrogate pair cannot be encoded
  const escaped = encodeURIComponent(whole).replace(/%(40|26|3D|2B|24)/g, decodeURIComponent)
  return escaped.replace(/[!'()*]|^\.+$|\.$/g, percentEncoded).replace(RESERVED, percentEncoded)
}

/**
 * The name of the folder of a database: its name, as mongodump and mongorestore take it. Only what some platform does
 * not allow is percent-encoded.
 */
function folderNameOf(db) {
  const whole = /** @type {any} */ (db).toWellFormed()
  return whole.replace(/[\x00-\x1f\x7f<>:"/\\|?*]|^\.+$|[. ]$/g, percentEncoded).replace(RESERVED, percentEncoded)
}

function percentEncoded(text) {
  return text.replace(/[^]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

function unescapeName(name) {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

module.exports = {
  BUCKETS, Namespace, isView, faultOfMetadata, parseMetadata, parseNamespace, collectionOfFile, escapeName, folderNameOf
}
