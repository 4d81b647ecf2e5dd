'use strict'

// Reads files from the start or from an offset, and lists the files of a folder.

const fs = require('node:fs')
const path = require('node:path')
const { promisify } = require('node:util')
const zlib = require('node:zlib')
const { BSONError } = require('../errors')
const { HEAD_SIZE } = require('./compression')
const { BUCKETS, Namespace, collectionOfFile, faultOfMetadata, parseMetadata } = require('./namespace')
const { READ_SIZE } = require('./window')

/** The most bytes of a collection's uncompressed metadata, which holds its validator and its indexes. */
const MAX_METADATA_SIZE = 64 * 1024 * 1024

const MISSING = 'the file is missing, and only its metadata is there'
const TWICE = 'another file of the folder holds this collection too, such as one that is not compressed'

const TOO_DEEP = 'a folder inside that of a database is not read: name the folder that mongodump wrote, which holds those of the databases'

const APPLE_DOUBLE = 0x00051607

/** `orders.metadata.json`, `orders.metadata.json.gz` */
const METADATA_FILE = /^(.*)\.metadata\.json(\.gz)?$/s

/**
 * A part of a file.
 *
 * @typedef {object} ByteRange
 * @property {number} offset bytes
 * @property {number} length bytes
 */

/**
 * @param {string} file
 * @param {{range?: ByteRange, sync?: boolean}} how without `range`, the whole file; `sync`: as in DumpOptions
 * @param {import('./window').Window} window has the memory for the pieces
 * @returns {AsyncGenerator<Uint8Array, void>} pieces, each overwritten by the next unless the window gets it
 * @throws {BSONError} when it shrinks meanwhile or ends before the range does; errors of reading
 */
async function* readFile(file, { range, sync }, window) {
  // opening a FIFO waits for its writer
  const isBlocking = sync && fs.statSync(file, { throwIfNoEntry: false })?.isFile()
  const { open, fstat, read, close } = isBlocking ? BLOCKING : ASYNC
  const handle = await open(file, 'r')
  try {
    const stat = await fstat(handle)
    const isFile = stat.isFile()
    const total = isFile ? stat.size : 0
    const end = range === undefined ? Infinity : range.offset + range.length
    let position = range?.offset ?? 0
    while (position < end) {
      if (total > 0 && position === total && sync) break // files in /proc say that they are empty
      const size = Math.min(READ_SIZE, end - position)
      const piece = window.room(size)
      const { bytesRead } = await read(handle, piece, 0, size, isFile ? position : null)
      if (bytesRead === 0) break
      position += bytesRead
      yield piece.subarray(0, bytesRead)
    }
    if (position >= Math.min(end, total)) return
    throw new BSONError(`the file shrank while it was read, from ${total} to ${position} bytes`)
  } finally {
    await close(handle)
  }
}

const ASYNC = {
  open: promisify(fs.open), fstat: promisify(fs.fstat), read: promisify(fs.read), close: promisify(fs.close)
}

/** Blocking calls read 20,000 small files in a third of the time. @type {any} */
const BLOCKING = {
  open: fs.openSync,
  fstat: fs.fstatSync,
  read: (handle, piece, ...where) => ({ bytesRead: fs.readSync(handle, piece, ...where) }),
  close: fs.closeSync
}

/** Reads a file of at most READ_SIZE bytes at once. Returns whether it is one, and has the size that it says. */
function readSmall(file, window) {
  const known = fs.statSync(file, { throwIfNoEntry: false })
  if (!known?.isFile() || known.size > READ_SIZE) return false
  return withFile(file, handle => {
    const piece = window.room(known.size + 1) // files in /proc say that they are empty
    const size = fs.readSync(handle, piece, 0, piece.length, 0)
    window.push(piece.subarray(0, size))
    return size === known.size
  })
}

/**
 * The collections of a folder: `db/collection.bson`, or the folder of one database.
 *
 * @param {string} folder
 * @returns {Namespace[]} sorted by database and name; views have only metadata and no file; a missing file, and a
 *   folder that lies too deep or cannot be listed, are marked
 * @throws {BSONError} when there is no .bson file; errors of reading
 */
function readFolder(folder) {
  const within = foldersIn(folder).flatMap(name => {
    const inner = path.join(folder, name)
    try {
      return [...collectionsIn(inner, name), ...foldersIn(inner).flatMap(deep => tooDeep(path.join(inner, deep), name))]
    } catch (fault) {
      if (fault.syscall === undefined) throw fault
      return [Object.assign(new Namespace(name, '', { file: inner }), { fault })]
    }
  })
  const own = collectionsIn(folder, within.length > 0 ? '' : path.basename(path.resolve(folder)))
  const found = [...own, ...within]
  if (found.every(({ file }) => file === undefined)) {
    throw new BSONError('the folder and its subfolders contain no .bson file')
  }
  return found
}

/** @param {string} folder @returns {string[]} the names of folders in it, and of links to folders, sorted */
function foldersIn(folder) {
  const entries = fs.readdirSync(folder, { withFileTypes: true })
  return entries.filter(entry => isFolder(folder, entry)).map(({ name }) => name).sort()
}

/** @param {string} folder @param {fs.Dirent} entry of it */
function isFolder(folder, entry) {
  if (!entry.isSymbolicLink()) return entry.isDirectory()
  try {
    return fs.statSync(path.join(folder, entry.name)).isDirectory()
  } catch {
    return false // it leads nowhere
  }
}

/** @param {string} folder within that of a database @param {string} db @returns {Namespace[]} it, if it has any */
function tooDeep(folder, db) {
  try {
    if (!fs.readdirSync(folder).some(name => collectionOfFile(name) !== undefined)) return []
  } catch {
    return [] // of no dump, as far as can be seen
  }
  return [Object.assign(new Namespace(db, path.basename(folder), { file: folder }), { fault: new BSONError(TOO_DEEP) })]
}

/** @param {string} folder @returns {string[]} all files that `readFolder` may find */
function filesIn(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const name = path.join(folder, entry.name)
    try {
      return isFolder(folder, entry) ? fs.readdirSync(name).map(inner => path.join(name, inner)) : [name]
    } catch {
      return [] // reported when it is read
    }
  })
}

function collectionsIn(folder, db) {
  const files = fs.readdirSync(folder).sort()
  const dumps = files.filter(file => collectionOfFile(file) !== undefined && !isAppleDouble(folder, file))
  const beside = new Set(files)
  /** Metadata of these dumps. @type {Set<string>} */
  const read = new Set()
  const exists = name => {
    if (!beside.has(name)) return false
    read.add(name)
    return true
  }
  const found = dumps.map(file => namespaceIn(folder, file, db, exists))
  const names = new Set()
  for (const namespace of found) {
    if (names.has(namespace.collection)) namespace.fault = new BSONError(TWICE)
    names.add(namespace.collection)
  }
  for (const file of files) {
    const match = METADATA_FILE.exec(file)
    if (match === null || read.has(file)) continue
    const other = namespaceOf(db, match[1], readMetadata(path.join(folder, file)))
    if (names.has(other.collection)) continue
    if (isCollection(other) && !names.has(BUCKETS + other.collection)) {
      Object.assign(other, { file: path.join(folder, `${match[1]}.bson`), fault: new BSONError(MISSING) })
    }
    found.push(other)
  }
  return found
}

/** What macOS leaves beside a file that is copied to another system: ._orders.bson */
function isAppleDouble(folder, name) {
  return name.startsWith('._') && headOfFile(path.join(folder, name)).readUInt32BE(0) === APPLE_DOUBLE
}

/** @param {string} file @returns {Buffer} its first bytes, which tell what it is; zeros beyond its end */
function headOfFile(file) {
  const head = Buffer.alloc(HEAD_SIZE)
  withFile(file, handle => fs.readSync(handle, head))
  return head
}

/** @template T @param {string} file @param {(handle: number) => T} work with the file open @returns {T} */
function withFile(file, work) {
  const handle = fs.openSync(file, 'r')
  try {
    return work(handle)
  } finally {
    fs.closeSync(handle)
  }
}

/** Whether metadata without a file of documents is that of a collection: an empty one has a file too. */
function isCollection({ type, metadata }) {
  return type === undefined ? parseMetadata(metadata)?.options?.viewOn === undefined : type === 'collection'
}

/** @param {string} file @returns {Namespace} its database is the name of its folder */
function namespaceOfFile(file) {
  const folder = path.dirname(file)
  const exists = name => fs.existsSync(path.join(folder, name))
  return namespaceIn(folder, path.basename(file), path.basename(path.resolve(folder)), exists)
}

/** The collection of a file in a folder. @param {(name: string) => boolean} exists whether it has another file */
function namespaceIn(folder, name, db, exists) {
  const found = metadataBeside(name).find(exists)
  const namespace = namespaceOf(db, stemOf(name), found === undefined ? {} : readMetadata(path.join(folder, found)))
  namespace.file = path.join(folder, name)
  return namespace
}

/** @param {string} file of documents @returns {string[]} names that the file with its metadata may have */
function metadataBeside(file) {
  const beside = `${stemOf(file)}.metadata.json`
  return [beside, `${beside}.gz`]
}

/** @param {string} file @returns {string} its name without the endings of a dump's file */
function stemOf(file) {
  return file.replace(/(\.bson)?(\.gz|\.zst)?$/, '')
}

/**
 * Documents can be read without metadata, so a fault of it is only noted.
 *
 * @param {string} db
 * @param {string} stem of the file's name
 * @param {{metadata?: string, metadataFault?: string}} found has the full name
 */
function namespaceOf(db, stem, { metadata, metadataFault }) {
  const { collectionName, type } = parseMetadata(metadata) ?? {}
  const collection = typeof collectionName === 'string' ? collectionName : collectionOfFile(`${stem}.bson`)
  const about = { metadata, type: typeof type === 'string' ? type : undefined, metadataFault: faultOfMetadata(metadata) ?? metadataFault }
  return new Namespace(db, /** @type {string} */ (collection), about)
}

function readMetadata(file) {
  try {
    const bytes = withFile(file, readShort)
    if (bytes === null) return { metadataFault: `are longer than ${MAX_METADATA_SIZE} bytes` }
    return { metadata: (file.endsWith('.gz') ? zlib.gunzipSync(bytes, { maxOutputLength: MAX_METADATA_SIZE }) : bytes).toString() }
  } catch (error) {
    return { metadataFault: `cannot be read (${error.syscall === undefined ? error.message : error.code})` }
  }
}

/** Most metadata are shorter: one call reads them. */
const short = Buffer.allocUnsafeSlow(8192)

/** @param {number} handle of metadata @returns {Buffer | null} valid until the next call; null if they are too long */
function readShort(handle) {
  const size = fs.readSync(handle, short, 0, short.length, 0)
  if (size < short.length) return short.subarray(0, size)
  return fs.fstatSync(handle).size > MAX_METADATA_SIZE ? null : fs.readFileSync(handle)
}

module.exports = {
  MISSING, readFile, readSmall, readFolder, filesIn, headOfFile, withFile, metadataBeside, namespaceOfFile
}
