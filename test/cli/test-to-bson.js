'use strict'

// Lines of Extended JSON back to BSON.

const fs = require('node:fs')
const path = require('node:path')
const { encode, decode } = require('../../qbson')
const { bookshop, run, write } = require('../fixtures/cli')

module.exports = {
  'what print --canonical wrote': async function (t) {
    const text = (await run(['--canonical', bookshop])).out
    const { code, bytes, err } = await run(['to-bson'], { input: text })
    t.strictEqual(err, '')
    t.ok(bytes.equals(fs.readFileSync(bookshop)))
    t.strictEqual(code, 0)
    t.done()
  },

  'lines may be cut anywhere, blank or without an end': async function (t) {
    const text = Buffer.from('{"a":"é"}\r\n\n  \n{"b":2}')
    const expected = Buffer.concat([encode({ a: 'é' }), encode({ b: 2 })])
    for (let at = 0; at <= text.length; at++) {
      const { bytes } = await run(['to-bson'], { input: [text.subarray(0, at), text.subarray(at)] })
      if (!bytes.equals(expected)) t.fail(`cut at ${at}`)
    }
    t.deepStrictEqual(decode((await run(['to-bson', '--skip', '1'], { input: text })).bytes), { b: 2 })
    t.deepStrictEqual(decode((await run(['to-bson', '--limit', '1'], { input: text })).bytes), { a: 'é' })
    t.strictEqual((await run(['to-bson'], { input: '' })).bytes.length, 0)
    t.done()
  },

  'faults tell the line': async function (t) {
    const { code, bytes, err } = await run(['to-bson'], { input: '{"a":1}\n\n{"b":}\n{"c":3}\n' })
    t.ok(err.startsWith('qbson: standard input: line 3: '), err)
    t.deepStrictEqual(decode(bytes), { a: 1 })
    t.strictEqual(code, 1)
    const type = await run(['to-bson'], { input: '{"a":{"$numberInt":"x"}}' })
    t.ok(type.err.startsWith('qbson: standard input: line 1: '), type.err)
    const utf8 = await run(['to-bson'], { input: [Buffer.from('{"a":1}\n'), Buffer.from([0x7b, 0xff])] })
    t.ok(utf8.err.startsWith('qbson: standard input: line 2: '), utf8.err)
    t.strictEqual(utf8.code, 1)
    const cut = await run(['to-bson'], { input: [Buffer.from('{"a":1}\n'), Buffer.from([0xc3])] })
    t.ok(cut.err.startsWith('qbson: standard input: line 2: '), cut.err)
    for (const text of ['{"b"', '{b}', '{\n  "b": 1\n  "c": 2\n}', '{"b": "x']) { // Node names a line of the document, too
      const syntax = await run(['to-bson'], { input: `{"a":1}\n${text}\n` })
      t.deepStrictEqual(syntax.err.match(/line \d+/g), ['line 2'], syntax.err)
    }
    t.done()
  },

  'Extended JSON of other days': async function (t) {
    const rows = [
      ['{"a":{"$binary":"AAEC","$type":"00"}}', '{"a":{"$binary":{"base64":"AAEC","subType":"00"}}}', /see --legacy/],
      ['{"a":{"$date":1388534400000}}', '{"a":{"$date":{"$numberLong":"1388534400000"}}}', /see --legacy/],
      ['{"a":{"$regex":"x","$options":"i"}}', '{"a":{"$regularExpression":{"pattern":"x","options":"i"}}}', null],
      ['{"a":NumberLong(5)}', '', /line 1: .* \(NumberLong\(\.\.\.\) is the shell's/], ['{"a":[new ISODate("2014")]}', '', /ISODate\(\.\.\.\) is the shell's/],
      ['{"a":"NumberLong(5)}', '', /line 1: (?!.*shell)/], ['{"a":{"$date":"2014-01-01T00:00:00"}}', '', /in field a/]
    ]
    for (const [input, legacy, message] of rows) {
      const read = await run(['to-bson', '--legacy'], { input })
      t.strictEqual((await run(['--canonical'], { input: read.bytes })).out, legacy && `${legacy}\n`, input)
      const { code, err } = await run(['to-bson'], { input })
      t.ok(message === null ? code === 0 : code === 1 && message.test(err), `${input}: ${err}`)
    }
    t.done()
  },

  'a folder leaves --out as it was': async function (t) {
    const out = write('kept.bson', 'kept')
    const { code, err } = await run(['to-bson', '--keep-going', '--out', out, path.dirname(bookshop)])
    t.deepStrictEqual([code, err], [2, `qbson: ${path.dirname(bookshop)} is a folder, but a file is needed here\n`])
    t.strictEqual(fs.readFileSync(out, 'utf8'), 'kept')
    t.done()
  }
}
