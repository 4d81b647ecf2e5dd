'use strict'

// The commands. A new one is a row here and a file of its own, which requires what is large when it runs.

const { print } = require('./print')
const { check } = require('./check')
const { toBson } = require('./to-bson')
const { schema } = require('./schema')
const { compile } = require('./compile')
const { bench } = require('./bench')

/**
 * @typedef {object} Command
 * @property {string} args what follows its name in the usage
 * @property {string} about what it does, in a line
 * @property {Record<string, import('./options').Option>} options its own, beside COMMON_OPTIONS
 * @property {(context: Context) => AsyncGenerator<string | Uint8Array, number>} run yields what goes to standard
 *   output, and returns the exit code; faults of the files it says on standard error
 *
 * @typedef {object} Context
 * @property {string[]} files '-' for standard input
 * @property {Record<string, any>} options as they were given
 * @property {Streams} io
 *
 * @typedef {{stdin: any, stdout: any, stderr: any}} Streams
 */

const DEFAULT_COMMAND = 'print'

/** @type {Record<string, Command>} */
const COMMANDS = {
  print,
  check,
  'to-bson': toBson,
  schema,
  compile,
  bench
}

module.exports = { COMMANDS, DEFAULT_COMMAND }
