'use strict'

const os = require('node:os')
const zlib = require('node:zlib')
const { promisify } = require('node:util')
const { concat } = require('../../bytes')
const { withLength } = require('../../dump/members')
const { UsageError, fileError } = require('../terminal/messages')
const { FileSink } = require('./sinks')
const { COMMA } = require('./writers')

/** Members that are compressed at the same time: Node has threads for that. */
const MOST_AT_ONCE = os.availableParallelism() + 1

/** Bytes that are compressed at a time: each time gives a gzip member or zstd frame, which may follow one another. */
const MEMBER_SIZE = 1 << 18

/** @typedef {(bytes: Uint8Array, before: number) => Promise<Uint8Array>} Compression `before`: bytes before these */

const gzip = promisify(zlib.gzip)

/** @type {Compression} */
const GZIP = async (bytes, before) => withLength(await gzip(bytes), before)

/** @returns {Compression | undefined} undefined if this Node.js has none */
function zstd() {
  const { zstdCompress } = /** @type {any} */ (zlib)
  const pack = zstdCompress && promisify(zstdCompress)
  return pack && (bytes => pack(bytes))
}

/** A place for the output of the command. Its methods throw a FileError. */
class Target {
  /**
   * @param {string} name in messages
   * @param {import('./sinks').Sink} sink
   * @param {{compression?: Compression | null, isArray?: boolean}} [how] `isArray`: pieces are documents of a JSON
   *   array, each with COMMA before it
   */
  constructor(name, sink, { compression = null, isArray = false } = {}) {
    this.name = name
    this.sink = sink
    this.compression = compression
    this.isArray = isArray
    this.isEmpty = true
    /** Not compressed yet. @type {Uint8Array[]} */
    this.pending = []
    this.size = 0
    /** Bytes that were compressed. */
    this.before = 0
    /** Being compressed, in order. @type {Promise<Uint8Array>[]} */
    this.packing = []
  }

  /** Before binary data are written. @throws {UsageError} */
  refuseTerminal() {
    if (this.sink.isTerminal) throw new UsageError('binary data are not written to a terminal: use --out FILE, or a pipe')
  }

  /** Whether it is a file with a name. */
  get isFile() {
    return this.sink instanceof FileSink
  }

  /** @param {Uint8Array | string} piece whose memory may be reused when this resolves */
  async write(piece) {
    const bytes = this.begun(typeof piece === 'string' ? Buffer.from(piece) : piece)
    await this.attempt(() => this.compression === null ? this.sink.write(bytes) : this.compress(bytes))
  }

  /** @param {() => void | Promise<void>} work whose errors get the name of the target */
  async attempt(work) {
    try {
      await work()
    } catch (error) {
      throw fileError(this.name, error)
    }
  }

  async compress(bytes) {
    this.pending.push(Buffer.from(bytes))
    this.size += bytes.length
    if (this.size >= MEMBER_SIZE) this.pack()
    await this.writePacked(MOST_AT_ONCE - 1)
  }

  /** Starts to compress what is gathered. */
  pack() {
    const packed = this.compression(concat(this.pending), this.before)
    packed.catch(() => {}) // thrown when it is its turn
    this.packing.push(packed)
    this.before += this.size
    this.size = 0
    this.pending = []
  }

  /** @param {number} most that may still be compressed then */
  async writePacked(most) {
    while (this.packing.length > most) await this.sink.write(await this.packing.shift())
  }

  /** Writes what is still missing. */
  async end() {
    if (this.isArray) await this.write(this.isEmpty ? '[]\n' : '\n]\n')
    await this.attempt(async () => {
      const isMissing = this.size > 0 || this.isEmpty // an empty file is not a valid gzip file
      if (this.compression !== null && isMissing) this.pack()
      await this.writePacked(0)
      this.sink.suspend()
    })
  }

  /** @param {Uint8Array} bytes @returns {Uint8Array} the same, after `[` if they are the first of an array */
  begun(bytes) {
    if (!this.isEmpty || bytes.length === 0) return bytes
    this.isEmpty = false
    return this.isArray && bytes[0] === COMMA[0] ? concat([Buffer.from('[\n'), bytes.subarray(COMMA.length)]) : bytes
  }
}

module.exports = { GZIP, zstd, Target }
