'use strict'

// The `qbson` command: prints, checks, changes and writes files of BSON documents. Files are streamed.

const fs = require('node:fs')
const path = require('node:path')
const { parseArgs } = require('node:util')
const { BSONError } = require('../errors')
const { OK, FileError, UsageError, commandText, exitCodeOf, fileError, reasonOf, say } = require('./terminal/messages')
const { COMMANDS, DEFAULT_COMMAND, optionsOf } = require('./commands')
const { FOREIGN, NO_SERVER, OTHER_OPTIONS, OTHER_COMMANDS, translated } = require('./foreign')
const { helpOf, helpOfCommand } = require('./help')
const { nearest } = require('../nearest')
const { COMMON_OPTIONS, checkOptions, checkTokens } = require('./options')
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
  /** @type {string | undefined} */
  let name
  try {
    const isBare = args.length === 0 && Boolean(io.stdin.isTTY) // nobody types BSON
    const { name: given, command, word, files, options } = parse(isBare ? ['--help'] : args)
    name = given ?? DEFAULT_COMMAND
    const isAsked = options.help || options.version
    if (!isAsked) checkOptions(options, optionsOf(command))
    const isTyped = !isAsked && Boolean(io.stdin.isTTY) && files.join() === '-' && !args.includes('-')
    if (isTyped && !command.readsNoFile && !command.readsText) throw new UsageError('no FILE is given, and nothing is piped into it')
    const targets = targetsOf(command, isAsked ? { files: [], options: {}, io } : { files, options, io })
    const rows = Object.entries(COMMANDS)
    const commands = () => rows.map(([key, each]) => ({ ...each, name: key, options: optionsOf(each) }))
    const context = { word, files, options, io, targets, commands }
    return await targets.run(isAsked ? about(given, options, io) : command.run(context))
  } catch (error) {
    const code = exitCodeOf(error)
    if (code === undefined) throw error
    const topic = error.command ?? name
    const message = error instanceof BSONError ? commandText(error.message) : error.message
    say(io, error.syscall === undefined ? message : `${error.path ?? 'error'}: ${reasonOf(error)}`)
    if (error instanceof UsageError) io.stderr.write(`Try 'qbson ${topic === undefined ? '' : `${topic} `}--help'.\n`)
    return code
  }
}

function targetsOf(command, { files, options, io }) {
  const { readsNoFile, writesFolder: isFolderFine, replacesInput } = command
  const read = Object.entries(optionsOf(command)).flatMap(([name, { isRead }]) => {
    const given = (isRead && options[name]) || []
    return isRead !== '@' ? given : given[0] === '@' ? given.slice(1) : []
  })
  const own = readsNoFile ? [] : files // of the options only --upgrade reads standard input, too
  const inputs = [...own, ...read]
  if ([...own, ...(options.upgrade ?? [])].filter(name => name === '-').length > 1) throw new UsageError('standard input can be read only once')
  return new Targets({ inputs, options, io, isFolderFine, replacesInput: replacesInput?.({ files, options }) })
}

/** @param {string | undefined} name of the given command @param {Record<string, any>} options */
async function* about(name, { help }, { stdout }) {
  const hasColor = obeys(stdout) && !process.env.NO_COLOR
  if (!help) yield `qbson ${version}\n`
  else yield name === undefined ? helpOf(COMMANDS, hasColor) : helpOfCommand(name, COMMANDS[name], hasColor)
  return OK
}

/** @returns {Pick<Context, 'word' | 'files' | 'options'> & {name?: string, command: import('./commands').Command}} */
function parse(args) {
  const { values, positionals } = parseOrRefuse(args)
  const isAsked = values.help !== undefined || values.version !== undefined
  if (positionals[0] === 'help' && !fs.existsSync('help')) {
    positionals.shift()
    return { ...parse([...positionals, '--help']), files: [] }
  }
  if (positionals[0] === 'splits') positionals[0] = 'split' // its name in earlier versions
  const name = Object.hasOwn(COMMANDS, positionals[0]) ? positionals.shift() : undefined
  const command = COMMANDS[name ?? DEFAULT_COMMAND]
  const known = optionsOf(command)
  for (const option of Object.keys(values)) {
    if (Object.hasOwn(known, option)) continue
    const text = `${name ?? DEFAULT_COMMAND} has no option --${option}${hintOf(nearest(option, Object.keys(known)), '--') || ownersOf(option)}`
    throw new UsageError(text, name ?? DEFAULT_COMMAND)
  }
  const word = command.word === undefined ? undefined : positionals.shift()
  if (command.word !== undefined && word === undefined && !isAsked) throw new UsageError(`${name} needs ${command.word}`, name)
  refuseMissing({ name, values, command, isAsked }, positionals)
  return { name, command, word, files: filesOf(positionals, values.range), options: values }
}

/** The files to read. --range may begin with a file name: one of the words, or of a file in a folder that is one. */
function filesOf(words, range) {
  const [, file] = /^(.+):\d+:\d+$/s.exec(range ?? '') ?? []
  if (file === undefined) return words.length > 0 ? words : ['-']
  if (!fs.existsSync(file)) throw missingError(file)
  const isWithin = word => !/^\.\.(?:[\\/]|$)/.test(path.relative(word, file))
  if (words.length > 0 && !words.some(isWithin)) throw new UsageError(`--range is of ${file}, which is not read`)
  return [file]
}

/**
 * @param {{name?: string, values: Record<string, any>, command: import('./commands').Command, isAsked: boolean}} given
 *   name of the command, options, whether only help is asked for
 * @param {string[]} words that must be files
 * @throws {UsageError} when a word is no file, and looks like a command @throws {FileError} when a file is missing
 */
function refuseMissing({ name, values, command, isAsked }, words) {
  const missing = command.readsNoFile ? undefined : words.find(word => word !== '-' && !fs.existsSync(word))
  if (missing === undefined || (isAsked && name !== undefined)) return
  const list = Object.keys(values).find(option => /,$/.test(values[option]))
  if (list !== undefined) throw new UsageError(`no such file: ${missing} (--${list} ends with a comma: is there a space after it?)`)
  if (Object.hasOwn(COMMANDS, missing)) throw new UsageError(`the command comes first: qbson ${missing}`)
  if (name !== undefined || missing !== words[0] || !/^[a-z][a-z-]*$/i.test(missing)) {
    throw missingError(missing)
  }
  const meant = nearest(missing.toLowerCase(), [...Object.keys(COMMANDS), ...Object.keys(OTHER_COMMANDS)])
  const hint = Object.hasOwn(OTHER_COMMANDS, meant) ? ` (${OTHER_COMMANDS[meant]})` : hintOf(meant)
  throw new UsageError(`no such file or command: ${missing}${hint}`)
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
const KNOWN = Object.assign({}, FOREIGN, COMMON_OPTIONS, ...Object.values(COMMANDS).map(optionsOf))

/** The same for parseArgs. @type {Record<string, import('node:util').ParseArgsOptionDescriptor>} */
const TYPED = Object.fromEntries(Object.entries(KNOWN).map(([name, { value, short, multiple }]) => {
  return [name, { type: value === undefined ? 'boolean' : 'string', ...(short && { short }), ...(multiple && { multiple }) }]
}))

function parseOrRefuse(args) {
  try {
    const { values, positionals, tokens } = parseArgs({ args, options: TYPED, allowPositionals: true, tokens: true })
    checkTokens(tokens)
    return { values: translated(values, positionals[0]), positionals }
  } catch (error) {
    const command = args.find(arg => Object.hasOwn(COMMANDS, arg)) ?? DEFAULT_COMMAND
    if (error instanceof UsageError) throw new UsageError(error.message, command)
    throw new UsageError(refusalOf(error.message, args, command), command)
  }
}

/** @param {string} message of parseArgs @param {string[]} args @param {string} command @returns {string} to show */
function refusalOf(message, args, command) {
  const [, given] = /^Option '(?:-\w, )?(--?[\w-]+)(?: <value>)?' argument (?:missing|is ambiguous)/.exec(message) ?? []
  if (given !== undefined) {
    const option = given.startsWith('--') ? given.slice(2) : Object.keys(KNOWN).find(name => KNOWN[name].short === given[1])
    const next = args.find((_, i) => args[i - 1] === given)
    if (next === undefined) return `--${option} needs a value`
    if (/^-\d+$/.test(next) && /^(N|SIZE)$/.test(KNOWN[option].value)) return `--${option} cannot be ${next}`
    const hint = option === 'sort' ? `descending is ${next.replace(/-([^,]+)/g, '$1:-1')}` : `one that begins with a dash is given as --${option}=${next}`
    return `--${option} needs a value: ${hint}`
  }
  const [, unknown] = /^Unknown option '(--?[^']*)'/.exec(message) ?? []
  if (unknown === undefined) return commandText(message)
  const word = unknown.replace(/^--?/, '')
  const own = Object.keys(KNOWN).filter(option => !Object.hasOwn(FOREIGN, option))
  const near = () => nearest(word, Object.keys(optionsOf(COMMANDS[command]))) ?? nearest(word, own)
  const meant = Object.hasOwn(OTHER_OPTIONS, word) ? OTHER_OPTIONS[word] : word.length > 1 ? near() : undefined
  return `unknown option ${unknown}${hintOf(meant, '--')}`
}

module.exports = { main }
