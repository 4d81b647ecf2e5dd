'use strict'

// What the command says on standard error, the errors it ends with, and their exit codes.

const fs = require('node:fs')
const path = require('node:path')
const { text } = require('node:stream/consumers')
const { BSONError, BSONRuntimeError } = require('../../errors')
const { printable } = require('./printable')

/** All documents are valid. */
const OK = 0

/** Some documents are invalid. */
const BAD_DATA = 1

/** The usage is wrong, or a file cannot be read or written. */
const UNUSABLE = 2

/** What is wrong with a file that has to be the same until the end. */
const CHANGED = 'the file changed while it was read'

/** Options or arguments that make no sense; reported with a hint at the help of the command, or of all (`isOfAll`). */
class UsageError extends Error {
  isOfAll = false
}

/** A query that cannot be evaluated. */
class QueryError extends Error {}

/** A file that cannot be read or written. */
class FileError extends Error {
  /** @param {string} message @param {string} [code] of the operating system: EPIPE @param {string} [file] an output */
  constructor(message, code, file) {
    super(message)
    this.code = code
    this.file = file
  }
}

/** @param {any} error @returns {number | undefined} the exit code it leads to; undefined for a mistake of our own */
function exitCodeOf(error) {
  if ([UsageError, QueryError, FileError, BSONRuntimeError].some(Unusable => error instanceof Unusable)) return UNUSABLE
  if (error instanceof BSONError) return BAD_DATA
  return error.syscall === undefined ? undefined : UNUSABLE
}

/**
 * For what only looks at options, before anything is read: its BSONError or SyntaxError becomes a `Kind`.
 *
 * @template T
 * @param {() => T} work
 * @param {new (message: string) => Error} [Kind]
 * @returns {T}
 */
function asUsage(work, prefix = '', Kind = UsageError) {
  try {
    return work()
  } catch (error) {
    throw error instanceof BSONError || error instanceof SyntaxError ? new Kind(prefix + error.message) : error
  }
}

/** @param {string} json @param {string} file that holds it @throws {UsageError} or another, as `asUsage` */
function parseJSON(json, file, Kind = /** @type {new (message: string) => Error} */ (UsageError)) {
  if (json.includes('\0')) throw new Kind(`${nameOf(file)}: this is not JSON: qbson schema FILE prints that of BSON documents`)
  return asUsage(() => JSON.parse(json), `${nameOf(file)}: invalid JSON: `, Kind)
}

/** Reads a file that an option names. @param {string} file @throws {FileError} */
function readFile(file, prefix = '') {
  try {
    return fs.readFileSync(file)
  } catch (error) {
    throw new FileError(`${prefix}${file}: ${file === '-' ? 'standard input cannot be read here' : reasonOf(error)}`)
  }
}

/** The same as text, without the mark at its start that files from Windows have. @param {string} file */
function readTextFile(file, prefix = '') {
  return readFile(file, prefix).toString().replace(/^\ufeff/, '')
}

/** Reads a file of JSON, or standard input. @param {string} file @param {{stdin: any}} io @throws as `parseJSON` */
async function readJSON(file, { stdin }, Kind = /** @type {new (message: string) => Error} */ (UsageError)) {
  return parseJSON(file === '-' ? await text(stdin) : readTextFile(file), file, Kind)
}

/** @param {any} error of the operating system @returns {string} `no space left on device` */
function reasonOf(error) {
  if (error.code === 'EISDIR') return 'a folder, but a file is needed here'
  const [, reason] = /^[A-Z][A-Z\d]+: (.*?)(?:, \w+)?(?: '.*)?$/s.exec(error.message) ?? []
  return reason ?? error.message
}

/** @param {string} name of the output @param {any} error @returns {FileError} */
function fileError(name, error) {
  return new FileError(`${name}: ${reasonOf(error)}`, error.code, name)
}

/** @param {{stderr: any}} io @param {string} text one line, which may hold anything */
function say({ stderr }, text) {
  stderr.write(`qbson: ${printable(text)}\n`)
}

/** @param {string} file @returns {string} its name in messages */
function nameOf(file) {
  return file === '-' ? 'standard input' : file
}

/** @param {string} file of the run @param {string} message that may begin with the name of a file in it, a folder */
function inFile(file, message) {
  const folder = path.join(file, path.sep) // as the names of its files begin
  const isNamed = message.startsWith(folder)
  return isNamed ? folder + commandText(message.slice(folder.length)) : `${nameOf(file)}: ${commandText(message)}`
}

/** @param {string} file @param {string} from as in a Batch @returns {string} its name, with the collection's */
function placeIn(file, from) {
  return from === '' ? nameOf(file) : inFile(file, from)
}

/** The command's words for those of the library. @type {Record<string, string>} */
const OWN_NAMES = {
  maxDocumentSize: '--max-document-size', searchSize: '--search', toArrowIPC: 'to-arrow', toParquet: 'to-parquet'
}

/** @param {string} message of the library @returns {string} on one line, in words of the command */
function commandText(message) {
  const names = /(?<=more than )maxDocumentSize\b|(?<=: see )searchSize\b|^to(?:ArrowIPC|Parquet)\b/g
  const text = message.replace(/\s*[\t\n\r]\s*/g, ' ').replace(/\bthe option (?=\w)/g, '--')
  return text.replace(names, name => OWN_NAMES[name])
}

module.exports = {
  OK, BAD_DATA, CHANGED, UsageError, QueryError, FileError,
  exitCodeOf, asUsage, parseJSON, readFile, readTextFile, readJSON, reasonOf, fileError, say, nameOf, inFile,
  placeIn, commandText
}
