'use strict'

// Lists of values of one type each. In documents of mixed types, rare types would hardly influence the figures.

const { random } = require('./random')

/** Documents per type, and values in each. */
const COUNT = 20
const LENGTH = 100

/** Makes a value of each type from the classes of a BSON library and a different number each time. */
const values = {
  int: (types, n) => n,
  double: (types, n) => n + 0.5,
  'short text': (types, n) => `text ${n}`,
  'text of 40': (types, n) => `some text of about forty characters ${n}`,
  'not ASCII': (types, n) => `Ünïcode ${n}`,
  boolean: (types, n) => n % 2 === 0,
  null: () => null,
  Date: (types, n) => new Date(1.6e12 + n),
  ObjectId: ({ ObjectId }, n) => new ObjectId(n.toString(16).padStart(24, '5')),
  Long: ({ Long }, n) => Long.fromBigInt(BigInt(n) * 10_000_000_000n),
  bigint: (types, n) => BigInt(n) * 10_000_000_000n,
  Timestamp: ({ Timestamp }, n) => new Timestamp({ t: n, i: 1 }),
  Decimal128: ({ Decimal128 }, n) => Decimal128.fromString(`${n}.25`),
  Binary: ({ Binary }, n) => new Binary(Buffer.from(`ten bytes ${n}`)),
  Buffer: (types, n) => Buffer.from(`ten bytes ${n}`),
  UUID: ({ UUID }, n) => new UUID(n.toString(16).padStart(32, '5')),
  Double: ({ Double }, n) => new Double(n),
  Int32: ({ Int32 }, n) => new Int32(n),
  RegExp: (types, n) => new RegExp(`ab+c${n}`, 'i'),
  BSONRegExp: ({ BSONRegExp }, n) => new BSONRegExp(`ab+c${n}`, 'i'),
  Code: ({ Code }, n) => new Code(`x + ${n}`),
  BSONSymbol: ({ BSONSymbol }, n) => new BSONSymbol(`name ${n}`),
  MinKey: ({ MinKey }) => new MinKey(),
  DBRef: ({ DBRef, ObjectId }, n) => new DBRef('books', new ObjectId(n.toString(16).padStart(24, '5'))),
  object: (types, n) => ({ a: n, b: 2 }),
  array: (types, n) => [n, 2],
  Map: (types, n) => new Map([['a', n], ['b', 2]])
}

/**
 * @param {string} name of a type
 * @param {any} types the classes of a BSON library
 * @returns {{list: any[]}[]} the same documents every time
 */
function listsOf(name, types) {
  const next = random(17)
  return Array.from({ length: COUNT }, () => ({
    list: Array.from({ length: LENGTH }, () => values[name](types, 1000 + next() % 1_000_000))
  }))
}

module.exports = { names: Object.keys(values), listsOf, COUNT, LENGTH }
