'use strict'

// The table of commands.

const { COMMANDS, DEFAULT_COMMAND } = require('../../lib/cli/commands')
const { COMMON_OPTIONS } = require('../../lib/cli/options')

module.exports = {
  'each says what it is called with and what it does, and has options that parseArgs takes': t => {
    t.ok(Object.hasOwn(COMMANDS, DEFAULT_COMMAND))
    for (const [name, { args = 'by default, options and files', about, options, run }] of Object.entries(COMMANDS)) {
      t.ok([args, about].every(text => typeof text === 'string' && text !== ''), name)
      t.strictEqual(typeof run, 'function')
      for (const { value, help } of Object.values(options)) {
        t.ok(value === undefined || value.length > 0, name)
        t.ok(help.length > 0)
      }
    }
    t.done()
  },

  'no option of one means another thing to all': t => {
    const own = Object.values(COMMANDS).flatMap(({ options }) => Object.keys(options))
    t.deepStrictEqual(own.filter(name => Object.hasOwn(COMMON_OPTIONS, name)), [])
    t.deepStrictEqual(own.filter((name, i) => own.indexOf(name) !== i), [])
    t.done()
  }
}
