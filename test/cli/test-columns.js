'use strict'

// to-arrow, to-parquet, to-csv and head --table.

const fs = require('node:fs')
const path = require('node:path')
const arrow = require('apache-arrow')
const { encode, Decimal128 } = require('../../qbson')
const { many } = require('../fixtures/long')
const { run, bookshop, folder, write, broken, dump, lines, values } = require('../fixtures/cli')

const out = name => path.join(folder, name)

module.exports = {
  'to-csv: control characters are escaped on standard output, and kept in a file': async t => {
    const input = encode({ a: '\x1b]0;owned\x07', 'b\x9b': '\x9b31m\ttab', c: ['\x7f'] })
    const { out: shown } = await run(['to-csv'], { input })
    t.strictEqual(shown, 'a,"b\\u009b",c\n"\\u001b]0;owned\\u0007","\\u009b31m\ttab","[""\\u007f""]"\n')
    const file = path.join(folder, 'exact.csv')
    t.strictEqual((await run(['to-csv', '--out', file], { input })).code, 0)
    t.strictEqual(fs.readFileSync(file, 'utf8'), 'a,b\x9b,c\n\x1b]0;owned\x07,\x9b31m\ttab,"[""\x7f""]"\n')
    t.done()
  },

  'to-csv: --fields gives the order, --csv-safe an apostrophe': async t => {
    const input = encode({ a: '=1', b: { c: 2, d: '-x' }, e: -5 })
    t.strictEqual((await run(['to-csv', '--fields', 'e,b.d,a,b.c'], { input })).out, 'e,b.d,a,b.c\n-5,-x,=1,2\n')
    t.strictEqual((await run(['to-csv', '--csv-safe'], { input })).out, 'a,b.c,b.d,e\n"\'=1",2,"\'-x",-5\n')
    t.done()
  },

  'head --table makes no more of long texts than it shows': async t => {
    const input = encode({ a: 'é'.repeat(4e6), b: 'x"' })
    const before = process.memoryUsage().arrayBuffers
    const { out: text } = await run(['head', '--table'], { input })
    t.strictEqual(text, `a                               b\nstring                          string\n${'é'.repeat(27)}...  "x"""\n`)
    t.ok(process.memoryUsage().arrayBuffers - before < 100e6)
    t.done()
  },

  'to-csv, of a file and of standard input': async t => {
    const { out: text, code } = await run(['to-csv', '--fields', '_id,price', bookshop])
    t.deepStrictEqual(text.split('\n').slice(0, 3), ['_id,price', '65a0c0de0000000000000001,18.50', '65a0c0de0000000000000002,24.00'])
    t.strictEqual(code, 0)
    const other = await run(['to-csv', '--fields=_id,price'], { input: fs.readFileSync(bookshop) })
    t.strictEqual(other.out, text)
    t.done()
  },

  'to-csv: decimals have all their digits, whatever the first documents or a schema need': async t => {
    const parts = ['NaN', '0.12345', '1E+40'].map(d => encode({ d: Decimal128.fromString(d) }))
    const first = Buffer.concat(Array(10_000).fill(encode({ d: Decimal128.fromString('1.50') })))
    const input = Array.from({ length: 20 }, () => first) // more than what gives the types
    const { out: text, err, code } = await run(['to-csv'], { input: [...input, ...parts] })
    t.deepStrictEqual([lines(text).slice(-4), err, code], [['1.50', 'NaN', '0.12345', '1E+40'], '', 0])
    const schema = write('decimals.json', (await run(['schema', '--statistics'], { input: first })).bytes)
    const given = await run(['to-csv', '--schema', schema], { input: parts })
    t.deepStrictEqual([given.out, given.err, given.code], ['d\nNaN\n0.12345\n1E+40\n', '', 0])
    t.done()
  },

  'columns in the order of --fields': async t => {
    const input = Buffer.concat([{ a: 1, b: { x: 2, y: 3 }, c: 4 }, { c: 5, d: 6 }].map(value => encode(value)))
    const schema = write('abc.json', '{"properties":{"a":{"bsonType":"int"},"c":{"bsonType":"int"}}}')
    for (const from of ['file', 'standard input']) {
      const given = from === 'file' ? [write('abc.bson', input)] : []
      t.strictEqual((await run(['to-csv', '--fields', 'c,b.y,none,b.x,a', ...given], { input })).out, 'c,b.y,none,b.x,a\n4,3,,2,1\n5,,,,\n')
      t.strictEqual((await run(['to-csv', '--fields', 'c,a', '--schema', schema, ...given], { input })).out, 'c,a\n4,1\n5,\n')
    }
    t.done()
  },

  'a field of the last document has a column': async t => {
    const file = write('late.bson', Buffer.concat([...Array.from({ length: 12_000 }, (_, i) => encode({ i })), encode({ late: 'x' })]))
    const { out: text, err } = await run(['to-csv', '--skip', '11999', file])
    t.strictEqual(text, 'i,late\n11999,\n,x\n')
    t.strictEqual(err, '')
    const bytes = fs.readFileSync(file)
    const { err: said, code } = await run(['to-csv'], { input: [bytes.subarray(0, -20), bytes.subarray(-20)] })
    t.strictEqual(said, 'qbson: late: 1 value of type string left out, because the field has no column (first in document 12001)\n')
    t.strictEqual(code, 1)
    t.done()
  },

  'of names that repeat the last value counts, and the others are reported': async t => {
    const bytes = Buffer.from(encode({ a: 1, b: 2 }))
    bytes[bytes.indexOf('b\0')] = 97
    for (const command of ['to-csv', 'to-arrow', 'to-parquet']) {
      const { out: text, err, code } = await run([command, '--out', out('repeats'), '--keep-going'], { input: [bytes, bytes] })
      const said = 'qbson: a: 2 values left out, because the name repeats in the document: the last one counts\n'
      t.deepStrictEqual([text, err, code], ['', said, 1], command)
    }
    t.strictEqual((await run(['to-csv'], { input: bytes })).out, 'a\n2\n')
    t.done()
  },

  'many columns of which most rows are empty, in several tables': async t => {
    const documents = Array.from({ length: many(3000, 12_000) }, (_, i) => encode(Object.fromEntries(Array.from({ length: 10 }, (_, k) => [`field_${(i * 7919 + k * 104729) % 2000}`, i + 0.5]))))
    const { code, err } = await run(['to-csv', '--out', out('sparse.csv'), write('sparse.bson', Buffer.concat(documents))])
    t.deepStrictEqual([code, err], [0, ''])
    t.done()
  },

  'too many columns': async t => {
    const { err, code } = await run(['to-csv'], { input: encode(Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`f${i}`, i]))) })
    t.ok(code === 1 && err.includes('more than 10000 columns, one of them is f10000: choose some with --fields, or'), err)
    t.done()
  },

  'to-arrow, as a file and as a stream': async t => {
    for (const args of [[], ['--stream']]) {
      const { bytes } = await run(['to-arrow', ...args, bookshop])
      t.strictEqual(arrow.tableFromIPC(bytes).getChild('title').get(1), 'Ein Winter in Łódź')
    }
    t.strictEqual((await run(['to-arrow', '--out', out('a.arrow'), bookshop])).out, '')
    t.strictEqual(arrow.tableFromIPC(fs.readFileSync(out('a.arrow'))).numRows, 6)
    t.done()
  },

  'to-parquet': async t => {
    const { parquetReadObjects } = await import('hyparquet')
    const { code } = await run(['to-parquet', '--compression', 'none', '--row-group', '4', '--out', out('a.parquet'), bookshop])
    t.strictEqual(code, 0)
    const rows = await parquetReadObjects({ file: new Uint8Array(fs.readFileSync(out('a.parquet'))).buffer })
    t.deepStrictEqual(rows.map(row => row.pages), [312, 488, 207, 96, null, null])
    t.done()
  },

  'a schema says the columns; what does not fit is said': async t => {
    const schema = write('schema.json', JSON.stringify({ properties: { _id: { bsonType: 'int' }, n: { bsonType: 'string' } } }))
    const { out: text, err, code } = await run(['to-csv', '--schema', schema], { input: dump })
    t.strictEqual(text, '_id,n\n1,\n2,\n3,\n')
    t.deepStrictEqual(lines(err), [
      'qbson: list: 1 value of type array left out, because the field has no column (first in document 2)',
      'qbson: d: 1 value of type double left out, because the field has no column (first in document 3)',
      'qbson: n: 1 value of type long left out, because the column is string (first in document 1)'
    ])
    t.strictEqual(code, 1)
    t.done()
  },

  'what is said of chosen documents says where they are in their file': async t => {
    const wrong = encode({ i: 40, s: 'text' })
    wrong[Buffer.from(wrong).indexOf('text')] = 0xff
    const all = Array.from({ length: 50 }, (_, i) => (i === 40 ? wrong : encode({ i, s: i === 30 ? 5 : 'x' })))
    const before = all.slice(0, 40).reduce((sum, { length }) => sum + length, 0)
    const place = `at offset ${before + Buffer.from(wrong).indexOf(0xff)} in field s of document 41)`
    const file = write('chosen.bson', Buffer.concat(all))
    const other = write('before.bson', Buffer.concat(all.slice(0, 40)))
    const schema = write('chosen.json', JSON.stringify({ properties: { i: { bsonType: 'int' }, s: { bsonType: 'string' } } }))
    for (const args of [[], ['--match', '{"i":{"$gte":25}}'], ['--skip', '25'], ['--tail', '25'], ['--sample', '500']]) {
      const { err, code } = await run(['to-csv', '--schema', schema, ...args, other, file])
      t.ok(err.includes(`qbson: ${file}: `) && err.includes(place), `${args} ${err}`)
      t.strictEqual(code, 1)
      const kept = await run(['to-csv', '--schema', schema, '--keep-going', ...args, file])
      t.ok(kept.err.includes(place), kept.err)
      t.ok(kept.err.includes('because the column is string (first in document 31)'), kept.err)
      const both = await run(['to-csv', '--schema', schema, '--keep-going', '--match', '{"i":{"$gte":35}}', other, other, file])
      t.ok(!both.err.includes('first in'), both.err)
    }
    const first = await run(['to-csv', '--schema', schema, '--match', '{"i":{"$gte":30}}', '--keep-going', file, other])
    t.ok(first.err.includes(`(first in document 31 of ${file})`), first.err)
    t.done()
  },

  'of two errors the first in the file is said, as by print': async t => {
    const file = write('two-errors.bson', Buffer.concat([broken().bytes, Buffer.from('no document')]))
    for (const args of [['--canonical'], ['to-csv'], ['to-arrow', '--stream'], ['head', '--table'], ['schema', '--statistics']]) {
      const { err, code } = await run([...args, file])
      t.ok(code === 1 && lines(err).length === 1 && / of document 2\)\n$/.test(err), `${args}: ${err}`)
    }
    t.done()
  },

  'what is broken leaves no file, or is left out': async t => {
    const file = write('broken.bson', broken().bytes)
    const { err, code } = await run(['to-parquet', '--out', out('b.parquet'), file])
    t.ok(/broken\.bson: bad embedded array length in bson .* in field list of document 2\)/.test(err), err)
    t.strictEqual(code, 1)
    t.deepStrictEqual(fs.readdirSync(folder).filter(name => name.startsWith('b.parquet')), [])
    const second = await run(['to-csv', write('good.bson', dump), file])
    t.strictEqual(second.err, err) // its own file, and the number and the offset there
    const kept = await run(['to-csv', '--keep-going', '--rejects', out('rejects.bson'), '--fields', '_id', file])
    t.strictEqual(kept.out, '_id\n1\n3\n')
    t.strictEqual(kept.code, 1)
    t.ok(/1 document was left out and are in|1 document was left out/.test(kept.err), kept.err)
    t.strictEqual(fs.readFileSync(out('rejects.bson')).length, encode(values[1]).length)
    const cut = await run(['to-csv', '--out', out('cut.csv'), write('cut.bson', dump.subarray(0, dump.length - 3))])
    t.strictEqual(cut.code, 1)
    t.ok(!fs.existsSync(out('cut.csv')))
    t.done()
  },

  'usage': async t => {
    const mixed = write('mixed.bson', Buffer.concat([encode({ a: 1 }), encode({ a: 'x' })]))
    const rows = [
      [['to-csv', '--fields', ','], /needs names/], [['to-csv', '--schema', 'none.json'], /none\.json/], [['to-csv', 'none.bson'], /none\.bson/],
      [['to-parquet', '--compression', 'rar', bookshop], /--compression must be one of/], [['to-csv', '--strict-types', mixed], /values of different types/],
      [['to-csv', '--schema', write('bad.json', '{'), bookshop], /bad\.json/], [['to-csv', '--out', '/none/there.csv', bookshop], /there\.csv/]
    ]
    for (const [args, message] of rows) {
      const { err, code } = await run(args)
      t.ok(message.test(err), `${args}: ${err}`)
      t.ok(code > 0, `${args}`)
    }
    t.done()
  },

  'decimals and other numbers in one field': async t => {
    const input = Buffer.concat([Decimal128.fromString('1.50'), 2, 2.25].map(price => encode({ price })))
    t.strictEqual((await run(['to-csv'], { input })).out, 'price\n1.50\n2\n2.25\n')
    t.deepStrictEqual(await run(['to-csv', '--strict-types'], { input }), await run(['to-csv'], { input }))
    const typeIn = async (...args) => (await run(['to-arrow', '--stream', ...args], { input })).bytes.includes('json')
    t.deepStrictEqual([await typeIn(), await typeIn('--decimals', 'decimal(9,2)')], [true, false])
    t.done()
  },

  'head, and head --table': async t => {
    const { out: text } = await run(['head', '--limit', '2', bookshop])
    t.strictEqual(lines(text).length, 2)
    const table = await run(['head', '--table', '--limit', '2', bookshop])
    t.deepStrictEqual(lines(table.out), [
      '_id                       kind    title                           authors                         pages  price',
      'objectId                  string  string                          list                            int32  decimal128',
      '65a0c0de0000000000000001  book    The Lighthouse Keeper’s Alm...  "[""Ida Thorne""]"              312    18.50',
      '65a0c0de0000000000000002  book    Ein Winter in Łódź              "[""Jan Kowal"",""Mia Adler...  488    24.00',
      'and rating, inPrint, language, published, sold, cover.type, cover.bytes, cover.thumbnail, shelf'
    ])
    t.strictEqual((await run(['head', '--table'], { input: '' })).out, '_id\nobjectId\n')
    const long = await run(['head', '--table'], { input: encode({ n: Array(100_000).fill(12), b: Buffer.alloc(100_000) }) })
    t.deepStrictEqual(lines(long.out).at(-1).trim().split(/  +/), [`"[${Array(8).fill(12).join()},1...`, `${'A'.repeat(27)}...`])
    t.done()
  }
}
