'use strict'

const { inspect } = require('node:util')
const bson = require('bson')
const { Timestamp, Long, Int32 } = require('../../lib/types')
const { BSONError } = require('../../lib/errors')
const { errorOf } = require('../fixtures/error-of')

module.exports = {
  'seconds and an ordinal, unsigned': function (t) {
    const all = 2 ** 32 - 1
    for (const [time, i] of [[1, 2], [0, 0], [all, all], [2 ** 31, 5]]) {
      const value = (BigInt(time) << 32n) | BigInt(i)
      for (const timestamp of [
        new Timestamp({ t: time, i }), new Timestamp(value), new Timestamp(Long.fromBigInt(value)), new Timestamp(i, time),
        new Timestamp(new bson.Long(i, time)), Timestamp.fromBits(i, time), new Timestamp({ t: time, i, more: 1 })
      ]) {
        t.deepStrictEqual([timestamp.t, timestamp.i, timestamp.unsigned], [time, i, true])
        t.strictEqual(timestamp.toBigInt(), value)
        t.deepStrictEqual(Object.keys(timestamp), ['high', 'low', 'unsigned'])
      }
    }
    t.strictEqual(new Timestamp().toBigInt(), 0n)
    t.strictEqual(new Timestamp(null).toBigInt(), 0n)
    t.strictEqual(new Timestamp({ t: new Int32(7), i: new Int32(8) }).toString(), String((7n << 32n) + 8n))
    t.done()
  },

  'what it is not made of': function (t) {
    const rule = 'Timestamp constructed from { t, i } must provide'
    const cases = [
      [5, 'A Timestamp can only be constructed with: bigint, Long, or { t: number; i: number }'],
      ['5', 'A Timestamp can only be constructed with: bigint, Long, or { t: number; i: number }'],
      [{ t: 1 }, 'A Timestamp can only be constructed with: bigint, Long, or { t: number; i: number }'],
      [{ t: '1', i: 1 }, `${rule} t as a number`],
      [{ t: null, i: 1 }, `${rule} t as a number`],
      [{ t: 1, i: {} }, `${rule} i as a number`],
      [{ t: -1, i: 1 }, `${rule} a positive t`],
      [{ t: 1, i: NaN }, `${rule} a positive i`],
      [{ t: 2 ** 32, i: 1 }, `${rule} t equal or less than uint32 max`],
      [{ t: 1, i: 2 ** 32 }, `${rule} i equal or less than uint32 max`]
    ]
    for (const [input, message] of cases) {
      const error = errorOf(() => new Timestamp(input))
      t.ok(error instanceof BSONError)
      t.strictEqual(error.message, message)
    }
    t.strictEqual(errorOf(() => Timestamp.fromBits(-1, 1)).message, `${rule} a positive i`)
    t.done()
  },

  'it is a Long to those who ask': function (t) {
    const timestamp = new Timestamp({ t: 1, i: 2 })
    t.ok(timestamp instanceof Long && timestamp.__isLong__)
    t.strictEqual(timestamp._bsontype, 'Timestamp')
    t.strictEqual(timestamp[Symbol.for('@@mdb.bson.type')], 'Timestamp')
    t.strictEqual(timestamp.compare(new Timestamp({ t: 1, i: 3 })), -1)
    t.strictEqual(timestamp.equals(new bson.Timestamp({ t: 1, i: 2 })), true)
    t.strictEqual(Timestamp.MAX_VALUE, Long.MAX_UNSIGNED_VALUE)
    t.strictEqual(timestamp.add(1) instanceof Timestamp, false)
    t.done()
  },

  'the older statics': function (t) {
    t.strictEqual(Timestamp.fromInt(5).i, 5)
    t.strictEqual(Timestamp.fromNumber(2 ** 32 + 5).t, 1)
    t.strictEqual(Timestamp.fromString('4294967301', 10).i, 5)
    t.strictEqual(Timestamp.fromString('100000005', 16).t, 1)
    t.ok(Timestamp.fromInt(5) instanceof Timestamp)
    t.done()
  },

  'text and JSON': function (t) {
    const timestamp = new Timestamp({ t: 1, i: 2 })
    t.strictEqual(inspect(timestamp), 'new Timestamp({ t: 1, i: 2 })')
    t.strictEqual(timestamp.inspect(), 'new Timestamp({ t: 1, i: 2 })')
    t.deepStrictEqual(timestamp.toJSON(), { $timestamp: '4294967298' })
    t.deepStrictEqual(timestamp.toExtendedJSON(), { $timestamp: { t: 1, i: 2 } })
    t.ok(Timestamp.fromExtendedJSON({ $timestamp: { t: 1, i: 2 } }).equals(timestamp))
    t.ok(Timestamp.fromExtendedJSON({ $timestamp: { t: Long.ONE, i: Long.fromInt(2) } }).equals(timestamp))
    t.strictEqual(Timestamp.fromExtendedJSON({ $timestamp: { t: new Long(-1, 0), i: 0 } }).t, 2 ** 32 - 1)
    t.done()
  }
}
