'use strict'

// What sizeOf promises beyond agreeing with encode, which the vectors and random documents test.

const assert = require('node:assert')
const types = require('../../lib/types')
const { encode } = require('../../lib/encode/encode')
const { sizeOf } = require('../../lib/encode/size')
const { FIXED_SIZE, ELEMENT } = require('../../lib/spec')
const { assertCheap } = require('../fixtures/cost')
const { errorOf } = require('../fixtures/error-of')

function isBSONError(pattern) {
  return error => error.name === 'BSONError' && pattern.test(error.message)
}

module.exports = {
  'options count': t => {
    const doc = { u: undefined, f: () => 1, list: [undefined, () => 1], nested: { u: undefined } }
    const both = { ignoreUndefined: false, serializeFunctions: true }
    for (const options of [undefined, null, {}, { ignoreUndefined: false }, { serializeFunctions: true }, both]) {
      t.strictEqual(sizeOf(doc, options), encode(doc, options).length)
    }
    t.done()
  },

  'the root is checked as encode checks it': t => {
    t.strictEqual(sizeOf(null), 5)
    t.strictEqual(sizeOf(undefined), 5)
    t.strictEqual(sizeOf({ toBSON: () => ({ a: 1 }) }), 12)
    for (const root of [[], 5, 'x', new Date(), /a/, Buffer.alloc(1), new types.ObjectId(), () => 1]) {
      assert.throws(() => sizeOf(root), error => error.name === 'BSONError')
    }
    t.done()
  },

  'no bytes are made: a size beyond every memory, or the format': t => {
    const part = { bytes: Buffer.alloc(1e6) }
    const list = Array(2140).fill(part)
    t.strictEqual(sizeOf({ list }), sizeOf({ list: [] }) + indexes(2140) + 2140 * (sizeOf(part) + 2))
    assert.throws(() => sizeOf({ list: Array(2200).fill(part) }), isBSONError(/document is larger than 2147483647 bytes/))
    const text = 'x'.repeat(2 ** 31 - 1 - sizeOf({ list, text: '' }))
    t.strictEqual(sizeOf({ list, text }), 2 ** 31 - 1)
    assert.throws(() => sizeOf({ list, text: `${text}x` }), isBSONError(/document is larger than 2147483647 bytes/))
    t.done()
  },

  'binary values take no longer when they are large': t => {
    const bytes = new Uint8Array(1 << 24)
    const documents = [bytes, Buffer.from(bytes.buffer), new types.Binary(bytes), new types.Binary(bytes, 2)].map(value => ({ value }))
    assertCheap(100, () => { for (let i = 0; i < 100; i++) documents.forEach(doc => sizeOf(doc)) }, '400 of 16 MB')
    for (const doc of documents) t.strictEqual(sizeOf(doc), encode(doc).length)
    t.done()
  },

  'cycles, levels, endless arrays, impostors': t => {
    const cycle = { a: {} }
    cycle.a.b = [cycle]
    assert.throws(() => sizeOf(cycle), isBSONError(/Cannot convert circular structure to BSON \(in field a\.b\[0\]\)/))
    assert.throws(() => sizeOf({ a: { b: {} } }, { maxDepth: 2 }), isBSONError(/nested deeper than 2 levels/))
    assert.throws(() => sizeOf({ a: new Array(2 ** 31) }), isBSONError(/larger than/))
    const named = name => new (class { get _bsontype() { return name } })()
    for (const name of ['Binary', 'Code', 'BSONRegExp', 'BSONSymbol', 'Nothing']) assert.throws(() => sizeOf({ x: named(name) }), error => error.name === 'BSONError')
    assert.throws(() => sizeOf({ x: new Map([[1, 1]]) }), isBSONError(/keys of a Map must be strings/))
    t.done()
  },

  'what is wrong is where encode says it is': t => {
    const wrong = new Map(/** @type {any} */ ([['a', 1], [1, 1]]))
    const code = new types.Code('f', { inner: [wrong] })
    for (const doc of [wrong, { x: wrong }, { x: [{}, wrong] }, { x: code }, { x: [code] }]) {
      const [expected, actual] = [encode, sizeOf].map(ask => errorOf(() => ask(doc)))
      assert.deepStrictEqual([actual.path, actual.message], [expected.path, expected.message])
    }
    t.done()
  },

  'below the levels that recursion handles': t => {
    const inner = { m: new Map([['é', 1]]), r: new types.DBRef('c', 1, 'd'), c: new types.Code('f', { s: [1] }), u: undefined, b: Buffer.alloc(3) }
    for (const levels of [98, 99, 100, 101, 160]) {
      let doc = inner
      for (let i = 0; i < levels; i++) doc = i % 2 ? [doc] : { a: doc }
      assert.strictEqual(sizeOf({ doc }), encode({ doc }).length)
    }
    let wrong = { x: new Map([[1, 1]]) }
    for (let i = 0; i < 150; i++) wrong = { a: wrong }
    assert.throws(() => sizeOf(wrong), isBSONError(/keys of a Map must be strings/))
    t.done()
  },

  'documents that are bytes already count as many': t => {
    class Raw {
      get [Symbol.for('qbson.raw')]() {
        return encode({ a: 1 })
      }
    }
    const docs = [new Raw(), { raw: new Raw() }, { list: [new Raw(), [new Raw()]] }]
    for (const doc of docs) t.strictEqual(sizeOf(doc), encode(doc).length)
    let deep = new Raw()
    for (let i = 0; i < 150; i++) deep = [deep]
    t.strictEqual(sizeOf({ deep }), encode({ deep }).length)
    t.done()
  },

  'the sizes that are fixed are those of the specification': t => {
    const empty = { NULL: 0, UNDEFINED: 0, MIN_KEY: 0, MAX_KEY: 0 }
    const fixed = { DOUBLE: 8, OBJECT_ID: 12, DATETIME: 8, INT32: 4, INT64: 8, TIMESTAMP: 8, DECIMAL128: 16, ...empty }
    for (const [name, type] of Object.entries(ELEMENT)) t.strictEqual(FIXED_SIZE[type], fixed[name] ?? -1, name)
    t.done()
  }
}

/** Digits of the indexes below n. */
function indexes(n) {
  return Array.from({ length: n }, (_, i) => String(i).length).reduce((sum, digits) => sum + digits, 0)
}
