'use strict'

const assert = require('node:assert/strict')
const { inspect } = require('node:util')
const bson = require('bson')
const lodash = require('lodash')
const { Decimal128 } = require('../../lib/types')
const { BSONError } = require('../../lib/errors')
const { errorOf } = require('../fixtures/error-of')
const { requireWithoutBuffer } = require('../without-buffer')

const NINES = '9'.repeat(34)

/** [text, its canonical form, its bytes from the highest on] */
const numbers = [
  ['0', '0', '30400000000000000000000000000000'],
  ['-0', '-0', 'b0400000000000000000000000000000'],
  ['1', '1', '30400000000000000000000000000001'],
  ['+1', '1', '30400000000000000000000000000001'],
  ['-1', '-1', 'b0400000000000000000000000000001'],
  ['0.1', '0.1', '303e0000000000000000000000000001'],
  ['.1', '0.1', '303e0000000000000000000000000001'],
  ['1.', '1', '30400000000000000000000000000001'],
  ['00012.50', '12.50', '303c00000000000000000000000004e2'],
  ['0.000001', '0.000001', '30340000000000000000000000000001'],
  ['0.0000001', '1E-7', '30320000000000000000000000000001'],
  ['1E3', '1E+3', '30460000000000000000000000000001'],
  ['1.000E+1', '10.00', '303c00000000000000000000000003e8'],
  ['12345678901234567890123456789012.34', '12345678901234567890123456789012.34', '303c3cde6fff9732de825cd07e96aff2'],
  [NINES, NINES, '3041ed09bead87c0378d8e63ffffffff'],
  [`-${NINES}`, `-${NINES}`, 'b041ed09bead87c0378d8e63ffffffff'],
  ['9.999999999999999999999999999999999E+6144', '9.999999999999999999999999999999999E+6144', '5fffed09bead87c0378d8e63ffffffff'],
  ['1E-6176', '1E-6176', '00000000000000000000000000000001'],
  ['10E-6177', '1E-6176', '00000000000000000000000000000001'],
  ['1E+6144', '1.000000000000000000000000000000000E+6144', '5ffe314dc6448d9338c15b0a00000000'],
  ['0E+9999', '0E+6111', '5ffe0000000000000000000000000000'],
  ['0E-9999', '0E-6176', '00000000000000000000000000000000'],
  ['9007199254740991', '9007199254740991', '3040000000000000001fffffffffffff'],
  ['9007199254740993', '9007199254740993', '30400000000000000020000000000001'],
  [`${'0'.repeat(40)}5`, '5', '30400000000000000000000000000005'],
  [`1${'0'.repeat(40)}`, '1.000000000000000000000000000000000E+40', '304e314dc6448d9338c15b0a00000000'],
  ['23781000523085010990534432004784530.', '2.378100052308501099053443200478453E+34', '3042753fd7b1fb1e6e68424132f26cf5'],
  ['NaN', 'NaN', '7c000000000000000000000000000000'],
  ['-nan', 'NaN', '7c000000000000000000000000000000'],
  ['Infinity', 'Infinity', '78000000000000000000000000000000'],
  ['+inf', 'Infinity', '78000000000000000000000000000000'],
  ['-INFINITY', '-Infinity', 'f8000000000000000000000000000000']
]

/** [text, why it is not a valid decimal] */
const wrong = [
  ['', / not a valid Decimal128 string$/],
  ['.', /^\. not a valid Decimal128 string$/],
  ['+', /^\+ not a valid Decimal128 string$/],
  ['-', /^- not a valid Decimal128 string$/],
  ['E1', /^"E1" is not a valid Decimal128 string - missing exponent base$/],
  ['1E', /- missing exponent power$/],
  ['E', /- missing exponent power$/],
  ['1E+', /- missing exponent power$/],
  ['1-1', /- missing e before exponent$/],
  ['--1', /- missing e before exponent$/],
  ['1.2.3', /^1\.2\.3 not a valid Decimal128 string$/],
  ['0x1', / not a valid Decimal128 string$/],
  [' 1', / not a valid Decimal128 string$/],
  ['1 ', / not a valid Decimal128 string$/],
  ['1e1.5', / not a valid Decimal128 string$/],
  ['infinite', / not a valid Decimal128 string$/],
  ['1'.padEnd(7000, '0'), / not a valid Decimal128 string$/],
  [`${NINES}1`, /- inexact rounding$/],
  ['1E-6177', /- exponent underflow$/],
  ['1E-20000', /- exponent underflow$/],
  ['12E-6177', /- inexact rounding$/],
  ['1E+6145', /- overflow$/],
  ['1E+99999999999999999999', /- overflow$/],
  [`${NINES}0E+6111`, /- overflow$/]
]

/** [text, what it is rounded to] */
const rounded = [
  ['37.499999999999999196428571428571375', '37.49999999999999919642857142857138'],
  [`${'1'.repeat(34)}4`, `1.${'1'.repeat(33)}E+34`],
  [`${'1'.repeat(34)}5`, `1.${'1'.repeat(32)}2E+34`],
  [`${'1'.repeat(33)}25`, `1.${'1'.repeat(32)}2E+34`],
  [`${'1'.repeat(33)}250001`, `1.${'1'.repeat(32)}3E+38`],
  [`${'1'.repeat(33)}26`, `1.${'1'.repeat(32)}3E+34`],
  [`${NINES}5`, '1.000000000000000000000000000000000E+35'],
  ['-3502059808500790536622658301233006290.022070897740', '-3.502059808500790536622658301233006E+36'],
  ['1E-6177', '0E-6176'],
  ['5E-6177', '0E-6176'],
  ['5.1E-6177', '1E-6176'],
  ['6E-6177', '1E-6176'],
  ['15E-6177', '2E-6176'],
  ['-9E-6178', '-0E-6176'],
  ['1.5', '1.5'],
  ['NaN', 'NaN']
]

function fromTop(hex) {
  return Buffer.from(hex, 'hex').reverse()
}

function topFirst(decimal) {
  return Buffer.from(decimal.bytes).reverse().toString('hex')
}

module.exports = {
  'text to bytes and back': function (t) {
    for (const [text, canonical, hex] of numbers) {
      const decimal = Decimal128.fromString(text)
      t.strictEqual(decimal.toString(), canonical)
      t.strictEqual(topFirst(decimal), hex, text)
      t.strictEqual(topFirst(new Decimal128(text)), topFirst(decimal))
      t.strictEqual(topFirst(Decimal128.fromString(canonical)), topFirst(decimal), 'canonical text means the same bytes')
    }
    t.done()
  },

  'what is no number, or not exactly one of 34 digits': function (t) {
    for (const [text, message] of wrong) {
      const error = errorOf(() => Decimal128.fromString(text))
      t.ok(error instanceof BSONError)
      t.ok(message.test(error.message), error.message)
    }
    t.done()
  },

  'rounding, half to even': function (t) {
    for (const [text, canonical] of rounded) {
      t.strictEqual(Decimal128.fromStringWithRounding(text).toString(), canonical, text)
      t.strictEqual(Decimal128._fromString(text, { allowRounding: true }).toString(), canonical, text)
    }
    t.ok(/overflow$/.test(errorOf(() => Decimal128.fromStringWithRounding(`${NINES}9E+6111`)).message))
    t.ok(/overflow$/.test(errorOf(() => Decimal128.fromStringWithRounding(`${NINES}1E+6111`)).message))
    t.ok(/inexact rounding$/.test(errorOf(() => Decimal128._fromString(`${NINES}1`, {})).message))
    t.done()
  },

  'coefficients of more than 34 digits are zero, as the standard says': function (t) {
    const cases = [
      ['3041ed09bead87c0378d8e6400000000', '0'],
      ['303fed09bead87c0378d8e6400000000', '0.0'],
      ['6c100000000000000000000000000001', '0'],
      ['ec100000000000000000000000000001', '-0'],
      ['3041ed09bead87c0378d8e63ffffffff', NINES]
    ]
    for (const [hex, text] of cases) t.strictEqual(new Decimal128(fromTop(hex)).toString(), text, hex)
    t.done()
  },

  'infinities and NaNs with other bits set': function (t) {
    t.strictEqual(new Decimal128(fromTop('7e000000000000000000000000000001')).toString(), 'NaN')
    t.strictEqual(new Decimal128(fromTop('fc000000000000000000000000000000')).toString(), 'NaN')
    t.strictEqual(new Decimal128(fromTop('f8000000000000000000000000000009')).toString(), '-Infinity')
    t.done()
  },

  'random numbers as bson has them': function (t) {
    let seed = 42
    const random = below => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % below
    for (let i = 0; i < 3000; i++) {
      const digits = Array.from({ length: 1 + random(34) }, () => random(10)).join('')
      const text = `${random(2) ? '-' : ''}${1 + random(9)}${digits.slice(1)}E${random(12000) - 6000}`
      const decimal = Decimal128.fromString(text)
      assert.equal(topFirst(decimal), topFirst(bson.Decimal128.fromString(text)), text)
      assert.equal(decimal.toString(), new bson.Decimal128(decimal.bytes).toString(), text)
    }
    t.done()
  },

  'from 16 bytes, which are kept': function (t) {
    const bytes = new Uint8Array(16)
    const decimal = new Decimal128(bytes)
    t.strictEqual(decimal.bytes, bytes)
    t.deepStrictEqual(Object.keys(decimal), ['bytes'])
    t.strictEqual(decimal._bsontype, 'Decimal128')
    t.strictEqual(errorOf(() => new Decimal128(new Uint8Array(15))).message, 'Decimal128 must take a Buffer of 16 bytes')
    for (const other of [5, 5n, {}, null, undefined, []]) {
      t.strictEqual(errorOf(() => new Decimal128(other)).message, 'Decimal128 must take a Buffer or string')
    }
    const nan = Decimal128.fromString('NaN')
    nan.bytes.fill(0)
    t.strictEqual(Decimal128.fromString('NaN').toString(), 'NaN', 'its bytes are not shared')
    t.done()
  },

  'text, JSON and the tools that look at own fields': function (t) {
    const decimal = new Decimal128('1.50')
    t.strictEqual(inspect(decimal), "new Decimal128('1.50')")
    t.strictEqual(decimal.inspect(), 'new Decimal128("1.50")')
    t.deepStrictEqual(decimal.toJSON(), { $numberDecimal: '1.50' })
    t.deepStrictEqual(decimal.toExtendedJSON(), { $numberDecimal: '1.50' })
    t.strictEqual(Decimal128.fromExtendedJSON({ $numberDecimal: '1.50' }).toString(), '1.50')
    t.ok(lodash.isEqual(decimal, new Decimal128('1.50')))
    t.strictEqual(lodash.cloneDeep(decimal).toString(), '1.50')
    assert.deepStrictEqual(new Decimal128('1.50'), decimal)
    assert.notDeepStrictEqual(new Decimal128('1.5'), decimal)
    t.done()
  },

  'without Buffer': function (t) {
    const { Decimal128: Plain } = requireWithoutBuffer('lib/types/index.js')
    t.strictEqual(new Plain('-12.5').bytes.constructor, Uint8Array)
    t.strictEqual(new Plain('-12.5').toString(), '-12.5')
    t.done()
  }
}
