'use strict'

// RawDocuments of broken bytes, or of bytes that change while in use.

const { serialize } = require('bson')
const { RawDocument, encode, BSONError } = require('../../qbson')
const { parsePath } = require('../../lib/raw/path')
const { many } = require('../fixtures/long')
const { bytesOf } = require('../fixtures/raw')

const A1 = '10 6100 01000000'

const tests = {}

/** [what, bytes, message, offset] of documents that are broken after a: a name may repeat, so they are walked to their end */
const BROKEN = [
  ['unknown type', A1 + '20 6200 00', /unknown BSON type 20/, 11],
  ['string too long', A1 + '02 6200 ff000000 78 00', /bad string length/, 14],
  ['string of negative length', A1 + '02 6200 ffffffff 78 00', /bad string length/, 14],
  ['document too long', A1 + '03 6200 ff000000 00', /bad embedded document length/, 14],
  ['document too short', A1 + '03 6200 04000000 00', /bad embedded document length/, 14],
  ['array without an end', A1 + '04 6200 05000000 01', /corrupted array bson/, 18],
  ['binary too long', A1 + '05 6200 10000000 00 00', /Binary type size larger/, 14],
  ['name without an end', A1 + '10 626262', /illegal CString/, 12],
  ['value cut off', A1 + '10 6200 0000', /cut off/, 14],
  ['an end in the middle', A1 + '00 6200', /corrupt object bson/, 11]
]

for (const [what, hex, message, offset] of BROKEN) {
  tests[`broken: ${what}`] = function (t) {
    const raw = new RawDocument(bytesOf(hex))
    const attempts = [
      () => raw.get('a'),
      () => raw.get('x'),
      () => raw.has('x'),
      () => raw.element('x'),
      () => raw.slice('x'),
      () => raw.keys(),
      () => raw.pick(['x']),
      () => raw.pick(['u', 'v', 'w', 'x', 'y']),
      () => raw.omit(['x']),
      () => raw.set('x', 1),
      () => raw.append('x', 1),
      () => raw.toObject(),
      () => raw.validate()
    ]
    for (const attempt of attempts) {
      t.throws(attempt, error => error instanceof BSONError && message.test(error.message) && error.offset === offset, String(attempt))
    }
    t.done()
  }
}

Object.assign(tests, {
  'a value that cannot be set is named by its whole path': function (t) {
    const raw = RawDocument.from({ o: { p: [{}] }, a: [1] })
    const cases = [['x', 'x'], ['o.q', 'o.q'], ['o.new.q', 'o.new.q'], ['o.p.0.q', 'o.p[0].q'], ['a.0', 'a[0]'], ['a.1', 'a[1]'], ['a.1.0.q', 'a[1].0.q'], [['o', 'x.y'], 'o["x.y"]']]
    for (const [path, shown] of cases) {
      for (const [value, rest] of [[new Date(NaN), ''], [{ z: [new Date(NaN)] }, '.z[0]']]) {
        t.throws(() => raw.set(path, value), error => {
          t.strictEqual(error.message, `Invalid Date cannot be serialized (in field ${shown}${rest})`)
          return error.path === shown + rest
        })
      }
    }
    t.done()
  },

  'broken: errors carry the path': function (t) {
    const bytes = Buffer.concat([Buffer.alloc(2), serialize({ a: { b: ['x', 'y'] } })])
    bytes[bytes.indexOf('y') - 4] = 99
    const raw = new RawDocument(bytes, 2)
    t.strictEqual(raw.get('a.b.0'), 'x')
    for (const attempt of [() => raw.get('a.b.1'), () => raw.get('a.b'), () => raw.toObject()]) {
      t.throws(attempt, error => error instanceof BSONError && error.offset === bytes.indexOf('y') - 4 && error.path.endsWith('[1]'))
    }
    t.throws(() => raw.slice('a.b').toObject(), error => error.offset === bytes.indexOf('y') - 4 && error.path === '[1]')
    t.done()
  },

  'broken: every byte changed, every length cut': function (t) {
    const bytes = Buffer.from(serialize({ a: { b: [1, 'x', { c: true }] }, r: /x/i, d: new Date(1), s: 'text', n: null }))
    const read = input => {
      const raw = new RawDocument(input)
      for (const element of raw) void element.name, void element.document
      raw.get('a.b.2.c')
      raw.pick(['a.b.1', 's']).toObject()
      raw.omit(['a.b.0']).set('a.b.0', 2).toObject()
    }
    const inputs = []
    for (let i = 0; i < bytes.length; i++) {
      inputs.push(bytes.subarray(0, i))
      for (const byte of [0, 1, 4, 0x7f, 0x80, 0xff]) {
        const changed = Buffer.from(bytes)
        changed[i] = byte
        inputs.push(changed)
      }
    }
    let errors = 0
    for (const input of inputs) {
      try {
        read(input)
      } catch (error) {
        if (!(error instanceof BSONError)) throw error
        errors++
      }
    }
    t.ok(errors > inputs.length / 3, `${errors} of ${inputs.length}`)
    t.done()
  },

  // it searched for the end of a name beyond the buffer, for ever
  'bytes that change later': function (t) {
    const bytes = Buffer.from(serialize({ a: 1, b: 'x' }))
    const raw = new RawDocument(bytes)
    bytes.fill(0x10, 4) // as the next read from a socket would do
    for (const attempt of [() => raw.get('zz'), () => raw.pick(['zz']), () => raw.keys(), () => raw.has('zz'), () => raw.omit(['a'])]) {
      t.throws(attempt, BSONError, String(attempt))
    }
    t.done()
  },

  'whatever the bytes change to, everything ends with a value or a BSONError': function (t) {
    const whole = encode({ a: 1, b: 'x', c: { d: [1, 'two', { e: null }], f: new Date(1) }, g: Buffer.alloc(5), h: /x/i, k: [[], {}] })
    let seed = 1
    const random = below => (seed = (seed * 48271) % 0x7fffffff) % below
    let errors = 0
    const count = many(150, 5000)
    for (let n = 0; n < count; n++) {
      const bytes = Buffer.from(whole)
      const raw = new RawDocument(bytes)
      const element = raw.element('c.d')
      const inner = raw.slice('c')
      if (n % 4 === 0) bytes.fill(random(256), random(bytes.length))
      for (let i = n % 4; i > 0; i--) bytes[random(bytes.length)] = random(256)
      const attempts = [
        () => raw.get('zz'), () => raw.get('c.d.2.e'), () => raw.has('k.3'), () => raw.pick(['zz', 'c.d']), () => raw.omit(['c.d.0']),
        () => raw.pick([...'abcdefghijk']), () => raw.keys(), () => raw.toObject(), () => raw.set('c.f', 1), () => raw.append('new', 1),
        () => raw.bytes, () => raw.validate(), () => element.value, () => element.name, () => element.document, () => inner.get('d.1')
      ]
      for (const attempt of attempts) {
        try {
          attempt()
        } catch (error) {
          if (!(error instanceof BSONError)) throw error
          errors++
        }
      }
    }
    t.ok(errors > count && errors < 16 * count, `${errors} errors`)
    t.done()
  },

  'a name that is not UTF-8 equals none of many': function (t) {
    const bytes = bytesOf('10 ff00 01000000')
    const many = Array.from({ length: 20 }, (_, i) => `k${i}`)
    for (const paths of [['\ufffd'], ['\ufffd', ...many]]) t.strictEqual(new RawDocument(bytes).omit(paths).size, bytes.length)
    t.done()
  },

  'paths are remembered, but no long ones and not all': function (t) {
    const path = 'some.path'
    const long = 'x'.repeat(201)
    const first = parsePath(path)
    t.strictEqual(parsePath(path), first)
    t.ok(parsePath(long) !== parsePath(long))
    for (let i = 0; i < 500; i++) parsePath(`another ${i}`)
    t.ok(parsePath(path) !== first)
    t.done()
  },

  'memory that is detached': function (t) {
    const memory = new ArrayBuffer(100)
    const bytes = Buffer.from(memory, 0, encode({ a: { b: 1 } }).copy(Buffer.from(memory)))
    const raw = new RawDocument(bytes)
    const element = raw.element('a')
    const iterator = raw[Symbol.iterator]()
    structuredClone(memory, { transfer: [memory] })
    const attempts = [
      () => raw.get('a'), () => raw.get('a.b'), () => raw.has('zz'), () => raw.slice('a'), () => raw.keys(), () => iterator.next(),
      () => raw.bytes, () => raw.pick(['a']), () => raw.pick([]), () => raw.omit(['a']), () => raw.set('a', 1), () => raw.toObject(), () => raw.validate(),
      () => encode({ raw }), () => raw.equals(raw), () => element.value, () => element.name, () => element.bytes, () => element.document
    ]
    for (const attempt of attempts) t.throws(attempt, BSONError, String(attempt))
    t.done()
  }
})

module.exports = tests
