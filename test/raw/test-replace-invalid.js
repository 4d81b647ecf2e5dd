'use strict'

// Text that is not UTF-8 gets U+FFFD; everything else stays, byte for byte.

const { encode, validate, Code, BSONRegExp, BSONSymbol, ObjectId, BSONError } = require('../../qbson')
const { replacer } = require('../../lib/raw')

/** Each text has a `~`, which becomes an invalid byte, or U+FFFD. */
const ROWS = {
  string: { a: 'x~y', b: 5 },
  name: { 'a~b': 1 },
  'string in a document in an array': { a: [1, { b: { c: '~' } }, 'z'], d: '~~' },
  symbol: { a: new BSONSymbol('~z') },
  code: { a: new Code('f~()') },
  'code with a scope': { a: new Code('f~()', { 's~': ['~', 1], t: {} }), z: 1 },
  regex: { a: new BSONRegExp('^~+$', 'im'), z: 1 },
  everything: { _id: new ObjectId('65a0c0de0000000000000001'), d: new Date(0), n: null, x: 1.5, b: new Uint8Array([1, 2, 3]), t: '\u20ac~', e: {}, l: [] }
}

/** A copy of bytes in which each `~` is replaced by an invalid byte. */
const damaged = bytes => bytes.map(byte => (byte === 0x7e ? 0xff : byte))

/** The same value with U+FFFD for each `~`. */
function replaced(value) {
  if (typeof value === 'string') return value.replaceAll('~', '\ufffd')
  if (Array.isArray(value)) return value.map(replaced)
  if (value instanceof BSONSymbol) return new BSONSymbol(replaced(value.value))
  if (value instanceof BSONRegExp) return new BSONRegExp(replaced(value.pattern), value.options)
  if (value instanceof Code) return new Code(replaced(value.code), value.scope === null ? undefined : replaced(value.scope))
  if (value?.constructor !== Object) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [replaced(name), replaced(each)]))
}

module.exports = {
  'each kind of text': function (t) {
    const texts = replacer()
    for (const [name, doc] of Object.entries(ROWS)) {
      const bytes = damaged(encode(doc))
      t.throws(() => validate(bytes), BSONError, name)
      const valid = texts.replace(bytes)
      t.strictEqual(validate(valid), valid.length, name)
      t.deepStrictEqual(Buffer.from(valid), Buffer.from(encode(replaced(doc))), name)
      t.ok(texts.count > 0, name)
    }
    t.done()
  },

  'texts are counted, and valid documents stay': function (t) {
    const texts = replacer()
    texts.replace(damaged(encode({ a: '~~', 'b~': '~', c: 'd' })))
    t.strictEqual(texts.count, 3)
    const bytes = encode({ ...ROWS['code with a scope'], t: '\ufffd' })
    t.deepStrictEqual([Buffer.from(texts.replace(bytes)), texts.count], [Buffer.from(bytes), 0])
    t.done()
  },

  'a DBPointer': function (t) {
    const bytes = Buffer.from('1b0000000c6100030000007eff00000102030405060708090a0b00', 'hex')
    const texts = replacer()
    const valid = Buffer.from(texts.replace(bytes))
    t.strictEqual(valid.toString('hex'), '1d0000000c6100050000007eefbfbd00000102030405060708090a0b00')
    t.strictEqual(validate(valid), valid.length)
    t.done()
  },

  'a document with another fault is refused': function (t) {
    const bytes = damaged(encode({ a: '~', b: 5 }))
    bytes[bytes.indexOf(0x10)] = 0x77
    t.throws(() => replacer().replace(bytes), /unknown BSON type 77/)
    t.done()
  }
}
