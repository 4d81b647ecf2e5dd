'use strict'

// How other programs get decimals, ids, JSON and geometry; and a row for each item of a list.

const { encode, decode, Decimal128, Int32, Long, ObjectId, RawDocument, UUID } = require('../../qbson')
const { columns, inferColumns, toArrow } = require('../../lib/columns')
const { DecimalStats, putScaled } = require('../../lib/columns/layout/decimal')
const { assertCheap } = require('../fixtures/cost')
const { many } = require('../fixtures/long')
const { seededRandom, below } = require('../fixtures/random-document')
const { errorOf } = require('../fixtures/error-of')

const bytesOf = documents => Buffer.concat(documents.map(document => encode(document)))
const decimal = text => Decimal128.fromString(text)

/** The same with short texts. */
const shortened = document => JSON.parse(JSON.stringify(document).replace(/x{9,}/, 'xxx'))

/** The column `a` of documents with these values. */
const columnOf = (values, options) => columns(bytesOf(values.map(a => ({ a }))), options).columns.a

/** The decimals of a column in Arrow, as texts. */
function decimalsOf(table) {
  const child = toArrow(table).getChild('a')
  const { scale } = child.type
  const words = new BigInt64Array(child.data[0].values.slice().buffer)
  return Array.from({ length: table.rows }, (_, row) => textOf((words[2 * row + 1] << 64n) | BigInt.asUintN(64, words[2 * row]), scale))
}

function textOf(integer, scale) {
  const digits = String(integer < 0n ? -integer : integer).padStart(scale + 1, '0')
  return (integer < 0n ? '-' : '') + (scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`)
}

/** A decimal of any length, exponent and sign. */
function randomDecimal(random) {
  const digits = Array.from({ length: 1 + below(random, 34) }, () => below(random, 10)).join('')
  const zeros = below(random, 3) === 0 ? '0'.repeat(below(random, 35 - digits.length)) : ''
  return `${below(random, 2) ? '-' : ''}${digits}${zeros}E${below(random, 50) - 30}`
}

/** What a decimal's text means, as an integer of the smallest digit. @returns {bigint | null} null if that is no integer */
function scaledBy(text, scale) {
  const [, sign, digits, exponent] = /^(-?)(\d+)E(-?\d+)$/.exec(text)
  const shift = Number(exponent) + scale
  const value = BigInt(sign + digits)
  if (shift >= 0) return value * 10n ** BigInt(shift)
  return value % 10n ** BigInt(-shift) === 0n ? value / 10n ** BigInt(-shift) : null
}

/** Rows: decimals; the form of their column, its digits; what Arrow gets. */
const DECIMALS = [
  [['18.50', '24.00', '-0.01'], 'decimal', 18, 2, ['18.50', '24.00', '-0.01']],
  [['1E+3', '0E-10', '-0'], 'decimal', 18, 10, ['1000.0000000000', '0.0000000000', '0.0000000000']],
  [['1234567890123456789', '0.5'], 'decimal', 38, 1, ['1234567890123456789.0', '0.5']],
  [['9999999999999999999999999999999999', '-9007199254740993'], 'decimal', 38, 0, ['9999999999999999999999999999999999', '-9007199254740993']],
  [['1.000000000000000000000000000000000', '123456789'], 'decimal', 18, 0, ['1', '123456789']], // zeros at the end that do not fit
  [['4294967296.00', '-4294967296.00', '-4294967297.01'], 'decimal', 18, 2, ['4294967296.00', '-4294967296.00', '-4294967297.01']],
  [['1E+40', '1'], 'string'], [['1E-40'], 'string'], [['NaN', '1.5'], 'string'], [['-Infinity'], 'string']
]

/** Rows: the GeoJSON, its Well-Known Binary in hex. */
const GEOMETRIES = [
  [{ type: 'Point', coordinates: [1, 2] }, '0101000000000000000000f03f0000000000000040'],
  [{ type: 'Point', coordinates: [1, 2, 3] }, '01e9030000000000000000f03f00000000000000400000000000000840'],
  [{ type: 'MultiPoint', coordinates: [[1, 2]] }, '0104000000010000000101000000000000000000f03f0000000000000040'],
  [{ type: 'LineString', coordinates: [] }, '010200000000000000'],
  [{ type: 'Polygon', coordinates: [[[1, 2]]] }, '01030000000100000001000000000000000000f03f0000000000000040'],
  [{ type: 'MultiLineString', coordinates: [[], [[1, 2, 3]]] }, '01ed03000002000000' + '01ea03000000000000' + '01ea03000001000000000000000000f03f00000000000000400000000000000840'],
  [{ type: 'MultiLineString', coordinates: [[[1, 2]], []] }, '010500000002000000' + '010200000001000000000000000000f03f0000000000000040' + '010200000000000000'],
  [{ type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }] }, '0107000000010000000101000000000000000000f03f0000000000000040'],
  [{ type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2, 3] }] }, '01ef0300000100000001e9030000000000000000f03f00000000000000400000000000000840'],
  [{ type: 'Point', coordinates: [1] }, null], [{ type: 'Point', coordinates: [1, 'x'] }, null], [{ type: 'Point', coordinates: [1, NaN] }, null],
  [{ type: 'Cube', coordinates: [1, 2] }, null], [{ type: 'LineString', coordinates: [1, 2] }, null], [7, null], [{}, null],
  [{ type: 'LineString', coordinates: [[1, 2], [1, 2, 3]] }, null]
]

module.exports = {
  'decimals get the digits that they need': t => {
    for (const [texts, form, precision, scale, expected] of DECIMALS) {
      const table = columns(bytesOf(texts.map(text => ({ a: decimal(text) }))))
      const { a } = table.columns
      t.deepStrictEqual([a.form, a.precision, a.scale], [form, precision, scale], texts.join())
      t.deepStrictEqual(a.toArray().map(String), texts.map(text => String(decimal(text)))) // as in the documents
      if (form === 'decimal') t.deepStrictEqual(decimalsOf(table), expected)
      else t.strictEqual(Buffer.from(a.values).toString(), texts.map(text => String(decimal(text))).join(''))
      t.deepStrictEqual(table.report.mismatches, [])
    }
    t.done()
  },

  'other numbers beside decimals are decimals, too, if the form of these is given': t => {
    const values = [decimal('1.50'), 2, 0.1, -0, 2n ** 60n, 2 ** 60, 1e300, NaN]
    const bytes = bytesOf(values.map(a => ({ a })))
    for (const bsonType of [null, 'number', ['long', 'decimal']]) {
      const how = bsonType && { schema: { properties: { a: { bsonType } } } }
      t.deepStrictEqual([...columns(bytes, { ...how, decimals: 'double' }).columns.a.values], values.map(Number))
      const texts = columns(bytes, { ...how, decimals: 'string' }).columns.a
      t.strictEqual(Buffer.from(texts.values).toString(), ['1.50', '2', '0.1', '-0', 2n ** 60n, 2n ** 60n, '1E+300', 'NaN'].join(''))
      const table = columns(bytes, { ...how, decimals: 'decimal(20,2)' })
      t.deepStrictEqual(decimalsOf(table), ['1.50', '2.00', '0.10', '0.00', '0.00', '0.00', '0.00', '0.00']) // no value in the last four
      t.deepStrictEqual(table.report.mismatches.map(({ type, count }) => [type, count]), [['long', 1], ['double', 3]])
      t.strictEqual(columns(bytes, how).columns.a.type, 'json')
    }
    t.done()
  },

  'random decimals: exact, or not at all': t => {
    const random = seededRandom(1)
    for (let i = 0; i < many(8_000, 1_000_000); i++) {
      const text = randomDecimal(random)
      const { bytes } = decimal(text)
      const type = { precision: 1 + below(random, 38), scale: below(random, 30) }
      const expected = scaledBy(text, type.scale)
      const words = new Int32Array(4)
      const fits = expected !== null && String(expected).replace('-', '').length <= type.precision
      if (putScaled(bytes, 0, type, words, 0) !== (fits || expected === 0n)) t.fail(`${text} as ${JSON.stringify(type)}`)
      const [low, high] = new BigInt64Array(words.buffer)
      if (fits && ((high << 64n) | BigInt.asUintN(64, low)) !== expected) t.fail(`${text} as ${JSON.stringify(type)}`)
    }
    t.done()
  },

  'what decimals need, of parts and of the whole': t => {
    const random = seededRandom(2)
    for (let i = 0; i < many(500, 20_000); i++) {
      const texts = Array.from({ length: 1 + below(random, 8) }, () => below(random, 30) === 0 ? 'NaN' : randomDecimal(random))
      const statsOf = list => list.reduce((stats, text) => (stats.note(decimal(text).bytes, 0), stats), new DecimalStats())
      const whole = statsOf(texts)
      const cut = below(random, texts.length + 1)
      const joined = statsOf(texts.slice(0, cut))
      joined.merge(statsOf(texts.slice(cut)))
      t.deepStrictEqual(joined, whole)
      const { fit } = whole
      const fits = type => texts.every(text => putScaled(decimal(text).bytes, 0, type, null, 0))
      if (fit !== null) t.ok(fits(fit))
      else for (let scale = 0; scale <= 38; scale++) t.ok(!fits({ precision: 38, scale }))
    }
    t.done()
  },

  'decimals as asked': t => {
    const values = ['1.5', '-0.001', 'NaN', '12345678.9', '1E+400'].map(decimal)
    const given = columns(bytesOf(values.map(a => ({ a }))), { decimals: 'decimal(10, 2)' })
    t.deepStrictEqual(decimalsOf(given), ['1.50', '0.00', '0.00', '12345678.90', '0.00'])
    t.deepStrictEqual(given.columns.a.toArray().map(value => value && String(value)), ['1.5', undefined, undefined, '12345678.9', undefined])
    const [{ path, type, column, count, document }] = given.report.mismatches
    t.deepStrictEqual({ path, type, column, count, document }, { path: 'a', type: 'decimal', column: 'decimal(10,2)', count: 3, document: 2 })
    t.deepStrictEqual([...columnOf(values, { decimals: 'double' }).values], [1.5, -0.001, NaN, 12345678.9, Infinity])
    const texts = columnOf(values, { decimals: 'string' })
    t.strictEqual(Buffer.from(texts.values).toString(), '1.5-0.001NaN12345678.91E+400')
    t.deepStrictEqual(Buffer.from(columnOf(values, { decimals: 'bytes' }).values), Buffer.concat(values.map(({ bytes }) => bytes)))
    t.strictEqual(columnOf([null, decimal('1.5')], { decimals: 'string' }).offsets.join(), '0,0,3')
    t.strictEqual(columnOf(values, { schema: { properties: { a: { bsonType: 'decimal' } } } }).form, 'string') // nobody knows the digits
    t.done()
  },

  'decimals of a stream: as many digits before the point as possible': async t => {
    const stream = ['1.50', '2.25'].map(text => encode({ a: decimal(text) }))
    for await (const { columns: { a } } of columns(stream.values(), { sample: 1 })) t.deepStrictEqual([a.precision, a.scale], [38, 2])
    const { type } = await inferColumns(stream.values())
    t.deepStrictEqual(type.fields.get('a').decimal, { precision: 18, scale: 2 })
    t.done()
  },

  'ids': t => {
    const [id, uuid] = [new ObjectId('65a0c0de0000000000000001'), new UUID('0f0f0f0f-1111-4222-8333-123456789abc')]
    const table = columns(bytesOf([{ id, uuid }, {}, { in: { id } }]), { ids: 'hex' })
    const { id: ids, uuid: uuids, in: inner } = table.columns
    t.strictEqual(Buffer.from(ids.values).toString(), id.toHexString())
    t.deepStrictEqual([...ids.offsets], [0, 24, 24, 24])
    t.strictEqual(Buffer.from(uuids.values).toString(), uuid.toHexString())
    t.strictEqual(Buffer.from(inner.children.id.values).toString(), id.toHexString())
    t.ok(ids.get(0) instanceof ObjectId && uuids.get(0) instanceof UUID)
    const fields = toArrow(table).schema.fields
    t.deepStrictEqual(fields.slice(0, 2).map(field => [String(field.type), field.metadata.get('bson:type')]), [['Utf8', 'objectId'], ['Utf8', 'uuid']])
    const bytes = toArrow(columns(bytesOf([{ uuid }]))).schema.fields[0]
    t.deepStrictEqual([String(bytes.type), bytes.metadata.get('ARROW:extension:name')], ['FixedSizeBinary[16]', 'arrow.uuid'])
    t.done()
  },

  'fields as JSON': t => {
    const documents = [{ a: { b: [1, { c: 'x' }] }, in: { d: { e: 1 } }, l: [{ f: 1 }, { f: 'x' }] }, { a: 5, in: { d: null } }]
    const table = columns(bytesOf(documents), { json: ['a', 'in.d', 'l.f', 'none'] })
    const { a, in: { children: { d } }, l, none } = table.columns
    t.deepStrictEqual([a.type, d.type, l.children.item.children.f.type, none.type], ['json', 'json', 'json', 'json'])
    t.strictEqual(Buffer.from(a.values).toString(), '{"b":[1,{"c":"x"}]}5')
    t.deepStrictEqual([d.nullCount, none.nullCount], [1, 2])
    t.deepStrictEqual(table.toArray(), documents)
    const given = columns(bytesOf(documents), { schema: { properties: { a: { bsonType: 'int' } } }, json: ['a'] })
    t.deepStrictEqual(given.columns.a.get(0), documents[0].a)
    const chosen = columns(bytesOf(documents), { fields: ['l', 'in.d'], json: ['a', 'in.d', 'in.none'], geo: ['b'] }) // these fields only
    t.deepStrictEqual(chosen.toArray(), [{ l: documents[0].l, in: documents[0].in }, { in: { d: null } }])
    t.deepStrictEqual([Object.keys(chosen.columns), Object.keys(chosen.columns.in.children)], [['l', 'in'], ['d']])
    t.done()
  },

  'texts of a column stay when others are made, whatever their size': t => {
    for (const size of [10, 3000, 40_000]) {
      const documents = Array.from({ length: 60 }, (_, i) => ({ a: ['A'.repeat(size), i], b: ['B'.repeat(size), i], c: i % 2 ? i : 'C'.repeat(size) }))
      const table = columns(bytesOf(documents), { json: ['a', 'b'] })
      const all = ['a', 'b', 'c'].map(name => toArrow(table).getChild(name))
      for (const [i, { a, b, c }] of documents.entries()) {
        const [textA, textB, textC] = all.map(column => column.get(i))
        t.ok(textA === JSON.stringify(a) && textB === JSON.stringify(b) && textC === JSON.stringify(c), `${size} ${i}`)
      }
    }
    t.done()
  },

  'the memory of documents may be overwritten after they were read': async t => {
    const documents = Array.from({ length: 200 }, (_, i) => encode({ _id: i, [`field${i % 3}`]: i, [i % 2 ? 'x' : 'y']: { z: `text ${i}` } }))
    const chunks = function* () {
      const memory = Buffer.alloc(4096)
      for (const document of documents) {
        memory.fill(0x61).set(document)
        yield memory.subarray(0, document.length)
      }
    }
    const schema = await inferColumns(chunks())
    t.deepStrictEqual(schema, await inferColumns(Buffer.concat(documents)))
    const rows = []
    for await (const table of columns(chunks(), { schema })) rows.push(...table.toArray())
    t.deepStrictEqual(rows, documents.map(document => decode(document)))
    t.done()
  },

  'thousands of names in a field that is JSON are no columns': t => {
    const wide = Object.fromEntries(Array.from({ length: 12_000 }, (_, i) => [`f${i}`, i % 2 ? 1 : 'x']))
    t.strictEqual(columnOf([wide, {}], { json: ['a'] }).type, 'json')
    t.done()
  },

  'lists of numbers, and lists of different depth': t => {
    const types = value => columnOf([value]).type
    const lines = columnOf([[[1, 2.5], [new Int32(3)]]])
    t.strictEqual(lines.children.item.children.item.type, 'double')
    t.strictEqual(types([[1, 2], 3]), 'json')
    t.strictEqual(types([[[1, 2], 3]]), 'json')
    t.strictEqual(Buffer.from(columnOf([[1, 2.5], [[1, 2]]]).values).toString(), '[1,2.5][[1,2]]')
    t.ok(/different types/.test(errorOf(() => columnOf([[1, [2]]], { mixedTypes: 'error' })).message))
    t.done()
  },

  'geometry': t => {
    for (const [geometry, expected] of GEOMETRIES) {
      const table = columns(bytesOf([{ a: geometry }, {}]), { geo: ['a'] })
      const { a } = table.columns
      t.strictEqual(Buffer.from(a.values).toString('hex'), expected ?? '', JSON.stringify(geometry))
      t.deepStrictEqual(a.get(0), expected === null ? undefined : geometry)
      t.deepStrictEqual(table.report.mismatches.map(({ column, count }) => [column, count]), expected === null ? [['geometry', 1]] : [])
    }
    t.done()
  },

  'dates beyond microseconds': t => {
    const times = [0n, 8640000000000000n, -8640000000000000n, 2n ** 62n, -(2n ** 62n)]
    const documents = times.map(time => {
      const bytes = encode({ a: new Date(0) })
      bytes.writeBigInt64LE(time, 7)
      return bytes
    })
    t.deepStrictEqual(columns(documents).report.farDates, [{ path: 'a', count: 2 }])
    t.done()
  },

  'a row for each item': t => {
    const documents = [{ i: 1, l: [{ x: 1 }, { x: 2 }], z: 'z' }, { i: 2, l: [] }, { i: 3 }, { i: 4, l: null }, { i: 5, l: { x: 5 } }]
    const rows = [{ i: 1, l: { x: 1 }, z: 'z' }, { i: 1, l: { x: 2 }, z: 'z' }, { i: 5, l: { x: 5 } }]
    t.deepStrictEqual(columns(bytesOf(documents), { unwind: 'l' }).toArray(), rows)
    t.strictEqual(columns(bytesOf(documents), { unwind: 'l' }).report.withoutItems, 3)
    t.deepStrictEqual(columns(documents.map(document => encode(document)), { unwind: ['l'] }).toArray(), rows)
    const deep = columns(bytesOf([{ a: { b: { l: [1, 2, 3] }, c: 1 }, d: 1 }, { a: [{ b: 1 }] }]), { unwind: 'a.b.l' }).toArray()
    t.deepStrictEqual(deep, [1, 2, 3].map(l => ({ a: { b: { l }, c: 1 }, d: 1 })))
    t.done()
  },

  'of names that repeat on the way to a list, the last one counts': t => {
    const join = (...documents) => {
      const elements = documents.map(document => encode(document).subarray(4, -1))
      const bytes = Buffer.concat([Buffer.alloc(4), ...elements, Buffer.from([0])])
      bytes.writeInt32LE(bytes.length)
      return bytes
    }
    const cases = [
      ['a', join({ a: [1] }, { a: [2, 3] }), [{ a: 2 }, { a: 3 }], ['a']],
      ['a', join({ a: 5, x: 1 }, { a: [2, 3] }), [{ a: 2, x: 1 }, { a: 3, x: 1 }], ['a']],
      ['a', join({ a: [1] }, { a: null }), [], []],
      ['a', join({ a: [1] }, { a: 'x' }), [{ a: 'x' }], ['a']],
      ['o.a', join({ o: { a: [1], x: 1 } }, { o: { a: [2, 3] } }), [{ o: { a: 2 } }, { o: { a: 3 } }], ['o']],
      ['o.a', join({ o: { a: [1] } }, { o: { x: 1 } }), [], []],
      ['o.a', encode({ o: new RawDocument(join({ a: [1] }, { a: [2], x: 1 })) }), [{ o: { a: 2, x: 1 } }], ['o.a']]
    ]
    for (const [unwind, bytes, rows, replaced] of cases) {
      const table = columns(bytes, { unwind })
      t.deepStrictEqual(table.toArray(), rows)
      t.deepStrictEqual(table.report.replaced, replaced.map(path => ({ path, count: 1 })))
    }
    t.done()
  },

  'what is left out around a list counts once a document': t => {
    const int = { bsonType: 'int' }
    const schema = { properties: {
      l: int, i: int, long: { bsonType: 'long' }, d: { bsonType: 'double' }, s: { bsonType: 'string' }, dec: { bsonType: 'decimal' },
      o: { bsonType: 'object', properties: { i: int } }, list: { bsonType: 'array', items: int }
    } }
    const long = Long.fromString('9007199254740993')
    const cases = [
      [{ s: 5 }, ['s']], [{ s: true }, ['s']], [{ i: 1.5 }, ['i']], [{ i: long }, ['i']], [{ long: 1.5 }, ['long']], [{ d: long }, ['d']],
      [{ dec: decimal('1.5') }, ['dec']], [{ dec: 1 }, ['dec']], [{ o: 5 }, ['o']], [{ o: { i: 1.5, x: 1 } }, ['o.x', 'o.i']],
      [{ list: [1, 1.5, 'x', null] }, ['list[]', 'list[]']], [{ other: 1 }, ['other']], [{ i: long, d: 5, long: 7, s: 'x', o: { i: 1 } }, ['i']]
    ]
    for (const [around, paths] of cases) {
      const options = { schema, unwind: 'l', decimals: 'decimal(10,0)' }
      const one = columns(bytesOf([{ ...around, l: [1] }]), options)
      const table = columns(bytesOf([{ ...around, l: [1, 2, 3] }]), options)
      const { mismatches } = table.report
      t.deepStrictEqual(mismatches.map(({ path, count }) => [path, count]), paths.map(path => [path, 1]), JSON.stringify(around))
      t.deepStrictEqual(table.toArray(), [1, 2, 3].map(l => ({ ...one.get(0), l })))
    }
    t.done()
  },

  'names that repeat around a list count once a document': t => {
    const twice = Buffer.from(encode({ a: 1, b: 'x', o: { a: 1, b: 2 }, l: [1, 2, 3] }).toString('latin1').replaceAll('b\0', 'a\0'), 'latin1')
    const table = columns(twice, { unwind: 'l' })
    t.deepStrictEqual(table.report.replaced, [{ path: 'a', count: 1 }, { path: 'o.a', count: 1 }])
    t.deepStrictEqual(table.toArray(), [1, 2, 3].map(l => ({ a: 'x', o: { a: 2 }, l })))
    t.done()
  },

  'items take time and memory in proportion, whatever is beside them': t => {
    const size = 400_000
    const a = Array.from({ length: 20_000 }, (_, i) => i)
    const int = { bsonType: 'int' }
    const object = properties => ({ bsonType: 'object', properties })
    const cases = [
      [{ a, big: 'x'.repeat(size) }, { fields: ['a'] }],
      [{ a, big: 'x'.repeat(size) }, { schema: { properties: { a: int } } }],
      [{ a, big: 'x'.repeat(size) }, { schema: { properties: { a: int, big: int } } }],
      [{ a, big: { x: 'x'.repeat(size), y: 1 } }, { fields: ['a', 'big.y'] }],
      [{ a, big: [{ x: 'x'.repeat(size), y: 1 }] }, { fields: ['a', 'big.y'] }],
      [{ a, big: ['x'.repeat(size)] }, { schema: { properties: { a: int, big: { bsonType: 'array', items: int } } } }],
      [{ o: { a, big: 'x'.repeat(size) } }, { fields: ['o.a'], unwind: 'o.a' }],
      [{ o: { a, big: 'x'.repeat(size) } }, { unwind: 'o.a', schema: { properties: { o: object({ a: int }) } } }]
    ]
    for (const [document, options] of cases) {
      const bytes = encode(document)
      let table
      assertCheap(1500, () => { table = columns(bytes, { unwind: 'a', ...options }) }, JSON.stringify(options)) // 4 s with copies
      const whole = columns(encode(shortened(document)), { unwind: 'a', ...options })
      t.deepStrictEqual(table.get(1), whole.get(1))
      t.deepStrictEqual([table.rows, table.report.mismatches.map(({ count }) => count)], [20_000, whole.report.mismatches.map(() => 1)])
    }
    const before = process.memoryUsage().rss
    const error = errorOf(() => columns(encode({ a, big: 'x'.repeat(100_000) }), { unwind: 'a' }))
    t.ok(error.message.startsWith('the columns take 64 times the memory of their documents'), error.message)
    t.ok(process.memoryUsage().rss - before < 400e6)
    t.done()
  },

  'items do not change what the documents around them are': t => {
    const x = Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`x${'abcdefghij'[i % 10]}${'k'.repeat(1 + i / 10)}`, i]))
    const { columns: { o } } = columns(encode({ o: { a: Array.from({ length: 5000 }, (_, i) => i), ...x } }), { unwind: 'o.a' })
    t.strictEqual(o.type, 'struct')
    t.done()
  },

  'a row for each item, of a stream, with the places of the documents': async t => {
    const broken = encode({ l: [1, 2], s: 'x' })
    broken[broken.length - 3] = 0xff
    const large = encode({ l: Array.from({ length: 3000 }, (_, i) => ({ i, s: 'x'.repeat(500) })) })
    const [first, last] = [encode({ l: [1, 'x'] }), encode({ l: [true] })]
    const schema = { properties: { l: { bsonType: 'int' }, s: { bsonType: 'string' } } }
    const errors = []
    let rows = 0
    let report
    const chunks = [Buffer.concat([first, broken]), large, last]
    for await (const table of columns(chunks.values(), { unwind: 'l', reject: error => errors.push(error), schema })) {
      rows += table.rows
      report = table.report
    }
    t.strictEqual(rows, 2 + 3000 + 1)
    t.deepStrictEqual(errors.map(({ document, offset }) => [document, offset >= first.length]), [[2, true]])
    const [mismatch] = report.mismatches.filter(({ type }) => type === 'bool')
    t.deepStrictEqual([mismatch.document, mismatch.offset], [4, first.length + broken.length + large.length])
    t.done()
  },

  'options that make no sense': t => {
    const wrong = [
      { ids: 'base64' }, { decimals: 'decimal(39,2)' }, { decimals: 'decimal(5,6)' }, { decimals: 'decimal(0,0)' }, { decimals: 5 },
      { decimals: Symbol('decimal(5,2)') }, { decimals: ['decimal(5,2)'] },
      { json: 'a' }, { json: [5] }, { geo: ['a.b'] }, { unwind: 5 }, { unwind: [] }
    ]
    for (const options of wrong) t.ok(errorOf(() => columns(encode({ a: 1 }), options)).name === 'BSONError', JSON.stringify(options))
    t.done()
  }
}
