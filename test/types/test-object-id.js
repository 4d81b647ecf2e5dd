'use strict'

const assert = require('node:assert')
const { inspect } = require('node:util')
const { runInNewContext } = require('node:vm')
const bson = require('bson')
const lodash = require('lodash')
const { ObjectId } = require('../../lib/types')
const { BSONError } = require('../../lib/errors')
const { errorOf } = require('../fixtures/error-of')
const { requireWithoutBuffer } = require('../without-buffer')

const HEX = '0123456789abcdef01fedcba'
const BYTES = Buffer.from(HEX, 'hex')

/** Restores static fields that a test changes. */
function keepingStatics(test) {
  return t => {
    const { index, PROCESS_UNIQUE, cacheHexString } = ObjectId
    const { getBuiltinModule, execArgv } = process
    try {
      test(t)
    } finally {
      Object.assign(ObjectId, { index, PROCESS_UNIQUE, cacheHexString })
      Object.assign(process, { getBuiltinModule, execArgv })
    }
  }
}

module.exports = {
  'from 24 hex digits, in either case': function (t) {
    for (const hex of [HEX, HEX.toUpperCase()]) {
      const id = new ObjectId(hex)
      t.strictEqual(id.toHexString(), HEX)
      t.deepStrictEqual(Object.entries(id), [['i0', 0x012345], ['i1', 0x6789ab], ['i2', 0xcdef01], ['i3', 0xfedcba]])
      t.deepStrictEqual(id.id, BYTES)
    }
    t.done()
  },

  'from bytes: 12 of them, or at an offset': function (t) {
    const wide = Buffer.concat([Buffer.from([9, 9, 9]), BYTES, Buffer.from([9])])
    t.strictEqual(new ObjectId(wide, 3).toHexString(), HEX)
    t.strictEqual(new ObjectId(BYTES).toHexString(), HEX)
    t.strictEqual(new ObjectId(new Uint8Array(BYTES)).toHexString(), HEX)
    t.strictEqual(new ObjectId(new DataView(new Uint8Array(BYTES).buffer)).toHexString(), HEX)
    t.strictEqual(new ObjectId(new Uint16Array(new Uint8Array(BYTES).buffer)).toHexString(), HEX)
    t.done()
  },

  'what is not 12 bytes is refused as an id, which stays as it was': function (t) {
    const id = new ObjectId(HEX)
    for (const wrong of [5, 'zz', HEX, null, undefined, [], {}, [...BYTES], BYTES.subarray(1), Buffer.alloc(13), BYTES.buffer, id]) {
      t.ok(errorOf(() => { id.id = wrong }) instanceof BSONError)
      t.strictEqual(id.toHexString(), HEX)
    }
    t.done()
  },

  'from other ids': function (t) {
    const own = new ObjectId(HEX)
    t.strictEqual(new ObjectId(own).toHexString(), HEX)
    t.strictEqual(new ObjectId(new bson.ObjectId(HEX)).toHexString(), HEX)
    t.strictEqual(new ObjectId({ _bsontype: 'ObjectId', id: BYTES, toHexString: () => HEX }).toHexString(), HEX, 'bson 4 to 6')
    t.strictEqual(new ObjectId({ id: HEX }).toHexString(), HEX)
    t.strictEqual(new ObjectId({ id: BYTES }).toHexString(), HEX)
    t.done()
  },

  'whatever is no id is an error': function (t) {
    const cases = [
      ['', /^input must be a 24 character hex string, 12 byte Uint8Array, or an integer$/],
      [HEX.slice(1), /^input must be/],
      [`${HEX}0`, /^input must be/],
      [`${HEX.slice(1)}g`, /^input must be/],
      [`${HEX.slice(1)}\u0130`, /^input must be/],
      [`${HEX.slice(1)}/`, /^input must be/],
      ['é'.repeat(12), /^input must be/],
      [5, /^Argument passed in does not match the accepted types$/],
      [true, /^Argument passed in does not match the accepted types$/],
      [{}, /^Argument passed in does not match the accepted types$/],
      [Buffer.alloc(11), /^Argument passed in does not match the accepted types$/],
      [{ id: 5 }, /^Argument passed in must have an id that is of type string or Buffer$/],
      [{ id: 'x' }, /^input must be/],
      [{ id: HEX, toHexString: () => 'x' }, /^Argument passed in does not match the accepted types$/],
      [{ id: HEX, toHexString: () => 5 }, /^Argument passed in does not match the accepted types$/],
      [{ id: Buffer.alloc(3) }, /^Argument passed in does not match the accepted types$/]
    ]
    for (const [input, message] of cases) {
      const error = errorOf(() => new ObjectId(input))
      t.ok(error instanceof BSONError, String(error))
      t.ok(message.test(error.message), `${inspect(input)}: ${error.message}`)
      t.strictEqual(ObjectId.isValid(input), false, inspect(input))
    }
    t.done()
  },

  isValid: function (t) {
    for (const id of [HEX, HEX.toUpperCase(), BYTES, new ObjectId(), new bson.ObjectId(), { id: HEX }]) {
      t.strictEqual(ObjectId.isValid(id), true)
    }
    t.strictEqual(ObjectId.isValid(null), false)
    t.strictEqual(ObjectId.isValid(undefined), false)
    t.strictEqual(ObjectId.validateHexString(null), false)
    t.done()
  },

  'a new id: seconds, five bytes of the process, a counter': keepingStatics(t => {
    const before = Math.floor(Date.now() / 1000)
    const a = new ObjectId()
    const b = new ObjectId()
    const after = Math.floor(Date.now() / 1000)
    const seconds = a.getTimestamp().getTime() / 1000
    t.ok(seconds >= before && seconds <= after)
    t.deepStrictEqual(a.id.subarray(4, 9), b.id.subarray(4, 9))
    t.deepStrictEqual(a.id.subarray(4, 9), Buffer.from(ObjectId.PROCESS_UNIQUE))
    t.strictEqual((a.i3 + 1) % 0x1000000, b.i3)
    ObjectId.index = 0xffffff
    t.strictEqual(new ObjectId().i3, 0)
    t.strictEqual(ObjectId.createPk().i3, 1)
    t.strictEqual(ObjectId.getInc(), 2)
    t.done()
  }),

  'generate gives the bytes of a new id': keepingStatics(t => {
    const bytes = ObjectId.generate(0x01020304)
    t.strictEqual(bytes.length, 12)
    t.deepStrictEqual([...bytes.subarray(0, 4)], [1, 2, 3, 4])
    t.deepStrictEqual(bytes.subarray(4, 9), Buffer.from(ObjectId.PROCESS_UNIQUE))
    t.strictEqual(bytes.readUIntBE(9, 3), ObjectId.index)
    t.ok(Math.abs(ObjectId.generate().readUInt32BE(0) - Date.now() / 1000) < 2)
    t.done()
  }),

  'nothing is drawn before the first id': keepingStatics(t => {
    ObjectId.resetState()
    t.strictEqual(ObjectId.index, null)
    t.strictEqual(ObjectId.PROCESS_UNIQUE, null)
    const draws = new Set()
    for (let i = 0; i < 20; i++) {
      ObjectId.resetState()
      draws.add(new ObjectId().toHexString().slice(8))
    }
    t.strictEqual(draws.size, 20)
    t.done()
  }),

  'processes that start from one V8 snapshot draw their own': keepingStatics(t => {
    const callbacks = []
    const startupSnapshot = { isBuildingSnapshot: () => true, addDeserializeCallback: f => callbacks.push(f) }
    process.getBuiltinModule = () => ({ startupSnapshot })
    process.execArgv = ['--build-snapshot']
    ObjectId.resetState()
    const before = new ObjectId()
    for (const restored of callbacks) restored()
    t.strictEqual(ObjectId.index, null)
    t.strictEqual(ObjectId.PROCESS_UNIQUE, null)
    t.ok(new ObjectId().toHexString().slice(8) !== before.toHexString().slice(8))
    process.getBuiltinModule = undefined
    ObjectId.resetState()
    t.strictEqual(new ObjectId().toHexString().length, 24)
    t.done()
  }),

  'id is made anew on each read, and can be set': function (t) {
    const id = new ObjectId(HEX)
    t.ok(id.id !== id.id)
    id.id[0] = 0xff
    t.strictEqual(id.toHexString(), HEX)
    id.id = Buffer.alloc(12, 7)
    t.strictEqual(id.toHexString(), '07'.repeat(12))
    id.id = new DataView(new Uint8Array(BYTES).buffer)
    t.strictEqual(id.toHexString(), HEX)
    t.done()
  },

  'every byte comes back from hex and from bytes': function (t) {
    for (let byte = 0; byte < 256; byte++) {
      const bytes = Buffer.from(Array.from({ length: 12 }, (_, i) => (byte + i * 37) & 0xff))
      const id = new ObjectId(bytes)
      t.strictEqual(id.toHexString(), bytes.toString('hex'))
      t.deepStrictEqual(id.id, bytes)
      t.ok(new ObjectId(bytes.toString('hex')).equals(id))
    }
    t.done()
  },

  'text and JSON': function (t) {
    const id = new ObjectId(HEX)
    t.strictEqual(String(id), HEX)
    t.strictEqual(id.toString('hex'), HEX)
    t.strictEqual(id.toString('base64'), BYTES.toString('base64'))
    t.strictEqual(JSON.stringify({ id }), `{"id":"${HEX}"}`)
    t.strictEqual(inspect(id), `new ObjectId('${HEX}')`)
    t.strictEqual(id.inspect(), `new ObjectId("${HEX}")`)
    t.deepStrictEqual(id.toExtendedJSON(), { $oid: HEX })
    t.ok(ObjectId.fromExtendedJSON({ $oid: HEX }).equals(id))
    t.done()
  },

  equals: function (t) {
    const id = new ObjectId(HEX)
    for (const same of [
      new ObjectId(HEX), new bson.ObjectId(HEX), HEX, HEX.toUpperCase(), { toHexString: () => HEX.toUpperCase() },
      { _bsontype: 'ObjectId', id: BYTES, toHexString: () => HEX }
    ]) t.strictEqual(id.equals(same), true, inspect(same))
    const others = [0, 3, 6, 9].map(at => {
      const bytes = Buffer.from(BYTES)
      bytes[at] ^= 1
      return new ObjectId(bytes)
    })
    for (const other of [...others, undefined, null, '', 5, {}, BYTES, { toHexString: () => 5 }]) {
      t.strictEqual(id.equals(other), false, inspect(other))
    }
    t.done()
  },

  getTimestamp: function (t) {
    t.strictEqual(new ObjectId('00000000' + '0'.repeat(16)).getTimestamp().toISOString(), '1970-01-01T00:00:00.000Z')
    t.strictEqual(new ObjectId('7fffffff' + '0'.repeat(16)).getTimestamp().toISOString(), '2038-01-19T03:14:07.000Z')
    t.strictEqual(new ObjectId('ffffffff' + '0'.repeat(16)).getTimestamp().toISOString(), '2106-02-07T06:28:15.000Z')
    t.done()
  },

  'created from a time, hex or base64': function (t) {
    t.strictEqual(ObjectId.createFromTime(0x01020304).toHexString(), '010203040000000000000000')
    t.strictEqual(ObjectId.createFromTime(0xfffffffe).toHexString(), 'fffffffe0000000000000000')
    t.strictEqual(ObjectId.createFromHexString(HEX).toHexString(), HEX)
    t.strictEqual(ObjectId.createFromBase64(BYTES.toString('base64')).toHexString(), HEX)
    t.strictEqual(errorOf(() => ObjectId.createFromHexString('ab')).message, 'hex string must be 24 characters')
    t.strictEqual(errorOf(() => ObjectId.createFromHexString()).message, 'hex string must be 24 characters')
    t.strictEqual(errorOf(() => ObjectId.createFromBase64('ab')).message, 'base64 string must be 16 characters')
    t.ok(errorOf(() => ObjectId.createFromHexString('g'.repeat(24))) instanceof BSONError)
    t.done()
  },

  'cacheHexString keeps the text': keepingStatics(t => {
    const id = new ObjectId(BYTES)
    t.ok(!id.isCached())
    ObjectId.cacheHexString = true
    t.strictEqual(id.isCached(), false)
    t.strictEqual(id.toHexString(), HEX)
    t.strictEqual(id.isCached(), true)
    t.strictEqual(id.toHexString(), HEX)
    const upper = new ObjectId(HEX.toUpperCase())
    t.strictEqual(upper.isCached(), true)
    t.strictEqual(upper.toHexString(), HEX)
    upper.id = Buffer.alloc(12)
    t.strictEqual(upper.toHexString(), '0'.repeat(24))
    t.deepStrictEqual(Object.keys(upper), ['i0', 'i1', 'i2', 'i3'])
    t.done()
  }),

  'serializeInto puts the bytes': function (t) {
    const target = Buffer.alloc(14)
    t.strictEqual(new ObjectId(HEX).serializeInto(target, 1), 12)
    t.strictEqual(target.toString('hex'), `00${HEX}00`)
    t.done()
  },

  'the tools that look at own fields see equal ids as equal': function (t) {
    const id = new ObjectId(HEX)
    t.ok(lodash.isEqual(id, new ObjectId(HEX)))
    t.ok(!lodash.isEqual(id, new ObjectId()))
    const clone = lodash.cloneDeep(id)
    t.ok(clone instanceof ObjectId && clone !== id && clone.equals(id))
    assert.deepStrictEqual(new ObjectId(HEX), id)
    assert.notDeepStrictEqual(new ObjectId(), id)
    t.deepStrictEqual(structuredClone(id), { i0: 0x012345, i1: 0x6789ab, i2: 0xcdef01, i3: 0xfedcba })
    t.ok(id.equals(runInNewContext('({ toHexString: () => hex })', { hex: HEX })))
    t.done()
  },

  'without Buffer, with and without a source of randomness': function (t) {
    const { ObjectId: Plain } = requireWithoutBuffer('lib/types/index.js')
    t.strictEqual(new Plain(HEX).id.constructor, Uint8Array)
    t.strictEqual(new Plain(HEX).toString('base64'), BYTES.toString('base64'))
    t.strictEqual(Plain.createFromBase64(BYTES.toString('base64')).toHexString(), HEX)
    t.strictEqual(Plain.generate().length, 12)
    const { crypto } = globalThis
    const descriptor = Object.getOwnPropertyDescriptor(globalThis, 'crypto')
    Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true })
    try {
      const { ObjectId: Poor, UUID } = requireWithoutBuffer('lib/types/index.js')
      t.ok(!new Poor().equals(new Poor()))
      t.strictEqual(new Set(Array.from({ length: 100 }, () => new UUID().toString())).size, 100)
    } finally {
      Object.defineProperty(globalThis, 'crypto', descriptor)
    }
    t.strictEqual(globalThis.crypto, crypto)
    t.done()
  }
}
