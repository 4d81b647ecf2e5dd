'use strict'

// Functions generated to write a schema's documents write and throw the same as the interpreted codec: with every value
// that encoders disagree about, at every place, under every kind of rule.

const path = require('node:path')
const { spawnSync } = require('node:child_process')
const qbson = require('../../qbson')
const { compile } = require('../../lib/compile')
const { VALUES, BSON_VALUES } = require('../fixtures/encode-cases')
const { compileInterpreted } = require('../fixtures/compilers')
const { some } = require('../fixtures/long')
const { outcome, told } = require('../fixtures/outcome')

const { Binary, Decimal128, Double, Int32, Long, ObjectId, Timestamp, UUID } = qbson

const make = (prototype, value) => Object.setPrototypeOf(value, prototype)

/** One of each type, and values that only look like one. */
const ROWS = {
  'an int': () => 7,
  'a double': () => 7.5,
  'a text': () => 'text',
  'an odd text': () => 'é日😀',
  'a long text': () => 'a text of more than two dozen units',
  'true': () => true,
  'a date': () => new Date(1e12),
  'an id': () => new ObjectId('0123456789ab0123456789ab'),
  'a uuid': () => new UUID('00112233-4455-6677-8899-aabbccddeeff'),
  'bytes': () => new Binary(Buffer.from('bytes')),
  'a Long': () => Long.fromNumber(7),
  'a Decimal128': () => Decimal128.fromString('7.5'),
  'an odd Decimal128': () => Decimal128.fromString('NaN'),
  'a Double': () => new Double(7),
  'an Int32': () => new Int32(7),
  'a Timestamp': () => new Timestamp({ t: 1, i: 2 }),
  'a document': () => ({ x: 1, y: 'more' }),
  'a Map': () => new Map([['x', 1]]),
  'an array': () => [1, 2.5, 'x', null],
  'an array that says it is an id': () => make(ObjectId.prototype, [1]),
  'a document that says it is an array': () => make(Array.prototype, { x: 1 }),
  'an id with a toBSON': () => Object.assign(new ObjectId('0123456789ab0123456789ab'), { toBSON: () => 7 }),
  'a revoked proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  }
}

const NODES = [
  {},
  ...['int', 'double', 'string', 'bool', 'null', 'objectId', 'date', 'long', 'decimal', 'binData', 'timestamp']
    .map(bsonType => ({ bsonType })),
  { bsonType: ['int', 'double'], minimum: 0, maximum: 7 },
  { bsonType: ['double', 'long'] },
  { bsonType: ['long', 'decimal'], minimum: 7 },
  { bsonType: ['null', 'string'], minLength: 2, maxLength: 5 },
  { enum: ['text', true, null] },
  { enum: [7, 'text'] },
  { bsonType: ['objectId', 'date', 'timestamp', 'bool'], not: { enum: [true] } },
  { bsonType: ['object', 'string'], properties: { x: { bsonType: 'int' } }, maxProperties: 1 },
  { bsonType: 'object', additionalProperties: { bsonType: ['int', 'string'] } },
  { bsonType: ['array', 'int'], items: { bsonType: ['int', 'double', 'string'], maximum: 2 }, maxItems: 3 },
  { bsonType: 'array', items: [{ bsonType: 'int' }], additionalItems: false },
  { patternProperties: { '^x': { bsonType: 'int' } } }
]

/** Where a value stands: the schema, and the document with it. */
const PLACES = [
  [node => ({ properties: { v: node } }), v => ({ v })],
  [node => ({ required: ['a', 'value'], properties: { a: {}, b: {}, value: node, z: {} } }), value => ({ z: 1, a: 2, value, more: 3 })],
  [node => ({ additionalProperties: node }), v => ({ v, имя: v })],
  [node => ({ properties: { l: { bsonType: 'array', items: node } } }), v => ({ l: [v, v] })]
]

const OPTIONS = [[{}, true], [{ ignoreUndefined: true, serializeFunctions: true, checkKeys: true }, false]]

module.exports = {
  'every value, at every place, under every kind of rule': function (t) {
    const values = Object.entries({ ...VALUES, ...BSON_VALUES, ...ROWS })
    let turn = 0
    for (const node of NODES) {
      for (const [schemaOf, documentOf] of PLACES) {
        for (const [options, check] of OPTIONS) {
          const schema = schemaOf(node)
          const codec = compile(schema, options)
          const other = compileInterpreted(schema, options)
          const differing = []
          for (const [name, value] of some(values, turn++)) {
            const [found, expected] = [codec, other].map(one => told(outcome(() => one.encode(documentOf(value(qbson)), { check }))))
            if (found !== expected) differing.push({ name, found, expected })
          }
          t.deepStrictEqual(differing, [], JSON.stringify(schema))
        }
      }
    }
    t.done()
  },

  'names of all lengths, in and out of order': function (t) {
    const names = ['', 'a', 'ab', 'abc', 'abcd', 'é', 'имя', '__proto__', '$ref', 'a.b', 'n'.repeat(64), 'n'.repeat(65)]
    const schema = { properties: Object.fromEntries(names.map(name => [name, { bsonType: 'int' }])) }
    const [codec, other] = [compile(schema), compileInterpreted(schema)]
    for (let i = 0; i < names.length; i++) {
      const turned = [...names.slice(i), ...names.slice(0, i)]
      const doc = Object.fromEntries(turned.map((name, k) => [name, k]))
      t.ok(codec.encode(doc).equals(other.encode(doc)))
      t.ok(codec.encode(Object.fromEntries([[names[i], 1]])).equals(qbson.encode({ [names[i]]: 1 })))
    }
    t.done()
  },

  'a tree of a thousand levels, the first that a process meets': function (t) {
    const source = `
      const { encode } = require('./qbson')
      const { compile } = require('./lib/compile')
      const types = { bsonType: ['string', 'int', 'double', 'date', 'objectId'] }
      const fields = Object.fromEntries(Array.from({ length: 127 }, (_, i) => ['f' + i, types]))
      const tree = { properties: { ...fields, kids: { items: { $ref: '#' } } } }
      const codec = compile(tree)
      let doc = { f0: 1 }
      for (let i = 0; i < 499; i++) doc = { f1: i, kids: [doc] }
      const bytes = codec.encode(doc)
      if (!bytes.equals(encode(doc))) throw new Error('other bytes')
      let depth = 1
      for (let at = codec.decode(bytes); at.kids; at = at.kids[0]) depth++
      let error
      for (let i = 0; i < 20000; i++) doc = { kids: [doc] }
      try { compile(tree, { maxDepth: Infinity }).encode(doc) } catch (caught) { error = caught }
      console.log(depth, error.name, error.message.slice(0, 46))`
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', source], { cwd: path.join(__dirname, '../..'), encoding: 'utf8' })
    t.strictEqual(stderr, '')
    t.strictEqual(stdout, '500 BSONError document is nested deeper than the stack allow\n')
    t.done()
  },

  'no byte behind a document changes': function (t) {
    const codec = compile({ properties: { abc: { bsonType: ['null', 'bool', 'int', 'string'] }, abcdef: { bsonType: 'null' } } })
    for (const doc of [{ abc: null }, { abc: true }, { abc: 1 }, { abc: '' }, { abcdef: null }, { abc: () => 1 }, {}]) {
      const target = Buffer.alloc(64, 0xaa)
      const end = codec.encodeInto(doc, target, 7)
      t.strictEqual(end, 7 + codec.sizeOf(doc))
      t.ok([...target.subarray(0, 7), ...target.subarray(end)].every(byte => byte === 0xaa))
    }
    t.done()
  }
}
