'use strict'

// Where Extended JSON text is put together: ASCII in a buffer that becomes a string in one call, and between two such
// pieces strings as they are. To add strings to strings instead takes twice the time: each `+` makes an object, and the
// tree of them has to be made flat.

const { BSONError } = require('../errors')
const { NodeBuffer, allocate } = require('../bytes')
const { getUtf8Lossy, putUtf8 } = require('../bytes/utf8')

/** Bytes of the buffer: chosen by benchmark/thresholds/ejson.js. */
const SIZE = 16384

class TextOutput {
  constructor() {
    const buf = allocate(SIZE)
    this.buf = buf
    this.view = new DataView(buf.buffer, buf.byteOffset, SIZE)
    /** What stands before the buffer. */
    this.text = ''
  }

  /** @param {number} pos @param {number} need `SIZE` at most @returns {number} where there is that room: `pos` or 0 */
  reserve(pos, need) {
    return pos + need <= SIZE ? pos : this.append(pos, '')
  }

  /** @param {number} pos @param {string} string any that is JSON @returns {number} 0, where the buffer begins anew */
  append(pos, string) {
    this.text += pos === 0 ? string : asciiOf(this.buf, pos) + string
    return 0
  }

  /** @param {number} pos @returns {string} all that was put, which begins anew */
  finish(pos) {
    const { text } = this
    const rest = asciiOf(this.buf, pos)
    if (text === '') return rest
    this.text = ''
    return flat(text + rest)
  }
}

/** Node's own methods underneath `buf.toString` and `buf.write`, where there are. */
const latin1Slice = NodeBuffer && /** @type {any} */ (NodeBuffer.prototype).latin1Slice
const latin1Write = NodeBuffer && /** @type {any} */ (NodeBuffer.prototype).latin1Write

/** @type {(buf: Uint8Array, end: number) => string} */
const asciiOf = latin1Slice ? (buf, end) => latin1Slice.call(buf, 0, end) : (buf, end) => getUtf8Lossy(buf, 0, end)

/** @type {(ascii: string, buf: Uint8Array, pos: number) => void} where there is room */
const writeAscii = latin1Write ? (ascii, buf, pos) => latin1Write.call(buf, ascii, pos, ascii.length) : putUtf8

/** Where what `flat` reads goes: the optimiser would leave out a read for nothing. */
const read = { character: 0 }

/**
 * A string put together by `+` is a tree of its pieces, three times as large as the text, until something reads it. To
 * read a character now takes 20 % of the time; the garbage collection of trees that live on takes 60 %.
 */
function flat(text) {
  read.character = text.charCodeAt(0)
  return text
}

/** @type {TextOutput | null} not in use; a `toExtendedJSON` that makes text itself finds none and gets its own */
let idle = null

/** @returns {TextOutput} to be given back with `releaseText`, whatever happens */
function acquireText() {
  const out = idle
  idle = null
  return out === null ? new TextOutput() : out
}

/** @param {TextOutput} out */
function releaseText(out) {
  out.text = ''
  idle = out
}

/** @param {any} error @returns {any} a BSONError when it is of a text that became too long, or else the error itself */
function explain(error) {
  const isPiece = error?.code === 'ERR_STRING_TOO_LONG' // of Node's Buffer, of one string or base64
  const isTooLong = isPiece || (error instanceof RangeError && error.message === 'Invalid string length')
  return isTooLong ? new BSONError('Extended JSON text exceeds the maximum string length', { cause: error }) : error
}

module.exports = { SIZE, TextOutput, writeAscii, acquireText, releaseText, flat, explain }
