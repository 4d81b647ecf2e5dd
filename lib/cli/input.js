'use strict'

// Files, or standard input, read in chunks, and the items in them: documents, or lines.

const fs = require('node:fs')
const { BSONError } = require('../errors')
const { DocumentSplitter } = require('../stream/splitter')
const { OK, BAD_DATA, UNUSABLE, Range, maxDocumentSizeOf } = require('./options')
const { printable } = require('./printable')
const { Progress } = require('./progress')

/** Files are read in pieces of this size: bytes. */
const READ_SIZE = 256 * 1024

/**
 * What cuts chunks into items.
 *
 * @typedef {object} Reader
 * @property {number} count items given
 * @property {(chunk: Uint8Array) => Iterable<any>} push the items that are complete now
 * @property {() => Iterable<any>} end what is left
 * @property {(error: any) => any} place completes an error about the latest item
 */

/** @param {Record<string, any>} options @returns {Reader} */
function documentsOf(options) {
  return new DocumentSplitter({ maxDocumentSize: maxDocumentSizeOf(options) })
}

/**
 * Lines of text, those that are blank left out. Not by node:readline, which takes bytes that are not UTF-8 for U+FFFD
 * and keeps a line of any length.
 *
 * @implements {Reader}
 */
class Lines {
  /** @param {Record<string, any>} options */
  constructor(options) {
    this.maxLength = maxDocumentSizeOf(options)
    this.decoder = new TextDecoder('utf-8', { fatal: true })
    this.rest = ''
    this.count = 0
  }

  /** @param {Uint8Array} chunk @returns {Generator<string, void>} */
  *push(chunk) {
    const lines = this.decode(chunk, { stream: true }).split('\n')
    lines[0] = this.rest + lines[0]
    this.rest = lines.pop()
    for (const line of lines) yield* this.give(line)
    if (this.rest.length > this.maxLength) throw this.errorAt(1, `more than ${this.maxLength} characters`)
  }

  *end() {
    yield* this.give(this.rest + this.decode())
  }

  *give(line) {
    this.count++
    if (line.trim() !== '') yield line
  }

  decode(...args) {
    try {
      return this.decoder.decode(...args)
    } catch (cause) {
      throw this.errorAt(1, cause.message, cause)
    }
  }

  place(cause) {
    const isBad = cause instanceof BSONError || cause instanceof SyntaxError
    return isBad ? this.errorAt(0, cause.message, cause) : cause
  }

  /** @param {number} ahead lines after the latest one */
  errorAt(ahead, message, cause) {
    return new BSONError(`line ${this.count + ahead}: ${message}`, { cause })
  }
}

/** The items of one file: what `work` makes of each is yielded, that of a chunk together. @param {Reader} reader */
async function* mapItems(input, reader, work) {
  for await (const chunk of input.chunks(reader)) {
    yield* results(input.range, () => reader.push(chunk), reader, work)
    if (input.range.isOver) return
  }
  yield* results(input.range, () => reader.end(), reader, work)
}

/** What is before an item that is wrong is given first. */
function* results(range, items, reader, work) {
  const made = []
  try {
    for (const item of range.of(items())) made.push(placed(reader, work, item))
  } finally {
    if (made.length > 0) yield made
  }
}

function placed(reader, work, item) {
  try {
    return work(item)
  } catch (error) {
    throw reader.place(error)
  }
}

/**
 * Runs `work` on each file; what is wrong with one is said on standard error, and the next has its turn.
 *
 * @param {import('./commands').Context} context
 * @param {(input: Input) => AsyncGenerator<string | Uint8Array, number | void>} work answers an exit code
 * @param {{isQuiet?: boolean}} [how] `isQuiet`: nothing is printed meanwhile that progress would disturb
 * @returns {AsyncGenerator<string | Uint8Array, number>} the worst of the exit codes
 */
async function* eachFile({ files, options, io }, work, { isQuiet = false } = {}) {
  const range = new Range(options)
  const showsProgress = io.stderr.isTTY && (isQuiet || !io.stdout.isTTY)
  /** @type {number} */
  let worst = OK
  for (const file of files) {
    if (range.isOver) break
    const input = new Input(file, range, io.stdin, showsProgress ? io.stderr : null)
    try {
      worst = Math.max(worst, (yield* work(input)) || OK)
    } catch (error) {
      const code = error instanceof BSONError ? BAD_DATA : error.syscall !== undefined ? UNUSABLE : undefined
      if (code === undefined) throw error
      io.stderr.write(`qbson: ${printable(`${input.name}: ${error.message}`)}\n`)
      worst = Math.max(worst, code)
    }
  }
  return worst
}

class Input {
  /** @param {string} file @param {Range} range @param {any} stdin @param {any} terminal for the progress, or null */
  constructor(file, range, stdin, terminal) {
    this.file = file
    this.name = file === '-' ? 'standard input' : file
    this.range = range
    this.stdin = stdin
    this.terminal = terminal
  }

  /** @param {Reader} reader of what is read */
  async *chunks(reader) {
    const { file, name, terminal } = this
    const isStdin = file === '-'
    const size = isStdin || terminal === null ? 0 : fs.statSync(file).size
    const progress = terminal === null ? null : new Progress(name, size, terminal)
    const stream = isStdin ? this.stdin : fs.createReadStream(file, { highWaterMark: READ_SIZE })
    try {
      for await (const chunk of stream) {
        yield chunk
        progress?.add(chunk.length, reader.count)
      }
    } finally {
      progress?.clear()
    }
  }
}

module.exports = { documentsOf, Lines, eachFile, mapItems }
