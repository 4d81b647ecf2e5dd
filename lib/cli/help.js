'use strict'

const { COMMON_OPTIONS } = require('./options')
const { DEFAULT_COMMAND, optionsOf } = require('./commands')

/** Width of the column before the descriptions. */
const OPTION_WIDTH = 30

const BOLD = '\x1b[1m'
const PLAIN = '\x1b[22m'

/** @param {Record<string, import('./commands').Command>} commands @param {boolean} [hasColor] @returns {string} */
function helpOf(commands, hasColor = false) {
  const title = titleOf(hasColor)
  const rows = Object.entries(commands).map(([name, { about }]) => `  ${name.padEnd(12)}${about}\n`)
  return `${title('Usage:')} qbson [COMMAND] [options] [FILE...]

${title('Commands:')}
${rows.join('')}
Without COMMAND documents are printed. FILE is a .bson file, an archive or a folder that mongodump wrote, compressed or
not. Several are read one after the other. Without FILE, or with -, standard input is read. Prefix ./ to the name of a
file that is also a command, or begins with a dash. docs/questions.md has a line for each of twenty everyday questions.

${title('Options:')}
${rowsOf(COMMON_OPTIONS)}
'qbson COMMAND --help' describes a command, 'qbson ${DEFAULT_COMMAND} --help' printing.

Exit codes: 0 all documents are valid; 1 some are not; 2 wrong usage, or a file cannot be read or written.
A reader that closes the pipe early (qbson FILE | head) is not an error.
`
}

function helpOfCommand(name, command, hasColor = false) {
  const title = titleOf(hasColor)
  const { args = '[options] [FILE...]', options } = command
  const shared = Object.fromEntries(Object.entries(optionsOf(command)).filter(([option]) => !(option in options)))
  const own = Object.keys(options).length === 0 ? '' : `${title(`Options of ${name}:`)}\n${rowsOf(options)}\n`
  return `${title('Usage:')} qbson ${name === DEFAULT_COMMAND ? `[${name}]` : name} ${args}

${command.about[0].toUpperCase()}${command.about.slice(1)}.

${own}${title('Options:')}
${rowsOf(shared)}
${title('Examples:')}
${command.examples.map(line => `  ${line}\n`).join('')}`
}

function titleOf(hasColor) {
  return hasColor ? text => BOLD + text + PLAIN : text => text
}

function rowsOf(options) {
  return Object.entries(options).map(([name, { short, value, help }]) => {
    const left = `  ${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`
    return `${left.padEnd(OPTION_WIDTH)}${left.length < OPTION_WIDTH ? '' : '  '}${help}\n`
  }).join('')
}

module.exports = { helpOf, helpOfCommand }
