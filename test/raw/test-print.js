'use strict'

// A RawDocument as text: shows its fields, not its buffer.

const { inspect } = require('node:util')
const { RawDocument, EJSON, encode, ObjectId, Long, Double, BSONError } = require('../../qbson')
const { errorOf } = require('../fixtures/error-of')

const ID = new ObjectId('0123456789abcdef01234567')
const DOC = { a: 1, b: { c: [1, 2.5, ID], l: Long.fromString('9223372036854775807') }, d: new Double(3), e: /x/i, f: [] }

/** The same at the end of other bytes. */
function inOthers(doc) {
  const bytes = encode(doc)
  return new RawDocument(Buffer.concat([Buffer.alloc(5000, 7), bytes]), 5000)
}

/** A replacer, which needs objects. */
const same = (key, value) => value

module.exports = {
  'Extended JSON, as of the bytes': function (t) {
    const of = (doc, options) => EJSON.fromBSON(encode(doc), options)
    for (const raw of [RawDocument.from(DOC), inOthers(DOC)]) {
      for (const options of [{}, { relaxed: false }, { legacy: true }]) {
        t.strictEqual(EJSON.stringify(raw, options), of(DOC, options))
        t.strictEqual(EJSON.stringify({ doc: raw, list: [raw.slice('b.c'), raw.slice('f')] }, options), of({ doc: DOC, list: [DOC.b.c, []] }, options))
        t.strictEqual(EJSON.stringify([raw], same, 2, options), EJSON.stringify([DOC], same, 2, options))
      }
    }
    t.done()
  },

  'Extended JSON at any depth': function (t) {
    const within = value => {
      let doc = value
      for (let i = 0; i < 300; i++) doc = { d: doc }
      return doc
    }
    t.strictEqual(EJSON.stringify(within(RawDocument.from(DOC))), EJSON.fromBSON(encode(within(DOC))))
    t.strictEqual(EJSON.stringify(RawDocument.from(within(DOC))), EJSON.fromBSON(encode(within(DOC))))
    t.strictEqual(EJSON.stringify(within(RawDocument.from(DOC).slice('b.c'))), EJSON.stringify(within(DOC.b.c)))
    t.done()
  },

  'Extended JSON of bytes that are wrong': function (t) {
    const bytes = encode({ a: 1, s: 'x' })
    bytes[11] = 0x55
    const error = errorOf(() => EJSON.stringify({ doc: new RawDocument(bytes) }))
    t.ok(error instanceof BSONError && error.message.startsWith('Detected unknown BSON type 55'), String(error))
    t.done()
  },

  'console.log': function (t) {
    const raw = inOthers({ a: 1, b: { c: [ID] } })
    t.strictEqual(inspect(raw), "RawDocument { a: 1, b: { c: [ new ObjectId('0123456789abcdef01234567') ] } }")
    t.strictEqual(inspect(raw.slice('b.c')), "RawDocument [ new ObjectId('0123456789abcdef01234567') ]")
    t.strictEqual(inspect({ x: { y: { z: { raw } } } }), '{ x: { y: { z: [Object] } } }')
    t.strictEqual(inspect({ raw }, { depth: 0 }), '{ raw: [RawDocument] }')
    t.strictEqual(inspect(raw.element('a')), "RawElement { type: 16, name: 'a', value: 1 }")
    t.strictEqual(JSON.stringify([raw.element('a')]), '[1]')
    t.strictEqual(inspect({ e: raw.element('a') }, { depth: 0 }), '{ e: [RawElement] }')
    t.done()
  },

  'console.log of bytes that are wrong': function (t) {
    const bytes = encode({ a: 1, s: 'x' })
    const raw = new RawDocument(bytes)
    const element = raw.element('s')
    bytes[11] = 0x55
    t.strictEqual(inspect(raw), 'RawDocument <Detected unknown BSON type 55 for fieldname "s" (at offset 11 in field s)>')
    bytes[12] = 0xff
    t.ok(/^RawElement <Invalid UTF-8 string in BSON document.*>$/.test(inspect(element)), inspect(element))
    t.done()
  }
}
