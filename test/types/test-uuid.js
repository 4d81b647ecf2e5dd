'use strict'

const assert = require('node:assert')
const { inspect } = require('node:util')
const bson = require('bson')
const { Binary, UUID } = require('../../lib/types')
const { BSONError } = require('../../lib/errors')
const { randomBytes, pooledBytes } = require('../../lib/types/random-bytes')
const { errorOf } = require('../fixtures/error-of')

const TEXT = '0d8f2d5c-7a51-4c0e-9b1e-3f5e6a7b8c09'
const BYTES = Buffer.from(TEXT.replace(/-/g, ''), 'hex')

/** A fresh copy of a module, which has not drawn random bytes yet. */
function loadAnew(request) {
  const file = require.resolve(request)
  const kept = require.cache[file]
  delete require.cache[file]
  const copy = require(file)
  require.cache[file] = kept
  return copy
}

module.exports = {
  'from 36 or 32 characters, 16 bytes or another': function (t) {
    for (const input of [TEXT, TEXT.toUpperCase(), TEXT.replace(/-/g, ''), BYTES, new Uint8Array(BYTES), new UUID(TEXT)]) {
      const uuid = new UUID(input)
      t.strictEqual(uuid.toString(), TEXT)
      t.deepStrictEqual(uuid.id, BYTES)
      t.strictEqual(uuid.sub_type, 4)
      t.strictEqual(uuid.position, 16)
      t.ok(uuid instanceof Binary)
      t.strictEqual(uuid._bsontype, 'Binary')
    }
    t.strictEqual(new UUID(BYTES).buffer, BYTES, 'bytes are kept')
    const first = new UUID(TEXT)
    t.ok(new UUID(first).buffer.buffer !== first.buffer.buffer || new UUID(first).buffer.byteOffset !== first.buffer.byteOffset)
    t.strictEqual(UUID.createFromHexString(TEXT).toString(), TEXT)
    t.deepStrictEqual(UUID.bytesFromString(TEXT), BYTES)
    t.ok(UUID.isValidUUIDString(TEXT) && !UUID.isValidUUIDString('x'))
    t.strictEqual(UUID.createFromBase64(BYTES.toString('base64')).toString(), TEXT)
    t.done()
  },

  'what is no UUID': function (t) {
    for (const input of [5, {}, Buffer.alloc(15), [], true]) {
      const error = errorOf(() => new UUID(input))
      t.ok(error instanceof BSONError && error.message.startsWith('Argument passed in UUID constructor must be a UUID,'))
    }
    for (const text of ['', 'x', TEXT.slice(1), `${TEXT}0`, TEXT.replace('0', 'g'), TEXT.replace('-', '0'), TEXT.replace(/-/, '')]) {
      t.strictEqual(errorOf(() => new UUID(text)).message,
        'UUID string representation must be 32 hex digits or canonical hyphenated representation')
      t.strictEqual(UUID.isValid(text), false, text)
    }
    t.done()
  },

  'random ones are of version 4 and differ': function (t) {
    const seen = new Set()
    let [always, ever] = [-1n, 0n] // the bits that are 1 in all of them, and in at least one
    for (let i = 0; i < 1000; i++) {
      const uuid = new UUID()
      const bits = BigInt(`0x${uuid.toHexString(false)}`)
      always &= bits
      ever |= bits
      assert.match(uuid.toString(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      seen.add(uuid.toString())
    }
    t.strictEqual(seen.size, 1000)
    t.deepStrictEqual([always, ever].map(bits => bits.toString(16).padStart(32, '0')),
      ['00000000000040008000000000000000', 'ffffffffffff4fffbfffffffffffffff'])
    t.strictEqual(UUID.generate().length, 16)
    t.done()
  },

  'random bytes, however many': function (t) {
    for (const size of [0, 1, 5, 16, 256, 257, 1500, 70000]) {
      const bytes = randomBytes(size)
      t.strictEqual(bytes.length, size)
      if (size >= 256) t.ok(new Set(bytes).size > 100, `${size} bytes look random`)
      if (size > 1024) t.ok(new Set(bytes.subarray(-400)).size > 100, `${size} bytes to the end`)
    }
    for (const draw of [randomBytes, pooledBytes]) t.ok(draw(16).compare(draw(16)) !== 0)
    t.done()
  },

  'processes that start from one V8 snapshot draw bytes of their own': function (t) {
    const { getBuiltinModule, execArgv } = process
    const { getRandomValues } = crypto
    const callbacks = []
    const startupSnapshot = { isBuildingSnapshot: () => true, addDeserializeCallback: f => callbacks.push(f) }
    try {
      process.getBuiltinModule = /** @type {any} */ (() => ({ startupSnapshot }))
      process.execArgv = ['--build-snapshot']
      const copy = loadAnew('../../lib/types/random-bytes')
      copy.pooledBytes(16)
      crypto.getRandomValues = bytes => /** @type {any} */ (bytes).fill(7)
      t.ok(copy.pooledBytes(16).some(byte => byte !== 7), 'of those that have been drawn')
      for (const restored of callbacks) restored()
      t.deepStrictEqual([...copy.pooledBytes(16)], Array(16).fill(7))
    } finally {
      Object.assign(process, { getBuiltinModule, execArgv })
      crypto.getRandomValues = getRandomValues
    }
    t.done()
  },

  equals: function (t) {
    const uuid = new UUID(TEXT)
    for (const same of [new UUID(TEXT), TEXT, TEXT.toUpperCase(), BYTES, new Uint8Array(BYTES)]) t.strictEqual(uuid.equals(same), true)
    for (const other of [null, undefined, '', 'x', new UUID(), Buffer.alloc(16), {}]) t.strictEqual(uuid.equals(other), false)
    t.done()
  },

  'of another library': function (t) {
    const other = new bson.UUID(TEXT)
    t.strictEqual(new UUID(TEXT).equals(other), true)
    t.strictEqual(new UUID().equals(other), false)
    t.strictEqual(new UUID(other).toString(), TEXT)
    t.notStrictEqual(new UUID(other).buffer, other.buffer)
    t.done()
  },

  isValid: function (t) {
    for (const good of [TEXT, BYTES, new Uint8Array(16), new UUID(), new Binary(BYTES, 4), new bson.UUID()]) {
      t.strictEqual(UUID.isValid(good), true, inspect(good))
    }
    for (const bad of [null, undefined, '', 5, {}, new Uint8Array(15), new Binary(BYTES, 3), new Binary([1], 4)]) {
      t.strictEqual(UUID.isValid(bad), false, inspect(bad))
    }
    t.done()
  },

  'text and bytes': function (t) {
    const uuid = new UUID(TEXT)
    t.strictEqual(uuid.toHexString(), TEXT)
    t.strictEqual(uuid.toHexString(false), BYTES.toString('hex'))
    t.strictEqual(uuid.toString('hex'), BYTES.toString('hex'))
    t.strictEqual(uuid.toString('base64'), BYTES.toString('base64'))
    t.strictEqual(JSON.stringify(uuid), JSON.stringify(TEXT))
    t.strictEqual(inspect(uuid), `new UUID('${TEXT}')`)
    t.strictEqual(uuid.inspect(), `new UUID("${TEXT}")`)
    t.strictEqual(uuid.toBinary().constructor, Binary)
    t.strictEqual(uuid.toBinary().toUUID().toString(), TEXT)
    uuid.id = Buffer.alloc(16)
    t.strictEqual(uuid.toString(), '00000000-0000-0000-0000-000000000000')
    t.done()
  }
}
