'use strict'

// The `qbson` command: prints, checks and writes files of BSON documents. Files are streamed.

const fs = require('node:fs')
const { parseArgs } = require('node:util')
const { BSONType, ELEMENT } = require('./spec')
const { BSONError, errorAtOffset } = require('./errors')
const { getUtf8 } = require('./utf8')
const { scanName, scanValue, innerDocument, validate, locate } = require('./elements')
const { EJSON } = require('./ejson')
const { DocumentSplitter, placeInStream } = require('./stream')
const { version } = require('../package.json')

/** Exit codes. */
const OK = 0
const BAD_DATA = 1
const BAD_USAGE = 2

/** A length in a broken file can say 2 GB, and all of that would be read to find out: bytes. */
const MAX_DOCUMENT_SIZE = 128 * 1024 * 1024

/** Output is written in pieces of this size: bytes. */
const WRITE_SIZE = 64 * 1024

/** Files are read in pieces of this size: bytes. */
const READ_SIZE = 256 * 1024

/** The progress line appears after the first and changes after the second, ms. */
const PROGRESS_AFTER = 1000
const PROGRESS_EVERY = 200

const HELP = `Usage: qbson [options] [FILE...]          print each document as a line of Extended JSON
       qbson check [options] [FILE...]    report documents, bytes, element types and the first fault
       qbson to-bson [options] [FILE...]  read Extended JSON documents, one a line, and write BSON

Files hold BSON documents one after the other, as mongodump writes them. Without FILE, or with -, standard input
is read. A file that has a command's name is given as ./check.

Options:
      --relaxed      numbers, and dates from 1970 to 9999, as plain as JSON allows (default)
      --canonical    every type is kept exactly
      --pretty       several indented lines a document
      --skip N       leave out the first N documents
      --limit N      stop after N documents
      --max-document-size BYTES
                     a longer document, or line, is a fault (default ${MAX_DOCUMENT_SIZE})
  -h, --help         print this
  -v, --version      print the version

Exit codes: 0 all documents are good; 1 some are not; 2 wrong usage, or a file cannot be read.
A reader that closes the pipe early (qbson FILE | head) is not an error.
`

/** @type {import('node:util').ParseArgsOptionsConfig} */
const OPTIONS = {
  relaxed: { type: 'boolean' },
  canonical: { type: 'boolean' },
  pretty: { type: 'boolean' },
  skip: { type: 'string' },
  limit: { type: 'string' },
  'max-document-size': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' }
}

/** @type {Record<string, (context: any) => Promise<number>>} */
const COMMANDS = { print, check, 'to-bson': toBson }

class UsageError extends Error {}

/** What reads our output has gone. */
class BrokenPipe extends Error {}

/**
 * Runs the command.
 *
 * @param {string[]} [args] without node and script
 * @param {{stdin: any, stdout: any, stderr: any}} [io] `process`, or what stands in for it
 * @returns {Promise<number>} the exit code
 */
async function main(args = process.argv.slice(2), io = process) {
  const output = new Output(io.stdout)
  try {
    const { command, files, options } = parse(args)
    if (options.help || options.version) {
      output.add(options.help ? HELP : `qbson ${version}\n`)
      await output.flush()
      return OK
    }
    const code = await COMMANDS[command]({ files, options, output, io })
    await output.flush()
    return code
  } catch (error) {
    if (error instanceof BrokenPipe) return OK
    if (!(error instanceof UsageError)) throw error
    io.stderr.write(`qbson: ${error.message}\nTry 'qbson --help'.\n`)
    return BAD_USAGE
  }
}

function parse(args) {
  const { values, positionals } = parseOrRefuse(args)
  const command = Object.hasOwn(COMMANDS, positionals[0]) ? positionals.shift() : 'print'
  if (values.canonical && values.relaxed) throw new UsageError('--canonical and --relaxed exclude each other')
  const options = {
    help: values.help,
    version: values.version,
    canonical: values.canonical,
    pretty: values.pretty,
    isQuiet: command === 'check',
    skip: count(values, 'skip', 0),
    limit: count(values, 'limit', Infinity),
    maxDocumentSize: count(values, 'max-document-size', MAX_DOCUMENT_SIZE)
  }
  return { command, files: positionals.length > 0 ? positionals : ['-'], options }
}

function parseOrRefuse(args) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error.message)
  }
}

function count(values, name, otherwise) {
  if (values[name] === undefined) return otherwise
  if (!/^\d+$/.test(values[name])) throw new UsageError(`--${name} needs a whole number, not '${values[name]}'`)
  return Number(values[name])
}

/** `qbson FILE...` */
async function print({ files, options, output, io }) {
  const style = { relaxed: !options.canonical, space: options.pretty ? 2 : undefined }
  return eachFile(files, options, io, async input => {
    for await (const document of within(input.documents(), options)) {
      const text = input.locate(() => EJSON.fromBSON(document, style))
      if (output.add(`${text}\n`)) await output.flush()
    }
  })
}

/** `qbson check FILE...` */
async function check({ files, options, output, io }) {
  return eachFile(files, options, io, async input => {
    const seen = { documents: 0, bytes: 0, types: new Map(), fault: undefined }
    try {
      for await (const document of within(input.documents(), options)) {
        input.locate(() => {
          validate(document)
          inspect(document, seen.types)
        })
        seen.documents++
        seen.bytes += document.length
      }
    } catch (error) {
      if (!(error instanceof BSONError)) throw error
      seen.fault = error
    }
    output.add(describe(input.name, seen))
    return seen.fault ? BAD_DATA : OK
  })
}

function describe(name, { documents, bytes, types, fault }) {
  const frequent = [...types].sort((a, b) => b[1] - a[1]).map(([type, times]) => `${TYPE_NAMES[type]} ${times}`)
  const listed = frequent.length > 0 ? `\n  types: ${frequent.join(', ')}` : ''
  const found = fault ? `fault: ${fault.message}` : 'no fault'
  return `${name}: ${plural(documents, 'good document')}, ${plural(bytes, 'byte')}${listed}\n  ${found}\n`
}

function plural(n, what) {
  return `${n} ${what}${n === 1 ? '' : 's'}`
}

/** By the byte in front of an element, where MinKey's -1 is 255. */
const TYPE_NAMES = Object.fromEntries(Object.entries(BSONType).map(([name, type]) => [type & 0xff, name]))

/**
 * Counts the elements of a document that has been checked, and looks at what decoding ignores: the names of an array's
 * elements. Nested documents lie in one another, so that walking from each element into its document, and over each
 * closing 0x00, meets every element once.
 *
 * @param {Uint8Array} buf
 * @param {Map<number, number>} types counted up
 * @throws {BSONError}
 */
function inspect(buf, types) {
  const outer = []
  let index = NO_ARRAY
  for (let pos = 4; pos < buf.length; ) {
    const type = buf[pos]
    if (type === 0) {
      index = outer.pop()
      pos++
      continue
    }
    const nameEnd = scanName(buf, pos + 1, buf.length)
    if (index !== NO_ARRAY) checkIndex(buf, pos + 1, nameEnd, index++)
    types.set(type, (types.get(type) || 0) + 1)
    const inner = innerDocument(type, buf, nameEnd + 1)
    if (inner === -1) {
      pos = scanValue(type, buf, nameEnd + 1, buf.length)
      continue
    }
    outer.push(index)
    index = type === ELEMENT.ARRAY ? 0 : NO_ARRAY
    pos = inner + 4
  }
}

/** In place of an array's next index. */
const NO_ARRAY = -1

function checkIndex(buf, start, end, index) {
  const name = getUtf8(buf, start, end)
  if (name === String(index)) return
  throw locate(errorAtOffset(`element ${index} of the array has the name "${name}"`, start), buf, 0)
}

/** `qbson to-bson FILE...` */
async function toBson({ files, options, output, io }) {
  return eachFile(files, options, io, async input => {
    for await (const line of within(input.lines(), options)) {
      if (output.add(input.locateLine(() => EJSON.toBSON(line)))) await output.flush()
    }
  })
}

/**
 * What --skip and --limit leave, of all files together.
 *
 * @template T
 * @param {AsyncIterable<T>} items
 * @param {{skip: number, limit: number}} range counted down
 */
async function* within(items, range) {
  if (range.limit === 0) return
  for await (const item of items) {
    if (range.skip > 0) {
      range.skip--
      continue
    }
    yield item
    if (--range.limit === 0) return
  }
}

/** Runs `work` on each file; what is wrong with one is said, and the next has its turn. */
async function eachFile(files, options, io, work) {
  let worst = OK
  for (const file of files) {
    const input = new Input(file, options, io)
    try {
      worst = Math.max(worst, (await work(input)) || OK)
    } catch (error) {
      const isBad = error instanceof BSONError
      if (!isBad && error.syscall === undefined) throw error
      io.stderr.write(`qbson: ${input.name}: ${error.message}\n`)
      worst = Math.max(worst, isBad ? BAD_DATA : BAD_USAGE)
    }
  }
  return worst
}

/** A file, or standard input, read in chunks. */
class Input {
  constructor(file, options, io) {
    this.file = file
    this.name = file === '-' ? 'standard input' : file
    this.maxDocumentSize = options.maxDocumentSize
    this.showsProgress = io.stderr.isTTY && (options.isQuiet || !io.stdout.isTTY)
    this.io = io
    this.splitter = new DocumentSplitter(options)
    this.line = 0
  }

  async *chunks() {
    const { file, io } = this
    const progress = this.showsProgress ? new Progress(this, io.stderr) : undefined
    const stream = file === '-' ? io.stdin : fs.createReadStream(file, { highWaterMark: READ_SIZE })
    try {
      for await (const chunk of stream) {
        yield chunk
        progress?.add(chunk.length)
      }
    } finally {
      progress?.clear()
    }
  }

  /** @returns {AsyncGenerator<Uint8Array>} each document's bytes */
  async *documents() {
    for await (const chunk of this.chunks()) yield* this.splitter.push(chunk)
    this.splitter.end()
  }

  /** Runs `work` on the latest document; an error is told where in the file it is. */
  locate(work) {
    try {
      return work()
    } catch (error) {
      throw placeInStream(error, this.splitter.offset, this.splitter.count)
    }
  }

  /** @returns {AsyncGenerator<string>} each line that is not blank */
  async *lines() {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let rest = ''
    for await (const chunk of this.chunks()) {
      const lines = this.locateLine(() => decoder.decode(chunk, { stream: true }), 1).split('\n')
      lines[0] = rest + lines[0]
      rest = lines.pop()
      for (const line of lines) {
        this.line++
        if (line.trim() !== '') yield line
      }
      if (rest.length > this.maxDocumentSize) throw this.lineTooLong()
    }
    rest += this.locateLine(() => decoder.decode(), 1)
    this.line++
    if (rest.trim() !== '') yield rest
  }

  lineTooLong() {
    return new BSONError(`line ${this.line + 1}: more than ${this.maxDocumentSize} characters`)
  }

  /** As `locate`, for text; `ahead` lines after the latest one. */
  locateLine(work, ahead = 0) {
    try {
      return work()
    } catch (cause) {
      throw new BSONError(`line ${this.line + ahead}: ${cause.message}`, { cause })
    }
  }
}

/** A line on the terminal that says how far a long file has been read. */
class Progress {
  constructor(input, terminal) {
    this.input = input
    this.terminal = terminal
    this.total = input.file === '-' ? 0 : fs.statSync(input.file).size
    this.bytes = 0
    this.next = Date.now() + PROGRESS_AFTER
    this.isShown = false
  }

  add(bytes) {
    this.bytes += bytes
    if (Date.now() < this.next) return
    this.next = Date.now() + PROGRESS_EVERY
    this.isShown = true
    const share = this.total > 0 ? `, ${Math.floor((100 * this.bytes) / this.total)} %` : ''
    const { name, splitter } = this.input
    this.terminal.write(`\r\x1b[K${name}: ${plural(splitter.count, 'document')}, ${megabytes(this.bytes)} MB${share}`)
  }

  clear() {
    if (this.isShown) this.terminal.write('\r\x1b[K')
  }
}

function megabytes(bytes) {
  return Math.round(bytes / 1e6)
}

/** Gathers small writes, and waits while the reader is busy. */
class Output {
  constructor(stream) {
    this.stream = stream
    this.parts = []
    this.size = 0
    stream.on('error', () => {}) // the callback of the write that failed has it too
  }

  /**
   * @param {string | Uint8Array} part
   * @returns {boolean} whether it is time to flush
   */
  add(part) {
    this.parts.push(part)
    this.size += part.length
    return this.size >= WRITE_SIZE
  }

  /** @returns {Promise<void>} @throws {BrokenPipe} */
  async flush() {
    if (this.size === 0) return
    const bytes = Buffer.concat(this.parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part)))
    this.parts = []
    this.size = 0
    await new Promise((resolve, reject) => {
      this.stream.write(bytes, error => (error ? reject(isClosed(error) ? new BrokenPipe() : error) : resolve()))
    })
  }
}

function isClosed(error) {
  return error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED'
}

module.exports = { main }
