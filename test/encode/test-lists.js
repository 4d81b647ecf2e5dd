'use strict'

// A list is written by the class of its first item as long as the others have it. Its bytes must be those of a document
// with the same values.

const vm = require('node:vm')
const types = require('../../lib/types')
const bson = require('bson')
const { encode } = require('../../lib/encode')
const { ELEMENT } = require('../../lib/spec')

const { Int32 } = types
const HEX = '0123456789abcdef01234567'

/** @type {Record<string, (types: any) => any>} of each class */
const MAKE = {
  ObjectId: ({ ObjectId }) => new ObjectId(HEX),
  Long: ({ Long }) => Long.fromNumber(2 ** 40),
  Int32: ({ Int32 }) => new Int32(5),
  Double: ({ Double }) => new Double(5),
  Decimal128: ({ Decimal128 }) => Decimal128.fromString('1.5'),
  Binary: ({ Binary }) => new Binary(Buffer.from('abc'), 128),
  UUID: ({ UUID }) => new UUID(HEX.padEnd(32, '0')),
  Timestamp: ({ Timestamp }) => new Timestamp({ t: 1, i: 2 }),
  Code: ({ Code }) => new Code('x'),
  scope: ({ Code }) => new Code('x', { a: 1 }),
  MinKey: ({ MinKey }) => new MinKey(),
  DBRef: ({ DBRef, ObjectId }) => new DBRef('c', new ObjectId(HEX)),
  BSONSymbol: ({ BSONSymbol }) => new BSONSymbol('s'),
  BSONRegExp: ({ BSONRegExp }) => new BSONRegExp('a', 'x'),
  RegExp: () => /a/gi,
  Buffer: () => Buffer.from('abc'),
  Uint8Array: () => new Uint8Array(3),
  Map: () => new Map([['a', 1]])
}

/** The bytes, or the message. */
function outcome(value, options) {
  try {
    return encode({ list: value }, options).toString('hex')
  } catch (error) {
    return error.message.replace(/list\[(\d)\]/, 'list.$1')
  }
}

/** What a list must write: the same as a document whose names are the indexes, but for its type, and null for undefined. */
function sameAsFields(t, items, message) {
  const fields = items.map(item => item === undefined ? null : item)
  for (const options of [undefined, { checkKeys: true }, { ignoreUndefined: false }, { serializeFunctions: true }]) {
    const asFields = outcome(Object.assign({}, fields), options).replace(/^(.{8})03/, (_, size) => `${size}0${ELEMENT.ARRAY}`)
    t.strictEqual(outcome(items, options), asFields, message)
  }
}

/** Objects that resemble an instance of the value's class. */
function doubtful(value) {
  const prototype = Object.getPrototypeOf(value)
  const copy = of => Object.create(of, Object.getOwnPropertyDescriptors(value))
  const own = (name, content) => Object.defineProperty(copy(prototype), name, { value: content })
  class Sub extends value.constructor {}
  class Renamed extends value.constructor {
    get _bsontype() {
      return 'MaxKey'
    }
  }
  return [
    own('toBSON', () => 'replaced'), own('_bsontype', 'MaxKey'), copy(Sub.prototype), copy(Renamed.prototype), Object.setPrototypeOf([1, 2], prototype),
    Object.create(prototype), Object.create(value), new Proxy(value, {}), Object.assign(Object.create(null), value), { ...value }
  ]
}

const OTHERS = [
  1, 1.5, 'text', true, null, undefined, 5n, () => 1, Symbol('s'), {}, [], [new Int32(1), 2], new Date(5), new Date(NaN), { toBSON: () => 1 },
  vm.runInNewContext('new Uint8Array(2)'), vm.runInNewContext('/b/'), vm.runInNewContext('({ a: 1 })'), { _bsontype: 'Int32' }
]

module.exports = {
  'of one class, of this package and of bson': t => {
    for (const [name, make] of Object.entries(MAKE)) {
      sameAsFields(t, Array.from({ length: 1200 }, () => make(types)), name)
      sameAsFields(t, [make(bson), make(types), make(bson)], `${name}, of bson`)
      sameAsFields(t, [make(types), make(bson), make(types)], `${name}, the second of bson`)
    }
    t.done()
  },

  'followed by anything else': t => {
    for (const [name, make] of Object.entries(MAKE)) {
      const values = [...OTHERS, ...doubtful(make(types)), ...Object.values(MAKE).map(other => other(types))]
      values.forEach((value, i) => {
        sameAsFields(t, [make(types), value, make(types)], `${name}, ${i}`)
        sameAsFields(t, [value, make(types), value], `${i}, ${name}`)
      })
    }
    t.done()
  },

  'a toBSON of the class that is added late is called': t => {
    const list = [new Int32(1), new Int32(2)]
    encode({ list })
    Int32.prototype.toBSON = function () {
      return `${this.value}`
    }
    try {
      sameAsFields(t, list)
      t.strictEqual(outcome(list), outcome(['1', '2']))
    } finally {
      delete Int32.prototype.toBSON
    }
    t.strictEqual(outcome(list), outcome([1, 2]))
    t.done()
  },

  'an item is read once': t => {
    let reads = 0
    const list = [new Int32(1), new Int32(2)]
    for (let i = 0; i < 2; i++) Object.defineProperty(list, i, { get: () => (reads++, new Int32(i)), enumerable: true })
    t.strictEqual(outcome(list), outcome([0, 1]))
    t.strictEqual(reads, 2)
    t.done()
  },

  'what cannot be written is named by its index': t => {
    const broken = Object.assign(new Int32(1), { value: 1.5 })
    t.throws(() => encode({ list: [new Int32(1), broken] }), { path: 'list[1]' })
    t.throws(() => encode({ list: [broken] }), { path: 'list[0]' })
    t.done()
  }
}
