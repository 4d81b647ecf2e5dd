'use strict'

// The parts of Extended JSON text: digits as from String(), dates as from toISOString, strings as from JSON.stringify,
// written to a buffer that is too small for most of them.

const assert = require('node:assert')
const fc = require('fast-check')
const { SIZE, TextOutput, explain } = require('../../lib/text/output')
const { SHORT, MIDDLE, putString } = require('../../lib/text/quote')
const { SHORT_BINARY, putAnyBase64, putDate } = require('../../lib/text/forms')
const { putNumber } = require('../../lib/text/doubles')
const { putIsoTime, isoTime } = require('../../lib/text/iso-time')
const { EJSON } = require('../../lib/ejson')
const { encode } = require('../../lib/encode/encode')
const {
  Binary, BSONRegExp, BSONSymbol, Code, DBRef, Decimal128, Int32, Long, ObjectId, Timestamp, UUID
} = require('../../lib/types')
const { BSONError } = require('../../lib/errors')
const { errorOf } = require('../fixtures/error-of')
const { outcome } = require('../fixtures/outcome')
const { seededRandom } = require('../fixtures/random-document')
const { anyText } = require('../fixtures/texts')

const buf = Buffer.alloc(64)
const view = new DataView(buf.buffer, buf.byteOffset, buf.length)
const bits = new DataView(new ArrayBuffer(8))

/** An object that claims to be of a type, but is empty. @param {string} name */
function byNameOnly(name) {
  return Object.create({ get _bsontype() { return name } })
}

/** @param {number} high @param {number} low */
function double(high, low) {
  bits.setUint32(0, high)
  bits.setUint32(4, low)
  return bits.getFloat64(0)
}

/** @param {number} number @param {() => number} random @returns {number} at most three doubles away */
function beside(number, random) {
  bits.setFloat64(0, number)
  return double(bits.getUint32(0), bits.getUint32(4) + Math.floor(random() * 7) - 3)
}

/** Ways to make doubles of which the shortest digits are not obvious. @type {Record<string, (random: () => number) => number>} */
const doubles = {
  'of 16 and 17 digits': random => random(),
  'with digits before the point': random => (random() - 0.5) * 4000,
  'with many digits before the point': random => random() * 2 ** 22,
  'of any exponent': random => double(random() * 2 ** 32, random() * 2 ** 32),
  'of near exponents': random => double(((1010 + random() * 40) << 20) | (random() * 2 ** 20), random() * 2 ** 32),
  'of few decimals': random => Math.round(random() * 1e9) / 10 ** Math.floor(random() * 16),
  'of many decimals': random => Math.round(random() * 1e16) / 10 ** Math.floor(random() * 17),
  'beside those of few decimals': random => beside(Math.round(random() * 1e6) / 10 ** (1 + Math.floor(random() * 6)), random),
  'beside those of eight decimals': random => beside(Math.round(random() * 1e8) / 1e8, random),
  'of few bits': random => Math.floor(random() * 2 ** 20) / 2 ** Math.floor(random() * 30),
  'sums of decimals': random => 0.1 * Math.floor(random() * 1e4) + 0.01 * Math.floor(random() * 1e4),
  'integers of any length': random => Math.floor(2 ** (random() * 70)) * (random() < 0.5 ? -1 : 1)
}

const EDGES = [
  0, 1, 9, 10, 99, 100, 2 ** 31 - 1, -(2 ** 31), 2 ** 31, 2 ** 32, 1e15, 2 ** 53 - 1, 2 ** 53, 1e21, 123456789012345680000, 0.1, 0.001,
  0.0009999, 1e-7, 5e-324, Number.MAX_VALUE, 1048575.9999999999, 1048576.0000000002, 0.30000000000000004, 0.1 + 0.7, 1 / 3, 2 / 3,
  4.35, 4.349999999999999, 9.999999999999998, 999999999999.999, 1e12 + 0.001, 0.5, 0.25, 2 ** -10, 8.5e-4, 123456.00000000001,
  0.01171875, 1.00000001, 1.000000001, 1.0000000001, 5.000000000000001, 99.99999999999999, 1e9 + 0.123, 0.10000000000000002
]

/**
 * Two doubles, neighbours between 1 and 2, with a decimal of so few digits next to the middle between them, some 10^-24
 * away: the middle is odd / 2^53, the decimal n / 10^decimals, and odd * 5^decimals - n * 2^(53 - decimals) is `little`.
 */
function aroundDecimal(decimals, random) {
  const modulus = 2n ** BigInt(53 - decimals)
  const little = 2n * BigInt(Math.floor(random() * 1000)) + 1n
  const rest = little * inverse(5n ** BigInt(decimals), 53 - decimals) % modulus
  const odd = 2n ** 53n + rest + modulus * BigInt(Math.floor(random() * 2 ** decimals))
  return [Number(odd / 2n) / 2 ** 52, Number(odd / 2n + 1n) / 2 ** 52]
}

/** Modulo 2^bits, of an odd number: Newton's iteration. */
function inverse(odd, bits) {
  let result = odd
  for (let i = 0; i < 6; i++) result = BigInt.asUintN(bits, result * (2n - odd * result))
  return result
}

function digitsOf(value) {
  return buf.latin1Slice(0, putNumber(value, view, 0))
}

function putText(string) {
  const out = new TextOutput()
  return out.text(putString(string, out, 0))
}

module.exports = {
  'dates: in the form of each mode': t => {
    const written = (time, relaxed, legacy) => {
      const out = new TextOutput()
      return out.text(putDate(time, { relaxed, legacy }, out, 0))
    }
    const of = time => [[false, false], [true, false], [false, true], [true, true]].map(([relaxed, legacy]) => {
      const { value, error } = outcome(() => written(time, relaxed, legacy))
      return error?.message ?? value
    })
    const long = digits => `{"$date":{"$numberLong":"${digits}"}}`
    t.deepStrictEqual(of(5), [long(5), '{"$date":"1970-01-01T00:00:00.005Z"}', '{"$date":"1970-01-01T00:00:00.005Z"}', '{"$date":5}'])
    t.deepStrictEqual(of(-1000), [long(-1000), long(-1000), '{"$date":"1969-12-31T23:59:59Z"}', '{"$date":"1969-12-31T23:59:59Z"}'])
    t.deepStrictEqual(of(253402300800000)[1], long(253402300800000))
    t.deepStrictEqual(of(NaN), Array(4).fill('Invalid Date cannot be serialized'))
    t.done()
  },

  'base64 of any size, wherever the memory ends': t => {
    for (const size of [0, 1, 2, 3, 20, SHORT_BINARY - 1, SHORT_BINARY, SHORT_BINARY + 1, 100_000]) {
      const bytes = Buffer.alloc(size, 'base64')
      for (let left = 0; left < 20; left++) {
        const out = new TextOutput()
        const start = SIZE - left * 30
        const end = putAnyBase64(bytes, 0, size, out, start)
        t.strictEqual(out.bytes(end).subarray(start).toString(), bytes.toString('base64'), `${size} bytes, ${left * 30} left`)
      }
    }
    t.done()
  },

  'digits: those of String()': t => {
    for (const number of EDGES) {
      assert.strictEqual(digitsOf(number), String(number))
      assert.strictEqual(digitsOf(-number), String(-number))
    }
    const random = seededRandom(1)
    for (const [name, make] of Object.entries(doubles)) {
      for (let i = 0; i < 20_000; i++) {
        const number = make(random)
        if (Number.isFinite(number) && digitsOf(number) !== String(number)) assert.fail(`${name}: ${number}, not ${digitsOf(number)}`)
      }
    }
    fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), number => digitsOf(number) === String(number)))
    t.done()
  },

  'digits: where the error could decide it is left to String()': t => {
    const random = seededRandom(4)
    for (let decimals = 10; decimals <= 16; decimals++) {
      for (let i = 0; i < 500; i++) {
        for (const number of aroundDecimal(decimals, random)) assert.strictEqual(digitsOf(number), String(number))
      }
    }
    // Half way between two candidates of as many digits, as near as doubles come to it.
    for (let exponent = -9; exponent < 20; exponent++) {
      for (let i = 1; i < 2000; i++) {
        const number = 2 ** exponent * (1 + i / 2 ** 11)
        assert.strictEqual(digitsOf(number), String(number))
      }
    }
    t.done()
  },

  'dates: those of toISOString, and back': t => {
    const random = seededRandom(2)
    const times = [0, 1, 999, 1000, 951782399999, 951782400000, 253402300799999]
    for (let i = 0; i < 20_000; i++) times.push(Math.floor(random() * 253402300800000))
    for (const time of times) {
      const text = buf.latin1Slice(0, putIsoTime(time, view, 0))
      assert.strictEqual(text, new Date(time).toISOString().replace('.000Z', 'Z'))
      assert.strictEqual(isoTime(text), time)
    }
    t.done()
  },

  'strings: as JSON.stringify, every character at every place': t => {
    for (let code = 0; code < 0x300; code++) {
      for (let before = 0; before < 5; before++) {
        for (const after of [0, 1, 4, SHORT, MIDDLE]) {
          const string = 'x'.repeat(before) + String.fromCharCode(code) + 'y'.repeat(after)
          if (putText(string) !== JSON.stringify(string)) assert.fail(JSON.stringify(string))
        }
      }
    }
    fc.assert(fc.property(anyText(), string => putText(string) === JSON.stringify(string)))
    t.done()
  },

  'base64: that of Buffer, from values and from bytes': t => {
    const random = seededRandom(5)
    for (const length of [...Array(SHORT_BINARY + 5).keys(), 393_216, 393_217, 800_000]) {
      const value = Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))
      const base64 = value.toString('base64')
      const text = `{"value":{"$binary":{"base64":"${base64}","subType":"80"}}}`
      const spacious = new Binary(Buffer.concat([value, Buffer.alloc(9, 0xff)]), 0x80)
      spacious.position = length
      assert.strictEqual(EJSON.stringify({ value: spacious }), text)
      assert.strictEqual(EJSON.fromBSON(encode({ value: spacious })), text)
      assert.strictEqual(EJSON.stringify({ value }, { legacy: true }), `{"value":{"$binary":"${base64}","$type":"00"}}`)
    }
    t.done()
  },

  'text of any length, with pieces of any kind': t => {
    const parts = ['a', 'ä', 'b'.repeat(SHORT), 'c'.repeat(SHORT + 1), 'm'.repeat(MIDDLE), 'M'.repeat(MIDDLE + 1), '"', 'd'.repeat(SIZE), '😀', 1.5, null, true, [], {}, ['x']]
    const random = seededRandom(3)
    for (let count = 1; count < 2000; count = count * 2 + 1) {
      const doc = Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, parts[Math.floor(random() * parts.length)]]))
      const text = JSON.stringify(doc)
      t.strictEqual(EJSON.stringify(doc), text)
      t.strictEqual(EJSON.fromBSON(encode(doc)), text)
    }
    for (let length = SIZE - 40; length < SIZE + 40; length++) {
      const doc = { a: Array.from({ length: Math.floor(length / 10) }, () => 'x'.repeat(7)), b: 'y'.repeat(length % 10), c: { d: [] } }
      assert.strictEqual(EJSON.stringify(doc), JSON.stringify(doc))
      assert.strictEqual(EJSON.fromBSON(encode(doc)), JSON.stringify(doc))
    }
    t.done()
  },

  'a piece that exceeds the maximum string length': t => {
    const cause = Object.assign(new Error('Cannot create a string longer than 0x1fffffe8 characters'), { code: 'ERR_STRING_TOO_LONG' })
    const error = explain(cause)
    t.ok(error instanceof BSONError && error.cause === cause)
    t.strictEqual(error.message, 'JSON text exceeds the maximum string length')
    t.done()
  },

  'a key of half a character, in a value and in bytes': t => {
    const doc = { '\udc00': 1 }
    t.strictEqual(EJSON.stringify(doc), '{"\\udc00":1}')
    t.strictEqual(EJSON.fromBSON(encode(doc)), '{"\ufffd":1}')
    t.strictEqual(EJSON.stringify(doc), '{"\\udc00":1}')
    t.done()
  },

  'broken values that encode refuses have no text either: the same error, the same path': t => {
    const broken = [
      ...[Long, Timestamp, Decimal128, Int32, DBRef, BSONRegExp, BSONSymbol, Code, Binary, UUID, Date, RegExp, Map]
        .map(Class => Object.create(Class.prototype)),
      ...['ObjectId', 'Long', 'Timestamp', 'Decimal128', 'Int32', 'DBRef', 'BSONRegExp', 'BSONSymbol', 'Code', 'Binary'].map(byNameOnly),
      Object.create({ [Symbol.toStringTag]: 'RegExp' }),
      Object.assign(new Long(1, 2), { high: '2' }),
      Object.assign(new Int32(1), { value: 'none' }),
      Object.assign(new Int32(1), { value: 2 ** 31 }),
      Object.assign(new Int32(1), { value: 0.5 }),
      Object.assign(new Code('x'), { code: 5 }),
      Object.assign(new Code('x', {}), { code: 5 }),
      Object.assign(new BSONSymbol('x'), { value: 5 }),
      Object.assign(new BSONRegExp('x'), { options: undefined }),
      Object.assign(new BSONRegExp('x'), { pattern: /x/ }),
      Object.assign(new DBRef('c', new ObjectId()), { collection: 5 }),
      ...[300, -1, undefined].map(subtype => Object.assign(new Binary(Buffer.from('x')), { sub_type: subtype }))
    ]
    for (const value of broken) {
      const doc = { a: 1, list: [value], z: 2 }
      const expected = errorOf(() => encode(doc))
      t.ok(expected instanceof BSONError && expected.path === 'list[0]', String(expected))
      for (const relaxed of [true, false]) {
        const error = errorOf(() => EJSON.stringify(doc, { relaxed }))
        t.ok(error instanceof BSONError, String(error))
        t.strictEqual(error.message, expected.message)
        t.strictEqual(error.path, expected.path)
      }
    }
    t.strictEqual(EJSON.stringify({ a: 1 }), '{"a":1}')
    t.done()
  },

  'a toExtendedJSON that itself makes text, and one that throws': t => {
    class Own extends ObjectId {
      toExtendedJSON() {
        if (this.fails) throw new RangeError('no')
        return { own: EJSON.stringify({ a: 'é', b: EJSON.fromBSON(encode({ c: 1 })) }) }
      }
    }
    const own = new Own()
    const inner = JSON.stringify(EJSON.stringify({ a: 'é', b: '{"c":1}' }))
    t.strictEqual(EJSON.stringify({ x: 'before', own, y: 'after' }), `{"x":"before","own":{"own":${inner}},"y":"after"}`)
    own.fails = true
    t.strictEqual(errorOf(() => EJSON.stringify({ x: 'lost'.repeat(SIZE), own })).message, 'no')
    const broken = encode({ x: 'lost'.repeat(SIZE), y: 'z' })
    broken[broken.length - 3] = 0xff
    t.ok(errorOf(() => EJSON.fromBSON(broken)) instanceof BSONError)
    t.strictEqual(EJSON.stringify({ a: 1 }), '{"a":1}')
    t.done()
  }
}
