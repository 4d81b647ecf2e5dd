'use strict'

// qbson/json: every function returns the text of JSON.stringify(decode(bytes)).

const assert = require('node:assert')
const types = require('../../lib/types')
const json = require('../../lib/json')
const { BSONError } = require('../../lib/errors')
const { encode } = require('../../lib/encode/encode')
const { decode } = require('../../lib/decode/decode')
const { errorOf } = require('../fixtures/error-of')
const { many } = require('../fixtures/long')
const { mutate } = require('../fixtures/mutate')
const { outcome } = require('../fixtures/outcome')
const { seededRandom, randomDocument, ODD_KEYS } = require('../fixtures/random-document')

const { Binary, BSONRegExp, BSONSymbol, Code, DBRef, Decimal128, Double, Long, MaxKey, MinKey, ObjectId, Timestamp, UUID } = types

const ID = new ObjectId('56e1fc72e0c917e9c4714161')
const INDENTS = [undefined, 0, 1, 4, 10, 99, -1, 1.9, NaN, '', '\t', '--', 'a very long indent', '日', null, {}]

/** An element `a` from its type and the hexadecimal digits of its value. */
function element(type, hex) {
  return documentOf([['a', type, hex]])
}

/** @param {[name: string, type: number, hex: string][]} elements in that order; names may be repeated */
function documentOf(elements) {
  const parts = elements.flatMap(([name, type, hex]) => [Buffer.of(type), Buffer.from(`${name}\0`), Buffer.from(hex, 'hex')])
  const body = Buffer.concat([...parts, Buffer.of(0)])
  const size = Buffer.alloc(4)
  size.writeInt32LE(body.length + 4)
  return Buffer.concat([size, body])
}

/** Every way returns what JSON.stringify does. @param {Buffer} bytes */
function checkSame(bytes, options = undefined, message = undefined) {
  const expected = JSON.stringify(decode(bytes, options))
  assert.strictEqual(json.text(bytes, options), expected, message)
  assert.strictEqual(json.bytes(bytes, options).toString(), expected, message)
  assert.strictEqual(json.array([bytes], options).toString(), `[${expected}]`, message)
  assert.strictEqual(json.lines(bytes, options).toString(), `${expected}\n`, message)
}

const int32 = value => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes.toString('hex')
}

/** Values that the encoder writes. @type {Record<string, any>} */
const VALUES = {
  'doubles': [0.5, -0.5, 1.5e300, 5e-324, 1e21, 1e-7, 123456789.123, new Double(5), new Double(-0), NaN, Infinity, -Infinity],
  'int32': [0, 1, -1, 9, 10, 99, 100, 2147483647, -2147483648],
  'int64': [Long.fromNumber(5), Long.fromNumber(2 ** 53 - 1), Long.fromNumber(2 ** 53), Long.fromString('9007199254740993'),
    Long.fromNumber(-(2 ** 53)), Long.fromString('-9007199254740993'), Long.MAX_VALUE, Long.MIN_VALUE],
  'strings': ['', 'a', 'abc', 'abcd', 'abcde', '"', '\\', '/', '\b\t\n\f\r', '\0\x01\x1f\x7f', '\u2028\u2029', 'é', '日本', '😀', 'x'.repeat(500),
    'é'.repeat(100), `${'x'.repeat(40)}"${'y'.repeat(40)}`, '\x1f'.repeat(30000)],
  'dates': [0, 1, -1, 951782400000, 1e12, 253402300799999, 253402300800000, -62162035200000, -62162035200001, -62167219200001, 8.64e15,
    -8.64e15].map(time => new Date(time)),
  'binary': [0, 1, 2, 3, 255, 256, 257, 1000].map(size => new Binary(Buffer.alloc(size, 0xa5))),
  'binary of each subtype': [1, 2, 3, 4, 5, 6, 7, 8, 0x80, 0xff].map(subtype => new Binary(Buffer.alloc(16, subtype), subtype)),
  'uuid': [new UUID('00112233-4455-6677-8899-aabbccddeeff'), new Binary(Buffer.alloc(15), 4)],
  'decimals': ['0', '-0', '1.50', 'NaN', '-Infinity', '1E+6144'].map(text => Decimal128.fromString(text)),
  'regular expressions': [/a"b/i, /\u2028/, new BSONRegExp('a', 'x'), new BSONRegExp('(?<x', ''), new BSONRegExp('é"', 'lx')],
  'others': [null, true, false, ID, new Timestamp({ t: 4294967295, i: 4294967295 }), new Timestamp({ t: 0, i: 5 }), new MinKey(), new MaxKey(),
    new BSONSymbol('a"é'), new Code('f("é")'), new Code('f', {}), new Code('f', { x: [1, { $ref: 'a', $id: 1 }] })],
  'references': [new DBRef('c', ID), new DBRef('c', ID, 'd'), new DBRef('c', ID, 'd', { 5: 1, extra: /x/ }), new DBRef('d.c', ID), { $ref: 'a.b.c', $id: 1 },
    { $id: 1, $ref: 'c' }, { $ref: 'd.c', x: 1, $db: 'e', $id: 1, 7: 2 }, { $ref: 'c', $id: null }, { $ref: 1, $id: 1 }, { $ref: 'c', $id: 1, $x: 1 },
    { $ref: 'c', $id: 1, $db: 5 }, { $ref: 'c' }, { $id: 1 }, { $ref: new BSONSymbol('c'), $id: 1 }, { $ref: 'd."c', $id: { $ref: 'c', $id: 2 } }],
  'documents': [{}, [], [[]], [{}], { a: {} }, { a: { b: [{ c: [] }] } }, { '': { '': 1 } }],
  'names': [Object.fromEntries(ODD_KEYS.map((key, i) => [key, i])), { 2: 'b', 1: 'a', x: 0 }, { x: 0, 2: 'b', 1: 'a' }, { 4294967294: 1, 4294967295: 2, '01': 3 }]
}

module.exports = {
  values: Object.fromEntries(Object.entries(VALUES).map(([name, values]) => [name, t => {
    for (const value of values) checkSame(encode({ a: value, list: [value, value], after: 1 }))
    t.done()
  }])),

  'arrays of numbers, and what interrupts them': t => {
    const numbers = Array.from({ length: 12_000 }, (_, i) => i % 1000 - 500) // the text outgrows its memory meanwhile
    const lists = [numbers, numbers.map(number => number + 0.25), numbers.map(number => number % 3 ? number : number / 7), [1, 2, 'x', 3, 4, 0.5, 0.5, null]]
    for (const list of lists) checkSame(encode({ list, after: [[list], list] }))
    for (const type of [1, 16]) {
      const value = '11'.repeat(type === 1 ? 8 : 4)
      const items = documentOf([['0', type, value], ['a name', type, value], ['', type, value], ['3', 2, '020000007800']])
      checkSame(element(4, items.toString('hex')))
    }
    t.done()
  },

  'undefined is left out, and null in an array': t => {
    checkSame(documentOf([['a', 6, ''], ['b', 6, '']]))
    checkSame(documentOf([['a', 6, ''], ['b', 10, ''], ['c', 6, '']]))
    checkSame(documentOf([['a', 4, documentOf([['0', 6, ''], ['1', 10, '']]).toString('hex')]]))
    checkSame(documentOf([['a', 10, ''], ['a', 6, '']]))
    t.strictEqual(json.text(documentOf([['a', 6, ''], ['1', 6, ''], ['b', 10, '']])), '{"b":null}')
    t.done()
  },

  'times that no Date holds, and DBPointers': t => {
    for (const hex of ['ffffffffffffff7f', '0000000000000080', '01c06edc63ee1e00']) checkSame(element(9, hex))
    for (const name of ['c', 'd.c', 'a.b.c', 'é"']) {
      const text = Buffer.from(`${name}\0`)
      checkSame(element(12, int32(text.length) + text.toString('hex') + ID.toHexString()))
    }
    t.done()
  },

  'names that come again: the last value in the first place': t => {
    checkSame(documentOf([['a', 16, int32(1)], ['b', 16, int32(2)], ['a', 16, int32(3)]]))
    const inner = documentOf([['x', 16, int32(1)], ['x', 10, '']]).toString('hex')
    checkSame(documentOf([['a', 3, inner], ['b', 4, inner], ['a', 3, inner], ['c', 3, inner]]))
    for (let count = 1; count < 300; count = Math.ceil(count * 1.5)) {
      const names = Array.from({ length: count }, (_, i) => [`name ${i}`, 16, int32(i)])
      checkSame(documentOf(names))
      for (const again of [0, count >> 1, count - 1]) checkSame(documentOf([...names, [`name ${again}`, 16, int32(-1)]]))
    }
    const proto = documentOf([['__proto__', 16, int32(1)], ['toJSON', 16, int32(2)], ['__proto__', 2, '020000007800']])
    t.strictEqual(json.text(proto), '{"__proto__":"x","toJSON":2}')
    checkSame(proto)
    t.done()
  },

  'names that are array indexes come first, in their order': t => {
    const orders = [['1', '2', 'a'], ['a', '1'], ['2', '1'], ['1', '1'], ['0', '00', '4294967294', '4294967295', '3'], ['2147483646', '2147483647'],
      ['10', '9', 'b', '11', '8'], ['9999999999', '1'], ['-1', '1']]
    for (const names of orders) checkSame(documentOf(names.map((name, i) => [name, 16, int32(i)])), undefined, names.join())
    let nested = documentOf([['b', 10, ''], ['1', 10, '']])
    for (let i = 0; i < 60; i++) nested = documentOf([['b', 3, nested.toString('hex')], ['1', 10, ''], ['b2', 4, '0500000000']])
    checkSame(nested)
    t.done()
  },

  'a regular expression is checked, also one that is overwritten, whatever validation says of text': t => {
    const error = /The regular expression option \[z\] is not supported/
    for (const after of [[], [['a', 16, int32(1)]]]) {
      const bytes = documentOf([['a', 11, '7800' + '7a00'], ...after])
      t.throws(() => json.text(bytes), error)
      t.throws(() => json.text(bytes, { validation: { utf8: false } }), error)
    }
    t.done()
  },

  'random documents, right and wrong': t => {
    for (let seed = 1; seed <= many(100, 100_000); seed++) {
      const random = seededRandom(seed)
      const bytes = encode(randomDocument(random, types))
      const options = random() < 0.2 ? { validation: { utf8: false } } : undefined
      checkSame(bytes, options, `seed ${seed}`)
      const mutant = mutate(random, bytes)
      const expected = outcome(() => JSON.stringify(decode(mutant, options)))
      const given = outcome(() => json.text(mutant, options))
      assert.strictEqual(given.value, expected.value, `seed ${seed}`)
      checkError(given.error, expected.error)
    }
    t.done()
  },

  'indent: as the space of JSON.stringify': t => {
    const doc = { a: [1, [], {}, [[]], { b: { c: 'a"{[,:]}\\' } }], 'k:"': 'é', d: new Date(0), e: '' }
    const bytes = encode(doc)
    for (const indent of INDENTS) {
      const expected = JSON.stringify(decode(bytes), null, indent)
      t.strictEqual(json.text(bytes, { indent }), expected)
      t.strictEqual(json.bytes(bytes, { indent }).toString(), expected)
      for (const count of [0, 1, 3]) {
        const list = JSON.stringify(Array(count).fill(decode(bytes)), null, indent)
        t.strictEqual(json.array(Array(count).fill(bytes), { indent }).toString(), list)
      }
      t.strictEqual(json.lines([bytes, bytes], { indent }).toString(), `${expected}\n${expected}\n`)
    }
    t.done()
  },

  'int64, objectId, date, decimal, binary': t => {
    const big = Long.fromString('9007199254740993')
    const bytes = encode({ a: big, b: Long.fromNumber(5), id: ID, d: new Date(5), n: Decimal128.fromString('1.5'), u: new UUID(Buffer.alloc(16)) })
    const base = json.text(bytes)
    t.strictEqual(base, JSON.stringify(decode(bytes)))
    t.strictEqual(json.text(bytes, { int64: 'number' }), base.replace(/"a":{.*?}/, '"a":9007199254740993'))
    t.strictEqual(json.text(bytes, { int64: 'string' }), base.replace(/"a":{.*?},"b":5/, '"a":"9007199254740993","b":"5"'))
    t.strictEqual(json.text(bytes, { objectId: 'extended' }), base.replace(/"id":(".*?")/, '"id":{"$$oid":$1}'))
    t.strictEqual(json.text(bytes, { date: 'number' }), base.replace(/"d":".*?"/, '"d":5'))
    t.strictEqual(json.text(bytes, { decimal: 'string' }), base.replace(/"n":{.*?}/, '"n":"1.5"'))
    t.strictEqual(json.text(bytes, { decimal: 'number' }), base.replace(/"n":{.*?}/, '"n":1.5'))
    const decimals = ['1.50', '-0', '1E+3', '-12345678901234567890123456789012.34', '0E-6176', '9E+6111', 'NaN', 'Infinity', '-Infinity']
    const numbers = json.text(encode({ a: decimals.map(text => Decimal128.fromString(text)) }), { decimal: 'number' })
    t.strictEqual(numbers, `{"a":[${decimals.slice(0, 6).join()},null,null,null]}`)
    t.deepStrictEqual(JSON.parse(numbers).a.slice(0, 6), decimals.slice(0, 6).map(Number))
    t.strictEqual(json.text(bytes, { binary: 'extended' }),
      base.replace(/"u":".*?"/, '"u":{"$$binary":{"base64":"AAAAAAAAAAAAAAAAAAAAAA==","subType":"04"}}'))
    const usual = { int64: undefined, objectId: 'hex', date: 'iso', decimal: 'extended', binary: 'base64' }
    t.strictEqual(json.text(bytes, usual), base)
    t.strictEqual(json.text(element(9, 'ffffffffffffff7f'), { date: 'number' }), '{"a":9223372036854775807}')
    const pointer = element(12, `02000000${'6300'}${ID.toHexString()}`)
    t.strictEqual(json.text(pointer, { objectId: 'extended' }), `{"a":{"$ref":"c","$id":{"$oid":"${ID}"}}}`)
    for (const [name, value] of [['int64', 'bigint'], ['date', 5], ['objectId', 'toString'], ['decimal', null], ['binary', {}]]) {
      const error = errorOf(() => json.text(bytes, { [name]: value }))
      t.ok(error instanceof BSONError && error.message.startsWith(`${name} must be '`), error.message)
    }
    t.strictEqual(json.text(bytes, Object.create({ int64: 'string' })), base, 'options are own properties')
    t.done()
  },

  'validation.utf8 by field': t => {
    const bytes = encode({ a: 'xyz', b: 'xyz', c: { a: 'xyz' } })
    for (const wrong of [[], ['xyz'], ['b', 'xyz'], ['c', 'xyz']]) {
      const changed = Buffer.from(bytes)
      if (wrong.length > 0) changed[changed.indexOf('xyz', wrong.length > 1 ? changed.indexOf(`${wrong[0]}\0`) : 0)] = 0xff
      for (const utf8 of [{ a: false }, { a: true }, { c: false }, { b: true, c: true }, true, false]) {
        const options = { validation: { utf8 } }
        const expected = outcome(() => JSON.stringify(decode(changed, options)))
        for (const given of [() => json.text(changed, options), lineOf(changed, options), lineOf([changed], options)].map(outcome)) {
          assert.strictEqual(given.value, expected.value)
          assert.strictEqual(given.error?.path, expected.error?.path)
        }
      }
    }
    t.done()
  },

  'what is wrong with the bytes: the error of decode': t => {
    const bytes = encode({ a: 1, list: [{ b: 'text' }], c: new Code('x', { y: 'z' }) })
    for (let i = 0; i < bytes.length; i++) {
      for (const byte of [0, 1, 0x7f, 0x80, 0xff]) {
        const wrong = Buffer.from(bytes)
        wrong[i] = byte
        const expected = outcome(() => JSON.stringify(decode(wrong)))
        const given = outcome(() => json.text(wrong))
        assert.strictEqual(given.value, expected.value)
        checkError(given.error, expected.error)
      }
    }
    for (const value of [undefined, null, 'text', {}, 5]) {
      t.strictEqual(errorOf(() => json.text(value)).message, errorOf(() => decode(value)).message)
    }
    t.done()
  }
}

const lineOf = (documents, options) => () => json.lines(documents, options).toString().trim()

function checkError(given, expected) {
  assert.strictEqual(given?.message, expected?.message)
  if (expected === undefined) return
  assert.ok(given instanceof BSONError)
  assert.deepStrictEqual([given.offset, given.path], [expected.offset, expected.path])
}
