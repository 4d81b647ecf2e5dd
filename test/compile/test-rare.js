'use strict'

// Rare cases: no code generation, long arrays, large documents, odd names of items, unions of all kinds.

const assert = require('node:assert/strict')
const path = require('node:path')
const { execFileSync } = require('node:child_process')
const qbson = require('../../qbson')
const codegen = require('../../lib/codegen')
const { compile, writeModule } = require('../../lib/compile')
const { compileInterpreted, compileAhead } = require('../fixtures/compilers')
const { describe } = require('../fixtures/describe')
const { errorOf } = require('../fixtures/error-of')

const { Long, Decimal128, Binary } = qbson

const list = items => ({ properties: { a: { bsonType: 'array', items } } })

module.exports = {
  'codecs work without TextEncoder': t => {
    const code = `delete globalThis.TextEncoder
      const { compile } = require(${JSON.stringify(path.join(__dirname, '..', '..', 'lib', 'compile'))})
      const schema = { bsonType: 'object', properties: { 'é': { bsonType: 'int' } }, required: ['é'] }
      for (const layout of ['array', 'document']) {
        const codec = compile(schema, { layout })
        console.log(codec.decode(codec.encode({ 'é': 1 }))['é'])
      }`
    t.strictEqual(execFileSync(process.execPath, ['-e', code], { encoding: 'utf8' }), '1\n1\n')
    t.done()
  },

  'where no code can be made the schema is interpreted': t => {
    const { canCompile } = codegen
    codegen.canCompile = false
    try {
      const codec = compile(list({ bsonType: 'int' }))
      t.strictEqual(codec.isCompiled, false)
      t.deepStrictEqual(codec.decode(codec.encode({ a: [1, 2] })), { a: [1, 2] })
    } finally {
      codegen.canCompile = canCompile
    }
    t.strictEqual(compile({}).isCompiled, true)
    t.done()
  },

  'a setter that was put on the prototype of all objects later gets no value': t => {
    const names = Array.from({ length: 40 }, (_, i) => `late${i}`)
    const codec = compile({ properties: Object.fromEntries(names.map(name => [name, { bsonType: 'int' }])) })
    const doc = Object.fromEntries(names.slice(1).map((name, i) => [name, i]))
    const bytes = codec.encode(doc)
    t.deepStrictEqual(codec.decode(bytes), doc)
    let met = 0
    for (const name of names) Object.defineProperty(Object.prototype, name, { set() { met++ }, configurable: true })
    try {
      // like `decode`, it checks the prototype after so many bytes
      for (let i = 0; i < 5000 && (i === 0 || met > 0); i++) {
        met = 0
        codec.decode(bytes)
      }
      t.strictEqual(met, 0)
      t.deepStrictEqual(Object.keys(codec.decode(bytes)), names.slice(1))
      t.strictEqual(met, 0)
    } finally {
      for (const name of names) delete Object.prototype[name]
    }
    t.done()
  },

  'a toBSON that answers with a number is asked once': t => {
    let asked = 0
    const value = { toBSON: () => ++asked }
    const codec = compile({ properties: { a: { bsonType: ['double'] }, b: { bsonType: 'array', items: { bsonType: 'double' } } } })
    t.ok(codec.encode({ a: value, b: [value] }).equals(qbson.encode({ a: new qbson.Double(1), b: [new qbson.Double(2)] })))
    t.strictEqual(asked, 2)
    t.done()
  },

  'long arrays, large documents': t => {
    const codec = compile(list({ bsonType: ['int', 'string', 'double'] }))
    const doc = { a: Array.from({ length: 1300 }, (_, i) => (i % 3 ? i : `text number ${i} é`.slice(0, i % 40))) }
    const bytes = codec.encode(doc)
    t.ok(bytes.equals(qbson.encode(doc)))
    t.deepStrictEqual(codec.decode(bytes), doc)
    const memory = new ArrayBuffer(bytes.length, { maxByteLength: bytes.length * 2 })
    new Uint8Array(memory).set(bytes)
    t.deepStrictEqual(codec.decode(new Uint8Array(memory)), doc)
    t.done()
  },

  'what comes after a value that took more memory than there was': t => {
    const text = { bsonType: 'string' }
    const first = {
      document: [{ bsonType: 'object', properties: { text } }, text => ({ text })],
      array: [{ bsonType: 'array', items: text }, text => [text]],
      binary: [{ bsonType: 'binData' }, text => new Binary(Buffer.from(text))]
    }
    for (const [name, [node, make]] of Object.entries(first)) {
      const codec = compile({ bsonType: 'object', properties: { first: node, n: { bsonType: 'int' }, d: { bsonType: 'date' } } })
      for (let length = 1; length < 1e6; length *= 3) {
        const doc = { first: make('x'.repeat(length)), n: 5, d: new Date(length) }
        t.ok(codec.encode(doc).equals(qbson.encode(doc)), `${name} of ${length} bytes`)
      }
    }
    t.done()
  },

  'strings of an enum are constants, and others are what they were': t => {
    const texts = ['', 'a', 'ab', 'abc', 'abcd', 'é', '日本', 'x'.repeat(64)]
    const item = { bsonType: ['string', 'int'], enum: [...texts, 7] }
    const schema = { bsonType: 'object', properties: { one: item, many: { bsonType: 'array', items: item }, last: { bsonType: 'string', enum: ['z'] } } }
    for (const layout of ['document', 'array']) {
      const codec = compile(schema, { layout })
      for (const one of texts) {
        const doc = { one, many: [...texts, 7, ...texts], last: 'z' }
        const bytes = codec.encode(doc)
        if (layout === 'document') t.ok(bytes.equals(qbson.encode(doc)))
        t.deepStrictEqual(codec.decode(bytes, { check: true }), doc)
      }
      for (const one of ['y', 'abcD', 'x'.repeat(63), 'x'.repeat(65), '\ud800']) {
        const doc = { one, many: [one], last: one }
        assert.match(errorOf(() => codec.encode(doc)).message, /expected one of/)
        const bytes = codec.encode(doc, { check: false })
        t.deepStrictEqual(codec.decode(bytes), one === '\ud800' ? { one: '\ufffd', many: ['\ufffd'], last: '\ufffd' } : doc)
        assert.match(errorOf(() => codec.decode(bytes, { check: true })).message, /expected one of/)
      }
    }
    for (const text of ['\ud800', 'x'.repeat(65)]) {
      const codec = compile({ properties: { a: { bsonType: 'string', enum: [text] } } })
      t.deepStrictEqual(codec.decode(codec.encode({ a: text })), { a: text === '\ud800' ? '\ufffd' : text })
    }
    t.done()
  },

  'short texts beyond ASCII, and bytes that are not UTF-8': t => {
    const codec = compile({ properties: { a: { bsonType: 'string' } } })
    const decoded = (decode, bytes) => {
      try {
        return decode(bytes).a
      } catch (error) {
        return error.message
      }
    }
    for (const odd of ['é', '\x7f\x80', '\u07ff', '日', '😀', 'éé', 'é1é', [0xc3], [0xc1, 0x80], [0xc3, 0x28], [0x80], [0xe2, 0x82]]) {
      const middle = Buffer.from(/** @type {any} */ (odd))
      for (let before = 0; before < 12; before++) {
        for (const after of [0, 1, 5]) {
          const bytes = qbson.encode({ a: 'x'.repeat(before + middle.length + after) })
          middle.copy(bytes, 11 + before)
          t.strictEqual(decoded(codec.decode, bytes), decoded(qbson.decode, bytes))
        }
      }
    }
    t.done()
  },

  'items with any names': t => {
    const codec = compile(list({ bsonType: 'int' }))
    for (const name of ['', 'a', 'ab', 'abc', 'abcd', '12345']) {
      for (const count of [1, 12, 102]) {
        const items = Buffer.concat(Array.from({ length: count }, (_, i) => Buffer.concat([
          Buffer.from([16]), Buffer.from(name), Buffer.from([0, i, 0, 0, 0])
        ])))
        const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from('\x04a\0'), Buffer.alloc(4), items, Buffer.alloc(2)])
        bytes.writeInt32LE(bytes.length)
        bytes.writeInt32LE(items.length + 5, 7)
        t.deepStrictEqual(codec.decode(bytes), { a: Array.from({ length: count }, (_, i) => i) })
      }
    }
    t.done()
  },

  'the shortest names with the shortest values leave the bytes before them as they are': t => {
    for (const name of ['', 'b', 'bc', 'bcd']) {
      for (const [bsonType, value] of [['null', null], ['minKey', new qbson.MinKey()], ['bool', true], ['int', 5]]) {
        const codec = compile({ properties: { a: { bsonType: 'long' }, [name]: { bsonType }, z: { bsonType: 'int' } } })
        const doc = { a: qbson.Long.fromNumber(-7), [name]: value, z: 1 }
        t.ok(codec.encode(doc).equals(qbson.encode(doc)), `"${name}" ${bsonType}`)
      }
    }
    t.done()
  },

  'options are own fields, and may be null or missing': t => {
    const schema = { properties: { a: { bsonType: 'int', maximum: 5 } } }
    for (const codec of [compile(schema), compileInterpreted(schema)]) {
      const bytes = codec.encode({ a: 3 }, null)
      const large = codec.encode({ a: 9 }, { check: false })
      t.deepStrictEqual([codec.decode(bytes, null), codec.validate(bytes, null)], [{ a: 3 }, 12])
      const polluted = /** @type {any} */ (Object.prototype)
      try {
        Object.assign(polluted, { index: 3, check: true, allowObjectSmallerThanBufferSize: true })
        t.deepStrictEqual([codec.decode(bytes, {}), codec.decode(large, {}), codec.validate(bytes, {})], [{ a: 3 }, { a: 9 }, 12])
        polluted.check = false
        t.strictEqual(errorOf(() => codec.encode({ a: 9 }, {})).message, 'expected at most 5, found 9 (in field a)')
        t.throws(() => codec.decode(Buffer.concat([bytes, bytes]), {}), /must === bson size/)
      } finally {
        for (const name of ['index', 'check', 'allowObjectSmallerThanBufferSize']) delete polluted[name]
      }
    }
    t.done()
  },

  'documents and lists where anything else is allowed too': t => {
    const schema = { properties: { a: { properties: { n: { bsonType: 'long', as: 'bigint' } }, items: { bsonType: 'long', as: 'bigint' }, minimum: 5 } } }
    for (const make of [compile, compileInterpreted]) {
      const codec = make(schema)
      for (const [value, back] of [[{ n: 1 }, { n: 1n }], [[1, 2n], [1n, 2n]], [7, 7], ['x', 'x'], [new Binary(Buffer.from('x')), undefined]]) {
        const { a } = codec.decode(codec.encode({ a: value }), { check: true })
        if (back !== undefined) t.strictEqual(describe(a), describe(back))
      }
      t.strictEqual(errorOf(() => codec.encode({ a: 4 })).message, 'expected at least 5, found 4 (in field a)')
      t.ok(codec.decode(Buffer.from('0800000006610000', 'hex')) !== undefined)
    }
    t.done()
  },

  'the title, or the field, names an interface of the declarations': t => {
    const nameOf = title => /interface (\w+)/.exec(writeModule({ title, properties: { a: { bsonType: 'int' } } }).declarations)[1]
    t.deepStrictEqual(['customer order', 'a-b_c 3d', 'Date', '1any', '\u00e9', undefined].map(nameOf), ['CustomerOrder', 'ABC3d', 'DateDocument', 'Any', 'Document', 'Document'])
    const inner = { bsonType: 'object', properties: { n: { bsonType: ['int', 'long', 'double'] } } }
    const properties = { home_address: inner, date: inner, lines: { bsonType: 'array', items: inner }, '\u00e9': inner, date_document: inner }
    const { declarations } = writeModule({ properties })
    t.deepStrictEqual([...declarations.matchAll(/interface (\w+)|: (Array<.*|number.*)/g)].map(([, name, type]) => name ?? type), [
      'HomeAddress', 'number | Long', 'DateDocument', 'number | Long', 'Lines', 'number | Long', 'Document1', 'number | Long',
      'DateDocument1', 'number | Long', 'Document', 'Array<Lines>'
    ])
    t.done()
  },

  'a module without options, whichever way that is said': t => {
    const bytes = qbson.encode({ a: [1] })
    for (const options of [undefined, null, {}]) t.deepStrictEqual(compileAhead(list({}), options).decode(bytes), { a: [1] })
    t.done()
  },

  'a getter that deletes a later field': t => {
    class Own {}
    const make = object => Object.defineProperty(object, 'a', { enumerable: true, get() { delete this.b; return 1 } })
    for (const codec of [compile, compileInterpreted].map(each => each({ properties: { a: { bsonType: 'int' }, b: { bsonType: 'int' } } }))) {
      for (const empty of [() => ({}), () => new Own()]) {
        const doc = Object.assign(make(empty()), { b: 2 })
        t.deepStrictEqual(codec.encode(doc), qbson.encode({ a: 1 }))
      }
    }
    t.done()
  },

  'fields that a Map or an instance of a class lacks': t => {
    const codec = compile({ required: ['a', 'b'], properties: { a: {}, b: {} } })
    const wrong = [[new Map([['x', 1], ['y', 2]]), 'a'], [Object.assign(new (class {})(), { x: 1, y: 2, z: 3 }), 'a'], [new Map([['a', 1], ['x', 2]]), 'b']]
    for (const [doc, path] of wrong) {
      const { message, path: where } = errorOf(() => codec.encode(doc))
      t.deepStrictEqual([message, where], [`the field is missing (in field ${path})`, path])
    }
    t.done()
  },

  'allOf, and forms of what is decoded': t => {
    const codec = compile({
      allOf: [{ required: ['l'] }, { minimum: 1 }, { bsonType: ['object', 'int'] }],
      type: 'object'
    })
    t.deepStrictEqual(codec.decode(codec.encode({ l: 1 })), { l: 1 })
    const schema = { properties: { l: { bsonType: 'long' }, b: { bsonType: 'binData', as: 'buffer' }, open: { items: {} }, m: {
      bsonType: 'object', additionalProperties: { bsonType: 'long', as: 'long' } } } }
    const { declarations } = writeModule(schema, { useBigInt64: true, promoteBuffers: false })
    t.ok(declarations.includes('l?: bigint') && declarations.includes('b?: Uint8Array') && declarations.includes('[key: string]: Long'))
    t.ok(writeModule({ properties: { b: { bsonType: 'binData' }, l: { bsonType: 'long' } } }, { promoteLongs: false, promoteBuffers: true })
      .declarations.includes('l?: Long'))
    const boxed = { properties: { i: { bsonType: 'int' }, d: { bsonType: 'double' }, s: { bsonType: 'symbol' }, r: { bsonType: 'regex' } } }
    const lines = writeModule(boxed, { promoteValues: false, bsonRegExp: true }).declarations.split('\n').map(line => line.trim())
    t.deepStrictEqual(lines.filter(line => line.includes('?:')), ['i?: Int32', 'd?: Double', 's?: BSONSymbol', 'r?: BSONRegExp'])
    t.strictEqual(lines[2], "import type { Int32, Double, BSONRegExp, BSONSymbol } from 'qbson'")
    t.ok(writeModule({ properties: { a: { bsonType: 'array', items: [{}], additionalItems: false } } }).declarations.includes('a?: any[]'))
    t.done()
  },

  'the declarations say where a document may be a DBRef': t => {
    const typeOf = (names, required) => {
      const properties = Object.fromEntries(names.map(name => [name, {}]))
      const inner = { bsonType: 'object', title: 'link', properties, required }
      return /to\?: (.*)/.exec(writeModule({ properties: { to: inner } }).declarations)[1]
    }
    t.strictEqual(typeOf(['$ref', '$id', '$db', 'x'], ['$ref']), 'Link | DBRef')
    t.strictEqual(typeOf(['$ref', '$id', '$x'], ['$ref']), 'Link | DBRef')
    t.strictEqual(typeOf(['$ref', '$id', '$x'], ['$x']), 'Link')
    t.strictEqual(typeOf(['$ref', 'x'], ['$ref']), 'Link')
    t.ok(writeModule({ properties: { $ref: {}, $id: {} } }).declarations.includes("decode: Codec<Document | DBRef>['decode']"))
    t.done()
  },

  'references stay references where a field has a form of its own, whether code can be made or not': t => {
    const schema = { properties: { in: { bsonType: 'object', properties: { $ref: {}, $id: { bsonType: 'long', as: 'bigint' }, n: { bsonType: 'long', as: 'bigint' } } } } }
    const docs = [{ $ref: 'c', $id: Long.fromNumber(5) }, { $ref: 'c', $id: Long.fromNumber(5), n: 1 }, { $id: Long.fromNumber(5), n: Long.fromNumber(6) }, { n: 1 }, {}]
    for (const [i, doc] of docs.entries()) {
      for (const codec of [compile(schema), compileInterpreted(schema)]) {
        const { in: read } = codec.decode(qbson.encode({ in: doc }))
        t.strictEqual(read instanceof qbson.DBRef, i < 2, describe(read))
        if (i < 2) t.strictEqual(read.oid, 5n)
      }
    }
    t.done()
  },

  'a plain number as a decimal has all its digits': t => {
    const codec = compile({ properties: { n: { bsonType: 'decimal', minimum: 2 ** 60, maximum: 2 ** 60 } } })
    t.strictEqual(codec.decode(codec.encode({ n: 2 ** 60 })).n.toString(), '1152921504606846976')
    t.done()
  },

  'numbers of all classes are compared exactly': t => {
    const codec = compile({ properties: { n: { bsonType: 'number', minimum: -1.5, maximum: 2 ** 53 } } })
    for (const value of [Long.fromString('9007199254740993'), Decimal128.fromString('-1.51'), Decimal128.fromString('Infinity')]) {
      t.ok(errorOf(() => codec.encode({ n: value })).message.startsWith('expected at '))
    }
    for (const value of [Long.fromString('9007199254740992'), Decimal128.fromString('-1.50'), new qbson.Double(3), new qbson.Int32(3), 7n]) {
      t.strictEqual(codec.validate(codec.encode({ n: value })), codec.sizeOf({ n: value }))
    }
    t.done()
  },

  'arrays in arrays, deep ones; what is wrong in fields beyond the schema': t => {
    const schema = { properties: { a: { $ref: '#/definitions/list' } }, definitions: { list: { bsonType: 'array', items: { $ref: '#/definitions/list' } } } }
    let a = []
    for (let i = 0; i < 300; i++) a = [a]
    for (const make of [compile, compileInterpreted]) {
      const codec = make(schema)
      t.ok(codec.encode({ a }).equals(qbson.encode({ a })))
      t.strictEqual(describe(codec.decode(codec.encode({ a }), { check: true })), describe({ a }))
      t.strictEqual(errorOf(() => codec.encode({ b: new Date(NaN) })).message, 'Invalid Date cannot be serialized (in field b)')
    }
    t.ok(writeModule(schema).declarations.includes('a?: Array<any[]>'))
    t.done()
  },

  'the fingerprint is of what is required, of other fields and of lists, too': t => {
    const int = { bsonType: 'int' }
    const base = { bsonType: 'object', properties: { a: int, l: { bsonType: 'array', items: int } } }
    const others = [
      { ...base, required: ['a'] },
      { ...base, additionalProperties: false },
      { ...base, properties: { ...base.properties, l: { bsonType: 'array', items: [int] } } }
    ]
    for (const other of others) {
      const bytes = compile(other, { layout: 'array' }).encode({ a: 1 })
      t.ok(errorOf(() => compile(base, { layout: 'array' }).decode(bytes)).message.startsWith('written with schema '))
    }
    const bytes = compile({ ...base, title: 'x', maxProperties: 9 }, { layout: 'array' }).encode({ a: 1 })
    t.deepStrictEqual(compile(base, { layout: 'array' }).decode(bytes), { a: 1 })
    t.done()
  },

  'levels are counted from the root, also in values that the schema leaves open': t => {
    const three = qbson.encode({ a: { b: { c: 1 } } })
    const four = qbson.encode({ a: { b: { c: { d: 1 } } } })
    for (const make of [compile, compileInterpreted]) {
      const codec = make({ properties: { a: { bsonType: 'object', properties: { b: {} } } } }, { maxDepth: 3 })
      t.deepStrictEqual(codec.decode(three), qbson.decode(three))
      t.ok(errorOf(() => codec.decode(four)).message.startsWith('document is nested deeper than 3 levels'))
    }
    t.done()
  },

  'items of any names, whatever bytes follow them': t => {
    const names = ['0', '00', '000', '', '12345']
    const items = Array.from({ length: 240 }, (_, i) => {
      return Buffer.concat([Buffer.from(`\x10${names[i % 5]}\0`), Buffer.of(0, i % 3, 0, i % 2)])
    })
    const list = Buffer.concat(items)
    const doc = Buffer.concat([Buffer.alloc(4), Buffer.from('\x04a\0'), Buffer.alloc(4), list, Buffer.alloc(2)])
    doc.writeInt32LE(doc.length)
    doc.writeInt32LE(list.length + 5, 7)
    for (const bsonType of ['int', ['int', 'string']]) {
      t.deepStrictEqual(compile({ properties: { a: { bsonType: 'array', items: { bsonType } } } }).decode(doc), qbson.decode(doc))
    }
    t.done()
  }
}
