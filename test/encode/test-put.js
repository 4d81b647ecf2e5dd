'use strict'

const assert = require('node:assert')
const put = require('../../lib/encode/put')
const types = require('../../lib/types')
const { Output, beginInto } = require('../../lib/encode/output')
const { string, int32 } = require('../fixtures/bytes')

/** What a function writes into an output, as hex. */
function written(run) {
  const out = new Output()
  const start = out.begin()
  return out.finish(run(out, start)).toString('hex')
}

/** The same for functions that write into existing memory. */
function writtenAt(run) {
  const buf = Buffer.alloc(30, 0xee)
  const end = run(buf, 2)
  assert.ok(buf[0] === 0xee && buf[1] === 0xee && buf.subarray(end).every(byte => byte === 0xee))
  return buf.subarray(2, end).toString('hex')
}

/** An output that is that memory. */
function into(buf) {
  const out = new Output()
  beginInto(out, buf, 0)
  return out
}

function isBSONError(error) {
  return error.name === 'BSONError'
}

module.exports = {
  'strings of every length': t => {
    for (const text of ['', 'a', 'é', 'a\0b', 'x'.repeat(5000), 'é'.repeat(20000), '😀'.repeat(5000)]) {
      t.strictEqual(written((out, pos) => put.putString(out, text, pos)), string(text))
    }
    t.done()
  },

  'ids by their integers, others by their bytes': t => {
    const hex = '0123456789abcdef01234567'
    t.strictEqual(writtenAt((buf, pos) => put.putObjectId(into(buf), new types.ObjectId(hex), pos)), hex)
    t.strictEqual(writtenAt((buf, pos) => put.putObjectId(into(buf), { toHexString: () => hex }, pos)), hex)
    t.strictEqual(writtenAt((buf, pos) => put.putObjectId(into(buf), { id: Buffer.from(hex, 'hex') }, pos)), hex)
    for (const wrong of [{}, { id: Buffer.alloc(11) }, { toHexString: () => 'zz' }, { toHexString: () => 'aa' }, { toHexString: () => 5 }]) {
      assert.throws(() => put.putObjectId(into(Buffer.alloc(12)), wrong, 0), isBSONError)
    }
    t.done()
  },

  'dates': t => {
    for (const ms of [0, 1, -1, 1e12, -1e12, 8.64e15, -8.64e15]) {
      const expected = Buffer.alloc(8)
      expected.writeBigInt64LE(BigInt(ms))
      t.strictEqual(writtenAt((buf, pos) => put.putDate(into(buf), new Date(ms), pos)), expected.toString('hex'))
    }
    for (const wrong of [new Date(NaN), {}, { getTime: () => 8.64e15 + 1 }, { getTime: () => '5' }, Object.create(Date.prototype)]) {
      assert.throws(() => put.putDate(into(Buffer.alloc(8)), wrong, 0), isBSONError)
    }
    t.done()
  },

  'integers of 64 bits': t => {
    for (const big of [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)]) {
      const expected = Buffer.alloc(8)
      expected.writeBigInt64LE(big)
      t.strictEqual(writtenAt((buf, pos) => put.putBigInt(big, buf, pos)), expected.toString('hex'))
      t.strictEqual(writtenAt((buf, pos) => put.putLong(into(buf), types.Long.fromBigInt(big), pos)), expected.toString('hex'))
    }
    assert.throws(() => put.putBigInt(2n ** 63n, Buffer.alloc(8), 0), isBSONError)
    for (const wrong of [{}, { low: 1 }, { high: 1 }, { low: '1', high: 2 }]) assert.throws(() => put.putLong(into(Buffer.alloc(8)), wrong, 0), isBSONError)
    t.done()
  },

  'decimals': t => {
    t.strictEqual(writtenAt((buf, pos) => put.putDecimal128({ bytes: new Uint8Array(16).fill(1) }, buf, pos)), '01'.repeat(16))
    for (const bytes of [undefined, [], new Uint8Array(15), new Uint8Array(17)]) {
      assert.throws(() => put.putDecimal128({ bytes }, Buffer.alloc(16), 0), isBSONError)
    }
    t.done()
  },

  'bytes of any kind': t => {
    const memory = Uint8Array.from([9, 1, 2, 3, 9]).buffer
    for (const value of [new Uint8Array(memory, 1, 3), new DataView(memory, 1, 3), new Int8Array(memory, 1, 3), memory.slice(1, 4)]) {
      t.strictEqual(written((out, pos) => put.putBinary(out, value, pos)), int32(3) + '00010203')
    }
    const room = new types.Binary(Buffer.alloc(40, 5), 0x80)
    room.position = 20
    t.strictEqual(written((out, pos) => put.putBinary(out, room, pos)), int32(20) + '80' + '05'.repeat(20))
    t.strictEqual(written((out, pos) => put.putBinary(out, new types.Binary(Buffer.from('a'), 2), pos)), int32(5) + '02' + int32(1) + '61')
    const gone = new Uint8Array(8)
    structuredClone(gone.buffer, { transfer: [gone.buffer] })
    for (const value of [gone, gone.buffer]) {
      t.throws(() => written((out, pos) => put.putBinary(out, value, pos)), error => {
        return isBSONError(error) && error.message.startsWith('bytes cannot be read')
      })
    }
    t.strictEqual(written((out, pos) => put.putBinary(out, new Uint8Array(0), pos)), int32(0) + '00')
    t.done()
  },

  'regular expressions': t => {
    const hex = value => written((out, pos) => put.putRegex(out, value, pos))
    t.strictEqual(hex(/a.b/dgimsuy), Buffer.from('a.b\0imsu\0').toString('hex'))
    t.strictEqual(hex(/a.b/g), Buffer.from('a.b\0\0').toString('hex'))
    t.strictEqual(hex(new types.BSONRegExp('é', 'xi')), Buffer.from('é\0ix\0').toString('hex'))
    t.strictEqual(hex({ pattern: 'x'.repeat(9000), options: 'mi' }), Buffer.from('x'.repeat(9000) + '\0im\0').toString('hex'))
    for (const wrong of [{}, { pattern: 'a' }, { pattern: 5, options: '' }, { pattern: 'a\0', options: '' }, { pattern: 'a', options: '\0' }, new RegExp('\0'), new RegExp('a', 'v')]) {
      assert.throws(() => hex(wrong), isBSONError)
    }
    t.done()
  },

  'texts of code and symbols': t => {
    t.strictEqual(put.codeText({ code: 'f()' }), 'f()')
    t.strictEqual(put.codeText({ code: () => 1 }), '() => 1')
    t.strictEqual(put.codeText(() => 2), '() => 2')
    t.strictEqual(put.symbolText({ value: 's' }), 's')
    for (const wrong of [{}, { code: 5 }, { code: null }]) assert.throws(() => put.codeText(wrong), isBSONError)
    for (const wrong of [{}, { value: 5 }]) assert.throws(() => put.symbolText(wrong), isBSONError)
    t.done()
  },

  'each field is asked for once: what is checked is what is written': t => {
    const once = (value, name, then) => {
      const answers = [value[name], then]
      return Object.defineProperty(value, name, { get: () => (answers.length > 1 ? answers.shift() : answers[0]) })
    }
    const regexp = name => once(new types.BSONRegExp('ab', 'i'), name, 5)
    for (const name of ['pattern', 'options']) {
      t.strictEqual(written((out, pos) => put.putRegex(out, regexp(name), pos)), '6162006900')
    }
    const long = name => once(new types.Long(1, 2), name, 'x')
    for (const name of ['low', 'high']) {
      t.strictEqual(written((out, pos) => put.putLong(out, long(name), pos)), int32(1) + int32(2))
    }
    const decimal = once(types.Decimal128.fromString('0'), 'bytes', null)
    t.strictEqual(writtenAt((buf, pos) => put.putDecimal128(decimal, buf, pos)).length, 32)
    t.strictEqual(put.int32Of(once(new types.Int32(7), 'value', 7.5)), 7)
    t.done()
  }
}
