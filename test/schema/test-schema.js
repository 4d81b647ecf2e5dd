'use strict'

// Schemas: the errors of invalid ones, and the effects of hostile ones.

const qbson = require('../../qbson')
const { decode, Decimal128, Long } = qbson
const { compile, writeModule, schemaOf } = require('../../lib/compile')
const { compileInterpreted, compileAhead } = require('../fixtures/compilers')
const { describe } = require('../fixtures/describe')
const { errorOf } = require('../fixtures/error-of')
const { some } = require('../fixtures/long')
const { outcome, told } = require('../fixtures/outcome')
const { ODD_KEYS } = require('../fixtures/random-document')

const messageOf = work => errorOf(work).message
const at = node => ({ properties: { a: node } })
const PLACE = 'schema at #/properties/a'

const circle = { properties: {} }
circle.properties.a = circle

let deep = {}
for (let i = 0; i < 101; i++) deep = { items: deep }

const wide = Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`f${i}`, { items: Array.from({ length: 100 }, () => ({})) }]))

const WRONG = [
  [null, 'schema at #: must be an object, not null'],
  [Promise.resolve({}), 'schema at #: must be an object, not a Promise (await it)'],
  [[], 'schema at #: must be an object, not an array'],
  [{ bsonType: 'array' }, 'schema at #: the schema of a document must allow objects'],
  [{ $ref: '#' }, 'schema at #: $ref leads back to itself'],
  [{ anyOf: [{ $ref: '#' }] }, 'schema at #: $ref leads back to itself'],
  [{ anyOf: [, {}] }, 'schema at #/anyOf/0: must be an object, not undefined'], // eslint-disable-line no-sparse-arrays
  [{ items: [, {}] }, 'schema at #/items/0: must be an object, not undefined'], // eslint-disable-line no-sparse-arrays
  [{ required: [, 'a'] }, 'schema at #/required: required must be a list of names'], // eslint-disable-line no-sparse-arrays
  [at({ enum: [, 1] }), `${PLACE}/enum: enum cannot hold undefined`], // eslint-disable-line no-sparse-arrays
  [{ dependencies: { a: { $ref: '#' } } }, 'schema at #: $ref leads back to itself'],
  [{ $ref: '#/definitions/a', definitions: { a: { $ref: '#/definitions/b' }, b: { $ref: '#/definitions/a' } } }, 'schema at #/definitions/a: $ref leads back to itself'],
  [circle, 'schema at #/properties/a: the schema contains itself: use $ref'],
  [{ properties: wide }, /^schema at #\/properties\/f\d+\/items\/\d+: the schema has more than 20000 places$/],
  [deep, /: the schema is nested deeper than 100 levels$/],
  [at(5), `${PLACE}: must be an object, not 5`],
  [at({ bsonType: 'text' }), `${PLACE}/bsonType: unknown type "text"`],
  [at({ type: 'integer' }), `${PLACE}/type: unknown type "integer" (for integers, bsonType is int or long)`],
  [at({ type: 'date' }), `${PLACE}/type: unknown type "date" (did you mean bsonType?)`],
  [at({ bsonType: 'ObjectID' }), `${PLACE}/bsonType: unknown type "ObjectID" (did you mean objectId?)`],
  [at({ property: {} }), `${PLACE}/property: the keyword property is not supported (did you mean properties?)`],
  [at({ bsonType: [] }), `${PLACE}/bsonType: the list of types is empty`],
  [at({ bsonType: 'int', type: 'number' }), `${PLACE}: bsonType and type cannot be combined`],
  [at({ 'a/b~': 1 }), `${PLACE}/a~1b~0: the keyword a/b~ is not supported`],
  [at({ $ref: 'other.json' }), `${PLACE}/$ref: only $ref to #/... is supported`],
  [at({ $ref: '#/definitions/b' }), `${PLACE}/$ref: #/definitions/b does not exist`],
  [at({ $ref: '#/%zz' }), `${PLACE}/$ref: %zz is not part of a JSON pointer`],
  [at({ $ref: '#', minimum: 1 }), `${PLACE}/minimum: minimum beside $ref is not supported`],
  [{ ...at({ $ref: '#/title' }), title: 'x' }, 'schema at #/title: must be an object, not "x"'],
  [at({ minimum: 'x' }), `${PLACE}/minimum: minimum must be a number`],
  [at({ exclusiveMaximum: 5 }), `${PLACE}/exclusiveMaximum: exclusiveMaximum has no effect without maximum`],
  [at({ minimum: null }), `${PLACE}/minimum: minimum must be a number`],
  [at({ maximum: 5, exclusiveMaximum: 5 }), `${PLACE}/exclusiveMaximum: exclusiveMaximum must be true or false`],
  [at({ minLength: -1 }), `${PLACE}/minLength: minLength must be a non-negative integer`],
  [at({ minItems: null }), `${PLACE}/minItems: minItems must be a non-negative integer`],
  [at({ maxProperties: Infinity }), `${PLACE}/maxProperties: maxProperties must be a non-negative integer`],
  [at({ maxItems: 1.5 }), `${PLACE}/maxItems: maxItems must be a non-negative integer`],
  [at({ pattern: 5 }), `${PLACE}/pattern: pattern must be a string`],
  [at({ pattern: '(' }), /^schema at #\/properties\/a\/pattern: invalid regular expression: /],
  [at({ not: [] }), `${PLACE}/not: must be an object, not an array`],
  [at({ uniqueItems: 1 }), `${PLACE}/uniqueItems: uniqueItems must be true or false`],
  [at({ multipleOf: 0 }), `${PLACE}/multipleOf: multipleOf must be a positive number`],
  [at({ patternProperties: { '(': {} } }), /^schema at #\/properties\/a\/patternProperties\/\(: invalid regular expression: /],
  [at({ dependencies: { b: [1] } }), `${PLACE}/dependencies/b: b must be a list of names`],
  [at({ enum: [undefined] }), `${PLACE}/enum: enum cannot hold undefined`],
  [at({ not: { $ref: '#/properties/a' } }), `${PLACE}: $ref leads back to itself`],
  [at({ enum: [] }), `${PLACE}/enum: enum must be a non-empty array`],
  [at({ required: null }), `${PLACE}/required: required must be a list of names`],
  [at({ required: 'a' }), `${PLACE}/required: required must be a list of names`],
  [at({ required: ['b'], additionalProperties: false }), `${PLACE}/required: "b" is required but not allowed`],
  [at({ properties: null }), `${PLACE}/properties: must be an object, not null`],
  [at({ properties: [] }), `${PLACE}/properties: must be an object, not an array`],
  [at({ properties: { 'x\0': {} } }), `${PLACE}/properties/x\0: "x\\u0000" cannot be the name of a field`],
  [at({ properties: { '\ud800': {} } }), `${PLACE}/properties/\ud800: "\\ud800" cannot be the name of a field`],
  [at({ additionalItems: false }), `${PLACE}/additionalItems: additionalItems has no effect unless items is a list`],
  [at({ allOf: {} }), `${PLACE}/allOf: allOf must be a list of schemas`],
  [at({ allOf: [{ bsonType: 'int' }, { bsonType: 'string' }] }), `${PLACE}: no type is allowed here`],
  [at({ allOf: [{ bsonType: 'long', as: 'long' }, { bsonType: 'long', as: 'long' }] }), `${PLACE}/allOf: long has two different values of as`],
  [at({ bsonType: 'int', as: 'bigint' }), `${PLACE}/as: as "bigint" fits no type that is allowed here`],
  [at({ allOf: [{ bsonType: 'long', as: 'long' }], as: 'bigint' }), `${PLACE}/as: long has two different values of as`]
]

const OPTIONS = [
  [{ layout: 'rows' }, "layout must be 'document' or 'array', not \"rows\""],
  [{ useBigint64: true }, 'compile has no option useBigint64 (did you mean useBigInt64?)'],
  [{ layout: 'array', upgrade: {} }, 'upgrade must be a list of schemas, not an object'],
  [{ upgrade: [{}] }, "upgrade needs the layout 'array'"],
  [{ layout: 'array' }, "schema at #: the layout 'array' needs properties, and no bsonType but 'object'"],
  [{ raw: true }, 'compiled codecs do not have the option raw'],
  [{ fieldsAsRaw: { a: true } }, 'compiled codecs do not have the option fieldsAsRaw'],
  [{ validation: { utf8: { a: true } } }, 'compiled codecs validate UTF-8 in all fields or in none']
]

const HOSTILE = [...new Set([...ODD_KEYS, '});process.exit(1);({', '`+process.exit(1)+`', "'+process.exit(1)+'", "\\'", '*/', '\n', 'a, b', 'a || b',
  '$ref', '$id', '$other', 'x'.repeat(500), 'constructor', 'hasOwnProperty', 'toBSON', 'v0', 'slow', 'buf', 'view.getInt32(x, true)', 'getInt32(buf, p)', 'break fields', 'cooldownOf', 'doc = { a: v0 }', 'n > 0 && v0', '$1', '${v0}'])].filter(name => !name.includes('\0'))

/** What a polluted prototype could contain: keywords of schemas, and names of fields inside a compiler. */
const POLLUTION = {
  $jsonSchema: { additionalProperties: false }, $ref: '#/properties/a', bsonType: 'string', type: 'string', as: 'bigint', enum: ['x'],
  minimum: 1e6, maximum: -1e6, exclusiveMinimum: true, exclusiveMaximum: true, minLength: 100, maxLength: 0, pattern: '^never$',
  properties: { evil: { bsonType: 'int' } }, required: ['evil'], additionalProperties: false, minProperties: 100, maxProperties: 0,
  items: { bsonType: 'bool' }, additionalItems: false, minItems: 100, maxItems: 0, allOf: [{ bsonType: 'string' }],
  anyOf: [{ bsonType: 'string' }], oneOf: [{ bsonType: 'string' }], not: {}, uniqueItems: true, multipleOf: 7, patternProperties: { a: { bsonType: 'bool' } }, dependencies: { a: ['nothing'] }, definitions: { a: 5 }, title: {},
  layout: 'rows', upgrade: [{}], useBigInt64: true, promoteBuffers: true, utf8: {}, bounds: false, descriptions: false,
  size: 1, least: 0, end: () => '0', wrong: () => 'true', throws: true, moves: true, isText: true, isExclusive: true,
  shape: null, list: null, rules: null, isOpen: true, isRequired: true, isPositional: true, isRoot: true, label: '7'
}

const MANY_KEYWORDS = {
  bsonType: 'object',
  required: ['a', 'z'],
  properties: {
    a: { minimum: 0, bsonType: ['int', 'double'] }, b: { maxLength: 5 }, c: { items: { $ref: '#/definitions/c' } }, d: {},
    e: { properties: {} }, f: { enum: ['x', null] }, g: { anyOf: [{ type: 'string' }, { bsonType: 'long', as: 'number' }] },
    h: { items: [{}, { bsonType: 'date' }] }, i: { minItems: 1 }, j: { minProperties: 1 }, k: { bsonType: 'binData' }, l: { pattern: 'x' }
  },
  definitions: { c: { bsonType: 'object', additionalProperties: { type: 'number' } } }
}

const MANY_VALUES = [
  { a: 5, b: 'x', c: [{ x: 1.5 }, {}], d: null, e: { x: 1 }, f: null, g: 5n, h: [1, new Date(0), 2], i: ['x'], j: { x: 1 }, k: Buffer.from('x'), z: 1 },
  { a: 1, z: [], l: 'x', other: { x: 1 } },
  { a: -1, z: 1 },
  { a: 'x', z: 1 },
  { a: 1 },
  { a: 1, z: 1, i: [] },
  { a: 1, z: 1, c: [{ x: 'x' }] }
]

/** The results for schemas, as text. */
function allOf(make) {
  return describe(['document', 'array'].map(layout => {
    const codec = make(MANY_KEYWORDS, { layout })
    return MANY_VALUES.map(doc => told(outcome(() => {
      const bytes = codec.encode(doc)
      return [bytes, codec.decode(bytes, { check: true })]
    })))
  }))
}

function withPolluted(name, work) {
  Object.prototype[name] = POLLUTION[name]
  try {
    return work()
  } finally {
    delete Object.prototype[name]
  }
}

module.exports = {
  'what is wrong with a schema is said with its place': t => {
    for (const [schema, message] of WRONG) {
      const said = messageOf(() => compile(schema))
      if (message instanceof RegExp) t.ok(message.test(said), said)
      else t.strictEqual(said, message)
    }
    for (const [options, message] of OPTIONS) t.ok(messageOf(() => compile({}, options)).startsWith(message))
    t.done()
  },

  'only own fields of a schema count, none from Object.prototype': t => {
    const makers = [compile, compileInterpreted, compileAhead]
    const work = {
      schema: () => makers.map(allOf),
      module: () => writeModule(MANY_KEYWORDS, {}, 'module'),
      bare: () => writeModule({}),
      wrong: () => WRONG.filter(([, message]) => typeof message === 'string').map(([schema]) => messageOf(() => compile(schema))),
      found: () => schemaOf(MANY_VALUES)
    }
    for (const [turn, [what, run]] of Object.entries(work).entries()) {
      const clean = told(outcome(run))
      for (const name of some(Object.keys(POLLUTION), turn)) t.strictEqual(withPolluted(name, () => told(outcome(run))), clean, `${what}: ${name}`)
    }
    t.done()
  },

  'a schema changes no other': t => {
    compile({})
    const codec = compile({ properties: { a: {} } })
    t.deepStrictEqual(codec.decode(codec.encode({ a: 1 })), { a: 1 })
    t.done()
  },

  'a validator, annotations, alternatives of one': t => {
    const codec = compile({ $jsonSchema: { title: 'x', description: 'y', anyOf: [{ bsonType: 'object' }], properties: { a: { allOf: [{ minimum: 1 }], anyOf: [{ minimum: 2 }], bsonType: 'int' } } } })
    t.deepStrictEqual(codec.decode(codec.encode({ a: 2 })), { a: 2 })
    t.strictEqual(messageOf(() => codec.encode({ a: 1 })), 'expected at least 2, found 1 (in field a)')
    const required = compile({ required: ['a', 'b'], properties: { b: {} }, additionalProperties: { bsonType: 'int' } })
    t.deepStrictEqual(required.decode(required.encode({ a: 1, b: 'x' })), { b: 'x', a: 1 })
    t.strictEqual(messageOf(() => required.encode({ b: 1, a: 'x' })), 'expected int, found string (in field a)')
    t.done()
  },

  'a number becomes the first type of the keyword that is first to name types': t => {
    const [decimal, long] = [{ bsonType: 'decimal' }, { bsonType: 'long' }]
    const cases = [
      [{ anyOf: [decimal, long] }, Decimal128], [{ minimum: 0, anyOf: [decimal, long] }, Decimal128],
      [{ minimum: 0, anyOf: [long, decimal] }, Long], [{ bsonType: ['long', 'decimal'], anyOf: [decimal, long] }, Long],
      [{ allOf: [{ minimum: 0 }, { anyOf: [decimal, long] }] }, Decimal128]
    ]
    for (const [node, Class] of cases) {
      const { a } = decode(compile(at(node)).encode({ a: 5 }), { promoteValues: false })
      t.ok(a instanceof Class, JSON.stringify(node))
    }
    t.done()
  },

  'hostile names and values stay what they are': t => {
    const schema = { bsonType: 'object', required: [], properties: {}, title: '*/ process.exit(1) //' }
    const doc = {}
    HOSTILE.forEach((name, i) => {
      const node = i % 2 ? { bsonType: ['int', 'null'] } : { enum: [name, 'other'] }
      Object.defineProperty(schema.properties, name, { value: node, enumerable: true })
      Object.defineProperty(doc, name, { value: i % 2 ? i : name, enumerable: true })
      if (i % 3 === 0) schema.required.push(name)
    })
    for (const name of HOSTILE) {
      const one = { bsonType: 'object', properties: { [name]: { bsonType: 'object', required: [name], properties: { [name]: { enum: [name] } } } } }
      for (const make of [compile, compileInterpreted, compileAhead]) {
        const inner = Object.fromEntries([[name, name]])
        const codec = make(one)
        const whole = Object.fromEntries([[name, name === 'toBSON' ? { x: 1 } : inner]])
        if (name !== 'toBSON') t.strictEqual(describe(codec.decode(codec.encode(whole))), describe(qbson.decode(qbson.encode(whole))))
      }
    }
    for (const make of [compile, compileInterpreted, compileAhead]) {
      const codec = make(schema)
      t.strictEqual(describe(codec.decode(codec.encode(doc), { check: true })), describe(qbson.decode(codec.encode(doc))))
    }
    t.strictEqual(({}).polluted, undefined)
    t.done()
  },

  'documents of many fields': t => {
    for (const [count, isOptional] of [[30, false], [70, true], [130, false], [150, true], [1100, false]]) {
      const names = Array.from({ length: count }, (_, i) => `field${i}`)
      const properties = Object.fromEntries(names.map((name, i) => [name, { bsonType: i % 3 ? 'int' : 'string' }]))
      const required = names.filter((_, i) => !isOptional || i % 5)
      const whole = Object.fromEntries(names.map((name, i) => [name, i % 3 ? i : name]))
      const part = Object.fromEntries(Object.entries(whole).filter(([name], i) => required.includes(name) || i % 2))
      for (const make of [compile, compileInterpreted, compileAhead]) {
        const codec = make({ properties, required })
        for (const doc of [whole, part, { more: 1, ...part }, { ...part, field7: 'wrong' }, {}]) {
          const bytes = qbson.encode(doc)
          t.strictEqual(describe(codec.decode(bytes)), describe(qbson.decode(bytes)))
          const isRight = required.every(name => name in doc) && doc.field7 !== 'wrong'
          if (!isRight) errorOf(() => codec.encode(doc))
          else t.strictEqual(codec.encode(doc).length, bytes.length)
        }
        t.strictEqual(messageOf(() => codec.encode({ ...whole, field5: 'x' })), 'expected int, found string (in field field5)')
      }
    }
    t.done()
  },

  'many optional fields': t => {
    const names = 'abcdef'.split('')
    const codec = compile({ required: ['z'], properties: { z: {}, ...Object.fromEntries(names.map(name => [name, { bsonType: 'int' }])), last: { bsonType: 'bool' } } })
    for (let bits = 0; bits < 64; bits++) {
      const doc = { z: 'any', ...Object.fromEntries(names.filter((_, i) => bits & (1 << i)).map((name, i) => [name, i])), last: true }
      t.strictEqual(describe(codec.decode(codec.encode(doc))), describe(doc))
    }
    t.done()
  },

  'the text of a module is the same on every run, for CommonJS and ES modules': t => {
    const schema = { properties: { "it's": { bsonType: 'int' }, deep: { default: () => 1, items: { enum: ['\u2028', "'", '"', '\\', 5] } } } }
    const { code, declarations } = writeModule(schema)
    t.deepStrictEqual(writeModule(schema), { code, declarations })
    t.ok(code.startsWith("'use strict'\n"))
    t.ok(!code.includes('\u2028') && !/default: \S/.test(code))
    const esm = writeModule({ $jsonSchema: schema }, { useBigInt64: true }, 'module').code
    t.ok(/^import \{[^]*\} from 'qbson\/compile\/runtime'$/m.test(esm) && esm.includes('export { encode, encodeInto, sizeOf, decode, validate }'))
    t.ok(esm.includes('const options = { useBigInt64: true }'))
    t.done()
  }
}
