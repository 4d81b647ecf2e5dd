'use strict'

const assert = require('node:assert')
const get = require('../../lib/decode/get')
const { decode } = require('../../lib/decode')
const types = require('../../lib/types')
const { unhex, string } = require('../fixtures/bytes')

module.exports = {
  'text, checked or not': t => {
    const buf = unhex('ff' + string('é') + 'ff')
    t.strictEqual(get.getText(buf, 5, 7, true), 'é')
    t.strictEqual(get.getString(buf, 1, 8, true), 'é')
    assert.throws(() => get.getText(buf, 5, 6, true), error => error.name === 'BSONError' && error.offset === 5)
    t.strictEqual(get.getText(buf, 5, 6, false), '�')
    t.done()
  },

  'int64, as a number exactly where there is one': t => {
    const positive = [0n, 1n, 2n ** 32n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n]
    for (const big of [...positive, ...positive.map(big => -big), -(2n ** 63n)]) {
      const buf = Buffer.alloc(10)
      buf.writeBigInt64LE(big, 1)
      t.strictEqual(get.longOf(buf.readInt32LE(1), buf.readInt32LE(5)).toBigInt(), big)
      const promoted = get.promoted(buf.readInt32LE(1), buf.readInt32LE(5))
      const isExact = big >= -(2n ** 53n) && big <= 2n ** 53n
      if (isExact) t.strictEqual(promoted, Number(big))
      else t.strictEqual(promoted.toBigInt(), big)
    }
    t.done()
  },

  'dates, as far as JavaScript has them': t => {
    const dateAt = ms => {
      const buf = Buffer.alloc(8)
      buf.writeBigInt64LE(ms)
      return decode(Buffer.concat([unhex('10000000096100'), buf, unhex('00')])).a.getTime()
    }
    t.deepStrictEqual([0n, -1n, 8640000000000000n, -8640000000000000n].map(dateAt), [0, -1, 8.64e15, -8.64e15])
    t.ok(Number.isNaN(dateAt(8640000000000001n)) && Number.isNaN(dateAt(-(2n ** 63n))))
    t.done()
  },

  'timestamps and decimals': t => {
    const stamp = get.getTimestamp(unhex('ff 2a000000 ffffffff'), 1)
    t.deepStrictEqual([stamp.i, stamp.t], [42, 0xffffffff])
    const buf = unhex('ff' + '01'.repeat(16))
    const decimal = get.getDecimal128(buf, 1)
    buf.fill(0)
    t.strictEqual(Buffer.from(decimal.bytes).toString('hex'), '01'.repeat(16))
    t.done()
  },

  'binary data is copied, of each layout': t => {
    const rows = [['0300000000aabbcc', 0], ['0300000080aabbcc', 0x80], ['070000000203000000aabbcc', 2]]
    for (const [hex, subtype] of rows) {
      const buf = unhex('ff' + hex)
      const [binary, bytes] = [get.getBinary(buf, 1, buf.length, false), get.getBinary(buf, 1, buf.length, true)]
      buf.fill(0)
      t.deepStrictEqual([binary.sub_type, Buffer.from(binary.buffer).toString('hex')], [subtype, 'aabbcc'])
      t.strictEqual(bytes.toString('hex'), 'aabbcc')
    }
    const uuid = unhex('1000000004' + '11'.repeat(16))
    t.ok(get.getBinary(uuid, 0, uuid.length, false) instanceof types.UUID)
    const short = unhex('0100000004' + '11')
    t.ok(!(get.getBinary(short, 0, short.length, false) instanceof types.UUID))
    t.done()
  },

  'regular expressions, as JavaScript has them or as BSON': t => {
    const read = (pattern, options, asBson, isLenient = false) => {
      const buf = Buffer.from(`${pattern}\0${options}\0`)
      return get.getRegex(buf, 0, buf.length, { utf8Names: true, bsonRegExp: asBson, isLenient })
    }
    for (const options of ['', 'i', 'm', 's', 'u', 'im', 'imsu']) {
      const regexp = read('a.b', options, false)
      t.ok(regexp instanceof RegExp && regexp.source === 'a.b' && regexp.flags === options)
    }
    for (const [pattern, options] of [['(?<a', ''], ['a', 'x'], ['a', 'l'], ['a', 'ii'], ['\\p{L', 'u'], ['(?i)a', 'lx'], ['(?i)a', ''], ['a++', ''], ['(a)*+b', 'i']]) {
      const value = read(pattern, options, false)
      t.ok(value instanceof types.BSONRegExp && value.pattern === pattern)
    }
    for (const pattern of ['[*+]+', '\\*+', '(?:a)+', '(?=a)', 'a+?']) t.ok(read(pattern, '', false) instanceof RegExp, pattern)
    t.ok(read('a', 'i', true) instanceof types.BSONRegExp)
    t.ok(read('x'.repeat(1024), 'i', false) instanceof RegExp)
    for (const [pattern, options] of [['x'.repeat(1025), ''], ['/'.repeat(513), ''], ['\\p{L}', 'u'], ['[^\\P{Lu}]', 'iu']]) {
      const value = read(pattern, options, false)
      t.ok(value instanceof types.BSONRegExp && value.pattern === pattern && value.options === options, 'would take long')
    }
    t.ok(read('\\p{L}', 'i', false) instanceof RegExp, 'without the option u it is the letter p')
    assert.throws(() => read('a', 'g', false), error => error.name === 'BSONError' && error.offset === 2)
    for (const [options, flags] of [['g', ''], ['gi', 'i'], ['zsé', 's']]) t.deepStrictEqual(read('a', options, false, true), new RegExp('a', flags))
    assert.throws(() => read('a', 'g', true, true), error => error.name === 'BSONError' && error.offset === 2)
    t.done()
  },

  'pointers are references': t => {
    const buf = unhex(string('db.c') + '0123456789abcdef01234567')
    const { collection, db, oid } = get.getDBPointer(buf, 0, buf.length, true)
    t.deepStrictEqual([collection, db, oid.toHexString()], ['c', 'db', '0123456789abcdef01234567'])
    t.done()
  }
}
