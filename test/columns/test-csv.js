'use strict'

const { encode, ObjectId, Decimal128, UUID, Long, Binary, Timestamp } = require('../../qbson')
const { columns, toCSV } = require('../../lib/columns')

/** @param {any[]} documents @returns {Promise<string[]>} lines */
async function csv(documents) {
  let text = ''
  for await (const part of toCSV(columns(Buffer.concat(documents.map(document => encode(document)))))) text += part
  return text.split('\n').slice(0, -1)
}

module.exports = {
  'a line of names, then one a document': async t => {
    t.deepStrictEqual(await csv([{ a: 1, b: { c: 'x', d: { e: true } } }, { b: { c: null } }, { a: -0, b: { d: {} } }]),
      ['a,b.c,b.d.e', '1,x,true', ',,', '-0,,'])
    t.done()
  },

  'text is quoted where it has to be, and an empty one differs from a missing one': async t => {
    const texts = ['plain', '', 'a,b', 'say "x"', 'two\rlines', ' space', 'ü😀']
    t.strictEqual((await csv(texts.map(a => ({ a, n: 1 })))).join('|'),
      'a,n|plain,1|"",1|"a,b",1|"say ""x""",1|"two\rlines",1|" space",1|ü😀,1')
    t.done()
  },

  'names that collide, or hold a comma': async t => {
    t.deepStrictEqual((await csv([{ 'a.b': 1, a: { b: 2 }, 'x,y': 3, '': 4 }]))[0], '"[""a.b""]",a.b,"x,y","[""""]"')
    t.done()
  },

  'several tables have one line of names': async t => {
    const table = columns(encode({ a: 1 }))
    let text = ''
    for await (const part of toCSV([table, table])) text += part
    t.strictEqual(text, 'a\n1\n1\n')
    t.done()
  },

  'a date beyond those of JavaScript is its milliseconds': async t => {
    const bytes = encode({ a: new Date(0) })
    bytes.writeBigInt64LE(2n ** 60n, bytes.length - 9)
    let text = ''
    for await (const part of toCSV(columns(bytes))) text += part
    t.strictEqual(text, `a\n${2n ** 60n}\n`)
    t.done()
  },

  'every type': async t => {
    const id = new ObjectId('0123456789abcdef01234567')
    const uuid = new UUID('7d5e3b1c-9a4f-4e2d-8c6b-1f0a9b8c7d6e')
    const [, line] = await csv([{
      id, uuid, l: Long.fromString('9007199254740993'), d: 0.1, b: false, t: new Date(5), never: null, dec: Decimal128.fromString('1.50'),
      bin: new Binary(Buffer.from('ab'), 0), re: /a,b/i, ts: new Timestamp({ t: 1, i: 2 }), list: [1, { x: 'y' }], map: { 1: 1, 2: 2 }, e: {}
    }])
    t.strictEqual(line, [
      '0123456789abcdef01234567', '7d5e3b1c-9a4f-4e2d-8c6b-1f0a9b8c7d6e', '9007199254740993', '0.1', 'false', '1970-01-01T00:00:00.005Z', '', '1.50',
      'YWI=', '"/a,b/i"', '4294967298', '"[1,{""x"":""y""}]"', '"{""1"":1,""2"":2}"', '{}'
    ].join(','))
    const [, mixed, late] = await csv([{ a: 1 }, { a: new Date(1e15 * 9) }].map(({ a }, i) => (i === 0 ? { m: a } : { m: 'x"y' })))
    t.deepStrictEqual([mixed, late], ['1', '"""x\\""y"""'])
    t.done()
  }
}
