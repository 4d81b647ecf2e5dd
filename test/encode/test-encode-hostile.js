'use strict'

// Hostile values: they lie about themselves, or change while they are written.

const assert = require('node:assert')
const { inspect } = require('node:util')
const vm = require('node:vm')
const types = require('../../lib/types')
const { outcome } = require('../fixtures/outcome')
const { encode, encodeInto } = require('../../lib/encode/encode')
const { sizeOf } = require('../../lib/encode/size')
const { decode } = require('../../lib/decode/decode')
const compat = require('../../lib/compat')
const { BSONError } = require('../../lib/errors')
const { errorOf } = require('../fixtures/error-of')
const { requireWithoutBuffer } = require('../without-buffer')

const isBSONError = pattern => error => error.name === 'BSONError' && pattern.test(error.message)

/** Claims to have more bytes than it has. */
class Liar extends Uint8Array {
  get length() {
    return 60000
  }
}

const binaryOf = fields => Object.assign(new types.Binary(Buffer.alloc(4)), fields)

module.exports = {
  'no byte that nobody wrote: a Binary that claims more than it has': t => {
    assert.throws(() => encode({ x: binaryOf({ buffer: new Liar(4), position: 60000 }) }), isBSONError(/position inside it/))
    let asked = 0
    class Twice {
      get _bsontype() { return 'Binary' }
      get sub_type() { return 0 }
      get position() { return 60000 }
      get buffer() { return asked++ === 0 ? new Uint8Array(60000).fill(1) : new Uint8Array(0) }
    }
    const { x } = decode(encode({ x: new Twice() }))
    t.ok(x.buffer.length === 60000 && x.buffer.every(byte => byte === 1) && asked === 1)
    t.done()
  },

  'no byte that nobody wrote: views and memory that claim more than they have': t => {
    class Wide extends DataView {
      get byteLength() { return 60000 }
    }
    assert.throws(() => encode({ x: new Wide(new ArrayBuffer(4)) }), isBSONError(/bytes cannot be read/))
    const liar = Object.defineProperty(new Uint8Array(4), 'byteLength', { value: 9 })
    t.deepStrictEqual(encode({ x: liar }), encode({ x: new Uint8Array(4) }))
    t.strictEqual(sizeOf({ x: liar }), encode({ x: liar }).length)
    t.done()
  },

  'the bytes of a Binary are not what a method of theirs answers': t => {
    class Other extends Liar {
      subarray() {
        return new Other(60000)
      }
    }
    const doc = buffer => ({ a: binaryOf({ buffer, position: 20 }), b: 1 })
    t.deepStrictEqual(encode(doc(new Other(20).fill(5))), encode(doc(Buffer.alloc(20, 5))))
    t.done()
  },

  'a Binary with room to spare, and one of a part of larger memory': t => {
    const part = new Uint8Array(Uint8Array.from([9, 1, 2, 3, 9]).buffer, 1, 3)
    t.deepStrictEqual([...decode(encode({ x: binaryOf({ buffer: part, position: 2 }) })).x.buffer], [1, 2])
    t.done()
  },

  'an offset beyond the target takes no memory': t => {
    const before = process.memoryUsage().arrayBuffers
    for (const offset of [6, 100, 1e9, 2 ** 31, 2 ** 40]) {
      assert.throws(() => encodeInto({ a: 1 }, Buffer.alloc(10), offset), isBSONError(/does not fit into 10 bytes/))
    }
    t.ok(process.memoryUsage().arrayBuffers - before < 1e6)
    t.done()
  },

  'no byte behind the document changes, whatever is left out': t => {
    const gone = [{ toBSON: () => undefined }, { toBSON: () => Symbol('s') }, undefined, () => 1, Symbol('s'), Object.assign(() => 1, { toBSON: () => undefined })]
    for (const value of gone) {
      const target = Buffer.alloc(80, 0xee)
      const end = encodeInto({ x: 1, aLongFieldName: value }, target)
      t.strictEqual(end, 12)
      t.ok(target.subarray(end).every(byte => byte === 0xee))
    }
    t.done()
  },

  'an array too long for any document is refused before an item of it is asked for': t => {
    const endless = new Array(2 ** 31)
    Object.defineProperty(endless, 0, { get() { throw new Error('asked') } })
    for (const doc of [{ endless }, { a: new Map([['b', endless]]) }]) assert.throws(() => encode(doc), isBSONError(/larger than 2147483647 bytes/))
    t.done()
  },

  'a target that is taken away or cut while it is written to': t => {
    const detached = new Uint8Array(100)
    const detach = () => (structuredClone(detached, { transfer: [detached.buffer] }), 1)
    const memory = new ArrayBuffer(100, /** @type {any} */ ({ maxByteLength: 200 }))
    const cut = () => (/** @type {any} */ (memory).resize(10), 1)
    for (const [target, change] of [[detached, detach], [new Uint8Array(memory), cut]]) {
      const doc = { get a() { return change() }, b: 's', c: 2, d: [1], e: 'x'.repeat(500) }
      assert.throws(() => encodeInto(doc, /** @type {Uint8Array} */ (target)), isBSONError(/detached or resized/))
      t.strictEqual(encode({ a: 1 }).length, 12)
    }
    t.done()
  },

  'a target that shrinks and grows back while it is written to gets the whole document': t => {
    const doc = change => ({ first: 'x'.repeat(8), get a() { return change() }, list: [1, 2.5], last: 'y' })
    const expected = encode(doc(() => 1))
    for (const [room, offset, size] of [[100, 0, 100], [100, 20, 100], [3 << 20, 2 << 20, 3 << 20], [100, 0, undefined]]) {
      const memory = new /** @type {any} */ (ArrayBuffer)(room, { maxByteLength: 2 * room })
      const target = new Uint8Array(memory, 0, size)
      const change = () => (memory.resize(10), memory.resize(room), 1)
      const end = encodeInto(doc(change), target, offset)
      t.deepStrictEqual(Buffer.from(target.slice(offset, end)), expected)
      assert.throws(() => encodeInto(doc(change), target, room - 30), isBSONError(/does not fit into/))
    }
    t.done()
  },

  'a target that grows between two documents is as long as it is then': t => {
    const memory = new /** @type {any} */ (ArrayBuffer)(20, { maxByteLength: 200 })
    const target = new Uint8Array(memory)
    t.strictEqual(encodeInto({ a: 1 }, target), 12)
    memory.resize(200)
    const bytes = encode({ a: Array(12).fill(0.5) })
    t.strictEqual(encodeInto({ a: Array(12).fill(0.5) }, target), bytes.length)
    t.deepStrictEqual([...target.subarray(0, bytes.length)], [...bytes])
    t.done()
  },

  'a failure keeps neither scratch nor target': t => {
    assert.throws(() => encode({ big: 'x'.repeat(30e6), bad: new Date(NaN) }), isBSONError(/Invalid Date/))
    globalThis.gc?.()
    const { acquireOutput, releaseOutput } = require('../../lib/encode/output')
    assert.throws(() => encodeInto({ a: 1n << 70n }, new Uint8Array(50)), isBSONError(/outside the range/))
    const out = acquireOutput()
    t.deepStrictEqual([out.scratch.length <= 1 << 20, out.target.length, out.cycleCheckpoint], [true, 0, null])
    releaseOutput(out)
    t.done()
  },

  'a result that is handed to another thread takes no other with it': t => {
    for (const { encode } of [require('../../lib/encode/encode'), requireWithoutBuffer('lib/encode/encode.js')]) {
      const kept = encode({ keep: 'me' })
      const sent = encode({ s: 'x' })
      try {
        structuredClone(sent, { transfer: [sent.buffer] })
      } catch {
        // Node 20 copies what is in its pool, later versions refuse
      }
      t.deepStrictEqual(decode(kept), { keep: 'me' })
      for (let i = 0; i < 3; i++) t.deepStrictEqual(decode(encode({ again: i })), { again: i })
    }
    t.done()
  },

  'without Buffer the memory of a result holds no other bytes': t => {
    const { encode } = requireWithoutBuffer('lib/encode/encode.js')
    for (const doc of [{ a: 1 }, { a: 'x'.repeat(300) }, { a: 'x'.repeat(40000) }]) {
      const bytes = encode(doc)
      t.strictEqual(bytes.buffer.byteLength, bytes.length)
    }
    t.done()
  },

  'the path of a cycle comes from what was written: nothing is asked again, and nothing else is looked at': t => {
    let asked = 0
    const hidden = { get next() { asked++; return hidden }, toBSON: () => 1 }
    const doc = { hidden, data: Buffer.alloc(100000), b: {} }
    doc.b.back = doc.b
    assert.throws(() => encode(doc), isBSONError(/circular structure to BSON \(in field b\.back\)$/))
    t.strictEqual(asked, 0)
    const inside = { get c() { asked++; return this } }
    assert.throws(() => encode({ inside }), isBSONError(/in field inside\.c\)$/))
    t.ok(asked <= 4)
    t.done()
  },

  'the error of a cycle is a plain BSONError, as loggers show it, and does not keep the documents': t => {
    const doc = { a: {} }
    Object.assign(doc.a, { doc })
    for (const call of [encode, sizeOf]) {
      const error = errorOf(() => call(doc))
      t.strictEqual(error.constructor, BSONError)
      assert.match(inspect(error), /^\[?BSONError: Cannot convert circular structure to BSON \(in field a\.doc\)/)
      assert.deepStrictEqual(Object.getOwnPropertyNames(error).sort(), ['document', 'message', 'offset', 'path', 'stack'])
    }
    t.done()
  },

  'a cycle through the fields of a DBRef, or its id, is one': t => {
    const fields = new types.DBRef('c', /** @type {any} */ (1))
    fields.fields.self = fields
    const id = new types.DBRef('c', /** @type {any} */ ({}))
    Object.assign(id.oid, { list: [id] })
    const far = new types.DBRef('c', /** @type {any} */ (1), undefined, { a: {} })
    let end = far.fields.a
    for (let i = 0; i < 300; i++) end = end.b = {}
    end.far = far
    for (const [ref, path] of [[fields, 'r.self'], [id, 'r.$id.list[0]'], [far, /^r\.a\.b.*\u2026.*b\.far$/]]) {
      for (const call of [encode, sizeOf]) {
        const error = errorOf(() => call({ r: ref }))
        t.ok(error instanceof BSONError && error.message.startsWith('Cannot convert circular structure to BSON'), String(error))
        if (typeof path === 'string') t.strictEqual(error.path, path)
        else assert.match(error.path, path)
      }
    }
    const twice = new types.DBRef('c', /** @type {any} */ (1))
    t.strictEqual(encode({ a: twice, b: [twice, { twice }] }).length, sizeOf({ a: twice, b: [twice, { twice }] }))
    t.done()
  },

  'a long cycle is told by its ends': t => {
    const first = { next: {} }
    let last = first.next
    for (let i = 0; i < 50000; i++) last = last.next = {}
    last.next = first
    const twenty = Array(20).fill('next').join('.')
    assert.throws(() => encode(first), { path: `${twenty}["\u2026"].${twenty}` })
    t.done()
  },

  'a cycle through what is large is noticed before it has been written often': t => {
    let asked = 0
    const doc = { get data() { asked++; return Buffer.alloc(1e5) }, a: {} }
    doc.a.root = doc
    assert.throws(() => encode(doc), isBSONError(/in field a\.root\)$/))
    t.ok(asked <= 3)
    t.done()
  },

  'documents of another realm, with any keys': t => {
    const make = code => vm.runInNewContext(code)
    for (const code of ['({ a: { b: 2 } })', '({ _bsontype: "ObjectId", a: 1 })', '({ x: { _bsontype: "Nothing" } })', '({ l: [{ _bsontype: "Long", low: 1 }] })']) {
      const doc = make(code)
      t.deepStrictEqual(decode(encode(doc)), JSON.parse(JSON.stringify(doc)))
      t.strictEqual(sizeOf(doc), encode(doc).length)
    }
    t.done()
  },

  'a plain object that only says that it is a Map, however deep': t => {
    const fake = { a: 1, [Symbol.toStringTag]: 'Map' }
    const deep = Array.from({ length: 150 }).reduce(inner => ({ inner }), fake)
    for (const doc of [fake, deep]) {
      const bytes = encode(doc)
      t.strictEqual(sizeOf(doc), bytes.length)
      let found = decode(bytes)
      while (found.inner) found = found.inner
      t.deepStrictEqual(found, { a: 1 })
    }
    t.done()
  },

  'fields that getters delete are left out, also where undefined is null': t => {
    const gone = { get a() { delete this.b; return 1 }, b: 2, c: 3 }
    const copies = {
      plain: fields => fields,
      'of a class': fields => Object.setPrototypeOf(fields, class Person {}.prototype),
      'without a prototype': fields => Object.setPrototypeOf(fields, null),
      deep: fields => Array.from({ length: 150 }).reduce(inner => ({ inner }), fields)
    }
    for (const [name, make] of Object.entries(copies)) {
      const fresh = () => make(Object.defineProperties({}, Object.getOwnPropertyDescriptors(gone)))
      for (const ignoreUndefined of [true, false]) {
        const bytes = encode(fresh(), { ignoreUndefined })
        let doc = decode(bytes)
        while (doc.inner) doc = doc.inner
        t.deepStrictEqual(doc, { a: 1, c: 3 }, name)
        t.strictEqual(sizeOf(fresh(), { ignoreUndefined }), bytes.length, name)
      }
    }
    t.deepStrictEqual(decode(encode({ a: undefined, b: 1 }, { ignoreUndefined: false })), { a: null, b: 1 })
    t.done()
  },

  'a prototype of all objects that has been added to or frozen': t => {
    const doc = { a: { b: [1, { c: 'x' }] }, toString: 1 }
    const expected = encode(doc)
    Object.prototype.polluted = 'yes'
    try {
      t.ok(encode(doc).equals(expected))
      t.strictEqual(sizeOf(doc), expected.length)
    } finally {
      delete Object.prototype.polluted
    }
    const script = `Object.freeze(Object.prototype)
      const { encode } = require(${JSON.stringify(require.resolve('../../lib/encode/encode'))})
      if (encode({ toString: 1, constructor: 2 }).length !== 36) throw new Error('length')
      try { encode({ a: { b: new Date(NaN) } }) } catch (error) { if (error.path !== 'a.b') throw error }`
    const { status, stderr } = require('node:child_process').spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
    t.strictEqual(status, 0, stderr)
    t.done()
  },

  'a maxDepth of Infinity does not take the bound of the stack away': t => {
    let deep = {}
    for (let i = 0; i < 100_000; i++) deep = { a: deep }
    for (const run of [encode, sizeOf]) {
      const { error } = outcome(() => run(deep, { maxDepth: Infinity }))
      t.ok(error instanceof BSONError && /deeper than the stack allows/.test(error.message), error)
    }
    t.done()
  },

  'options that are null': t => {
    t.strictEqual(compat.serialize({ a: 1 }, null).length, 12)
    t.strictEqual(compat.serializeWithBufferAndIndex({ a: 1 }, Buffer.alloc(50), null), 11)
    t.strictEqual(compat.calculateObjectSize({ a: 1 }, null), 12)
    t.done()
  }
}
