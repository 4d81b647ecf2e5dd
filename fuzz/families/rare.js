'use strict'

// Families of valid but rare values. If one costs far more than others of its size, only its time shows that, because
// the cost is in native functions, which are not counted.

const { encode, Binary, Code, DBRef, Decimal128, Long, BSONSymbol, Timestamp, UUID } = require('../../qbson')
const { element, many, string } = require('./parts')

const pick = (list, i) => list[i % list.length]
const doubles = [
  5e-324, 1.7976931348623157e308, -2.2250738585072014e-308, 0.1 + 0.2, 1 / 3, 1e21, 123456789012345680000, -0, NaN, -Infinity, 2 ** 53 + 2
]
const decimals = [
  '1E+6111', '9.999999999999999999999999999999999E+6144', '1E-6176', '-0E+6111', '0E-6176', '1234567890123456789012345678901234', '-0.001',
  'NaN', 'Infinity', '1E+34', '1.5E-100', '-9.8765432109876543210E+3000'
].map(text => Decimal128.fromString(text))
const int64s = [-1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n, 2n ** 53n + 1n].map(value => Long.fromBigInt(value))
const dates = [0, -1, 8.64e15, -8.64e15, -62135596800000, 253402300799999, 253402300800000, 951782400000].map(time => new Date(time))
const outsideDates = [2n ** 63n - 1n, -(2n ** 63n), 8640000000000001n].map(time => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(time)
  return bytes
})

const vectors = [Binary.fromFloat32Array(new Float32Array(doubles)), Binary.fromInt8Array(new Int8Array(9)), Binary.fromBits([1, 0, 1])]

/** Each with a different number, because V8 caches what it has compiled. */
const patterns = {
  plain: i => `a${i}`,
  alternatives: i => `^(?:a|b|${i})+$`,
  classes: i => `[\\w.-${i % 9}]+@[^\\s${i}]`,
  'look-around': i => `(?<=${i})(?!x)(?=y)`,
  'named groups': i => `(?<a${i}>x)\\k<a${i}>`,
  'properties of Unicode': i => `\\p{L}\\p{Script=Greek}${i}`,
  'what may refer back': i => '\\9('.repeat(30) + i,
  'long, what may refer back': i => '\\9('.repeat(5000) + i,
  'long': i => `${'abc|'.repeat(2000)}${i}`,
  counted: i => `a{1,${i % 1000}}`,
  'case of Unicode': i => `\u0130\u00df\u{10400}${i}`
}

let serial = 0
const regex = (pattern, options) => Buffer.from(`${pattern}\0${options}\0`)

/** A document with `n` fields from `make`. @param {(i: number) => any} make */
const valuesOf = make => ({ make: n => encode(Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, make(i)]))), size: 400 })

/**
 * `isNew`: each call of `make` returns a different input.
 *
 * @type {Record<string, {make: (n: number) => Buffer, size?: number, isNew?: boolean}>}
 */
const bytes = {
  'rare doubles': valuesOf(i => pick(doubles, i)),
  'rare decimals': valuesOf(i => pick(decimals, i)),
  ...Object.fromEntries(decimals.map(value => [`the decimal ${value}`, valuesOf(() => value)])),
  'decimals of any bits': { make: n => many(n, i => element(19, `k${i}`, Buffer.from(Array.from({ length: 16 }, (_, k) => (i * 37 + k * 101) & 255)))) },
  'rare int64s': valuesOf(i => pick(int64s, i)),
  'rare dates': valuesOf(i => pick(dates, i)),
  'dates beyond those of JavaScript': { make: n => many(n, i => element(9, `k${i}`, pick(outsideDates, i))) },
  timestamps: valuesOf(i => new Timestamp({ t: 4294967295 - i, i })),
  UUIDs: valuesOf(() => new UUID()),
  vectors: valuesOf(i => pick(vectors, i)),
  'old binaries': valuesOf(i => new Binary(Buffer.alloc(i % 20), 2)),
  'code, symbols, references': valuesOf(i => pick([new Code('f'), new Code('f', { a: 1 }), new BSONSymbol('s'), new DBRef('c', /** @type {any} */ (i), 'd')], i)),
  'keys of the prototype of all objects': { make: n => many(n, i => element(16, pick(Object.getOwnPropertyNames(Object.prototype), i), Buffer.alloc(4))) },
  'text of every width': { make: n => many(n, i => element(2, `k${i}`, string(pick(['\u{1f600}', '\ud7ff', '\u0130', '\u07ff', '\ufffd'], i).repeat(i % 30)))) },
  ...Object.fromEntries(Object.entries(patterns).flatMap(([name, patternOf]) => ['', 'i', 'iu'].map(options => [
    `patterns, ${name}, with '${options}'`,
    { make: n => many(n, i => element(11, `k${i}`, regex(patternOf(serial++), options))), size: /long/.test(name) ? 2 : 100, isNew: true }
  ])))
}

const list = (n, make) => `[${Array.from({ length: n }, (_, i) => JSON.stringify(make(i))).join()}]`
const times = ['2020-02-29T23:59:59.999Z', '-271821-04-20T00:00:00.000Z', '+275760-09-13T00:00:00Z', '2016-12-31T23:59:60Z', '2020-01-01T00:00:00.123456789+01:30', '1969-07-20']

/** Extended JSON. @type {Record<string, {make: (n: number) => string, size?: number}>} */
const texts = {
  'rare numbers': { make: n => `[${Array.from({ length: n }, (_, i) => pick(['5e-324', '1e308', '-0', '1e400', '0.1e-400', '9007199254740993', '-9223372036854775808', '1E+2', '18446744073709551616'], i)).join()}]` },
  '$numberDecimal': { make: n => list(n, i => ({ $numberDecimal: String(pick(decimals, i)) })) },
  '$numberDouble': { make: n => list(n, i => ({ $numberDouble: String(pick(doubles, i)) })) },
  '$numberLong': { make: n => list(n, i => ({ $numberLong: String(pick(int64s, i)) })) },
  '$date': { make: n => list(n, i => ({ $date: pick(times, i) })) },
  '$date of $numberLong': { make: n => list(n, i => ({ $date: { $numberLong: String(pick(int64s, i)) } })) },
  '$uuid': { make: n => list(n, () => ({ $uuid: '0123abcd-0123-4567-89ab-0123456789ab' })) },
  '$regularExpression': { make: n => list(n, i => ({ $regularExpression: { pattern: patterns['properties of Unicode'](i), options: 'iu' } })) },
  '$ref': { make: n => list(n, i => ({ $ref: 'c', $id: { $oid: '0123456789abcdef01234567' }, [`k${i}`]: 1 })) },
  '$binary of vectors': { make: n => list(n, () => ({ $binary: { base64: 'JwAAAIA/', subType: '09' } })) },
  '$timestamp': { make: n => list(n, i => ({ $timestamp: { t: 4294967295, i } })) },
  '$code': { make: n => list(n, i => ({ $code: 'f', $scope: { i } })) }
}

module.exports = { bytes, texts }
