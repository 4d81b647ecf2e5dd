'use strict'

// Where a .bson file can be cut, so that each piece holds whole documents.

const { BSONError } = require('../errors')
const { openDump } = require('./open')

/**
 * Ranges of a plain .bson file that begin and end between documents and have about the same size; together they are
 * the whole file.
 *
 * @param {string} file
 * @param {number} size bytes that a range has at least, but for the last
 * @returns {AsyncGenerator<import('./files').ByteRange & {documents: number}, void>}
 * @throws {BSONError} on a file that is compressed, an archive or a folder, and on a broken one
 */
async function* splits(file, size) {
  if (!(Number.isSafeInteger(size) && size > 0)) throw new BSONError('the size of a split must be a positive number of bytes')
  const all = { offset: 0, length: require('node:fs').statSync(file).size }
  let offset = 0
  let end = 0
  let documents = 0
  for await (const block of openDump(file, { range: all }).blocks()) {
    for (const document of block) {
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
