'use strict'

// What encode promises beyond the tables (vectors*.js): ownership of memory, re-entrancy, the state after a failure,
// and values of other libraries and versions.

const assert = require('node:assert')
const bson = require('bson')
const types = require('../../lib/types')
const { encode, encodeInto, appendDocument } = require('../../lib/encode/encode')
const { decode } = require('../../lib/decode/decode')
const { sizeOf } = require('../../lib/encode/size')
const { Output, acquireOutput, releaseOutput } = require('../../lib/encode/output')
const { planOf } = require('../../lib/encode/options')
const { RawDocument } = require('../../lib/raw')
const { serialize } = require('../../lib/compat')
const { requireWithoutBuffer } = require('../without-buffer')
const { unhex, frame, int32, string } = require('../fixtures/bytes')

const A1 = unhex(frame('106100 01000000'))

function isBSONError(pattern) {
  return error => error.name === 'BSONError' && pattern.test(error.message)
}

/** As earlier major versions made them: a name on the prototype, data in fields of their own. */
function old(name, fields) {
  function Old() {
    Object.assign(this, fields)
  }
  Object.defineProperty(Old.prototype, '_bsontype', { value: name })
  Object.defineProperty(Old.prototype, 'toHexString', { value() { return fields.hex } })
  return new Old()
}

const HEX = '0123456789abcdef01234567'

module.exports = {
  'results are Buffers of their own': t => {
    const results = Array.from({ length: 100 }, (_, i) => encode({ i }))
    results.forEach((bytes, i) => assert.deepStrictEqual(decode(bytes), { i }))
    t.ok(results.every(bytes => Buffer.isBuffer(bytes)))
    t.done()
  },

  'encodeInto wants bytes and an offset in them': t => {
    for (const target of [undefined, null, [], {}, 'x', new ArrayBuffer(50), new DataView(new ArrayBuffer(50)), new Int8Array(50)]) {
      assert.throws(() => encodeInto({}, target), isBSONError(/target must be a Buffer or Uint8Array/))
    }
    for (const offset of [Object.create(null), -1, 1.5, NaN, '1', null, Infinity, Symbol('s')]) {
      assert.throws(() => encodeInto({}, Buffer.alloc(50), offset), isBSONError(/offset must be a non-negative integer/))
    }
    assert.throws(() => encodeInto({}, Buffer.alloc(5), 1), isBSONError(/does not fit/))
    assert.throws(() => encodeInto({}, Buffer.alloc(5), 6), isBSONError(/does not fit/))
    t.strictEqual(encodeInto({}, new Uint8Array(5)), 5)
    t.done()
  },

  'a toBSON may return any value': t => {
    for (const value of [true, false, null, 7, 1.5, -0, 7n, 'text', new Date(5), /x/i, Buffer.from('x'), [1], { b: 2 }]) {
      const docs = [{ a: { toBSON: () => value } }, { list: [{ toBSON: () => value }] }]
      const plain = [{ a: value }, { list: [value] }]
      docs.forEach((doc, i) => {
        t.ok(encode(doc).equals(encode(plain[i])), String(value))
        t.strictEqual(sizeOf(doc), encode(doc).length)
      })
    }
    t.done()
  },

  'null and undefined options count as no options': t => {
    for (const options of [undefined, null, {}, { checkKeys: undefined, maxDepth: undefined, ignoreUndefined: null }]) {
      assert.ok(encode({ a: 1, u: undefined, $x: undefined, f: () => 1 }, options).equals(A1))
    }
    t.done()
  },

  'checkKeys looks at a name whatever stands under it': t => {
    const answer = { toBSON: () => 5 }
    for (const value of [1, 'x', null, [], {}, 5n, undefined, () => 1, Symbol('s'), answer, new types.MinKey(), new types.DBRef('c', 1)]) {
      for (const doc of [{ $a: value }, new Map([['$a', value]]), { list: [{ $a: value }] }]) {
        for (const options of [{}, { ignoreUndefined: false }, { serializeFunctions: true }]) {
          assert.throws(() => encode(doc, { checkKeys: true, ...options }), isBSONError(/^key \$a must not start with '\$'/))
        }
      }
    }
    t.done()
  },

  'what a reference may do, what stands behind it may not': t => {
    const ref = new types.DBRef('c', 1, undefined, { $x: undefined, $y: 1 })
    let deep = [ref, { u: undefined }]
    for (let i = 0; i < 150; i++) deep = [deep]
    for (const doc of [{ ref, u: undefined }, { list: [ref], u: undefined }, { deep }]) {
      t.strictEqual(encode(doc, { ignoreUndefined: false }).length, encode(doc).length + 3)
      t.strictEqual(sizeOf(doc, { ignoreUndefined: false }), sizeOf(doc) + 3)
      assert.throws(() => encode({ ...doc, $a: 1 }, { checkKeys: true }), isBSONError(/^key \$a must not start/))
      encode(doc, { checkKeys: true })
    }
    t.done()
  },

  'appendDocument writes one after the other into one output': t => {
    const out = acquireOutput()
    try {
      const start = out.begin()
      let pos = start
      for (let i = 0; i < 1000; i++) pos = appendDocument(out, { a: 1 }, pos)
      pos = appendDocument(out, { u: undefined }, pos, planOf({ ignoreUndefined: false }))
      const bytes = out.finish(pos)
      t.strictEqual(bytes.length, 1000 * A1.length + 8)
      for (let i = 0; i < 1000; i++) assert.ok(bytes.subarray(i * A1.length, (i + 1) * A1.length).equals(A1))
      t.throws(() => appendDocument(out, { a: { b: new Date(NaN) } }, out.begin()), isBSONError(/Invalid Date .*\(in field a\.b\)$/))
      const doc = { a: { b: new Date(NaN) } }
      t.throws(() => appendDocument(out, doc, out.begin()), isBSONError(/Invalid Date/))
      doc.a.b = new Date(1) // the place of the failure does not count for cycles
      t.ok(appendDocument(out, doc.a, out.begin()) > 0)
    } finally {
      releaseOutput(out)
    }
    t.done()
  },

  'wherever the memory ends, a document, an array or the scope of a code goes on in more': t => {
    const append = docs => {
      const out = new Output()
      out.hasPool = false // so it begins in the scratch memory of 256 bytes
      const start = out.begin()
      return out.finish(docs.reduce((pos, doc) => appendDocument(out, doc, pos), start)).toString('hex')
    }
    for (const doc of [{}, new Map(), { toBSON: () => [] }]) t.strictEqual(append(Array(300).fill(doc)), frame('').repeat(300))
    for (let length = 0; length < 100; length++) {
      const text = '日'.repeat(length)
      for (const scope of [{}, /** @type {any} */ ([]), new Map()]) {
        const code = string(text) + frame('')
        const expected = frame(`0f 6300 ${int32(4 + code.length / 2)}${code}`)
        assert.strictEqual(append([{ c: new types.Code(text, scope) }]), expected, `code of ${length} characters`)
      }
    }
    t.done()
  },

  'documents that are bytes already are copied': t => {
    class Raw {
      constructor(bytes) {
        this.bytes = bytes
      }

      get [Symbol.for('qbson.raw')]() {
        return this.bytes
      }
    }
    class RawArray extends Raw {
      get isArray() {
        return true
      }
    }
    const raw = new Raw(A1)
    const list = new RawArray(unhex(frame('103000 05000000')))
    assert.deepStrictEqual(decode(encode({ x: raw, list, deep: [[raw]] })), { x: { a: 1 }, list: [5], deep: [[{ a: 1 }]] })
    t.ok(encode(raw).equals(A1))
    let deep = raw
    for (let i = 0; i < 150; i++) deep = [deep]
    let inner = decode(encode({ deep })).deep
    for (let i = 0; i < 150; i++) inner = inner[0]
    t.deepStrictEqual(inner, { a: 1 })
    t.done()
  },

  'values of bson, of this and of other versions, are what they are': t => {
    const rows = [
      [new bson.ObjectId(HEX), `07${HEX}`],
      [old('ObjectID', { hex: HEX }), `07${HEX}`],
      [old('ObjectID', { id: unhex(HEX), hex: HEX }), `07${HEX}`],
      [old('Long', { low_: 5, high_: -1 }), '1205000000ffffffff'],
      [old('Long', { low: 5, high: -1 }), '1205000000ffffffff'],
      [old('Timestamp', { low_: 1, high_: 2 }), '110100000002000000'],
      [old('Binary', { sub_type: 5, position: 2, buffer: Buffer.from('abcd') }), '0502000000056162'],
      [old('Code', { code: 'f', scope: {} }), '0f0f000000020000006600' + frame()],
      [old('Code', { code: () => 1 }), '0d08000000' + Buffer.from('() => 1').toString('hex') + '00'],
      [old('Symbol', { value: 's' }), '0e020000007300'],
      [old('MinKey', {}), 'ff'],
      [old('MaxKey', {}), '7f'],
      [old('DBRef', { namespace: 'c', oid: 1 }), '03' + frame('022472656600020000006300' + '102469640001000000')],
      [old('DBRef', { collection: 'c', oid: 1, db: 'd' }), '03' + frame('022472656600020000006300' + '102469640001000000' + '0224646200020000006400')],
      [old('BSONRegExp', { pattern: 'a', options: 'mi' }), '0b6100696d00'],
      [old('Decimal128', { bytes: Buffer.alloc(16, 1) }), '13' + '01'.repeat(16)]
    ]
    for (const [value, hex] of rows) {
      const expected = unhex(frame(hex.slice(0, 2) + '7800' + hex.slice(2)))
      assert.strictEqual(encode({ x: value }).toString('hex'), expected.toString('hex'), value._bsontype)
    }
    t.done()
  },

  'what only says that it is a value is refused': t => {
    for (const [name, pattern] of Object.entries({
      ObjectId: /ObjectId must have 12 bytes/,
      Long: /Long must have/,
      Binary: /Binary must have a buffer/,
      Code: /the code of a Code must be a string/,
      BSONSymbol: /the value of a BSONSymbol must be a string/,
      BSONRegExp: /must have a pattern and options/,
      Decimal128: /Decimal128 must have 16 bytes/
    })) {
      assert.throws(() => encode({ x: old(name, { id: 'short' }) }), isBSONError(pattern))
      assert.throws(() => encode({ x: new (class { get _bsontype() { return name } })() }), isBSONError(pattern))
    }
    const spoil = fields => Object.assign(new types.Binary(Buffer.alloc(3)), fields)
    for (const wrong of [{ sub_type: 256 }, { sub_type: -1 }, { sub_type: 'x' }, { position: -1 }, { position: 1.5 }, { position: 4 }, { buffer: [1, 2, 3] }]) {
      assert.throws(() => encode({ x: spoil(wrong) }), isBSONError(/Binary must have/))
    }
    t.done()
  },

  'dates and regular expressions that cannot be read': t => {
    assert.throws(() => encode({ d: Object.create(Date.prototype) }), isBSONError(/Date cannot be read/))
    assert.throws(() => encode({ d: Object.assign(new Date(), { getTime: () => 1e300 }) }), isBSONError(/Date cannot be read/))
    assert.throws(() => encode({ d: Object.assign(new Date(), { getTime: () => 'now' }) }), isBSONError(/Date cannot be read/))
    assert.throws(() => encode({ r: new Proxy(/a/, {}) }), isBSONError(/RegExp cannot be read/))
    assert.throws(() => encode({ r: Object.create(RegExp.prototype) }), isBSONError(/RegExp/))
    t.done()
  },

  'a failure names the path, and leaves the encoder as it was': t => {
    const wrong = 10n ** 30n
    const rows = [
      [{ a: wrong }, 'a'],
      [{ a: { b: [0, wrong] } }, 'a.b[1]'],
      [{ a: new Map([['x', { y: wrong }]]) }, 'a.x.y'],
      [{ c: new types.Code('f', { x: wrong }) }, 'c.$scope.x'],
      [{ r: new types.DBRef('c', wrong) }, 'r.$id'],
      [{ 'a.b': { '': wrong } }, '["a.b"][""]']
    ]
    for (const [doc, path] of rows) {
      assert.throws(() => encode(doc), error => error.path === path && error.message.endsWith(` (in field ${path})`))
      assert.ok(encode({ a: 1 }).equals(A1))
    }
    t.done()
  },

  'below the levels that recursion handles, paths and values are the same': t => {
    const nest = (inner, levels) => {
      for (let i = 0; i < levels; i++) inner = i % 2 ? [inner] : { a: inner }
      return inner
    }
    const make = () => ({ m: new Map([['x', 1]]), r: new types.DBRef('c', 1, 'd'), c: new types.Code('f', { s: [1] }), u: undefined, f: () => 1 })
    for (const levels of [97, 98, 99, 100, 101, 102, 151]) {
      const doc = nest(make(), levels)
      let inner = decode(encode({ doc })).doc
      for (let i = levels - 1; i >= 0; i--) inner = i % 2 ? inner[0] : inner.a
      assert.deepStrictEqual(inner, decode(encode(make())))
      assert.throws(() => encode({ doc: nest(10n ** 30n, levels) }), error => error.path.startsWith('doc') && /(\.a|\[0\])$/.test(error.path))
      assert.throws(() => encode({ doc: nest({ m: new Map([[1, 1]]) }, levels) }), isBSONError(/keys of a Map must be strings/))
      assert.throws(() => encode({ doc: nest({ 'a\0': 1 }, levels) }), isBSONError(/must not contain null bytes/))
    }
    assert.throws(() => encode({ doc: nest(10n ** 30n, 5000) }), error => error.path.length < 400 && error.path.includes('…'))
    t.done()
  },

  'maxSize is the size of the document': t => {
    const docs = [{ a: 'x'.repeat(100) }, { list: Array(5000).fill(7) }, { b: Buffer.alloc(2e6), c: 1 }, new RawDocument(encode({ a: 1 }))]
    for (const doc of docs) {
      const bytes = encode(doc)
      const size = bytes.length
      for (const maxSize of [size, size + 1, 2 ** 31, Infinity, null, undefined]) {
        t.deepStrictEqual(encode(doc, { maxSize }), bytes)
        t.strictEqual(encodeInto(doc, Buffer.alloc(size), 0, { maxSize }), size)
      }
      for (const call of [encode, (value, options) => encodeInto(value, Buffer.alloc(size + 9), 9, options), serialize]) {
        for (const maxSize of [size - 1, 5, 1]) {
          assert.throws(() => call(doc, { maxSize }), isBSONError(new RegExp(`^document is larger than ${maxSize} bytes`)))
        }
      }
    }
    for (const maxSize of [0, -1, 1.5, NaN, '5', 5n, {}, true]) {
      assert.throws(() => encode({}, { maxSize: /** @type {any} */ (maxSize) }), isBSONError(/^maxSize must be a positive integer, not /))
    }
    t.strictEqual(encode({ a: { toBSON: () => encode({ b: 'x'.repeat(500) }).length } }, { maxSize: 100 }).length, 12, 'each has its own')
    t.done()
  },

  'a document beyond maxSize is not written to its end': t => {
    let read = 0
    const doc = { big: Buffer.alloc(1000), list: Array.from({ length: 1000 }, () => ({ get a() { return ++read } })) }
    assert.throws(() => encode(doc, { maxSize: 100 }), isBSONError(/larger than 100 bytes/))
    t.ok(read < 300, `${read} fields were read`)
    t.done()
  },

  'maxDepth counts the root as the first level': t => {
    for (const [doc, depth] of [[{}, 1], [{ a: {} }, 2], [{ a: [[]] }, 3], [{ a: new types.Code('f', {}) }, 2], [{ a: new types.DBRef('c', {}) }, 3]]) {
      encode(doc, { maxDepth: depth })
      if (depth > 1) assert.throws(() => encode(doc, { maxDepth: depth - 1 }), isBSONError(/nested deeper than/))
    }
    t.done()
  },

  'without Buffer': t => {
    const { encode } = requireWithoutBuffer('lib/encode/encode.js')
    const doc = { a: 1, text: 'é'.repeat(100), list: [1.5, 'x', null, true], date: new Date(5), bytes: new Uint8Array(3), big: 5n, long: 'x'.repeat(9000) }
    const bytes = encode(doc)
    t.strictEqual(bytes.constructor, Uint8Array)
    t.ok(Buffer.from(bytes).equals(require('../../lib/encode/encode').encode(doc)))
    t.done()
  }
}
