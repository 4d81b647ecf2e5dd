'use strict'

// Cuts consecutive documents into batches, by their lengths.

const { MIN_DOCUMENT_SIZE } = require('../spec')
const { BSONError, plural } = require('../errors')
const { getInt32 } = require('../bytes')
const { validate } = require('../elements')
const { Batch, wrongSize, cutShort } = require('../batch')
const { Recovery, isValid, endOfElements } = require('./recovery')

const GIVEN_UP = 'no document is sought after so much damage'
const NOT_FOLLOWED = 'the document has the beginning of another one in it'

/** How much may be checked in vain, in bytes: a multiple of those read, and some at first. Keeps it linear. */
const VAIN = 32
const VAIN_AT_FIRST = 64 * 1024 * 1024

/** From this size on, in bytes, the length of a document is doubted before all of it is read. */
const DOUBTFUL = 4 * 1024 * 1024

/**
 * @typedef {object} ReadingOptions
 * @property {number} maxDocumentSize bytes
 * @property {boolean} utf8 whether text is validated too
 * @property {boolean} recovers whether reading goes on after what holds no document; all documents are validated then
 * @property {number} searchSize how far to search for the next document, in bytes
 *
 * @typedef {{isTerminator: (at: number) => Promise<boolean>, isHeader: (at: number) => Promise<boolean>}} Ends whether
 *   a length of -1, and after damage what looks like a document, ends the documents; both so many bytes after the first
 */

/** The documents of one collection. */
class DocumentReader {
  /**
   * @param {import('./window').ByteSource} source
   * @param {import('./namespace').Namespace} namespace
   * @param {ReadingOptions & {
   *   from: string, isMark?: ((at: number) => Promise<boolean>) | null, isValidated?: boolean, ends?: Ends | null
   * }} reading `from`: as in Batch; `isMark`: as in Recovery
   */
  constructor(source, namespace, reading) {
    const { recovers, from, isValidated = recovers, ends = null } = reading
    this.source = source
    this.window = source.window
    this.namespace = namespace
    this.reading = reading
    this.from = from
    this.isValidated = isValidated
    this.ends = ends
    /** Documents so far, and what was found in place of one. */
    this.count = 0
    /** Whether something was found that is no document. */
    this.isDamaged = false
    /** Whether no document is sought any more: the search was too long, or documents overlap again and again. */
    this.isLost = false
  }

  /** @returns {AsyncGenerator<Batch, void>} up to the end or to a mark @throws {BSONError} unless it recovers */
  async *batches() {
    const { source } = this
    this.isLost = false
    while (!this.isLost) {
      const { length, count, size, isBad, last } = this.complete()
      this.window.expected = size
      const isEnd = isBad && size === -1 && Boolean(await this.ends?.isTerminator(length))
      const mayBeIn = this.isValidated && isBad && !isEnd
      const at = mayBeIn ? await this.searched(recovery => recovery.swallowed(last, length)) : -1
      // in case it has swallowed the next one, the last document waits for what follows
      const waits = at !== -1 || (this.isValidated && !isBad && !source.isOver)
      if (waits && count > 1) yield this.take(last, count - 1)
      else if (!waits && count > 0) yield this.take(length, count)
      if (isEnd) return
      if (at !== -1) yield this.passOver(at - (count > 1 ? last : 0), new BSONError(NOT_FOLLOWED), '')
      else if (isBad) yield await this.leaveOut(this.errorOf(size))
      if (isBad && (await this.ends?.isHeader(0))) return
      if (!isBad && !(await source.more()) && (!waits || count === 0) && !(yield* this.drain())) return
    }
    if (this.ends === null) yield* this.passOverAll()
  }

  /** Passes over what follows when the search was given up; an archive goes on at its next mark. */
  async *passOverAll() {
    const { source, window, reading: { searchSize } } = this
    while (await source.need(1)) {
      await source.need(searchSize)
      yield this.passOver(window.size, new BSONError(GIVEN_UP), `; ${plural(window.size, 'byte')} left out`)
    }
    yield* this.drain()
  }

  /** What is left at the end of the source. @returns {AsyncGenerator<Batch, boolean>} whether documents may follow */
  async *drain() {
    const { source, window } = this
    const { failure } = source
    if (failure !== undefined && !(this.reading.recovers && failure instanceof BSONError)) throw this.placed(failure)
    source.failure = undefined
    if (window.size > 0) yield await this.leaveOut(failure ?? cutShortIn(window))
    else if (failure !== undefined) yield this.passOver(0, failure, '')
    return window.size > 0 && !(await this.ends?.isHeader(0))
  }

  /**
   * The complete documents in the window.
   *
   * @returns {{length: number, count: number, size: number, isBad: boolean, last: number}} their bytes and number; the
   *   length of the one after them, and whether that or its content is wrong; where the last of them begins
   */
  complete() {
    const { isValidated, reading: { maxDocumentSize, utf8 }, window: { buf, start, end } } = this
    let pos = start
    let last = start
    let count = 0
    let size = 0
    let isBad = false
    while (end - pos >= 4) {
      size = getInt32(buf, pos)
      isBad = isWrong(size, maxDocumentSize)
      if (isBad || size > end - pos) break
      isBad = isValidated && !isValid(buf, pos, pos + size, utf8)
      if (isBad) break
      last = pos
      pos += size
      count++
      size = 0
    }
    // an unlikely length is doubted as soon as there are other documents in the window, so only once
    const isDoubtful = isValidated && !isBad && size > DOUBTFUL && count > 0
    if (isDoubtful) isBad = endOfElements(buf, pos, pos + size - 1, end) < end
    return { length: pos - start, count, size, isBad, last: last - start }
  }

  /** @param {number} length bytes @param {number} count of documents in them @param {any} [error] as in Batch */
  batch(length, count, error) {
    const { namespace, from, window } = this
    const { offset } = window
    return new Batch(window.take(length), { namespace, from, offset, document: this.count, count, error })
  }

  take(length, count) {
    const batch = this.batch(length, count)
    this.count += count
    return batch
  }

  /** @template E @param {E} error about the document at the start of the window @returns {E} */
  placed(error) {
    if (error instanceof BSONError) error.offset ??= 0
    return this.batch(0, 0).place(error, 0, 0)
  }

  /** What is wrong with the document at the start of the window. @param {number} size its length */
  errorOf(size) {
    const { window, reading: { maxDocumentSize } } = this
    if (isWrong(size, maxDocumentSize)) return new BSONError(wrongSize(size, maxDocumentSize))
    if (size > window.size) return new BSONError(`the content does not have the size of ${size} bytes`)
    try {
      validate(window.bytes.subarray(0, size), { maxDepth: Infinity })
    } catch (error) {
      return error
    }
  }

  /** Passes over what holds no document. @param {BSONError} error @returns {Promise<Batch>} @throws {BSONError} */
  async leaveOut(error) {
    if (!this.reading.recovers) throw this.placed(error)
    this.isDamaged = true
    const { source, window } = this
    const size = window.size < 4 ? 0 : getInt32(window.buf, window.start)
    const { length, isFound } = await this.searched(recovery => recovery.find())
    const isUnfound = !isFound && (length < window.size || !source.isOver)
    source.vain += error.offset ?? 0
    this.isLost = isUnfound || source.vain > VAIN * (window.offset + length) + VAIN_AT_FIRST
    const what = isUnfound ? ', in which no document was found: see searchSize' : ''
    return this.passOver(length, error, length === size ? '' : `; ${plural(length, 'byte')} left out${what}`)
  }

  /** @template T @param {(recovery: Recovery) => Promise<T>} search whose cost is counted @returns {Promise<T>} */
  async searched(search) {
    const recovery = new Recovery(this.source, this.reading)
    const result = await search(recovery)
    this.source.vain += recovery.spent
    return result
  }

  passOver(length, error, more) {
    const placed = this.placed(error)
    placed.message += more
    const batch = this.batch(length, 0, placed)
    this.count++
    return batch
  }
}

function isWrong(size, maxDocumentSize) {
  return size < MIN_DOCUMENT_SIZE || size > maxDocumentSize
}

/** @param {import('./window').Window} window holds part of a document @returns {BSONError} */
function cutShortIn({ buf, start, size }) {
  return new BSONError(cutShort(size, size < 4 ? 0 : getInt32(buf, start)))
}

module.exports = { DocumentReader, isWrong }
