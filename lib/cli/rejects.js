'use strict'

// Documents that --keep-going leaves out. The first are reported, all are counted, and --rejects writes them to a file.

const { printable } = require('./printable')

/** How many are reported on standard error. */
const SAID = 10

/**
 * What is left out.
 *
 * @typedef {object} Reject
 * @property {string} message
 * @property {Uint8Array} bytes
 * @property {boolean} [isDocument] whether it is a document, as far as its length goes; default true
 * @property {number} [offset] in the file
 */

class Rejects {
  /** @param {import('./target').Target | null} target of their bytes @param {any} stderr */
  constructor(target, stderr) {
    this.target = target
    this.stderr = stderr
    this.count = 0
    this.documents = 0
    /** Bytes that hold no document. */
    this.damaged = 0
  }

  /** @param {Reject[]} rejects @throws {FileError} when they cannot be written */
  add(rejects) {
    for (const { message, bytes, isDocument = true } of rejects) {
      const what = bytes.length === 0 ? '' : 'left out: '
      if (this.count++ < SAID) this.stderr.write(`qbson: ${what}${printable(message)}\n`)
      if (bytes.length > 0 && isDocument) this.documents++
      else this.damaged += bytes.length
      this.target?.writeSync(bytes)
    }
  }

  /** After the last document: says how many there were. */
  finish() {
    const { documents, damaged } = this
    const parts = []
    if (documents > 0) parts.push(documents === 1 ? '1 document' : `${documents} documents`)
    if (damaged > 0) parts.push(`${damaged} ${damaged === 1 ? 'byte' : 'bytes'} without a valid document`)
    if (parts.length === 0) return
    const where = this.target === null ? '' : ` (in ${printable(this.target.name)})`
    const verb = documents + damaged === 1 ? 'was' : 'were'
    this.stderr.write(`qbson: ${parts.join(' and ')} ${verb} left out${where}\n`)
  }
}

module.exports = { Rejects }
