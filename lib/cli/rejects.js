'use strict'

// Documents that --keep-going leaves out. The first are reported, all are counted, and --rejects writes them to a file.

const { printable } = require('./printable')

/** How many are reported on standard error. */
const SAID = 10

class Rejects {
  /** @param {import('./target').Target | null} target of their bytes @param {any} stderr */
  constructor(target, stderr) {
    this.target = target
    this.stderr = stderr
    this.count = 0
  }

  /** @param {{message: string, bytes: Uint8Array}[]} rejects @throws {FileError} when they cannot be written */
  add(rejects) {
    for (const { message, bytes } of rejects) {
      if (this.count++ < SAID) this.stderr.write(`qbson: left out: ${printable(message)}\n`)
      this.target?.writeSync(bytes)
    }
  }

  /** After the last document: says how many there were. */
  finish() {
    if (this.count === 0) return
    const where = this.target === null ? '' : ` (in ${printable(this.target.name)})`
    this.stderr.write(`qbson: ${this.count} ${this.count === 1 ? 'document was' : 'documents were'} left out${where}\n`)
  }
}

module.exports = { Rejects }
