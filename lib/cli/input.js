'use strict'

// The files of a command, as blocks of documents. An error of one file is reported, and the next file follows.

const fs = require('node:fs')
const { Batch } = require('../batch')
const { openDump } = require('../dump')
const { OK, BAD_DATA, Range, DocumentError, FileError, UsageError, exitCodeOf, reasonOf } = require('./options')
const { byteOffsetOf, byteRangeOf, countOf, maxDocumentSizeOf, searchSizeOf, workersOf } = require('./options')
const { isPlain, workOf } = require('./documents')
const { Pool } = require('./pool')
const { checkName, missingOf, renamerOf, wantedOf } = require('./names')
const { printable } = require('./printable')
const { Progress } = require('./progress')
const { Rejects } = require('./rejects')
const { Unmet } = require('./unmet')
const { sampled, lastOf, largestOf } = require('./sample')

/**
 * @typedef {import('../dump/namespace').Namespace} Namespace
 * @typedef {import('./documents').Plan} Plan
 * @typedef {import('./documents').Result} Result
 * @typedef {import('./commands').Context} Context
 */

/** The files of a run, and its outcome. */
class Input {
  /**
   * @param {Context} context
   * @param {object} [how]
   * @param {boolean} [how.isQuiet] no output that progress would disturb
   * @param {boolean} [how.ofText] files hold text
   * @param {Range} [how.range] what remains of --skip and --limit
   * @param {string} [how.purpose] text before the names of files in progress
   * @param {boolean} [how.keeps] blocks are kept beyond the next one
   * @param {string} [how.fields] those that documents should have
   */
  constructor({ files, options, io, targets }, how = {}) {
    const { isQuiet = false, ofText = false, range = new Range(options), purpose = '', keeps = false } = how
    const { fields = options.fields } = how
    checkNeeds(options)
    if (options.name !== undefined) checkName('--name', options.name)
    this.files = files
    this.options = options
    this.io = io
    this.targets = targets
    this.ofText = ofText
    this.purpose = purpose
    /** Those that were opened. @type {Set<import('../dump/open').Dump>} */
    this.dumps = new Set()
    /** The one that was opened last. @type {import('../dump/open').Dump | null} */
    this.current = null
    this.rename = ofText ? null : renamerOf(options)
    this.range = range
    /** The worst exit code so far. @type {number} */
    this.code = OK
    /** Whether reading a file stopped before its end. */
    this.isCut = false
    /** Whether statistics differ from those of one thread: documents follow a broken one, or a limit is reached. */
    this.isInexact = false
    /** Texts that were not UTF-8, with --replace-invalid. @type {{count: number, first: string} | null} */
    this.replaced = null
    /** The query of --match. */
    this.match = textOfMatch(options.match)
    /** @type {import('./match').Doubt | null} */
    this.doubt = null
    this.unmet = new Unmet(fields)
    this.rejects = new Rejects(options.rejects === undefined ? null : targets.rejects, io.stderr)
    const showsProgress = io.stderr.isTTY && (isQuiet || options.out !== undefined || !io.stdout.isTTY)
    this.terminal = showsProgress ? io.stderr : null
    this.reading = {
      namespaces: wantedOf(options), maxDocumentSize: maxDocumentSizeOf(options), namespace: options.name,
      range: byteRangeOf(options, files), offset: byteOffsetOf(options, files), searchSize: searchSizeOf(options),
      sync: true, reuse: !keeps,
      onError: options['keep-going'] ? () => {} : undefined, utf8: !options['replace-invalid']
    }
  }

  /**
   * Opens a file as a dump.
   *
   * @param {string} file
   * @param {Progress | null} [progress]
   */
  open(file, progress = null) {
    this.current = openDump(this.sourceOf(file), { ...this.reading, onRead: onReadOf(progress) })
    this.dumps.add(this.current)
    return this.current
  }

  /** @param {import('../dump/open').Dump} dump whose first block has been read @returns {Namespace[]} of the output */
  namesOf(dump) {
    const wanted = dump.namespaces.filter(namespace => dump.wants(namespace))
    return this.rename === null ? wanted : wanted.map(this.rename)
  }

  /** @param {string} file */
  sourceOf(file) {
    return file === '-' ? this.io.stdin : file
  }

  /**
   * The results of a plan for all blocks, in their order.
   *
   * @param {Plan} plan
   * @returns {AsyncGenerator<{block: Batch, result: Result, file: string}, void>}
   */
  async *results(plan) {
    const { options } = this
    const full = { ...plan, match: this.match, fields: options.fields, keepGoing: options['keep-going'], replaceInvalid: options['replace-invalid'] }
    const kept = keeperOf(options)
    const asked = this.match ?? plan.edits?.match
    if (asked !== undefined && !this.ofText) this.doubt = doubtOf(asked)
    yield* kept === null ? this.resultsOfAll(full) : this.resultsOfKept(full, kept)
    this.rejects.finish()
    this.sayReplaced()
  }

  async *resultsOfAll(full) {
    const { options } = this
    const range = this.range.isAll ? null : this.range
    const { stats, ...plan } = full
    const isOnce = stats !== undefined && !this.files.every(isReadTwice) // what is inexact has to be read again
    const isLocal = range !== null || isOnce || full.tally !== undefined || (!this.ofText && isPlain(full, range))
    const pool = new Pool(plan, workOf(full, range, this.ofText), isLocal ? 1 : workersOf(options), this.size())
    try {
      yield* this.each((file, progress) => this.worked(file, pool, progress))
      this.findMissing()
      if (stats !== undefined && !(await pool.collect()).every(found => stats.join(found))) this.isInexact = true
    } finally {
      await pool.close()
    }
  }

  /** Works on a sample or on the last documents after all files have been read. */
  async *resultsOfKept(plan, kept) {
    const { keepGoing, replaceInvalid, match } = plan
    const choose = workOf({ task: 'choose', match, probe: kept.probe, keepGoing, replaceInvalid }, null)
    const pool = new Pool({ task: 'choose' }, choose)
    const chosen = this.each((file, progress) => this.worked(file, pool, progress))
    /** Collections of which no document has been given yet. @type {Map<Namespace, {file: string, block: Batch}>} */
    const empty = new Map()
    for await (const { file, block, result } of chosen) {
      const { namespace, from } = block
      const none = new Batch(block.bytes.subarray(0, 0), { namespace, from })
      if (!empty.has(namespace)) empty.set(namespace, { file, block: none })
      kept.add(file, block, result, replaceInvalid ? null : this.again(file))
    }
    this.findMissing()
    const work = workOf({ ...plan, match: undefined, replaceInvalid: false }, this.range)
    const broken = new Set()
    let before = 0
    for (const { file, block, error } of kept.blocks()) {
      if (this.range.isOver) break
      if (broken.has(file)) continue
      if (error !== undefined) {
        broken.add(file)
        this.fail(file, error)
        continue
      }
      const result = work(Object.assign(block, { before }))
      before += block.bytes.length
      this.take(result, file)
      if (result.error !== null) {
        broken.add(file)
        this.fail(file, new DocumentError(result.error, result.errorOffset))
      }
      empty.delete(block.namespace)
      yield { file, block, result }
    }
    for (const { file, block } of empty.values()) yield { file, block, result: work(block) }
  }

  /** @param {string} file that is read @returns {string | null} the plain file to read its documents from again */
  again(file) {
    return isReadTwice(file) ? this.current.plainFile : null
  }

  /** Reports strings that were changed by --replace-invalid. */
  sayReplaced() {
    if (this.replaced === null) return
    const { count, first } = this.replaced
    const what = count === 1 ? '1 string was' : `${count} strings were`
    this.io.stderr.write(`qbson: ${what} not UTF-8, and got U+FFFD for invalid bytes (first in ${printable(first)})\n`)
  }

  /** Reports fields and collections that are not there. */
  findMissing() {
    const { ns } = this.options
    if (this.unmet.note !== null) this.io.stderr.write(`qbson: ${printable(this.unmet.note)}\n`)
    if (ns === undefined || this.isCut || this.dumps.size < this.files.length) return
    const message = missingOf(ns, [...this.dumps].flatMap(({ namespaces }) => namespaces.map(({ name }) => name)))
    if (message === null) return
    this.io.stderr.write(`qbson: ${message}\n`)
    this.code = Math.max(this.code, BAD_DATA)
    this.targets.refusal = 'a collection is missing'
  }

  /** @returns {number} bytes of all files, as far as known */
  size() {
    const size = this.files.reduce((sum, file) => sum + sizeOf(file), 0)
    return Math.min(size, this.reading.range?.length ?? Infinity)
  }

  /** @param {string} file @param {Progress | null} progress */
  blocks(file, progress) {
    if (!this.ofText) return this.watched(this.open(file, progress).withErrors())
    const { maxDocumentSize, sync, onError } = this.reading
    const reading = { onRead: onReadOf(progress), sync, onError }
    return require('./text').textBlocks(this.sourceOf(file), maxDocumentSize, reading)
  }

  /**
   * Says if --match compares the wrong type, and notices missing fields.
   *
   * @param {AsyncGenerator<Batch, void>} blocks
   */
  watched(blocks) {
    const { doubt, unmet, io } = this
    if (doubt === null && unmet.cases.length === 0) return blocks
    return (async function* () {
      for await (const block of blocks) {
        unmet.lookAt(block.bytes)
        const note = doubt?.lookAt(block.bytes) ?? null
        if (note !== null) io.stderr.write(`qbson: ${printable(note)}\n`)
        yield block
      }
    })()
  }

  /**
   * Runs `work` on each file, and reports errors on standard error.
   *
   * @template T
   * @param {(file: string, progress: Progress | null) => AsyncGenerator<T, void>} work
   * @returns {AsyncGenerator<T & {file: string}, void>}
   */
  async *each(work) {
    for (const file of this.files) {
      if (this.range.isOver) return
      const name = this.purpose + nameOf(file)
      const progress = this.terminal === null ? null : new Progress(name, sizeOf(file), this.terminal)
      try {
        for await (const item of work(file, progress)) yield Object.assign(item, { file })
      } catch (error) {
        this.fail(file, error)
      } finally {
        progress?.clear()
      }
    }
  }

  /**
   * @param {string} file
   * @param {Pool} pool
   * @param {Progress | null} progress
   * @returns {AsyncGenerator<{block: Batch, result: Result}, void>}
   */
  async *worked(file, pool, progress) {
    for await (const step of pool.results(this.blocks(file, progress))) {
      const { block, result } = step
      progress?.count(result.count)
      this.take(result, file)
      if (block.error !== undefined) continue
      if (this.rename !== null) block.namespace = this.rename(block.namespace)
      yield step
      if (result.error !== null) {
        this.isInexact = pool.members.length > 0
        throw new DocumentError(result.error, result.errorOffset)
      }
      if (this.range.isOver) return
    }
  }

  /** @param {Result} result @param {string} file */
  take({ rejects, replaced }, file) {
    if (replaced !== undefined) {
      this.code = Math.max(this.code, BAD_DATA)
      this.replaced ??= { count: 0, first: `${replaced.first} of ${nameOf(file)}` }
      this.replaced.count += replaced.count
    }
    if (rejects.length === 0) return
    this.code = Math.max(this.code, BAD_DATA)
    this.rejects.add(rejects.map(({ message, ...reject }) => ({ ...reject, message: inFile(file, message) })))
  }

  /** @param {string} file @param {any} error */
  fail(file, error) {
    const code = exitCodeOf(error)
    if (code === undefined || error instanceof FileError) throw error
    const reason = error.syscall === undefined ? error.message : reasonOf(error)
    this.io.stderr.write(`qbson: ${printable(inFile(file, reason))}\n`)
    this.code = Math.max(this.code, code)
    if (code !== BAD_DATA || !this.options['keep-going']) {
      this.isCut = true
      const isPart = error.syscall !== undefined && (error.path !== file || this.files.length > 1)
      if (!isPart || !this.options['keep-going']) this.targets.refusal = 'not all input could be read'
    }
  }
}

/** @param {string | undefined} match @returns {string | undefined} the query, which `@FILE` holds */
function textOfMatch(match) {
  return match === undefined ? undefined : require('./match').textOfMatch(match)
}

/** @param {string} match @returns {import('./match').Doubt | null} null if nothing is doubtful */
function doubtOf(match) {
  const { Doubt } = require('./match')
  const doubt = new Doubt(match)
  return doubt.cases.length === 0 ? null : doubt
}

/** @param {Progress | null} progress */
function onReadOf(progress) {
  return progress === null ? undefined : bytes => progress.read(bytes)
}

/** @param {string} file @returns {string} its name in messages */
function nameOf(file) {
  return file === '-' ? 'standard input' : file
}

/** @param {string} file @returns {boolean} whether it can be read again: no pipe, no FIFO, no terminal */
function isReadTwice(file) {
  const stat = file === '-' ? undefined : fs.statSync(file, { throwIfNoEntry: false })
  return stat === undefined ? file !== '-' : stat.isFile() || stat.isDirectory()
}

/** @param {string} file of the run @param {string} message that may begin with the name of a file in it, a folder */
function inFile(file, message) {
  const text = commandText(message)
  return text.startsWith(`${file}/`) ? text : `${nameOf(file)}: ${text}`
}

/** @param {string} message of the library @returns {string} on one line, with names of the command's options */
function commandText(message) {
  return message.replace(/\s*[\t\n\r]\s*/g, ' ').replace(/\bmaxDocumentSize\b/, '--max-document-size')
}

/** @param {string} file @returns {number} bytes; 0 when unknown */
function sizeOf(file) {
  const stat = file === '-' ? undefined : fs.statSync(file, { throwIfNoEntry: false })
  if (stat === undefined || stat.isFile()) return stat?.size ?? 0
  if (!stat.isDirectory()) return 0
  const files = fs.readdirSync(file, { recursive: true }).map(String).filter(name => /\.bson(\.gz|\.zst)?$/.test(name))
  return files.reduce((sum, name) => sum + fs.statSync(`${file}/${name}`).size, 0)
}

/** @type {Record<string, (options: Record<string, any>) => import('./sample').Keeper>} */
const KEEPERS = {
  sample: options => sampled(countOf(options, 'sample', 0), countOf(options, 'seed', 1)),
  tail: options => lastOf(countOf(options, 'tail', 0)),
  largest: options => largestOf(countOf(options, 'largest', 0)),
  sort: options => {
    const most = countOf(options, 'skip', 0) + countOf(options, 'limit', Infinity)
    return require('./sort').sorted(options.sort, most)
  }
}

/** @param {Record<string, any>} options @throws {UsageError} when one makes no sense without another */
function checkNeeds(options) {
  for (const [name, needed] of [['seed', 'sample'], ['search', 'keep-going']]) {
    if (options[name] !== undefined && options[needed] === undefined) throw new UsageError(`--${name} needs --${needed}`)
  }
}

/** Makes a keeper of documents, if an option asks for one of these choices. @throws {UsageError} */
function keeperOf(options) {
  const [first, second] = Object.keys(KEEPERS).filter(name => options[name] !== undefined)
  if (second !== undefined) throw new UsageError(`--${first} and --${second} cannot be combined`)
  return first === undefined ? null : KEEPERS[first](options)
}

module.exports = { Input, isReadTwice, nameOf, commandText, inFile }
