'use strict'

// Documents that --keep-going leaves out: the first are said, all are counted, and written to a file if asked for.

const fs = require('node:fs')
const { UsageError } = require('./options')
const { printable } = require('./printable')

/** So many are said on standard error. */
const SAID = 10

class Rejects {
  /** @param {Record<string, any>} options @param {any} stderr @throws {UsageError} */
  constructor({ rejects, 'keep-going': keepGoing }, stderr) {
    if (rejects !== undefined && !keepGoing) throw new UsageError('--rejects needs --keep-going')
    this.file = rejects
    this.stderr = stderr
    this.count = 0
    /** @type {number | null} */
    this.handle = null
  }

  /** @param {{message: string, bytes: Uint8Array}[]} rejects */
  add(rejects) {
    for (const { message, bytes } of rejects) {
      if (this.count++ < SAID) this.stderr.write(`qbson: left out: ${printable(message)}\n`)
      if (this.file === undefined) continue
      this.handle ??= fs.openSync(this.file, 'w')
      for (let at = 0; at < bytes.length; ) at += fs.writeSync(this.handle, bytes, at)
    }
  }

  finish() {
    if (this.handle !== null) fs.closeSync(this.handle)
    if (this.count === 0) return
    const where = this.file === undefined ? '' : ` (in ${printable(this.file)})`
    this.stderr.write(`qbson: ${this.count} ${this.count === 1 ? 'document was' : 'documents were'} left out${where}\n`)
  }
}

module.exports = { Rejects }
