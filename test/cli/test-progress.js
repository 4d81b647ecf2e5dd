'use strict'

// The progress line for long files.

const { PassThrough } = require('node:stream')
const { Progress, durationOf } = require('../../lib/cli/terminal/progress')
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
      t.ok(/a\\u001b\.bson: \d+ documents, \d MB, \d+ %, \d+ MB\/s(, \d+ s left)?\x1b\[1G\x1b\[2K/.test(err), JSON.stringify(err))
      t.ok(err.endsWith(cleared))
      t.ok(out.includes('60000 good documents'))
      const piped = await run([], { isTTY: true, input: [dump, dump, dump] })
      t.ok(piped.err.includes(`standard input: 6 documents, 0 MB, 0 MB/s${cleared}`), JSON.stringify(piped.err))
      const text = await run(['to-bson'], { isTTY: true, input: ['{"a":"12345"}\n', '{}\n', '{}\n'] })
      t.ok(text.err.includes(`standard input: 2 documents, 0 MB, 0 MB/s${cleared}`), JSON.stringify(text.err))
      const columns = await run(['to-csv', '--fields', '_id', file], { isTTY: true })
      t.ok(/^types of \S*a\\u001b\.bson: \d+ documents, \d MB, \d+ %, \d+ MB\/s/.test(columns.err), JSON.stringify(columns.err))
      t.ok(/\x1b\[2K\/\S*a\\u001b\.bson: \d+ documents/.test(columns.err), JSON.stringify(columns.err))
      const stdout = Object.assign(new PassThrough(), { isTTY: true })
      t.strictEqual((await run([file, '--limit', '9999'], { isTTY: true, stdout })).err, '', 'not between the documents')
      t.strictEqual((await run(['to-csv', '--fields', '_id', file], { isTTY: true, stdout })).err, '', 'nor the rows')
    } finally {
      Date.now = now
    }
    t.strictEqual((await run([file, '--limit', '9'], { isTTY: true })).err, '', 'not for a short one')
    Date.now = () => (time += 700)
    process.env.TERM = 'dumb'
    const dumb = await run(['check', file], { isTTY: true })
    process.env.TERM = 'xterm'
    Date.now = now
    t.strictEqual(dumb.err, '', 'not on a terminal that prints control characters')
    t.done()
  },

  'nothing is cleared that was not shown': t => {
    const progress = new Progress('a', 0, { write: () => t.fail('it was written to') })
    progress.onRead(5)
    progress.count(1)
    progress.clear()
    t.done()
  },

  'rate and time left, no longer than the terminal is wide': t => {
    const written = []
    const progress = new Progress('a', 400e6, { columns: 50, write: text => written.push(text) })
    progress.start -= 2000
    progress.next = 0
    progress.onRead(100e6)
    progress.count(7)
    progress.clear()
    t.ok(/^a: 7 documents, 100 MB, 25 %, \d\d MB\/s, \d s left$/.test(written[0]), written[0])
    t.ok(written.slice(1).join('').includes('\x1b'), 'taken away')
    const rows = [
      [10, 'a', '8 documen'], [12, 'a', '8 documents'], [28, 'a', '8 documents, 100 MB, 25 %'], [30, 'a', 'a: 8 documents, 100 MB, 25 %'],
      [32, '漢漢😀b', '😀b: 8 documents, 100 MB, 25 %'], [33, '漢漢😀b', '漢😀b: 8 documents, 100 MB, 25 %']
    ]
    for (const [columns, name, line] of rows) {
      progress.terminal.columns = columns
      Object.assign(progress, { name, next: 0, items: 7 })
      progress.count(1)
      t.strictEqual(written.at(-1), line)
    }
    progress.clear()
    t.done()
  },

  'times': t => {
    for (const [ms, text] of [[10, '1 s'], [59_000, '59 s'], [61_000, '1 min 1 s'], [3_600_000, '1 h 0 min'], [9e7, '25 h 0 min']]) {
      t.strictEqual(durationOf(ms), text)
    }
    t.done()
  }
}
