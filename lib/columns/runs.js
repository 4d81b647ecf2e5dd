'use strict'

// Chunks of a stream -> runs of whole documents: as much of a chunk as lies in it whole is one, without a copy.

const { getInt32, toBytes } = require('../bytes')
const { DocumentSplitter } = require('../stream/splitter')

/** A document's length, in front of it. */
const HEADER_SIZE = 4

/**
 * @typedef {object} Run
 * @property {Uint8Array} bytes
 * @property {number} start
 * @property {number} end
 * @property {number} base bytes of the stream before `bytes`
 * @property {number} count documents in it
 */

class RunSplitter extends DocumentSplitter {
  /**
   * @param {Uint8Array | ArrayBufferLike | ArrayBufferView} chunk not to be changed afterwards
   * @returns {Generator<Run, void, void>}
   * @throws {import('../errors').BSONError} on a length that no document can have
   */
  *runs(chunk) {
    const bytes = toBytes(chunk)
    const { length } = bytes
    let pos = 0
    while (this.frames.size > 0 && pos < length) {
      const missing = (this.frames.needed || HEADER_SIZE) - this.frames.size
      const completed = this.push(bytes.subarray(pos, pos + missing))
      for (const document of completed) yield this.run(document, 0, document.length, 1)
      pos += Math.min(missing, length - pos)
    }
    const start = pos
    const before = this.count
    while (length - pos >= HEADER_SIZE) {
      const size = this.checkedSize(getInt32(bytes, pos))
      if (size > length - pos) break
      pos += size
      this.next += size
      this.count++
    }
    if (pos > start) yield this.run(bytes, start, pos, this.count - before)
    if (pos < length) this.push(bytes.subarray(pos)).next() // none is whole yet
  }

  /** @returns {Run} */
  run(bytes, start, end, count) {
    return { bytes, start, end, base: this.next - end, count }
  }
}

module.exports = { RunSplitter }
