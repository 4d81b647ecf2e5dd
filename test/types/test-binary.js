'use strict'

const assert = require('node:assert')
const { inspect } = require('node:util')
const bson = require('bson')
const lodash = require('lodash')
const { Binary, UUID } = require('../../lib/types')
const { BSONError } = require('../../lib/errors')
const { errorOf } = require('../fixtures/error-of')
const { requireWithoutBuffer } = require('../without-buffer')

const UUID_TEXT = '0d8f2d5c-7a51-4c0e-9b1e-3f5e6a7b8c09'

module.exports = {
  'bytes are kept, numbers are copied': function (t) {
    const buffer = Buffer.from([1, 2, 3])
    const array = new Uint8Array([1, 2, 3])
    t.strictEqual(new Binary(buffer).buffer, buffer)
    t.strictEqual(new Binary(array).buffer.buffer, array.buffer)
    t.strictEqual(new Binary(array.buffer).buffer.buffer, array.buffer)
    t.ok(Buffer.isBuffer(new Binary(array).buffer))
    t.deepStrictEqual(new Binary(new Uint16Array([0x0201])).buffer, Buffer.from([1, 2]))
    t.deepStrictEqual(new Binary([1, 2, 258]).buffer, Buffer.from([1, 2, 2]))
    t.deepStrictEqual(Object.keys(new Binary(buffer)), ['buffer', 'sub_type', 'position'])
    t.done()
  },

  'the subtype is a byte': function (t) {
    t.strictEqual(new Binary([]).sub_type, 0)
    t.strictEqual(new Binary([], 0x105).sub_type, 5)
    t.strictEqual(new Binary([], -1).sub_type, 255)
    t.strictEqual(new Binary([], null).sub_type, 0)
    t.strictEqual(Binary.SUBTYPE_USER_DEFINED, 0x80)
    t.done()
  },

  'what holds no bytes is an error': function (t) {
    t.strictEqual(errorOf(() => new Binary('abc')).message, 'Binary can only be constructed from Uint8Array or number[]')
    for (const other of [5, true, {}, new Date(0)]) {
      const error = errorOf(() => new Binary(other))
      t.ok(error instanceof BSONError, inspect(other))
      t.strictEqual(error.message, 'Cannot create Buffer from the passed potentialBuffer.')
    }
    t.done()
  },

  'an empty one grows': function (t) {
    const binary = new Binary()
    t.strictEqual(binary.length(), 0)
    t.strictEqual(binary.buffer.length, Binary.BUFFER_SIZE)
    for (let i = 0; i < 300; i++) binary.put(i % 251)
    binary.put('a')
    binary.put([7])
    binary.put(new Uint8Array([8]))
    t.strictEqual(binary.length(), 303)
    t.deepStrictEqual([...binary.value()], [...Array.from({ length: 300 }, (_, i) => i % 251), 97, 7, 8])
    t.strictEqual(binary.buffer.length, 512)
    for (const [value, message] of [
      ['ab', 'only accepts single character String'],
      [[1, 2], 'only accepts single character Uint8Array or Array'],
      [256, 'only accepts number in a valid unsigned byte range 0-255'],
      [-1, 'only accepts number in a valid unsigned byte range 0-255'],
      [NaN, 'only accepts number in a valid unsigned byte range 0-255'],
      ['Ā', 'only accepts number in a valid unsigned byte range 0-255']
    ]) t.strictEqual(errorOf(() => binary.put(value)).message, message)
    t.strictEqual(binary.length(), 303)
    t.done()
  },

  'write appends, or puts at an offset': function (t) {
    const binary = new Binary([1, 2, 3])
    binary.write(Buffer.from([4, 5]))
    t.deepStrictEqual([...binary.value()], [1, 2, 3, 4, 5])
    binary.write(new Uint8Array([9]), 0)
    t.deepStrictEqual([...binary.value()], [9, 2, 3, 4, 5])
    binary.write([7, 8], 4)
    t.deepStrictEqual([...binary.value()], [9, 2, 3, 4, 7, 8])
    t.deepStrictEqual([8, 1e8, -1, NaN].map(offset => errorOf(() => binary.write([6], offset)).name), Array(4).fill('BSONError'))
    t.deepStrictEqual([...binary.value()], [9, 2, 3, 4, 7, 8])
    t.strictEqual(errorOf(() => binary.write('x', 0)).message, 'input cannot be string')
    t.done()
  },

  'the driver 5 splits the messages of a login, which were strings in bson 5': function (t) {
    for (const [text, parts] of [['r=a,s=b=,i=1', ['r=a', 's=b=', 'i=1']], ['v=x', ['v=x']]]) {
      const bytes = new Binary(Buffer.from(text)).value()
      t.deepStrictEqual(bytes.split(','), parts)
      t.strictEqual([1, bytes].join(), `1,${text}`)
      t.deepStrictEqual(bytes, Buffer.from(text))
    }
    for (const text of ['x=1', 'r', 'r:', '']) t.strictEqual(new Binary(Buffer.from(text)).value().split, undefined)
    t.done()
  },

  'read gives a view': function (t) {
    const binary = new Binary([1, 2, 3, 4])
    t.deepStrictEqual([...binary.read(1, 2)], [2, 3])
    t.deepStrictEqual([...binary.read(1, 0)], [2, 3, 4])
    t.deepStrictEqual([...binary.read(2, 99)], [3, 4])
    t.strictEqual(binary.read(1, 2).buffer, binary.buffer.buffer)
    const larger = new Binary()
    larger.put(1)
    t.deepStrictEqual([...larger.read(0, 10)], [1])
    t.deepStrictEqual([...larger.value()], [1])
    t.done()
  },

  text: function (t) {
    const binary = new Binary(Buffer.from('Grüße'))
    t.strictEqual(binary.toString(), 'Grüße')
    t.strictEqual(binary.toString('utf8'), 'Grüße')
    t.strictEqual(binary.toString('utf-8'), 'Grüße')
    t.strictEqual(binary.toString('hex'), Buffer.from('Grüße').toString('hex'))
    t.strictEqual(binary.toString('base64'), Buffer.from('Grüße').toString('base64'))
    t.strictEqual(JSON.stringify(binary), JSON.stringify(Buffer.from('Grüße').toString('base64')))
    t.strictEqual(inspect(new Binary([1, 2], 5)), "Binary.createFromBase64('AQI=', 5)")
    t.strictEqual(new Binary([1, 2], 5).inspect(), 'Binary.createFromBase64("AQI=", 5)')
    t.deepStrictEqual([...Binary.createFromHexString('00ff', 5).buffer], [0, 255])
    t.strictEqual(Binary.createFromHexString('00ff', 5).sub_type, 5)
    t.deepStrictEqual([...Binary.createFromBase64('AQI=').buffer], [1, 2])
    t.ok(errorOf(() => Binary.createFromHexString('zz')) instanceof BSONError)
    t.strictEqual(errorOf(() => Binary.createFromHexString([1])).message, 'not a hex string: an object')
    t.done()
  },

  'a position beyond the bytes: nothing but the bytes comes out': function (t) {
    const secret = Buffer.from('abcSECRET SECRET')
    const beyond = (bytes, subtype) => Object.assign(new Binary(bytes, subtype), { position: 16 })
    const binary = beyond(secret.subarray(0, 3))
    t.strictEqual(binary.toString(), 'abc')
    t.strictEqual(binary.toString('hex'), '616263')
    t.strictEqual(binary.toJSON(), 'YWJj')
    t.strictEqual(Buffer.from(binary.value()).toString(), 'abc')
    t.strictEqual(Buffer.from(binary.read(0, 9)).toString(), 'abc')
    t.strictEqual(binary.toExtendedJSON().$binary.base64, 'YWJj')
    const memory = Buffer.from([Binary.VECTOR_TYPE.Int8, 0, 5, 6, ...secret])
    t.deepStrictEqual([...beyond(memory.subarray(0, 4), 9).toInt8Array()], [5, 6])
    t.done()
  },

  'Extended JSON': function (t) {
    const binary = new Binary([1, 2], 5)
    t.deepStrictEqual(binary.toExtendedJSON(), { $binary: { base64: 'AQI=', subType: '05' } })
    t.deepStrictEqual(binary.toExtendedJSON({ legacy: true }), { $binary: 'AQI=', $type: '05' })
    t.deepStrictEqual(new Binary([], 0x80).toExtendedJSON({}), { $binary: { base64: '', subType: '80' } })
    const larger = new Binary()
    larger.put(1)
    t.deepStrictEqual(larger.toExtendedJSON().$binary.base64, 'AQ==', 'only what is used')
    for (const [doc, options] of [
      [{ $binary: { base64: 'AQI=', subType: '05' } }],
      [{ $binary: 'AQI=', $type: '05' }, { legacy: true }]
    ]) assert.deepStrictEqual(Binary.fromExtendedJSON(doc, options), binary)
    t.strictEqual(Binary.fromExtendedJSON({ $binary: { base64: 'AQI=' } }).sub_type, 0)
    t.strictEqual(Binary.fromExtendedJSON({ $binary: 'AQI=', $type: '' }, { legacy: true }).sub_type, 0)
    t.strictEqual(Binary.fromExtendedJSON({ $uuid: UUID_TEXT }).toString(), UUID_TEXT)
    t.ok(Binary.fromExtendedJSON(new UUID(UUID_TEXT).toExtendedJSON()) instanceof UUID)
    for (const [doc, options] of [[{ $binary: 'AQI=', $type: '05' }], [{ $binary: 'x' }, { legacy: true }], [{}], [{ $binary: null }]]) {
      t.ok(/^Unexpected Binary Extended JSON format \{/.test(errorOf(() => Binary.fromExtendedJSON(doc, options)).message))
    }
    t.done()
  },

  toUUID: function (t) {
    t.strictEqual(new Binary(Buffer.from(UUID_TEXT.replace(/-/g, ''), 'hex'), 4).toUUID().toString(), UUID_TEXT)
    t.strictEqual(errorOf(() => new Binary([1], 3).toUUID()).message,
      'Binary sub_type "3" (number) is not supported for converting to UUID. Only 0x04 is currently supported.')
    t.ok(errorOf(() => new Binary([1], 4).toUUID()) instanceof BSONError)
    t.done()
  },

  'the tools that look at own fields': function (t) {
    const binary = new Binary([1, 2], 5)
    t.ok(lodash.isEqual(binary, new Binary([1, 2], 5)))
    t.ok(!lodash.isEqual(binary, new Binary([1, 3], 5)))
    t.deepStrictEqual([...lodash.cloneDeep(binary).value()], [1, 2])
    assert.deepStrictEqual(new Binary([1, 2], 5), binary)
    t.deepStrictEqual([...structuredClone(binary).buffer], [1, 2])
    t.strictEqual(new bson.Binary(binary.buffer, 5).toJSON(), binary.toJSON())
    t.done()
  },

  'without Buffer': function (t) {
    const { Binary: Plain, UUID: PlainUUID } = requireWithoutBuffer('lib/types/index.js')
    t.strictEqual(new Plain([1, 2]).buffer.constructor, Uint8Array)
    t.strictEqual(new Plain().buffer.length, 256)
    const array = new Uint8Array([71, 114, 195, 188])
    t.strictEqual(new Plain(array).buffer.buffer, array.buffer)
    t.strictEqual(new Plain(array).toString(), 'Grü')
    t.strictEqual(new Plain(array).toString('base64'), 'R3LDvA==')
    t.strictEqual(new PlainUUID(UUID_TEXT).toString(), UUID_TEXT)
    t.strictEqual(new PlainUUID(new PlainUUID(UUID_TEXT)).toBinary().toUUID().toString(), UUID_TEXT)
    t.ok(PlainUUID.isValid(new PlainUUID().toString()))
    t.done()
  }
}
