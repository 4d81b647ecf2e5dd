'use strict'

// columns(): the values of documents, column by column, always compared with those of `decode`.

const { encode, decode, ObjectId, Long, Int32, Double, Decimal128, Binary, UUID, Timestamp, MinKey, MaxKey, Code, BSONSymbol, DBRef,
  BSONRegExp, BSONError } = require('../../qbson')
const { columns, Table } = require('../../lib/columns')
const { Memory } = require('../../lib/columns/layout/memory')
const { check, told } = require('../fixtures/columns')
const { errorOf } = require('../fixtures/error-of')
const { requireWithoutBuffer } = require('../without-buffer')

/** @param {any[]} values of a field `a`; undefined leaves it out */
function typeOf(...values) {
  return check(values.map(a => (a === undefined ? {} : { a }))).columns.a.type
}

const together = documents => Buffer.concat(documents.map(document => encode(document)))

module.exports = {
  'typed arrays in the layout of Arrow': t => {
    const table = check([
      { i: 1, d: 1.5, s: 'one', b: true, t: new Date(5), l: Long.fromNumber(2 ** 40) },
      { i: -2, d: -0, s: '', b: false, t: new Date(-1), l: Long.fromNumber(-1) },
      { i: 3, d: NaN, s: 'ü😀', b: true, t: new Date(NaN), l: Long.fromString('9223372036854775807') }
    ].map(doc => ({ ...doc, d: new Double(doc.d), i: new Int32(doc.i), t: Number.isNaN(doc.t.getTime()) ? new Date(8.64e15) : doc.t })))
    const { i, d, s, b, t: time, l } = table.columns
    t.deepStrictEqual(i.values, Int32Array.of(1, -2, 3))
    t.deepStrictEqual(d.values, Float64Array.of(1.5, -0, NaN))
    t.deepStrictEqual(l.values, BigInt64Array.of(2n ** 40n, -1n, 2n ** 63n - 1n))
    t.deepStrictEqual(time.values, BigInt64Array.of(5n, -1n, 8640000000000000n))
    t.deepStrictEqual([...s.offsets], [0, 3, 3, 9])
    t.strictEqual(Buffer.from(s.values).toString(), 'oneü😀')
    t.deepStrictEqual([...b.values], [0b101])
    t.strictEqual(table.rows, 3)
    t.ok(table instanceof Table)
    t.done()
  },

  'rows without a value have no bit; those that say null are told from those that say nothing': t => {
    const { a } = check([{ a: 1 }, {}, { a: null }, { a: 4 }, {}]).columns
    t.deepStrictEqual([...a.validity], [0b01001])
    t.strictEqual(a.nullCount, 3)
    t.deepStrictEqual([...a.values], [1, 0, 0, 4, 0])
    t.deepStrictEqual(a.toArray(), [1, undefined, null, 4, undefined])
    t.strictEqual(a.get(5), undefined)
    t.strictEqual(a.get(-1), undefined)
    t.done()
  },

  'a type a column, widened where every value stays the same': t => {
    const long = Long.fromString('9007199254740993')
    const rows = [
      ['null', undefined, null], ['int32', 1, null], ['int64', 1, Long.fromNumber(2)], ['double', 1, 1.5], ['double', Long.fromNumber(5), 0.5],
      ['double', 1, Long.fromNumber(5), 0.5], ['json', long, 0.5], ['int64', long, 1], ['string', 'a', undefined], ['json', 'a', 1],
      ['date', new Date(1)], ['json', new Date(1), 1], ['bool', true, false], ['json', true, 1], ['objectId', new ObjectId()],
      ['decimal128', Decimal128.fromString('1')], ['json', Decimal128.fromString('1'), 1], ['uuid', new UUID(), null],
      ['binary', new Binary(Buffer.from('a'), 5)], ['binary', new UUID(), new Binary(Buffer.from('a'))], ['timestamp', new Timestamp({ t: 1, i: 2 })],
      ['regex', /a+/i, new BSONRegExp('b', 'l')], ['json', new MinKey(), new MaxKey()], ['json', new Code('f()')], ['json', new BSONSymbol('s')],
      ['list', [1, 2], []], ['list', []], ['json', [1], 1], ['struct', { b: 1 }, { c: 2 }], ['json', {}], ['json', { b: 1 }, [1]]
    ]
    for (const [expected, ...values] of rows) t.strictEqual(typeOf(...values), expected, told(values))
    t.done()
  },

  'lists and documents have children': t => {
    const { list, doc, nested } = check([
      { list: [1, 2], doc: { a: { b: 1 } }, nested: [[1], []] },
      { list: [], doc: {} },
      { list: [null, 3], doc: { a: {} }, nested: [null, [2, 3]] },
      { doc: null }
    ]).columns
    t.deepStrictEqual([...list.offsets], [0, 2, 2, 4, 4])
    t.deepStrictEqual([...list.children.item], [1, 2, null, 3])
    t.strictEqual(doc.children.a.children.b.get(0), 1)
    t.strictEqual(nested.children.item.children.item.length, 3)
    t.done()
  },

  'binary values have a subtype, or each its own': t => {
    const [one, two] = [new Binary(Buffer.from('a'), 5), new Binary(Buffer.from('bc'), 0)]
    t.strictEqual(check([{ a: one }, { a: one }]).columns.a.subtype, 5)
    const { a } = check([{ a: one }, {}, { a: two }, { a: new UUID() }, { a: new Binary(Buffer.from('old'), 2) }]).columns
    t.strictEqual(a.subtype, null)
    t.deepStrictEqual([...a.subtypes], [5, 0, 0, 4, 2])
    t.done()
  },

  'mixedTypes are Extended JSON, or an error that names the field': t => {
    const documents = [{ a: { b: 1 } }, { a: { b: 'x' } }, { a: { b: { c: [Long.fromString('9007199254740993')] } } }, { a: {} }, { a: { b: null } }]
    const { b } = check(documents).columns.a.children
    t.strictEqual(Buffer.from(b.values).toString(), '1"x"{"c":[9007199254740993]}')
    t.deepStrictEqual([...b.offsets], [0, 1, 4, 28, 28, 28])
    const error = errorOf(() => columns(together(documents), { mixedTypes: 'error' }))
    t.ok(error instanceof BSONError)
    t.strictEqual(error.message, 'values of different types: string, object, int (in field a.b)')
    const numbers = together([{ a: Long.fromString('9007199254740993') }, { a: 0.5 }])
    t.strictEqual(errorOf(() => columns(numbers, { mixedTypes: 'error' })).message, 'values of different types: double, long (in field a)')
    for (const [docs, path] of [[[{ a: { b: [1, ['x', 2]] } }, { a: { b: [[{ c: 1 }, { c: 'x' }]] } }], 'a.b[]'], [[{ a: [{ b: 1 }, { b: true }] }], 'a[].b']]) {
      t.strictEqual(errorOf(() => columns(docs.map(doc => encode(doc)), { mixedTypes: 'error' })).path, path)
    }
    t.done()
  },

  'documents with dynamic keys are maps': t => {
    const ids = Array.from({ length: 40 }, () => new ObjectId().toHexString())
    const { byId, few } = check(ids.map((id, i) => ({ byId: { [id]: { n: i } }, few: { x: i } }))).columns
    t.strictEqual(byId.type, 'map')
    t.strictEqual(byId.children.key.length, 40)
    t.strictEqual(byId.children.value.children.n.get(39), 39)
    t.strictEqual(few.type, 'struct')
    t.strictEqual(check([{ a: Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`name ${i}`, i])) }]).columns.a.type, 'map')
    t.done()
  },

  'a DBRef, a document that only looks like one, names that objects inherit': t => {
    check([{ a: new DBRef('c', new ObjectId()) }, { a: new DBRef('c', 5, 'db', { x: 1 }) }, { a: { $ref: 'c', $id: null } }])
    check([{ ['__proto__']: 1, constructor: { toString: 2 } }, { ['__proto__']: 3 }])
    t.done()
  },

  'some of the fields': t => {
    const documents = [{ a: 1, b: { c: 2, d: 3 }, 'b.c': 4, l: [{ x: 1, y: 2 }] }, { a: 'text', b: { c: 5 } }]
    const bytes = together(documents)
    const names = fields => told(columns(bytes, { fields }).toArray())
    t.strictEqual(names(['b.c', 'none']), told([{ b: { c: 2 } }, { b: { c: 5 } }]))
    t.strictEqual(names([['b.c']]), told([{ 'b.c': 4 }, {}]))
    t.strictEqual(names(['l.x']), told([{ l: [{ x: 1 }] }, {}]))
    t.strictEqual(names(['b', 'b.c']), told([{ b: { c: 2, d: 3 } }, { b: { c: 5 } }]))
    t.strictEqual(names([]), told([{}, {}]))
    t.strictEqual(columns(bytes, { fields: ['none'] }).columns.none.type, 'null')
    t.strictEqual(columns(encode({ '\ud800': 1 }), { fields: ['\ud800'] }).columns['\ufffd'].type, 'int32', 'as encode writes it')
    t.deepStrictEqual(columns(bytes, { fields: ['b.c'] }).report.mismatches, [])
    for (const fields of ['a', [1], [[]], [[1]]]) t.ok(errorOf(() => columns(bytes, { fields })) instanceof BSONError)
    t.done()
  },

  'a $jsonSchema says which columns there are; what does not fit is counted': t => {
    const schema = {
      bsonType: 'object',
      properties: { a: { bsonType: 'int' }, b: { bsonType: ['double', 'null'] }, m: { bsonType: 'object', additionalProperties: { bsonType: 'long' } },
        l: { bsonType: 'array', items: { bsonType: 'string' } }, any: {}, never: { bsonType: 'date' } }
    }
    const documents = [{ a: 1, b: 2, m: { x: 1 }, l: ['x'], any: 1 }, { a: 2 ** 40, b: 'no', l: ['y', 5], any: 'x' }, { a: 'no', c: 1 }, { a: Long.fromNumber(7), c: 2 }]
    const table = columns(together(documents), { schema })
    const { a, b, l, any, never } = table.columns
    t.deepStrictEqual([a, b, l, any, never].map(column => column.type), ['int32', 'double', 'list', 'json', 'date'])
    t.deepStrictEqual(a.toArray(), [1, undefined, undefined, 7])
    t.deepStrictEqual(l.toArray(), [['x'], ['y', undefined], undefined, undefined])
    const second = encode(documents[0]).length
    const third = second + encode(documents[1]).length
    t.deepStrictEqual(table.report.mismatches.map(({ path, type, column, count, document }) => [path, type, column, count, document]), [
      ['c', 'int', null, 2, 3], ['a', 'double', 'int32', 1, 2], ['a', 'string', 'int32', 1, 3], ['b', 'string', 'double', 1, 2], ['l[]', 'int', 'string', 1, 2]
    ])
    t.strictEqual(table.report.mismatches[1].offset, second + 4)
    t.strictEqual(table.report.mismatches[0].offset, third + encode({ a: 'no' }).length - 1)
    t.done()
  },

  'a column of each type takes what fits exactly, and reports the rest': t => {
    const values = {
      bool: true, int: new Int32(5), long: Long.fromString('9007199254740993'), double: new Double(0.5), date: new Date(5), string: 'text',
      objectId: new ObjectId(), decimal: Decimal128.fromString('1.5'), timestamp: new Timestamp({ t: 1, i: 2 }), regex: new BSONRegExp('a', 'i'),
      binData: new Binary(Buffer.from('ab'), 5), object: { x: 1 }, array: [1]
    }
    const numbers = [new Double(7), new Int32(7), Long.fromNumber(7), new Double(2 ** 40), Long.fromNumber(2 ** 53), new Double(-0),
      new Double(NaN)]
    const fits = { int: [0, 1, 2], long: [0, 1, 2, 3, 4], double: [0, 1, 2, 3, 4, 5, 6] }
    const more = { object: { properties: { x: { bsonType: 'int' } } }, array: { items: { bsonType: 'int' } } }
    for (const bsonType of Object.keys(values)) {
      const schema = { properties: { a: { bsonType, ...more[bsonType] } } }
      for (const [type, value] of Object.entries(values)) {
        const bytes = encode({ a: value })
        const { columns: { a }, report } = columns(bytes, { schema })
        const isExact = type === bsonType || (bsonType === 'long' && type === 'int') || (bsonType === 'double' && type === 'int')
        t.strictEqual(told(a.get(0)), told(isExact ? decode(bytes).a : undefined), `${type} in ${bsonType}`)
        t.deepStrictEqual(report.mismatches.map(({ path, type: met, count }) => [path, met, count]), isExact ? [] : [['a', type, 1]])
      }
      numbers.forEach((value, i) => {
        const { a } = columns(encode({ a: value }), { schema }).columns
        t.strictEqual(a.nullCount, fits[bsonType]?.includes(i) ? 0 : 1, `${value} in ${bsonType}`)
        if (a.nullCount === 0) t.ok(Object.is(Number(a.values[0]), Number(value)), `${value} in ${bsonType}`)
      })
    }
    for (const [type, value] of Object.entries(values)) { // in a column of decimals and other numbers
      const { columns: { a }, report } = columns(encode({ a: value }), { schema: { properties: { a: { bsonType: 'number' } } }, decimals: 'double' })
      const isMet = ['int', 'long', 'double', 'decimal'].includes(type)
      t.deepStrictEqual([a.nullCount, report.mismatches.map(({ type: met }) => met)], isMet ? [0, []] : [1, [type]])
      const mixed = columns(together([{ a: values.decimal }, { a: value }]), { decimals: 'double' }).columns.a
      t.strictEqual(mixed.type === 'json', !isMet, type)
    }
    t.done()
  },

  'fields choose what pick picks, whatever holds them, and nothing beside it': t => {
    const c = { name: 'x', secret: 1 }
    const rows = [
      [[{ c }, { c: 'an id' }, { c: 5 }, {}], [{ c: { name: 'x' } }, {}, {}, {}]],
      [[{ c }, { c: [c, 'z', { secret: 2 }] }, { c: 'an id' }], [{ c: { name: 'x' } }, { c: [{ name: 'x' }, {}] }, {}]],
      [[{ c: [c, c] }, { c: [[c]] }, { c: [] }], [{ c: [{ name: 'x' }, { name: 'x' }] }, { c: [[{ name: 'x' }]] }, { c: [] }]],
      [[{ c: { secret: 1 } }, { c: {} }, { d: c }], [{ c: {} }, { c: {} }, {}]],
      [[{ c: { name: c } }], [{ c: { name: c } }]],
      [[{ c: 'an id' }], [{}]]
    ]
    for (const [documents, expected] of rows) {
      const bytes = documents.map(document => encode(document))
      for (const options of [{}, { flat: true }, { json: ['c'] }, { fields: ['c.name', 'c.name.deeper'] }]) {
        const table = columns(bytes, { fields: ['c.name'], ...options })
        t.deepStrictEqual(table.toArray(), expected, JSON.stringify([documents, options]))
        t.deepStrictEqual([Object.keys(table.columns), table.report.mismatches], [['c'], []])
      }
    }
    t.deepStrictEqual(Object.keys(columns(encode({ a: { b: 1 }, b: 2 }), { fields: ['a', 'a.b'] }).columns), ['a'])
    const broken = encode({ c: [[{ name: 'ab' }], { name: 'x' }] })
    broken[broken.indexOf('ab')] = 0xff
    t.strictEqual(errorOf(() => columns([broken], { fields: ['c.name'] })).path, 'c')
    t.done()
  },

  'a mismatch within a map, and fields of a schema': t => {
    const int = { bsonType: 'int' }
    const item = { bsonType: 'object', properties: { x: int, y: int } }
    const schema = { properties: { m: { bsonType: 'object', additionalProperties: int }, l: { bsonType: 'array', items: item }, n: int } }
    const bytes = together([{ m: { one: 1, two: 'x' }, l: [{ x: 1, y: 2 }], n: 3 }])
    const { report } = columns(bytes, { schema })
    t.deepStrictEqual(report.mismatches.map(({ path }) => path), ['m{}'])
    const reference = encode({ a: new DBRef('c', 'x') })
    const texts = { properties: { a: { bsonType: 'object', additionalProperties: { bsonType: 'string' } } } }
    t.strictEqual(told(columns(reference, { schema: texts }).get(0)), told(decode(reference)))
    const some = columns(bytes, { schema, fields: ['l.y', 'n.deeper', 'none'] })
    t.deepStrictEqual(Object.keys(some.columns), ['l', 'n', 'none'])
    t.strictEqual(told(some.get(0)), told({ l: [{ y: 2 }] }))
    t.deepStrictEqual(some.report.mismatches, [])
    t.done()
  },

  'what a schema says too little of is Extended JSON, and too much of an error': t => {
    const open = { bsonType: 'object', additionalProperties: true }
    const rows = [{ bsonType: 'javascript' }, { bsonType: 'object' }, { bsonType: ['int', 'string'] }, {}, open]
    const typeOfColumn = a => columns(encode({}), { schema: { properties: { a } } }).columns.a
    for (const a of rows) t.strictEqual(typeOfColumn(a).type, 'json', JSON.stringify(a))
    for (const items of [undefined, [{ bsonType: 'int' }], {}]) t.strictEqual(typeOfColumn({ bsonType: 'array', items }).children.item.type, 'json')
    t.strictEqual(columns(encode({}), { schema: { properties: { a: { bsonType: 'null' } } } }).columns.a.type, 'null')
    t.strictEqual(columns(encode({ a: 1 }), { schema: { properties: { a: { bsonType: 'null' } } } }).report.mismatches[0].column, 'null')
    const bool = columns(encode({}), { schema: { properties: { a: { bsonType: 'bool' } } } }).columns.a
    t.deepStrictEqual([bool.values, bool.nullCount], [new Uint8Array(1), 1])
    let deep = { bsonType: 'int' }
    let document = { a: 1 }
    for (let i = 0; i < 40; i++) {
      deep = { bsonType: 'object', properties: { a: deep } }
      document = { a: document }
    }
    let { a } = columns(encode({}), { schema: deep }).columns
    let inferred = columns(encode(document)).columns.a
    for (; a.type === 'struct'; a = a.children.a, inferred = inferred.children.a) t.strictEqual(inferred.type, 'struct')
    t.deepStrictEqual([a.type, inferred.type], ['json', 'json'])
    const properties = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`f${i}`, { bsonType: 'int' }]))
    t.throws(() => columns(encode({}), { schema: { properties } }), /the schema has more than 10000 columns: choose some with fields/)
    delete properties.f0
    t.strictEqual(columns(encode({}), { schema: { properties } }).inner.length, 10_000)
    t.done()
  },

  'a column of booleans without any has a bit for each row': t => {
    const { a } = columns([{}, {}].map(document => encode(document)), { schema: { properties: { a: { bsonType: 'bool' } } } }).columns
    t.deepStrictEqual([a.get(1), a.values, a.nullCount], [undefined, new Uint8Array(1), 2])
    t.done()
  },

  'maps within maps, of which some seemed to be documents': t => {
    const ids = count => Array.from({ length: count }, () => new ObjectId().toHexString())
    const inner = Object.fromEntries(ids(200).map((id, i) => [id, i]))
    const outer = Object.fromEntries(ids(300).map((id, i) => [id, i % 2 === 0 ? { few: i } : inner]))
    const { a } = check([{ a: outer }, { a: Object.fromEntries(ids(40).map(id => [id, inner])) }]).columns
    t.strictEqual(a.type, 'map')
    t.strictEqual(a.children.value.type, 'map')
    t.done()
  },

  'without Buffer': t => {
    const other = requireWithoutBuffer('lib/columns/index.js')
    const bytes = encode({ s: 'ü x' })
    t.strictEqual(other.columns(bytes).columns.s.get(0), 'ü x')
    bytes[bytes.indexOf('x')] = 0xff
    t.throws(() => other.columns(bytes), /UTF-8/i)
    t.done()
  },

  'a column cannot be larger than offsets can say': t => {
    const memory = new Memory(0, 0)
    t.strictEqual(memory.grown(2 ** 30, 2 ** 30 + 1), 2 ** 31 - 1)
    t.throws(() => memory.grown(2 ** 31 - 1, 2 ** 31), /a column of a table can hold at most 2 GB: read fewer rows at a time/)
    t.done()
  },

  'a schema that refers to itself, and one that says nothing': t => {
    const tree = { bsonType: 'object', properties: { v: { bsonType: 'int' }, left: { $ref: '#' }, right: { $ref: '#' } } }
    const document = { v: 1, left: { v: 2, left: { v: 3 } } }
    const table = columns(encode(document), { schema: tree })
    t.strictEqual(table.columns.left.type, 'json')
    t.strictEqual(told(table.get(0)), told(document))
    t.throws(() => columns(encode({}), { schema: {} }), /the schema describes no fields/)
    t.done()
  },

  'a name that comes twice: the last one counts': t => {
    const element = (type, value) => Buffer.concat([Buffer.from([type]), Buffer.from('a\0'), Buffer.from(value, 'hex')])
    const parts = [[0x10, '01000000'], [0x0a, ''], [0x02, '0200000078' + '00'], [0x03, '08000000' + '0a6200' + '00'], [0x04, '08000000' + '0a3000' + '00'], [0x06, '']]
    for (const [first, one] of parts) {
      for (const [second, two] of parts) {
        const body = Buffer.concat([element(first, one), element(second, two), Buffer.from([0])])
        const document = Buffer.concat([Buffer.alloc(4), body])
        document.writeInt32LE(document.length)
        const { a } = decode(document)
        const table = columns([document, document])
        t.strictEqual(told(table.get(0)), told(a === undefined ? {} : { a }))
        const hasColumn = Object.keys(table.columns).length > 0
        const isReplaced = hasColumn && first !== 0x06
        t.deepStrictEqual(table.report.replaced, isReplaced ? [{ path: 'a', count: 2 }] : [], `${first} ${second}`)
        if (first === second) check([document, document])
      }
    }
    t.done()
  },

  'an empty source, and empty documents': t => {
    t.strictEqual(columns(Buffer.alloc(0)).rows, 0)
    t.deepStrictEqual(columns([]).toArray(), [])
    for (const options of [{}, { fields: ['_id'] }, { fields: ['a.b', '_id'] }]) {
      t.strictEqual(columns([], options).columns._id.type, 'objectId', 'whatever the fields')
    }
    t.deepStrictEqual(check([{}, {}]).toArray(), [{}, {}])
    t.deepStrictEqual(columns(Buffer.alloc(0), { schema: { properties: { a: { bsonType: 'string' } } } }).columns.a.toArray(), [])
    t.done()
  },

  'an array of documents, a batch, other memory': t => {
    const documents = [{ a: 1 }, { a: 2 }].map(document => encode(document))
    const values = source => [...columns(source).columns.a.values]
    t.deepStrictEqual(values(documents), [1, 2])
    t.deepStrictEqual(values({ raw: () => documents }), [1, 2])
    t.deepStrictEqual(values(Uint8Array.from(documents[0]).buffer), [1])
    t.deepStrictEqual(values(new DataView(Uint8Array.from(documents[1]).buffer)), [2])
    t.done()
  },

  'options that make no sense': t => {
    const rows = [{ rows: 0 }, { rows: 1.5 }, { sample: '5' }, { mixedTypes: 'other' }, { reject: true }, { schema: { properties: 5 } }, { maxDocumentSize: -1 }]
    for (const options of rows) t.ok(errorOf(() => columns(encode({}), options)) instanceof BSONError, JSON.stringify(options))
    for (const source of [5, null, undefined, 'text', [5], {}]) t.ok(errorOf(() => columns(source)) instanceof BSONError, String(source))
    t.done()
  }
}
