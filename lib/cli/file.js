'use strict'

const fs = require('node:fs')
const { onInterrupt } = require('./interrupt')

/** A file under a temporary name until it is complete. Its methods throw Node's errors. */
class File {
  /** @param {string} name */
  constructor(name) {
    this.name = name
    this.temporary = `${name}.${process.pid}.tmp`
    /** @type {number | null} */
    this.handle = null
    this.isMade = false
    this.forget = onInterrupt(() => fs.rmSync(this.temporary, { force: true }))
  }

  /** @param {Uint8Array} bytes */
  write(bytes) {
    this.handle ??= fs.openSync(this.temporary, this.isMade ? 'a' : 'w')
    this.isMade = true
    for (let at = 0; at < bytes.length; ) at += fs.writeSync(this.handle, bytes, at)
  }

  /** Closes the file until there is more to write. */
  rest() {
    if (this.handle !== null) fs.closeSync(this.handle)
    this.handle = null
  }

  /** Gives the file its final name. */
  finish() {
    if (!this.isMade) this.write(new Uint8Array(0))
    this.rest()
    fs.renameSync(this.temporary, this.name)
    this.isMade = false
  }

  /** Removes the file if it is not complete. */
  discard() {
    this.rest()
    if (this.isMade) fs.rmSync(this.temporary, { force: true })
    this.forget()
  }
}

module.exports = { File }
