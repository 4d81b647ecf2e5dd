'use strict'

// Where the results of a command go: standard output, a file, or a file for each collection; compressed or not. A file
// gets its name only when it is complete.

const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')
const { promisify } = require('node:util')
const { BSONError } = require('../errors')
const { concat } = require('../bytes')
const { ArchiveWriter, escapeName } = require('../dump')
const { BAD_DATA, OutputError, UsageError } = require('./options')
const { File } = require('./file')
const { COMMA } = require('./writers')
const { printable } = require('./printable')

const gzip = promisify(zlib.gzip)

const NOTHING = Buffer.alloc(0)

/** @type {Record<string, import('./options').Option>} */
const OUTPUT_OPTIONS = {
  to: { type: 'string', value: 'FORM', help: 'relaxed, canonical (Extended JSON), json, bson or archive' },
  array: { type: 'boolean', help: 'JSON: one array, not a document per line' },
  out: { type: 'string', value: 'FILE', help: 'write to FILE; to FOLDER/ a file for each collection' },
  gzip: { type: 'boolean', help: 'compress the output' }
}

/**
 * @typedef {import('../dump/namespace').Namespace} Namespace
 * @typedef {import('./input').Input} Input
 * @typedef {'relaxed' | 'canonical' | 'json' | 'bson' | 'archive'} Form
 */

const FORMS = ['relaxed', 'canonical', 'json', 'bson', 'archive']

/** @param {Record<string, any>} options @param {Form} otherwise @returns {Form} @throws {UsageError} */
function formOf({ to, canonical, relaxed, pretty, array }, otherwise) {
  if (canonical && relaxed) throw new UsageError('--canonical and --relaxed cannot be combined')
  const form = to ?? (canonical ? 'canonical' : relaxed ? 'relaxed' : otherwise)
  if (!FORMS.includes(form)) throw new UsageError(`--to must be one of ${FORMS.join(', ')}, not ${JSON.stringify(form)}`)
  const isText = form !== 'bson' && form !== 'archive'
  if (!isText && (pretty || array)) throw new UsageError(`--${pretty ? 'pretty' : 'array'} is for JSON, not for ${form}`)
  return form
}

/**
 * Runs a plan on the input and writes the results to their destination.
 *
 * @param {Input} input
 * @param {import('./documents').Plan} plan
 * @param {Form} form
 * @returns {AsyncGenerator<string | Uint8Array, number>} what goes to standard output; the exit code
 */
async function* send(input, plan, form) {
  const { options, io } = input
  const { out } = options
  const isFolder = out !== undefined && /[/\\]$/.test(out)
  if (isFolder && form === 'archive') throw new UsageError('an archive is a single file: --out FOLDER/ needs another form')
  const pieces = packed(frameOf(form, options, input)(input.results(plan)), options)
  if (out === undefined) {
    yield* pieces
    return input.code
  }
  if (isSame(out, options.rejects)) throw twoOutputs(out)
  const target = isFolder ? new Folder(out, form, options) : new File(out)
  try {
    if (target instanceof Folder) await writeFolder(input, plan, target)
    else for await (const piece of pieces) target.write(piece)
    if (input.isCut) return leaveOut(io, out, input.code)
    target.finish()
    return input.code
  } catch (error) {
    if (error.syscall === undefined) throw error
    throw new OutputError(printable(`${out}: ${error.message}`))
  } finally {
    target.discard()
  }
}

/** @param {string} one @param {string | undefined} other whether both name the same file */
function isSame(one, other) {
  return other !== undefined && path.resolve(one) === path.resolve(other)
}

/** @param {string} name */
function twoOutputs(name) {
  return new UsageError(printable(`${name}: --out and --rejects cannot be the same file`))
}

function leaveOut(io, out, code) {
  io.stderr.write(`qbson: ${printable(out)} was not written, because not all input could be read\n`)
  return Math.max(code, BAD_DATA)
}

/**
 * @typedef {AsyncIterable<{block: {namespace: Namespace}, result: {output: Uint8Array | null}}>} Results
 *
 * @param {Form} form @param {Record<string, any>} options @param {Input} input
 * @returns {(results: Results) => AsyncGenerator<Uint8Array, void>} adds what goes around and between the results
 */
function frameOf(form, { array }, input) {
  if (form === 'archive') return results => archiveOf(results, input)
  return array ? arrayOf : plain
}

async function* plain(results) {
  for await (const { result: { output } } of results) if (output !== null) yield output
}

/** `[`, a comma before each document but the first, `]` */
async function* arrayOf(results) {
  let isEmpty = true
  for await (const piece of plain(results)) {
    yield isEmpty ? opened(piece) : piece
    isEmpty = false
  }
  yield closing(isEmpty)
}

function opened(piece) {
  return concat([Buffer.from('[\n'), piece.subarray(COMMA.length)])
}

function closing(isEmpty) {
  return Buffer.from(isEmpty ? '[]\n' : '\n]\n')
}

/** @param {Results} results @param {Input} input */
async function* archiveOf(results, input) {
  let writer = input.files.length > 1 ? await writerOf(input) : null
  if (writer !== null) yield writer.begin()
  for await (const { block: { namespace }, result: { output } } of results) {
    if (writer === null) yield (writer = writerOfDump(input.current)).begin()
    if (output !== null) yield concat(writer.add(namespace, output))
  }
  if (writer === null) yield (writer = new ArchiveWriter([])).begin()
  if (!input.isCut) yield writer.end()
}

/** @param {import('../dump/open').Dump} dump whose first block has been read */
function writerOfDump(dump) {
  return new ArchiveWriter(dump.namespaces.filter(namespace => dump.wants(namespace)), dump.header)
}

/**
 * Looks into the beginning of each file, because an archive starts with the names of all collections.
 *
 * @param {Input} input
 */
async function writerOf(input) {
  if (input.files.includes('-')) throw new UsageError('an archive can be written from standard input or from files, not from both')
  const namespaces = []
  let header
  for (const file of input.files) {
    const dump = input.open(file)
    const blocks = dump.blocks()
    try {
      await blocks.next()
    } catch (error) {
      if (!(error instanceof BSONError) && error.syscall === undefined) throw error // reported when the file is read
    } finally {
      await blocks.return()
    }
    for (const namespace of dump.namespaces) if (dump.wants(namespace)) namespaces.push(namespace)
    header ??= dump.header
  }
  return new ArchiveWriter(namespaces, header)
}

/** @param {AsyncIterable<Uint8Array>} pieces @param {Record<string, any>} options */
async function* packed(pieces, { gzip: isPacked, out }) {
  if (!isPacked && !/\.gz$/.test(out ?? '')) return yield* pieces
  let isEmpty = true
  for await (const piece of pieces) {
    if (piece.length === 0) continue
    isEmpty = false
    yield gzip(piece) // gzip files may follow one another
  }
  if (isEmpty) yield gzip(NOTHING) // an empty file is not a valid gzip file
}

/** The most files of a folder open at the same time. */
const MAX_OPEN = 50

const EXTENSIONS = { relaxed: '.json', canonical: '.json', json: '.json', bson: '.bson' }

/** A folder with a file for each collection, `db/collection.bson`, and its metadata. */
class Folder {
  /** @param {string} name @param {Form} form @param {Record<string, any>} options */
  constructor(name, form, options) {
    this.name = name
    this.extension = EXTENSIONS[form] + (options.gzip ? '.gz' : '')
    this.form = form
    this.options = options
    /** @type {Map<string, {file: File, isEmpty: boolean, from: string}>} */
    this.files = new Map()
  }

  /**
   * @param {Namespace} namespace
   * @param {string} from the file it comes from
   * @returns {{file: File, isEmpty: boolean}}
   * @throws {UsageError} when another file has a collection of the same name
   */
  of(namespace, from) {
    const { db, collection, name, metadata } = namespace
    if (collection === '') throw new UsageError('the collection needs a name: --as db.collection')
    const known = this.files.get(name)
    if (known?.from === from) return known
    if (known !== undefined) {
      throw new UsageError(printable(`both ${known.from} and ${from} contain ${name}, and each needs an output of its own`))
    }
    const folder = path.join(this.name, db)
    fs.mkdirSync(folder, { recursive: true })
    const file = path.join(folder, escapeName(collection) + this.extension)
    if (isSame(file, this.options.rejects)) throw twoOutputs(file)
    const added = { file: new File(file), isEmpty: true, from }
    this.files.set(name, added)
    if (metadata !== undefined && this.form === 'bson') this.writeMetadata(folder, collection, metadata)
    if (namespace.type === 'view') this.files.delete(name)
    return added
  }

  writeMetadata(folder, collection, text) {
    const { gzip: isPacked } = this.options
    const file = new File(path.join(folder, `${escapeName(collection)}.metadata.json${isPacked ? '.gz' : ''}`))
    file.write(isPacked ? zlib.gzipSync(text) : Buffer.from(text))
    this.files.set(`\0${file.name}`, { file, isEmpty: false, from: '' })
  }

  /** Closes the files if there are many. */
  rest() {
    const open = [...this.files.values()].filter(({ file }) => file.handle !== null)
    if (open.length > MAX_OPEN) for (const { file } of open) file.rest()
  }

  finish() {
    for (const { file } of this.files.values()) file.finish()
  }

  discard() {
    for (const { file } of this.files.values()) file.discard()
  }
}

/** @param {Input} input @param {import('./documents').Plan} plan @param {Folder} folder */
async function writeFolder(input, plan, folder) {
  const { array } = input.options
  for await (const { file, block, result: { output } } of input.results(plan)) {
    const target = folder.of(block.namespace, file)
    if (output === null) continue
    folder.rest()
    target.file.write(await pack(array && target.isEmpty ? opened(output) : output, folder.options))
    target.isEmpty = false
  }
  for (const { file, isEmpty } of folder.files.values()) {
    if (array || isEmpty) file.write(await pack(array ? closing(isEmpty) : NOTHING, folder.options))
  }
}

/** @param {Uint8Array} bytes @param {Record<string, any>} options */
async function pack(bytes, options) {
  return options.gzip ? gzip(bytes) : bytes
}

module.exports = { OUTPUT_OPTIONS, FORMS, formOf, send }
