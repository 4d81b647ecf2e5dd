'use strict'

// The command as a whole: its arguments, and where its output goes.

const { PassThrough, Readable, Writable } = require('node:stream')
const { encode } = require('../../qbson')
const { main } = require('../../lib/cli')
const { version } = require('../../package.json')
const { bookshop, run, lines } = require('../fixtures/cli')

module.exports = {
  'wrong usage': async function (t) {
    for (const args of [['--no-such'], ['--limit', 'x'], ['--skip', '-1'], ['--canonical', '--relaxed'], ['--limit']]) {
      const { code, out, err } = await run(args)
      t.strictEqual(code, 2)
      t.strictEqual(out, '')
      t.ok(/^qbson: .*\nTry 'qbson (print )?--help'\.\n$/s.test(err), err)
    }
    t.done()
  },

  '--help and --version': async function (t) {
    const help = await run(['--help'])
    t.ok(help.out.startsWith('Usage: qbson'))
    t.ok(Math.max(...lines(help.out).map(line => line.length)) <= 120)
    t.strictEqual(help.code, 0)
    t.strictEqual((await run(['-h'])).out, help.out)
    t.strictEqual((await run(['-v'])).out, `qbson ${version}\n`)
    t.done()
  },

  'a mistake of our own is not hidden': async function (t) {
    const odd = Readable.from(['text'])
    odd[Symbol.asyncIterator] = () => { throw new TypeError('odd') }
    const thrown = main(['check'], { stdin: odd, stdout: new PassThrough(), stderr: new PassThrough() })
    await thrown.then(() => t.fail('was not rejected'), error => t.strictEqual(error.message, 'odd'))
    t.done()
  },

  'output that cannot be written ends the run with one line': async function (t) {
    for (const fail of [done => done(new Error('no \x1bspace')), () => { throw new Error('no \x1bspace') }]) {
      const failing = new Writable({ write: (chunk, encoding, done) => fail(done) })
      const { code, err } = await run([bookshop, bookshop], { stdout: failing })
      t.strictEqual(err, 'qbson: standard output: no \\u001bspace\n')
      t.strictEqual(code, 2)
    }
    t.done()
  },

  'options of other commands are refused': async function (t) {
    const { code, err } = await run(['check', '--pretty', bookshop])
    t.strictEqual(err, "qbson: check has no option --pretty: it is an option of print\nTry 'qbson check --help'.\n")
    t.strictEqual(code, 2)
    t.strictEqual((await run(['--limit', '1', 'check', bookshop])).code, 0)
    t.done()
  },

  'output is written in pieces and waits for its reader': async function (t) {
    const many = Buffer.concat(Array.from({ length: 3000 }, (_, i) => encode({ i, text: 'x'.repeat(100) })))
    const chunks = Array.from({ length: 5 }, () => many)
    let read = 0
    const stdin = Readable.from((function* () { for (const chunk of chunks) { read++; yield chunk } })(), { highWaterMark: 1 })
    const written = []
    let busy = 0
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk, encoding, done) {
        t.strictEqual(++busy, 1)
        t.ok(read <= written.length + 4, `${read} chunks read, ${written.length} written`)
        if (chunk.length > 0) written.push(chunk)
        setTimeout(() => { busy--; done() }, 10)
      }
    })
    const code = await main([], { stdin, stdout: slow, stderr: new PassThrough() })
    t.strictEqual(code, 0)
    t.strictEqual(lines(Buffer.concat(written).toString()).length, 15_000)
    t.strictEqual(written.length, 5)
    t.done()
  }
}
