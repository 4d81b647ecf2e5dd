'use strict'

// What bytes are written to: a file, renamed into place when the run is over, a device, or a stream of the process.

const fs = require('node:fs')
const path = require('node:path')
const tty = require('node:tty')
const { promisify } = require('node:util')
const { randomBytes } = require('node:crypto')

const openAsync = promisify(fs.open)
const writeAsync = promisify(fs.write)

/** What bytes are written to. Its methods throw Node's errors. */
class Sink {
  isTerminal = false

  /** @param {Uint8Array} bytes @returns {void | Promise<void>} resolves when their memory may be reused */
  write(bytes) {
    throw new Error(`nothing takes ${bytes.length} bytes`)
  }

  /** Closes the file until there is more to write. */
  suspend() {}

  /** Gives the file its name. */
  commit() {}

  /** Takes back `commit`. */
  undo() {}

  /** Removes what is not committed. */
  discard() {}
}

/**
 * A file under a temporary name in the same folder. The name is random and the file is new, so that nobody can lay a
 * link there. If the file exists, its mode and owner are kept.
 */
class FileSink extends Sink {
  /** @param {string} file without symbolic links @param {fs.BigIntStats} [known] of the file, if it exists */
  constructor(file, known) {
    super()
    this.file = file
    this.known = known
    this.temporary = temporaryBeside(file)
    /** A second name of the file that was replaced, until the run is over. @type {string | null} */
    this.previous = null
    /** @type {number | null} */
    this.handle = fs.openSync(this.temporary, 'wx', known === undefined ? 0o666 : 0o600)
    if (known !== undefined) copyOwner(this.handle, known)
  }

  write(bytes) {
    this.handle ??= fs.openSync(this.temporary, 'a')
    for (let at = 0; at < bytes.length; ) at += fs.writeSync(this.handle, bytes, at)
  }

  /** Whether others have written to the file since it became known. */
  get isChanged() {
    const { size, mtimeNs, ino } = fs.statSync(this.file, { bigint: true })
    return size !== this.known.size || mtimeNs !== this.known.mtimeNs || ino !== this.known.ino
  }

  suspend() {
    if (this.handle !== null) fs.closeSync(this.handle)
    this.handle = null
  }

  commit() {
    this.suspend()
    if (this.known !== undefined) this.previous = secondName(this.file)
    rename(this.temporary, this.file)
    this.temporary = null
  }

  undo() {
    if (this.previous !== null) rename(this.previous, this.file)
    else if (this.known === undefined) fs.rmSync(this.file, { force: true })
    this.previous = null
  }

  discard() {
    this.suspend()
    for (const name of [this.temporary, this.previous]) if (name !== null) fs.rmSync(name, { force: true })
    this.temporary = this.previous = null
  }
}

/** Something open for writing that is no regular file: a device, a FIFO. */
class DeviceSink extends Sink {
  /** Of a FIFO, waits for its reader: signals are handled meanwhile. */
  static async open(name) {
    return new DeviceSink(await openAsync(name, 'w'))
  }

  /** @param {number} handle */
  constructor(handle) {
    super()
    this.handle = handle
    this.isTerminal = tty.isatty(handle)
  }

  /** Does not block the process: the reader of a FIFO may take its time. @param {Uint8Array} bytes */
  async write(bytes) {
    for (let at = 0; at < bytes.length; ) at += (await writeAsync(this.handle, bytes, at)).bytesWritten
  }

  commit() {
    if (this.handle !== null) fs.closeSync(this.handle)
    this.handle = null
  }

  discard() {
    this.commit()
  }
}

/** Standard output or standard error. */
class StreamSink extends Sink {
  constructor(stream) {
    super()
    this.stream = stream
    this.isTerminal = Boolean(stream.isTTY)
    stream.on('error', () => {}) // `write` gets the error
  }

  /** A stream without a file may keep its chunks. @param {Uint8Array} bytes @returns {Promise<void>} */
  write(bytes) {
    const chunk = this.stream.fd === undefined ? Buffer.from(bytes) : bytes
    return new Promise((resolve, reject) => {
      this.stream.write(chunk, error => (error ? reject(error) : resolve()))
    })
  }
}

/** How often, and after how many milliseconds, a file is renamed again. */
const TRIES = 20
const PAUSE = 50

/** Windows renames no open file, and virus scanners open what is new. @param {string} from @param {string} to */
function rename(from, to) {
  for (let tries = 1; ; tries++) {
    try {
      return fs.renameSync(from, to)
    } catch (error) {
      const isOpen = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(error.code)
      if (!isOpen || tries === TRIES) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)
    }
  }
}

function temporaryBeside(file) {
  return path.join(path.dirname(file), `.qbson-${randomBytes(9).toString('hex')}.tmp`)
}

function copyOwner(handle, { mode, uid, gid }) {
  const own = fs.fstatSync(handle, { bigint: true })
  try {
    if (own.uid !== uid || own.gid !== gid) fs.fchownSync(handle, Number(uid), Number(gid))
  } catch (error) {
    if (error.code !== 'EPERM') throw error // only root may give files away
  }
  fs.fchmodSync(handle, Number(mode) & 0o7777)
}

/** @param {string} file @returns {string | null} another name of it; null if its file system has no hard links */
function secondName(file) {
  const name = temporaryBeside(file)
  try {
    fs.linkSync(file, name)
    return name
  } catch {
    return null
  }
}

module.exports = { Sink, FileSink, DeviceSink, StreamSink }
