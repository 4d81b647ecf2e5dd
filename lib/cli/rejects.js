'use strict'

// Documents that --keep-going leaves out. The first are reported, all are counted, and --rejects writes them to a file.

const { OutputError, UsageError } = require('./options')
const { File } = require('./file')
const { printable } = require('./printable')

/** How many are reported on standard error. */
const SAID = 10

class Rejects {
  /** @param {Record<string, any>} options @param {any} stderr @throws {UsageError} */
  constructor({ rejects, 'keep-going': keepGoing }, stderr) {
    if (rejects !== undefined && !keepGoing) throw new UsageError('--rejects needs --keep-going')
    this.name = rejects
    /** @type {File | null} */
    this.file = null
    this.stderr = stderr
    this.count = 0
  }

  /** @param {{message: string, bytes: Uint8Array}[]} rejects @throws {OutputError} when the file cannot be written */
  add(rejects) {
    for (const { message, bytes } of rejects) {
      if (this.count++ < SAID) this.stderr.write(`qbson: left out: ${printable(message)}\n`)
      if (this.name === undefined) continue
      this.file ??= new File(this.name)
      this.attempt(file => file.write(bytes))
    }
  }

  /** After the last document: gives the file its name, even if it is empty. */
  finish() {
    if (this.name !== undefined) this.file ??= new File(this.name)
    this.attempt(file => file.finish())
    if (this.count === 0) return
    const where = this.name === undefined ? '' : ` (in ${printable(this.name)})`
    this.stderr.write(`qbson: ${this.count} ${this.count === 1 ? 'document was' : 'documents were'} left out${where}\n`)
  }

  discard() {
    this.file?.discard()
  }

  /** @param {(file: File) => void} work on the file, if there is one */
  attempt(work) {
    if (this.file === null) return
    try {
      work(this.file)
    } catch (error) {
      throw new OutputError(printable(`${this.name}: ${error.message}`))
    }
  }
}

module.exports = { Rejects }
