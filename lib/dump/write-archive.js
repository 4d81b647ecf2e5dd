'use strict'

// Writes archives as mongodump does, for mongorestore to read.

const { MIN_DOCUMENT_SIZE } = require('../spec')
const { BSONError, BSONRuntimeError, describePlace, errorAtOffset, shownName, shownValue } = require('../errors')
const { allocate, concat, getInt32, isUint8Array, putInt32, toBytes } = require('../bytes')
const { isIterable, optionsOf, refusal, string } = require('../options')
const { encode } = require('../encode')
const { Int32, Long } = require('../types')
const { MAGIC, TERMINATOR } = require('./archive')
const { Crc64 } = require('./crc64')
const { BUCKETS, Namespace } = require('./namespace')

/**
 * A collection being written.
 *
 * @typedef {object} Open
 * @property {Namespace} namespace
 * @property {Crc64} crc
 * @property {boolean} isEmpty
 * @property {Open} [series] the time series whose documents it has
 */

/** The operations during a dump: mongodump --oplog gives their collection no database. */
const OPLOG = 'oplog'

/** The version of the format. */
const VERSION = '0.1'

/** The server version if the source does not give one: mongorestore rejects an archive without it. */
const SERVER_VERSION = '7.0.0'

const readHeader = optionsOf({ server_version: string, tool_version: string })

/**
 * Makes an archive piece by piece: `begin()`, then `add(namespace, documents)` in any order, then `end()`. The pieces
 * make up the file in this order.
 */
class ArchiveWriter {
  /**
   * @param {Namespace[]} namespaces all of them, because an archive starts with their names
   * @param {{server_version?: string, tool_version?: string}} [header] of the archive or folder these come from
   * @throws {BSONError} when two have the same name or one has none
   */
  constructor(namespaces, header) {
    if (!isIterable(namespaces)) throw refusal('namespaces', namespaces, 'an array of Namespaces')
    this.header = readHeader(header)
    this.state = 'has not begun'
    /** @type {Map<string, Open>} */
    this.open = new Map()
    for (const namespace of namespaces) this.include(namespace)
    for (const open of [...this.open.values()]) if (open.namespace.type === 'timeseries') this.includeBuckets(open)
  }

  /** @internal @param {Namespace} namespace */
  include(namespace) {
    const name = nameOf(namespace)
    const { db, collection } = namespace
    if (collection === '' || (db === '' && collection !== OPLOG)) {
      throw new BSONRuntimeError(`an archive needs the database and the collection of ${shownName(name) || 'its documents'}`)
    }
    if (this.open.has(name)) throw new BSONRuntimeError(`there are two collections ${shownName(name)}`)
    this.open.set(name, { namespace, crc: new Crc64(), isEmpty: true })
  }

  /** The collection with the documents of a time series, which mongodump does not list. @param {Open} series */
  includeBuckets(series) {
    const { db, collection } = series.namespace
    const buckets = new Namespace(db, BUCKETS + collection)
    if (!this.open.has(buckets.name)) this.include(buckets)
    this.open.get(buckets.name).series = series
  }

  /** @returns {Uint8Array} what goes before the first documents @throws {BSONError} the second time */
  begin() {
    this.pass('begin', 'has not begun', 'has begun')
    const { server_version = SERVER_VERSION, tool_version = '' } = this.header
    const header = { concurrent_collections: new Int32(1), version: VERSION, server_version, tool_version }
    const parts = [int32(MAGIC), encode(header)]
    for (const { namespace, series } of this.open.values()) {
      if (series === undefined || namespace.metadata !== undefined) parts.push(aboutOf(namespace))
    }
    return concat([...parts, int32(TERMINATOR)])
  }

  /**
   * @param {Namespace} namespace one of those passed to the constructor
   * @param {Uint8Array} documents whole ones, one after another; not copied
   * @returns {Uint8Array[]} pieces
   * @throws {BSONError} on an unknown namespace, a document that is not whole, and before `begin` or after `end`
   */
  add(namespace, documents) {
    this.pass('add', 'has begun', 'has begun')
    const name = nameOf(namespace)
    const open = this.open.get(name)
    if (open === undefined) throw new BSONError(`the archive has no ${shownName(name)}`)
    if (!isUint8Array(documents)) throw refusal('documents', documents, 'a Uint8Array')
    if (toBytes(documents).length === 0) return [] // not if it is detached
    this.checkWhole(documents)
    open.crc.update(documents)
    open.isEmpty = false
    return [headerOf(namespace, false, 0n), documents, int32(TERMINATOR)]
  }

  /**
   * A document that is cut short, such as at the end of a chunk of a file, would make the archive unreadable.
   *
   * @internal
   * @param {Uint8Array} documents
   * @throws {BSONError}
   */
  checkWhole(documents) {
    const { length } = documents
    for (let start = 0, size; start < length; start += size) {
      size = getInt32(documents, start)
      if (size < MIN_DOCUMENT_SIZE || size > length - start) {
        throw describePlace(errorAtOffset('add needs whole documents, one after another', start))
      }
    }
  }

  /**
   * What mongorestore has not seen the end of, it does not create, not even a view.
   *
   * @returns {Uint8Array} what goes after the last documents
   * @throws {BSONError} before `begin`, or the second time
   */
  end() {
    this.pass('end', 'has begun', 'has ended')
    const parts = []
    for (const { namespace, crc, isEmpty, series } of this.open.values()) {
      const isElsewhere = namespace.type === 'timeseries' || series?.isEmpty === false
      if (!isEmpty || !isElsewhere) parts.push(headerOf(namespace, true, crc.value), int32(TERMINATOR))
    }
    return concat(parts)
  }

  /** @param {string} name of a method @param {string} from the state that it needs @param {string} to */
  pass(name, from, to) {
    if (this.state !== from) throw new BSONError(`${name}: the archive ${this.state}`)
    this.state = to
  }
}

function nameOf(namespace) {
  const { db, collection, name } = Object(namespace)
  if ([db, collection, name].every(part => typeof part === 'string')) return name
  throw new BSONRuntimeError(`a namespace must be a Namespace, not ${shownValue(namespace)}`)
}

function aboutOf({ db, collection, metadata = '', type = 'collection' }) {
  return encode({ db, collection, metadata, size: new Int32(0), type })
}

function headerOf({ db, collection }, isEnd, crc) {
  return encode({ db, collection, EOF: isEnd, CRC: Long.fromBigInt(crc) })
}

function int32(value) {
  const bytes = allocate(4)
  putInt32(value, bytes, 0)
  return bytes
}

module.exports = { ArchiveWriter }
