'use strict'

// The files of a command, as blocks of documents. An error of one file is reported, and the next file follows.

const fs = require('node:fs')
const { Batch } = require('../../batch')
const { BSONError, errorAtOffset, plural, shownName } = require('../../errors')
const { openDump } = require('../../dump')
const { filesIn } = require('../../dump/files')
const { OK, BAD_DATA, CHANGED, FileError, exitCodeOf, reasonOf, say, nameOf, inFile, placeIn } = require('../terminal/messages')
const { keysOf } = require('../options')
const { Range, isPlain, trialOf, workOf } = require('../tasks/documents')
const { keeperOf } = require('./keeper')
const { obeys } = require('../terminal/printable')
const { missingOf, renamerOf, wantedOf } = require('./names')
const { Pool } = require('../tasks/pool')
const { Progress } = require('../terminal/progress')
const { MissingFields, watchesOfQuery } = require('./watch')

/** How many documents that are left out are reported one by one, and collections that are not reached. */
const SAID = 10

/**
 * @typedef {import('../../dump/namespace').Namespace} Namespace
 * @typedef {import('../options/values').Path} Path
 * @typedef {import('../tasks/documents').Plan} Plan
 * @typedef {{block: Batch, result: import('../tasks/documents').Result, file: string}} Step
 */

/** The files of a run, and its outcome. */
class Input {
  /**
   * @param {import('../commands').Context} context
   * @param {object} [how]
   * @param {boolean} [how.isQuiet] no output that progress would disturb
   * @param {boolean} [how.ofText] files hold text
   * @param {string} [how.purpose] text before the names of files in progress
   * @param {Path[]} [how.fields] those that documents should have
   * @param {boolean} [how.isAhead] what is read is worked on later: errors of reading wait until `finish`
   */
  constructor({ files, options, io, targets }, how = {}) {
    const { isQuiet, ofText = false, purpose = '', fields = options.fields, isAhead } = how
    this.files = files
    this.options = options
    this.io = io
    this.targets = targets
    this.ofText = ofText
    this.purpose = purpose
    this.keepsGoing = Boolean(options['keep-going'])
    /** Messages of errors that wait. @type {string[] | null} */
    this.waiting = isAhead ? [] : null
    /** Those that were opened. @type {Set<import('../../dump/open').Dump>} */
    this.dumps = new Set()
    /** The one that was opened last. @type {import('../../dump/open').Dump | null} */
    this.current = null
    /** How many documents --match and the like have chosen of each file that was started; Infinity after an error. */
    this.counts = []
    /** The collections that were reached, empty ones included. @type {Set<Namespace>} */
    this.reached = new Set()
    this.rename = ofText ? null : renamerOf(options)
    /** Documents so far, those of them to edit, and those that each edit has changed. @type {number[]} */
    this.changed = []
    /** What remains of --skip and --limit. */
    this.range = new Range(options)
    /** The worst exit code so far. @type {number} */
    this.code = OK
    /** Whether reading a file stopped before its end. */
    this.isCut = false
    /** Whether statistics differ from those of one thread: documents follow a broken one, or a limit is reached. */
    this.isInexact = false
    /** Strings that were not UTF-8, with --replace-invalid. @type {{count: number, first: string} | null} */
    this.replaced = null
    /** A query. @type {Uint8Array | undefined} */
    this.match = options.match
    /** What look at documents before any work. @type {any[]} */
    this.watches = watchesOf(options, fields)
    /** Where --keep-going writes what it leaves out. @type {import('../output/target').Target | null} */
    this.rejects = options.rejects === undefined ? null : targets.rejects
    /** What it has left out: the bytes hold no document. */
    this.leftOut = { count: 0, documents: 0, bytes: 0, message: '' }
    const showsProgress = obeys(io.stderr) && (isQuiet || options.out !== undefined || !io.stdout.isTTY)
    this.terminal = showsProgress ? io.stderr : null
    this.reading = {
      namespaces: wantedOf(options), maxDocumentSize: options['max-document-size'], namespace: options.name,
      range: options.range, offset: options.offset, searchSize: options.search,
      sync: true, reuse: true, onError: this.keepsGoing ? () => {} : undefined, utf8: !options['replace-invalid']
    }
  }

  open(file, progress = null) {
    this.current = openDump(this.sourceOf(file), { ...this.reading, onRead: progress?.onRead })
    this.dumps.add(this.current)
    return this.current
  }

  /** @param {import('../../dump/open').Dump} dump with its first block read @returns {Namespace[]} of the output */
  namesOf(dump) {
    const wanted = dump.namespaces.filter(namespace => dump.wants(namespace))
    return this.rename === null ? wanted : wanted.map(this.rename)
  }

  sourceOf(file) {
    const { stdin } = this.io
    const stat = file !== '-' ? this.ofText && fs.statSync(file) : stdin.fd !== undefined && fs.fstatSync(stdin.fd)
    // Node reads nothing of a folder
    if (stat && stat.isDirectory()) throw new FileError(`${nameOf(file)} is a folder, but a file is needed here`)
    return file === '-' ? stdin : file
  }

  /** @param {Plan} plan @returns {AsyncGenerator<Step, void>} its results for all blocks, in their order */
  async *results(plan) {
    const { options, match, io, keepsGoing: keepGoing, reading: { maxDocumentSize } } = this
    const replaceInvalid = options['replace-invalid']
    const full = { ...plan, match, fields: options.fields, keepGoing, replaceInvalid, maxDocumentSize }
    const kept = keeperOf(options)
    const asked = match ?? plan.edits?.match
    if (asked !== undefined && !this.ofText) this.watches.push(...watchesOfQuery(asked, note => say(io, note)))
    yield* kept === null ? this.resultsOfAll(full) : this.resultsOfKept(full, kept)
    if (plan.task !== 'choose') this.finish()
  }

  /** Says what was left out or replaced. */
  finish() {
    for (const message of this.waiting?.splice(0) ?? []) say(this.io, message)
    if (this.targets.folder !== null && this.range.isOver) this.findUnreached()
    const { rejects, replaced, leftOut: { documents, bytes } } = this
    const parts = [
      ...(documents > 0 ? [plural(documents, 'document')] : []),
      ...(bytes > 0 ? [`${plural(bytes, 'byte')} without a valid document`] : [])
    ]
    const where = rejects === null ? '' : ` (in ${rejects.name})`
    const were = count => (count === 1 ? 'was' : 'were')
    if (parts.length > 0) say(this.io, `${parts.join(' and ')} ${were(documents + bytes)} left out${where}`)
    if (replaced === null) return
    const what = `${plural(replaced.count, 'string')} ${were(replaced.count)} not UTF-8`
    say(this.io, `${what}, and got U+FFFD for invalid bytes (first in ${replaced.first})`)
  }

  /** Says which collections get no file, because the reading ended before them. */
  findUnreached() {
    const isUnreached = (dump, namespace) => dump.wants(namespace) && !this.reached.has(namespace)
    const found = [...this.dumps].flatMap(dump => dump.namespaces.filter(each => isUnreached(dump, each)))
    const names = [...found.map(({ name }) => shownName(name)), ...this.files.slice(this.counts.length).map(nameOf)]
    if (names.length === 0) return
    const listed = names.slice(0, SAID).join(', ') + (names.length > SAID ? ` and ${names.length - SAID} more` : '')
    say(this.io, `--limit ends the reading before ${listed}: no file is written for what is not read`)
  }

  async *resultsOfAll(full) {
    const range = this.range.isAll ? null : this.range
    const { stats, probes, ...others } = full
    const plan = range === null ? others : { ...others, probes }
    const isOnce = stats !== undefined && !this.files.every(isReadTwice) // what is inexact has to be read again
    const isLocal = range !== null || isOnce || full.tally !== undefined || (!this.ofText && isPlain(plan, range))
    const work = workOf({ ...plan, stats }, range, this.ofText)
    const pool = isLocal ? new Pool(plan, work) : new Pool(plan, work, this.options.workers, this.size())
    try {
      yield* this.worked(pool)
      this.findMissing()
      if (stats !== undefined && !(await pool.collect()).every(found => stats.join(found))) this.isInexact = true
    } finally {
      await pool.close()
    }
  }

  /** Works on chosen documents after all files have been read. @param {Plan} plan @param {any} kept a Keeper */
  async *resultsOfKept(plan, kept) {
    const { keepGoing, replaceInvalid, match } = plan
    const trial = keepGoing ? trialOf(plan) : undefined
    const choose = workOf({ task: 'choose', match, probes: [kept.probe, trial, ...plan.probes ?? []], keepGoing, replaceInvalid }, null)
    const pool = new Pool({ task: 'choose' }, choose)
    /** Collections of which no document has been given yet. @type {Map<Namespace, {file: string, block: Batch}>} */
    const empty = new Map()
    for await (const { file, block, result } of this.worked(pool)) {
      const { namespace, from } = block
      const none = new Batch(new Uint8Array(0), { namespace, from })
      if (!empty.has(namespace)) empty.set(namespace, { file, block: none })
      // the plain file to read its documents from again
      kept.add(file, block, result, replaceInvalid || !isReadTwice(file) ? null : this.current.plainFile)
    }
    this.findMissing()
    const work = workOf({ ...plan, match: undefined, probes: undefined, replaceInvalid: false }, this.range)
    const broken = new Set()
    let before = 0
    for (const { file, read } of kept.groups()) {
      if (this.range.isOver) break
      if (broken.has(file)) continue
      try {
        const block = Object.assign(read(), { before })
        const result = work(block)
        before += block.bytes.length
        await this.take(result, file)
        empty.delete(block.namespace)
        yield { file, block, result }
        const error = errorOf(result)
        if (error !== null) throw error
      } catch (error) {
        broken.add(file)
        this.fail(file, error)
      }
    }
    for (const { file, block } of empty.values()) yield { file, block, result: work(block) }
  }

  /** Whether documents may follow those that were read. */
  get isPart() {
    return this.range.isOver || this.isCut
  }

  /** Reports fields and collections that are not there. */
  findMissing() {
    const { ns = [], 'ns-from': from = [] } = this.options
    const hasMatch = this.counts.some(count => count > 0)
    for (const watch of this.watches) {
      const note = watch.noteOf?.(this.isPart, hasMatch) ?? null
      if (note !== null) say(this.io, note)
    }
    if (this.isCut || this.dumps.size < this.files.length) return
    const names = [...this.dumps].flatMap(({ namespaces }) => namespaces.map(({ name }) => name))
    const [message, unused] = [missingOf(ns, names), missingOf(from, names)]
    if (unused !== null && this.reading.range === undefined) say(this.io, `--ns-from: ${unused}`)
    if (message === null) return
    say(this.io, message)
    this.code = Math.max(this.code, BAD_DATA)
    this.targets.refusal = 'a collection is missing'
  }

  /** @returns {number} bytes of all files, as far as known */
  size() {
    const size = this.files.reduce((sum, file) => sum + bytesIn(file), 0)
    return Math.min(size, this.reading.range?.length ?? Infinity)
  }

  blocks(file, progress) {
    if (!this.ofText) {
      const blocks = this.open(file, progress).withErrors()
      return this.watches.length === 0 ? blocks : this.watched(blocks)
    }
    const { maxDocumentSize, sync, onError } = this.reading
    return require('../tasks/text').textBlocks(this.sourceOf(file), maxDocumentSize, { onRead: progress?.onRead, sync, onError })
  }

  async *watched(blocks) {
    for await (const block of blocks) {
      for (const watch of this.watches) watch.lookAt(block.bytes)
      yield block
    }
  }

  /** Works on all files, and reports their errors. @param {Pool} pool @returns {AsyncGenerator<Step, void>} */
  async *worked(pool) {
    for (const file of this.files) {
      if (this.range.isOver) return
      const at = this.counts.push(0) - 1
      const name = this.purpose + nameOf(file)
      const progress = this.terminal === null ? null : new Progress(name, bytesIn(file), this.terminal)
      try {
        for await (const step of pool.results(this.blocks(file, progress))) {
          const { block, result } = step
          this.reached.add(block.namespace)
          progress?.count(result.count)
          this.counts[at] += result.count
          await this.take(result, file, block.from)
          if (block.error !== undefined) continue
          if (this.rename !== null) block.namespace = this.rename(block.namespace)
          yield { block, result, file }
          const error = errorOf(result)
          this.isInexact ||= error !== null && pool.members.length > 0
          if (error !== null) throw error
          if (this.range.isOver) return
        }
      } catch (error) {
        this.counts[at] = Infinity
        this.fail(file, error)
      } finally {
        progress?.clear()
      }
    }
  }

  /** Reports files that have fewer documents than before. @param {Input} before has read them, too */
  findShrunk({ counts }) {
    for (const [at, count] of counts.entries()) {
      if (count > this.counts[at]) this.fail(this.files[at], new BSONError(CHANGED))
    }
  }

  /** @param {import('../tasks/documents').Result} result @param {string} file @param {string} [from] as in a Batch */
  async take({ count, changed, rejects, replaced }, file, from = '') {
    if (changed !== undefined) this.changed = [count, ...changed].map((times, i) => times + (this.changed[i] ?? 0))
    await this.leaveOut(rejects.map(({ message, ...reject }) => ({ ...reject, message: inFile(file, message) })))
    if (replaced === undefined) return
    this.code = Math.max(this.code, BAD_DATA)
    this.replaced ??= { count: 0, first: `${replaced.first} of ${placeIn(file, from)}` }
    this.replaced.count += replaced.count
  }

  /** Counts them, writes them to --rejects, says the first. @param {import('../tasks/documents').Reject[]} rejects */
  async leaveOut(rejects) {
    for (const { message, bytes, isDocument = true } of rejects) {
      this.code = Math.max(this.code, BAD_DATA)
      const isNew = message !== this.leftOut.message // not another part of a long text
      this.leftOut.message = message
      if (isNew && this.leftOut.count++ < SAID) say(this.io, (bytes.length === 0 ? '' : 'left out: ') + message)
      if (bytes.length > 0 && isDocument) this.leftOut.documents++
      else this.leftOut.bytes += bytes.length
      await this.rejects?.write(bytes)
    }
  }

  /** Reports metadata that cannot be used. @param {string} file @param {Namespace} namespace */
  findFault(file, { name, metadata, metadataFault }) {
    const what = metadata === undefined ? 'are left out' : 'stay as they are'
    say(this.io, inFile(file, `the options and indexes of ${shownName(name)} ${metadataFault}, and ${what}`))
    this.code = Math.max(this.code, BAD_DATA)
  }

  fail(file, error) {
    const code = exitCodeOf(error)
    if (code === undefined || error instanceof FileError) throw error
    const message = error.syscall === undefined ? inFile(file, error.message) : `${error.path ?? nameOf(file)}: ${reasonOf(error)}`
    if (this.waiting === null) say(this.io, message)
    else this.waiting.push(message)
    this.code = Math.max(this.code, code)
    if (code === BAD_DATA && this.keepsGoing) return
    this.isCut = true
    const isPart = error.syscall !== undefined && (error.path !== file || this.files.length > 1)
    if (!isPart || !this.keepsGoing) this.targets.refusal = 'not all input could be read'
  }
}

/** @param {import('../tasks/documents').Result} result */
function errorOf({ error, errorOffset }) {
  return error === null ? null : errorAtOffset(error, errorOffset)
}

/** @param {any} options @param {Path[]} [fields] */
function watchesOf({ json, geo, unwind, sort, set = [] }, fields) {
  const added = set.map(({ path }) => keysOf(path))
  const isRead = path => !added.some(keys => keysOf(path).every((key, i) => i >= keys.length || key === keys[i]))
  const order = sort?.map(([path]) => path)
  const lists = { fields: fields?.filter(isRead), json, geo, unwind: unwind && [unwind], sort: order }
  return Object.entries(lists).flatMap(([name, paths]) => (paths === undefined ? [] : [new MissingFields(name, paths)]))
}

/** The same files for another time, when their errors are reported. @param {string} purpose in progress */
function silently(context, other, options, purpose) {
  const io = { ...context.io, stderr: { write: () => true } }
  const own = { ...context.options, rejects: undefined, ...options }
  return Object.assign(new Input({ ...context, options: own, io }, { purpose }), { terminal: other.terminal })
}

/** @param {string} file @returns {boolean} whether it can be read again: no pipe, no FIFO, no terminal */
function isReadTwice(file) {
  const stat = file === '-' ? undefined : fs.statSync(file, { throwIfNoEntry: false })
  return stat === undefined ? file !== '-' : stat.isFile() || stat.isDirectory()
}

/** @param {string} file @returns {number} bytes; 0 when unknown, also of what will be reported when it is read */
function bytesIn(file) {
  if (file === '-') return 0
  try {
    const isFolder = fs.statSync(file).isDirectory()
    const files = isFolder ? filesIn(file).filter(name => /\.bson(\.gz|\.zst)?$/.test(name)) : [file]
    const stats = files.map(name => fs.statSync(name))
    return stats.reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)
  } catch {
    return 0
  }
}

module.exports = { Input, isReadTwice, silently }
