'use strict'

// Cuts Extended JSON text into blocks of whole documents: one a line, as mongoexport writes them, indented over several
// lines, or in an array. This looks only at brackets and quotes and leaves the rest to the parser.

const { BSONError, shownName } = require('../../errors')
const { findInvalidUtf8, getUtf8Lossy } = require('../../bytes')
const { Batch, Window, readChunks } = require('../../dump')
const { ascii } = require('../../text')

const { LINE_FEED, QUOTE, COMMA, COLON, OPEN_ARRAY, BACKSLASH, CLOSE_ARRAY, OPEN_DOCUMENT, CLOSE_DOCUMENT } = ascii

/** Whether a byte can be skipped: between strings, and in a string. */
const IS_DATA = tableWithout([QUOTE, OPEN_DOCUMENT, OPEN_ARRAY, CLOSE_DOCUMENT, CLOSE_ARRAY, LINE_FEED])
const IS_TEXT = tableWithout([QUOTE, BACKSLASH, LINE_FEED])

/** Whether a byte belongs to a value that is no object: that of a line, that of an array, control characters. */
const IS_LINE = tableWithout([LINE_FEED])
const IS_ITEM = tableWithout([LINE_FEED, COMMA, CLOSE_ARRAY])
const IS_HOLE = IS_LINE.map((isData, byte) => (byte < 0x20 ? isData : 0))

/** The white space of JSON, and the separator of RFC 7464. */
const IS_SPACE = tableWithout([0x20, 0x09, LINE_FEED, 0x0d, 0x1e]).map(byte => 1 - byte)

function tableWithout(bytes) {
  return new Uint8Array(256).map((_, byte) => Number(!bytes.includes(byte)))
}

/**
 * A block of text: `spans` has the start, the end and the line of each document in `bytes`, or the negative line of one
 * that is too long, of which this is the end.
 *
 * @typedef {Batch & {spans: Float64Array}} TextBlock
 */

/**
 * @param {any} source a file, or a stream
 * @param {number} maxDocumentSize bytes
 * @param {import('../../dump/open').DumpOptions} reading with `onError`, a document without an end costs only its line
 * @returns {AsyncGenerator<TextBlock | Batch, void>}
 */
async function* textBlocks(source, maxDocumentSize, reading) {
  const recovers = reading.onError !== undefined
  const cutter = new Cutter(recovers)
  const window = new Window(true)
  /** @type {BSONError | undefined} */
  let failure
  try {
    for await (const chunk of readChunks(source, reading)) {
      window.push(chunk)
      const { bytes } = window
      let used
      try {
        used = cutter.cut(bytes)
      } finally {
        if (cutter.spans.length > 0) yield cutter.block(bytes) // also what precedes a fault of an array
      }
      window.take(used)
      cutter.moveBy(used)
      if (window.size <= maxDocumentSize) continue
      const part = window.take(cutter.giveUp(window.bytes))
      const error = tooLong(maxDocumentSize, `line ${cutter.longLine}: `)
      if (!recovers) throw error
      yield new Batch(part, { error })
    }
  } catch (error) {
    if (!recovers || !(error instanceof BSONError)) throw error
    failure = error
  }
  const { bytes } = window
  cutter.end(bytes)
  const isEmpty = cutter.spans.length === 0
  if (!isEmpty || cutter.count === 0) yield cutter.block(bytes) // a file without documents is an empty collection
  if (cutter.inList) failure ??= new BSONError(`line ${cutter.line}: the text is cut short: the array has no end`)
  if (failure === undefined) return
  if (!recovers) throw failure
  yield new Batch(bytes.subarray(0, 0), { error: failure })
}

/** @param {number} most bytes of a document @param {string} [place] of one that is longer */
function tooLong(most, place = '') {
  return new BSONError(`${place}more than ${most} bytes`)
}

/** Whether a byte may precede a document on its line. */
function isIndent(byte) {
  return byte === 0x20 || byte === 0x09 || byte === COMMA
}

/** @returns {number} the start of the line of `pos`; -1 if it is not in the bytes, or more than white space precedes */
function lineStart(bytes, pos) {
  let at = pos - 1
  while (at >= 0 && isIndent(bytes[at])) at--
  return bytes[at] === LINE_FEED ? at + 1 : -1
}

/** The byte order mark before text from Windows, of which several may have been joined. */
const MARK_SIZE = 3

function isMark(bytes, pos) {
  return bytes[pos] === 0xef && bytes[pos + 1] === 0xbb && bytes[pos + 2] === 0xbf
}

class Cutter {
  /** @param {boolean} recovers whether lines are sought where documents begin */
  constructor(recovers) {
    this.recovers = recovers
    /** Before this offset, each line that may begin a document does. */
    this.strictUntil = 0
    this.line = 1
    /** The offset of that line, which may be before the bytes; NaN if more than white space and commas is on it. */
    this.lineAt = 0
    this.count = 0
    /** Whether the documents are items of an array. */
    this.inList = false
    /** Commas since the last document of the array; -1: it has none yet. */
    this.commas = -1
    /** Where to continue. */
    this.pos = 0
    /** By depth, the bytes that opened what is around, if it recovers; below `depth` only. @type {number[]} */
    this.around = []
    this.outside()
    /** @type {number[]} */
    this.spans = []
  }

  /** Resets the state: no document is open. */
  outside() {
    this.start = -1
    /** How far from the start of its line the document begins; NaN: text precedes it. */
    this.indent = NaN
    this.startLine = this.line
    /** Where the document begins if it is too long, and part of it is gone. */
    this.longLine = 0
    this.depth = 0
    this.inString = false
    /** Whether the document is broken, and ends before the next line that begins one. */
    this.isBroken = false
    /** Whether the open value is not an object. */
    this.isBare = false
  }

  /** @param {Uint8Array} bytes @returns {number} how many are no longer needed */
  cut(bytes) {
    let { pos } = this
    while (pos < bytes.length) pos = this.start === -1 ? this.between(bytes, pos) : this.within(bytes, pos)
    this.pos = pos
    return this.start === -1 ? pos : this.start
  }

  /** @returns {number} where to go on */
  between(bytes, pos) {
    const byte = bytes[pos]
    if (byte === LINE_FEED) {
      this.line++
      this.lineAt = pos + 1
    } else if (!isIndent(byte) && byte !== OPEN_DOCUMENT) this.lineAt = NaN
    if (IS_SPACE[byte] === 1) return pos + 1
    if (this.inList && byte === COMMA) this.commas = this.commas < 0 ? 2 : this.commas + 1
    else if (byte === OPEN_ARRAY && !this.inList) Object.assign(this, { inList: true, commas: -1 })
    else if (byte === CLOSE_ARRAY && this.inList) {
      if (this.commas > 0) this.refuseCommas()
      this.inList = false
    } else {
      if (this.inList && this.commas !== 1 && this.commas !== -1) this.refuseCommas()
      this.commas = 0
      this.start = pos
      this.startLine = this.line
      this.indent = pos - this.lineAt
      this.isBare = byte !== OPEN_DOCUMENT && byte !== OPEN_ARRAY
      return pos
    }
    return pos + 1
  }

  /** @throws {BSONError} on text that is no JSON array, unless as much as possible is read */
  refuseCommas() {
    if (this.recovers) return
    throw new BSONError(`line ${this.line}: in the array, ${this.commas === 0 ? 'a comma is missing' : 'a comma has no item'}`)
  }

  /** Continues inside a document. */
  within(bytes, pos) {
    if (this.isBare) return this.withinBare(bytes, pos)
    if (this.isBroken) return this.afterBroken(bytes, pos)
    const { length } = bytes
    while (pos < length) {
      if (this.isBroken || this.start === -1) return pos
      if (this.inString) pos = this.afterString(bytes, pos)
      else {
        while (pos < length && IS_DATA[bytes[pos]] === 1) pos++
        if (pos === length) return pos
        const byte = bytes[pos++]
        if (byte === QUOTE) this.inString = true
        else if (byte === OPEN_DOCUMENT || byte === OPEN_ARRAY) {
          if (this.recovers && this.isMisplaced(bytes, pos - 1)) return this.breakOff(bytes, pos)
          this.depth++
        } else if (byte === LINE_FEED) this.line++
        else if ((byte === CLOSE_DOCUMENT || byte === CLOSE_ARRAY) && --this.depth === 0) return this.close(pos)
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
      else if (byte === LINE_FEED && this.recovers) return this.breakOff(bytes, pos)
      else if (byte === LINE_FEED) this.line++
      else if (byte === QUOTE) {
        this.inString = false
        return pos
      }
    }
    return pos
  }

  /**
   * Whether a bracket cannot belong to the open document, because it begins a line as a document would and no value is
   * expected there. If so, it begins the next document.
   */
  isMisplaced(bytes, pos) {
    const { start, depth, around } = this
    const isFirst = pos > start && bytes[pos] === OPEN_DOCUMENT && this.beginsLine(bytes, pos)
    if (isFirst && pos < this.strictUntil) return true
    around[depth] = bytes[pos]
    if (!isFirst) return false
    let before = pos - 1
    while (bytes[before] <= 0x20) before--
    if (around[depth - 1] === OPEN_DOCUMENT) return bytes[before] !== COLON
    return bytes[before] !== COMMA && bytes[before] !== OPEN_ARRAY
  }

  /** Whether a bracket is the first of its line, apart from a comma, and as far from its start as the document's is. */
  beginsLine(bytes, pos) {
    const line = lineStart(bytes, pos)
    return line !== -1 && (Number.isNaN(this.indent) || pos - line === this.indent)
  }

  /** Ends the document before the first line in it that begins another one. @returns {number} where that is */
  breakOff(bytes, pos) {
    const { start, startLine } = this
    const next = this.nextStart(bytes, start + 1, pos)
    if (next === -1) {
      this.isBroken = true
      return pos
    }
    let line = startLine
    let end = start
    for (let at = start; at < next; at++) {
      if (bytes[at] === LINE_FEED) line++
      if (bytes[at] > 0x20) end = at + 1
    }
    this.strictUntil = Math.max(this.strictUntil, pos)
    this.line = line
    this.close(end)
    this.lineAt = lineStart(bytes, next)
    return next
  }

  /** @returns {number} the first bracket from `pos` on that begins a document's line, or -1 */
  nextStart(bytes, pos, end) {
    for (let at = bytes.indexOf(OPEN_DOCUMENT, pos); at !== -1 && at < end; at = bytes.indexOf(OPEN_DOCUMENT, at + 1)) {
      if (this.beginsLine(bytes, at)) return at
    }
    return -1
  }

  afterBroken(bytes, pos) {
    const next = this.nextStart(bytes, pos, bytes.length)
    return next === -1 ? bytes.length : this.breakOff(bytes, next + 1)
  }

  /**
   * What is no object ends with its line, in an array with the item; control characters, such as zeros of a hole in a
   * file, end before others.
   */
  withinBare(bytes, pos) {
    if (!this.inList && isMark(bytes, this.start)) {
      pos = this.start + MARK_SIZE
      this.outside()
      this.lineAt = pos
      return pos
    }
    const isHole = bytes[this.start] < 0x20
    const isData = isHole ? IS_HOLE : this.inList ? IS_ITEM : IS_LINE
    while (pos < bytes.length && isData[bytes[pos]] === 1) pos++
    return pos < bytes.length ? this.close(pos) : pos
  }

  /** @param {number} end of a document */
  close(end) {
    this.spans.push(this.start, end, -this.longLine || this.startLine)
    this.outside()
    this.lineAt = NaN
    return end
  }

  /** How many bytes of a document that is too long can go: not the end of the line before what may be the next one. */
  giveUp(bytes) {
    this.longLine ||= this.startLine
    const line = lineStart(bytes, bytes.length)
    const used = (line > 0 ? line : bytes.length) - 1
    for (let at = 0; at < used; at++) if (bytes[at] === LINE_FEED) this.startLine++
    Object.assign(this, { pos: 0, start: 0, isBroken: true, isBare: false })
    return used
  }

  /** Adjusts offsets after the first bytes have been dropped. @param {number} count */
  moveBy(count) {
    this.pos -= count
    this.lineAt -= count
    this.strictUntil -= count
    if (this.start !== -1) this.start -= count
  }

  /** Ends the text. @param {Uint8Array} rest */
  end(rest) {
    while (this.recovers && this.start !== -1 && !this.isBare) {
      const next = this.breakOff(rest, rest.length)
      if (next === rest.length) break
      this.pos = next
      this.cut(rest)
    }
    if (this.start !== -1) this.close(rest.length)
  }

  /** @param {Uint8Array} bytes @returns {TextBlock} the documents cut so far */
  block(bytes) {
    const spans = Float64Array.from(this.spans)
    const end = spans.at(-2) ?? 0
    const block = new Batch(bytes.subarray(0, end), { document: this.count, count: spans.length / 3 })
    this.count += block.count
    this.spans = []
    return Object.assign(block, { spans })
  }
}

/**
 * @param {{legacy?: boolean}} options `legacy`: also version 1 of Extended JSON
 * @returns {(text: Uint8Array) => Uint8Array} reads a document; throws a BSONError when it is not Extended JSON
 */
function parserOf(options) {
  const reader = new (require('../../ejson/to-bson').TextReader)(options)
  return text => {
    try {
      return reader.read(text)
    } catch (cause) {
      throw cause instanceof SyntaxError ? syntaxError(text, cause) : withHint(cause, options)
    }
  }
}

/** @param {Uint8Array} text of JSON @returns {number} how many strings in it are not UTF-8 */
function countInvalid(text) {
  let count = 0
  let pos = findInvalidUtf8(text, 0, text.length)
  while (pos !== -1) {
    count++
    while (pos < text.length && text[pos] !== QUOTE) pos += text[pos] === BACKSLASH ? 2 : 1
    pos = pos < text.length ? findInvalidUtf8(text, pos, text.length) : -1
  }
  return count
}

/** What Node 22 adds: a line of the document, not of the file. */
const WITHIN = / \(line \d+ column \d+\)$/

function syntaxError(text, cause) {
  if (text[0] !== OPEN_DOCUMENT) {
    const shown = shownName(getUtf8Lossy(text, 0, Math.min(text.length, 100)), 20)
    return new BSONError(`expected a document, which begins with {, but found ${shown}`, { cause })
  }
  const calls = new RegExp(`[:[,]\\s*(?:new\\s+)?(${require('../options/shell').NAMES.join('|')})\\b\\s*[(,}\\]]`)
  const [, name] = calls.exec(getUtf8Lossy(text, 0, text.length)) ?? []
  const hint = name === undefined ? '' : ` (${name}(...) is the shell's, not JSON: use mongoexport, or EJSON.stringify in the shell)`
  return new BSONError(cause.message.replace(WITHIN, '') + hint, { cause })
}

/** @param {any} error @param {{legacy?: boolean}} options */
function withHint(error, { legacy }) {
  const isOld = !legacy && error instanceof BSONError && /"\$(date":-?\d|binary":"|type":)/.test(error.message)
  if (isOld) error.message += ' (for version 1 of Extended JSON, see --legacy)'
  return error
}

module.exports = { textBlocks, tooLong, parserOf, countInvalid }
