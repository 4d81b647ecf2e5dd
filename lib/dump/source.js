'use strict'

/** The bytes of a file or a stream, in a window that moves over them. */
class ByteSource {
  /**
   * @param {AsyncIterableIterator<Uint8Array> | IterableIterator<Uint8Array>} chunks
   * @param {import('./window').Window} window
   */
  constructor(chunks, window) {
    this.chunks = chunks
    this.window = window
    this.isOver = false
    /** The error that ended it, once all bytes before it have arrived. @type {any} */
    this.failure = undefined
  }

  /** Reads another chunk. @returns {Promise<boolean>} whether there was one */
  async more() {
    if (this.isOver) return false
    try {
      const { done, value } = await this.chunks.next()
      this.isOver = Boolean(done)
      if (done) return false
      this.window.push(value)
      return true
    } catch (error) {
      this.isOver = true
      this.failure = error
      return false
    }
  }

  /** @param {number} size @returns {Promise<boolean>} whether the window has so many unread bytes */
  async need(size) {
    while (this.window.size < size) if (!(await this.more())) return false
    return true
  }
}

module.exports = { ByteSource }
