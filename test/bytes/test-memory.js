'use strict'

const assert = require('node:assert')
const vm = require('node:vm')
const fc = require('fast-check')
const bytes = require('../../lib/bytes/memory')
const { requireWithoutBuffer } = require('../without-buffer')

const browser = requireWithoutBuffer('lib/bytes/memory')

const INT32S = [0, 1, -1, 127, 128, 255, 256, 65535, 65536, 0x7fffffff, -0x80000000, 0x12345678, -0x12345678]
const INT64S = [0n, 1n, -1n, 0xffffffffn, 0x100000000n, -0x100000000n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n), 0x0102030405060708n]

function sameError(error) {
  return error.name === 'BSONError'
}

function suite(lib, isNode) {
  const { toBytes } = lib
  const isOurs = value => (isNode ? Buffer.isBuffer(value) : value instanceof Uint8Array && !Buffer.isBuffer(value))

  return {
    'int32, little-endian, signed and unsigned': t => {
      for (const n of INT32S) {
        const buf = new Uint8Array(7).fill(0xee)
        t.strictEqual(lib.putInt32(n, buf, 1), 5)
        t.strictEqual(new DataView(buf.buffer).getInt32(1, true), n)
        t.deepStrictEqual([buf[0], buf[5]], [0xee, 0xee])
        t.strictEqual(lib.getInt32(buf, 1), n)
        t.strictEqual(lib.getUint32(buf, 1), n >>> 0)
      }
      t.done()
    },

    'int64, little-endian': t => {
      for (const n of INT64S) {
        const buf = new Uint8Array(10)
        t.strictEqual(lib.putInt64(n, buf, 1), 9)
        t.strictEqual(new DataView(buf.buffer).getBigInt64(1, true), n)
        t.strictEqual(lib.getInt64(buf, 1), n)
      }
      const buf = new Uint8Array(8)
      lib.putInt64(2n ** 64n + 5n, buf, 0)
      t.strictEqual(lib.getInt64(buf, 0), 5n)
      t.done()
    },

    'what counts as bytes shares its memory': t => {
      const memory = Uint8Array.from([9, 1, 2, 3, 9]).buffer
      const inputs = [
        new Uint8Array(memory, 1, 3),
        new DataView(memory, 1, 3),
        new Int8Array(memory, 1, 3),
        new Uint8ClampedArray(memory, 1, 3),
        Buffer.from(memory, 1, 3)
      ]
      for (const input of inputs) {
        const result = toBytes(input)
        t.deepStrictEqual([...result], [1, 2, 3])
        t.strictEqual(result.buffer, memory)
      }
      t.deepStrictEqual([...toBytes(memory)], [9, 1, 2, 3, 9])
      t.strictEqual(toBytes(memory).buffer, memory)
      const shared = new SharedArrayBuffer(2)
      t.strictEqual(toBytes(shared).buffer, shared)
      t.deepStrictEqual([...toBytes([0, 255, 7])], [0, 255, 7])
      t.deepStrictEqual([...toBytes([])], [])
      t.ok(isOurs(toBytes(memory)) && isOurs(toBytes([1])) && isOurs(toBytes(new DataView(memory))))
      t.deepStrictEqual([...toBytes(vm.runInNewContext('new Uint8Array([4, 5])'))], [4, 5])
      t.deepStrictEqual([...toBytes(vm.runInNewContext('new Uint8Array([4, 5]).buffer'))], [4, 5])
      t.done()
    },

    'what is no bytes is refused': t => {
      const tagged = tag => ({ [Symbol.toStringTag]: tag, byteLength: 5 })
      for (const input of [undefined, null, 'text', 5, {}, { length: 3 }, new Map(), tagged('ArrayBuffer'), tagged('SharedArrayBuffer'), tagged('Uint8Array')]) {
        assert.throws(() => toBytes(input), sameError)
      }
      for (const wrong of [256, -1, 1.5, NaN, '1', undefined, null, {}]) {
        assert.throws(() => toBytes([1, wrong]), error => sameError(error) && /element 1 of the array is not a byte/.test(error.message))
      }
      t.done()
    },

    'isUint8Array and isAnyArrayBuffer see through realms and lies': t => {
      t.deepStrictEqual([new Uint8Array(1), Buffer.alloc(1), vm.runInNewContext('new Uint8Array(1)')].map(lib.isUint8Array), [true, true, true])
      t.deepStrictEqual([new Int8Array(1), [], {}, null, undefined, 'x', new ArrayBuffer(1)].filter(lib.isUint8Array), [])
      const buffers = [new ArrayBuffer(1), new SharedArrayBuffer(1), vm.runInNewContext('new ArrayBuffer(1)')]
      t.deepStrictEqual(buffers.map(lib.isAnyArrayBuffer), [true, true, true])
      t.deepStrictEqual([new Uint8Array(1), { [Symbol.toStringTag]: 'ArrayBuffer' }, {}, null, 5].filter(lib.isAnyArrayBuffer), [])
      t.done()
    },

    'allocate gives memory of its own': t => {
      const [a, b] = [lib.allocate(10), lib.allocate(10)]
      t.ok(isOurs(a) && a.length === 10 && a.buffer !== b.buffer && a.buffer.byteLength === 10)
      t.done()
    },

    'copyOf copies a part': t => {
      for (const size of [0, 1, 16, 17, 100]) {
        const source = Uint8Array.from({ length: size }, (_, i) => i + 1)
        const copy = lib.copyOf(source)
        t.ok(isOurs(copy) || !isNode)
        t.deepStrictEqual([...copy], [...source])
        source.fill(0)
        t.strictEqual(copy[0], size === 0 ? undefined : 1)
      }
      const source = Uint8Array.from({ length: 50 }, (_, i) => i)
      t.deepStrictEqual([...lib.copyOf(source, 5, 8)], [5, 6, 7])
      t.deepStrictEqual([...lib.copyOf(source, 5, 45)], [...source.subarray(5, 45)])
      t.deepStrictEqual([...lib.copyOf(source, 20)], [...source.subarray(20)])
      t.done()
    },

    'concat, compare, equals as Buffer has them': t => {
      const byteArray = fc.uint8Array({ maxLength: 6, max: 3 })
      fc.assert(
        fc.property(byteArray, byteArray, fc.array(byteArray), (a, b, list) => {
          assert.deepStrictEqual([...lib.concat(list)], [...Buffer.concat(list)])
          assert.strictEqual(Math.sign(lib.compareBytes(a, 0, a.length, b, 0, b.length)), Buffer.compare(a, b))
          assert.strictEqual(lib.equals(a, b), Buffer.compare(a, b) === 0)
        })
      )
      t.deepStrictEqual([...lib.concat([])], [])
      t.done()
    },

    'base64 as Buffer has it': t => {
      fc.assert(
        fc.property(fc.uint8Array(), data => {
          const base64 = Buffer.from(data).toString('base64')
          assert.strictEqual(lib.toBase64(data), base64)
          assert.deepStrictEqual([...lib.fromBase64(base64)], [...data])
        })
      )
      const view = new Uint8Array([0, 1, 2, 3, 4]).subarray(1, 4)
      t.strictEqual(lib.toBase64(view), 'AQID')
      t.done()
    },

    'a BufferView is a view': t => {
      const memory = Uint8Array.from([1, 2, 3, 4]).buffer
      const view = new lib.BufferView(memory, 1, 2)
      t.deepStrictEqual([...view], [2, 3])
      t.strictEqual(view.buffer, memory)
      t.strictEqual(Buffer.isBuffer(view), isNode)
      t.strictEqual(typeof view.subarray, 'function')
      t.done()
    }
  }
}

module.exports = {
  node: suite(bytes, true),
  browser: suite(browser, false),

  'a browser refuses what is no base64': t => {
    t.throws(() => browser.fromBase64('not base64!'), sameError)
    t.done()
  },

  'Node is found and missed': t => {
    t.strictEqual(bytes.NodeBuffer, Buffer)
    t.strictEqual(browser.NodeBuffer, undefined)
    t.done()
  }
}
