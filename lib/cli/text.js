'use strict'

// Cuts Extended JSON text into blocks of whole documents: one a line, as mongoexport writes them, indented over several
// lines, or in an array. This looks only at brackets and quotes and leaves the rest to the parser.

const { BSONError } = require('../errors')
const { Block, Window, readChunks } = require('../dump')

const QUOTE = 0x22
const BACKSLASH = 0x5c
const NEWLINE = 0x0a
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN = 0x7b
const CLOSE = 0x7d
const COMMA = 0x2c

/** Whether a byte can be skipped: between strings, and in a string. */
const IS_DATA = tableWithout([QUOTE, OPEN, OPEN_LIST, CLOSE, CLOSE_LIST, NEWLINE])
const IS_TEXT = tableWithout([QUOTE, BACKSLASH, NEWLINE])

function tableWithout(bytes) {
  return new Uint8Array(256).map((_, byte) => Number(!bytes.includes(byte)))
}

/**
 * A block of text: `spans` has the start, the end and the line of each document in `bytes`.
 *
 * @typedef {Block & {spans: Float64Array}} TextBlock
 */

/**
 * @param {any} source a file, or a stream
 * @param {number} maxDocumentSize bytes
 * @param {import('../dump/open').DumpOptions} reading
 * @returns {AsyncGenerator<TextBlock, void>}
 * @throws {BSONError} on a document that is too long, or has no end
 */
async function* textBlocks(source, maxDocumentSize, reading) {
  const cutter = new Cutter(maxDocumentSize)
  const window = new Window(true)
  for await (const chunk of readChunks(source, reading)) {
    window.push(chunk)
    const { bytes } = window
    const { used, fault } = cutter.tryCut(bytes)
    if (cutter.spans.length > 0) yield cutter.block(bytes)
    if (fault !== undefined) throw fault
    window.take(used)
    cutter.moveBy(used)
    if (window.size > maxDocumentSize) throw cutter.tooLong()
  }
  const { bytes } = window
  cutter.end(bytes)
  if (cutter.spans.length > 0) yield cutter.block(bytes)
}

class Cutter {
  /** @param {number} maxDocumentSize bytes */
  constructor(maxDocumentSize) {
    this.maxDocumentSize = maxDocumentSize
    this.line = 1
    this.count = 0
    /** Whether the documents are items of an array. */
    this.inList = false
    /** Where to continue. */
    this.pos = 0
    this.isFirst = true
    this.outside()
    /** @type {number[]} */
    this.spans = []
  }

  /** Resets the state: no document is open. */
  outside() {
    this.start = -1
    this.startLine = this.line
    this.depth = 0
    this.inString = false
    /** Whether the open value is not an object and so ends with its line. */
    this.isBare = false
  }

  /** @param {Uint8Array} bytes @returns {{used: number, fault?: any}} */
  tryCut(bytes) {
    try {
      return { used: this.cut(bytes) }
    } catch (fault) {
      return { used: 0, fault }
    }
  }

  /** @param {Uint8Array} bytes @returns {number} how many are no longer needed */
  cut(bytes) {
    if (this.isFirst && bytes.length >= 3) this.skipMark(bytes)
    let { pos } = this
    while (pos < bytes.length) pos = this.start === -1 ? this.between(bytes, pos) : this.within(bytes, pos)
    this.pos = pos
    return this.start === -1 ? pos : this.start
  }

  /** Skips the byte order mark at the start of UTF-8 files from Windows. */
  skipMark(bytes) {
    this.isFirst = false
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.pos = 3
  }

  /** @returns {number} where to go on */
  between(bytes, pos) {
    const byte = bytes[pos]
    if (byte === NEWLINE) this.line++
    if (byte <= 0x20 || (this.inList && byte === COMMA)) return pos + 1
    if (byte === OPEN_LIST && !this.inList) this.inList = true
    else if (byte === CLOSE_LIST && this.inList) this.inList = false
    else {
      this.start = pos
      this.startLine = this.line
      this.isBare = byte !== OPEN && byte !== OPEN_LIST
      return pos
    }
    return pos + 1
  }

  /** Continues inside a document. */
  within(bytes, pos) {
    if (this.isBare) return this.withinBare(bytes, pos)
    const { length } = bytes
    while (pos < length) {
      if (this.inString) pos = this.afterString(bytes, pos)
      else {
        while (pos < length && IS_DATA[bytes[pos]] === 1) pos++
        if (pos === length) return pos
        const byte = bytes[pos++]
        if (byte === QUOTE) this.inString = true
        else if (byte === OPEN || byte === OPEN_LIST) this.depth++
        else if (byte === NEWLINE) this.line++
        else if ((byte === CLOSE || byte === CLOSE_LIST) && --this.depth === 0) return this.close(pos)
      }
    }
    return pos
  }

  /** @returns {number} where to continue: after the closing quote, or past the end of the bytes */
  afterString(bytes, pos) {
    const { length } = bytes
    while (pos < length) {
      while (pos < length && IS_TEXT[bytes[pos]] === 1) pos++
      if (pos === length) return pos
      const byte = bytes[pos++]
      if (byte === BACKSLASH) pos++
      else if (byte === NEWLINE) this.line++
      else if (byte === QUOTE) {
        this.inString = false
        return pos
      }
    }
    return pos
  }

  withinBare(bytes, pos) {
    while (pos < bytes.length && bytes[pos] !== NEWLINE) pos++
    return pos < bytes.length ? this.close(pos) : pos
  }

  /** @param {number} end of a document */
  close(end) {
    if (end - this.start > this.maxDocumentSize) throw this.tooLong()
    this.spans.push(this.start, end, this.startLine)
    this.outside()
    return end
  }

  tooLong() {
    return new BSONError(`line ${this.startLine}: more than ${this.maxDocumentSize} bytes`)
  }

  /** Adjusts offsets after the first bytes have been dropped. @param {number} count */
  moveBy(count) {
    this.pos -= count
    if (this.start !== -1) this.start -= count
  }

  /** Ends the text. @param {Uint8Array} rest */
  end(rest) {
    if (this.start !== -1) this.close(rest.length)
  }

  /** @param {Uint8Array} bytes @returns {TextBlock} the documents cut so far */
  block(bytes) {
    const spans = Float64Array.from(this.spans)
    const block = new Block(null, bytes.subarray(0, spans[spans.length - 2]), 0, this.count, spans.length / 3)
    this.count += block.count
    this.spans = []
    return Object.assign(block, { spans })
  }
}

/** @type {import('../ejson/to-bson').TextReader | undefined} */
let reader

/**
 * @param {Uint8Array} text of a document
 * @returns {Uint8Array} BSON
 * @throws {BSONError} when it is not Extended JSON
 */
function parseDocument(text) {
  reader ??= new (require('../ejson/to-bson').TextReader)()
  try {
    return reader.read(text)
  } catch (cause) {
    throw cause instanceof SyntaxError ? new BSONError(cause.message, { cause }) : cause
  }
}

module.exports = { textBlocks, parseDocument }
