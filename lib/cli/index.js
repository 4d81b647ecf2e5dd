'use strict'

// The `qbson` command: prints, checks, changes and writes files of BSON documents. Files are streamed.

const fs = require('node:fs')
const path = require('node:path')
const { parseArgs } = require('node:util')
const { BSONError } = require('../errors')
const { OK, FileError, UsageError, commandText, exitCodeOf, fileError, reasonOf, say } = require('./terminal/messages')
const { COMMANDS, DEFAULT_COMMAND, optionsOf } = require('./commands')
const { FOREIGN, NO_SERVER, translated } = require('./foreign')
const { helpOf, helpOfCommand } = require('./help')
const { nearest } = require('../nearest')
const { COMMON_OPTIONS, checkTokens, readOptions } = require('./options')
const { valueOf } = require('./options/values')
const { obeys } = require('./terminal/printable')
const { Targets } = require('./output/targets')
const { version } = require('../../package.json')

/** @typedef {import('./commands').Context} Context */

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
    const isBare = args.length === 0 && Boolean(io.stdin.isTTY) // nobody types BSON
    return await run(parse(isBare ? ['--help'] : args), io)
  } catch (error) {
    const code = exitCodeOf(error)
    if (code === undefined) throw error
    const message = error instanceof BSONError ? commandText(error.message) : error.message
    say(io, error.syscall === undefined ? message : `${error.path ?? 'error'}: ${reasonOf(error)}`)
    const topic = error.isOfAll ? '' : `${commandIn(args)} `
    if (error instanceof UsageError) io.stderr.write(`Try 'qbson ${topic}--help'.\n`)
    return code
  }
}

/** @param {ReturnType<typeof parse>} given @param {import('./commands').Streams} io */
async function run({ name, command, word, files, read, options, isTyped }, io) {
  if (options.help || options.version) return new Targets({ io, inputs: [], options: {} }).run(about(name, options, io))
  const { readsNoFile, readsText, writesFolder: isFolderFine, replacesInput } = command
  if (isTyped && io.stdin.isTTY && !readsNoFile && !readsText) {
    throw new UsageError('no FILE is given, and nothing is piped into it')
  }
  const how = { isFolderFine, replacesInput: replacesInput?.({ files, options }) }
  const targets = new Targets({ io, inputs: read, options, ...how })
  const rows = Object.entries(COMMANDS)
  const commands = () => rows.map(([key, each]) => ({ ...each, name: key, options: optionsOf(each) }))
  return targets.run(command.run({ word, files, options, io, targets, commands }))
}

/** @param {string[]} args @returns {string} the command that is probably meant */
function commandIn(args) {
  return wordsIn(args).positionals.find(word => Object.hasOwn(COMMANDS, word)) ?? DEFAULT_COMMAND
}

/** @param {string | undefined} name of the given command @param {Record<string, any>} options */
async function* about(name, { help }, { stdout }) {
  const hasColor = obeys(stdout) && !process.env.NO_COLOR
  if (!help) yield `qbson ${version}\n`
  else yield name === undefined ? helpOf(COMMANDS, hasColor) : helpOfCommand(name, COMMANDS[name], hasColor)
  return OK
}

/**
 * `read`: all files that are read, also those of options; `isTyped`: whether standard input is read unasked.
 *
 * @returns {{name?: string, command: import('./commands').Command, options: Record<string, any>, word?: any,
 *   files?: string[], read?: string[], isTyped?: boolean}}
 */
function parse(args) {
  const { values: given, positionals, tokens } = wordsIn(args)
  const own = optionsOf(COMMANDS[commandIn(args)])
  for (const token of tokens) if (token.kind === 'option') checkOption(token, own)
  checkTokens(tokens, KNOWN)
  const values = translated(given, positionals[0])
  if (positionals[0] === 'help' && !fs.existsSync('help')) return parse([...positionals.slice(1), '--help'])
  const name = Object.hasOwn(COMMANDS, positionals[0]) ? positionals.shift() : undefined
  const command = COMMANDS[name ?? DEFAULT_COMMAND]
  const known = optionsOf(command)
  const foreign = Object.keys(values).find(option => !Object.hasOwn(known, option))
  if (foreign !== undefined) {
    const said = Object.keys(given).find(other => FOREIGN[other]?.means === foreign) ?? foreign
    const hint = hintOf(nearest(said, Object.keys(known)), '--') || ownersOf(foreign)
    throw new UsageError(`${name ?? DEFAULT_COMMAND} has no option --${said}${hint}`)
  }
  const isAsked = values.help || values.version
  const word = command.word === undefined ? undefined : positionals.shift()
  if (command.word !== undefined && !word && !isAsked) throw new UsageError(`${name} needs ${command.word}`)
  if (!command.readsNoFile && !(isAsked && name)) refuseMissing(positionals, name)
  if (isAsked) return { name, command, options: values }
  const options = readOptions({ ...values, word }, { ...known, word: { value: command.word, help: '' } })
  const files = filesOf(positionals, values)
  const read = [...command.readsNoFile ? [] : files, ...readBy(values, known)]
  if (read.filter(file => file === '-').length > 1) throw new UsageError('standard input can be read only once')
  return { name, command, word: options.word, files, read, options, isTyped: positionals.length === 0 && files[0] === '-' }
}

/** @returns {string[]} the files of options */
function readBy(values, known) {
  return Object.keys(values).flatMap(name => {
    const { isRead } = known[name]
    return isRead === '@' ? values[name].match(/(?<=^@).*/s) ?? [] : isRead ? values[name] : []
  })
}

/** The files to read. --range may begin with a file name: one of the words, or of a file in a folder that is one. */
function filesOf(words, /** @type {any} */ { range, offset }) {
  const [, file] = /^(.+):\d+:\d+$/s.exec(range ?? '') ?? []
  const files = file !== undefined ? [file] : words.length > 0 ? words : ['-']
  const isStandard = files.join() === '-'
  if (file !== undefined) {
    if (!fs.existsSync(file)) throw missingError(file)
    const isWithin = word => !/^\.\.(?:[\\/]|$)/.test(path.relative(word, file))
    if (words.length > 0 && !words.some(isWithin)) throw new UsageError(`--range is of ${file}, which is not read`)
  } else if (range !== undefined && files.includes('-')) {
    throw new UsageError('--range needs the name of a file; of a part in standard input, --offset says where it begins')
  }
  if (offset === undefined || isStandard) return files
  throw new UsageError('--offset is for standard input: of a file, --range reads a part')
}

/**
 * @param {string[]} words that must be files
 * @param {string | undefined} name of the given command
 * @throws {UsageError} when a word is no file, and looks like a command @throws {FileError} when a file is missing
 */
function refuseMissing(words, name) {
  const missing = words.find(word => word !== '-' && !fs.existsSync(word))
  if (missing === undefined) return
  if (Object.hasOwn(COMMANDS, missing)) throw new UsageError(`the command comes first: qbson ${missing}`)
  if (name === undefined && missing === words[0] && /^[a-z][a-z-]*$/i.test(missing)) {
    const hint = hintOf(nearest(missing.toLowerCase(), Object.keys(COMMANDS)))
    throw Object.assign(new UsageError(`no such file or command: ${missing}${hint}`), { isOfAll: true })
  }
  throw missingError(missing)
}

/** @param {string} file that is not there, as far as can be seen @returns {FileError} */
function missingError(file) {
  if (/^mongodb(\+srv)?:\/\//.test(file)) return new FileError(NO_SERVER)
  try {
    fs.statSync(file)
  } catch (error) {
    if (error.code !== 'ENOENT') return fileError(file, error)
  }
  return new FileError(`no such file: ${file}`)
}

/** @param {string} option of other commands @returns {string} which */
function ownersOf(option) {
  const owners = Object.keys(COMMANDS).filter(name => Object.hasOwn(optionsOf(COMMANDS[name]), option))
  return owners.length === 0 ? '' : `: it is an option of ${owners.join(', ')}`
}

function hintOf(meant, before = '') {
  return meant === undefined ? '' : `. Did you mean ${before}${meant}?`
}

/** The options of all commands, because options may come before the command: `--limit 5 check`. */
const OWN = Object.assign({}, COMMON_OPTIONS, ...Object.values(COMMANDS).map(optionsOf))
const KNOWN = { ...FOREIGN, ...OWN }

/** The same for parseArgs. @type {Record<string, import('node:util').ParseArgsOptionDescriptor>} */
const TYPED = Object.fromEntries(Object.entries(KNOWN).map(([name, { value, short, multiple }]) => {
  return [name, { type: value === undefined ? 'boolean' : 'string', ...(short && { short }), ...(multiple && { multiple }) }]
}))

/** Refuses nothing. @param {string[]} args */
function wordsIn(args) {
  return parseArgs({ args, options: TYPED, strict: false, tokens: true })
}

/** @param {any} token of parseArgs @param {Record<string, any>} own options of the command @throws {UsageError} */
function checkOption({ name, rawName, value, inlineValue }, own) {
  if (!Object.hasOwn(KNOWN, name)) {
    const meant = name.length > 1 ? nearest(name, Object.keys(own)) ?? nearest(name, Object.keys(OWN)) : undefined
    throw new UsageError(`unknown option ${rawName}${hintOf(meant, '--')}`)
  }
  const takesValue = KNOWN[name].value !== undefined
  if (takesValue && value === undefined) throw new UsageError(`--${name} needs a value`)
  if (!takesValue && value !== undefined) throw new UsageError(`--${name} takes no value`)
  if (!takesValue || inlineValue || !/^-./.test(value)) return
  const { means = name } = FOREIGN[name] ?? {}
  valueOf(value, name, own[means] ?? KNOWN[means]) // throws if the other form would be refused, too
  throw new UsageError(`--${name} needs a value: one that begins with a dash is given as --${name}=${value}`)
}

module.exports = { main }
