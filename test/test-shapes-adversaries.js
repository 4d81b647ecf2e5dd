'use strict'

// Documents arranged to make what has been learned wrong, at every element: a codec that learns must then do exactly what
// the generic one does, byte for byte, value for value, error for error.

const assert = require('node:assert')
const types = require('../lib/types')
const { generic, learningCodec } = require('./fixtures/codecs')
const { unhex, frame, int32, string, cstring } = require('./fixtures/bytes')
const { describe } = require('./fixtures/describe')
const { outcome, told } = require('./fixtures/outcome')
const { seededRandom, below, pick, randomDocument, setOwn } = require('./fixtures/random-document')

const SEED = Number(process.env.QBSON_SEED) || 1

/** Documents after which any codec has made up its mind. */
const LEARNING = 40

/** A value of each type: element type and bytes, as hex. */
const VALUES = {
  double: ['01', '333333333333f33f'],
  string: ['02', string('text')],
  longString: ['02', string('long text '.repeat(30))],
  document: ['03', frame('106100 01000000 026200' + string('b'))],
  emptyDocument: ['03', frame()],
  array: ['04', frame('103000 01000000 103100 02000000')],
  emptyArray: ['04', frame()],
  documents: ['04', frame('033000' + frame('106100 01000000') + '033100' + frame('106100 02000000'))],
  binary: ['05', '0300000000ff0001'],
  undefined: ['06', ''],
  objectId: ['07', '0123456789abcdef01234567'],
  true: ['08', '01'],
  false: ['08', '00'],
  date: ['09', '00dc1fd277e60000'],
  null: ['0a', ''],
  regex: ['0b', '616200' + '6900'],
  dbPointer: ['0c', string('c') + '0123456789abcdef01234567'],
  code: ['0d', string('f()')],
  symbol: ['0e', string('s')],
  codeWithScope: ['0f', int32(21) + string('') + frame('106100 01000000')],
  int32: ['10', '2a000000'],
  timestamp: ['11', '0100000002000000'],
  int64: ['12', '0100000000000000'],
  bigInt64: ['12', 'ffffffffffffff7f'],
  decimal128: ['13', '00000000000000000000000000004030'],
  minKey: ['ff', ''],
  maxKey: ['7f', '']
}

/** Values that are wrong. */
const FAULTS = {
  'unknown type': ['14', '01000000'],
  'boolean 2': ['08', '02'],
  'string without its 0x00': ['02', '02000000' + '6161'],
  'string that is too long': ['02', '10000000' + '61616100'],
  'string of length 0': ['02', '00000000' + '00'],
  'string that is longer than it says': ['02', '04000000' + '68656a6400'],
  'document that is longer than it says': ['03', '05000000' + '0000'],
  'negative string': ['02', 'ffffffff' + '00'],
  'string that is not UTF-8': ['02', '02000000' + 'ff00'],
  'long string that is not UTF-8': ['02', '2a000000' + '61'.repeat(40) + 'ff00'],
  'short int32': ['10', '0100'],
  'document that is too long': ['03', 'ff00000000'],
  'document of length 4': ['03', '0400000000'],
  'document without its 0x00': ['03', '0500000001'],
  'document closed early': ['03', '0600000000' + '00'],
  'wrong inside a document': ['03', frame('106100 01000000 086200 02')],
  'wrong inside an array': ['04', frame('083000 01 083100 02')],
  'array that is too long': ['04', 'ff00000000'],
  'negative binary': ['05', 'ffffffff' + '00'],
  'end of document': ['00', '']
}

function element([key, [type, bytes]]) {
  return type + cstring(key) + bytes
}

function bytesOf(fields) {
  return unhex(frame(fields.map(element).join('')))
}

/** So many fields, of every type in turn, with the odd ones in their midst. */
function fieldsWith(count, odd) {
  const values = Object.values(VALUES)
  const fields = Array.from({ length: count }, (_, i) => [`key${i}`, values[i % values.length]])
  fields.splice(count >> 1, 0, ...odd.map((key, i) => [key, values[i + 2]]))
  return fields
}

/** Shapes to be learned: lists of `[key, value]`. */
const BASES = {
  flat: [['a', VALUES.int32], ['b', VALUES.string], ['c', VALUES.double], ['d', VALUES.objectId], ['e', VALUES.true], ['f', VALUES.date], ['g', VALUES.null]],
  nested: [['_id', VALUES.objectId], ['doc', VALUES.document], ['list', VALUES.array], ['docs', VALUES.documents], ['int', VALUES.int64]],
  rare: [['a', VALUES.binary], ['b', VALUES.decimal128], ['c', VALUES.regex], ['d', VALUES.timestamp], ['e', VALUES.minKey], ['f', VALUES.undefined]],
  numeric: [['2', VALUES.int32], ['1', VALUES.string], ['b', VALUES.int32], ['0', VALUES.int32]],
  odd: [['__proto__', VALUES.document], ['constructor', VALUES.int32], ['', VALUES.string], ['a.b', VALUES.int32], ['"\\\u2028', VALUES.true]],
  dollars: [['$ref', VALUES.string], ['$id', VALUES.int32], ['$db', VALUES.string]],
  dollarsInside: [['x', ['03', frame('0224726566 00' + string('c') + '1024696400 01000000')]], ['y', VALUES.int32]],
  long: Array.from({ length: 60 }, (_, i) => [`field${i}`, pick(seededRandom(i), Object.values(VALUES))]),
  wide: fieldsWith(150, ['__proto__', 'constructor', 'toString', '5', '']),
  wider: fieldsWith(300, ['__proto__']),
  one: [['a', VALUES.int32]],
  none: []
}

/** Every way in which a document may depart from `fields` at element `i`. */
function departures(fields, i) {
  const [key, value] = fields[i]
  const before = fields.slice(0, i)
  const after = fields.slice(i + 1)
  const at = (...instead) => [...before, ...instead, ...after]
  const last = key.slice(0, -1)
  return [
    ...Object.values(VALUES).map(other => at([key, other])),
    ...Object.values(FAULTS).map(fault => at([key, fault])),
    ...[key + 'x', 'x' + key, last, last + '!', 'é' + key, key.toUpperCase(), '__proto__', '0', '$x', 'k'.repeat(300)].map(name => at([name, value])),
    at(),
    before,
    after,
    at([key, value], [key, value]),
    at([key, VALUES.null], [key, value]),
    at(['extra', VALUES.int32], [key, value]),
    at([key, value], ['extra', VALUES.document]),
    [...before, ...after, [key, value]],
    [[key, value], ...before, ...after],
    [...before, ...[...fields.slice(i)].reverse()]
  ]
}

function checkDecode(codec, bytes, options) {
  const expected = told(outcome(() => generic.decode(bytes, options)))
  const actual = told(outcome(() => codec.decode(bytes, options)))
  assert.strictEqual(actual, expected, `${bytes.toString('hex').slice(0, 1500)}:\n${actual}\n${expected}`)
}

function learn(codec, bytes) {
  const expected = told(outcome(() => generic.decode(bytes)))
  for (let i = 0; i < LEARNING; i++) assert.strictEqual(told(outcome(() => codec.decode(bytes))), expected)
}

function decodeSuite(canCompile) {
  const tests = {}
  for (const [name, fields] of Object.entries(BASES)) {
    tests[`${name}: every departure at every element`] = t => {
      const codec = learningCodec(canCompile)
      const base = bytesOf(fields)
      learn(codec, base)
      const step = Math.ceil(fields.length / 8)
      for (let i = 0; i < fields.length; i += step) {
        for (const other of departures(fields, i)) {
          checkDecode(codec, bytesOf(other))
          checkDecode(codec, base)
        }
      }
      t.done()
    }

    tests[`${name}: inside a document, an array, a scope`] = t => {
      const codec = learningCodec(canCompile)
      const inside = fields => {
        const inner = frame(fields.map(element).join(''))
        const list = frame('033000' + inner + '033100' + inner)
        const code = string('f') + inner
        return unhex(frame(`036400${inner}046c00${list}0f6300${int32(code.length / 2 + 4)}${code}1078 00 01000000`))
      }
      learn(codec, inside(fields))
      const step = Math.ceil(fields.length / 4)
      for (let i = 0; i < fields.length; i += step) {
        for (const other of departures(fields, i)) checkDecode(codec, inside(other))
        checkDecode(codec, inside(fields))
      }
      t.done()
    }

    tests[`${name}: every truncation, every byte changed`] = t => {
      const codec = learningCodec(canCompile)
      const base = bytesOf(fields)
      learn(codec, base)
      const step = Math.ceil(base.length / 300)
      for (let i = 4; i < base.length; i += step) {
        for (const byte of [0, 1, base[i] + 1, 0x24, 0x80, 0xff]) {
          const changed = Buffer.from(base)
          changed[i] = byte
          checkDecode(codec, changed)
        }
        const cut = Buffer.from(base.subarray(0, i + 1))
        cut[i] = 0
        if (i >= 4) cut.writeInt32LE(cut.length)
        checkDecode(codec, cut)
        checkDecode(codec, base.subarray(0, i))
      }
      t.done()
    }
  }
  return tests
}

const DECODE_OPTIONS = [
  undefined, {}, { promoteValues: false }, { promoteLongs: false }, { promoteBuffers: true }, { useBigInt64: true },
  { bsonRegExp: true }, { raw: true }, { fieldsAsRaw: { documents: true } }, { validation: { utf8: false } },
  { validation: { utf8: { a: false } } }, { allowObjectSmallerThanBufferSize: true }, { index: 0 }, { maxDepth: 2 }, { maxDepth: 1 }
]

function mixedDecodeSuite(canCompile) {
  return {
    'many shapes that share prefixes, in random order': t => {
      const codec = learningCodec(canCompile)
      const random = seededRandom(SEED)
      const shapes = Array.from({ length: 80 }, () => {
        const length = 1 + below(random, 10)
        return Array.from({ length }, (_, i) => [`k${i}${random() < 0.8 ? '' : below(random, 4)}`, pick(random, Object.values(VALUES))])
      })
      for (let i = 0; i < 6000; i++) checkDecode(codec, bytesOf(pick(random, shapes)))
      t.done()
    },

    'every departure where many other keys are known': t => {
      const codec = learningCodec(canCompile)
      const names = Array.from({ length: 80 }, (_, i) => `known${i}`)
      for (let round = 0; round < 3; round++) {
        for (const name of names) {
          checkDecode(codec, bytesOf([[name, VALUES.string], ['a', VALUES.int32]]))
          checkDecode(codec, bytesOf([['a', VALUES.document], [name, VALUES.int32], ['b', VALUES.array]]))
        }
      }
      for (const fault of Object.values(FAULTS)) {
        checkDecode(codec, bytesOf([['a', fault]]))
        for (const value of Object.values(VALUES)) {
          checkDecode(codec, bytesOf([['known1', value], ['a', fault]]))
          checkDecode(codec, bytesOf([['known2', fault], ['a', value]]))
          checkDecode(codec, bytesOf([['a', value], ['known3', fault], ['b', value]]))
          checkDecode(codec, bytesOf([['a', fault], ['unknown', value], ['b', fault]]))
        }
      }
      t.done()
    },

    'keys of one hash (FNV-1a), among many others': t => {
      const codec = learningCodec(canCompile)
      const pairs = [['costarring', 'liquid'], ['declinate', 'macallums'], ['altarage', 'zinke']]
      const others = Array.from({ length: 100 }, (_, i) => `other${i}`)
      for (let round = 0; round < 12; round++) {
        for (const key of [...others.slice(0, 8), ...pairs.flat(), ...pairs.flat().reverse(), ...others]) {
          checkDecode(codec, bytesOf([[key, VALUES.int32], ['x', VALUES.string]]))
          checkDecode(codec, bytesOf([['first', VALUES.int32], [key, VALUES.double]]))
          checkEncode(codec, () => ({ first: 1, [key]: 'x' }))
          checkEncode(codec, () => ({ [key]: 1, x: 2 }))
        }
      }
      t.done()
    },

    'the same keys with types that change all the time': t => {
      const codec = learningCodec(canCompile)
      const random = seededRandom(SEED + 1)
      for (let i = 0; i < 3000; i++) checkDecode(codec, bytesOf(['a', 'b', 'c', 'd'].map(key => [key, pick(random, Object.values(VALUES))])))
      t.done()
    },

    'arrays of every length with items of every type': t => {
      const codec = learningCodec(canCompile)
      const random = seededRandom(SEED + 2)
      const kinds = Object.values(VALUES)
      for (let i = 0; i < 3000; i++) {
        const same = random() < 0.7 ? pick(random, kinds) : null
        const index = random() < 0.95 ? n => String(n) : n => String(n + 1)
        const length = i % 100 < 80 ? (i >> 7) % 12 : below(random, 30)
        const items = Array.from({ length }, (_, n) => [index(n), same ?? pick(random, kinds)])
        if (random() < 0.1 && items.length > 0) items[below(random, items.length)][1] = pick(random, Object.values(FAULTS))
        checkDecode(codec, bytesOf([['list', ['04', frame(items.map(element).join(''))]]]))
      }
      t.done()
    },

    'documents whose keys are ids': t => {
      const codec = learningCodec(canCompile)
      const random = seededRandom(SEED + 3)
      for (let i = 0; i < 500; i++) {
        const fields = Array.from({ length: below(random, 40) }, () => [below(random, 2 ** 32).toString(16), VALUES.int32])
        checkDecode(codec, bytesOf(fields))
        checkDecode(codec, bytesOf([['users', ['03', frame(fields.map(element).join(''))]]]))
        checkDecode(codec, bytesOf(BASES.flat))
      }
      t.done()
    },

    'options stay outside what is learned': t => {
      const codec = learningCodec(canCompile)
      const all = bytesOf(Object.entries(VALUES))
      learn(codec, all)
      const wrongText = bytesOf([['a', ['02', '02000000' + 'ff00']]])
      for (const options of DECODE_OPTIONS) {
        for (let i = 0; i < 20; i++) {
          checkDecode(codec, all, options)
          checkDecode(codec, wrongText, options)
        }
      }
      t.done()
    },

    'an offset in a larger buffer': t => {
      const codec = learningCodec(canCompile)
      const base = bytesOf(BASES.flat)
      learn(codec, base)
      const whole = Buffer.concat([Buffer.alloc(3, 0xff), base, base, Buffer.alloc(5, 0xff)])
      for (const index of [3, 3 + base.length, 0, 1, 4, whole.length - 4, whole.length, whole.length + 1, -1, 1.5, NaN, '3', null, 2 ** 31]) {
        checkDecode(codec, whole, { index, allowObjectSmallerThanBufferSize: true })
        checkDecode(codec, whole, { index })
      }
      t.done()
    }
  }
}

/** Makes the same object anew each time it is called. */
function checkEncode(codec, make, options) {
  const run = encode => told(outcome(() => encode(make(), options)))
  const expected = run(generic.encode)
  assert.strictEqual(run(codec.encode), expected, `${make}`)
  const target = Buffer.alloc(3000, 0xee)
  const into = outcome(() => codec.encodeInto(make(), target, 5, options))
  const genericInto = outcome(() => generic.encodeInto(make(), Buffer.alloc(3000), 5, options))
  assert.strictEqual(told(into), told(genericInto))
  if (into.error) return
  assert.strictEqual(told({ value: target.subarray(5, into.value) }), expected)
  assert.ok(target[4] === 0xee && target[into.value] === 0xee)
}

const id = new types.ObjectId('0123456789abcdef01234567')

/** Values of a key, by turns. */
const FIELD_VALUES = [
  1, -0, 1.5, NaN, 2 ** 31, 2 ** 53, 5n, 2n ** 63n, '', 'text', 'é', '\ud800', 'long text '.repeat(600), true, false, null, undefined, new Date(5),
  new Date(NaN), /a/i, [], [1, 'a', null], [undefined, , () => 1], new Array(3), {}, { a: 1 }, { b: { c: [] } }, Object.create(null), new Map([['m', 1]]), // eslint-disable-line no-sparse-arrays
  new Set([1]), () => 1, Symbol('s'), id, new types.Long(1, 2), new types.Int32(5), new types.Double(5), new types.Binary(Buffer.from('abc')),
  new types.Code('f', { a: 1 }), new types.DBRef('c', id), new types.MinKey(), types.Decimal128.fromString('1.5'), new types.Timestamp({ t: 1, i: 2 }),
  new types.BSONSymbol('s'), new types.BSONRegExp('a', 'x'), Buffer.from('abc'), new Uint8Array(3), new Float32Array(2), new String('boxed'),
  { toBSON: () => 5 }, { toBSON: () => ({ z: 1 }) }, { toBSON: () => undefined }, { toBSON: 5 }, Object.assign([1], { toBSON: () => 'list' }),
  Object.assign(new Date(5), { toBSON: () => 'date' }), Object.assign(() => 1, { toBSON: () => 'function' }),
  Object.assign(new types.ObjectId(id), { toBSON: () => 'id' }), { _bsontype: 'ObjectId', a: 1 }, { constructor: 5 }, { constructor: Object },
  Object.assign(new Map([['m', 1]]), { constructor: Object }), Object.assign(new Date(5), { constructor: Object }),
  Object.create({ _bsontype: 'ObjectID', toHexString: () => '0123456789abcdef01234567' }), Object.create({ inherited: 1 }), Object.create(Date.prototype),
  Object.create(types.ObjectId.prototype), new (class Person { constructor() { this.name = 'Ann' } })(), { get a() { throw new RangeError('own') } },
  Object.defineProperty({ a: 1 }, 'hidden', { value: 2 }), { $ref: 'c', $id: 1 }, { 'a\0': 1 }, { $a: 1 }, { 'a.b': 1 }, { 1: 1, 0: 0 }, JSON.parse('{"__proto__":1}')
]

const ENCODE_OPTIONS = [undefined, {}, { ignoreUndefined: false }, { checkKeys: true }, { serializeFunctions: true }, { maxDepth: 2 }]

function encodeSuite(canCompile) {
  return {
    'a key whose value is of every type in turn': t => {
      const codec = learningCodec(canCompile)
      for (const usual of [1, 'text', 1.5, true, null, id, new Date(5), [1, 2], { a: 1 }]) {
        const make = value => () => ({ before: 1, key: value, after: 'x' })
        for (let i = 0; i < LEARNING; i++) checkEncode(codec, make(usual))
        for (const value of FIELD_VALUES) {
          checkEncode(codec, make(value))
          checkEncode(codec, make(usual))
          checkEncode(codec, () => ({ list: [usual, value, usual] }))
          checkEncode(codec, () => ({ list: [{ key: usual }, { key: value }] }))
        }
      }
      t.done()
    },

    'with every option': t => {
      const codec = learningCodec(canCompile)
      const make = () => ({ a: 1, b: { c: 'x', d: undefined, $e: 1 }, f: () => 1, g: [undefined, () => 1] })
      for (let i = 0; i < LEARNING; i++) for (const options of ENCODE_OPTIONS) checkEncode(codec, make, options)
      for (const value of FIELD_VALUES) for (const options of ENCODE_OPTIONS) checkEncode(codec, () => ({ a: 1, b: value }), options)
      t.done()
    },

    'keys that differ, swap, go missing, come in addition, are deleted': t => {
      const codec = learningCodec(canCompile)
      const base = { a: 1, b: 'x', c: 1.5, d: null, e: { f: 1 }, g: [1] }
      const names = Object.keys(base)
      for (let i = 0; i < LEARNING; i++) checkEncode(codec, () => ({ ...base }))
      const from = keys => () => keys.reduce((doc, key) => setOwn(doc, key, base[key] ?? 1), {})
      for (let i = 0; i < names.length; i++) {
        for (let n = 0; n < 10; n++) {
          checkEncode(codec, from(names.filter((_, k) => k !== i)))
          checkEncode(codec, from(names.map((key, k) => (k === i ? key + key : key))))
          checkEncode(codec, from([...names.slice(0, i), 'new', ...names.slice(i)]))
          checkEncode(codec, from([...names.slice(i), ...names.slice(0, i)]))
          checkEncode(codec, from([...names.slice(0, i), '0', '__proto__', ...names.slice(i)]))
          checkEncode(codec, () => {
            const doc = { ...base }
            delete doc[names[i]]
            return doc
          })
          checkEncode(codec, () => {
            const doc = { ...base }
            delete doc[names[i]]
            doc[names[i]] = 'again'
            return doc
          })
          checkEncode(codec, () => ({ ...base }))
        }
      }
      t.done()
    },

    'getters and toBSON that change the document on the way': t => {
      const codec = learningCodec(canCompile)
      for (let i = 0; i < LEARNING; i++) checkEncode(codec, () => ({ a: 1, b: 2, c: 3, d: 'x' }))
      const changes = [
        doc => delete doc.c,
        doc => delete doc.d,
        doc => (doc.c = 'other'),
        doc => (doc.e = 1),
        doc => (doc.c = undefined),
        doc => Object.defineProperty(doc, 'c', { enumerable: false }),
        doc => codec.encode(doc.nested ?? { other: doc.a })
      ]
      for (const change of changes) {
        for (let i = 0; i < 5; i++) {
          checkEncode(codec, () => ({ a: 1, get b() { change(this); return 2 }, c: 3, d: 'x' }))
          checkEncode(codec, () => {
            const doc = { a: 1, b: { toBSON: () => (change(doc), 2) }, c: 3, d: 'x' }
            return doc
          })
        }
      }
      t.done()
    },

    'each getter and toBSON is asked as often as by the generic encoder': t => {
      const codec = learningCodec(canCompile)
      const counts = { generic: 0, learning: 0 }
      const make = name => ({
        a: 1,
        get b() { counts[name]++; return 'x' },
        c: { toBSON() { counts[name]++; return counts[name] % 2 ? 5 : { d: 1 } } },
        list: [{ get e() { counts[name]++; return counts[name] % 3 ? 1 : 'text' } }]
      })
      for (let i = 0; i < LEARNING; i++) {
        assert.ok(codec.encode(make('learning')).equals(generic.encode(make('generic'))))
        assert.deepStrictEqual(counts.learning, counts.generic)
      }
      t.done()
    },

    'documents that end where memory ends': t => {
      const codec = learningCodec(canCompile)
      for (let n = 0; n < 600; n++) {
        const make = () => ({ a: 'x'.repeat(n), b: n, c: ['é'.repeat(n % 50), 1.5], d: { e: 'y'.repeat(n * 7), f: null } })
        const bytes = codec.encode(make())
        assert.ok(bytes.equals(generic.encode(make())))
        assert.strictEqual(codec.encodeInto(make(), new Uint8Array(bytes.length)), bytes.length)
        for (const short of [1, 2, 9, Math.ceil(bytes.length / 2)]) {
          const target = Buffer.alloc(bytes.length + 10, 0xee)
          const { error } = outcome(() => codec.encodeInto(make(), target.subarray(0, bytes.length - short)))
          assert.strictEqual(error?.name, 'BSONError')
          assert.ok(target.subarray(bytes.length - short).every(byte => byte === 0xee))
        }
      }
      t.done()
    },

    'random documents of few shapes': t => {
      const codec = learningCodec(canCompile)
      for (let seed = SEED; seed < SEED + 60; seed++) {
        const make = () => randomDocument(seededRandom(seed), types, 2)
        for (let i = 0; i < 6; i++) checkEncode(codec, make)
        checkDecode(codec, generic.encode(make()))
      }
      t.done()
    },

    'deep documents of one shape, and cycles': t => {
      const codec = learningCodec(canCompile)
      for (const levels of [1, 50, 98, 99, 100, 101, 102, 300]) {
        const make = () => {
          let doc = { end: 1 }
          for (let i = 0; i < levels; i++) doc = i % 3 === 2 ? { list: [doc] } : { doc, i }
          return doc
        }
        for (let i = 0; i < 20; i++) checkEncode(codec, make)
        for (let i = 0; i < 20; i++) checkDecode(codec, generic.encode(make()))
        checkEncode(codec, () => {
          const doc = make()
          doc.again = { doc }
          return doc
        })
      }
      t.done()
    },

    'what was encoded does not change when more is': t => {
      const codec = learningCodec(canCompile)
      const results = Array.from({ length: 3000 }, (_, i) => ({ i, bytes: codec.encode({ i, text: `text ${i}`, list: [i, i + 0.5] }) }))
      for (const { i, bytes } of results) assert.strictEqual(describe(codec.decode(bytes)), describe({ i, text: `text ${i}`, list: [i, i + 0.5] }))
      t.done()
    }
  }
}

function suite(canCompile) {
  return { decode: { ...decodeSuite(canCompile), ...mixedDecodeSuite(canCompile) }, encode: encodeSuite(canCompile) }
}

module.exports = { compiled: suite(true), interpreted: suite(false) }
