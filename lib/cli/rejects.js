'use strict'

// Documents that --keep-going leaves out. The first are reported, all are counted, and --rejects writes them to a file.

const { plural, say } = require('./messages')

/** How many are reported on standard error. */
const SAID = 10

/**
 * What is left out. `isDocument`: as far as its length goes, default true; `offset`: in the file.
 *
 * @typedef {{message: string, bytes: Uint8Array, isDocument?: boolean, offset?: number}} Reject
 */

class Rejects {
  /** @param {import('./target').Target | null} target of their bytes @param {{stderr: any}} io */
  constructor(target, io) {
    this.target = target
    this.io = io
    this.count = 0
    this.documents = 0
    /** Bytes that hold no document. */
    this.damaged = 0
  }

  /** @param {Reject[]} rejects @throws {FileError} when they cannot be written */
  add(rejects) {
    for (const { message, bytes, isDocument = true } of rejects) {
      const what = bytes.length === 0 ? '' : 'left out: '
      if (this.count++ < SAID) say(this.io, what + message)
      if (bytes.length > 0 && isDocument) this.documents++
      else this.damaged += bytes.length
      this.target?.writeSync(bytes)
    }
  }

  /** After the last document: says how many there were. */
  finish() {
    const { documents, damaged } = this
    const parts = [
      ...(documents > 0 ? [plural(documents, 'document')] : []),
      ...(damaged > 0 ? [`${plural(damaged, 'byte')} without a valid document`] : [])
    ]
    if (parts.length === 0) return
    const where = this.target === null ? '' : ` (in ${this.target.name})`
    say(this.io, `${parts.join(' and ')} ${documents + damaged === 1 ? 'was' : 'were'} left out${where}`)
  }
}

module.exports = { Rejects }
