'use strict'

// EJSON.stringify and serialize: the same text as bson 7.3.4 for tables and random documents, and the differences.

const assert = require('node:assert')
const bson = require('bson')
const types = require('../../lib/types')
const { EJSON } = require('../../lib/ejson')
const { encode } = require('../../lib/encode/encode')
const { BSONError } = require('../../lib/errors')
const { errorOf } = require('../fixtures/error-of')
const { outcome } = require('../fixtures/outcome')
const { MODES, HEX, values } = require('../fixtures/ejson-values')
const { both, assertSame, deep } = require('../fixtures/ejson-both')
const { seededRandom, randomDocument, setOwn } = require('../fixtures/random-document')
const { onlyLong } = require('../fixtures/long')
const { requireWithoutBuffer } = require('../without-buffer')

/** Intended differences. Each row of `differences` has the text of qbson. */
const differences = [
  ['int64 keep their digits', ({ Long }) => [Long.MAX_VALUE, -(2n ** 63n)], {}, '[9223372036854775807,-9223372036854775808]'],
  ['int64 keep their digits in numbers', () => 2 ** 60, { relaxed: false }, '{"$numberLong":"1152921504606846976"}'],
  ['doubles that look like int64', () => [2 ** 60, -(2 ** 60), -(2 ** 63), 2 ** 53 + 2, -(2 ** 53) - 2], {},
    '[1152921504606847000.0,-1152921504606847000.0,-9223372036854776000.0,9007199254740994.0,-9007199254740994.0]'],
  ['2^63 is no int64', () => 2 ** 63, { relaxed: false }, '{"$numberDouble":"9223372036854776000"}'],
  ['-0 keeps its sign', ({ Double }) => [-0, new Double(-0)], {}, '[-0.0,-0.0]'],
  ['-0 and NaN, legacy', ({ Double }) => [new Double(-0), new Double(NaN)], { legacy: true }, '[-0.0,{"$numberDouble":"NaN"}]'],
  ['infinity, legacy', ({ Double }) => new Double(-Infinity), { legacy: true }, '{"$numberDouble":"-Infinity"}'],
  ['large doubles as in the corpus', ({ Double }) => new Double(1.2345678921232e18), { relaxed: false }, '{"$numberDouble":"1.2345678921232E+18"}'],
  ['bytes are binary', () => [Buffer.from('a'), new Float64Array(1), new ArrayBuffer(1)], {},
    '[{"$binary":{"base64":"YQ==","subType":"00"}},{"$binary":{"base64":"AAAAAAAAAAA=","subType":"00"}},' +
    '{"$binary":{"base64":"AA==","subType":"00"}}]'],
  ['only the bytes in use', ({ Binary }) => withRoom(Binary), {}, '{"$binary":{"base64":"BQ==","subType":"00"}}'],
  ['a document that holds a _bsontype', () => ({ _bsontype: 'ObjectId', a: 1 }), {}, '{"_bsontype":"ObjectId","a":1}'],
  ['a _bsontype that is no string', () => ({ _bsontype: 5 }), {}, '{"_bsontype":5}'],
  ['ids of references that are falsy', ({ DBRef }) => new DBRef('c', 0), { relaxed: false }, '{"$ref":"c","$id":{"$numberInt":"0"}}']
]

function withRoom(Binary) {
  const binary = new Binary()
  binary.put(5)
  return binary
}

const stringifyTests = {}
for (const [name, make] of Object.entries(values)) {
  stringifyTests[`as bson: ${name}`] = t => {
    for (const mode of MODES) {
      const label = `${name}, ${JSON.stringify(mode)}`
      assertSame(...both(make, mode), label)
      assertSame(...both(lib => ({ a: make(lib), b: [make(lib)] }), mode), label)
      for (const space of [2, '--']) assertSame(...both(lib => ({ a: { b: make(lib) } }), mode, space), label)
    }
    t.done()
  }
}

for (const [name, make, options, expected] of differences) {
  stringifyTests[`other than bson: ${name}`] = t => {
    const [ours, theirs] = both(make, options)
    t.strictEqual(ours.value, expected)
    t.ok(theirs.value !== expected, 'there is no difference any more')
    t.done()
  }
}

module.exports = {
  ...stringifyTests,

  'random documents, every mode, as bson': t => {
    for (let seed = 1; seed <= 40; seed++) {
      for (const mode of MODES.filter(mode => !mode?.legacy)) {
        const [ours, theirs] = both(lib => withBinaries(randomDocument(seededRandom(seed), lib), lib), mode)
        if (theirs.error !== undefined) continue
        const again = outcome(() => normal(ours.value))
        assert.deepStrictEqual(again.value, normal(theirs.value), `seed ${seed}, ${JSON.stringify(mode)}`)
      }
    }
    t.done()
  },

  'the values of bson are written as ours': t => {
    for (const [name, make] of Object.entries(values)) {
      if (/subclass|own form/.test(name)) continue
      for (const mode of MODES) {
        const own = outcome(() => EJSON.stringify(make(types), mode))
        const foreign = outcome(() => EJSON.stringify(make(bson), mode))
        assert.strictEqual(foreign.value, own.value, name)
        assert.strictEqual(foreign.error?.message, own.error?.message, name)
      }
    }
    t.done()
  },

  'each class has the form that is written': t => {
    const { Double, Binary, Decimal128, Timestamp, BSONRegExp, BSONSymbol, Code, MinKey, MaxKey, Int32, Long, ObjectId } = types
    const samples = [
      new ObjectId(HEX), new Int32(-5), new Double(1.5), new Double(3), Long.fromNumber(2 ** 40),
      Decimal128.fromString('1E-5'), new Binary(Buffer.from('ab'), 0x80), new types.UUID('73ffd264-44b3-4c69-90e8-e7d1dfc035d4'),
      new Timestamp({ t: 1, i: 2 }), new BSONRegExp('a"', 'im'), new BSONSymbol('s'), new Code('c'), new Code('c', {}), new MinKey(),
      new MaxKey(), new types.DBRef('c', 'id', 'd', { x: 'y' })
    ]
    for (const value of samples) {
      for (const mode of [{ relaxed: true }, { relaxed: false }, { legacy: true, relaxed: false }]) {
        const form = JSON.parse(JSON.stringify(value.toExtendedJSON(mode)))
        assert.deepStrictEqual(JSON.parse(EJSON.stringify(value, mode)), form, `${JSON.stringify(form)}, ${JSON.stringify(mode)}`)
      }
    }
    t.done()
  },

  'values of other major versions, by what they are': t => {
    const of = (_bsontype, fields) => Object.assign(Object.create({ _bsontype }), fields)
    const foreign = [
      [of('ObjectID', { id: Buffer.from(HEX, 'hex'), toHexString: () => HEX }), `{"$oid":"${HEX}"}`],
      [of('Long', { low_: 5, high_: 1 }), '{"$numberLong":"4294967301"}'],
      [of('Long', { low_: -1, high_: -1, unsigned_: true }), '{"$numberLong":"18446744073709551615"}'],
      [of('Timestamp', { low_: 5, high_: 1 }), '{"$timestamp":{"t":1,"i":5}}'],
      [of('Symbol', { value: 's' }), '{"$symbol":"s"}'],
      [of('DBRef', { namespace: 'c', oid: 1 }), '{"$ref":"c","$id":{"$numberInt":"1"}}'],
      [of('Decimal128', { bytes: types.Decimal128.fromString('1.5').bytes }), '{"$numberDecimal":"1.5"}'],
      [of('UUID', { sub_type: 4, buffer: Buffer.from('ab'), position: 2 }), '{"$binary":{"base64":"YWI=","subType":"04"}}']
    ]
    for (const [value, text] of foreign) t.strictEqual(EJSON.stringify(value, { relaxed: false }), text)
    const silent = of('Own', { toExtendedJSON: () => undefined })
    t.strictEqual(EJSON.stringify([silent]), '[null]')
    t.done()
  },

  'bigints beyond int64, and invalid dates, are errors with the path': t => {
    for (const mode of MODES) {
      const error = errorOf(() => EJSON.stringify({ a: [{ 'b c': new Date(NaN) }] }, mode))
      t.ok(error instanceof BSONError)
      t.strictEqual(error.path, 'a[0]["b c"]')
      t.strictEqual(error.message, 'Invalid Date cannot be serialized (in field a[0]["b c"])')
    }
    t.strictEqual(errorOf(() => EJSON.stringify({ a: { b: 1 }, n: 2n ** 63n })).path, 'n')
    t.strictEqual(errorOf(() => EJSON.stringify(2n ** 64n)).message, 'bigint 18446744073709551616 is outside the range of an int64')
    t.done()
  },

  'regular expressions as encode writes them': t => {
    const { BSONRegExp } = types
    for (const value of [/x/g, /x/dgimsuy, new RegExp('x', 'v'), Object.assign(new BSONRegExp('a'), { options: 'q' }), Object.assign(new BSONRegExp('a'), { pattern: 'a\0' })]) {
      const [text, bytes] = [() => EJSON.stringify({ value }), () => EJSON.fromBSON(encode({ value }))].map(write => outcome(write))
      t.strictEqual(text.value, bytes.value)
      t.strictEqual(text.error?.message, bytes.error?.message)
    }
    t.done()
  },

  'errors of getters are not ours': t => {
    const doc = { get a() { throw new TypeError('mine') } }
    t.strictEqual(errorOf(() => EJSON.stringify(doc)).message, 'mine')
    t.done()
  },

  ...onlyLong({ 'a text longer than a string can be': t => {
    const long = 'x'.repeat(2 ** 28)
    const error = errorOf(() => EJSON.stringify([long, long]))
    t.ok(error instanceof BSONError)
    t.strictEqual(error.message, 'JSON text exceeds the maximum string length')
    const fromBytes = errorOf(() => EJSON.fromBSON(encode({ a: long, b: long })))
    t.ok(fromBytes instanceof BSONError)
    t.strictEqual(fromBytes.message, error.message)
    t.done()
  } }),

  'cycles: the error that bson has': t => {
    const cycles = [
      () => { const a = {}; a.self = a; return a },
      () => { const a = { b: [1, { c: {} }] }; a.b[1].c.again = a.b; return a },
      () => { const a = []; a.push([a]); return a },
      () => { const a = { x: 1 }; a.list = [{}, { long: { way: { home: a } } }]; return a }
    ]
    for (const make of cycles) {
      const ours = errorOf(() => EJSON.stringify(make()))
      t.strictEqual(ours.message, errorOf(() => bson.EJSON.stringify(make())).message)
      t.ok(ours instanceof BSONError && ours.path.length > 0)
      t.strictEqual(errorOf(() => EJSON.stringify(make(), key => key)).message, ours.message)
    }
    t.strictEqual(errorOf(() => EJSON.stringify(cycles[1]())).path, 'b[1].c.again')
    t.done()
  },

  'cycles: through Maps, code and references, and long ones': t => {
    const map = new Map()
    map.set('m', { map })
    t.ok(/^Converting circular structure/.test(errorOf(() => EJSON.stringify(map)).message))
    const scope = {}
    scope.code = new types.Code('x', scope)
    t.strictEqual(errorOf(() => EJSON.stringify({ scope })).path, 'scope.code.$scope')
    const ref = new types.DBRef('c', 1)
    ref.fields.ref = ref
    t.strictEqual(errorOf(() => EJSON.stringify(ref)).path, 'ref')
    const end = {}
    const ring = deep(400, child => ({ a: child === 1 ? end : child }))
    end.back = ring
    const error = errorOf(() => EJSON.stringify(ring))
    t.ok(/^Converting circular structure to EJSON:\n {4}\(root\) -> a -> /.test(error.message))
    t.ok(error.path.startsWith('a.a.') && error.path.includes('…') && error.path.length < 200)
    t.done()
  },

  'a Map keeps its order, whatever its keys are': t => {
    const map = new Map([['b', 1], ['1', new Map([['toString', undefined], ['0', 2], ['f', () => 1]])], ['__proto__', null]])
    t.strictEqual(EJSON.stringify(map), '{"b":1,"1":{"toString":null,"0":2},"__proto__":null}')
    t.strictEqual(EJSON.stringify([map], null, 1, { ignoreUndefined: true }), '[\n {\n  "b": 1,\n  "1": {\n   "0": 2\n  },\n  "__proto__": null\n }\n]')
    t.strictEqual(EJSON.stringify({ s: new types.Code('x', map) }), `{"s":{"$code":"x","$scope":${EJSON.stringify(map)}}}`)
    t.strictEqual(EJSON.stringify(new Map([['toJSON', () => 5]])), '5')
    t.done()
  },

  'a Map by name only': t => {
    const value = new (class { get [Symbol.toStringTag]() { return 'Map' } })()
    const error = errorOf(() => EJSON.stringify({ a: [value] }))
    t.strictEqual(`${error.name}: ${error.message}`, 'BSONError: Map cannot be read: entries() throws (in field a[0])')
    t.done()
  },

  'the same object twice is no cycle': t => {
    const shared = { x: 1 }
    t.strictEqual(EJSON.stringify({ a: shared, b: [shared, shared] }), '{"a":{"x":1},"b":[{"x":1},{"x":1}]}')
    t.strictEqual(EJSON.stringify(deep(150, child => [shared, child, shared])).match(/"x"/g).length, 300)
    t.done()
  },

  'deep documents': t => {
    const levels = 900
    t.strictEqual(EJSON.stringify(deep(levels)), '{"a":'.repeat(levels) + '1' + '}'.repeat(levels))
    t.strictEqual(EJSON.stringify(deep(levels, child => [child, []])), '['.repeat(levels) + '1' + ',[]]'.repeat(levels))
    const mixed = deep(150, child => new Map([['m', { l: [undefined, child], none: {}, f() {}, d: new Date(0) }]]))
    t.strictEqual(EJSON.stringify(mixed), expectedMixed(150))
    const code = deep(150, child => new types.Code('c', { s: new types.DBRef('x', child), n: null }))
    t.strictEqual(EJSON.stringify(code).length, '{"$code":"c","$scope":{"s":{"$ref":"x","$id":},"n":null}}'.length * 150 + 1)
    t.done()
  },

  'maxDepth': t => {
    t.strictEqual(EJSON.stringify(deep(5), { maxDepth: 5 }).length, 31)
    const error = errorOf(() => EJSON.stringify(deep(6), { maxDepth: 5 }))
    t.ok(error instanceof BSONError)
    t.strictEqual(error.message, 'document is nested deeper than 5 levels (in field a.a.a.a.a)')
    t.strictEqual(errorOf(() => EJSON.stringify(deep(600), { maxDepth: 500 })).path.includes('…'), true)
    t.done()
  },

  'a polluted Object.prototype adds nothing': t => {
    Object.prototype.polluted = 'x'
    try {
      t.strictEqual(EJSON.stringify({ a: { b: 1 } }), '{"a":{"b":1}}')
      t.deepStrictEqual(Object.keys(EJSON.parse('{"a":{"b":{"$numberInt":"1"}}}').a), ['b'])
    } finally {
      delete Object.prototype.polluted
    }
    t.done()
  },

  're-entrant: a getter that itself stringifies': t => {
    const doc = { a: 'x', get b() { return EJSON.stringify({ in: ['y'] }) }, c: 'z' }
    t.strictEqual(EJSON.stringify(doc), '{"a":"x","b":"{\\"in\\":[\\"y\\"]}","c":"z"}')
    t.done()
  },

  'EJSON is frozen and has no prototype, as that of bson': t => {
    t.ok(Object.isFrozen(EJSON))
    t.strictEqual(Object.getPrototypeOf(EJSON), null)
    t.deepStrictEqual(Object.keys(bson.EJSON).filter(name => !(name in EJSON)), [])
    t.done()
  },

  'without Buffer, and without what else a runtime may lack': t => {
    const lengths = [1, 5, 20, 97, 200, 256, 257, 1000]
    const strings = lengths.flatMap(length => ['x'.repeat(length), 'é"😀'.repeat(length), `${'y'.repeat(length)}\n`])
    const binaries = lengths.map(length => new types.Binary(Buffer.alloc(length, length), 0x80))
    const doc = { strings, binaries, id: new types.ObjectId(HEX), n: [1.5, 2n ** 62n + 1n, new Date(5)], ['k'.repeat(300)]: 'ключ' }
    for (const names of [[], ['TextDecoder'], ['TextEncoder'], ['TextDecoder', 'TextEncoder', 'atob', 'btoa']]) {
      const { EJSON: browser } = requireWithoutBuffer('lib/ejson/index.js', names)
      for (const relaxed of [true, false]) {
        const text = EJSON.stringify(doc, { relaxed })
        t.ok(browser.stringify(browser.parse(text, { relaxed }), { relaxed }) === text)
        t.ok(browser.fromBSON(browser.toBSON(text), { relaxed }) === EJSON.fromBSON(EJSON.toBSON(text), { relaxed }))
      }
    }
    t.done()
  },

  'with a Buffer that wants to be told the length': t => {
    const { latin1Write } = Buffer.prototype
    Buffer.prototype.latin1Write = function (string, offset, length) {
      if (!(length <= this.length - offset)) throw new RangeError('"length" is outside of buffer bounds')
      return latin1Write.call(this, string, offset, length)
    }
    try {
      const file = require.resolve('../../lib/text/output')
      const { [file]: cached } = require.cache
      delete require.cache[file]
      const { TextOutput, writeAscii } = require('../../lib/text/output')
      require.cache[file] = cached
      const out = new TextOutput()
      writeAscii('x'.repeat(200), out.buf, 7)
      t.strictEqual(out.text(207).slice(7), 'x'.repeat(200))
    } finally {
      Buffer.prototype.latin1Write = latin1Write
    }
    t.done()
  }
}

/**
 * Without what bson writes differently: Buffers ({"0": ...}), falsy ids (it skips them),
 * decimals of random bytes (it accepts digits that are invalid).
 */
function withBinaries(value, lib) {
  if (ArrayBuffer.isView(value)) return new lib.Binary(Buffer.from(value.buffer, value.byteOffset, value.byteLength))
  if (value?._bsontype === 'Decimal128') return lib.Decimal128.fromString('1.50')
  if (value instanceof ArrayBuffer) return new lib.Binary(Buffer.from(value))
  if (Array.isArray(value)) return value.map(item => withBinaries(item, lib))
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, withBinaries(item, lib)]))
  if (value?._bsontype === 'Code') return new lib.Code(value.code, withBinaries(value.scope, lib))
  if (value?._bsontype === 'DBRef') {
    return new lib.DBRef(value.collection, withBinaries(value.oid || 1, lib), value.db, withBinaries(value.fields, lib))
  }
  if (typeof value !== 'object' || value === null || isLeaf(value)) return value
  const copy = {}
  for (const key of Object.keys(value)) setOwn(copy, key, withBinaries(value[key], lib))
  return copy
}

function isLeaf(value) {
  return value instanceof Date || value instanceof RegExp || value._bsontype !== undefined
}

/** Text as numbers, so that digits that bson loses count as equal. */
function normal(text) {
  return JSON.parse(text, (key, value) => {
    const isNumber = typeof value === 'number' || key === '$numberLong' || key === '$numberDouble'
    if (value?.$numberLong === 2 ** 63) return { $numberDouble: 2 ** 63 }
    return isNumber ? Number(value) + 0 : value
  })
}

function expectedMixed(levels) {
  const after = '],"none":{},"d":{"$date":"1970-01-01T00:00:00Z"}}}'
  return '{"m":{"l":[null,'.repeat(levels) + '1' + after.repeat(levels)
}
