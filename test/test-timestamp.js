'use strict'

const { inspect } = require('node:util')
const bson = require('bson')
const { Timestamp, Long, Int32 } = require('../lib/types')
const { BSONError } = require('../lib/errors')
const { errorOf } = require('./fixtures/error-of')

module.exports = {
  'seconds and an ordinal, unsigned': function (t) {
    const all = 2 ** 32 - 1
    for (const [time, i] of [[1, 2], [0, 0], [all, all], [2 ** 31, 5]]) {
      const value = (BigInt(time) << 32n) | BigInt(i)
      for (const timestamp of [
        new Timestamp({ t: time, i }), new Timestamp(value), new Timestamp(Long.fromBigInt(value)), new Timestamp(i, time),
        new Timestamp(new bson.Long(i, time)), Timestamp.fromBits(i, time), new Timestamp({ t: time, i, more: 1 })
      ]) {
        t.deepEqual([timestamp.t, timestamp.i, timestamp.unsigned], [time, i, true])
        t.equal(timestamp.toBigInt(), value)
        t.deepEqual(Object.keys(timestamp), ['high', 'low', 'unsigned'])
      }
    }
    t.equal(new Timestamp().toBigInt(), 0n)
    t.equal(new Timestamp(null).toBigInt(), 0n)
    t.equal(new Timestamp({ t: new Int32(7), i: new Int32(8) }).toString(), String((7n << 32n) + 8n))
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
      t.equal(error.message, message)
    }
    t.equal(errorOf(() => Timestamp.fromBits(-1, 1)).message, `${rule} a positive i`)
    t.done()
  },

  'it is a Long to those who ask': function (t) {
    const timestamp = new Timestamp({ t: 1, i: 2 })
    t.ok(timestamp instanceof Long && timestamp.__isLong__)
    t.equal(timestamp._bsontype, 'Timestamp')
    t.equal(timestamp[Symbol.for('@@mdb.bson.type')], 'Timestamp')
    t.equal(timestamp.compare(new Timestamp({ t: 1, i: 3 })), -1)
    t.equal(timestamp.equals(new bson.Timestamp({ t: 1, i: 2 })), true)
    t.equal(Timestamp.MAX_VALUE, Long.MAX_UNSIGNED_VALUE)
    t.equal(timestamp.add(1) instanceof Timestamp, false)
    t.done()
  },

  'the older statics': function (t) {
    t.equal(Timestamp.fromInt(5).i, 5)
    t.equal(Timestamp.fromNumber(2 ** 32 + 5).t, 1)
    t.equal(Timestamp.fromString('4294967301', 10).i, 5)
    t.equal(Timestamp.fromString('100000005', 16).t, 1)
    t.ok(Timestamp.fromInt(5) instanceof Timestamp)
    t.done()
  },

  'text and JSON': function (t) {
    const timestamp = new Timestamp({ t: 1, i: 2 })
    t.equal(inspect(timestamp), 'new Timestamp({ t: 1, i: 2 })')
    t.equal(timestamp.inspect(), 'new Timestamp({ t: 1, i: 2 })')
    t.deepEqual(timestamp.toJSON(), { $timestamp: '4294967298' })
    t.deepEqual(timestamp.toExtendedJSON(), { $timestamp: { t: 1, i: 2 } })
    t.ok(Timestamp.fromExtendedJSON({ $timestamp: { t: 1, i: 2 } }).equals(timestamp))
    t.ok(Timestamp.fromExtendedJSON({ $timestamp: { t: Long.ONE, i: Long.fromInt(2) } }).equals(timestamp))
    t.equal(Timestamp.fromExtendedJSON({ $timestamp: { t: new Long(-1, 0), i: 0 } }).t, 2 ** 32 - 1)
    t.done()
  }
}
