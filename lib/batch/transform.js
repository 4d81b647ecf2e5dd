'use strict'

// Node's Transform streams.

const { BSONError } = require('../errors')
const { NodeBuffer } = require('../bytes')
const { failureOf } = require('../iterators')

/** Runs `work`, and passes its error to a stream's callback. */
function settle(done, work) {
  try {
    work()
  } catch (error) {
    return done(failureOf(error))
  }
  done()
}

function createTransform(options) {
  // Loaded here, and not by `require`: browsers have no node:stream, and their bundlers would look for it.
  const builtin = typeof process === 'object' && process.getBuiltinModule
  if (!builtin) throw new BSONError('Transform streams need Node.js 20.16 or later: use documentStream(source)')
  const { Transform } = builtin('node:stream')
  return new Transform(options)
}

/**
 * Takes chunks of bytes and outputs what the reader makes of them. Nothing is made before there is room for it.
 *
 * @param {import('node:stream').TransformOptions} options
 * @param {{read: (chunk: any) => Iterator<any>, end: () => Iterable<any>}} reader
 * @returns {import('node:stream').Transform}
 */
function createReadingTransform(options, reader) {
  /** @type {Pump | null} the pump of the current chunk */
  let pump = null
  return createTransform({
    ...options,
    decodeStrings: false, // so that bytes which were read as text are refused: as UTF-8 they would be others
    transform(chunk, encoding, done) {
      const isEncoded = typeof chunk === 'string' && (chunk === '' || !/^utf-?8$/i.test(encoding)) // as hex, for example
      pump = new Pump(this, reader.read(isEncoded ? NodeBuffer.from(chunk, encoding) : chunk), done)
      pump.run()
    },
    read(size) {
      pump?.run()
      if (pump === null || pump.isDone) Object.getPrototypeOf(this)._read.call(this, size) // the next chunk
    },
    flush(done) {
      settle(done, () => {
        for (const item of reader.end()) this.push(item)
      })
    }
  })
}

/** Pushes items into a stream until it is full; continues when `run` is called again. */
class Pump {
  /**
   * @param {import('node:stream').Transform} stream
   * @param {Iterator<any>} items
   * @param {(error?: Error) => void} done
   */
  constructor(stream, items, done) {
    this.stream = stream
    this.items = items
    this.done = done
    this.isDone = false
    /** Guards against a listener that requests more while it receives an item. */
    this.isRunning = false
  }

  run() {
    if (this.isRunning) return
    this.isRunning = true
    while (!this.isDone && this.pushNext()) continue
    this.isRunning = false
  }

  /** @returns {boolean} whether the stream accepts more */
  pushNext() {
    let next
    try {
      next = this.items.next()
    } catch (error) {
      return this.finish(failureOf(error))
    }
    return next.done || this.stream.destroyed ? this.finish() : this.stream.push(next.value)
  }

  finish(error) {
    this.isDone = true
    this.done(error)
    return false
  }
}

module.exports = { createTransform, createReadingTransform, settle }
