'use strict'

// A line on the terminal that says how far a long file has been read.

const readline = require('node:readline')
const { printable } = require('./printable')

/** The line appears after the first and changes after the second, ms. */
const PROGRESS_AFTER = 1000
const PROGRESS_EVERY = 200

class Progress {
  /** @param {string} name of the file @param {number} total bytes; 0 when that is not known @param {any} terminal */
  constructor(name, total, terminal) {
    this.name = printable(name)
    this.total = total
    this.terminal = terminal
    this.bytes = 0
    this.next = Date.now() + PROGRESS_AFTER
    this.isShown = false
  }

  /** @param {number} bytes more @param {number} items read so far */
  add(bytes, items) {
    this.bytes += bytes
    if (Date.now() < this.next) return
    this.next = Date.now() + PROGRESS_EVERY
    this.clear()
    this.isShown = true
    const share = this.total > 0 ? `, ${Math.floor((100 * this.bytes) / this.total)} %` : ''
    this.terminal.write(`${this.name}: ${items} read, ${Math.round(this.bytes / 1e6)} MB${share}`)
  }

  clear() {
    if (!this.isShown) return
    readline.cursorTo(this.terminal, 0)
    readline.clearLine(this.terminal, 0)
  }
}

module.exports = { Progress }
