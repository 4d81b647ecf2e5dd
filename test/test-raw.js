'use strict'

const { inspect, isDeepStrictEqual } = require('node:util')
const { serialize, deserialize } = require('bson')
const { RawDocument, encode, encodeInto, decode, sizeOf, BSONError } = require('../qbson')
const { ObjectId, Long, Code, Binary, Decimal128, Timestamp, MinKey, MaxKey } = require('../qbson')

const DOC = {
  _id: new ObjectId('0123456789abcdef01234567'),
  name: 'Ada',
  'dotted.key': 1,
  address: { street: 'Zürich', geo: [8.54, 47.37, { exact: true }] },
  list: ['a', { b: 2 }, [3, 4]],
  none: null,
  big: Long.fromString('9007199254740993'),
  empty: {},
  'ключ': 'Ü'
}

const rawOf = doc => RawDocument.from(doc)

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

/** Bytes of a document with the given elements, as hex. */
function bytesOf(hex) {
  const elements = Buffer.from(hex.replace(/ /g, ''), 'hex')
  const size = Buffer.alloc(4)
  size.writeInt32LE(elements.length + 5)
  return Buffer.concat([size, elements, Buffer.from([0])])
}

const A1 = '10 6100 01000000'
const A2 = '10 6100 02000000'
const B3 = '10 6200 03000000'

Object.assign(tests, {
  'construct': {
    'over a whole buffer': function (t) {
      const bytes = serialize(DOC)
      const raw = new RawDocument(bytes)
      t.equal(raw.size, bytes.length)
      t.strictEqual(raw.bytes.buffer, bytes.buffer, 'no copy')
      t.done()
    },

    'in the middle of one': function (t) {
      const whole = Buffer.concat([Buffer.from('abc'), serialize({ a: { b: 1 } }), Buffer.from('xyz')])
      const raw = new RawDocument(whole, 3)
      t.equal(raw.get('a.b'), 1)
      t.deepEqual(raw.toObject(), { a: { b: 1 } })
      t.deepEqual(decode(raw.bytes), { a: { b: 1 } })
      t.equal(raw.validate(), raw.size)
      t.done()
    },

    'over anything that holds bytes': function (t) {
      const bytes = Uint8Array.from(serialize({ a: 'text' }))
      for (const input of [bytes, bytes.buffer, new DataView(bytes.buffer), [...bytes]]) {
        t.equal(new RawDocument(input).get('a'), 'text')
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
    t.done()
  },

  'of a name that is there twice the first counts': function (t) {
    const raw = new RawDocument(bytesOf(A1 + A2 + B3))
    t.equal(raw.get('a'), 1)
    t.deepEqual(raw.pick(['a', 'b']).toObject(), { a: 1, b: 3 })
    t.deepEqual(raw.pick(['a', 'b', 'c', 'd', 'e']).toObject(), { a: 1, b: 3 })
    t.deepEqual(raw.omit(['a']).toObject(), { b: 3 })
    t.equal(raw.set('a', 5).get('a'), 5)
    t.done()
  },

  'a path is a string or an array of keys': function (t) {
    const raw = rawOf(DOC)
    for (const path of [undefined, null, 1, {}, [], [{}], [undefined]]) t.throws(() => raw.get(path), BSONError)
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
    t.equal(rawOf({ [long]: 1 }).get(long), 1)
    t.done()
  },

  'keys and elements': function (t) {
    const bytes = Buffer.from(serialize({ a: 1, b: 'two', c: [true], d: { e: null } }))
    const raw = new RawDocument(bytes)
    t.deepEqual(raw.keys(), ['a', 'b', 'c', 'd'])
    t.deepEqual(raw.slice('c').keys(), ['0'])
    const seen = [...raw].map(({ type, name, offset, value }) => ({ type, name, offset, value }))
    t.deepEqual(seen, [
      { type: 0x10, name: 'a', offset: 4, value: 1 },
      { type: 0x02, name: 'b', offset: 11, value: 'two' },
      { type: 0x04, name: 'c', offset: 22, value: [true] },
      { type: 0x03, name: 'd', offset: 34, value: { e: null } }
    ])
    t.deepEqual([...raw.element('b').bytes], [4, 0, 0, 0, ...Buffer.from('two\0')])
    t.equal(raw.element('b').document, undefined)
    t.equal(raw.element('none'), undefined)
    t.done()
  },

  'iterating decodes nothing before it is asked': function (t) {
    const raw = new RawDocument(bytesOf('02 6200 02000000 ff 00' + A1)) // b is not UTF-8
    const names = []
    for (const element of raw) names.push(element.name)
    t.deepEqual(names, ['b', 'a'])
    t.throws(() => raw.element('b').value, BSONError)
    t.equal(raw.get('a'), 1)
    t.done()
  },

  'slice has the bytes in common': function (t) {
    const raw = rawOf(DOC)
    const geo = raw.slice('address.geo')
    t.ok(geo.isArray)
    t.equal(geo.bytes.buffer, raw.bytes.buffer)
    t.deepEqual(geo.toObject(), DOC.address.geo)
    t.deepEqual(raw.slice('address').toObject(), DOC.address)
    t.equal(raw.slice('name'), undefined)
    t.equal(raw.slice('nothing'), undefined)
    t.done()
  },

  'toObject and JSON': function (t) {
    const raw = rawOf(DOC)
    t.deepEqual(raw.toObject(), decode(encode(DOC)))
    t.strictEqual(raw.toObject({ useBigInt64: true }).big, 9007199254740993n)
    t.deepEqual(raw.slice('list').toObject({ promoteValues: true }), DOC.list)
    t.equal(JSON.stringify({ x: rawOf({ a: [1] }) }), '{"x":{"a":[1]}}')
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
  ['a name in an array', { l: [0, 1] }, ['l.x'], { l: [] }, { l: [0, 1] }],
  ['fields with long values', { a: 'x'.repeat(500), b: 'y'.repeat(500), c: 1 }, ['a'], { a: 'x'.repeat(500) }, { b: 'y'.repeat(500), c: 1 }],
  ['more fields than a few', { a: 1, b: 2, c: [3], d: { x: 4, y: 5 }, e: 5, f: 6 }, ['f', 'd.x', 'c.0', 'b', 'a', 'e.z'], { a: 1, b: 2, c: [3], d: { x: 4 }, f: 6 }, { c: [], d: { y: 5 }, e: 5 }],
  ['names of the same length', { ab: 1, ac: 2, bb: 3 }, ['ac'], { ac: 2 }, { ab: 1, bb: 3 }]
]

for (const [what, doc, paths, picked, omitted] of PROJECTIONS) {
  tests[`pick and omit: ${what}`] = function (t) {
    const raw = rawOf(doc)
    for (const [result, expected] of [[raw.pick(paths), picked], [raw.omit(paths), omitted]]) {
      t.deepEqual([...result.bytes], [...serialize(expected)], 'the same bytes as of an encoded object')
    }
    t.deepEqual(raw.toObject(), doc)
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
    t.deepEqual([...result.bytes], [...serialize(expected)])
    t.equal(result.validate(), result.size)
    t.deepEqual(raw.toObject(), doc, 'the document itself stays as it is')
    t.done()
  }
}

Object.assign(tests, {
  'set in a document that lies in a larger buffer': function (t) {
    const raw = new RawDocument(Buffer.concat([Buffer.alloc(7), serialize({ a: [{ b: 1 }] }), Buffer.alloc(7)]), 7)
    t.deepEqual(raw.set('a.0.b', 'x').toObject(), { a: [{ b: 'x' }] })
    t.deepEqual(raw.slice('a').set('1', 2).toObject(), [{ b: 1 }, 2])
    t.done()
  },

  'set refuses what makes no sense': function (t) {
    const raw = rawOf({ a: 1, l: [1], d: {} })
    t.throws(() => raw.set('a.b', 1), /cannot set b in a, which is no document/)
    t.throws(() => raw.set('l.2', 1), /an array of 1 items takes the index 1, not 2/)
    t.throws(() => raw.set('l.x', 1), /takes the index 1, not x/)
    t.throws(() => raw.set('a', undefined), /undefined is no value to set/)
    t.throws(() => raw.set('a', () => 1), /function is no value to set/)
    t.throws(() => raw.set('a', new Date(NaN)), BSONError)
    t.throws(() => raw.set('a\0', 1), BSONError)
    t.deepEqual(raw.set('a', undefined, { ignoreUndefined: false }).get('a'), null)
    t.throws(() => raw.set('$a', 1, { checkKeys: true }), /must not start with '\$'/)
    t.done()
  },

  'append': function (t) {
    const raw = rawOf({ a: 1 })
    t.deepEqual(raw.append('b.c', [2]).toObject(), { a: 1, 'b.c': [2] })
    t.throws(() => raw.append('a', 2), /there is a field a already/)
    t.deepEqual(rawOf({ l: [1] }).slice('l').append('1', 2).toObject(), [1, 2])
    t.throws(() => rawOf({ l: [1] }).slice('l').append('0', 2), /already/)
    t.done()
  },

  'documents that hold raw documents': {
    'are encoded by copying': function (t) {
      const inner = rawOf({ x: 1, list: [1, { y: 2 }] })
      const doc = { a: inner, b: [inner, inner.slice('list')], c: inner.slice('list'), d: new Map([['m', inner]]) }
      const plain = inner.toObject()
      const expected = { a: plain, b: [plain, plain.list], c: plain.list, d: { m: plain } }
      t.deepEqual([...encode(doc)], [...serialize(expected)])
      t.equal(sizeOf(doc), serialize(expected).length)
      const target = Buffer.alloc(1000)
      t.deepEqual([...target.subarray(5, encodeInto(doc, target, 5))], [...serialize(expected)])
      t.done()
    },

    'at the root too': function (t) {
      const raw = rawOf({ a: 1 })
      t.deepEqual([...encode(raw)], [...raw.bytes])
      t.notEqual(encode(raw).buffer, raw.bytes, 'a copy')
      t.equal(sizeOf(raw), raw.size)
      t.done()
    },

    'as a scope': function (t) {
      const code = new Code('f', rawOf({ a: 1 }))
      t.deepEqual([...encode({ code })], [...serialize({ code: new Code('f', { a: 1 }) })])
      t.done()
    },

    'large ones': function (t) {
      const raw = rawOf({ text: 'x'.repeat(1e6) })
      const doc = { list: Array.from({ length: 20 }, () => raw) }
      t.deepEqual(deserialize(encode(doc)), { list: doc.list.map(item => item.toObject()) })
      t.done()
    },

    'deep below others': function (t) {
      let doc = rawOf({ end: 1 })
      for (let i = 0; i < 1000; i++) doc = { d: doc }
      let plain = decode(encode(doc))
      for (let i = 0; i < 1000; i++) plain = plain.d
      t.deepEqual(plain, { end: 1 })
      t.equal(sizeOf(doc), encode(doc).length)
      t.done()
    }
  }
})

/** [what, bytes, message, offset] of documents that are broken after a: reading up to there works, beyond it does not */
const BROKEN = [
  ['unknown type', A1 + '20 6200 00', /unknown BSON type 20/, 11],
  ['string too long', A1 + '02 6200 ff000000 78 00', /bad string length/, 14],
  ['string of negative length', A1 + '02 6200 ffffffff 78 00', /bad string length/, 14],
  ['document too long', A1 + '03 6200 ff000000 00', /bad embedded document length/, 14],
  ['document too short', A1 + '03 6200 04000000 00', /bad embedded document length/, 14],
  ['array without an end', A1 + '04 6200 05000000 01', /not properly terminated/, 18],
  ['binary too long', A1 + '05 6200 10000000 00 00', /Binary type size larger/, 14],
  ['name without an end', A1 + '10 626262', /illegal CString/, 12],
  ['value cut off', A1 + '10 6200 0000', /cut off/, 14],
  ['an end in the middle', A1 + '00 6200', /not properly terminated/, 11]
]

for (const [what, hex, message, offset] of BROKEN) {
  tests[`broken: ${what}`] = function (t) {
    const raw = new RawDocument(bytesOf(hex))
    t.equal(raw.get('a'), 1)
    const attempts = [
      () => raw.get('x'),
      () => raw.has('x'),
      () => raw.element('x'),
      () => raw.slice('x'),
      () => raw.keys(),
      () => raw.pick(['x']),
      () => raw.pick(['u', 'v', 'w', 'x', 'y']),
      () => raw.omit(['x']),
      () => raw.set('x', 1),
      () => raw.append('x', 1),
      () => raw.toObject(),
      () => raw.validate()
    ]
    for (const attempt of attempts) {
      t.throws(attempt, error => error instanceof BSONError && message.test(error.message) && error.offset === offset, String(attempt))
    }
    t.done()
  }
}

Object.assign(tests, {
  'broken: errors carry the path': function (t) {
    const bytes = Buffer.concat([Buffer.alloc(2), serialize({ a: { b: ['x', 'y'] } })])
    bytes[bytes.indexOf('y') - 4] = 99
    const raw = new RawDocument(bytes, 2)
    t.equal(raw.get('a.b.0'), 'x')
    for (const attempt of [() => raw.get('a.b.1'), () => raw.get('a.b'), () => raw.toObject()]) {
      t.throws(attempt, error => error instanceof BSONError && error.offset === bytes.indexOf('y') - 4 && error.path.endsWith('[1]'))
    }
    t.throws(() => raw.slice('a.b').toObject(), error => error.offset === bytes.indexOf('y') - 4 && error.path === '1')
    t.done()
  },

  'broken: every byte changed, every length cut': function (t) {
    const bytes = Buffer.from(serialize({ a: { b: [1, 'x', { c: true }] }, r: /x/i, d: new Date(1), s: 'text', n: null }))
    const read = input => {
      const raw = new RawDocument(input)
      for (const element of raw) void element.name, void element.document
      raw.get('a.b.2.c')
      raw.pick(['a.b.1', 's']).toObject()
      raw.omit(['a.b.0']).set('a.b.0', 2).toObject()
    }
    const inputs = []
    for (let i = 0; i < bytes.length; i++) {
      inputs.push(bytes.subarray(0, i))
      for (const byte of [0, 1, 4, 0x7f, 0x80, 0xff]) {
        const changed = Buffer.from(bytes)
        changed[i] = byte
        inputs.push(changed)
      }
    }
    let errors = 0
    for (const input of inputs) {
      try {
        read(input)
      } catch (error) {
        if (!(error instanceof BSONError)) throw error
        errors++
      }
    }
    t.ok(errors > inputs.length / 3, `${errors} of ${inputs.length}`)
    t.done()
  }
})

// ---- paths that are asked for again and again: what they answer must not depend on that

const { HOT } = require('../lib/raw/trail')

/** A document with a field of every type that precedes others often, and names of every length up to 12. */
function mixed(v, more = {}) {
  const values = [
    v, `text ${v}`.repeat(1 + (v % 3)), v + 0.5, v % 2 === 0, null, new Date(v), new ObjectId(), Long.fromNumber(2 ** 40 + v), { v, s: 'x' },
    [v, 'y'], new Binary(Buffer.alloc(v % 5)), Decimal128.fromString('1.5'), new Timestamp({ t: v, i: 1 }), new MinKey(), new MaxKey()
  ]
  const doc = {}
  for (let i = 0; i < 45; i++) doc['abcdefghijkl'.slice(0, i % 13) + String.fromCharCode(65 + i)] = values[i % values.length]
  return { ...doc, ...more }
}

/** What `get` answers, or how it fails. */
function outcome(bytes, path) {
  try {
    return new RawDocument(bytes).get(path)
  } catch (error) {
    if (!(error instanceof BSONError)) throw error
    return `${error.message} ${error.offset} ${error.path}`
  }
}

const hot = path => {
  for (let i = 0; i <= HOT; i++) new RawDocument(encode(mixed(i))).get(path)
}

const NAMES = Object.keys(mixed(1)).filter((_, i) => i % 3 === 2)

Object.assign(tests, {
  'again and again': {
    'the same as once': function (t) {
      for (let i = 0; i < 2 * HOT; i++) {
        const bytes = encode(mixed(i))
        const expected = decode(bytes)
        const raw = new RawDocument(bytes)
        const names = i % 2 ? NAMES : [...NAMES].reverse()
        for (const name of names) t.ok(isDeepStrictEqual(raw.get(name), expected[name]), `${name} in ${i}`)
        t.equal(raw.get('none'), undefined)
      }
      t.done()
    },

    'in documents of another kind, too': function (t) {
      NAMES.forEach(hot)
      const others = [
        {}, { [NAMES[5]]: 1 }, mixed(1, { A: 'a string' }), mixed(3, { bB: 1 }), { z: 1, ...mixed(1) }, mixed(2, { [NAMES[1]]: /regex/ }),
        Object.fromEntries(Object.entries(mixed(1)).reverse())
      ]
      for (let round = 0; round < 3 * HOT; round++) {
        const bytes = encode(round % 3 ? others[round % others.length] : mixed(round))
        const expected = decode(bytes)
        for (const name of NAMES) t.ok(isDeepStrictEqual(outcome(bytes, name), expected[name]), `${name} in ${round}`)
      }
      t.done()
    },

    'in broken documents, too': function (t) {
      const bytes = Buffer.from(encode(mixed(7)))
      NAMES.forEach(hot)
      const names = NAMES.slice(-2)
      for (let i = 4; i < bytes.length - 1; i++) {
        for (const byte of [0, 2, 0xff]) {
          const changed = Buffer.from(bytes)
          changed[i] = byte
          // An array of keys is parsed anew each time: it is never hot.
          for (const name of names) {
            const [is, once] = [inspect(outcome(changed, name)), inspect(outcome(changed, [name]))]
            if (is !== once) t.equal(is, once, `byte ${i} changed to ${byte}`)
          }
        }
      }
      t.done()
    },

    'one after the other, from where the last one was': function (t) {
      const [first, second, third] = ['second-round-a', 'second-round-b', 'second-round-c']
      // a field that is there twice, by changing the name of another
      const make = (v, before) => {
        const doc = { ...mixed(v), ...before, [first]: v, x: 'x'.repeat(v % 7), [second]: -v, [third]: [v] }
        const bytes = encode(doc)
        const twin = bytes.indexOf('second-round-B')
        if (twin !== -1) bytes.write(second, twin)
        return bytes
      }
      const twice = { 'second-round-B': 'earlier' }
      for (let i = 0; i < 4 * HOT; i++) {
        const raw = new RawDocument(make(i, i % 5 === 4 && twice))
        t.ok(raw.get(first) === i)
        t.ok(raw.get(second) === (i % 5 === 4 ? 'earlier' : -i), `of ${i}`)
        t.ok(raw.get(third)[0] === i)
        t.ok(raw.get(first) === i)
      }
      // documents of two more kinds, each for long enough to be learned
      for (const before of [{ y: 1 }, { z: 'z', ...twice }]) {
        for (let i = 0; i < 3 * HOT; i++) {
          const raw = new RawDocument(make(i, before))
          t.ok(raw.get(first) === i)
          t.ok(raw.get(second) === (before.z ? 'earlier' : -i))
        }
      }
      t.done()
    },

    'behind types that are rare, and behind very many fields': function (t) {
      const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`many${i}`, i]))
      for (let i = 0; i < 2 * HOT; i++) {
        const raw = new RawDocument(encode({ ...mixed(i), r: /x/, ...many, 'after-regex': i, 'after-many': -i }))
        t.ok(raw.get('after-regex') === i && raw.get('many7') === 7)
        t.ok(new RawDocument(encode({ ...mixed(i), ...many, 'after-many': -i })).get('after-many') === -i)
        t.ok(new RawDocument(encode({ ...mixed(i), old: new Binary(Buffer.from('old'), 2), 'after-old': i })).get('after-old') === i)
      }
      t.done()
    },

    'for more paths than are learned': function (t) {
      const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`field number ${i}`, i]))
      const bytes = encode(many)
      for (let round = 0; round < HOT + 20; round++) {
        const raw = new RawDocument(bytes)
        for (let i = 0; i < 200; i++) if (raw.get(`field number ${i}`) !== i) t.ok(false, `field ${i} in round ${round}`)
      }
      t.done()
    }
  }
})

module.exports = tests
