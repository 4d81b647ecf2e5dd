'use strict'

// Values with modified fields: whatever the fields hold, encode, sizeOf and EJSON.stringify return a readable result or
// throw a BSONError with the path.

const assert = require('node:assert')
const { encode, encodeInto, sizeOf, decode, EJSON, BSONError, ...types } = require('../../qbson')
const { errorOf } = require('../fixtures/error-of')

/** A new one of each kind. @type {Record<string, () => any>} */
const VALUES = {
  Double: () => new types.Double(1),
  Int32: () => new types.Int32(1),
  Long: () => new types.Long(1),
  Timestamp: () => new types.Timestamp({ t: 1, i: 2 }),
  Decimal128: () => types.Decimal128.fromString('1'),
  Binary: () => new types.Binary(Buffer.from('abc')),
  UUID: () => new types.UUID(),
  vector: () => types.Binary.fromFloat32Array(new Float32Array([1, 2])),
  Code: () => new types.Code('f'),
  'Code with a scope': () => new types.Code('f', { a: 1 }),
  DBRef: () => new types.DBRef('c', /** @type {any} */ (1), 'd', { x: 1 }),
  BSONRegExp: () => new types.BSONRegExp('a', 'i'),
  BSONSymbol: () => new types.BSONSymbol('s'),
  Date: () => Object.assign(new Date(0), { getTime: undefined }),
  Map: () => Object.assign(new Map([['a', 1]]), { entries: undefined }),
  function: () => Object.assign(() => 1, { toString: undefined })
}

const returning = value => Object.assign(() => 1, { toString: () => value, valueOf: () => value })

const UNEXPECTED = [
  Symbol('x'), 1n, null, undefined, {}, [], NaN, -1, 1.5, '5', '', 2 ** 40, -(2 ** 40), true, Object.create(null), new Proxy({}, {}),
  new Uint8Array(3), { length: 5 }, () => 1, () => [5], returning(5), returning(Symbol('x')), { valueOf: () => Symbol('x') },
  { toString: null, valueOf: null }, { toString: () => 5 }
]

/** Reads the result, so that a half-written one fails. */
const CALLS = {
  encode: value => decode(encode({ a: value }, { serializeFunctions: true })),
  sizeOf: value => assert.ok(Number.isInteger(sizeOf({ a: value }, { serializeFunctions: true }))),
  'EJSON.stringify': value => JSON.parse(EJSON.stringify({ a: value })),
  'EJSON.stringify, canonical': value => JSON.parse(EJSON.stringify({ a: value }, { relaxed: false })),
  'EJSON.stringify, legacy': value => JSON.parse(EJSON.stringify({ a: value }, { legacy: true }))
}

/** As made by another copy of the library. */
function foreign(value) {
  return Object.assign(Object.create({ _bsontype: value._bsontype }), value)
}

/** @param {() => any} make @param {string} field @param {unknown} unexpected */
function changed(make, field, unexpected) {
  return Object.defineProperty(make(), field, { value: unexpected, configurable: true, enumerable: true, writable: true })
}

function checkAll(make, label) {
  for (const [call, run] of Object.entries(CALLS)) {
    try {
      run(make())
    } catch (error) {
      assert.ok(error instanceof BSONError && error.path?.startsWith('a'), `${call} of ${label}: ${error} ${error.path}`)
    }
  }
}

/** @param {boolean} isArray @returns {any} */
function revoked(isArray) {
  const { proxy, revoke } = Proxy.revocable(isArray ? [] : {}, {})
  revoke()
  return proxy
}

/** Inside `levels` documents. */
function within(value, levels) {
  let doc = value
  for (let i = 0; i < levels; i++) doc = { d: doc }
  return doc
}

const arrayOfLength = length => new Proxy([1, 2], { get: (target, key) => (key === 'length' ? length() : target[key]) })

module.exports = {
  ...Object.fromEntries(Object.entries(VALUES).map(([name, make]) => [name, function (t) {
    for (const field of Object.keys(make())) {
      UNEXPECTED.forEach((unexpected, i) => {
        checkAll(() => changed(make, field, unexpected), `${name}.${field} = ${typeof unexpected} ${i}`)
        if (make()._bsontype) checkAll(() => foreign(changed(make, field, unexpected)), `foreign ${name}.${field} = ${typeof unexpected} ${i}`)
      })
    }
    t.done()
  }])),

  'what is written of a Map are pairs': t => {
    const mapOf = entries => Object.assign(new Map(), { entries })
    t.deepStrictEqual(decode(encode({ a: mapOf(() => [['b', 1]]) })), { a: { b: 1 } })
    for (const entries of [() => 5, () => undefined, () => [5], () => ['ab'], () => [null]]) {
      for (const call of [encode, sizeOf, EJSON.stringify]) {
        const error = errorOf(() => call({ a: mapOf(entries) }))
        t.ok(error instanceof BSONError && error.message.startsWith('Map cannot be read'), String(error))
      }
    }
    t.throws(() => encode({ a: mapOf(() => { throw new RangeError('mine') }) }), /Map cannot be read/)
    t.done()
  },

  'a number that would be cut to 32 bits is no half of a Long': t => {
    for (const half of [2 ** 32, -(2 ** 31) - 1, 0.5, NaN]) {
      for (const call of [value => encode({ value }), value => EJSON.stringify({ value })]) {
        t.throws(() => call(Object.assign(new types.Long(1), { high: half })), /Long must have a low and a high part/)
      }
    }
    const unsigned = Object.assign(new types.Long(0), { low: 2 ** 32 - 1, high: 2 ** 31 })
    t.deepStrictEqual(encode({ a: unsigned }), encode({ a: new types.Long(-1, -(2 ** 31)) }))
    t.done()
  },

  'an ObjectId is 24 digits, whatever its parts are': t => {
    const id = Object.assign(new types.ObjectId(), { i0: -1 })
    assert.match(EJSON.stringify({ id }), /^\{"id":\{"\$oid":"ffffff[0-9a-f]{18}"\}\}$/)
    t.done()
  },

  'a revoked Proxy is a BSONError with its path': t => {
    const { proxy, revoke } = Proxy.revocable(() => 1, {})
    revoke()
    const cases = [
      [{ a: { b: revoked(false) } }, 'a.b'], [{ a: [1, revoked(true)] }, 'a[1]'], [new Map([['a', revoked(false)]]), 'a'],
      [{ a: new types.Code('f', revoked(false)) }, 'a.$scope'], [{ a: new types.DBRef('c', revoked(false)) }, 'a.$id'],
      [revoked(false), undefined], [{ a: { toBSON: () => revoked(false) } }, 'a']
    ]
    for (const call of [encode, sizeOf, doc => encodeInto(doc, Buffer.alloc(100)), EJSON.stringify]) {
      for (const [doc, path] of call === EJSON.stringify ? cases.slice(0, -1) : cases) {
        const error = errorOf(() => call(doc))
        t.ok(error instanceof BSONError && error.cause instanceof TypeError, String(error))
        t.ok((error.path || undefined) === path && error.message.startsWith('a revoked Proxy cannot be read'), `${error.path} ${error}`)
      }
      const deep = errorOf(() => call(within(revoked(false), 150)))
      t.ok(deep instanceof BSONError && deep.path.startsWith('d.d.'), String(deep))
    }
    for (const call of [encode, sizeOf]) t.strictEqual(errorOf(() => call({ f: proxy })).path, 'f')
    t.done()
  },

  'a Proxy of bytes, which cannot be read, is a BSONError with its path': t => {
    for (const bytes of [new Uint8Array(3), Buffer.alloc(3)]) {
      for (const call of [encode, sizeOf, doc => encodeInto(doc, Buffer.alloc(100)), EJSON.stringify]) {
        const error = errorOf(() => call({ a: [new Proxy(bytes, {})] }))
        t.strictEqual(String(error), 'BSONError: a Proxy of a Uint8Array cannot be read (in field a[0])')
      }
    }
    t.done()
  },

  'what a getter or a trap throws is its own': t => {
    const mine = new TypeError('mine')
    const fail = () => { throw mine }
    for (const doc of [{ a: new Proxy({ b: 1 }, { ownKeys: fail }) }, { get a() { return fail() } }, { a: { toBSON: fail } }]) {
      for (const call of [encode, sizeOf]) t.strictEqual(errorOf(() => call(doc)), mine)
    }
    t.done()
  },

  'a Proxy whose keys change is written as far as it has them': t => {
    const field = { value: 1, enumerable: true, configurable: true, writable: true }
    const makers = {
      'other keys each time': () => {
        let n = 0
        return new Proxy({}, { ownKeys: () => [`k${n++}`], getOwnPropertyDescriptor: () => field, get: (_, key) => (/^k/.test(String(key)) ? 1 : undefined) })
      },
      'keys that are gone when they are read': () => {
        let n = 0
        return new Proxy({}, { ownKeys: () => ['a', 'b'], getOwnPropertyDescriptor: () => (n++ < 2 ? field : undefined) })
      },
      'another prototype each time': () => {
        let n = 0
        return new Proxy({ a: 1 }, { getPrototypeOf: () => (n++ === 0 ? Object.prototype : { inherited: 5 }) })
      }
    }
    const expected = [{ k0: 1 }, {}, { a: 1 }]
    Object.values(makers).forEach((make, i) => {
      for (const levels of [0, 150]) {
        const docOf = () => ({ p: within(make(), levels) })
        for (const options of [{}, { ignoreUndefined: false }, { checkKeys: true }]) {
          const bytes = encode(docOf(), options)
          let inner = decode(bytes).p
          for (let n = 0; n < levels; n++) inner = inner.d
          if (!(i === 1 && options.ignoreUndefined === false)) t.deepStrictEqual(inner, expected[i])
          t.ok(sizeOf(docOf(), options) >= 5)
        }
        JSON.parse(EJSON.stringify(docOf()))
      }
    })
    t.done()
  },

  'an array whose length is no number, or another each time': t => {
    let n = 0
    for (const [length, items] of [[() => 2, [1, 2]], [() => NaN, []], [() => 1.5, [1, 2]], [() => (n++ % 4 < 2 ? 3 : 0), undefined]]) {
      for (const levels of [0, 150]) {
        let inner = decode(encode(within({ p: arrayOfLength(length) }, levels)))
        for (let i = 0; i < levels; i++) inner = inner.d
        if (items !== undefined) t.deepStrictEqual(inner.p, items)
        JSON.parse(EJSON.stringify(within({ p: arrayOfLength(length) }, levels)))
      }
    }
    for (const length of ['2', Symbol('2'), { valueOf: () => 2 }, 2n]) {
      for (const call of [encode, sizeOf]) {
        const error = errorOf(() => call({ p: arrayOfLength(() => length) }))
        t.ok(error instanceof BSONError && error.message.startsWith('the length of an array must be a number') && error.path === 'p')
      }
    }
    t.done()
  }
}
