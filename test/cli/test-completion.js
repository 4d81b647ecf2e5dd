'use strict'

// Shell completion, and suggestions for mistyped words.

const { spawnSync } = require('node:child_process')
const { COMMANDS } = require('../../lib/cli/commands')
const { nearest } = require('../../lib/nearest')
const { valueOf } = require('../../lib/cli/options/values')
const { run } = require('../fixtures/cli')

module.exports = {
  'every command and option, for each shell': async function (t) {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { out, code } = await run(['completion', shell])
      t.strictEqual(code, 0)
      for (const [name, { options }] of Object.entries(COMMANDS)) {
        t.ok(out.includes(name), name)
        const prefix = shell === 'fish' ? '-l ' : '--'
        for (const option of Object.keys(options)) t.ok(out.includes(prefix + option), option)
      }
      const there = spawnSync(shell, ['-n'], { input: out, encoding: 'utf8' })
      if (there.error === undefined) t.strictEqual(there.stderr, '', shell)
    }
    for (const args of [[], ['tcsh'], ['constructor']]) t.strictEqual((await run(['completion', ...args])).code, 2)
    t.done()
  },

  'bash completes': async function (t) {
    const { out } = await run(['completion', 'bash'])
    const script = `${out}\nCOMP_WORDS=(qbson edit --ha); COMP_CWORD=2; _qbson; echo "\${COMPREPLY[@]}"\nCOMP_WORDS=(qbson che); COMP_CWORD=1; _qbson; echo "\${COMPREPLY[@]}"`
    const { stdout, error } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
    if (error === undefined) t.strictEqual(stdout, '--hash\ncheck\n')
    t.done()
  },

  'what a mistyped word may mean': t => {
    const words = ['check', 'schema', 'to-bson', 'print', 'count']
    const rows = [['chekc', 'check'], ['chck', 'check'], ['shcema', 'schema'], ['tobson', 'to-bson'], ['cuont', 'count'], ['orders', undefined], ['x', undefined], ['c'.repeat(1e6), undefined]]
    for (const [word, meant] of rows) t.strictEqual(nearest(word, words), meant)
    t.done()
  },

  'it is asked for': async function (t) {
    const command = await run(['chekc', 'file'])
    t.strictEqual(command.err, "qbson: no such file or command: chekc. Did you mean check?\nTry 'qbson --help'.\n")
    t.strictEqual(command.code, 2)
    const option = await run(['--cannonical'])
    t.strictEqual(option.err, "qbson: unknown option --cannonical. Did you mean --canonical?\nTry 'qbson print --help'.\n")
    t.ok((await run(['--qqqqqq'])).err.startsWith('qbson: unknown option --qqqqqq\n'))
    t.done()
  },

  'sizes': t => {
    for (const [text, bytes] of [['128MB', 128e6], ['64MiB', 64 * 2 ** 20], ['1000', 1000], ['1.5k', 1500], ['2 GB', 2e9]]) t.strictEqual(valueOf(text, 'size', { value: 'SIZE', help: '' }), bytes)
    for (const text of ['', 'x', '5x', '-1', '1e9']) t.throws(() => valueOf(text, 'size', { value: 'SIZE', help: '' }), /needs a size/)
    t.done()
  }
}
