'use strict'

// Headings and cells of CSV: each comes back from a reader, and says what the classes say.

const { encode, Binary, BSONRegExp, EJSON, Decimal128, Long, Double } = require('../../qbson')
const { columns, toCSV } = require('../../lib/columns')
const { text } = require('../../lib/json')

/** @returns {Promise<string>} */
async function textOf(documents, options, how) {
  let text = ''
  for await (const part of toCSV(columns(Buffer.concat(documents.map(document => encode(document))), how), options)) text += part
  return text
}

/** @returns {Promise<string[]>} the lines after the headings */
async function linesOf(documents, options, how) {
  return (await textOf(documents, options, how)).split('\n').slice(1, -1)
}

/** The cells of text as RFC 4180 reads them. @param {string} text @returns {string[][]} without the headings */
function parse(text) {
  const rows = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/gy
  for (let found = cell.exec(text); found !== null; found = cell.exec(text)) {
    rows.at(-1).push(found[1]?.replaceAll('""', '"') ?? found[2])
    if (found[3] === '\n') rows.push([])
  }
  return rows.slice(1, -1)
}

const PIECES = [
  '"', ',', '\n', '\r', ' ', '\t', 'a', 'é', '名', '😀', '\u00a0', '\u3000', '\ufeff', '\u2028', '=', '\u0000', '\u001b', '\u0080', '\u009b', '\u007f', '\u00ff'
]

module.exports = {
  'binary values of any size, in new memory': async t => {
    for (const size of [20, 100, 256, 300]) {
      text(encode({ s: 'x'.repeat(1_200_000) })) // the memory of so long a text is not kept
      const values = Array.from({ length: 2000 }, (_, i) => Buffer.alloc(size, i))
      t.deepStrictEqual(await linesOf(values.map(a => ({ a }))), values.map(value => value.toString('base64')))
    }
    t.done()
  },

  'a missing value of an only column is no empty line': async t => {
    t.deepStrictEqual(await linesOf([{ a: 1 }, {}, { a: null }, { a: 3 }]), ['1', '""', '""', '3'])
    t.deepStrictEqual(await linesOf([{ a: { b: 'x' } }, {}]), ['x', '""'])
    t.deepStrictEqual(await linesOf([{ a: 1, b: 1 }, {}]), ['1,1', ','])
    t.done()
  },

  'what is empty is no missing value': async t => {
    for (const a of ['', Buffer.alloc(0), new Binary(Buffer.alloc(0), 5)]) t.deepStrictEqual(await linesOf([{ a, b: 1 }, { b: 2 }]), ['"",1', ',2'])
    t.done()
  },

  'headings: the name itself, in brackets only where it could be misread': async t => {
    const names = ['größe', '名前', 'first name', 'a/b', '@type', '0', 'a-b', '[x]', 'a,b']
    const headings = async value => (await textOf([value])).split('\n')[0]
    t.strictEqual(await headings(Object.fromEntries(names.map(name => [name, 1]))), '0,größe,名前,first name,a/b,@type,a-b,[x],"a,b"')
    t.strictEqual(await headings({ x: { 'first name': 1, 'b.c': 2, 'q"': 3 } }), 'x.first name,"x[""b.c""]","x[""q\\""""]"')
    t.strictEqual(await headings({ 'two\nlines': 1, '': 2 }), '"[""two\\nlines""]","[""""]"')
    t.done()
  },

  'regular expressions are their pattern and options': async t => {
    const patterns = [['^a', 'i'], ['^a', 'ix'], ['(?i)b', ''], ['a/b', 'm'], ['x{1,2}', '']]
    const lines = await linesOf(patterns.map(([pattern, options]) => ({ re: new BSONRegExp(pattern, options) })))
    t.deepStrictEqual(lines, ['/^a/i', '/^a/ix', '/(?i)b/', '/a/b/m', '"/x{1,2}/"'])
    t.done()
  },

  'numbers, dates and decimals as their classes write them': async t => {
    const doubles = [0, -0, 0.1, 1e21, 5e-324, NaN, Infinity, -1.5, 123456.789].map(value => new Double(value))
    t.strictEqual((await linesOf(doubles.map(d => ({ d })))).join(), '0,-0,0.1,1e+21,5e-324,NaN,Infinity,-1.5,123456.789')
    const dates = [0, -1, -62135596800001, -62198755200000, 253402300799999, 253402300800000, 8.64e15].map(time => new Date(time))
    t.deepStrictEqual(await linesOf(dates.map(d => ({ d }))), dates.map(date => date.toISOString()))
    const decimals = ['1.50', '-0.000001', '1E+3', '12345678901234567890.5', 'NaN'].map(text => Decimal128.fromString(text))
    t.deepStrictEqual(await linesOf(decimals.map(d => ({ d }))), decimals.map(String))
    const longs = ['1', '-9223372036854775808', '9223372036854775807'].map(text => Long.fromString(text))
    t.deepStrictEqual(await linesOf(longs.map(l => ({ l }))), longs.map(String))
    t.done()
  },

  'lists and maps have the text of their bytes, also what no Date, RegExp or Vector says': async t => {
    const far = '{"$date":{"$numberLong":"9223372036854775807"}}'
    const pattern = '{"$regularExpression":{"pattern":"","options":"i"}}'
    const vector = '{"$binary":{"base64":"EAk=","subType":"09"}}'
    const ids = value => `{"56e1fc72e0c917e9c4714161":${value},"56e1fc72e0c917e9c4714162":${value}}`
    const documents = [far, pattern, vector, '1', '"a\\u0000\\"b"', 'null', '{"$oid":"56e1fc72e0c917e9c4714161"}'].flatMap(value => {
      return [`[${value},null,${value}]`, `[[${value}],[]]`, `[{"a b":${value},"c":{"d":${value}}},{}]`, ids(value), ids(`[${value}]`)]
    })
    for (const text of documents) {
      const bytes = EJSON.toBSON(`{"a":${text},"after":1}`)
      for (const flat of [false, true]) {
        let csv = ''
        for await (const part of toCSV(columns(bytes, { flat }))) csv += part
        if (!csv.startsWith('a.')) t.deepStrictEqual(parse(csv), [[text, '1']], `flat: ${flat}`)
      }
    }
    t.done()
  },

  'any text comes back from a reader of RFC 4180': async t => {
    let seed = 5
    const int = below => (seed = (seed * 48271) % 2147483647) % below
    const texts = [...PIECES, '', ...Array.from({ length: 2000 }, () => Array.from({ length: int(12) }, () => PIECES[int(PIECES.length)]).join(''))]
    const documents = texts.map((text, n) => ({ text, n }))
    t.deepStrictEqual(parse(await textOf(documents)), texts.map((text, n) => [text, String(n)]))
    const escape = char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
    const escaped = parse(await textOf(documents, { escapeControls: true })).map(([text]) => text)
    t.deepStrictEqual(escaped, texts.map(text => text.replace(/[\0-\x08\v\f\x0e-\x1f\x7f-\x9f]/g, escape)))
    t.done()
  },

  'text is in quotes where it has to be, and where readers that trim would lose white space': async t => {
    const characters = Array.from({ length: 0x3100 }, (_, code) => String.fromCharCode(code)).concat('\ufeff', '名', '😀')
    const texts = characters.flatMap(character => [`${character}x`, `x${character}`, character])
    const lines = await linesOf(texts.map(text => ({ a: text, b: 1 })))
    const quoted = text => (/^\s|\s$|[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
    t.deepStrictEqual(lines.join('\n'), texts.map(text => `${quoted(text)},1`).join('\n'))
    t.done()
  },

  'what looks like a formula gets an apostrophe, if that is asked for': async t => {
    const texts = ['=1+1', '+1', '-1', '@x', '\tx', '\rx', 'x=1', '', '=a"b']
    const read = parse(await textOf(texts.map(a => ({ a, n: -1 })), { escapeFormulae: true }))
    t.deepStrictEqual(read, ["'=1+1", "'+1", "'-1", "'@x", "'\tx", "'\rx", 'x=1', '', "'=a\"b"].map(a => [a, '-1']))
    const values = [
      [new Double(-Infinity), "'-Infinity"], [new Double(-1e21), '-1e+21'], [new Double(-0.5), '-0.5'], [new Double(Infinity), 'Infinity'],
      [Decimal128.fromString('-Infinity'), "'-Infinity"], [Decimal128.fromString('-1.5E+40'), '-1.5E+40'],
      [new Date(253402300800000), "'+010000-01-01T00:00:00.000Z"], [new Date(-62198755200000), "'-000001-01-01T00:00:00.000Z"],
      [new Date(0), '1970-01-01T00:00:00.000Z'], [Buffer.of(0xf8, 1), "'+AE="], [Buffer.of(0, 1), 'AAE='], [-5, '-5'], [Long.fromString('-5'), '-5']
    ]
    for (const [a, cell] of values) t.deepStrictEqual(parse(await textOf([{ a }], { escapeFormulae: true })), [[cell]])
    t.strictEqual(await textOf([{ '=x': 'y' }], { escapeFormulae: true }), '"\'=x"\ny\n')
    t.deepStrictEqual(await linesOf([{ a: '=1' }]), ['=1'])
    t.done()
  },

  'columns in the order of the fields': async t => {
    const text = await textOf([{ a: 1, b: { x: 2, y: 3 }, c: 4 }], { fields: ['c', ['b', 'y'], 'a'] })
    t.strictEqual(text, 'c,b.y,a,b.x\n4,3,1,2\n')
    const fields = Array.from({ length: 8000 }, (_, i) => `f${i}`)
    const document = Object.fromEntries(fields.map(name => [name, 1]))
    const start = process.cpuUsage()
    t.ok((await textOf([document], { fields: fields.reverse() })).startsWith('f7999,f7998,f7997,'))
    const { user } = process.cpuUsage(start)
    t.ok(user < 2.5e6, `takes ${user / 1e6} s`) // with a search among all of them for each, 5 s and more
    t.done()
  },

  'lists and maps as JSON, from columns or from bytes': async t => {
    const documents = [{ list: [1, { x: 'y"z' }], map: { 1: [1], 2: [2] }, in: { list: [] } }, { list: [], map: { 3: [true] } }]
    const expected = '"[1,{""x"":""y\\""z""}]","{""1"":[1],""2"":[2]}",[]|[],"{""3"":[true]}",'
    t.strictEqual((await linesOf(documents)).join('|'), expected)
    t.strictEqual((await linesOf(documents, {}, { flat: true })).join('|'), expected)
    t.done()
  },

  'cells longer than a piece of output, and many rows': async t => {
    const rows = Array.from({ length: 30_000 }, (_, i) => `row ${i}`)
    const texts = ['"'.repeat(100_000), `,${'x'.repeat(200_000)}`, 'é\u0001'.repeat(50_000), ...rows]
    for (const escapeControls of [false, true]) {
      const read = parse(await textOf(texts.map(text => ({ text })), { escapeControls }))
      t.strictEqual(read.length, texts.length)
      t.ok(read.every(([text], i) => text === (escapeControls ? texts[i].replaceAll('\u0001', '\\u0001') : texts[i])))
    }
    t.done()
  },

  'memory follows the rows of a table, not all rows times columns': async t => {
    const wide = encode(Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`f${i}`, 1.5])))
    const sparse = Array.from({ length: 4000 }, (_, i) => encode({ [`f${i % 1500}`]: 2.5 }))
    let rows = 0
    let most = 0
    async function* counted() {
      for await (const table of columns([wide, ...sparse][Symbol.iterator](), { sample: 1 })) {
        rows += table.rows
        most = Math.max(most, table.rows)
        yield table
      }
    }
    let size = 0
    for await (const part of toCSV(counted())) size += part.length
    t.strictEqual(rows, 4001)
    t.ok(most < 3000, `${most} rows`)
    t.ok(size > 4001 * 1500)
    t.done()
  }
}
