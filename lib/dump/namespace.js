'use strict'

// Names of collections and of their files.

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
    /** Why that file is not read: it is not there, or holds what another one holds too. @type {string | undefined} */
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

/**
 * @param {Record<string, any> | null} metadata parsed
 * @param {unknown} stated by a dump of 2021 and later
 * @returns {CollectionType | undefined}
 */
function typeFrom(metadata, stated) {
  if (typeof stated === 'string') return stated
  return metadata?.options?.viewOn === undefined ? undefined : 'view'
}

/** What is wrong with metadata that is no JSON. */
const NO_JSON = 'are no JSON'

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

/** How names end that mongodump has shortened: `%24`, a hash. */
const SHORTENED = /%24[\w-]*$/

/** @param {string} file without folders @returns {boolean} whether it may hold the documents of a collection */
function isCollectionFile(file) {
  return FILE.test(file)
}

/**
 * The collection of a file, as mongorestore sees it: its metadata say what a shortened name is, or an ambiguous one,
 * but not that of a file with another name.
 *
 * @param {string} stem of the file's name: `my+orders`
 * @param {unknown} stated the name in the metadata, if any
 * @returns {string}
 */
function collectionOf(stem, stated) {
  const names = [stem.replaceAll('+', ' '), stem].map(unescapeName) // mongodump before 100.0 wrote `%20`, and kept a plus
  return typeof stated === 'string' && (SHORTENED.test(stem) || names.includes(stated)) ? stated : names[0]
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
  const escaped = encodeURIComponent(whole).replace(/%(40|26|3D|24)/g, decodeURIComponent)
  return escaped.replace(/[!'()*]|^\.+$|\.$/g, percentEncoded).replace(RESERVED, percentEncoded)
}

/**
 * The name of the folder of a database: its name, as mongodump and mongorestore take it. Only what some platform does
 * not allow is percent-encoded.
 *
 * @param {string} db
 * @returns {string}
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
  BUCKETS, Namespace, NO_JSON, isView, parseMetadata, typeFrom, parseNamespace, isCollectionFile, collectionOf,
  escapeName, folderNameOf
}
