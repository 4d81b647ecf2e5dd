'use strict'

// Cuts consecutive documents into blocks of whole documents, by their lengths.

const { MIN_DOCUMENT_SIZE, MAX_DOCUMENT_SIZE } = require('../spec')
const { BSONError, placeInStream } = require('../errors')
const { getInt32 } = require('../bytes')
const { wrongSize, cutShort } = require('../stream')
const { Block } = require('./block')

/**
 * Cuts a stream of bytes into blocks.
 *
 * @typedef {object} BlockReader
 * @property {(window: import('./window').Window) => Generator<Block, void>} read returns the blocks complete so far
 * @property {(window: import('./window').Window) => Generator<Block, void>} end called at the end of the stream
 * @property {(error: any, window: import('./window').Window) => any} place adds the current document to an error of the
 *   stream; returns the error
 */

/** @implements {BlockReader} */
class DocumentBlocks {
  /**
   * @param {import('./namespace').Namespace} namespace
   * @param {{maxDocumentSize?: number}} [options] bytes
   */
  constructor(namespace, { maxDocumentSize = MAX_DOCUMENT_SIZE } = {}) {
    this.namespace = namespace
    this.maxDocumentSize = maxDocumentSize
    /** Documents returned so far. */
    this.count = 0
  }

  /** @param {import('./window').Window} window @throws {BSONError} on an impossible document length */
  *read(window) {
    const { offset } = window
    const { length, count, size } = walk(window, this.maxDocumentSize)
    if (length > 0) yield new Block(this.namespace, window.take(length), offset, this.count, count)
    this.count += count
    if (isWrong(size, this.maxDocumentSize)) throw sizeError(size, this.maxDocumentSize, window, this.count)
  }

  /** @param {import('./window').Window} window @throws {BSONError} when a document is cut short */
  *end(window) {
    if (window.size > 0) throw cutShortError(window, this.count)
    if (this.count === 0) yield new Block(this.namespace, window.take(0), window.offset, 0, 0)
  }

  /** @type {BlockReader['place']} */
  place(error, window) {
    return placeHere(error, window, this.count)
  }
}

/**
 * Walks over the complete documents in a window.
 *
 * @param {{buf: Uint8Array, start: number, end: number}} window
 * @param {number} maxDocumentSize
 * @returns {{length: number, count: number, size: number}} bytes and number of the documents; the length stated by the
 *   next one, 0 if its four bytes are incomplete
 */
function walk({ buf, start, end }, maxDocumentSize) {
  let pos = start
  let count = 0
  while (end - pos >= 4) {
    const size = getInt32(buf, pos)
    if (size > end - pos || isWrong(size, maxDocumentSize)) return { length: pos - start, count, size }
    pos += size
    count++
  }
  return { length: pos - start, count, size: MIN_DOCUMENT_SIZE }
}

function isWrong(size, maxDocumentSize) {
  return size < MIN_DOCUMENT_SIZE || size > maxDocumentSize
}

/** @param {import('./window').Window} window starts with the document @param {number} count of documents before it */
function sizeError(size, maxDocumentSize, window, count) {
  return errorHere(wrongSize(size, maxDocumentSize), window, count)
}

/** @param {import('./window').Window} window holds part of a document @param {number} count documents before it */
function cutShortError(window, count) {
  const { buf, start, size } = window
  return errorHere(cutShort(size, size < 4 ? 0 : getInt32(buf, start)), window, count)
}

function errorHere(message, window, count) {
  return placeHere(new BSONError(message), window, count)
}

/** @param {any} error @param {import('./window').Window} window starts with the document @param {number} count */
function placeHere(error, window, count) {
  if (error instanceof BSONError) error.offset = 0
  return placeInStream(error, window.offset, count + 1)
}

module.exports = { DocumentBlocks, walk, isWrong, sizeError, cutShortError, placeHere }
