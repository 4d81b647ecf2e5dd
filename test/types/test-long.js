'use strict'

const assert = require('node:assert/strict')
const { inspect } = require('node:util')
const bson = require('bson')
const lodash = require('lodash')
const { Long, Timestamp } = require('../../lib/types')
const { BSONError } = require('../../lib/errors')
const { errorOf } = require('../fixtures/error-of')

/** Halves of 64-bit integers at which something changes. */
const HALVES = [0, 1, -1, 2, 127, 128, -128, 255, 256, 1 << 16, 1 << 24, 123456789, 0x7fffffff, -0x80000000]

/** @returns {{value: bigint, unsigned: boolean}[]} every pair of halves, signed and unsigned */
function everyKind() {
  const kinds = []
  for (const high of HALVES) {
    for (const low of HALVES) {
      const bits = (BigInt(high) << 32n) | BigInt(low >>> 0)
      kinds.push({ value: bits, unsigned: false }, { value: BigInt.asUintN(64, bits), unsigned: true })
    }
  }
  return kinds
}

const kinds = everyKind()
const some = kinds.filter((_, i) => i % 7 === 0)

function longOf({ value, unsigned }) {
  return Long.fromBigInt(value, unsigned)
}

function cut(value, unsigned) {
  return unsigned ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value)
}

/** Compares a binary method with its definition for every pair of values. */
function checkPairs(t, names, expected) {
  for (const a of some) {
    for (const b of kinds) {
      const [left, right] = [longOf(a), longOf(b)]
      for (const name of names) {
        const result = left[name](right)
        const actual = Long.isLong(result) ? result.toBigInt() : result
        const wanted = expected(a.value, b.value, a.unsigned)
        if (actual !== wanted) assert.fail(`${left} ${name} ${right}: ${actual}, not ${wanted}`)
        if (Long.isLong(result) && !left.isZero()) assert.equal(result.unsigned, a.unsigned)
      }
    }
  }
  t.ok(some.length * kinds.length > 20000)
}

module.exports = {
  'two halves, a bigint or digits': function (t) {
    t.deepStrictEqual(Object.entries(new Long(1, 2)), [['high', 2], ['low', 1], ['unsigned', false]])
    t.deepStrictEqual(Object.entries(new Long()), [['high', 0], ['low', 0], ['unsigned', false]])
    t.deepStrictEqual({ ...new Long(5, true) }, { high: 0, low: 5, unsigned: true })
    t.deepStrictEqual({ ...new Long(2 ** 32 - 1, 2 ** 31, true) }, { high: -(2 ** 31), low: -1, unsigned: true })
    t.deepStrictEqual({ ...new Long(-1n) }, { high: -1, low: -1, unsigned: false })
    t.deepStrictEqual({ ...new Long(2n ** 64n - 1n, true) }, { high: -1, low: -1, unsigned: true })
    t.deepStrictEqual({ ...new Long('-2') }, { high: -1, low: -2, unsigned: false })
    t.deepStrictEqual({ ...new Long('4294967296', true) }, { high: 1, low: 0, unsigned: true })
    t.ok(new Long(1, 2).__isLong__)
    t.strictEqual(new Long(1)._bsontype, 'Long')
    t.done()
  },

  'bigints and numbers, there and back': function (t) {
    for (const kind of kinds) {
      const long = longOf(kind)
      assert.equal(long.toBigInt(), kind.value)
      assert.equal(long.toNumber(), Number(kind.value))
      assert.equal(long.toString(), String(kind.value))
      assert.equal(long.toInt(), kind.unsigned ? Number(BigInt.asUintN(32, kind.value)) : long.low)
      assert.equal(long.getHighBits(), long.high)
      assert.equal(long.getHighBitsUnsigned(), long.high >>> 0)
      assert.equal(long.getLowBits(), long.low)
      assert.equal(long.getLowBitsUnsigned(), long.low >>> 0)
      assert.equal(long.toSigned().toBigInt(), BigInt.asIntN(64, kind.value))
      assert.equal(long.toUnsigned().toBigInt(), BigInt.asUintN(64, kind.value))
      assert.equal(long.toSigned() === long, !kind.unsigned)
      assert.equal(long.toUnsigned() === long, kind.unsigned)
    }
    t.strictEqual(kinds.length, 392)
    t.done()
  },

  'fromNumber cuts to integers and to 64 bits': function (t) {
    const cases = [
      [1.9, 1n], [-1.9, -1n], [-0.5, 0n], [2 ** 53, 2n ** 53n], [-(2 ** 53), -(2n ** 53n)], [2 ** 32, 2n ** 32n],
      [-(2 ** 32), -(2n ** 32n)], [NaN, 0n], [Infinity, 2n ** 63n - 1n], [-Infinity, -(2n ** 63n)], [2 ** 63, 2n ** 63n - 1n],
      [-(2 ** 63), -(2n ** 63n)], [1e300, 2n ** 63n - 1n], [2 ** 62 + 2 ** 20, 2n ** 62n + 2n ** 20n]
    ]
    for (const [number, value] of cases) t.strictEqual(Long.fromNumber(number).toBigInt(), value, String(number))
    const unsigned = [[NaN, 0n], [-1, 0n], [2 ** 63, 2n ** 63n], [2 ** 64, 2n ** 64n - 1n], [Infinity, 2n ** 64n - 1n], [7.5, 7n]]
    for (const [number, value] of unsigned) t.strictEqual(Long.fromNumber(number, true).toBigInt(), value, String(number))
    t.strictEqual(Long.fromNumber(NaN, true), Long.UZERO)
    t.done()
  },

  'fromInt extends the sign and keeps small ones': function (t) {
    t.strictEqual(Long.fromInt(-5).toBigInt(), -5n)
    t.strictEqual(Long.fromInt(2 ** 31).toBigInt(), -(2n ** 31n))
    t.strictEqual(Long.fromInt(7, true).unsigned, true)
    t.strictEqual(Long.fromInt(-1, true).toBigInt(), 2n ** 64n - 1n, 'as long.js has it')
    t.strictEqual(Long.fromInt(1), Long.ONE)
    t.strictEqual(Long.fromInt(0, true), Long.UZERO)
    for (const same of [-128, 127]) t.ok(Long.fromInt(same) === Long.fromInt(same))
    for (const other of [-129, 128, 1000]) t.ok(Long.fromInt(other) !== Long.fromInt(other))
    t.done()
  },

  add: t => (checkPairs(t, ['add'], (a, b, unsigned) => cut(a + b, unsigned)), t.done()),
  subtract: t => (checkPairs(t, ['subtract', 'sub'], (a, b, unsigned) => cut(a - b, unsigned)), t.done()),
  multiply: t => (checkPairs(t, ['multiply', 'mul'], (a, b, unsigned) => cut(a * b, unsigned)), t.done()),
  and: t => (checkPairs(t, ['and'], (a, b, unsigned) => cut(a & b, unsigned)), t.done()),
  or: t => (checkPairs(t, ['or'], (a, b, unsigned) => cut(a | b, unsigned)), t.done()),
  xor: t => (checkPairs(t, ['xor'], (a, b, unsigned) => cut(a ^ b, unsigned)), t.done()),
  compare: t => (checkPairs(t, ['compare', 'comp'], (a, b) => (a < b ? -1 : a > b ? 1 : 0)), t.done()),
  equals: t => (checkPairs(t, ['equals', 'eq'], (a, b) => a === b), t.done()),
  notEquals: t => (checkPairs(t, ['notEquals', 'neq', 'ne'], (a, b) => a !== b), t.done()),
  lessThan: t => (checkPairs(t, ['lessThan', 'lt'], (a, b) => a < b), t.done()),
  lessThanOrEqual: t => (checkPairs(t, ['lessThanOrEqual', 'lte', 'le'], (a, b) => a <= b), t.done()),
  greaterThan: t => (checkPairs(t, ['greaterThan', 'gt'], (a, b) => a > b), t.done()),
  greaterThanOrEqual: t => (checkPairs(t, ['greaterThanOrEqual', 'gte', 'ge'], (a, b) => a >= b), t.done()),

  'divide and modulo read the divisor as signed or unsigned as the dividend': function (t) {
    for (const a of some) {
      for (const b of kinds) {
        const [left, right] = [longOf(a), longOf(b)]
        const divisor = cut(b.value, a.unsigned)
        for (const [names, wanted] of [
          [['divide', 'div'], () => cut(a.value / divisor, a.unsigned)],
          [['modulo', 'mod', 'rem'], () => a.value % divisor]
        ]) {
          for (const name of names) {
            if (divisor === 0n) assert.equal(errorOf(() => left[name](right)).message, 'division by zero')
            else assert.equal(left[name](right).toBigInt(), wanted(), `${left} ${name} ${right}`)
          }
        }
      }
    }
    t.ok(errorOf(() => Long.ONE.div(0)) instanceof BSONError)
    t.done()
  },

  shifts: function (t) {
    for (const a of kinds) {
      const long = longOf(a)
      const signed = BigInt.asIntN(64, a.value)
      for (const bits of [0, 1, 7, 31, 32, 33, 63, 64, 65, -1]) {
        const n = BigInt(bits & 63)
        for (const [names, wanted] of [
          [['shiftLeft', 'shl'], signed << n],
          [['shiftRight', 'shr'], signed >> n],
          [['shiftRightUnsigned', 'shru', 'shr_u'], BigInt.asUintN(64, a.value) >> n]
        ]) {
          for (const name of names) {
            assert.equal(long[name](bits).toBigInt(), cut(wanted, a.unsigned), `${long} ${name} ${bits}`)
            assert.equal(long[name](Long.fromInt(bits)).toBigInt(), cut(wanted, a.unsigned))
          }
        }
      }
    }
    t.strictEqual(Long.ONE.shl(64), Long.ONE)
    t.done()
  },

  'what a value is by itself': function (t) {
    for (const kind of kinds) {
      const long = longOf(kind)
      const { value, unsigned } = kind
      assert.equal(long.isZero(), value === 0n)
      assert.equal(long.eqz(), value === 0n)
      assert.equal(long.isNegative(), value < 0n)
      assert.equal(long.isPositive(), value >= 0n)
      assert.equal(long.isOdd(), (value & 1n) === 1n)
      assert.equal(long.isEven(), (value & 1n) === 0n)
      assert.equal(long.negate().toBigInt(), cut(-value, unsigned))
      assert.equal(long.neg().toBigInt(), cut(-value, unsigned))
      assert.equal(long.not().toBigInt(), cut(~value, unsigned))
      assert.equal(long.getNumBitsAbs(), (value < 0n ? -value : value).toString(2).length)
    }
    t.done()
  },

  'every radix, there and back': function (t) {
    for (const kind of kinds) {
      const long = longOf(kind)
      for (const radix of [2, 3, 7, 8, 10, 16, 24, 35, 36]) {
        const text = long.toString(radix)
        assert.equal(text, kind.value.toString(radix))
        assert.equal(Long.fromString(text, kind.unsigned, radix).toBigInt(), kind.value)
        assert.equal(Long.fromStringStrict(text, kind.unsigned, radix).toBigInt(), kind.value)
        assert.equal(Long.fromStringStrict(text.toUpperCase(), kind.unsigned, radix).toBigInt(), kind.value)
      }
    }
    t.strictEqual(Long.fromString('ff', 16).toInt(), 255)
    t.strictEqual(Long.fromStringStrict('ff', 16).toInt(), 255)
    for (const radix of [1, 37, -5]) t.strictEqual(errorOf(() => Long.ONE.toString(radix)).message, 'radix')
    for (const radix of [1, 37, NaN]) t.strictEqual(errorOf(() => Long.fromString('1', radix)).message, 'radix')
    t.done()
  },

  'fromString is lenient': function (t) {
    const cases = [
      ['NaN', 0n], ['Infinity', 0n], ['+Infinity', 0n], ['-Infinity', 0n], ['+7', 7n], ['12x', 12n],
      ['9223372036854775808', -(2n ** 63n)], ['18446744073709551617', 1n], ['', undefined], ['-', undefined], ['1-', undefined]
    ]
    for (const [text, value] of cases) {
      if (value === undefined) t.ok(errorOf(() => Long.fromString(text)) instanceof BSONError, text)
      else t.strictEqual(Long.fromString(text).toBigInt(), value, text)
    }
    t.strictEqual(Long.fromString('NaN', 36).toString(36), 'nan')
    t.strictEqual(Long.fromString('Infinity', 36).toString(36), 'infinity')
    for (const text of ['Infinity', '+Infinity', '-Infinity']) t.strictEqual(Long.fromString(text, 34).toString(), '0')
    t.strictEqual(errorOf(() => Long.fromString('')).message, 'empty string')
    t.strictEqual(errorOf(() => Long.fromString('1-1')).message, 'interior hyphen')
    t.done()
  },

  'fromStringStrict takes only what is exactly a Long': function (t) {
    const good = [['0', 0n], ['+5', 5n], ['-5', -5n], ['0005', 5n], ['-007', -7n], ['9223372036854775807', 2n ** 63n - 1n]]
    for (const [text, value] of good) t.strictEqual(Long.fromStringStrict(text).toBigInt(), value, text)
    const bad = [
      [' 1', "Input: ' 1' contains leading and/or trailing whitespace"],
      ['', "Input: '' contains invalid characters for radix: 10"],
      ['1.5', "Input: '1.5' contains invalid characters for radix: 10"],
      ['NaN', "Input: 'NaN' contains invalid characters for radix: 10"],
      ['9223372036854775808', 'Input: 9223372036854775808 is not representable as a signed 64-bit Long with radix: 10'],
      ['1+1', 'Input: 1+1 is not representable as a signed 64-bit Long with radix: 10']
    ]
    for (const [text, message] of bad) t.strictEqual(errorOf(() => Long.fromStringStrict(text)).message, message)
    t.strictEqual(errorOf(() => Long.fromStringStrict('-1', true)).message,
      'Input: -1 is not representable as an unsigned 64-bit Long with radix: 10')
    t.strictEqual(errorOf(() => Long.fromStringStrict('8', 8)).message, "Input: '8' contains invalid characters for radix: 8")
    t.done()
  },

  'bytes, in either order': function (t) {
    const long = new Long(0x04030201, 0x08070605)
    t.deepStrictEqual(long.toBytes(true), [1, 2, 3, 4, 5, 6, 7, 8])
    t.deepStrictEqual(long.toBytes(), [8, 7, 6, 5, 4, 3, 2, 1])
    for (const kind of some) {
      const value = longOf(kind)
      t.strictEqual(Long.fromBytes(value.toBytesLE(), kind.unsigned, true).toBigInt(), kind.value)
      t.strictEqual(Long.fromBytes(value.toBytesBE(), kind.unsigned).toBigInt(), kind.value)
    }
    t.done()
  },

  'what the methods take instead of a Long': function (t) {
    t.strictEqual(Long.ONE.add('41').toInt(), 42)
    t.strictEqual(Long.ONE.add(41).toInt(), 42)
    t.strictEqual(Long.ONE.add(new bson.Long(41)).toInt(), 42)
    t.strictEqual(Long.ONE.add({ low: 41, high: 0 }).toInt(), 42)
    t.strictEqual(Long.fromValue({ low: -1, high: -1, unsigned: true }).toBigInt(), 2n ** 64n - 1n)
    t.strictEqual(Long.fromValue({ low: -1, high: -1, unsigned: true }, false).toBigInt(), -1n)
    t.strictEqual(Long.fromValue('5', true).unsigned, true)
    t.strictEqual(Long.fromValue(5, true).unsigned, true)
    t.strictEqual(Long.fromBits(1, 2, true).toBigInt(), (2n << 32n) + 1n)
    t.done()
  },

  isLong: function (t) {
    for (const long of [Long.ZERO, new bson.Long(5), new Timestamp(5n), { __isLong__: true }]) t.strictEqual(Long.isLong(long), true)
    for (const other of [null, undefined, 5, 5n, 'Long', {}, { __isLong__: 1 }]) t.strictEqual(Long.isLong(other), false)
    t.done()
  },

  'the constants': function (t) {
    t.strictEqual(Long.MAX_VALUE.toBigInt(), 2n ** 63n - 1n)
    t.strictEqual(Long.MIN_VALUE.toBigInt(), -(2n ** 63n))
    t.strictEqual(Long.MAX_UNSIGNED_VALUE.toBigInt(), 2n ** 64n - 1n)
    t.strictEqual(Long.TWO_PWR_24.toInt(), 2 ** 24)
    t.deepStrictEqual([Long.ZERO, Long.ONE, Long.NEG_ONE].map(String), ['0', '1', '-1'])
    t.deepStrictEqual([Long.UZERO, Long.UONE].map(long => long.unsigned), [true, true])
    t.done()
  },

  'Extended JSON': function (t) {
    const long = new Long('-9007199254740993')
    t.deepStrictEqual(long.toExtendedJSON(), { $numberLong: '-9007199254740993' })
    t.strictEqual(Long.fromNumber(5).toExtendedJSON({ relaxed: true }), 5)
    t.deepStrictEqual(Long.fromExtendedJSON({ $numberLong: '-9007199254740993' }, { relaxed: false }), long)
    t.strictEqual(Long.fromExtendedJSON({ $numberLong: '+12' }), 12)
    t.strictEqual(Long.fromExtendedJSON({ $numberLong: '12' }, { useBigInt64: true }), 12n)
    const bad = [
      ['9'.repeat(21), /^\$numberLong string is too long$/],
      ['1.5', /^\$numberLong string "1.5" is in an invalid format$/],
      ['007', /in an invalid format$/],
      ['9223372036854775808', /^\$numberLong string "9223372036854775808" is outside the range of an int64$/]
    ]
    for (const [text, message] of bad) {
      t.ok(message.test(errorOf(() => Long.fromExtendedJSON({ $numberLong: text })).message), text)
    }
    t.done()
  },

  'text and the tools that look at own fields': function (t) {
    t.strictEqual(inspect(new Long(5)), "new Long('5')")
    t.strictEqual(inspect(new Long(5, true)), "new Long('5', true)")
    t.strictEqual(new Long(5, true).inspect(), 'new Long("5", true)')
    t.strictEqual(JSON.stringify(new Long(1, 2)), '{"high":2,"low":1,"unsigned":false}')
    t.ok(lodash.isEqual(new Long(1, 2), new Long(1, 2)))
    t.ok(lodash.cloneDeep(new Long(1, 2)).equals(new Long(1, 2)))
    assert.deepStrictEqual(new Long(1, 2), new Long(1, 2))
    assert.notDeepStrictEqual(new Long(1, 2), new Long(1, 3))
    t.deepStrictEqual(structuredClone(new Long(1, 2)), { high: 2, low: 1, unsigned: false })
    t.done()
  }
}
