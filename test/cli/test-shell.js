'use strict'

// Queries as in MongoDB's shell.

const { EJSON, BSONError } = require('../../qbson')
const { fromShell } = require('../../lib/cli/options/shell')

const ROWS = [
  ['{}', '{}'],
  ['{a: 1, "b.c": \'x\', d.e: [1, 2,],}', '{"a":1,"b.c":"x","d.e":[1,2]}'],
  [' /* one */ {a // two\n: 1}', '{"a":1}'],
  ['{a: "it\\"s", b: \'it\\\'s\', c: "\\u00e9\\x41\\n\\u{1f600}\\\\", d: `x`}', '{"a":"it\\"s","b":"it\'s","c":"éA\\n😀\\\\","d":"x"}'],
  ['[true, false, null, -1, -.5, 5., +7, 1e3, 0x1F]', '[true,false,null,-1,-0.5,5,7,1e3,31]'],
  ['[9007199254740993, 0.1]', '[9007199254740993,0.1]'],
  ['[-0x10, +0x1f, "\\u{10FFFF}"]', '[-16,31,"\u{10ffff}"]'],
  ["[ISODate('20240101'), ISODate('2024-02-29T23:59Z')]", '[{"$date":{"$numberLong":"1704067200000"}},{"$date":{"$numberLong":"1709251140000"}}]'],
  ['[NaN, Infinity, -Infinity]', '[{"$numberDouble":"NaN"},{"$numberDouble":"Infinity"},{"$numberDouble":"-Infinity"}]'],
  ['[undefined, MinKey, MaxKey(), new MinKey()]', '[{"$undefined":true},{"$minKey":1},{"$maxKey":1},{"$minKey":1}]'],
  ["[ObjectId('65a0c0de0000000000000001'), new ObjectID(\"65a0c0de0000000000000001\")]",
    '[{"$oid":"65a0c0de0000000000000001"},{"$oid":"65a0c0de0000000000000001"}]'],
  ["[ISODate('2024-01-01'), new Date('2024-01-01T00:00'), ISODate('2024-01-01T02:00:00.5+02:00'), new Date(5), ISODate('2024-01-01 00:00:00+0000')]",
    '[{"$date":{"$numberLong":"1704067200000"}},{"$date":{"$numberLong":"1704067200000"}},{"$date":{"$numberLong":"1704067200500"}},' +
    '{"$date":{"$numberLong":"5"}},{"$date":{"$numberLong":"1704067200000"}}]'],
  ['[NumberLong(9007199254740993), NumberLong("-5"), Long.fromString("7"), NumberInt(5), NumberDecimal("1.50"), Double(5)]',
    '[{"$numberLong":"9007199254740993"},{"$numberLong":"-5"},{"$numberLong":"7"},{"$numberInt":"5"},{"$numberDecimal":"1.50"},' +
    '{"$numberDouble":"5"}]'],
  ['[Double(NaN), NumberDecimal(-Infinity)]', '[{"$numberDouble":"NaN"},{"$numberDecimal":"-Infinity"}]'],
  ["UUID('0d8f2d5c-7a51-4c0e-9b1e-3f5e6a7b8c09')", '{"$uuid":"0d8f2d5c-7a51-4c0e-9b1e-3f5e6a7b8c09"}'],
  ["[BinData(0, 'AQI='), HexData(128, 'ff')]", '[{"$binary":{"base64":"AQI=","subType":"00"}},{"$binary":{"base64":"/w==","subType":"80"}}]'],
  ['[Timestamp(1, 2), Timestamp({t: 3, i: 4})]', '[{"$timestamp":{"t":1,"i":2}},{"$timestamp":{"t":3,"i":4}}]'],
  ['[/a\\/b[/]/, /x/mi, RegExp("y"), new RegExp("z", "i")]',
    '[{"$regularExpression":{"pattern":"a\\\\/b[/]","options":""}},{"$regularExpression":{"pattern":"x","options":"im"}},' +
    '{"$regularExpression":{"pattern":"y","options":""}},{"$regularExpression":{"pattern":"z","options":"i"}}]'],
  ['{größe: 1, 日本.x: 2, à$: 3, 0: 4, 10.5: 0.25}', '{"größe":1,"日本.x":2,"à$":3,"0":4,"10.5":0.25}'],
  ['{__proto__: 1, constructor: 2, "": 3}', '{"__proto__":1,"constructor":2,"":3}']
]

const WRONG = [
  ['', 'unexpected end at character 1'], ['{', 'unexpected end at character 2'], ['{a', 'unexpected end at character 3'],
  ['{a: {: 5}}', 'unexpected ":" without a name (in double quotes, shells replace $gt by nothing) at character 6'],
  ['{a 5}', 'unexpected "5" at character 4'], ['{a: foo}', 'unexpected "foo" at character 5'], ['{a: Foo(1)}', 'unexpected "Foo" at character 5'],
  ['{a: 010}', 'unexpected "0" at character 5'], ['{a: -01.5}', 'unexpected "-" at character 5'], ['{€: 1}', 'unexpected "€" at character 2'],
  ['[1, 2}', 'unexpected "}" at character 6'], ['[1 2]', 'unexpected "2" at character 4'], ['[,]', 'unexpected "," at character 2'],
  ['{a: 1} b', 'unexpected "b" at character 8'], ['{a: "x', 'unexpected "\\"" at character 5'], ['{[1]: 2}', 'unexpected "[" at character 2'],
  ['{a: constructor}', 'unexpected "constructor"'], ['{a: toString()}', 'unexpected "toString"'], ['{a: `${x}`}', 'unexpected "`"'],
  ['{a: ObjectId()}', 'ObjectId cannot have 0 arguments'], ["{a: ObjectId('x', 1)}", 'ObjectId cannot have 2 arguments'],
  ['{a: new Date(2024, 0, 1)}', 'Date cannot have 3 arguments'], ["{a: ISODate('x')}", '"x" is not a date'], ["{a: ISODate('2024-13-01')}", 'is not a date'],
  ...['2024', '', '2024-01', '2024-0101', '2024-02-30', '20240230', '2024-01-01T24:00', '5'].map(date => [`{a: ISODate('${date}')}`, `"${date}" is not a date`]),
  ["{a: new Date('2024-02-30')}", 'is not a date'], ["{a: HexData(0, 'zz')}", 'HexData needs pairs of hexadecimal digits, not "zz"'], ["{a: HexData(0, 'abc')}", 'HexData needs'],
  ["{a: '\\u{110000}'}", 'there is no character 110000'], ['{a: ISODate(1.5)}', '"1.5" is not a date'],
  ['['.repeat(100_000), 'more than 200 levels'],
  [`{a: "${'\\n'.repeat(5_000_000)}"}`, 'a string or pattern that is too long begins at character 5']
]

module.exports = {
  'shell to Extended JSON': t => {
    for (const [text, expected] of ROWS) t.strictEqual(fromShell(text), expected)
    t.done()
  },

  'JSON is what it was': t => {
    for (const [, json] of ROWS) t.deepStrictEqual(JSON.parse(fromShell(json)), JSON.parse(json))
    t.done()
  },

  'the results are Extended JSON': t => {
    for (const [text] of ROWS) EJSON.toBSON(`{"a":${fromShell(text)}}`)
    t.done()
  },

  'the place of what is wrong': t => {
    for (const [text, message] of WRONG) {
      t.throws(() => fromShell(text), error => error instanceof BSONError && error.message.includes(message), `${text.slice(0, 50)} ${message}`)
    }
    t.done()
  },

  'now': t => {
    const { $date: { $numberLong: now } } = JSON.parse(fromShell('ISODate()'))
    t.ok(Math.abs(Number(now) - Date.now()) < 60_000)
    t.done()
  }
}
