'use strict'

// What the keywords of $jsonSchema reject, in bytes and in documents to encode, with and without code generation.

const qbson = require('../../qbson')
const { compile, schemaOf, writeModule } = require('../../lib/compile')
const { parseSchema, checkDocument } = require('../../lib/schema')
const { compileInterpreted, compileAhead } = require('../fixtures/compilers')
const { assertCheap } = require('../fixtures/cost')
const { errorOf } = require('../fixtures/error-of')
const { matcher } = require('../../lib/query')
const { outcome } = require('../fixtures/outcome')

const { Decimal128, ObjectId, Long, Double, Int32 } = qbson
const WAYS = [compile, compileInterpreted, compileAhead]
const at = node => ({ properties: { a: node } })
const decimal = text => Decimal128.fromString(text)

/** A schema of the field `a`, values that it allows, and values that it rejects: by which rules, at which paths. */
const RULES = [
  [{ uniqueItems: true }, [[], [1, '1', true, null], [{ x: 1 }, { x: 2 }], [decimal('1.5'), 1.25]], [
    [[1, 2, 1], 'uniqueItems', 'a'],
    [[1, new Double(1)], 'uniqueItems', 'a'],
    [[Long.fromNumber(5), decimal('5.0')], 'uniqueItems', 'a'],
    [[{ x: 1, y: [2] }, { y: [new Double(2)], x: 1 }], 'uniqueItems', 'a']
  ]],
  [{ bsonType: 'array', items: { bsonType: 'array', uniqueItems: true } }, [[[1], [1]]], [[[[1, 2], [3, 3]], 'uniqueItems', 'a[1]']]],
  [{ not: { bsonType: 'string' } }, [1, null, []], [['x', 'not', 'a']]],
  [{ bsonType: 'int', not: { minimum: 5 } }, [4], [[5, 'not', 'a']]],
  [{ bsonType: ['int', 'double', 'decimal'], multipleOf: 0.1 }, [3, 0.3, decimal('1E+6111'), decimal('-0.70')], [
    [0.35, 'multipleOf', 'a'], [decimal('0.01'), 'multipleOf', 'a'], [NaN, 'multipleOf', 'a'], [decimal('Infinity'), 'multipleOf', 'a']
  ]],
  [{ bsonType: 'object', not: { patternProperties: { '^n_': { bsonType: 'int' } } } }, [{ n_a: 'x', n_b: 1 }], [[{ n_a: 1 }, 'not', 'a']]],
  [{ bsonType: 'object', not: { allOf: [{ required: ['x'] }, { required: ['y'] }] } }, [{ x: 1 }, { y: 1 }, {}], [[{ x: 1, y: 2 }, 'not', 'a']]],
  [{ multipleOf: 7 }, [14, 'x', 0, 700n], [[15, 'multipleOf', 'a'], [decimal('1E+6111'), 'multipleOf', 'a']]],
  [{ enum: [{ x: 1, y: [null] }, [1, 2], 'x', 5] }, [{ y: [null], x: new Double(1) }, [1, 2], 'x', new Double(5)], [
    [{ x: 1 }, 'enum', 'a'], [[2, 1], 'enum', 'a'], ['y', 'enum', 'a'], [6, 'enum', 'a'], [true, 'bsonType', 'a']
  ]],
  [{ anyOf: [{ bsonType: 'int', minimum: 5 }, { bsonType: ['int', 'string'], enum: [1, 'x'] }] }, [7, 1, 'x'], [
    [3, 'anyOf', 'a'], ['y', 'anyOf', 'a'], [null, 'bsonType', 'a']
  ]],
  [{ bsonType: 'object', anyOf: [{ required: ['x'] }, { required: ['y'] }] }, [{ x: 1 }, { y: 1, z: 2 }], [[{ z: 1 }, 'anyOf', 'a']]],
  [{ oneOf: [{ minimum: 5 }, { maximum: 10 }] }, [4, 11], [[7, 'oneOf', 'a'], ['x', 'oneOf', 'a']]],
  [{ allOf: [{ properties: { x: { bsonType: 'int' } } }, { properties: { x: { minimum: 3 }, y: {} }, required: ['y'] }] }, [{ x: 3, y: 1 }], [
    [{ x: 2, y: 1 }, 'minimum', 'a.x'], [{ x: 3 }, 'required', 'a']
  ]],
  [{ items: { bsonType: 'int' }, allOf: [{ minItems: 1 }] }, [[1]], [[[], 'minItems', 'a']]],
  [{ items: [{ bsonType: 'int' }, { bsonType: 'string' }], additionalItems: false }, [[], [1], [1, 'x'], 5], [
    [[1, 'x', 2], 'additionalItems', 'a[2]'], [[1, 2], 'bsonType', 'a[1]'], [['x'], 'bsonType', 'a[0]']
  ]],
  [{ items: [{ bsonType: 'int' }], additionalItems: { bsonType: 'string' } }, [[], [1], [1, 'x', 'y']], [[[1, 2], 'bsonType', 'a[1]']]],
  [{ items: { items: { bsonType: 'int' } } }, [[[1]], 'x'], [[[['x']], 'bsonType', 'a[0][0]']]],
  [{ additionalProperties: { items: { bsonType: 'int' } } }, [{ x: [1] }], [[{ x: ['x'] }, 'bsonType', 'a.x[0]']]],
  [{ bsonType: 'object', dependencies: { x: ['y'], z: { required: ['w'] } } }, [{}, { y: 1 }, { x: 1, y: 1 }, { z: 1, w: 1 }], [
    [{ x: 1 }, 'dependencies', 'a'], [{ z: 1 }, 'required', 'a']
  ]],
  [{ bsonType: 'object', patternProperties: { '^n_': { bsonType: 'int' }, _s$: { maxLength: 2 } }, additionalProperties: false }, [
    { n_a: 1 }, { a_s: 'x' }, { n_s: 5 }, {}
  ], [[{ a_s: 'xyz' }, 'maxLength', 'a.a_s']]],
  [{ bsonType: 'object', patternProperties: { '^a': { bsonType: 'object' }, b$: { properties: { x: { minimum: 3 } } } } }, [{ ab: { x: 3 } }, { b: { x: 4 } }], [
    [{ ab: { x: 2 } }, 'minimum', 'a.ab.x'], [{ b: { x: 2 } }, 'minimum', 'a.b.x']
  ]],
  [{ bsonType: 'object', properties: { ab: { bsonType: 'object' } }, patternProperties: { b$: { properties: { x: { minimum: 3 } } } } }, [{ ab: { x: 3 } }], [
    [{ ab: { x: 2 } }, 'minimum', 'a.ab.x']
  ]],
  [{ bsonType: 'object', required: ['n_a'], patternProperties: { '^n_': { minimum: 3 } }, additionalProperties: false }, [{ n_a: 3 }], [
    [{}, 'required', 'a'], [{ n_a: 2 }, 'minimum', 'a.n_a']
  ]],
  [{ bsonType: 'object', required: ['n_a'], patternProperties: { '^n_': { minimum: 3 } }, additionalProperties: { bsonType: 'string' } }, [{ n_a: 3, b: 'x' }], [
    [{ n_a: 3, b: 1 }, 'bsonType', 'a.b']
  ]],
  [{ enum: [2 ** 60, [2 ** 60]] }, [2 ** 60, 2n ** 60n, decimal('1152921504606846976'), [2n ** 60n]], [
    [2n ** 60n + 1n, 'enum', 'a'], [decimal('1152921504606847000'), 'enum', 'a']
  ]],
  [{ multipleOf: 1024 }, [2 ** 60, -(2 ** 63), decimal('1152921504606846976')], [[2n ** 60n + 1n, 'multipleOf', 'a']]],
  [{ uniqueItems: true }, [[2 ** 60, 2n ** 60n + 1n]], [[[2 ** 60, 2n ** 60n], 'uniqueItems', 'a']]],
  [{ maximum: 2 ** 60 }, [decimal('1152921504606846976')], [
    [decimal('1152921504606847000'), 'maximum', 'a'], [decimal('1.152921504607E+18'), 'maximum', 'a']
  ]]
]

function checkRefused(t, codec, value, rule, path) {
  const bytes = qbson.encode({ a: value })
  const [first] = codec.validate(bytes, { all: true })
  t.deepStrictEqual([first.rule, first.path], [rule, path], `${rule} ${path}`)
  const error = errorOf(() => codec.validate(bytes))
  t.deepStrictEqual([error.path, error.message.startsWith(first.message)], [path, true])
  t.strictEqual(errorOf(() => codec.decode(bytes, { check: true })).message, error.message)
  t.deepStrictEqual(codec.decode(bytes), qbson.decode(bytes))
  const ours = errorOf(() => codec.encode({ a: value }))
  if (['bsonType', 'required', 'additionalItems'].includes(rule)) return // they are noticed before anything is written
  t.deepStrictEqual([ours.path, ours.offset], [path, undefined])
  t.ok(ours.message.startsWith(first.message), ours.message)
  t.ok(codec.encode({ a: value }, { check: false }).equals(bytes))
}

/** Documents nested so deep. */
function nested(levels, inner) {
  for (let i = 0; i < levels; i++) inner = { next: inner }
  return inner
}

/** The same with bounds that are numbers of BSON, which no module can hold. */
const BSON_BOUNDS = [
  [{ minimum: Long.fromString('9007199254740993') }, [Long.fromString('9007199254740993'), 9007199254740996, decimal('9007199254740993.1')], [
    [Long.fromString('9007199254740992'), 'minimum', 'a'], [9007199254740992, 'minimum', 'a'], [decimal('9007199254740992.9'), 'minimum', 'a']
  ]],
  [{ minimum: 9007199254740993n, maximum: 9007199254740994n }, [9007199254740994], [[9007199254740992, 'minimum', 'a'], [9007199254740996, 'maximum', 'a']]],
  [{ maximum: decimal('1.00000000000000000000000001') }, [1, decimal('1.00000000000000000000000001')], [[1.1, 'maximum', 'a'], [2, 'maximum', 'a']]],
  [{ minLength: new Int32(2), maxLength: Long.fromNumber(3) }, ['ab', 'abc'], [['a', 'minLength', 'a'], ['abcd', 'maxLength', 'a']]],
  [{ minItems: new Int32(1), maxItems: 2n }, [[1]], [[[], 'minItems', 'a'], [[1, 2, 3], 'maxItems', 'a']]],
  [{ minimum: new Int32(5), maximum: new Double(6.5) }, [5, 6.5, decimal('5')], [[4, 'minimum', 'a'], [7, 'maximum', 'a']]],
  [{ minimum: decimal('0.1'), multipleOf: decimal('0.1') }, [0.1, 0.3], [[0.05, 'minimum', 'a']]],
  [{ minimum: Long.fromString('9223372036854770000') }, [9223372036854770000n, decimal('9.22337203685477E+18')], [
    [9223372036854769999n, 'minimum', 'a'], [9223372036854769664, 'minimum', 'a']
  ]],
  [{ bsonType: 'int', enum: [5n] }, [5], [[6, 'enum', 'a']]],
  [{ bsonType: ['double', 'string'], enum: [new Double(2.5), 'x'] }, [2.5, 'x'], [[3.5, 'enum', 'a'], ['y', 'enum', 'a']]],
  [{ minimum: decimal('1E+400') }, [decimal('2E+400'), Infinity], [[1e308, 'minimum', 'a'], [decimal('9E+399'), 'minimum', 'a']]]
]

/** One document with the elements of several, in which names repeat. */
function join(...documents) {
  const bytes = Buffer.concat([Buffer.alloc(4), ...documents.map(document => document.subarray(4, -1)), Buffer.alloc(1)])
  bytes.writeInt32LE(bytes.length)
  return bytes
}

module.exports = {
  'every rule, in bytes and in what is encoded': function (t) {
    for (const [node, right, wrong] of [...RULES, ...BSON_BOUNDS]) {
      for (const make of WAYS) {
        if (make === compileAhead && BSON_BOUNDS.some(([own]) => own === node)) {
          t.ok(/enum or bounds hold BSON values/.test(errorOf(() => make(at(node))).message))
          continue
        }
        const codec = make(at(node))
        for (const value of right) {
          const bytes = qbson.encode({ a: value })
          t.strictEqual(codec.validate(bytes), bytes.length)
          t.deepStrictEqual(codec.validate(bytes, { all: true }), [])
          t.ok(codec.encode({ a: value }).equals(bytes))
        }
        for (const [value, rule, path] of wrong) checkRefused(t, codec, value, rule, path)
      }
    }
    t.done()
  },

  'of fields with one name the last counts, as for decode': function (t) {
    const int = { bsonType: 'int' }
    const cases = [
      [at(int), { a: 'x' }, { a: 1 }], [at(int), { a: 1 }, { a: 'x' }], [at(int), { a: 'x' }, { a: 'y', b: 1 }, { a: 2 }],
      [at({ properties: { b: int } }), { a: { b: 'x' } }, { a: { b: 1 } }], [at({ items: int }), { a: [1, 'x'] }, { a: [1] }],
      [at({ minimum: 5 }), { a: 1 }, { b: 1, a: 7 }], [at({ pattern: 'y' }), { a: 'x' }, { a: 'y' }], [at({ enum: [1, 2] }), { a: 3 }, { a: 1 }],
      [{ additionalProperties: int }, { a: 'x' }, { a: 1 }], [{ patternProperties: { a: int } }, { ab: 'x' }, { ab: 1 }],
      [{ additionalProperties: false, properties: { a: {} } }, { b: 1 }, { b: 2 }], [{ ...at(int), maxProperties: 1 }, { a: 'x' }, { a: 1 }],
      [{ ...at(int), required: ['a', 'b'] }, { a: 'x' }, { a: 1 }], [{ allOf: [at(int), { properties: { a: { minimum: 5 } } }] }, { a: 1 }, { a: 7 }],
      [{ anyOf: [at(int), { required: ['b'] }] }, { a: 'x' }, { a: 1 }], [{ not: at(int) }, { a: 'x' }, { a: 1 }],
      [{ properties: { a: int, b: int } }, { a: 'x', b: 'b' }, { b: 'x', a: 1 }], [at({ not: at(int) }), { a: { a: 1 } }, { a: { a: 'x' } }],
      [{ properties: { a: int, a2: int } }, { a: 1, a2: 'a' }], [at(int), { a: '\0a\0' }, { c: '\0a\0' }]
    ]
    for (const [schema, ...documents] of cases) {
      for (const isInner of [false, true]) {
        const joined = join(...documents.map(document => qbson.encode(document)))
        const bytes = isInner ? qbson.encode({ o: new qbson.RawDocument(joined) }) : joined
        const last = qbson.encode(qbson.decode(bytes))
        const whole = isInner ? { properties: { o: schema } } : schema
        const what = JSON.stringify([whole, documents])
        const codec = compile(whole)
        const rules = of => codec.validate(of, { all: true }).map(({ rule, path }) => `${rule} ${path}`)
        t.deepStrictEqual([...new Set(rules(bytes))], rules(last), what)
        const pathOf = of => outcome(() => codec.validate(of)).error?.path
        t.strictEqual(pathOf(bytes), pathOf(last), what)
        t.strictEqual(matcher({ $jsonSchema: whole })(bytes), rules(last).length === 0, what)
      }
    }
    const unique = at({ uniqueItems: true })
    const twice = qbson.encode({ a: [new qbson.RawDocument(join(qbson.encode({ x: 1 }), qbson.encode({ x: 2 }))), { x: 2 }] })
    t.strictEqual(compile(unique).validate(twice, { all: true }).length, 1)
    t.done()
  },

  'repeated names do not multiply the work': function (t) {
    const schema = { properties: { a: { $ref: '#' }, b: { bsonType: 'int' } }, allOf: [{ properties: { a: { $ref: '#' } } }] }
    let bytes = qbson.encode({ b: 'x' })
    for (let i = 0; i < 60; i++) bytes = join(qbson.encode({ a: new qbson.RawDocument(bytes) }), qbson.encode({ a: {}, b: i % 7 === 0 ? 1 : 'x' }))
    const many = join(...Array.from({ length: 20000 }, (_, i) => qbson.encode({ ['n' + (i % 9999)]: 'x' })))
    assertCheap(2000, () => {
      const codec = compile(schema)
      t.deepStrictEqual(codec.validate(bytes, { all: true }).map(({ path }) => path), ['b'])
      t.ok(/int/.test(errorOf(() => codec.validate(bytes)).message))
      t.strictEqual(compile({ additionalProperties: { bsonType: 'int' } }).validate(many, { all: true }).length, 9999)
    }, 'repeated names')
    t.done()
  },

  'a rule reads text as the codec does: invalid UTF-8 is an error, or U+FFFD': function (t) {
    const bytes = qbson.encode({ a: '?' })
    bytes[bytes.indexOf('?')] = 0xff
    const schema = at({ pattern: '\ufffd' })
    t.ok(/UTF-8/.test(errorOf(() => compile(schema).validate(bytes)).message))
    t.strictEqual(compile(schema, { validation: { utf8: false } }).validate(bytes), bytes.length)
    t.ok(/UTF-8/.test(errorOf(() => checkDocument(parseSchema(schema), bytes, 0, bytes.length, { maxDepth: 9 })).message))
    t.done()
  },

  'an enum of values of BSON, which no module can hold': function (t) {
    const schema = at({ enum: [new ObjectId('0123456789abcdef01234567'), new Date(5)] })
    const codec = compile(schema)
    for (const a of [new ObjectId('0123456789abcdef01234567'), new Date(5)]) t.ok(codec.encode({ a }).equals(qbson.encode({ a })))
    checkRefused(t, codec, new ObjectId(), 'enum', 'a')
    const numbers = compile(at({ enum: [Long.fromNumber(5), decimal('0.5'), 7n, /a/i] }))
    t.strictEqual(errorOf(() => numbers.encode({ a: 6 })).message, 'expected one of 5, 0.5, 7, /a/i, found 6 (in field a)')
    t.strictEqual(errorOf(() => writeModule(schema)).message, 'a module cannot be written for a schema whose enum or bounds hold BSON values')
    t.done()
  },

  'what one rule has only asked is a violation of another': function (t) {
    const x = { bsonType: 'object', required: ['v'], properties: { v: { bsonType: 'int' } } }
    const own = at({ $ref: '#/definitions/x' })
    const codec = compile({ ...own, anyOf: [own, { bsonType: 'object' }], definitions: { x } })
    for (const [a, path] of [[{ v: 'x' }, 'a.v'], [{}, 'a']]) {
      t.deepStrictEqual(codec.validate(qbson.encode({ a }), { all: true }).map(each => each.path), [path])
    }
    t.deepStrictEqual(codec.validate(qbson.encode({ a: { v: 1 } }), { all: true }), [])
    t.done()
  },

  'all violations are listed, in the order of the bytes': function (t) {
    const schema = { required: ['z'], additionalProperties: false, properties: {
      a: { bsonType: 'int', minimum: 5, maximum: 1 }, list: { bsonType: 'array', maxItems: 1, items: { bsonType: 'string' } }, z: {} } }
    const bytes = qbson.encode({ a: 3, list: [1, 'x', null], more: 1 })
    for (const make of WAYS) {
      const found = make(schema).validate(bytes, { all: true })
      t.deepStrictEqual(found.map(({ path, rule, offset }) => [path, rule, offset]), [
        ['a', 'minimum', 7], ['a', 'maximum', 7], ['list[0]', 'bsonType', 21], ['list[2]', 'bsonType', 37], ['list', 'maxItems', 17],
        ['more', 'additionalProperties', 41], ['', 'required', 0]
      ])
      t.strictEqual(found[6].message, 'the field "z" is missing')
      const cut = bytes.subarray(0, bytes.length - 1)
      t.ok(errorOf(() => make(schema).validate(cut, { all: true })).message.includes('must === bson size'))
    }
    const positional = compile({ bsonType: 'object', properties: { a: { bsonType: 'int', minimum: 5 }, b: {} } }, { layout: 'array' })
    const wrong = positional.encode({ a: 4 }, { check: false })
    t.deepStrictEqual(positional.validate(wrong, { all: true }).map(({ path, rule }) => [path, rule]), [['a', 'minimum']])
    t.done()
  },

  'lists of lists are compared in linear time': function (t) {
    const codec = compile({ ...at({ $ref: '#/definitions/l' }), definitions: { l: { bsonType: ['array', 'int'], uniqueItems: true, items: { $ref: '#/definitions/l' } } } })
    let list = Array.from({ length: 20_000 }, (_, i) => i)
    for (let i = 0; i < 200; i++) list = [list, i]
    const bytes = codec.encode({ a: list })
    t.strictEqual(codec.validate(bytes), bytes.length)
    t.done()
  },

  'what is compared in one document is forgotten before the next': function (t) {
    const target = Buffer.alloc(100)
    for (const make of WAYS) {
      const codec = make(at({ bsonType: 'array', uniqueItems: true, items: { anyOf: [{ bsonType: 'array', items: { bsonType: 'int' } }, { bsonType: 'object' }] } }))
      t.strictEqual(codec.encodeInto({ a: [[1], [2]] }, target), 43)
      t.strictEqual(errorOf(() => codec.encodeInto({ a: [[1], [1]] }, target)).message, 'expected unique items, but item 1 equals item 0 (in field a)')
      t.strictEqual(errorOf(() => codec.encodeInto({ a: [[1], ['']] }, target)).path, 'a[1][0]')
    }
    t.done()
  },

  'the rule of a list that is not met is the same from all codecs': function (t) {
    for (const make of WAYS) {
      const codec = make(at({ bsonType: 'array', items: { bsonType: ['int', 'null'] }, minItems: 2, not: { minimum: 100 } }))
      t.strictEqual(errorOf(() => codec.encode({ a: [1] })).message, 'expected at least 2 items, found 1 (in field a)')
      t.ok(errorOf(() => codec.encode({ a: [1, 2] })).message.startsWith('expected what the schema of not does not describe'))
    }
    t.done()
  },

  'options of compile hold in generated code': function (t) {
    for (const make of WAYS) {
      const tree = make({ properties: { next: { $ref: '#' } } }, { maxDepth: 3 })
      const deep = nested(3, {})
      t.deepStrictEqual(tree.decode(qbson.encode(deep.next)), deep.next)
      for (const work of [() => tree.decode(qbson.encode(deep)), () => tree.validate(qbson.encode(deep)), () => tree.encode(deep)]) {
        t.ok(errorOf(work).message.startsWith('document is nested deeper than 3 levels'))
      }
      const dotted = make({ properties: { 'a.b': {} }, additionalProperties: { bsonType: 'int' } }, { checkKeys: true })
      t.strictEqual(errorOf(() => dotted.encode({ 'a.b': 1 })).message, "key a.b must not contain '.' (in field [\"a.b\"])")
      t.strictEqual(errorOf(() => dotted.encode({ $c: 1 })).message, "key $c must not start with '$' (in field $c)")
    }
    t.done()
  },

  'what says that it is a plain object is written as what it is': function (t) {
    function Id(hex) { this.hex = hex }
    Id.prototype = { _bsontype: 'ObjectID', toHexString() { return this.hex } }
    const own = value => Object.defineProperty(value, 'constructor', { value: Object })
    const values = [new Id('0123456789ab0123456789ab'), own(new Map([['x', 1]])), own(new Date(0)), own([1, 2]), Object.setPrototypeOf([1], ObjectId.prototype)]
    for (const make of WAYS) {
      const codec = make(at({ bsonType: ['object', 'objectId', 'array', 'date'], properties: { x: {} }, items: {} }))
      for (const a of values) t.ok(codec.encode({ a }).equals(qbson.encode({ a })))
    }
    t.done()
  },

  'what a getter changes meanwhile is checked as it is written': function (t) {
    for (const make of WAYS) {
      const codec = make({ required: ['b'], properties: { a: { bsonType: 'array', maxItems: 2, items: { bsonType: 'int' } }, b: { bsonType: 'int' } } })
      const list = [1, 2]
      Object.defineProperty(list, 0, { enumerable: true, get() { list.push(3); return 1 } })
      t.strictEqual(errorOf(() => codec.encode({ a: list, b: 1 })).message, 'expected at most 2 items, found 3 (in field a)')
      const doc = { get a() { delete doc.b; return [] }, b: 1 }
      t.strictEqual(errorOf(() => codec.encode(doc)).message, 'the field is missing (in field b)')
      let asked = 0
      const proxy = new Proxy({ a: [], b: 1, c: 2 }, { ownKeys: () => (asked++ % 2 ? ['a', 'c'] : ['a', 'b']) })
      const { length } = codec.encode(proxy)
      t.strictEqual(length, qbson.encode({ a: [], b: 1 }).length)
      const { proxy: revoked, revoke } = Proxy.revocable({}, {})
      revoke()
      t.strictEqual(errorOf(() => codec.encode({ a: revoked, b: 1 })).name, 'BSONError')
    }
    t.done()
  },

  'a document of nothing, numbers of all sizes, few texts': function (t) {
    t.strictEqual(compile(schemaOf([])).validate(qbson.encode({})), 5)
    const numbers = ['1E+6111', '-1E-6176', 'NaN', '0.1'].map(text => ({ n: decimal(text) }))
    t.deepStrictEqual(schemaOf(numbers, { descriptions: false }).properties.n, { bsonType: 'decimal' })
    const texts = Array.from({ length: 40 }, (_, i) => ({ s: i % 3 ? 'new' : 'paid', n: i % 2 ? null : 'x', l: ['a', 'b'], m: { [`k${i}`]: 1, [`l${i}`]: 2 } }))
    const { s, n, l, m } = schemaOf(texts).properties
    t.deepStrictEqual([s.enum, s.maxLength, n.enum], [['paid', 'new'], undefined, ['x', null]])
    t.deepStrictEqual([l.items.description, m.additionalProperties.description], ['80 values', '80 values'])
    t.strictEqual(errorOf(() => schemaOf([], { bound: false })).message, 'schemaOf has no option bound (did you mean bounds?). Its options are bounds, descriptions')
    const few = texts.slice(0, 9)
    t.ok(!('enum' in schemaOf(few).properties.s))
    t.done()
  },

  'titles name the types of a module, and its format is one of two': function (t) {
    const { declarations } = writeModule({ title: 'Order', properties: { lines: { bsonType: 'array', items: { bsonType: 'object', title: 'order line', properties: { n: { bsonType: 'int' } } } },
      to: { bsonType: 'object', title: 'Long', properties: { x: {} } }, of: { bsonType: 'object', title: '1 Order', properties: {} } } })
    const names = [...declarations.matchAll(/interface (\w+)/g)].map(match => match[1])
    t.deepStrictEqual(names.sort(), ['LongDocument', 'Order', 'Order1', 'OrderLine'])
    t.strictEqual(errorOf(() => writeModule({}, {}, /** @type {any} */ ('esm'))).message, `format must be 'commonjs' or 'module', not "esm"`)
    t.done()
  },

  'lists and documents are checked to the depth to which validate goes': function (t) {
    const node = levels => levels === 0 ? {} : { items: node(levels - 1), properties: { a: node(levels - 1) }, uniqueItems: true }
    const documents = Array.from({ length: 32 }, (_, shape) => {
      let value = 1
      for (let level = 0; level < 5; level++) value = shape & (1 << level) ? [value] : { a: value }
      return qbson.encode({ a: value })
    })
    const lists = documents.filter(bytes => bytes[4] === 4)
    for (const [a, inputs] of [[node(6), documents], [{ uniqueItems: true }, lists]]) {
      const schema = parseSchema(at(a))
      for (let maxDepth = 1; maxDepth < 8; maxDepth++) {
        const told = check => {
          const { message, offset } = outcome(check).error ?? { message: 'passes' }
          return [message.replace(/ \(.*/, ''), offset]
        }
        for (const bytes of inputs) {
          const expected = told(() => qbson.validate(bytes, { maxDepth }))
          t.deepStrictEqual(told(() => checkDocument(schema, bytes, 0, bytes.length, { maxDepth })), expected, `${maxDepth} ${qbson.EJSON.fromBSON(bytes)}`)
        }
      }
    }
    t.done()
  },

  'a number that is made of a schema is compared with numbers of all types': function (t) {
    const codec = compile(at({ bsonType: 'number', minimum: -1.5, maximum: 1e30 }))
    for (const right of [-1.5, decimal('-1.50'), decimal('1E+30'), 5n, new Int32(-1)]) t.ok(codec.encode({ a: right }).length > 0)
    for (const wrong of [decimal('-1.51'), decimal('1.1E+30'), decimal('1E+6111'), decimal('-Infinity'), -2n]) {
      t.ok(errorOf(() => codec.encode({ a: wrong })).message.startsWith('expected at '))
    }
    t.done()
  }
}
