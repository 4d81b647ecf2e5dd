'use strict'

// RawDocuments made from others: pick, omit, set, append; and RawDocuments encoded in documents.

const { serialize, deserialize } = require('bson')
const { RawDocument, encode, encodeInto, decode, sizeOf, BSONError, Code, EJSON } = require('../../qbson')
const { assertCheap } = require('../fixtures/cost')
const { rawOf } = require('../fixtures/raw')

const tests = {}

/** [what, document, paths, picked, omitted] */
const PROJECTIONS = [
  ['fields', { a: 1, b: 2, c: 3 }, ['c', 'a'], { a: 1, c: 3 }, { b: 2 }],
  ['nothing', { a: 1, b: 2 }, [], {}, { a: 1, b: 2 }],
  ['what is not there', { a: 1 }, ['x', 'a.b'], {}, { a: 1 }],
  ['all', { a: 1, b: 2 }, ['a', 'b'], { a: 1, b: 2 }, {}],
  ['inner fields', { a: { x: 1, y: 2 }, b: { x: 3 } }, ['a.x', 'b.x'], { a: { x: 1 }, b: { x: 3 } }, { a: { y: 2 }, b: {} }],
  ['a path inside another', { a: { x: 1, y: 2 } }, ['a', 'a.x'], { a: { x: 1, y: 2 } }, {}],
  ['a path around another', { a: { x: 1, y: 2 } }, ['a.x', 'a'], { a: { x: 1, y: 2 } }, {}],
  ['a path twice', { a: 1, b: 2 }, ['a', 'a'], { a: 1 }, { b: 2 }],
  ['items', { l: [0, 1, 2, 3] }, ['l.1', 'l.3'], { l: [1, 3] }, { l: [0, 2] }],
  ['fields of items', { l: [{ a: 1, b: 2 }, { a: 3 }] }, ['l.1.a', 'l.0.b'], { l: [{ b: 2 }, { a: 3 }] }, { l: [{ a: 1 }, {}] }],
  ['the first item', { l: [0, 1], z: 1 }, ['l.0'], { l: [0] }, { l: [1], z: 1 }],
  ['a name of the documents in an array', { l: [{ a: 1, b: 2 }, 5, {}, [{ b: 3 }, 6]] }, ['l.b'], { l: [{ b: 2 }, {}, [{ b: 3 }]] }, { l: [{ a: 1 }, 5, {}, [{}, 6]] }],
  ['a name and an index in an array', { l: [{ a: 1, b: 2 }, { a: 3, b: 4 }] }, ['l.0', 'l.b'], { l: [{ a: 1, b: 2 }, { b: 4 }] }, { l: [{ a: 3 }] }],
  ['many names in an array', { l: [{ abc: 1, x: 2 }, { abc: 3, y: 4 }] }, [...Array.from('cdefghijkmnopqrstu', name => `l.${name}`), 'l.0.x', 'l.abc'], { l: [{ abc: 1, x: 2 }, { abc: 3 }] }, { l: [{}, { y: 4 }] }],
  ['names in an item, and in all', { l: [{ a: 1, b: 2, c: 3 }, { a: 4, b: 5 }, [{ a: 6, b: 7 }, 8]] }, ['l.0.a', 'l.b', 'l.2.0.a'], { l: [{ a: 1, b: 2 }, { b: 5 }, [{ a: 6, b: 7 }]] }, { l: [{ c: 3 }, { a: 4 }, [{}, 8]] }],
  ['names below one of an item, and of all', { l: [{ d: { a: 1, b: 2, c: 3 } }, { d: { a: 4, b: 5 } }] }, ['l.0.d.a', 'l.d.b'], { l: [{ d: { a: 1, b: 2 } }, { d: { b: 5 } }] }, { l: [{ d: { c: 3 } }, { d: { a: 4 } }] }],
  ['a name in an item, and all below it in all', { l: [{ d: { a: 1, b: 2 }, e: 1 }, { d: 3 }] }, ['l.d', 'l.0.d.a'], { l: [{ d: { a: 1, b: 2 } }, { d: 3 }] }, { l: [{ e: 1 }, {}] }],
  ['all of a name in an item, and a name below it in all', { l: [{ d: { a: 1, b: 2 }, e: 1 }, { d: { a: 3, c: 4 } }] }, ['l.0.d', 'l.d.a'], { l: [{ d: { a: 1, b: 2 } }, { d: { a: 3 } }] }, { l: [{ e: 1 }, { d: { c: 4 } }] }],
  ['a name in an array', { l: [0, 1] }, ['l.x'], { l: [] }, { l: [0, 1] }],
  ['fields with long values', { a: 'x'.repeat(500), b: 'y'.repeat(500), c: 1 }, ['a'], { a: 'x'.repeat(500) }, { b: 'y'.repeat(500), c: 1 }],
  ['more fields than a few', { a: 1, b: 2, c: [3], d: { x: 4, y: 5 }, e: 5, f: 6 }, ['f', 'd.x', 'c.0', 'b', 'a', 'e.z'], { a: 1, b: 2, c: [3], d: { x: 4 }, f: 6 }, { c: [], d: { y: 5 }, e: 5 }],
  ['names that begin alike', { abc: 1, a: 2, ab: 3 }, ['ab'], { ab: 3 }, { abc: 1, a: 2 }],
  ['names of the same length', { ab: 1, ac: 2, bb: 3 }, ['ac'], { ac: 2 }, { ab: 1, bb: 3 }]
]

for (const [what, doc, paths, picked, omitted] of PROJECTIONS) {
  tests[`pick and omit: ${what}`] = function (t) {
    const raw = rawOf(doc)
    for (const [result, expected] of [[raw.pick(paths), picked], [raw.omit(paths), omitted]]) {
      t.deepStrictEqual([...result.bytes], [...serialize(expected)], 'the same bytes as of an encoded object')
    }
    t.deepStrictEqual(raw.toObject(), doc)
    t.done()
  }
}

/** [what, document, path, value, expected] */
const SETS = [
  ['a field', { a: 1, b: 2 }, 'a', 'longer than before', { a: 'longer than before', b: 2 }],
  ['a new field', { a: 1 }, 'b', { c: [] }, { a: 1, b: { c: [] } }],
  ['an inner field', { a: { b: { c: 'old' } }, z: 1 }, 'a.b.c', null, { a: { b: { c: null } }, z: 1 }],
  ['a new inner field', { a: { b: {} }, z: 1 }, 'a.b.c', 1, { a: { b: { c: 1 } }, z: 1 }],
  ['new documents', { a: 1 }, 'x.y.z', 1, { a: 1, x: { y: { z: 1 } } }],
  ['an item', { l: [1, 2, 3] }, 'l.1', 'two', { l: [1, 'two', 3] }],
  ['the next item', { l: [1, 2] }, 'l.2', 3, { l: [1, 2, 3] }],
  ['a field of the next item', { l: [] }, 'l.0.a', 1, { l: [{ a: 1 }] }],
  ['a key with a dot', { 'a.b': 1 }, ['a.b'], 2, { 'a.b': 2 }],
  ['a dangerous name', {}, ['x', '__proto__'], 1, JSON.parse('{"x":{"__proto__":1}}')]
]

for (const [what, doc, path, value, expected] of SETS) {
  tests[`set: ${what}`] = function (t) {
    const raw = rawOf(doc)
    const result = raw.set(path, value)
    t.deepStrictEqual([...result.bytes], [...serialize(expected)])
    t.strictEqual(result.validate(), result.size)
    t.deepStrictEqual(raw.toObject(), doc, 'the document itself stays as it is')
    t.done()
  }
}

Object.assign(tests, {
  // 8,000 paths took 12 s
  'pick and omit of many paths': function (t) {
    const count = 5000
    const names = Array.from({ length: count }, (_, i) => `k${i}`)
    const doc = Object.fromEntries([...names, 'other'].map((name, i) => [name, i]))
    const list = rawOf({ list: Array.from({ length: count + 1 }, (_, i) => i) })
    const items = names.map((_, i) => `list.${i}`)
    const ofItems = [...items.map(path => `${path}.x`), ...names.map(name => `list.${name}`)]
    const docs = rawOf({ list: names.map(name => ({ x: 1, [name]: 2, y: 3 })) })
    assertCheap(5000, () => {
      t.deepStrictEqual(rawOf(doc).pick(names).keys(), names)
      t.deepStrictEqual(rawOf(doc).omit(names).keys(), ['other'])
      t.deepStrictEqual(rawOf({ ...doc, '\ufffd': 1 }).pick([...names, '\ufffd']).keys(), [...names, '\ufffd'])
      t.strictEqual(list.pick(items).get('list').length, count)
      t.deepStrictEqual(list.omit(items).toObject(), { list: [count] })
      t.deepStrictEqual(docs.pick(ofItems).toObject(), { list: names.map(name => ({ x: 1, [name]: 2 })) })
      t.deepStrictEqual(docs.omit(ofItems).toObject(), { list: names.map(() => ({ y: 3 })) })
    }, 'many paths')
    t.done()
  },

  'a name through more arrays than there are levels is an error': function (t) {
    let nested = []
    for (let i = 0; i < 1200; i++) nested = [nested]
    t.throws(() => new RawDocument(encode({ a: nested }, { maxDepth: 2000 })).pick(['a.b']), /nested deeper than 1000 levels \(at offset \d+ in field a\[0\]/)
    t.done()
  },

  'of a name that is there twice a pick of many takes the last': function (t) {
    const names = Array.from({ length: 20 }, (_, i) => `k${i}`)
    const bytes = encode({ a: 1, A: 2, ...Object.fromEntries(names.map(name => [name, 0])) })
    bytes.write('a', bytes.indexOf('A'))
    t.strictEqual(new RawDocument(bytes).pick([...names, 'a']).get('a'), 2)
    t.deepStrictEqual(new RawDocument(bytes).pick([...names, 'a']).keys(), ['a', ...names])
    t.deepStrictEqual(new RawDocument(bytes).omit([...names, 'a']).keys(), [])
    t.done()
  },

  'of a name that comes again far behind, get and pick take the last': function (t) {
    for (const between of [10, 16, 17, 30, 200, 3000]) {
      for (const inner of [{}, { a: 0, text: 'a' }]) {
        const names = Array.from({ length: between }, (_, i) => [`k${i}`, i % 2 ? inner : 'a'])
        const bytes = encode({ a: 1, ...Object.fromEntries(names), A: 2, z: 3 })
        const once = new RawDocument(Buffer.from(bytes))
        t.strictEqual(once.get('a'), 1)
        t.deepStrictEqual(once.pick(['k3', 'a']).toObject(), { a: 1, k3: inner })
        bytes.write('a', bytes.indexOf('A'))
        t.strictEqual(new RawDocument(bytes).get('a'), 2)
        t.deepStrictEqual(new RawDocument(bytes).pick(['k3', 'a']).toObject(), { k3: inner, a: 2 })
      }
    }
    t.done()
  },

  'set in a document that lies in a larger buffer': function (t) {
    const raw = new RawDocument(Buffer.concat([Buffer.alloc(7), serialize({ a: [{ b: 1 }] }), Buffer.alloc(7)]), 7)
    t.deepStrictEqual(raw.set('a.0.b', 'x').toObject(), { a: [{ b: 'x' }] })
    t.deepStrictEqual(raw.slice('a').set('1', 2).toObject(), [{ b: 1 }, 2])
    t.done()
  },

  'set refuses what makes no sense': function (t) {
    const raw = rawOf({ a: 1, l: [1], d: {} })
    t.throws(() => raw.set('a.b', 1), /cannot set b in a, which is not a document/)
    t.throws(() => raw.set('l.2', 1), /the next index of an array of 1 items is 1, not 2/)
    t.throws(() => raw.set('l.x', 1), /of an array of 1 items is 1, not x/)
    t.throws(() => raw.set('a', undefined), /cannot set a value of type undefined/)
    t.throws(() => raw.set('a', () => 1), /cannot set a value of type function/)
    t.throws(() => raw.set('a', new Date(NaN)), BSONError)
    t.throws(() => raw.set('a\0', 1), BSONError)
    t.deepStrictEqual(raw.set('a', undefined, { ignoreUndefined: false }).get('a'), null)
    t.throws(() => raw.set('$a', 1, { checkKeys: true }), /must not start with '\$'/)
    for (const path of ['x.y', 'd.x.y', 'l.1.y', 'é.ü.toBSON']) {
      for (const value of [undefined, Symbol('s'), () => ({ b: 1 }), { toBSON() {} }]) {
        t.throws(() => raw.set(path, value), /cannot set a value of type \w+: encode leaves it out \(in field /, path)
      }
    }
    t.done()
  },

  'names that mean something in an object': function (t) {
    const raw = rawOf({ a: 1 })
    const [made, { serializeFunctions }] = [() => ({ b: 1 }), { serializeFunctions: true }]
    t.deepStrictEqual(raw.set('x.toBSON', made, { serializeFunctions }).get('x.toBSON'), new Code(String(made)))
    t.throws(() => raw.append('toBSON', made), /leaves it out \(in field toBSON\)/)
    for (const name of ['toBSON', '_bsontype', '__proto__', '$ref']) t.strictEqual(raw.set(['x', name], 'Int32').get(['x', name]), 'Int32')
    t.done()
  },

  'the names of items are ignored': function (t) {
    const bytes = encode({ l: [1, { x: 2 }, 3] })
    bytes[bytes.indexOf('1\0', 8)] = 0xff
    const raw = new RawDocument(bytes)
    const list = raw.slice('l')
    t.deepStrictEqual(raw.set('l.1', 'two').toObject(), { l: [1, 'two', 3] })
    t.deepStrictEqual(list.set('1.x', 'two').toObject(), [1, { x: 'two' }, 3])
    t.strictEqual(list.validate(), list.size)
    t.strictEqual(list.validate({ maxDepth: 2 }), list.size)
    t.strictEqual(EJSON.stringify({ list }), '{"list":[1,{"x":2},3]}')
    bytes[bytes.length - 9] = 0x55 // the type of the last item
    t.throws(() => list.validate(), /unknown BSON type 55 .* \(at offset \d+ in field \[2\]\)/)
    t.throws(() => EJSON.stringify({ list }), /unknown BSON type 55 .*in field list\[2\]/)
    t.done()
  },

  'append': function (t) {
    const raw = rawOf({ a: 1 })
    t.deepStrictEqual(raw.append('b.c', [2]).toObject(), { a: 1, 'b.c': [2] })
    t.throws(() => raw.append('a', 2), /the field a exists already/)
    t.deepStrictEqual(rawOf({ l: [1] }).slice('l').append('1', 2).toObject(), [1, 2])
    t.throws(() => rawOf({ l: [1] }).slice('l').append('0', 2), /already/)
    t.done()
  },

  'documents that hold raw documents': {
    'are encoded by copying': function (t) {
      const inner = rawOf({ x: 1, list: [1, { y: 2 }] })
      const doc = { a: inner, b: [inner, inner.slice('list')], c: inner.slice('list'), d: new Map([['m', inner]]) }
      const plain = inner.toObject()
      const expected = { a: plain, b: [plain, plain.list], c: plain.list, d: { m: plain } }
      t.deepStrictEqual([...encode(doc)], [...serialize(expected)])
      t.strictEqual(sizeOf(doc), serialize(expected).length)
      const target = Buffer.alloc(1000)
      t.deepStrictEqual([...target.subarray(5, encodeInto(doc, target, 5))], [...serialize(expected)])
      t.done()
    },

    'at the root too': function (t) {
      const raw = rawOf({ a: 1 })
      t.deepStrictEqual([...encode(raw)], [...raw.bytes])
      t.notStrictEqual(encode(raw).buffer, raw.bytes, 'a copy')
      t.strictEqual(sizeOf(raw), raw.size)
      t.done()
    },

    'as a scope': function (t) {
      const code = new Code('f', rawOf({ a: 1 }))
      t.deepStrictEqual([...encode({ code })], [...serialize({ code: new Code('f', { a: 1 }) })])
      t.done()
    },

    'large ones': function (t) {
      const raw = rawOf({ text: 'x'.repeat(1e6) })
      const doc = { list: Array.from({ length: 20 }, () => raw) }
      t.deepStrictEqual(deserialize(encode(doc)), { list: doc.list.map(item => item.toObject()) })
      t.done()
    },

    'deep below others': function (t) {
      let doc = rawOf({ end: 1 })
      for (let i = 0; i < 900; i++) doc = { d: doc }
      let plain = decode(encode(doc))
      for (let i = 0; i < 900; i++) plain = plain.d
      t.deepStrictEqual(plain, { end: 1 })
      t.strictEqual(sizeOf(doc), encode(doc).length)
      t.done()
    }
  }
})

module.exports = tests
