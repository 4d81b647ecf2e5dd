'use strict'

// Files that hold no BSON, or no JSON: the error says what they are and what reads them.

const zlib = require('node:zlib')
const { encode } = require('../../qbson')
const { bookshop, run, write } = require('../fixtures/cli')

const documents = Buffer.concat(Array.from({ length: 100 }, (_, _id) => encode({ _id })))
const hex = text => Buffer.concat([Buffer.from(text.replaceAll(' ', ''), 'hex'), Buffer.alloc(600, 7)])
const tar = Buffer.concat([Buffer.from('dump/shop/a.bson'.padEnd(257, '\0') + 'ustar\x0000'), Buffer.alloc(248), documents])
const text = '{"name": "x", "größe": 1}\n'
const thrice = zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(documents)))

/** What a file is said to be by `check`, and by `to-bson`; null: it is read. @type {[string, Buffer, RegExp | null, RegExp | null][]} */
const ROWS = [
  ['JSON', Buffer.from(text), /this is JSON, not BSON: qbson to-bson FILE reads it/, null],
  ['JSON, with a mark and indented', Buffer.from('\ufeff[\n  {\n "a": 1 } ]'), /this is JSON/, null],
  ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le'), /this is UTF-16 text, not BSON: .*iconv/, /this is UTF-16 text, not JSON: .*iconv/],
  ['UTF-16 without a mark', Buffer.from(text, 'utf16le'), /this is UTF-16 text/, /this is UTF-16 text/],
  ['UTF-16, big end first', Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), /this is UTF-16 text/, /this is UTF-16 text/],
  ['gzip, four times', zlib.gzipSync(thrice), /this is gzip, not BSON: it was compressed more than three times/, /this is gzip/],
  ['xz', hex('fd377a585a00'), /this is xz, not BSON: .*xz -dc/, /this is xz, not JSON/], ['bzip2', hex('425a6839314159265359'), /bzip2 -dc/, /bzip2 -dc/],
  ['zip', hex('504b0304'), /this is zip.*unzip/, /this is zip/], ['tar', tar, /this is tar.*tar -xf/, /this is tar/], ['7z', hex('377abcaf271c'), /7z x/, /7z x/],
  ['lz4', hex('04224d18'), /lz4 -dc/, /lz4 -dc/], ['Parquet', hex('50415231'), /this is Parquet.*DuckDB/, /this is Parquet/],
  ['Arrow', hex('4152524f57310000'), /this is Arrow/, /this is Arrow/], ['SQLite', hex('53514c69746520666f726d6174203300'), /sqlite3/, /sqlite3/],
  ['CSV', Buffer.from('_id,name\n1,"x"\n'), /this is CSV or other text, not BSON: mongoimport --type csv/, /line 1: /],
  ['a log', Buffer.from('2024 failed to connect\n'), /this is text, not BSON/, /line 1: /],
  ['WiredTiger', hex('41d8010001000000'), /this is WiredTiger.*mongod/, /this is WiredTiger/],
  ['AppleDouble', hex('0005160700020000'), /this is AppleDouble/, /this is AppleDouble/], ['BSON', documents, null, /this is BSON, not JSON: qbson FILE reads it/],
  ['a document of 130,815 bytes, whose length is the mark of UTF-16', Buffer.from(encode({ '': '', a: 1, b: 'x'.repeat(130_788) })), null, /this is BSON/],
  ['gzip, three times', thrice, null, /this is gzip|this is BSON/], ['a document of 123 bytes', Buffer.from(encode({ '': 'x'.repeat(110) })), null, /this is BSON/]
]

module.exports = {
  'other files': async function (t) {
    for (const [name, bytes, asBson, asJson] of ROWS) {
      const file = write(`other-${name}`, bytes)
      const checked = await run(['check', file])
      t.ok(asBson === null ? checked.code === 0 : checked.code === 1 && asBson.test(checked.out), `${name}: ${checked.out}${checked.err}`)
      for (const args of [[], ['--keep-going']]) {
        const read = await run(['to-bson', ...args, file])
        t.ok(asJson === null ? read.code === 0 : read.code === 1 && asJson.test(read.err), `${name}: ${read.err}`)
      }
      if (asBson !== null) t.ok(asBson.test((await run(['--keep-going', file])).err), name)
    }
    t.strictEqual((await run(['check', bookshop])).code, 0)
    t.done()
  }
}
