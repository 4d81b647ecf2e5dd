'use strict'

// Text that to-bson reads: lines, indented documents, arrays; in arbitrary chunks.

const zlib = require('node:zlib')
const { encode } = require('../../qbson')
const { bookshop, run } = require('../fixtures/cli')
const fs = require('node:fs')

const VALUES = [{ a: 'x]}"[{\\' }, { b: [1, { c: '\u00e9' }] }, {}, { d: { e: [] } }]
const BSON = Buffer.concat(VALUES.map(value => encode(value)))

const FORMS = {
  lines: VALUES.map(value => JSON.stringify(value)).join('\n'),
  'lines that end with CR LF': VALUES.map(value => `${JSON.stringify(value)}\r\n`).join(''),
  indented: VALUES.map(value => JSON.stringify(value, null, 2)).join('\n'),
  'an array': JSON.stringify(VALUES),
  'an array, as mongoexport writes it': `[${VALUES.map(value => JSON.stringify(value)).join(',\n')}]\n`,
  'an indented array': JSON.stringify(VALUES, null, '\t'),
  'a mark at the start': `\ufeff${JSON.stringify(VALUES)}`,
  'several files with marks': `\ufeff${JSON.stringify(VALUES.slice(0, 2))}\r\n\ufeff${JSON.stringify(VALUES[2])}\n\ufeff${JSON.stringify(VALUES[3], null, 1)}`,
  'nothing between': VALUES.map(value => JSON.stringify(value)).join('')
}

const tests = {}

for (const [name, text] of Object.entries(FORMS)) {
  tests[name] = async function (t) {
    const bytes = Buffer.from(text)
    for (let at = 0; at <= bytes.length; at += 3) {
      const result = await run(['to-bson'], { input: [bytes.subarray(0, at), bytes.subarray(at)] })
      if (!result.bytes.equals(BSON)) t.fail(`cut at ${at}: ${result.err}`)
    }
    const single = await run(['to-bson'], { input: Array.from(bytes, byte => Buffer.from([byte])) })
    t.ok(single.bytes.equals(BSON))
    for (const packed of [zlib.gzipSync(bytes), zlib.gzipSync(zlib.gzipSync(bytes))]) t.ok((await run(['to-bson'], { input: packed })).bytes.equals(BSON))
    t.done()
  }
}

module.exports = {
  ...tests,

  'what print writes, in each of its forms': async function (t) {
    for (const args of [['--canonical'], ['--canonical', '--pretty'], ['--canonical', '--array'], ['--canonical', '--array', '--pretty']]) {
      const { bytes } = await run([...args, bookshop])
      const { bytes: again, err } = await run(['to-bson'], { input: bytes })
      t.ok(again.equals(fs.readFileSync(bookshop)), args.join(' ') + err)
    }
    t.done()
  },

  'faults tell the line': async function (t) {
    const rows = [
      ['{"a":1}\nabc\n{"b":2}', /line 2: /], ['[{"a":1},\n5]', /line 2: /], ['{"a":1}\n{\n"b":\n}', /line 2: /], ['{"a":1}\n{"b":1', /line 2: /],
      ['[{"a":1}\n,{"b":', /line 2: /], ['[{"a":1}]]', /line 1: /], ['{"a":1}\n[[]]', /line 2: /], ['{"a":"\n"}', /line 1: /]
    ]
    for (const [text, message] of rows) {
      const { err, code } = await run(['to-bson'], { input: text })
      t.ok(message.test(err) && code === 1, `${text}: ${err}`)
    }
    t.done()
  },

  'a document that is too long': async function (t) {
    const { err, bytes, code } = await run(['to-bson', '--max-document-size', '20'], { input: `{"a":1}\n{"b":"${'x'.repeat(30)}"}\n{"c":1}` })
    t.strictEqual(err, 'qbson: standard input: line 2: more than 20 bytes\n')
    t.ok(bytes.equals(encode({ a: 1 })) && code === 1)
    t.done()
  },

  'a broken document of an indented array costs no other one, wherever the bytes are cut': async function (t) {
    const text = JSON.stringify(VALUES, null, 2).replace('"c": "', '"c": ')
    const kept = Buffer.concat([VALUES[0], VALUES[2], VALUES[3]].map(value => encode(value)))
    for (let size = 1; size < text.length; size += 3) {
      const input = Array.from({ length: Math.ceil(text.length / size) }, (_, i) => Buffer.from(text.slice(i * size, (i + 1) * size)))
      const { bytes, err } = await run(['to-bson', '--keep-going'], { input })
      if (!bytes.equals(kept)) t.fail(`chunks of ${size} bytes: ${err}`)
    }
    t.done()
  },

  'a document that is too long costs no other one': async function (t) {
    const values = Array.from({ length: 2000 }, (_, i) => ({ i, text: i === 5 ? 'x'.repeat(3000) : 'some text' }))
    const kept = Buffer.concat(values.filter(({ i }) => i !== 5).map(value => encode(value)))
    const texts = { lines: values.map(value => JSON.stringify(value)).join('\n'), array: JSON.stringify(values, null, 1) }
    for (const [name, text] of Object.entries(texts)) {
      for (const size of [100, 1000, 1e6]) {
        const input = Array.from({ length: Math.ceil(text.length / size) }, (_, i) => Buffer.from(text.slice(i * size, (i + 1) * size)))
        const { bytes, err } = await run(['to-bson', '--keep-going', '--max-document-size', '500'], { input })
        t.ok(bytes.equals(kept), `${name}, chunks of ${size} bytes: ${err}`)
        t.ok(/^qbson: left out: standard input: line \d+: more than 500 bytes\nqbson: [^\n]* left out\n$/.test(err), err)
      }
    }
    t.done()
  },

  '--match, --fields, --skip, --limit and --gzip': async function (t) {
    const input = '{"a":1,"b":1}\n{"a":2,"b":2}\n{"a":3,"b":3}'
    const { bytes } = await run(['to-bson', '--match', '{"a":{"$gt":1}}', '--fields', 'b', '--skip', '1', '--gzip'], { input })
    t.ok(zlib.gunzipSync(bytes).equals(encode({ b: 3 })))
    t.done()
  }
}
