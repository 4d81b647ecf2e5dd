'use strict'

// What --help prints.

const { COMMANDS } = require('../../lib/cli/commands')
const { helpOf } = require('../../lib/cli/help')
const { COMMON_OPTIONS } = require('../../lib/cli/options')

module.exports = {
  'every command, every option, in lines that fit': t => {
    const help = helpOf(COMMANDS)
    for (const [name, { about, options }] of Object.entries(COMMANDS)) {
      t.ok(help.includes(about), name)
      for (const option of Object.keys({ ...COMMON_OPTIONS, ...options })) t.ok(help.includes(`--${option}`), option)
    }
    t.ok(help.split('\n').every(line => line.length <= 120))
    t.done()
  },

  'a command without options has no heading for them': t => {
    const help = helpOf({ print: { ...COMMANDS.print, options: {} } })
    t.ok(help.startsWith('Usage: qbson [options] [FILE...]') && !help.includes('Options of'), help)
    t.done()
  }
}
