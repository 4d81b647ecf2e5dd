'use strict'

// Reads a cursor of the MongoDB driver batch by batch, using only its documented methods. Detects when other code reads
// or closes the cursor meanwhile, because documents would be lost silently.

const { BSONError } = require('../errors')
const { isUint8Array } = require('../bytes')
const { ownOptionsOf, refusal, wholeNumber } = require('../options')
const { RawDocument } = require('../raw')
const { Batch } = require('./batch')

/**
 * The methods used of the driver's cursors: any `AbstractCursor` from version 6 on.
 *
 * @typedef {object} Cursor
 * @property {() => Promise<boolean>} hasNext
 * @property {() => any[]} readBufferedDocuments
 * @property {() => number} bufferedCount
 * @property {() => Promise<void>} close
 * @property {(size: number) => any} batchSize
 * @property {boolean} closed
 * @property {{isZero(): boolean} | undefined} id
 *
 * @typedef {object} BatchesOptions
 * @property {number} [batchSize] documents to request from the server at once; default: the cursor's own size
 * @property {AbortSignal} [signal] stops reading and closes the cursor; default none
 */

const METHODS = ['hasNext', 'readBufferedDocuments', 'bufferedCount', 'close', 'batchSize']

const EXAMPLE = 'collection.find(filter, { raw: true })'

/** How long closing waits for a reply, in milliseconds. A slower request is killed on the server. */
const REPLY_TIME = 100

/** Cursors that are being read. @type {WeakSet<Cursor>} */
const read = new WeakSet()

/** @type {import('../options').OptionReader<number | undefined>} */
const size = (value, name) => value === undefined ? undefined : wholeNumber(value, name)

/** @type {import('../options').OptionReader<AbortSignal | undefined>} */
function abortSignal(value, name) {
  if (value === undefined || value === null || typeof value.throwIfAborted === 'function') return value
  throw refusal(name, value, 'an AbortSignal')
}

const readOptions = ownOptionsOf('batches', { batchSize: size, signal: abortSignal })

class CursorReader {
  /**
   * @param {any} cursor
   * @param {BatchesOptions} [options]
   * @throws {BSONError} when it is not a cursor, is closed, or is already being read
   */
  constructor(cursor, options) {
    const { batchSize, signal } = readOptions(options)
    checkCursor(cursor)
    if (cursor.closed) throw new BSONError('the cursor is closed: it has no more documents, or was closed before; create a new one')
    if (batchSize !== undefined) cursor.batchSize(batchSize)
    /** @type {Cursor} */
    this.cursor = cursor
    /** Whether this reader has claimed the cursor. */
    this.isReading = false
    /** Documents in the batches so far. */
    this.count = 0
    /** Whether the server has no more documents. */
    this.isAtEnd = false
    /** The server's next reply, until it is there. @type {Promise<boolean> | null} */
    this.reply = null
    /** @type {Promise<void> | undefined} */
    this.closing = undefined
    /** @type {AbortSignal | undefined} */
    this.signal = signal
    /** Ends the pending wait for the server. */
    this.endWait = () => {}
    this.onAbort = () => this.close()
    if (signal?.aborted) this.close()
    else signal?.addEventListener('abort', this.onAbort)
  }

  /**
   * @returns {Promise<Batch | null>} null at the end
   * @throws {BSONError} when the cursor returns objects, or was read or closed elsewhere
   * @throws {Error} the driver's; the signal's reason
   */
  async next() {
    try {
      if (!this.isReading) this.begin()
      const batch = await this.read()
      if (batch === null) this.close()
      return batch
    } catch (error) {
      this.close()
      throw error
    }
  }

  async read() {
    this.signal?.throwIfAborted()
    if (this.isAtEnd || this.closing !== undefined) return null
    const { cursor, count } = this
    if (count > 0) checkUntouched(cursor)
    this.reply = cursor.hasNext()
    const hasNext = await this.untilClosed(this.reply)
    this.reply = null
    this.signal?.throwIfAborted()
    if (this.closing !== undefined) return null
    if (!hasNext) {
      if (cursor.id?.isZero()) return null // undefined if closed before its first reply
      throw closedElsewhere()
    }
    const documents = cursor.readBufferedDocuments()
    if (documents.length === 0) throw readElsewhere()
    if (!isUint8Array(documents[0])) throw new BSONError(`the cursor returns objects, not bytes: ${EXAMPLE}`)
    this.isAtEnd = cursor.id?.isZero() === true
    if (this.isAtEnd && count === 0 && documents.length === 1 && isReply(documents[0])) throw new BSONError(OLD_DRIVER)
    this.count += documents.length
    return new Batch(documents, count)
  }

  begin() {
    if (read.has(this.cursor)) throw new BSONError('the cursor is already being read')
    read.add(this.cursor)
    this.isReading = true
  }

  /** Waits for a reply, but no longer than until the cursor is closed: the driver may wait for the server forever. */
  untilClosed(reply) {
    return new Promise((resolve, reject) => {
      this.endWait = () => resolve(false)
      reply.then(resolve, reject)
    })
  }

  /** Releases the cursor, here and on the server. @returns {Promise<void>} never rejects */
  close() {
    this.closing ??= this.release()
    return this.closing
  }

  /**
   * The driver kills a cursor on the server only once, only if it knows its id, and not if a reply comes meanwhile. So
   * this waits a moment for a reply. It does not wait for the first one, which may never come, but closes the cursor
   * when it does.
   */
  async release() {
    this.signal?.removeEventListener('abort', this.onAbort)
    this.endWait()
    if (!this.isReading && read.has(this.cursor)) return
    const close = () => this.closeCursor()
    if (this.reply === null) await close()
    else if (this.cursor.id === undefined) this.reply.then(close, close)
    else await settled(this.reply, REPLY_TIME).then(close)
  }

  async closeCursor() {
    try {
      await this.cursor.close()
      this.cursor.readBufferedDocuments() // of a reply that nobody reads, with which it is not `closed`
    } catch {} // the server is gone, and so is its cursor
    read.delete(this.cursor)
  }
}

/** @param {Promise<any>} promise @param {number} ms @returns {Promise<void>} when it is settled, or the time is over */
function settled(promise, ms) {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    promise.then(end, end)
  })
}

function checkCursor(cursor) {
  if (!METHODS.every(name => typeof cursor?.[name] === 'function')) {
    throw new BSONError(`needs a cursor of the MongoDB driver, 6 or later: ${EXAMPLE}`)
  }
}

/** Checks that nothing else has used the cursor since the last batch: no documents are buffered, and it has an id. */
function checkUntouched(cursor) {
  if (cursor.closed) throw closedElsewhere()
  if (cursor.bufferedCount() > 0 || cursor.id === undefined) throw readElsewhere()
}

const OLD_DRIVER = 'the cursor returns the reply of the server as a document: before 6.8 the driver has raw: true only for find'

/** @param {Uint8Array} bytes of what may be a document @returns {boolean} whether they are the first reply */
function isReply(bytes) {
  try {
    const document = new RawDocument(bytes)
    return ['cursor.firstBatch', 'cursor.id', 'cursor.ns', 'ok'].every(path => document.has(path))
  } catch {
    return false
  }
}

function closedElsewhere() {
  return new BSONError('the cursor was closed elsewhere before its end')
}

function readElsewhere() {
  return new BSONError('the cursor was consumed by other code: documents are missing')
}

module.exports = { CursorReader }
