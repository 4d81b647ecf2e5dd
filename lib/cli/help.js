'use strict'

const { COMMON_OPTIONS } = require('./options')
const { DEFAULT_COMMAND } = require('./commands')

/** Columns of what stands to the left of the texts. */
const OPTION_WIDTH = 32

/** @param {Record<string, import('./commands').Command>} commands @returns {string} */
function helpOf(commands) {
  const usages = Object.entries(commands).map(([name, command]) => [usageOf(name, command.args), command.about])
  const width = Math.max(...usages.map(([usage]) => usage.length)) + 2
  const lines = usages.map(([usage, about], i) => `${i === 0 ? 'Usage: ' : '       '}${usage.padEnd(width)}${about}`)
  const own = Object.entries(commands).filter(([, { options }]) => Object.keys(options).length > 0)
  return `${lines.join('\n')}

Files hold BSON documents one after the other, as mongodump writes them. Without FILE, or with -, standard input
is read. A file that has a command's name is given as ./check.

Options:
${rowsOf(COMMON_OPTIONS)}
${own.map(([name, { options }]) => `Options of ${name}:\n${rowsOf(options)}\n`).join('')}Exit codes: 0 all documents are good; 1 some are not; 2 wrong usage, or a file cannot be read or written.
A reader that closes the pipe early (qbson FILE | head) is not an error.
`
}

function usageOf(name, args) {
  return name === DEFAULT_COMMAND ? `qbson ${args}` : `qbson ${name} ${args}`
}

/** @param {Record<string, import('./options').Option>} options */
function rowsOf(options) {
  return Object.entries(options).map(([name, option]) => rowOf(name, option)).join('')
}

/** @param {string} name @param {import('./options').Option} option */
function rowOf(name, { short, value, help }) {
  const left = `  ${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`
  return `${left.padEnd(OPTION_WIDTH)}${help}\n`
}

module.exports = { helpOf }
