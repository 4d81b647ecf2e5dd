'use strict'

// Where the error about broken bytes is, whatever holds them and whatever reads them: the path from what the caller
// passed or asked, and the offset in the bytes that the caller has.

const q = require('../../qbson')
const { compare, matcher, sorter } = require('../../lib/query')
const { compile } = require('../../lib/compile')
const { errorOf } = require('../fixtures/error-of')

const { RawDocument, EJSON, BSONError, Code, encode } = q

const LONG = 'bad string length in bson'
const UTF8 = 'Invalid UTF-8 string in BSON document'
const DATE = 'Invalid Date cannot be serialized'
const DEEP = 'document is nested deeper than 5 levels'

/** { x: 1, o: { list: ['abc'] } } with the text's length or its bytes wrong; `at` bytes lie before it. */
function broken(change, at = 0) {
  const bytes = Buffer.concat([Buffer.alloc(at), encode({ x: 1, o: { list: ['abc'] } })])
  change(bytes, bytes.indexOf('abc'))
  return new RawDocument(bytes, at)
}

const long = at => broken((bytes, text) => bytes.writeInt32LE(99, text - 4), at)
const utf8 = at => broken((bytes, text) => bytes.fill(0xff, text, text + 1), at)
const levels = n => RawDocument.from(Array.from({ length: n - 1 }).reduce(doc => ({ d: doc }), {}))
const codec = compile({ properties: { a: { bsonType: 'object', properties: { o: { bsonType: 'object', properties: { list: { items: { pattern: 'b' } } } } } } } })
const likeIt = { x: 1, o: { list: ['abd'] } }

/** The offsets of the text's length and of the text. */
const AT = 31
const TEXT = 35

/** What is called, the message, the path, the offset. @type {[() => unknown, string, string | undefined, number | undefined][]} */
const ROWS = [
  [() => new RawDocument(encode({ a: 1 }).subarray(0, 11)), 'buffer length 11 must === bson size 12', '', 0],
  [() => new RawDocument(Buffer.alloc(9), 7), 'corrupt bson message < 5 bytes long', '', 7],
  [() => long().toObject(), LONG, 'o.list[0]', AT],
  [() => long(7).toObject(), LONG, 'o.list[0]', AT + 7],
  [() => long().get('o'), LONG, 'o.list[0]', AT],
  [() => long().element('o').value, LONG, 'o.list[0]', AT],
  [() => long(7).element('o').value, LONG, 'o.list[0]', AT + 7],
  [() => utf8().element('o.list.0').value, UTF8, 'o.list[0]', TEXT],
  [() => [...utf8()].map(element => element.value), UTF8, 'o.list[0]', TEXT],
  [() => [...utf8().slice('o.list')].map(element => element.value), UTF8, '[0]', TEXT],
  [() => utf8().slice('o.list').get([0]), UTF8, '[0]', TEXT],
  [() => utf8().slice('o.list').toObject(), UTF8, '[0]', TEXT],
  [() => long().slice('o').element('list').document.toObject(), LONG, '[0]', AT],
  [() => long(7).set('o.list.0', 5), LONG, 'o.list[0]', AT + 7],
  [() => long(7).pick(['o.list.0']), LONG, 'o.list[0]', AT + 7],
  [() => long().slice('o.list').omit([[0]]), LONG, '[0]', AT],
  [() => [...new RawDocument(Buffer.from('0800000008ff000000', 'hex').fill(9, 0, 1))][0].name, UTF8, '["\ufffd"]', 5],

  [() => EJSON.stringify(long()), LONG, 'o.list[0]', AT],
  [() => EJSON.stringify({ a: [1, utf8(7)] }), UTF8, 'a[1].o.list[0]', TEXT],
  [() => EJSON.stringify({ a: [1, long()] }, (key, value) => value), LONG, 'a[1].o.list[0]', AT],
  [() => EJSON.stringify({ a: new Map([['m', long().slice('o')]]) }), LONG, 'a.m.list[0]', AT - 14],
  [() => EJSON.stringify({ a: utf8().slice('o.list') }), UTF8, 'a[0]', TEXT - 24],
  [() => EJSON.stringify([new Code('x', { r: long() })]), LONG, '[0].$scope.r.o.list[0]', AT],
  [() => EJSON.serialize({ a: [1, long()] }), LONG, 'a[1].o.list[0]', AT],
  [() => EJSON.serialize({ a: [new Date(NaN)] }), DATE, 'a[0]', undefined],
  [() => EJSON.stringify(levels(6), { maxDepth: 5 }), DEEP, 'd.d.d.d.d', 35],
  [() => EJSON.stringify({ a: levels(5) }, { maxDepth: 5 }), DEEP, 'a.d.d.d.d', 28],
  [() => EJSON.stringify({ a: { b: { c: { d: { e: levels(1) } } } } }, { maxDepth: 5 }), DEEP, 'a.b.c.d.e', undefined],

  [() => compare(long(), long()), LONG, 'o.list[0]', AT],
  [() => compare(long(7), likeIt), LONG, 'o.list[0]', AT],
  [() => compare(likeIt, long()), LONG, 'o.list[0]', AT],
  [() => compare({ a: likeIt }, { a: long() }), LONG, 'a.o.list[0]', undefined],
  [() => compare([likeIt], [long()]), LONG, '[0].o.list[0]', undefined],
  [() => compare(long().slice('o.list'), ['abd']), LONG, '[0]', AT - 24],
  [() => compare(new Date(NaN), 1), DATE, undefined, undefined],
  [() => compare(1, { a: [new Date(NaN)] }), DATE, 'a[0]', undefined],
  [() => matcher({ 'o.list': 'x' })(long()), LONG, 'o.list[0]', AT],
  [() => matcher({ 'o.list': /x/ })(utf8()), UTF8, 'o.list[0]', TEXT],
  [() => matcher(long()), LONG, 'o.list[0]', AT],
  [() => matcher({ a: { $gt: new Date(NaN) } }), DATE, 'a.$gt', undefined],
  [() => sorter({ 'o.list': 1 })(long(), long()), LONG, 'o.list[0]', AT],

  [() => codec.encode({ a: long() }), LONG, 'a.o.list[0]', AT],
  [() => codec.encode({ a: utf8() }), UTF8, 'a.o.list[0]', TEXT],
  [() => compile({ properties: { o: { properties: { list: { items: { pattern: 'b' } } } } } }).encode(utf8()), UTF8, 'o.list[0]', TEXT],

  [() => RawDocument.from({ o: [{}] }).set('o.0.new.q', { z: [new Date(NaN)] }), DATE, 'o[0].new.q.z[0]', undefined],
  [() => RawDocument.from({ o: [{}] }).set('o.0.q', undefined), 'cannot set a value of type undefined: encode leaves it out', 'o[0].q', undefined],
  [() => RawDocument.from({ p: { o: 5 } }).set('p.o.x', 1), 'cannot set x in o, which is not a document', 'p.o', 11],
  [() => RawDocument.from({ p: [[5]] }).set('p.0.9', 1), 'the next index of an array of 1 items is 1, not 9', 'p[0]', 14]
]

const ID = '{"$oid":"x"}'
const HEX = 'input must be a 24 character hex string, 12 byte Uint8Array, or an integer'
const DEEP_TEXT = 'Extended JSON is nested deeper than 4 levels'

/** Extended JSON, the path, the message: paths are those that `encode` and `decode` name. */
const TEXTS = [
  [`{"v":[{"$code":"x","$scope":{"a":${ID}}}]}`, 'v[0].$scope.a', HEX],
  [`{"v":{"$scope":{"a":${ID}},"$code":"x"}}`, 'v.$scope.a', HEX],
  [`{"v":{"$code":"x","$scope":{"w":{"$code":"y","$scope":{"a":${ID}}}}}}`, 'v.$scope.w.$scope.a', HEX],
  ['{"a":{"v":{"$code":"x","$scope":{"w":{}}}}}', 'a.v.$scope.w', DEEP_TEXT, 4],
  ['{"a":{"a":{"v":{"$code":"x","$scope":{}}}}}', 'a.a.v.$scope', DEEP_TEXT, 4],
  [`{"v":{"$ref":"c","$id":${ID}}}`, 'v.$id', HEX],
  [`{"v":{"$ref":"c","$id":{"a":${ID}},"f":{"$oid":"y"}}}`, 'v.$id.a', HEX],
  [`{"v":{"$ref":"c","$id":1,"f":${ID}}}`, 'v.f', HEX],
  [`{"v":{"$dbPointer":{"$ref":"c","$id":${ID}}}}`, 'v.$id', HEX]
]

module.exports = {
  'an error in Extended JSON has the same path at every door': t => {
    for (const [text, path, message, maxDepth = 9] of TEXTS) {
      for (const read of [EJSON.parse, EJSON.toBSON, (text, options) => EJSON.deserialize(JSON.parse(text), options)]) {
        for (const relaxed of [true, false]) {
          const error = errorOf(() => read(text, { relaxed, maxDepth }))
          t.deepStrictEqual([error.path, error.message], [path, `${message} (in field ${path})`], text)
        }
      }
    }
    t.done()
  },

  'an error about bytes or values has the path from what was given': t => {
    for (const [work, message, path, offset] of ROWS) {
      const error = errorOf(work)
      const place = [offset === undefined ? '' : `at offset ${offset}`, path ? `in field ${path}` : ''].filter(Boolean).join(' ')
      t.deepStrictEqual(
        [error instanceof BSONError, error.message, error.path, error.offset, error.cause],
        [true, message + (place === '' ? '' : ` (${place})`), path, offset, undefined], String(work)
      )
    }
    t.done()
  }
}
