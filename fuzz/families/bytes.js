'use strict'

// Families of hostile documents: `make(n)` contains n times something, and reading it has to take proportional time.
// `train` is read many times before, so that learned code meets the hostile documents. `sizes` is the initial n, if not
// the usual one (for levels of nesting, where a bad reader takes quadratic or exponential time).

const { encode } = require('../../qbson')
const { colliding } = require('./collisions')
const { int32, frame, element, string, many, nested } = require('./parts')

const int = int32(7)
const INT = 0x10
const DOC = 3
const ARRAY = 4

const times = (n, make) => Array.from({ length: Math.ceil(n) }, (_, i) => make(i))
const inArray = items => frame(element(ARRAY, 'a', items))

/** Nested arrays, each with siblings of another length. */
const arrays = (depth, beside) => {
  let list = []
  for (let i = 0; i < depth; i++) list = beside ? [list, [[], [], []]] : [list]
  return list
}

/** Nested documents with an extra key after the nested values, and siblings as expected. */
const objects = (depth, siblings, extra) => {
  let inner = { x: [] }
  for (let i = 0; i < depth; i++) inner = { x: [inner, ...times(siblings, () => ({ x: [] }))], ...extra(i) }
  return inner
}

/** Eight fields, a different set at each level. */
const varied = (depth, i) => Object.fromEntries(times(8, k => [`k${(k * 7 + i) % 11}`, k]))

/** Code with a scope. @param {Buffer} scope a document */
const scoped = scope => {
  const text = string('f')
  return Buffer.concat([int32(4 + text.length + scope.length), text, scope])
}

/** @type {Record<string, {make: (n: number) => Buffer, train?: () => Buffer[], size?: number}>} */
const families = {
  'distinct keys': { make: n => many(n, i => element(INT, `k${i}`, int)) },
  'the same key': { make: n => many(n, () => element(INT, 'k', int)) },
  'keys that are numbers': { make: n => many(n, i => element(INT, String(4294967294 - i * 7), int)) },
  'empty keys': { make: n => many(n, () => element(10, '')) },
  'keys with a dollar': { make: n => many(n, i => element(INT, `$k${i}`, int)) },
  'keys that collide': { make: n => many(n, i => element(INT, colliding(i), int)), train: () => times(20, i => many(9, k => element(INT, colliding(i + k), int))) },
  'keys that collide, one a document': { make: n => inArray(many(n, i => element(DOC, '', frame(element(INT, colliding(i % 64), int))))) },
  'ids as keys': { make: n => inArray(many(n / 10, i => element(DOC, '', many(10, k => element(INT, `${i * 7919 + k}`.padStart(24, 'a'), int))))) },
  'names that begin alike': { make: n => many(n, i => element(INT, `the.same.long.beginning.of.all.names.${i}`, int)) },
  'long names': { make: n => many(n / 10, i => element(INT, 'x'.repeat(200) + i, int)) },
  'one long name': { make: n => frame(element(INT, 'x'.repeat(n * 10), int)) },
  'one long name, wrong': { make: n => frame(element(0x20, ' (at offset 1'.repeat(n) + '\n')) },
  'a DBRef of many fields': { make: n => frame(element(DOC, 'a', many(n + 2, i => i === 0 ? element(2, '$ref', string('c')) : element(INT, i === 1 ? '$id' : `k${i}`, int)))) },
  'deep documents': { make: n => nested(n, 'a') },
  'deep arrays': { make: n => nested(n, '0', { type: ARRAY }) },
  'deep documents without names': { make: n => nested(n, '') },
  'deep documents, wrong in the middle': { make: n => nested(n, 'a', { innermost: frame(element(8, 'b', Buffer.from([2]))) }) },
  'deep code with scope': { make: n => times(n / 4, () => 0).reduce(inner => frame(element(15, 'c', scoped(inner))), frame(Buffer.alloc(0))) },
  'an array of documents': { make: n => inArray(many(n, i => element(DOC, String(i), frame(element(INT, `k${i % 100}`, int))))) },
  'an array of documents with new keys': { make: n => inArray(many(n, i => element(DOC, String(i), frame(element(INT, `k${i * 1.1}`, int))))) },
  'an array of arrays': { make: n => inArray(many(n, i => element(ARRAY, '', many(i % 9, () => element(INT, '', int))))) },
  'an array with long names': { make: n => inArray(many(n / 10, () => element(INT, 'x'.repeat(100), int))) },
  'short strings': { make: n => inArray(many(n, () => element(2, '', string('abcdefghijklmnopqrst')))) },
  'short strings and large binaries': { make: n => inArray(many(n / 20, i => i & 1 ? element(2, '', string('abcdefghijklmnopqrst')) : element(5, '', Buffer.concat([int32(1100), Buffer.from([0]), Buffer.alloc(1100)])))) },
  'strings that are not ASCII': { make: n => inArray(many(n, () => element(2, '', string('abcdefghéijklmno')))) },
  'one long string': { make: n => frame(element(2, 'a', string('é'.repeat(n * 10)))) },
  'code with scope': { make: n => many(n, () => element(15, 'k', scoped(frame(Buffer.alloc(0))))) },
  'regular expressions': { make: n => many(n, () => element(11, 'r', Buffer.from('(a+)+$\0i\0'))) },
  'one long regular expression': { make: n => frame(element(11, 'r', Buffer.from(`${'a'.repeat(n * 10)}\0${'i'}\0`))) },
  'many options of a regular expression': { make: n => frame(element(11, 'r', Buffer.from(`a\0${'ilmsux'.repeat(n)}\0`))) },
  'wrong at the end, wide': { make: n => frame(Buffer.concat([...times(n, i => element(INT, `k${i}`, int)), element(8, 'b', Buffer.from([2]))])) },
  'wrong at the end of an array of documents': { make: n => inArray(frame(Buffer.concat([...times(n, i => element(DOC, String(i), frame(element(INT, 'k', int)))), element(8, 'b', Buffer.from([2]))]))) },
  'binaries of a byte': { make: n => many(n, () => element(5, 'b', Buffer.concat([int32(1), Buffer.from([0, 5])]))) },
  decimals: { make: n => many(n, () => element(19, 'd', Buffer.alloc(16, 3))) },
  'many small documents in turn': { make: n => inArray(many(n, i => element(DOC, '', encode(varied(8, i))))) },

  // shapes arranged to miss: after the nested values, what was learned turns out wrong, at every level
  'arrays longer than expected, at every level': {
    make: n => encode({ a: [...times(130, () => arrays(n, false)), arrays(n, true)] }), size: 5,
    train: () => times(20, () => encode({ a: [arrays(24, false)] }))
  },
  'a key more than expected, at every level': {
    make: n => encode({ x: [...times(300, () => ({ x: times(3, () => ({ x: [] })) })), objects(n, 18, () => ({ z: 1 }))] }), size: 6,
    train: () => times(20, () => encode({ x: [objects(22, 2, () => ({}))] }))
  },
  'a key with a dollar behind nested documents': {
    make: n => nested(n, 'x', { after: element(INT, '$z', int), innermost: inArray(many(300, () => element(10, ''))) }), size: 25
  },
  'a reference around references': {
    make: n => {
      let inner = many(300, () => element(10, ''))
      for (let i = 0; i < n; i++) inner = frame(Buffer.concat([element(2, '$ref', string('c')), element(INT, '$id', int), element(DOC, 'x', inner)]))
      return frame(element(DOC, 'r', inner))
    },
    size: 25
  },
  'other keys at every level': {
    make: n => encode(times(n, i => i).reduce((inner, i) => ({ ...varied(8, i), inner, after: i }), {})), size: 25,
    train: () => times(30, i => encode(varied(8, i)))
  },
  'the last key has another name at every level': {
    make: n => encode(times(n, i => i).reduce((inner, i) => ({ a: inner, b: [inner === null], [`c${i % 3}`]: 1 }), null)), size: 25,
    train: () => times(30, () => encode(times(40, i => i).reduce(inner => ({ a: inner, b: [false], c0: 1 }), null)))
  },
  'the last value has another type at every level': {
    make: n => encode(times(n, i => i).reduce((inner, i) => ({ a: inner, b: [false], c: [1, 'x', null, {}, [1]][i % 5] }), null)), size: 25,
    train: () => times(30, () => encode(times(40, i => i).reduce(inner => ({ a: inner, b: [false], c: 1 }), null)))
  },
  'keys that end before they should': {
    make: n => encode(times(n, i => i).reduce((inner, i) => i % 2 ? { a: inner, b: 1 } : { a: inner, b: 1, c: 1, d: 1 }, null)), size: 25,
    train: () => times(30, () => encode(times(40, i => i).reduce(inner => ({ a: inner, b: 1, c: 1, d: 1 }), null)))
  }
}

module.exports = { families }
