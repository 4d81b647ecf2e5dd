'use strict'

// The buffer that JSON text is written to, as UTF-8. It grows, and is kept for the next text.

const { BSONError } = require('../errors')
const { NodeBuffer, allocate, copyOf, putUtf8, getLatin1, getUtf8Lossy } = require('../bytes')

/** The initial size in bytes. */
const SIZE = 16384

/** A buffer of more bytes than this is not kept. */
const KEEP = 1 << 20

/** The most bytes that a UTF-16 unit takes. */
const BYTES_PER_UNIT = 3

/** The method that `buf.write` calls on Node, if it exists. */
const latin1Write = NodeBuffer && /** @type {any} */ (NodeBuffer.prototype).latin1Write

/** @type {(ascii: string, buf: Uint8Array, pos: number) => void} the caller has reserved room */
const writeAscii = latin1Write ? (ascii, buf, pos) => latin1Write.call(buf, ascii, pos, ascii.length) : putUtf8

class TextOutput {
  constructor() {
    this.renew(SIZE)
    /** Whether everything written since the last text is ASCII. */
    this.isAscii = true
  }

  /** @param {number} size bytes */
  renew(size) {
    const buf = allocate(size)
    this.buf = buf
    this.view = new DataView(buf.buffer, buf.byteOffset, size)
    this.size = size
  }

  /** @param {number} pos @param {number} need bytes @returns {number} `pos`; that much room is now there */
  reserve(pos, need) {
    if (pos + need > this.size) this.grow(pos, need)
    return pos
  }

  /** Keeps the bytes before `pos`. @param {number} pos @param {number} need bytes @throws {RangeError} if too many */
  grow(pos, need) {
    const { buf } = this
    this.renew(Math.max(2 * this.size, pos + need))
    this.buf.set(buf.subarray(0, pos))
  }

  /** @param {number} pos @param {string} string any that is JSON, without halves of characters @returns {number} */
  append(pos, string) {
    this.reserve(pos, BYTES_PER_UNIT * string.length)
    const end = putUtf8(string, this.buf, pos)
    if (end - pos !== string.length) this.isAscii = false
    return end
  }

  /** @param {number} start @param {number} end @returns {Uint8Array} the bytes between, which nobody overwrites */
  handOver(start, end) {
    const { buf } = this
    this.renew(SIZE)
    return buf.subarray(start, end)
  }

  /** @param {number} end @returns {string} the text before it */
  text(end) {
    return this.isAscii && NodeBuffer !== undefined ? getLatin1(this.buf, 0, end) : getUtf8Lossy(this.buf, 0, end)
  }

  /** @param {number} end @returns {Buffer} a copy of the text before it */
  bytes(end) {
    return copyOf(this.buf, 0, end)
  }
}

/** @type {TextOutput | null} null while in use: a `toExtendedJSON` that makes text itself gets another one */
let idle = null

/** @returns {TextOutput} the caller must call `releaseText`, even after an error */
function acquireText() {
  const out = idle ?? new TextOutput()
  idle = null
  return out
}

/** @param {TextOutput} out */
function releaseText(out) {
  out.isAscii = true
  if (out.size <= KEEP) idle = out
}

/** @template T @param {(out: TextOutput) => T} work @returns {T} what it makes with memory for a text */
function withText(work) {
  const out = acquireText()
  try {
    return work(out)
  } finally {
    releaseText(out)
  }
}

/** The messages of engines that fail to make a string or to allocate memory. */
const TOO_LONG = ['Invalid string length', 'Array buffer allocation failed']

/** The codes of Node's Buffer for the same. */
const NODES = ['ERR_STRING_TOO_LONG', 'ERR_OUT_OF_RANGE']

/** @param {any} error @returns {any} a BSONError when a text became too long, or else the error itself */
function explain(error) {
  const isTooLong = error instanceof RangeError && TOO_LONG.includes(error.message)
  return isTooLong || NODES.includes(error?.code) ? new BSONError('JSON text exceeds the maximum string length', { cause: error }) : error
}

module.exports = { SIZE, KEEP, TextOutput, writeAscii, acquireText, releaseText, withText, explain }
