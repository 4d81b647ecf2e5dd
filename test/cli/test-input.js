'use strict'

// Files and standard input, read in chunks and cut into documents or lines.

const fs = require('node:fs')
const path = require('node:path')
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
  }
}
