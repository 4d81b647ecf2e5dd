'use strict'

const { Binary } = require('../../lib/types')
const { BSONError } = require('../../lib/errors')
const { validateVector, floatsToBytes, bytesToFloats } = require('../../lib/types/vector')
const { errorOf } = require('../fixtures/error-of')

const { Int8, Float32, PackedBit } = Binary.VECTOR_TYPE

/** [the vector's bytes, what is wrong with it] */
const wrong = [
  [[Int8, 1, 5], 'Invalid Vector: padding must be zero for int8 and float32 vectors'],
  [[Float32, 1, 0, 0, 0, 0], 'Invalid Vector: padding must be zero for int8 and float32 vectors'],
  [[Float32, 0, 1, 2, 3], 'Invalid Vector: Float32 vector must contain a multiple of 4 bytes'],
  [[PackedBit, 1], 'Invalid Vector: padding must be zero for packed bit vectors that are empty'],
  [[PackedBit, 8, 1], 'Invalid Vector: padding must be a value between 0 and 7. found: 8']
]

module.exports = {
  int8: function (t) {
    const array = Int8Array.from([-128, -1, 0, 1, 127])
    const binary = Binary.fromInt8Array(array.subarray(1))
    t.deepStrictEqual([...binary.buffer], [Int8, 0, 255, 0, 1, 127])
    t.strictEqual(binary.sub_type, 9)
    t.deepStrictEqual(binary.toInt8Array(), array.slice(1))
    t.deepStrictEqual(Binary.fromInt8Array(new Int8Array()).toInt8Array(), new Int8Array())
    t.done()
  },

  float32: function (t) {
    const array = Float32Array.from([0, -0, 1.5, -2.25, Infinity, -Infinity, 3.4028234663852886e38])
    const binary = Binary.fromFloat32Array(array.subarray(2))
    t.deepStrictEqual([...binary.buffer.subarray(0, 10)], [Float32, 0, 0, 0, 0xc0, 0x3f, 0, 0, 0x10, 0xc0])
    t.deepStrictEqual(binary.toFloat32Array(), array.slice(2))
    t.ok(Object.is(Binary.fromFloat32Array(array).toFloat32Array()[1], -0))
    t.deepStrictEqual(Binary.fromFloat32Array(new Float32Array()).toFloat32Array(), new Float32Array())
    t.done()
  },

  'on machines with the other byte order': function (t) {
    const array = Float32Array.from([1.5, -2.25])
    const bytes = new Uint8Array(array.buffer)
    t.deepStrictEqual([...floatsToBytes(bytes, true)], [0x3f, 0xc0, 0, 0, 0xc0, 0x10, 0, 0])
    t.deepStrictEqual([...array], [1.5, -2.25], 'a copy is swapped')
    t.deepStrictEqual(bytesToFloats(floatsToBytes(bytes, true).buffer, true), array)
    t.done()
  },

  'packed bits': function (t) {
    const binary = Binary.fromPackedBits(Uint8Array.from([0b10110000, 0b01000000]), 6)
    t.deepStrictEqual([...binary.buffer], [PackedBit, 6, 0xb0, 0x40])
    t.deepStrictEqual([...binary.toPackedBits()], [0xb0, 0x40])
    t.deepStrictEqual([...binary.toBits()], [1, 0, 1, 1, 0, 0, 0, 0, 0, 1])
    for (let length = 0; length < 20; length++) {
      const bits = Array.from({ length }, (_, i) => (i % 3 === 0 ? 1 : 0))
      const packed = Binary.fromBits(bits)
      t.deepStrictEqual([...packed.toBits()], bits)
      t.strictEqual(packed.buffer[1], (8 - (length % 8)) % 8)
    }
    t.strictEqual(errorOf(() => Binary.fromBits([0, 1, 2])).message, 'Invalid bit value at 2: must be 0 or 1, found 2')
    t.strictEqual(Binary.fromPackedBits(Uint8Array.from([1])).buffer[1], 0)
    t.ok(errorOf(() => Binary.fromPackedBits(Uint8Array.from([1]), 8)) instanceof BSONError)
    t.done()
  },

  'what is wrong is found when it is read, checked or written as Extended JSON': function (t) {
    for (const [bytes, message] of wrong) {
      const binary = new Binary(bytes, 9)
      const read = { [Int8]: 'toInt8Array', [Float32]: 'toFloat32Array', [PackedBit]: 'toPackedBits' }[bytes[0]]
      for (const work of [() => binary[read](), () => validateVector(binary), () => binary.toExtendedJSON()]) {
        const error = errorOf(work)
        t.ok(error instanceof BSONError)
        t.strictEqual(error.message, message)
      }
      validateVector(new Binary(bytes, 0))
    }
    validateVector(new Binary([0x55, 9, 1], 9))
    const short = [new Binary([], 9), new Binary([Int8], 9), Object.assign(new Binary([Float32, 0], 9), { position: 0 })]
    for (const binary of short) t.ok(/must begin with two bytes/.test(errorOf(() => validateVector(binary)).message))
    validateVector(new Binary([PackedBit, 7, 1], 9))
    t.done()
  },

  'another type, or no vector': function (t) {
    const cases = [['toInt8Array', 'Int8', Float32], ['toFloat32Array', 'Float32', Int8], ['toPackedBits', 'packed bit', Int8]]
    for (const [method, name, type] of [...cases, ['toBits', 'packed bit', Int8]]) {
      t.strictEqual(errorOf(() => new Binary([type, 0], 9)[method]()).message, `Binary datatype field is not ${name}`)
      t.strictEqual(errorOf(() => new Binary([type, 0], 0)[method]()).message, 'Binary sub_type is not Vector')
    }
    t.done()
  },

  'copies do not share memory': function (t) {
    const source = Int8Array.from([1, 2])
    const binary = Binary.fromInt8Array(source)
    source[0] = 9
    binary.toInt8Array()[0] = 8
    t.deepStrictEqual([...binary.toInt8Array()], [1, 2])
    t.done()
  }
}
