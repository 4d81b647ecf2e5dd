'use strict'

const { serialize } = require('bson')
const { EJSON, RawDocument, encode, decode, BSONError, Long } = require('../../qbson')
const { assertCheap } = require('../fixtures/cost')
const { DOC, rawOf, bytesOf } = require('../fixtures/raw')

/** [what, document, path, value] */
const GETS = [
  ['a field', { a: 1, b: 'x' }, 'b', 'x'],
  ['a name that begins like another', { abc: 1, ab: 2, a: 3 }, 'a', 3],
  ['a name that goes on like another', { a: 3, ab: 2, abc: 1 }, 'abc', 1],
  ['an empty name', { a: 1, '': 2 }, '', 2],
  ['a name beyond ASCII', DOC, 'ключ', 'Ü'],
  ['a field of a document', DOC, 'address.street', 'Zürich'],
  ['an item', DOC, 'address.geo.1', 47.37],
  ['a field of an item', DOC, 'address.geo.2.exact', true],
  ['an item of an item', DOC, 'list.2.1', 4],
  ['a document', DOC, 'address', DOC.address],
  ['an array', DOC, 'list', DOC.list],
  ['null', DOC, 'none', null],
  ['an index as a number', DOC, ['list', 0], 'a'],
  ['a key with a dot', DOC, ['dotted.key'], 1],
  ['a numeric key of a document', { 0: 'zero', 1: { 2: 'two' } }, '1.2', 'two'],
  ['nothing by that name', DOC, 'nothing', undefined],
  ['nothing in an empty document', DOC, 'empty.x', undefined],
  ['nothing below a string', DOC, 'name.x', undefined],
  ['nothing below null', DOC, 'none.x', undefined],
  ['nothing beyond an array', DOC, 'list.3', undefined],
  ['nothing by a name in an array', DOC, 'list.b', undefined],
  ['nothing by an index written otherwise', DOC, 'list.00', undefined],
  ['nothing by a negative index', DOC, ['list', -1], undefined],
  ['nothing by a name with a 0x00', { a: 1 }, 'a\0', undefined],
  ['a name like a method', { constructor: 1 }, 'constructor', 1],
  ['no inherited name', { a: 1 }, 'toString', undefined]
]

const tests = {}

for (const [what, doc, path, value] of GETS) {
  tests[`get: ${what}`] = function (t) {
    const raw = rawOf(doc)
    t.deepStrictEqual(raw.get(path), value)
    t.strictEqual(raw.has(path), value !== undefined)
    t.done()
  }
}

tests['get: the place of an item counts, not its name'] = t => {
  const raw = new RawDocument(bytesOf('04 6100 13000000' + '10 3100 05000000' + '10 7800 06000000' + '00'))
  t.deepStrictEqual(['a.0', 'a.1', 'a.2', 'a.x'].map(path => raw.get(path)), [5, 6, undefined, undefined])
  t.deepStrictEqual(raw.toObject(), { a: [5, 6] })
  t.done()
}

const A1 = '10 6100 01000000'
const A2 = '10 6100 02000000'
const B3 = '10 6200 03000000'

Object.assign(tests, {
  'construct': {
    'over a whole buffer': function (t) {
      const bytes = serialize(DOC)
      const raw = new RawDocument(bytes)
      t.strictEqual(raw.size, bytes.length)
      t.strictEqual(raw.bytes.buffer, bytes.buffer, 'no copy')
      t.done()
    },

    'in the middle of one': function (t) {
      const whole = Buffer.concat([Buffer.from('abc'), serialize({ a: { b: 1 } }), Buffer.from('xyz')])
      const raw = new RawDocument(whole, 3)
      t.strictEqual(raw.get('a.b'), 1)
      t.deepStrictEqual(raw.toObject(), { a: { b: 1 } })
      t.deepStrictEqual(decode(raw.bytes), { a: { b: 1 } })
      t.strictEqual(raw.validate(), raw.size)
      t.done()
    },

    'over anything that holds bytes': function (t) {
      const bytes = Uint8Array.from(serialize({ a: 'text' }))
      for (const input of [bytes, bytes.buffer, new DataView(bytes.buffer), [...bytes]]) {
        t.strictEqual(new RawDocument(input).get('a'), 'text')
      }
      t.done()
    },

    'refuses what is not a document': function (t) {
      const bytes = Buffer.from(serialize({ a: 1 }))
      const unterminated = Buffer.from(bytes)
      unterminated[bytes.length - 1] = 1
      const cases = [
        [() => new RawDocument(Buffer.alloc(0)), /< 5 bytes/],
        [() => new RawDocument(Buffer.concat([bytes, bytes])), /must === bson size/],
        [() => new RawDocument(bytes.subarray(0, -1)), /must === bson size/],
        [() => new RawDocument(bytes, 3), BSONError],
        [() => new RawDocument(bytes, -1), BSONError],
        [() => new RawDocument(unterminated), /EOO/],
        [() => new RawDocument('abc'), BSONError]
      ]
      for (const [construct, expected] of cases) t.throws(construct, expected)
      t.done()
    }
  },

  'get decodes with options': function (t) {
    const raw = rawOf(DOC)
    t.strictEqual(raw.get('big', { useBigInt64: true }), 9007199254740993n)
    t.ok(raw.get('big', { promoteLongs: false }) instanceof Long)
    t.strictEqual(raw.element('big').decode({ useBigInt64: true }), 9007199254740993n)
    const lists = { list: [{ a: 1 }, [{ b: 2 }]], o: { list: [{ c: 3 }] } }
    for (const options of [{ fieldsAsRaw: { list: true } }, { fieldsAsRaw: { o: true } }, { raw: true }]) {
      for (const name of ['list', 'o']) t.deepStrictEqual(rawOf(lists).get(name, options), decode(encode(lists), options)[name])
    }
    const byField = { validation: { utf8: { a: true } } } // of any other field it would not be checked
    for (const read of [() => rawOf(lists).get('list', byField), () => rawOf(lists).element('o').decode(byField), () => rawOf(lists).slice('list').toObject(byField)]) {
      t.throws(read, /validation\.utf8 by field is for whole documents/)
    }
    t.done()
  },

  'names that repeat at each of many levels do not multiply the work': function (t) {
    let text = '{"a":1}'
    const paths = ['a']
    for (let level = 1; level <= 40; level++) {
      text = `{"b":${text},"c":0,"a":1,"a":${level}}`
      paths.push(`${'b.'.repeat(level)}a`)
    }
    const raw = new RawDocument(EJSON.toBSON(text))
    assertCheap(500, () => t.ok(raw.pick(paths).equals(encode(JSON.parse(text.replaceAll(',"c":0', ''))))), 'pick')
    t.done()
  },

  'of a name that is there twice the last counts, as for decode; set leaves one': function (t) {
    const raw = new RawDocument(bytesOf(A1 + A2 + B3))
    t.strictEqual(raw.get('a'), 2)
    t.strictEqual(raw.element('a').value, 2)
    t.deepStrictEqual(raw.pick(['a', 'b']).keys(), ['a', 'b'])
    t.deepStrictEqual(raw.pick(['b', 'a', 'c', 'd', 'e']).toObject(), { a: 2, b: 3 })
    t.deepStrictEqual(raw.omit(['a']).toObject(), { b: 3 })
    t.deepStrictEqual([raw.set('a', 5).keys(), raw.set('a', 5).get('a')], [['a', 'b'], 5])
    const often = new RawDocument(bytesOf(B3 + (A1 + B3).repeat(3) + A2 + B3))
    t.deepStrictEqual(RawDocument.from({ o: [often] }).set('o.0.a', 'x').slice('o.0').keys().join(''), 'bbbbab')
    const nested = RawDocument.from({ x: raw, list: [raw, { x: raw }] })
    t.strictEqual(nested.get('list.1.x.a'), 2)
    t.deepStrictEqual(nested.set('x.a', 'long text').slice('x').keys(), ['a', 'b'])
    t.strictEqual(nested.set('x.a', 7).validate(), nested.size - A1.replaceAll(' ', '').length / 2)
    t.deepStrictEqual(nested.pick(['list.x.a', 'x.a']).toObject(), { x: { a: 2 }, list: [{}, { x: { a: 2 } }] })
    const two = new RawDocument(EJSON.toBSON('{"d":{"k":1},"a":1,"d":{"m":2},"a":2}'))
    t.deepStrictEqual(two.pick(['d.m', 'a']).keys(), ['d', 'a'])
    t.deepStrictEqual(two.pick(['d.k', 'a']).toObject(), { d: {}, a: 2 })
    t.done()
  },

  'a path must be a string or an array of keys': function (t) {
    const raw = rawOf(DOC)
    for (const path of [undefined, null, 1, {}, [], [{}], [undefined]]) t.throws(() => raw.get(path), BSONError)
    t.throws(() => raw.get([]), /^BSONError: a path must have at least one key$/)
    t.throws(() => raw.get(new Array(2000).fill('a')), /at most 1000 keys/)
    t.throws(() => raw.pick('a'), /paths must be an array/)
    t.done()
  },

  'many paths are not kept': function (t) {
    const raw = rawOf(Object.fromEntries(Array.from({ length: 1200 }, (_, i) => [`key${i}`, i])))
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 1200; i++) t.ok(raw.get(`key${i}`) === i)
    }
    const long = 'x'.repeat(300)
    t.strictEqual(rawOf({ [long]: 1 }).get(long), 1)
    t.done()
  },

  'keys and elements': function (t) {
    const bytes = Buffer.from(serialize({ a: 1, b: 'two', c: [true], d: { e: null } }))
    const raw = new RawDocument(bytes)
    t.deepStrictEqual(raw.keys(), ['a', 'b', 'c', 'd'])
    t.deepStrictEqual(raw.slice('c').keys(), ['0'])
    const seen = [...raw].map(({ type, name, offset, value }) => ({ type, name, offset, value }))
    t.deepStrictEqual(seen, [
      { type: 0x10, name: 'a', offset: 4, value: 1 },
      { type: 0x02, name: 'b', offset: 11, value: 'two' },
      { type: 0x04, name: 'c', offset: 22, value: [true] },
      { type: 0x03, name: 'd', offset: 34, value: { e: null } }
    ])
    t.deepStrictEqual([...raw.element('b').bytes], [4, 0, 0, 0, ...Buffer.from('two\0')])
    t.strictEqual(raw.element('b').document, undefined)
    t.strictEqual(raw.element('none'), undefined)
    t.done()
  },

  'iterating decodes nothing before it is asked': function (t) {
    const raw = new RawDocument(bytesOf('02 6200 02000000 ff 00' + A1)) // b is not UTF-8
    const names = []
    for (const element of raw) names.push(element.name)
    t.deepStrictEqual(names, ['b', 'a'])
    t.throws(() => raw.element('b').value, BSONError)
    t.strictEqual(raw.get('a'), 1)
    t.done()
  },

  'slice has the bytes in common': function (t) {
    const raw = rawOf(DOC)
    const geo = raw.slice('address.geo')
    t.ok(geo.isArray)
    t.strictEqual(geo.bytes.buffer, raw.bytes.buffer)
    t.deepStrictEqual(geo.toObject(), DOC.address.geo)
    t.deepStrictEqual(raw.slice('address').toObject(), DOC.address)
    t.strictEqual(raw.slice('name'), undefined)
    t.strictEqual(raw.slice('nothing'), undefined)
    t.done()
  },

  'toObject and JSON': function (t) {
    const raw = rawOf(DOC)
    t.deepStrictEqual(raw.toObject(), decode(encode(DOC)))
    t.strictEqual(raw.toObject({ useBigInt64: true }).big, 9007199254740993n)
    t.deepStrictEqual(raw.slice('list').toObject({ promoteValues: true }), DOC.list)
    t.strictEqual(JSON.stringify({ x: rawOf({ a: [1] }) }), '{"x":{"a":[1]}}')
    t.done()
  },

  'equals': function (t) {
    const raw = rawOf({ a: 1, b: { c: [1] } })
    t.ok(raw.equals(rawOf({ a: 1, b: { c: [1] } })))
    t.ok(raw.equals(serialize({ a: 1, b: { c: [1] } })))
    t.ok(raw.slice('b').equals(serialize({ c: [1] })))
    t.ok(!raw.equals(rawOf({ b: { c: [1] }, a: 1 })))
    t.ok(!raw.equals(rawOf({ a: 1 })))
    t.ok(!rawOf({ a: 1 }).equals(rawOf({ a: 2 })))
    t.done()
  }
})

module.exports = tests
