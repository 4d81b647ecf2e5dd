'use strict'

// The `qbson` command: prints, checks and writes files of BSON documents. Files are streamed.

const { pipeline } = require('node:stream/promises')
const { parseArgs } = require('node:util')
const { COMMANDS, DEFAULT_COMMAND } = require('./commands')
const { helpOf } = require('./help')
const { OK, UNUSABLE, COMMON_OPTIONS, UsageError } = require('./options')
const { printable } = require('./printable')
const { version } = require('../../package.json')

/**
 * Runs the command.
 *
 * @param {string[]} [args] without node and script
 * @param {import('./commands').Streams} [io] `process`, or what stands in for it
 * @returns {Promise<number>} the exit code
 */
async function main(args = process.argv.slice(2), io = process) {
  io.stderr.on('error', () => {}) // there is nowhere to say it
  try {
    const { command, files, options } = parse(args)
    return await write(options.help || options.version ? about(options) : command.run({ files, options, io }), io)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return refuse(io, `${error.message}\nTry 'qbson --help'.`)
  }
}

/** Runs a command, its output as far as it is wanted. @returns {Promise<number>} the exit code */
async function write(output, io) {
  let code = OK
  let failure
  // What goes wrong in here is kept from the pipeline, which would say that the output has failed.
  async function* source() {
    try {
      code = yield* output
    } catch (error) {
      failure = error
    }
  }
  try {
    await pipeline(source, io.stdout)
  } catch (error) {
    // what reads our output has gone: `qbson FILE | head`
    return error.code === 'EPIPE' ? code : refuse(io, `standard output: ${printable(error.message)}`)
  }
  if (failure !== undefined) throw failure
  return code
}

/** @param {Record<string, any>} options */
async function* about({ help }) {
  yield help ? helpOf(COMMANDS) : `qbson ${version}\n`
  return OK
}

function refuse(io, message) {
  io.stderr.write(`qbson: ${message}\n`)
  return UNUSABLE
}

/**
 * @param {string[]} args
 * @returns {{command: import('./commands').Command, files: string[], options: Record<string, any>}}
 * @throws {UsageError}
 */
function parse(args) {
  const { values, positionals } = parseOrRefuse(args)
  const name = Object.hasOwn(COMMANDS, positionals[0]) ? positionals.shift() : DEFAULT_COMMAND
  const command = COMMANDS[name]
  for (const option of Object.keys(values)) {
    if (Object.hasOwn(COMMON_OPTIONS, option) || Object.hasOwn(command.options, option)) continue
    throw new UsageError(`${name} has no option --${option}`)
  }
  return { command, files: positionals.length > 0 ? positionals : ['-'], options: values }
}

/** What there is of options is known before the command is: `--limit 5 check` has them in front. */
function parseOrRefuse(args) {
  const options = Object.assign({}, COMMON_OPTIONS, ...Object.values(COMMANDS).map(command => command.options))
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(printable(error.message))
  }
}

module.exports = { main }
