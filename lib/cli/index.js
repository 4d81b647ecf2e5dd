'use strict'

// The `qbson` command: prints, checks, changes and writes files of BSON documents. Files are streamed.

const fs = require('node:fs')
const { parseArgs } = require('node:util')
const { BSONError } = require('../errors')
const { COMMANDS, DEFAULT_COMMAND, optionsOf } = require('./commands')
const { helpOf, helpOfCommand } = require('./help')
const { nearest } = require('./nearest')
const { OK, BAD_DATA, UNUSABLE, COMMON_OPTIONS, OutputError, UsageError } = require('./options')
const { printable } = require('./printable')
const { version } = require('../../package.json')

/**
 * Runs the command. A process may run only one at a time, because text is written from memory that is reused.
 *
 * @param {string[]} [args] without node and script
 * @param {import('./commands').Streams} [io] `process`, or a substitute
 * @returns {Promise<number>} the exit code
 */
async function main(args = process.argv.slice(2), io = process) {
  io.stderr.on('error', () => {}) // there is nowhere to report it
  try {
    const { name, command, files, options } = parse(args)
    const isAsked = options.help || options.version
    const output = isAsked ? about(name, options, io) : command.run({ files, options, io, commands })
    return await write(output, io)
  } catch (error) {
    if (error instanceof UsageError) return refuse(io, `${error.message}\nTry 'qbson --help'.`, UNUSABLE)
    if (error instanceof OutputError) return refuse(io, error.message, UNUSABLE)
    if (error instanceof BSONError) return refuse(io, printable(error.message), BAD_DATA)
    throw error
  }
}

/** What can be completed. @returns {import('./completion').Commands} */
function commands() {
  return Object.entries(COMMANDS).map(([name, command]) => {
    return { name, about: command.about, options: optionsOf(command) }
  })
}

/** Runs a command until it ends or nobody reads its output any more. @returns {Promise<number>} the exit code */
async function write(output, io) {
  io.stdout.on('error', () => {}) // `put` gets the error
  try {
    while (true) {
      const { done, value } = await output.next()
      if (done) return value
      const error = await put(io.stdout, value)
      // the reader of our output may be gone: `qbson FILE | head`
      if (error) return error.code === 'EPIPE' ? OK : refuse(io, `standard output: ${printable(error.message)}`, UNUSABLE)
    }
  } finally {
    await output.return()
  }
}

/**
 * Waits until a piece is written, because later pieces reuse its memory. A stream without a file may keep its chunks.
 *
 * @param {any} stream
 * @param {string | Uint8Array} piece
 * @returns {Promise<any>} the error, if any
 */
function put(stream, piece) {
  return new Promise(resolve => {
    stream.write(stream.fd === undefined ? Buffer.from(piece) : piece, resolve)
  }).catch(error => error)
}

/** @param {string | undefined} name of the given command @param {Record<string, any>} options */
async function* about(name, { help }, { stdout }) {
  const hasColor = Boolean(stdout.isTTY) && !process.env.NO_COLOR
  if (!help) yield `qbson ${version}\n`
  else yield name === undefined ? helpOf(COMMANDS, hasColor) : helpOfCommand(name, COMMANDS[name], hasColor)
  return OK
}

function refuse(io, message, code) {
  io.stderr.write(`qbson: ${message}\n`)
  return code
}

/**
 * @param {string[]} args
 * @returns {{name: string | undefined, command: import('./commands').Command, files: string[], options: any}}
 * @throws {UsageError}
 */
function parse(args) {
  const { values, positionals } = parseOrRefuse(args)
  if (positionals[0] === 'help' && !fs.existsSync('help')) {
    positionals.shift()
    return { ...parse([...positionals, '--help']), files: [] }
  }
  const name = Object.hasOwn(COMMANDS, positionals[0]) ? positionals.shift() : undefined
  const command = COMMANDS[name ?? DEFAULT_COMMAND]
  const known = optionsOf(command)
  for (const option of Object.keys(values)) {
    if (!Object.hasOwn(known, option)) throw new UsageError(`${name ?? DEFAULT_COMMAND} has no option --${option}`)
  }
  if (name === undefined) refuseMistyped(positionals[0])
  return { name, command, files: positionals.length > 0 ? positionals : ['-'], options: values }
}

/** @param {string | undefined} word that may be a file or a mistyped command @throws {UsageError} */
function refuseMistyped(word) {
  if (word === undefined || !/^[a-z][a-z-]*$/.test(word) || fs.existsSync(word)) return
  const meant = nearest(word, Object.keys(COMMANDS))
  if (meant !== undefined) throw new UsageError(`there is no file or command ${word}. Did you mean ${meant}?`)
}

/** Parses with the options of all commands, because options may come before the command: `--limit 5 check`. */
function parseOrRefuse(args) {
  const options = Object.assign({}, COMMON_OPTIONS, ...Object.values(COMMANDS).map(optionsOf))
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const [, unknown] = /^Unknown option '--([^']*)'/.exec(error.message) ?? []
    if (unknown === undefined) throw new UsageError(printable(error.message))
    const meant = nearest(unknown, Object.keys(options))
    const hint = meant === undefined ? '' : `. Did you mean --${meant}?`
    throw new UsageError(printable(`unknown option --${unknown}${hint}`))
  }
}

module.exports = { main }
