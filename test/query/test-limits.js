'use strict'

// The limits of queries and columns on both sides: what is within works, and what is beyond is refused by a message.

const { encode, Binary, BSONError, RawDocument } = require('../../qbson')
const { ELEMENT } = require('../../lib/spec')
const { matcher, compare } = require('../../lib/query')
const { keyOf } = require('../../lib/query/keys')
const { columns } = require('../../lib/columns')
const { assertCheap } = require('../fixtures/cost')
const { many } = require('../fixtures/long')

/** A document of which one binary field is so long. @param {number} size bytes */
function large(size) {
  return encode({ _id: 1, data: new Binary(Buffer.alloc(size, 7)), last: 'x' })
}

/** Bytes of a field: of more than a document on a server, and in the long test of more than any reader wants. */
const LARGE = many(17, 256) * 1024 * 1024

/** @param {number} levels @param {any} inner @param {(inner: any) => any} around */
function nested(levels, inner, around) {
  for (let i = 0; i < levels; i++) inner = around(inner)
  return inner
}

/** What works, and what the next thing is refused with. @type {[string, () => void, () => void, RegExp][]} */
const LIMITS = [
  ['levels of a query', () => matcher(nested(99, { a: 1 }, inner => ({ $and: [inner] }))),
    () => matcher(nested(100, { a: 1 }, inner => ({ $and: [inner] }))), /a query can have at most 100 levels/],
  ['characters of a pattern', () => matcher({ a: { $regex: 'x'.repeat(32_764) } }),
    () => matcher({ a: { $regex: 'x'.repeat(32_765) } }), /a regular expression can have at most 32764 characters/],
  ['keys of a path', () => matcher({ [`a${'.a'.repeat(999)}`]: 1 })(encode({ a: 1 })),
    () => matcher({ [`a${'.a'.repeat(1000)}`]: 1 }), /a path can have at most 1000 keys, not 1001/],
  ['columns', () => columns(encode(Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`f${i}`, i])))),
    () => columns(encode(Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`f${i}`, i])))), /more than 10000 columns/],
  ['bytes of a document', () => columns(large(995), { maxDocumentSize: large(995).length }),
    () => columns(large(995), { maxDocumentSize: large(995).length - 1 }), /BSON size \d+ is more than maxDocumentSize \d+/],
  ['bytes of a value that is counted', () => keyOf(ELEMENT.BINARY, Buffer.alloc(2 ** 27 + 9), 2 ** 27, 2 ** 27 + 9),
    () => keyOf(ELEMENT.BINARY, Buffer.alloc(9), 0, 2 ** 27 + 1), /a value of 134217729 bytes exceeds the maximum string length/],
  ['levels of compared values', () => compare(nested(900, 1, inner => [inner]), nested(900, 2, inner => [inner])),
    () => compare(nested(1100, 1, inner => [inner]), nested(1100, 2, inner => [inner])), /level|deep/]
]

/** A query for x with options whose names repeat. @param {(string | number)[]} options */
function withOptions(options) {
  const fields = [{ $regex: 'x' }, ...options.map($options => ({ $options }))].map(field => encode(field).subarray(4, -1))
  const document = Buffer.concat([Buffer.alloc(4), ...fields, Buffer.alloc(1)])
  document.writeInt32LE(document.length)
  return encode({ a: new RawDocument(document) })
}

module.exports = {
  'what repeats in a query is compiled in linear time': t => {
    assertCheap(700, () => t.ok(matcher(withOptions(Array(20_000).fill('i')))(encode({ a: 'X' }))), '$options')
    assertCheap(300, () => matcher({ a: { $regex: `(a)${'\\1'.repeat(16_000)}` } }), 'references')
    t.done()
  },

  'of options that repeat the last ones count, and all must be text': t => {
    const found = options => matcher(withOptions(options))(encode({ a: 'X' }))
    t.deepStrictEqual([['i', ''], ['', 'i']].map(found), [false, true])
    for (const options of [[5, 'i'], ['i', 5]]) t.throws(() => found(options), /\$options must be text \(in field a\.\$options\)/)
    t.done()
  },

  'a mask of all bits of 16 MB, or usually of 256 kB': t => {
    const mask = new Binary(Buffer.alloc(many(1 << 18, 16 << 20), 0xff))
    const value = encode({ a: mask })
    const less = encode({ a: new Binary(mask.buffer.subarray(1)) })
    const found = name => [value, less].map(matcher({ a: { [name]: mask } }))
    t.deepStrictEqual(['$bitsAllSet', '$bitsAnySet', '$bitsAllClear', '$bitsAnyClear'].map(found),
      [[true, false], [true, true], [false, false], [false, true]])
    t.done()
  },

  ...Object.fromEntries(LIMITS.map(([what, within, beyond, message]) => [what, t => {
    within()
    t.throws(beyond, error => error instanceof BSONError && message.test(error.message), what)
    t.done()
  }])),

  'a document larger than any server stores': t => {
    const bytes = large(LARGE)
    t.ok(matcher({ last: 'x', data: { $type: 'binData' } })(bytes))
    t.ok(!matcher({ last: 'y' })(RawDocument.from({ last: 'x' })))
    const table = columns(bytes)
    t.strictEqual(table.columns.last.get(0), 'x')
    t.strictEqual(table.columns.data.get(0).length(), LARGE)
    const cut = bytes.subarray(0, bytes.length - 1)
    t.throws(() => matcher({ last: 'x' })(cut), error => error instanceof BSONError)
    t.throws(() => columns(cut), error => error instanceof BSONError && /cut short: 1 of its/.test(error.message))
    t.done()
  }
}
