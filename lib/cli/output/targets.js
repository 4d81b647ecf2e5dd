'use strict'

// All that a run of the command writes. The inputs and all outputs are known before the first byte is written, so that
// none can overwrite another, and in the end all files get their names, or none.

const fs = require('node:fs')
const path = require('node:path')
const { filesIn, metadataBeside } = require('../../dump/files')
const { OK, BAD_DATA, CHANGED, UsageError, FileError, fileError, say } = require('../terminal/messages')
const { Folder } = require('./folder')
const { onInterrupt } = require('../terminal/interrupt')
const { DeviceSink, FileSink, StreamSink } = require('./sinks')
const { GZIP, Target, zstd } = require('./target')

/** The most symbolic links that lead to a file. */
const MAX_LINKS = 40

/**
 * @typedef {object} Place of an output
 * @property {string} path without symbolic links if it is a file, or does not exist
 * @property {fs.BigIntStats} [stat] if it exists
 * @property {string | null} key the same for all names of a file; null for what may be used several times: devices
 * @property {string} [folded] if it does not exist: a key that is also the same for names that may be those of one file
 */

class Targets {
  /**
   * @param {{inputs: string[], options: Record<string, any>, io: import('../commands').Streams, isFolderFine?: boolean,
   *   replacesInput?: boolean}} run `inputs`: all files that are read; `isFolderFine`: whether --out may be a folder;
   *   `replacesInput`: whether it may be the only input
   */
  constructor({ inputs, options, io, isFolderFine = false, replacesInput = false }) {
    this.inputs = inputs
    this.options = options
    this.io = io
    this.isFolderFine = isFolderFine
    this.replacesInput = replacesInput
    /** Why nothing is renamed into place. @type {string | null} */
    this.refusal = null
    /** Whether the output will replace the input. */
    this.isInPlace = false
    /** What the command yields goes here: standard output or --out. @type {Target} */
    this.out
    /** Where --out is a folder. @type {Folder | null} */
    this.folder = null
    /** @type {Target | null} */
    this.rejects = null
    /** @type {Map<string, string>} name of each target by its key */
    this.keys = new Map()
    /** The first of the files that do not exist yet, by `folded` of a Place. @type {Map<string, string>} */
    this.similar = new Map()
    /** Folders in which similar names are tried, by the folder around each. @type {Map<string, string>} */
    this.trials = new Map()
    /** The names of the inputs by their keys, once they are needed. @type {Map<string | null, string> | undefined} */
    this.read = undefined
    /** @type {Target[]} */
    this.claimed = []
    /** Folders made for outputs, in this order. @type {string[]} */
    this.made = []
  }

  /**
   * Runs the command until it ends, or nobody reads its output any more. Then all files get their names, if the command
   * was successful.
   *
   * @param {AsyncGenerator<string | Uint8Array, number>} work yields what goes to `out`
   * @returns {Promise<number>} the exit code
   */
  async run(work) {
    const unsubscribe = onInterrupt(() => this.discard())
    try {
      await this.open()
      while (true) {
        const step = await work.next()
        if (step.done === true) return await this.finish(step.value)
        await this.out.write(step.value)
      }
    } catch (error) {
      const isEnough = error instanceof FileError && error.code === 'EPIPE' && error.file === this.out.name
      if (isEnough) return OK // `qbson FILE | head`
      throw error
    } finally {
      await work.return(OK)
      this.discard()
      unsubscribe()
    }
  }

  /** Claims --out and --rejects. @throws {UsageError | FileError} */
  async open() {
    const { rejects } = this.options
    if (rejects === '-' || /[\\/]$/.test(rejects ?? '')) throw new UsageError(`--rejects needs the name of a file, not ${rejects}`)
    await this.openOut()
    if (rejects !== undefined) this.rejects = await this.claim(rejects)
  }

  async openOut() {
    const { out = '-', gzip } = this.options
    const isStandard = out === '-'
    if (!isStandard && !isFolder(out)) return void (this.out = await this.claim(out, { isOut: true }))
    this.out = this.standardOutput(isStandard && gzip ? GZIP : null)
    if (isStandard) return
    if (!this.isFolderFine) throw new UsageError(`${out} is a folder, but --out needs a file here`)
    this.folder = new Folder(out, this)
  }

  standardOutput(compression) {
    const { stdout } = this.io
    const name = 'standard output'
    const stat = stdout.fd === undefined ? undefined : fs.fstatSync(stdout.fd, { bigint: true })
    if (stat !== undefined) this.register(name, { path: name, ...identityOf(stat) })
    const target = new Target(name, new StreamSink(stdout), { compression })
    this.claimed.push(target)
    if (compression !== null) target.refuseTerminal()
    return target
  }

  /**
   * @param {string} name of a file, also of a device, a FIFO, or a symbolic link
   * @param {{isArray?: boolean, isOut?: boolean}} [how] `isOut`: whether it is the file of --out
   * @returns {Promise<Target>}
   * @throws {UsageError} when it is an input, another output or a folder, or cannot be compressed as its name says
   * @throws {FileError} when it cannot be written
   */
  async claim(name, { isArray, isOut = false } = {}) {
    const compression = compressionOf(name, isOut && this.options.gzip)
    try {
      const place = placeOf(name)
      this.register(name, place, isOut && this.replacesInput)
      const target = new Target(name, await this.sinkAt(name, place), { compression, isArray })
      this.claimed.push(target)
      return target
    } catch (error) {
      if (error.syscall === undefined) throw error
      throw fileError(name, error)
    }
  }

  /** @param {string} name @param {Place} place @returns {Promise<import('./sinks').Sink>} */
  async sinkAt(name, { path: file, stat }) {
    const { stdout, stderr } = this.io
    const stream = stat && [stdout, stderr].find(({ fd }) => fd !== undefined && isSame(fd, stat))
    if (stream !== undefined) return new StreamSink(stream)
    return stat === undefined || stat.isFile() ? new FileSink(file, stat) : DeviceSink.open(name)
  }

  /** @param {string} name @param {Place} place @param {boolean} [mayBeInput] */
  register(name, { path: file, stat, key, folded }, mayBeInput = false) {
    if (stat?.isDirectory()) throw new UsageError(`${name} is a folder, but a file is needed here`)
    if (key === null) return
    if (this.keys.has(key)) throw new UsageError(`${name}: two outputs cannot be the same file`)
    this.keys.set(key, name)
    if (folded !== undefined) this.refuseSimilar(name, file, folded)
    const input = stat === undefined ? undefined : this.inputKeys().get(key)
    this.isInPlace ||= input !== undefined && mayBeInput
    if (input !== undefined && !mayBeInput) throw new UsageError(`${name}: the output would replace the input ${input}`)
  }

  /**
   * Tries it: file systems of Windows and macOS, also on Linux, do not distinguish all names.
   *
   * @param {string} name
   * @param {string} file that does not exist
   * @param {string} folded
   * @throws {UsageError}
   */
  refuseSimilar(name, file, folded) {
    const first = this.similar.get(folded)
    if (first === undefined) return void this.similar.set(folded, file)
    const [folder] = folded.split('/')
    const trial = this.trials.get(folder) ?? fs.mkdtempSync(path.join(path.dirname(file), '.qbson-'))
    this.trials.set(folder, trial)
    fileTried(trial, first)
    const same = fileTried(trial, file)
    const about = `and this file system does not distinguish it from ${same}`
    if (same !== file) throw new UsageError(`${name}: two outputs cannot be the same file, ${about}`)
  }

  /** The names of all files that are read, by their keys. */
  inputKeys() {
    const filesOf = input => this.filesOf(input)
    this.read ??= new Map(this.inputs.flatMap(filesOf).map(({ name, stat }) => [identityOf(stat).key, name]))
    return this.read
  }

  /** @param {string} input @returns {{name: string, stat: fs.BigIntStats}[]} */
  filesOf(input) {
    const { stdin } = this.io
    if (input === '-') {
      return stdin.fd === undefined ? [] : [{ name: 'standard input', stat: fs.fstatSync(stdin.fd, { bigint: true }) }]
    }
    const isDump = statOf(input)?.isDirectory()
    const names = isDump ? filesIn(input) : [input, ...metadataBeside(input).filter(name => fs.existsSync(name))]
    return names.map(name => ({ name, stat: readableStatOf(name) })).filter(({ stat }) => stat !== undefined)
  }

  /** Makes a folder, and those it is in. @param {string} name @throws {FileError} */
  makeFolder(name) {
    try {
      this.makeFolders(path.resolve(name))
    } catch (error) {
      throw fileError(name, error)
    }
  }

  /** One by one: the recursive mkdirSync says of a read-only disk that the folder does not exist. */
  makeFolders(folder) {
    if (isDirectory(folder)) return
    if (path.dirname(folder) !== folder) this.makeFolders(path.dirname(folder))
    try {
      fs.mkdirSync(folder)
      this.made.push(folder)
    } catch (error) {
      if (!isDirectory(folder)) throw error // otherwise, another process was faster
    }
  }

  /** @param {number} code @returns {Promise<number>} the exit code */
  async finish(code) {
    for (const target of this.claimed) await target.end()
    if (this.refusal === null) {
      this.commit()
      return code
    }
    const { out = '-' } = this.options
    if (out !== '-') say(this.io, `${out} was not written, because ${this.refusal}`)
    return Math.max(code, BAD_DATA)
  }

  /** Gives all files their names, or none. @throws {FileError} */
  commit() {
    const { claimed, out: { sink, name } } = this
    const isStale = this.isInPlace && sink instanceof FileSink && sink.isChanged // what others have added would be lost
    if (isStale) throw new FileError(`${name}: ${CHANGED}`)
    let done = 0
    try {
      for (; done < claimed.length; done++) claimed[done].sink.commit()
      this.made = []
    } catch (error) {
      for (const target of claimed.slice(0, done).reverse()) target.sink.undo()
      throw fileError(claimed[done].name, error)
    }
  }

  /** Removes what is not committed. */
  discard() {
    for (const { sink } of this.claimed) sink.discard()
    for (const trial of this.trials.values()) {
      try {
        fs.rmSync(trial, { recursive: true, force: true, maxRetries: 3 })
      } catch {} // on Windows, others may hold it open
    }
    this.trials.clear()
    for (const folder of this.made.splice(0).reverse()) {
      try {
        fs.rmdirSync(folder)
      } catch {} // others may have put something there
    }
  }
}

/** @param {string} name @returns {fs.BigIntStats | undefined} undefined if it does not exist */
function statOf(name) {
  return fs.statSync(name, { bigint: true, throwIfNoEntry: false })
}

/** The same of an input: what is wrong with it is reported when it is read. @param {string} name */
function readableStatOf(name) {
  try {
    return statOf(name)
  } catch {}
}

function isDirectory(name) {
  return Boolean(statOf(name)?.isDirectory())
}

/** @param {string} out whether it names a folder */
function isFolder(out) {
  return /[/\\]$/.test(out) || isDirectory(out)
}

/** Devices can be used several times, so they have no key. @param {fs.BigIntStats} stat */
function identityOf(stat) {
  return { stat, key: stat.isFile() || stat.isFIFO() ? `${stat.dev}:${stat.ino}` : null }
}

function isSame(handle, { dev, ino }) {
  const own = fs.fstatSync(handle, { bigint: true })
  return own.dev === dev && own.ino === ino
}

/** Follows symbolic links, also to a file that does not exist. @returns {Place} */
function placeOf(name) {
  const stat = statOf(name)
  if (stat !== undefined) {
    if (stat.isFile() && (Number(stat.mode) & 0o222) === 0) throw new FileError(`${name} is read-only`)
    if (stat.isFile()) fs.accessSync(name, fs.constants.W_OK)
    return { path: stat.isFile() ? fs.realpathSync(name) : name, ...identityOf(stat) }
  }
  let file = path.resolve(name)
  for (let i = 0; i < MAX_LINKS && fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink(); i++) {
    file = path.resolve(path.dirname(file), fs.readlinkSync(file))
  }
  const folder = statOf(path.dirname(file))
  if (!folder?.isDirectory()) throw new FileError(`${name}: there is no folder ${path.dirname(file)}`)
  const [within, own] = [`${folder.dev}:${folder.ino}/`, path.basename(file)]
  return { path: file, key: within + own, folded: within + own.normalize('NFKD').toUpperCase().toLowerCase() }
}

/** @param {string} trial a folder @param {string} file @returns {string} the first one tried there with its name */
function fileTried(trial, file) {
  const own = path.join(trial, path.basename(file))
  if (!fs.existsSync(own)) fs.writeFileSync(own, file)
  return fs.readFileSync(own, 'utf8')
}

function compressionOf(name, gzip) {
  if (!/\.zst$/i.test(name)) return gzip || /\.gz$/i.test(name) ? GZIP : null
  if (gzip) throw new UsageError(`${name}: --gzip and a name that ends with .zst cannot be combined`)
  const found = zstd()
  if (found === undefined) throw new UsageError(`${name}: zstd needs Node.js 22.15`)
  return found
}

module.exports = { Targets }
