'use strict'

// Families of values that are hostile to writers.

const { Binary, Code, Decimal128, RawDocument } = require('../../qbson')
const { colliding } = require('./collisions')

const times = (n, make) => Array.from({ length: Math.ceil(n) }, (_, i) => make(i))
const wide = (n, name) => Object.fromEntries(times(n, i => [name(i), i]))
const deep = (n, open) => times(n, i => i).reduce((inner, i) => open(inner, i), /** @type {any} */ ({}))

/** A document that ends in a cycle. */
const circle = doc => {
  const end = {}
  end.back = end
  return { ...doc, end }
}

/** @type {Record<string, {make: (n: number) => any, train?: () => any[], size?: number}>} */
const families = {
  'many keys': { make: n => wide(n, i => `k${i}`) },
  'keys that are numbers': { make: n => wide(n, i => String(i * 3)) },
  'keys that collide': { make: n => wide(n, colliding), train: () => times(20, i => wide(9, k => colliding(i + k))) },
  'long keys': { make: n => wide(n / 10, i => 'é'.repeat(100) + i) },
  'a Map of many keys': { make: n => new Map(times(n, i => [`k${i}`, i])) },
  'a long array': { make: n => ({ a: times(n, i => i % 3 ? i : 'x') }) },
  'an array with holes': { make: n => ({ a: Object.assign([], { [n]: 1 }) }) },
  'an array of documents': { make: n => ({ a: times(n, i => ({ [`k${i % 50}`]: i })) }) },
  'an array of documents with new keys': { make: n => ({ a: times(n, i => ({ [`k${i}`]: i })) }) },
  'strings': { make: n => ({ a: times(n, i => 'é'.repeat(i % 40)) }) },
  'one long string': { make: n => ({ a: 'é'.repeat(20 * n), b: 'x'.repeat(20 * n) }) },
  'binaries': { make: n => ({ a: times(n, i => new Binary(Buffer.alloc(i % 50))) }) },
  'decimals': { make: n => ({ a: times(n / 4, i => Decimal128.fromString(`1.${i}`)) }) },
  'raw documents': { make: n => ({ a: times(n, i => RawDocument.from({ i })) }) },
  'deep documents': { make: n => deep(n, a => ({ a })) },
  'deep arrays': { make: n => ({ a: deep(n, a => [a]) }) },
  'deep Maps': { make: n => deep(n, a => new Map([['a', a]])) },
  'deep code with scope': { make: n => deep(n / 4, a => ({ c: new Code('f', a) })) },
  'deep, with toBSON': { make: n => deep(n, a => ({ a: { toBSON: () => a } })) },
  'long arrays before a circle': { make: n => circle({ a: times(n, i => i) }) },
  'a Buffer before a circle': { make: n => circle({ a: Buffer.alloc(100 * n) }) },
  'documents before a circle': { make: n => circle({ a: times(n, i => ({ i, b: [i] })) }) },
  'a circle of many': {
    make: n => {
      const root = {}
      let last = root
      for (let i = 0; i < n; i++) last = last.next = {}
      last.next = root
      return root
    }
  },
  'an invalid value after many': { make: n => ({ a: times(n, i => ({ i })), b: new Date(NaN) }) },
  'an invalid value deep inside': { make: n => deep(n, (a, i) => i === 0 ? { a: new Date(NaN) } : { a }) },
  'wrong names, deep inside': { make: n => deep(n, (a, i) => i === 0 ? { 'a\0b': 1 } : { a }) },

  'other keys at every level': {
    make: n => deep(n, (a, i) => ({ ...wide(8, k => `k${(k * 7 + i) % 11}`), a })), size: 25,
    train: () => times(30, i => wide(8, k => `k${(k * 7 + i) % 11}`))
  },
  'the last value has another type at every level': {
    make: n => deep(n, (a, i) => ({ a, b: [1], c: [1, 'x', null, {}, [1]][i % 5] })), size: 25,
    train: () => times(30, () => deep(40, a => ({ a, b: [1], c: 1 })))
  },
  'arrays longer than expected, at every level': {
    make: n => ({ a: [...times(130, () => deep(n, a => [a])), deep(n, a => [a, [[], [], []]])] }), size: 5,
    train: () => times(20, () => ({ a: [deep(24, a => [a])] }))
  },
  'a key more than expected, at every level': {
    make: n => {
      const expected = times(300, () => ({ x: times(3, () => ({ x: [] })) }))
      return { x: [...expected, deep(n, inner => ({ x: [inner, ...times(18, () => ({ x: [] }))], z: 1 }))] }
    },
    size: 4
  }
}

module.exports = { families }
