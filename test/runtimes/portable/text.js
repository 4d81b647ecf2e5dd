'use strict'

// Strings of all lengths, which are written and read in several ways; base64, hex and random bytes.

const { equal, bsonError } = require('./assert')
const { describe, hexOf } = require('./describe')

const LENGTHS = [0, 1, 5, 10, 11, 12, 13, 16, 20, 24, 25, 63, 64, 65, 96, 97, 199, 200, 201, 256, 257, 4097]
const UNITS = ['x', 'é', '日', '😀', 'x😀', 'xxxxxxxé', '"', '\\', '\n', '\ufeff']
const LONE = ['\ud800', 'a\udc00b', 'x'.repeat(40) + '\ud800', '\ud800'.repeat(300)]

/** @param {any} qbson @returns {{name: string, check: () => string, isLearned?: boolean}[]} */
module.exports = function checksOf(qbson) {
  const strings = LENGTHS.flatMap(length => UNITS.map(unit => unit.repeat(Math.ceil(length / unit.length))))
  const sizes = [0, 1, 2, 3, 4, 5, 15, 16, 17, 100, 3000]
  return [
    ...strings.map(string => named(`${string.length} units of ${string.slice(0, 8)}`, () => goesBothWays(string), string.length < 300)),
    ...LONE.map(string => named(`lone surrogate in ${string.length} units`, () => isReplaced(string))),
    ...sizes.map(size => named(`base64 of ${size} bytes`, () => inBase64(size))),
    named('invalid base64', () => refusesBase64()),
    named('ids', () => hasIds()),
    named('numbers', () => speaksNumbers())
  ]

  function named(name, check, isLearned = false) {
    return { name, check, isLearned }
  }

  function goesBothWays(string) {
    const bytes = qbson.encode({ a: string, [`k${string.replace(/\0/g, '').slice(0, 90)}`]: 1, b: [string] })
    const back = qbson.decode(bytes)
    equal(back.a, string, 'value')
    equal(back.b[0], string, 'in a list')
    equal(Object.keys(back)[1], `k${string.slice(0, 90)}`.replace(/[\ud800-\udbff]$/, '\ufffd'), 'name')
    equal(qbson.sizeOf(back), bytes.length, 'sizeOf')
    const json = qbson.EJSON.stringify(back)
    equal(json, JSON.stringify(back), 'EJSON.stringify')
    equal(qbson.EJSON.parse(json).a, string, 'EJSON.parse')
    equal(qbson.EJSON.fromBSON(bytes), json, 'EJSON.fromBSON')
    return hexOf(bytes).slice(-200)
  }

  function isReplaced(string) {
    const { a } = qbson.decode(qbson.encode({ a: string }))
    equal(a, string.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd'), 'value')
    return a
  }

  function inBase64(size) {
    const bytes = Uint8Array.from({ length: size }, (_, i) => i * 7)
    const binary = new qbson.Binary(bytes)
    const base64 = binary.toString('base64')
    equal(hexOf(qbson.Binary.createFromBase64(base64).value()), hexOf(bytes), 'createFromBase64')
    const text = qbson.EJSON.stringify({ binary })
    equal(text, `{"binary":{"$binary":{"base64":"${base64}","subType":"00"}}}`, 'EJSON.stringify')
    equal(describe(qbson.EJSON.parse(text)), describe({ binary }), 'EJSON.parse')
    return base64
  }

  /** Where Buffer exists, `parse` accepts any text as base64, as bson does. */
  function refusesBase64() {
    return bsonError(() => qbson.EJSON.toBSON('{"a":{"$binary":{"base64":"not base64!","subType":"00"}}}'), 'toBSON').name
  }

  function hasIds() {
    const ids = Array.from({ length: 100 }, () => new qbson.ObjectId().toHexString())
    equal(new Set(ids).size, 100, 'different ids')
    equal(/^[0-9a-f]{24}$/.test(ids[0]), true, ids[0])
    equal(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(String(new qbson.UUID())), true, 'UUID')
    return new qbson.ObjectId('0123456789abcdef01234567').toString('base64')
  }

  function speaksNumbers() {
    const numbers = [0, -0, 1, -1, 0.1, 1 / 3, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, NaN, Infinity, 2 ** 31, 2 ** 53]
    const { Long, Decimal128, Double } = qbson
    const list = [...numbers, ...numbers.map(n => new Double(n)), Long.MAX_VALUE, Long.fromString('-123456789012345678'),
      Decimal128.fromString('1.50E+30'), 12345678901234567890n]
    const doc = { list: list.slice(0, -1), big: BigInt.asIntN(64, 1n << 62n) }
    return qbson.EJSON.stringify(doc, { relaxed: false }) + qbson.EJSON.stringify(qbson.decode(qbson.encode(doc)))
  }
}
