'use strict'

// Finds where to split a dump into ranges of whole documents.

const fs = require('node:fs')
const { BSONError, shownName } = require('../errors')
const { ClosableIterator } = require('../iterators')
const { kept, onlyOptions, positive, refusal } = require('../options')
const { isArchive } = require('./archive')
const { compressionOf } = require('./compression')
const { headOfFile, namespaceOfFile, readFolder } = require('./files')
const { membersOf } = require('./members')
const { openDump } = require('./open')

/** The bytes of a terminator, which ends a segment of an archive. */
const TERMINATOR_SIZE = 4

/**
 * A part of a file that can be read alone.
 *
 * @typedef {import('./files').ByteRange & {file: string, documents?: number, isWhole?: boolean}} Split
 *   `documents`: unknown in compressed files; `isWhole`: whether it is a compressed file that cannot be divided
 */

const positiveSize = positive()
const only = onlyOptions('splits', ['namespaces'])

/**
 * Ranges of about the same size that begin and end between documents. Together they cover all documents. Those of an
 * archive begin and end between its segments. A compressed file is one range, because it cannot be read from the
 * middle. The exception is documents in gzip that qbson wrote: its members are ranges, and `size` is that in the file.
 *
 * @param {string | URL} source a .bson file, an archive, or a folder
 * @param {number} size minimum bytes of each range but the last of a file
 * @param {Pick<import('./open').DumpOptions, 'namespaces'>} [options]
 * @returns {AsyncGenerator<Split, void>}
 * @throws {BSONError} on a broken file; errors of reading
 */
function splits(source, size, options) {
  positiveSize(size, 'size')
  const { namespaces } = kept(only(options))
  const { source: file, wants } = openDump(source, { namespaces })
  if (typeof file !== 'string') throw refusal('the source', source, 'a path, of a file or a folder')
  /** `batches`: of the dump that is read now. */
  const read = { isClosed: false, batches: null }
  return new ClosableIterator(() => splitsOf(file, size, { namespaces, wants, read }), async () => {
    read.isClosed = true
    await read.batches?.return()
  })
}

async function* splitsOf(source, size, { namespaces, wants, read }) {
  const isFolder = fs.statSync(source).isDirectory()
  const isWanted = found => found.file !== undefined && wants(found)
  const files = isFolder ? readFolder(source).filter(isWanted) : [{ file: source, name: '', fault: undefined }]
  for (const { file, name, fault } of files) {
    if (read.isClosed) return
    try {
      if (fault !== undefined) throw fault
      yield* ofFile(file, size, { namespaces, isWanted: () => isFolder || wants(namespaceOfFile(file)), read })
    } catch (error) {
      if (isFolder && error instanceof BSONError) error.message = `${file}: ${shownName(name)}: ${error.message}`
      throw error
    }
  }
}

/** `isWanted` is asked of what is no archive. */
async function* ofFile(file, size, { namespaces, isWanted, read }) {
  const stat = fs.statSync(file)
  if (!stat.isFile()) throw new BSONError('a range needs a regular file')
  const head = headOfFile(file)
  const length = stat.size
  if (compressionOf(head) !== undefined) yield* await ofCompressed(file, size, length, isWanted)
  else if (length === 0) return
  else if (isArchive(head)) yield* ofArchive(file, size, namespaces, read)
  else if (isWanted()) yield* ofDocuments(file, size, length, read)
}

async function ofCompressed(file, size, length, isWanted) {
  const hasDocuments = await isOfDocuments(file)
  if (hasDocuments && !isWanted()) return []
  const members = hasDocuments ? membersOf(file) : null
  if (members === null) return [{ file, offset: 0, length, isWhole: true }]
  const ranges = []
  for (const { offset, size: own } of members) {
    const last = ranges.at(-1)
    if (last === undefined || last.length >= size) ranges.push({ file, offset, length: own })
    else last.length += own
  }
  return ranges
}

/** Looks into a compressed file: members of an archive begin anywhere. @param {string} file */
async function isOfDocuments(file) {
  const dump = openDump(file)
  try {
    for await (const batch of dump.batches()) return dump.header === undefined && batch.count > 0
    return false
  } catch {
    return false
  }
}

async function* ofDocuments(file, size, total, read) {
  let offset = 0
  let end = 0
  let documents = 0
  read.batches = openDump(file, { range: { offset: 0, length: total }, reuse: true }).batches()
  for await (const batch of read.batches) {
    for (const document of batch) {
      end += document.length
      documents++
      if (end - offset < size) continue
      yield { file, offset, length: end - offset, documents }
      offset = end
      documents = 0
    }
  }
  if (end > offset) yield { file, offset, length: end - offset, documents }
}

/** Also ends a range before a gap of unwanted segments. @returns {AsyncGenerator<Split, void>} */
async function* ofArchive(file, size, namespaces, read) {
  const dump = openDump(file, { namespaces, reuse: true })
  let range = { file, offset: 0, length: 0, documents: 0 }
  read.batches = dump.batches()
  for await (const batch of read.batches) {
    if (batch.count === 0) continue
    const { segment } = dump
    const isNext = segment >= range.offset + range.length
    if (isNext && (range.length >= size || segment - range.offset - range.length > size)) {
      if (range.documents > 0) yield range
      range = { file, offset: segment, length: 0, documents: 0 }
    }
    if (range.documents === 0) range.offset = segment
    range.length = batch.offset + batch.bytes.length + TERMINATOR_SIZE - range.offset
    range.documents += batch.count
  }
  if (range.documents > 0) yield range
}

module.exports = { splits }
