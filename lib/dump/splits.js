'use strict'

// Finds where to split a .bson file into pieces of whole documents.

const { BSONError } = require('../errors')
const { openDump } = require('./open')

/**
 * Ranges of a plain .bson file that start and end between documents and have about the same size. Together they cover
 * the whole file.
 *
 * @param {string} file
 * @param {number} size minimum bytes of each range but the last
 * @returns {AsyncGenerator<import('./files').ByteRange & {documents: number}, void>}
 * @throws {BSONError} on a compressed file, an archive, a folder or a broken file
 */
async function* splits(file, size) {
  if (!(Number.isSafeInteger(size) && size > 0)) throw new BSONError('the size of a split must be a positive number of bytes')
  const all = { offset: 0, length: require('node:fs').statSync(file).size }
  let offset = 0
  let end = 0
  let documents = 0
  for await (const batch of openDump(file, { range: all }).batches()) {
    for (const document of batch) {
      end += document.length
      documents++
      if (end - offset < size) continue
      yield { offset, length: end - offset, documents }
      offset = end
      documents = 0
    }
  }
  if (end > offset) yield { offset, length: end - offset, documents }
}

module.exports = { splits }
