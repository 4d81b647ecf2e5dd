'use strict'

// The line that says how far a long file has been read.

const { PassThrough } = require('node:stream')
const { Progress } = require('../../lib/cli/progress')
const { dump, run, write } = require('../fixtures/cli')

module.exports = {
  'progress on a terminal for a long file': async function (t) {
    const now = Date.now
    let time = now()
    Date.now = () => (time += 700)
    const file = write('a\x1b.bson', Buffer.concat(Array(20_000).fill(dump)))
    const cleared = '\x1b[1G\x1b[2K'
    try {
      const { err, out } = await run(['check', file], { isTTY: true })
      t.ok(/a\\u001b\.bson: \d+ read, \d MB, \d+ %\x1b\[1G\x1b\[2K/.test(err), JSON.stringify(err))
      t.ok(err.endsWith(cleared))
      t.ok(out.includes('60000 good documents'))
      const piped = await run([], { isTTY: true, input: [dump, dump, dump] })
      t.ok(piped.err.includes(`standard input: 6 read, 0 MB${cleared}`), JSON.stringify(piped.err))
      const text = await run(['to-bson'], { isTTY: true, input: ['{}\n', '{}\n', '{}\n'] })
      t.ok(text.err.includes(`standard input: 2 read, 0 MB${cleared}`), JSON.stringify(text.err))
      const stdout = Object.assign(new PassThrough(), { isTTY: true })
      t.strictEqual((await run([file, '--limit', '9999'], { isTTY: true, stdout })).err, '', 'not between the documents')
    } finally {
      Date.now = now
    }
    t.strictEqual((await run([file, '--limit', '9'], { isTTY: true })).err, '', 'not for a short one')
    t.done()
  },

  'nothing is cleared that was not shown': t => {
    const progress = new Progress('a', 0, { write: () => t.fail('it was written to') })
    progress.add(5, 1)
    progress.clear()
    t.done()
  }
}
