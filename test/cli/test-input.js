'use strict'

// Files and standard input, read in chunks and cut into documents or lines.

const fs = require('node:fs')
const path = require('node:path')
const { PassThrough } = require('node:stream')
const { encode } = require('../../qbson')
const { main } = require('../../lib/cli')
const { dump, folder, run, lines, write, broken } = require('../fixtures/cli')

module.exports = {
  'standard input: no file, or -': async function (t) {
    const chunks = [dump.subarray(0, 7), dump.subarray(7, 30), dump.subarray(30)]
    t.strictEqual(lines((await run([], { input: chunks })).out).length, 3)
    t.strictEqual(lines((await run(['-'], { input: chunks })).out).length, 3)
    t.deepStrictEqual(await run([], {}), { code: 0, bytes: Buffer.alloc(0), out: '', err: '' })
    t.done()
  },

  'a fault: what is before it is printed, then where it is': async function (t) {
    const { bytes, at } = broken()
    const bad = write('bad.bson', bytes)
    const good = write('good.bson', dump)
    const { code, out, err } = await run([bad, good])
    t.strictEqual(lines(out).length, 1 + 3)
    t.ok(err.startsWith(`qbson: ${bad}: `), err)
    t.ok(err.includes(`(at offset ${at} in field list of document 2)`), err)
    t.strictEqual(code, 1)
    t.done()
  },

  'a document cut short': async function (t) {
    const { code, err } = await run([], { input: dump.subarray(0, -2) })
    t.ok(/^qbson: standard input: BSON document is cut short: 2 of its \d+ bytes are missing \(at offset/.test(err), err)
    t.strictEqual(code, 1)
    t.done()
  },

  'a file that cannot be read': async function (t) {
    const none = path.join(folder, 'not-there.bson')
    for (const args of [[none], [write('a.bson', dump), none], ['check', none, none]]) {
      t.deepStrictEqual(await run(args), { code: 2, bytes: Buffer.alloc(0), out: '', err: `qbson: no such file: ${none}\n` })
    }
    const directory = await run([fs.mkdtempSync(path.join(folder, 'empty-'))])
    t.ok(directory.err.includes('contain no .bson file'), directory.err)
    t.strictEqual(directory.code, 1)
    t.done()
  },

  'standard input that is a folder': async function (t) {
    const fd = fs.openSync(folder, 'r')
    for (const args of [['count'], ['check', '-'], ['to-bson']]) {
      const stderr = new PassThrough()
      const code = await main(args, { stdin: { fd }, stdout: new PassThrough(), stderr })
      t.deepStrictEqual([code, String(stderr.read())], [2, 'qbson: standard input is a folder, but a file is needed here\n'], args.join(' '))
    }
    fs.closeSync(fd)
    t.done()
  },

  'a mark at the start of text, as in files from Windows': async function (t) {
    const bson = write('mark.bson', encode({ a: 1 }))
    const file = (name, value) => write(name, `\ufeff${JSON.stringify(value)}`)
    const schema = file('mark.schema.json', { bsonType: 'object', properties: { a: { bsonType: 'int' } } })
    const statistics = file('mark.statistics.json', JSON.parse((await run(['schema', '--statistics', bson])).out))
    for (const [args, out] of [
      [['to-csv', '--schema', schema, bson], /^a\r?\n1\r?\n$/], [['to-csv', '--schema', statistics, bson], /^a\r?\n1\r?\n$/], [['compile', schema], /codecOf/],
      [['schema', '--merge', statistics], /^\{"columns"/], [['--match', `@${file('mark.query.json', { a: 1 })}`, bson], /^\{"a":1\}\n$/],
      [['to-bson', file('mark.json', { a: 1 })], /a/]
    ]) {
      const result = await run(args)
      t.ok(result.code === 0 && result.err === '' && out.test(result.out), `${args.join(' ')}: ${result.err}${result.out}`)
    }
    t.done()
  }
}
