'use strict'

// Rows of numbers and times for vectors.js, which describes the rows.

const { Long, Decimal128, Timestamp, Int32, Double } = require('../lib/types')
const { RAW, x, promoted } = require('./fixtures/vector-rows')

const doubles = [
  x('double', '1.5', 1.5, '01 000000000000f83f'),
  x('double', '0.1', 0.1, '01 9a9999999999b93f'),
  x('double', '-0.1', -0.1, '01 9a9999999999b9bf'),
  x('double', '-0', -0, '01 0000000000000080'),
  x('double', '-0 and 0 in an array', [-0, 0], '04 1700000001300000000000000000801031000000000000'),
  x('double', 'Infinity', Infinity, '01 000000000000f07f'),
  x('double', '-Infinity', -Infinity, '01 000000000000f0ff'),
  x('double', 'NaN', NaN, '01 000000000000f87f'),
  x('double', 'NaN with a payload', NaN, '01 120000000000f87f', { oneWay: 'decode' }),
  x('double', 'a signalling NaN', NaN, '01 010000000000f07f', { oneWay: 'decode' }),
  x('double', 'a negative NaN', NaN, '01 000000000000f8ff', { oneWay: 'decode' }),
  x('double', 'the smallest', 5e-324, '01 0100000000000000'),
  x('double', 'the largest', Number.MAX_VALUE, '01 ffffffffffffef7f'),
  x('double', 'an integer kept as double', 1, '01 000000000000f03f', { oneWay: 'decode' }),
  x('double', 'int32 max + 1', 2147483648, '01 000000000000e041'),
  x('double', 'int32 min - 1', -2147483649, '01 000020000000e0c1'),
  x('double', '2^53', 2 ** 53, '01 0000000000004043'),
  x('double', '2^53 - 1', 2 ** 53 - 1, '01 ffffffffffff3f43'),
  x('double', '-(2^53)', -(2 ** 53), '01 00000000000040c3'),
  x('double', '2^63', 2 ** 63, '01 000000000000e043'),
  x('double', '1e300', 1e300, '01 9c7500883ce4377e'),
  ...promoted('double', 'Double 1', new Double(1), 1, '01 000000000000f03f'),
  ...promoted('double', 'Double -0', new Double(-0), -0, '01 0000000000000080'),
  ...promoted('double', 'Double NaN', new Double(NaN), NaN, '01 000000000000f87f')
]

const int32s = [
  ...[[0, '00000000'], [1, '01000000'], [-1, 'ffffffff'], [255, 'ff000000'], [256, '00010000'], [0x7fffffff, 'ffffff7f'], [-0x80000000, '00000080']].map(
    ([value, bytes]) => x('int32', String(value), value, `10 ${bytes}`)
  ),
  ...promoted('int32', 'Int32 42', new Int32(42), 42, '10 2a000000'),
  ...promoted('int32', 'Int32 min', new Int32(-2147483648), -2147483648, '10 00000080'),
  x('int32', '1.0 is an integer', 1, '10 01000000', { from: { x: 1.0 } })
]

const BIG = { useBigInt64: true }
const LONG = { promoteLongs: false }

function int64(name, big, bytes) {
  const long = Long.fromBigInt(big)
  const isSafe = big >= -(2n ** 53n) && big <= 2n ** 53n
  return [
    x('int64', `${name} as bigint`, big, `12 ${bytes}`, { options: BIG }),
    x('int64', `${name} as Long`, long, `12 ${bytes}`, { options: LONG }),
    x('int64', `${name} as Long, no values promoted`, long, `12 ${bytes}`, { options: RAW }),
    x('int64', `${name} by default`, isSafe ? Number(big) : long, `12 ${bytes}`, { from: { x: long } })
  ]
}

const int64s = [
  ...int64('0', 0n, '0000000000000000'),
  ...int64('1', 1n, '0100000000000000'),
  ...int64('-1', -1n, 'ffffffffffffffff'),
  ...int64('2^31', 2n ** 31n, '0000008000000000'),
  ...int64('2^32', 2n ** 32n, '0000000001000000'),
  ...int64('-2^32', -(2n ** 32n), '00000000ffffffff'),
  ...int64('-(2^32) - 1', -(2n ** 32n) - 1n, 'fffffffffeffffff'),
  ...int64('2^53 - 1', 2n ** 53n - 1n, 'ffffffffffff1f00'),
  ...int64('2^53', 2n ** 53n, '0000000000002000'),
  ...int64('2^53 + 1', 2n ** 53n + 1n, '0100000000002000'),
  ...int64('-(2^53)', -(2n ** 53n), '000000000000e0ff'),
  ...int64('-(2^53) - 1', -(2n ** 53n) - 1n, 'ffffffffffffdfff'),
  ...int64('max', 2n ** 63n - 1n, 'ffffffffffffff7f'),
  ...int64('min', -(2n ** 63n), '0000000000000080'),
  x('int64', 'an unsigned Long is its bits', Long.fromInt(-1), '12 ffffffffffffffff', { from: { x: Long.MAX_UNSIGNED_VALUE }, options: LONG })
]

const dates = [
  ...[
    ['epoch', 0, '0000000000000000'],
    ['one before', -1, 'ffffffffffffffff'],
    ['in 2012', 1356351330501, 'c5d8d6cc3b010000'],
    ['in 1960', -284643869501, 'c33ce7b9bdffffff'],
    ['in the year 10000', 253402300800000, '00dc1fd277e60000'],
    ['the last that JavaScript has', 8.64e15, '0000dcc208b21e00'],
    ['the first that JavaScript has', -8.64e15, '0000243df74de1ff']
  ].map(([name, ms, bytes]) => x('date', name, new Date(ms), `09 ${bytes}`))
]

const timestamps = [
  x('timestamp', 'zero', new Timestamp({ t: 0, i: 0 }), '11 0000000000000000'),
  x('timestamp', 'increment before seconds', new Timestamp({ t: 123456789, i: 42 }), '11 2a00000015cd5b07'),
  x('timestamp', 'all ones', new Timestamp({ t: 0xffffffff, i: 0xffffffff }), '11 ffffffffffffffff'),
  x('timestamp', 'the high bit of the increment', new Timestamp({ t: 1, i: 0x80000000 }), '11 0000008001000000')
]

const DECIMALS = [
  ['NaN', '0000000000000000000000000000007c'],
  ['Infinity', '00000000000000000000000000000078'],
  ['-Infinity', '000000000000000000000000000000f8'],
  ['0', '00000000000000000000000000004030'],
  ['-0', '000000000000000000000000000040b0'],
  ['0.1', '01000000000000000000000000003e30'],
  ['1E-6176', '01000000000000000000000000000000'],
  ['9.999999999999999999999999999999999E+6144', 'ffffffff638e8d37c087adbe09edff5f']
]
const decimals = [
  ...DECIMALS.map(([text, bytes]) => x('decimal128', text, Decimal128.fromString(text), `13 ${bytes}`)),
  x('decimal128', 'not canonical, bits kept', new Decimal128(Buffer.from('ffffffffffffffffffffffffffffffff', 'hex')), `13 ${'ff'.repeat(16)}`)
]

module.exports = { numbers: [...doubles, ...int32s, ...int64s, ...dates, ...timestamps, ...decimals] }
