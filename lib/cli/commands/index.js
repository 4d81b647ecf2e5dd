'use strict'

// The commands. A new one takes a row here and its own file, which requires large modules only when it runs.

const { COMMON_OPTIONS, READING_OPTIONS } = require('../options')
const { print, toBson } = require('./print')
const { check } = require('./check')
const { count } = require('./count')
const { distinct } = require('./distinct')
const { edit } = require('./edit')
const { toArrow, toParquet, toCsv } = require('./columns')
const { head } = require('./head')
const { schema } = require('./schema')
const { compile } = require('./compile')
const { bench } = require('./bench')
const { split } = require('./split')
const { completion } = require('./completion')

/**
 * @typedef {object} Command
 * @property {string} [args] what follows its name in the usage; default: options and files
 * @property {string} about one line on what it does
 * @property {string[]} examples how it is called
 * @property {Record<string, import('../options').Option>} options its own, in addition to COMMON_OPTIONS
 * @property {Record<string, import('../options').Option>[]} [groups] shared with other commands; default: --skip,
 *   --limit and --max-document-size
 * @property {(context: Context) => AsyncGenerator<string | Uint8Array, number>} run yields what goes to standard
 *   output or to --out, and returns the exit code; reports errors of the files on standard error
 * @property {string} [word] what stands before the files, in the usage
 * @property {boolean} [readsNoFile] whether its arguments are no files
 * @property {boolean} [readsText] whether it reads what people can type
 * @property {boolean} [writesFolder] whether --out may be a folder, with a file for each collection
 * @property {(context: Pick<Context, 'files' | 'options'>) => boolean} [replacesInput] whether --out may be the only
 *   input, because nothing of it is lost
 *
 * @typedef {object} Context
 * @property {string[]} files '-' for standard input
 * @property {Record<string, any>} options their values
 * @property {any} [word] before the files, if the command takes one: as the argument of an option
 * @property {Streams} io
 * @property {import('../output/targets').Targets} targets where it writes
 * @property {() => (Command & {name: string})[]} commands with all their options
 *
 * @typedef {{stdin: any, stdout: any, stderr: any}} Streams
 */

const DEFAULT_COMMAND = 'print'

/** @type {Record<string, Command>} */
const COMMANDS = {
  print,
  check,
  count,
  distinct,
  edit,
  'to-bson': toBson,
  'to-arrow': toArrow,
  'to-parquet': toParquet,
  'to-csv': toCsv,
  head,
  schema,
  compile,
  bench,
  split,
  completion
}

/** @param {Command} command @returns {Record<string, import('../options').Option>} all its options */
function optionsOf({ options, groups = [READING_OPTIONS] }) {
  return Object.assign({}, options, ...groups, COMMON_OPTIONS)
}

module.exports = { COMMANDS, DEFAULT_COMMAND, optionsOf }
